"""`specassay run` on a server without a driver."""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from specassay import catalogue
from specassay.drivers import listening
from specassay.drivers.served import environment_of
from specassay.drivers.server import stays_here
from tests.cli.test_run import Run, folder, refused, run
from tests.suite.running import SCRIPTS, alive

__all__ = ["folder", "run"]

PLAIN = f"{sys.executable} {SCRIPTS / 'plain_server.py'}"
ASGI = f"{sys.executable} {SCRIPTS / 'asgi_server.py'}"
CONFIGURATION = "agent-session-shell/provider-configuration"
BASE_URL = f"{CONFIGURATION}.4/the-call-goes-to-the-base-url-with-its-path[usual]"
MODEL = f"{CONFIGURATION}.2/the-model-is-the-one-that-is-configured[openai]"
GEMINI = f"{CONFIGURATION}.11/gemini-config-ignores-base-url"
TOOLS = next(one.id for one in catalogue.load().scenarios() if "chat-route.tools" in one.tags and not one.advice)
URL = ("--route-url", "http://127.0.0.1:9")
PORT = ("--provider-port", "9")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@pytest.fixture
def up(folder: Path) -> Iterator[tuple[str, int]]:
    """Give the origin of a server that is up already, and the port of its provider."""
    provider = free_port()
    port = free_port()
    environment = {
        "PORT": str(port),
        "LLM_PROVIDER": "openai-compatible",
        "LLM_MODEL": "specassay-model",
        "LLM_API_KEY": "specassay-key",
        "LLM_BASE_URL": f"http://127.0.0.1:{provider}/v1",
    }
    process = subprocess.Popen(shlex.split(ASGI), env={**os.environ, **environment})
    try:
        while True:
            assert process.poll() is None
            with socket.socket() as caller:
                if caller.connect_ex(("127.0.0.1", port)) == 0:
                    break
        yield f"http://127.0.0.1:{port}", provider
    finally:
        process.kill()
        process.wait()


def test_a_server_that_is_up_is_tested_as_far_as_its_environment_goes(
    run: Run, folder: Path, up: tuple[str, int]
) -> None:
    origin, provider = up
    chosen = ("--id", BASE_URL, "--id", MODEL, "--id", GEMINI)
    done = run("--route-url", f"{origin}/", "--provider-port", str(provider), *chosen, "--report", "json=r.json")
    records = {one["id"]: one for one in json.loads((folder / "r.json").read_text())["implementations"][0]["scenarios"]}
    assert f"{origin} must have been started with LLM_PROVIDER=openai-compatible LLM_MODEL=specassay-model " in done.err
    assert f"LLM_API_KEY=specassay-key LLM_BASE_URL=http://127.0.0.1:{provider}/v1\n" in done.err
    assert [records[one]["verdict"] for one in (BASE_URL, MODEL, GEMINI)] == ["passed", "not-run", "not-run"]
    assert records[GEMINI]["reason"] == "the environment of a server that is up already cannot be changed"
    assert (done.code, done.last) == (3, f"{origin[7:]} was not decided: 2 scenarios not-run")


def test_a_url_at_which_nothing_listens_is_a_server_that_did_not_start(run: Run) -> None:
    origin = f"http://127.0.0.1:{free_port()}"
    done = run("--route-url", origin, "--provider-port", str(free_port()), "--id", BASE_URL)
    assert done.code == 4
    assert f"nothing listens at {origin}; start the server there first" in done.out
    assert done.last.endswith(" was not tested: its server did not start")


def test_a_server_stands_beside_a_driver_as_another_implementation(run: Run) -> None:
    done = run("--driver", "reference", "--route-cmd", f"mine={PLAIN}", "--id", BASE_URL)
    assert done.code == 1
    assert done.last.startswith("mine does not conform: ")
    assert f"Run it again: specassay run --route-cmd 'mine={PLAIN}' --id " in done.out
    assert "The server's log, its last lines:\n    | asked for /api/agent/chat" in done.out


def test_it_is_told_what_needs_a_driver(run: Run) -> None:
    done = run("--route-cmd", ASGI, "--id", TOOLS)
    assert done.code == 3
    assert "inapplicable  1 scenario: needs a driver: a tool cannot be registered from outside\n" in done.out


def test_a_server_of_the_settings_is_tested_and_chosen_by_its_name(run: Run, folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        f"[tool.specassay.routes.mine]\ncommand = {json.dumps(ASGI)}\ntool_result_role = 'function'\n"
    )
    for arguments in ((), ("--route-cmd", "mine")):
        done = run(*arguments, "--id", BASE_URL, "--report", "json=r.json")
        (record,) = json.loads((folder / "r.json").read_text())["implementations"]
        assert done.code == 0
        assert record["chosenBy"] == ["--route-cmd", "mine"]
        assert record["declared"]["conventions"] == {"toolResultRole": "function", "toolCallIdField": "toolCallId"}


def test_the_options_say_how_tool_results_are_written(run: Run, folder: Path) -> None:
    said = ("--tool-result-role", "function", "--tool-call-id-field", "callId")
    run("--route-cmd", PLAIN, *said, "--id", BASE_URL, "--report", "json=r.json")
    (record,) = json.loads((folder / "r.json").read_text())["implementations"]
    assert record["declared"]["conventions"] == {"toolResultRole": "function", "toolCallIdField": "callId"}
    assert record["chosenBy"] == ["--route-cmd", PLAIN, *said]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (URL, "--route-url and --provider-port belong together"),
        (PORT, "--route-url and --provider-port belong together"),
        (
            ("--route-url", "http://10.0.0.1:3000", *PORT),
            "10.0.0.1 is not loopback, and a conformance run sends faults",
        ),
        (("--route-url", "http://127.0.0.1.example.com", *PORT), "127.0.0.1.example.com is not loopback"),
        (("--route-url", "localhost:3000", *PORT), "--route-url 'localhost:3000' is no origin"),
        (("--route-url", "http://127.0.0.1:99999", *PORT), "is no origin; write one as http://127.0.0.1:3000 is"),
        (("--route-url", "http://127.0.0.1:3000/api/agent/chat", *PORT), "is no origin"),
        (("--route-url", "http://[::1", *PORT), "is no origin"),
        (("--route-url", "", *PORT), "--route-url '' is no origin"),
        (("--allow-remote",), "--allow-remote is for --route-url"),
        ((*URL, *PORT, "--isolate"), "--isolate starts a new process for each scenario, which --route-url cannot"),
        (("--tool-result-role", "x"), "--tool-result-role is for --route-cmd and --route-url"),
        (("--route-cmd", "x", "--tool-call-id-field", ""), "--tool-call-id-field is empty"),
        (("--route-cmd", "a="), "--route-cmd 'a=' has no command; write --route-cmd NAME=COMMAND"),
        (("--route-cmd", "node 'x"), '--route-cmd "node \'x" cannot be read as a command: no closing quotation'),
        (("--route-cmd", "a=x", "--driver", "a=y"), "two drivers are named 'a'"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_starts(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused(run, *arguments)


def test_a_provider_port_that_is_taken_is_refused(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"--provider-port {port}: cannot listen there: address already in use" in refused(
            run, *URL, "--provider-port", port
        )


def test_a_route_of_the_settings_needs_a_name_of_its_own(run: Run, folder: Path) -> None:
    file = folder / "pyproject.toml"
    file.write_text("[tool.specassay]\ndrivers.a.command = 'x'\nroutes.a.command = 'y'\n")
    assert f"{file}: [tool.specassay.routes.a]: a driver has this name" in refused(run)


def test_a_run_that_is_broken_off_at_once_leaves_no_server(folder: Path) -> None:
    pids = folder / "pids"
    pids.mkdir()
    code = "import sys; from specassay.cli import main; sys.exit(main())"
    habit = ("HABIT='ignores TERM, and never answers'", f"PIDS={shlex.quote(str(pids))}", PLAIN)
    process = subprocess.Popen(
        [sys.executable, "-c", code, "run", "--route-cmd", " ".join(habit), "--id", BASE_URL, "--no-timeout"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not (pids / "waits").exists():
            assert process.poll() is None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the third one kills the test process
            process.send_signal(number)
        assert process.wait(30) == 130
    finally:
        process.kill()
        process.wait()
    (pids / "waits").unlink()
    assert len(list(pids.iterdir())) == 2
    assert alive(pids) == []


# what a server is given


def test_a_server_has_the_environment_of_its_scenario_and_no_other_provider_s() -> None:
    given = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "x",
        "GOOGLE_X": "x",
        "LLM_OTHER": "x",
        "https_proxy": "x",
        "NODE_OPTIONS": "-a",
    }
    environment = environment_of(given, {"LLM_PROVIDER": "gemini"}, "http://127.0.0.1:9/egress")
    options, path = environment.pop("NODE_OPTIONS"), environment.pop("PYTHONPATH")
    assert options.startswith("-a --import file:///")
    assert (Path(path) / "sitecustomize.py").exists()
    assert environment == {
        "PATH": "/bin",
        "LLM_PROVIDER": "gemini",
        "LLM_MODEL": "",
        "LLM_API_KEY": "",
        "LLM_BASE_URL": "",
        "SPECASSAY_EGRESS": "http://127.0.0.1:9/egress",
        "npm_config_update_notifier": "false",
    }


@pytest.mark.parametrize("provider", ["gemini", "unknown", "", None])
def test_whatever_may_be_taken_for_gemini_may_leave_the_machine(provider: str | None) -> None:
    base = {"LLM_BASE_URL": "http://127.0.0.1:9/v1"}
    assert stays_here({**base, "LLM_PROVIDER": "openai-compatible"})
    assert not stays_here({"LLM_BASE_URL": "", "LLM_PROVIDER": "openai-compatible"})
    assert not stays_here(base if provider is None else {**base, "LLM_PROVIDER": provider})


TELLERS = {"/proc/net/tcp": listening._from_proc, shutil.which("lsof"): listening._from_lsof}


@pytest.mark.parametrize("source", [source for source in TELLERS if source is not None and Path(source).exists()])
def test_who_listens_is_known_from_each_source_that_there_is(source: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server(("::1", 0), family=socket.AF_INET6) as six,
    ):
        found = set(TELLERS[source]())
        ports = {server.getsockname()[1], six.getsockname()[1]}
        assert {listening.Listener(os.getpid(), os.getpgid(0), port) for port in ports} <= found
