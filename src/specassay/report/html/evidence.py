"""Packs the evidence of every scenario into compressed chunks, the most telling first, until the page is full.

A chunk is a JSON object, gzipped, in base64; the page unpacks the one that it shows. `story` is what the steps did and
checked, with the log; `traffic` are the driver messages and HTTP exchanges; `text` is the scenario as it is written.
"""

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from specassay.results.model import Results, ScenarioRecord, Verdict

LONGEST = 20_000
"""Characters of one text of the evidence that the page keeps."""

_CHUNK = 200_000
_NOTHING, _CUT = -1, -2
_OPEN = (Verdict.FAILED, Verdict.INCONCLUSIVE)


@dataclass
class _Packer:
    """Fills the page. Once a chunk does not fit, the page is full."""

    budget: int
    chunks: list[str] = field(default_factory=list)
    full: bool = False

    def add(self, entries: Iterator[tuple[list[int], int, Any]]) -> int:
        """Pack entries, note the number of each one's chunk in its place, and say how many were left out."""
        left = 0
        waiting: list[tuple[list[int], int]] = []
        parts: list[str] = []
        size = 0
        for places, number, value in entries:
            if self.full:
                places[number] = _CUT
                left += 1
                continue
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            parts.append(text)
            waiting.append((places, number))
            size += len(text)
            if size > _CHUNK:
                left += self._close(waiting, parts)
                waiting, parts, size = [], [], 0
        return left + (self._close(waiting, parts) if parts else 0)

    def _close(self, waiting: list[tuple[list[int], int]], parts: list[str]) -> int:
        raw = gzip.compress(f"[{','.join(parts)}]".encode(), 6, mtime=0)
        packed = base64.b64encode(raw).decode()
        self.full = len(packed) + 3 > self.budget
        if not self.full:
            self.budget -= len(packed) + 3
            self.chunks.append(packed)
        for places, number in waiting:
            places[number] = _CUT if self.full else len(self.chunks) - 1
        return len(waiting) if self.full else 0


def pack(results: Results, budget: int) -> dict[str, Any]:
    """Give the chunks, where in them each scenario's evidence lies, and how much was left out.

    `story` and `traffic` have a list for each implementation, `text` is one, with a number for each scenario in the
    order of the suite: that of its chunk, in which it comes after all that stand before it in these lists; -1 where
    there is nothing, -2 where it was left out. First come the texts, then all of what failed or was inconclusive, then
    the steps of the rest, then its traffic.
    """
    scenarios = list(results.suite.scenarios())
    records = [record.scenarios for record in results.implementations]
    text: list[int] = [_NOTHING] * len(scenarios)
    story: list[list[int]] = [[_NOTHING] * len(scenarios) for _ in records]
    traffic: list[list[int]] = [[_NOTHING] * len(scenarios) for _ in records]

    def stories(*, open_ones: bool) -> Iterator[tuple[list[int], int, Any]]:
        for places, played in zip(story, records, strict=True):
            for number, one in enumerate(played):
                if (one.verdict in _OPEN) is open_ones and (one.steps or one.log):
                    yield places, number, _story(one)

    def traffics(*, open_ones: bool) -> Iterator[tuple[list[int], int, Any]]:
        for places, played in zip(traffic, records, strict=True):
            for number, one in enumerate(played):
                if (one.verdict in _OPEN) is open_ones and (one.messages or one.exchanges):
                    yield places, number, _traffic(one)

    numbers = len(scenarios) * (1 + 2 * len(records)) * 4
    packer = _Packer(budget - numbers)
    left_text = packer.add((text, number, _clipped(one.text)) for number, one in enumerate(scenarios))
    left_open = packer.add(stories(open_ones=True)) + packer.add(traffics(open_ones=True))
    left_story = packer.add(stories(open_ones=False))
    left_traffic = packer.add(traffics(open_ones=False))
    return {
        "chunks": packer.chunks,
        "text": text,
        "story": story,
        "traffic": traffic,
        "left": {"text": left_text, "open": left_open, "story": left_story, "traffic": left_traffic},
        "longest": LONGEST,
    }


def _story(record: ScenarioRecord) -> Any:
    return _clipped(
        record.model_dump(by_alias=True, include={"steps", "log", "seconds", "reason"}, exclude_defaults=True)
    )


def _traffic(record: ScenarioRecord) -> Any:
    return _clipped(record.model_dump(by_alias=True, include={"messages", "exchanges"}, exclude_defaults=True))


def _clipped(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= LONGEST else f"{value[:LONGEST]}… ({len(value)} characters)"
    if isinstance(value, dict):
        return {_clipped(key): _clipped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clipped(item) for item in value]
    return value
