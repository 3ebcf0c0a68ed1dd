"""Drives a program over its standard input and output, one call after the other."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

Json = Any


async def drive(folder: Path, origin: str, *calls: tuple[str, Json], **environment: str) -> list[Json]:
    """Run a driver through one scenario, one call at a time; gives the answers to the calls."""
    endpoints = {"egress": f"{origin}/egress"}
    begin = {"id": "x", "endpoints": endpoints, "environment": {}, "seed": 1}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "driver.py",
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    answers = []
    for number, (method, params) in enumerate([("scenario.begin", begin), *calls, ("shutdown", {})]):
        process.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"
        )
        answers.append(json.loads(await asyncio.wait_for(process.stdout.readline(), 60)))
    await process.wait()
    return [answer.get("result", answer) for answer in answers[1:-1]]
