"""No driver at all: a server is tested from outside, and told from one that cannot be."""

import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from specassay import catalogue
from specassay.results.events import GroupStarted
from specassay.results.plan import TimeLimits
from tests.node import install
from tests.suite.running import SCRIPTS, Run, alive, begin, finish, run

JAVASCRIPT = Path(__file__).parents[1] / "implementations" / "javascript"
REFERENCE = f"{sys.executable} -m specassay.drivers.reference"
ASGI = f"{sys.executable} {SCRIPTS / 'asgi_server.py'}"
PLAIN = f"{sys.executable} {SCRIPTS / 'plain_server.py'}"

ROUTE = [scenario for scenario in catalogue.load().scenarios() if scenario.surfaces == ("chat-route",)]
OUTSIDE = {scenario.id for scenario in ROUTE if "chat-route.tools" not in scenario.tags}
CONFIGURATION = "agent-session-shell/provider-configuration"
PLAIN_CALL = f"{CONFIGURATION}.4/the-call-goes-to-the-base-url-with-its-path[usual]"
NO_KEY = f"{CONFIGURATION}.7/missing-required-configuration"
NO_BASE_URL = f"{CONFIGURATION}.8/without-a-base-url-the-call-goes-to-a-public-host[not-set]"
GEMINI = f"{CONFIGURATION}.11/gemini-config-ignores-base-url"
UNKNOWN = f"{CONFIGURATION}.14/the-route-answers-502-to-an-unknown-provider-and-sends-nothing"
KNOWN_PATH = "agent-session-shell/api-proxy-route.1/the-route-is-served-at-its-own-path-and-not-at-every-other"


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    """Give the folder in which every process is noted."""
    folder = tmp_path / "pids"
    folder.mkdir()
    return folder


def serve(folder: Path, command: str, *scenarios: str, pids: Path | None = None, habit: str = "", **plan: Any) -> Run:
    """Test a server that this command starts."""
    variables = {"HABIT": habit} | ({} if pids is None else {"PIDS": str(pids)})
    wanted: dict[str, Any] = {"environment": variables, "scenarios": scenarios or None, **plan}
    return run(folder, driver=command, route={}, **wanted)


def reason(outcome: Run, scenario: str) -> str:
    """Give the reason of a verdict."""
    found = outcome.records[scenario].reason
    assert found is not None
    return found


def compared(outcome: Run) -> dict[str, str]:
    return {one: outcome.verdicts[one] for one in OUTSIDE}


# real servers


def test_a_node_server_has_the_verdicts_that_its_driver_has(tmp_path: Path) -> None:
    install(JAVASCRIPT)
    chosen = [scenario.id for scenario in ROUTE]
    (tmp_path / "driver").mkdir()
    driven = run(tmp_path / "driver", driver="node driver.mjs", directory=str(JAVASCRIPT), scenarios=chosen)
    served = serve(tmp_path, "node server.mjs", *chosen, directory=str(JAVASCRIPT))

    assert compared(served) == compared(driven)
    assert set(compared(served).values()) == {"passed"}
    assert {served.verdicts[one.id] for one in ROUTE if one.id not in OUTSIDE} == {"inapplicable"}
    assert served.code == 0


def test_an_asgi_server_has_the_verdicts_that_its_driver_has(tmp_path: Path) -> None:
    (tmp_path / "driver").mkdir()
    chosen = [scenario.id for scenario in ROUTE if scenario.path.endswith("provider-configuration.feature")]
    chosen += [scenario.id for scenario in ROUTE if scenario.path.endswith("gemini-tool-calling.feature")]
    driven = run(tmp_path / "driver", driver=REFERENCE, scenarios=chosen)
    served = serve(tmp_path, ASGI, *chosen)

    outside = OUTSIDE & set(chosen)
    assert {one: served.verdicts[one] for one in outside} == {one: driven.verdicts[one] for one in outside}
    assert {GEMINI, NO_BASE_URL, NO_KEY} <= outside
    assert {served.verdicts[one] for one in outside} == {"passed"}


def test_a_server_that_is_wrong_fails_with_what_was_sent_and_what_it_wrote(tmp_path: Path) -> None:
    outcome = serve(tmp_path, PLAIN, KNOWN_PATH)
    record = outcome.records[KNOWN_PATH]
    assert record.verdict == "failed"
    assert record.reason == "the status of the answer: expected 200, got 502"
    assert [exchange.target for exchange in record.exchanges] == ["/api/agent/chat", "/api/agent/chatx"]
    assert "asked for /api/agent/chatx" in record.log


def test_one_server_serves_all_scenarios_of_one_environment(tmp_path: Path) -> None:
    chosen = [one.id for one in ROUTE if one.path.endswith("api-proxy-route.feature") and one.id in OUTSIDE][:20]
    outcome = serve(tmp_path, PLAIN, *chosen, NO_KEY, KNOWN_PATH)
    assert len(outcome.records) > 10
    groups = [event.group for event in outcome.events if isinstance(event, GroupStarted)]
    environments = {
        tuple(sorted(message.message["params"]["environment"].items()))
        for record in outcome.records.values()
        for message in record.messages
        if message.message.get("method") == "chat-route.start"
    }
    assert len(groups) == len(environments) < len(outcome.records)


# what cannot be tested


def test_a_tool_needs_a_driver(tmp_path: Path) -> None:
    chosen = next(scenario.id for scenario in ROUTE if scenario.id not in OUTSIDE)
    outcome = serve(tmp_path, PLAIN, chosen)
    assert outcome.verdicts == {chosen: "inapplicable"}
    assert reason(outcome, chosen) == "needs a driver: a tool cannot be registered from outside"


@pytest.fixture
def foreign(tmp_path: Path) -> str:
    """Give the command of a server into which no kit can be loaded, started by a launcher that has loaded it."""
    launch = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-I', *sys.argv[1:]]))"
    file = tmp_path / "launch.py"
    file.write_text(launch)
    return f"{sys.executable} {file} {SCRIPTS / 'plain_server.py'}"


def test_what_could_leave_the_machine_is_not_sent_to_a_server_without_the_kit(tmp_path: Path, foreign: str) -> None:
    outcome = serve(tmp_path, foreign, GEMINI, NO_BASE_URL, UNKNOWN, NO_KEY)
    assert outcome.verdicts == {GEMINI: "not-run", NO_BASE_URL: "not-run", UNKNOWN: "not-run", NO_KEY: "failed"}
    assert reason(outcome, GEMINI).startswith(
        "the kit could not be loaded into the server (it can into Node and Python)"
    )
    assert [len(outcome.records[one].exchanges) for one in (GEMINI, NO_BASE_URL, UNKNOWN, NO_KEY)] == [0, 0, 0, 1]


def test_a_launcher_that_becomes_another_program_does_not_pass_for_it(tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copy(Path(sys.executable).resolve(), other)
    (tmp_path / "launch.py").write_text(
        f"import os, sys; os.environ['PYTHONHOME'] = {sys.base_prefix!r}; "
        f"os.execv({str(other)!r}, ['other', '-S', '-s', *sys.argv[1:]])"
    )
    outcome = serve(tmp_path, f"{sys.executable} {tmp_path / 'launch.py'} {SCRIPTS / 'plain_server.py'}", GEMINI)
    assert outcome.verdicts == {GEMINI: "not-run"}


def test_a_foreign_driver_cannot_say_that_a_scenario_is_not_run(tmp_path: Path) -> None:
    driver = tmp_path / "driver.py"
    driver.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    name = {'name': 'x', 'version': '1', 'language': 'x'}\n"
        "    said = {'initialize': {'protocolVersion': '1.0', 'implementation': name, 'surfaces': ['chat-route']}}\n"
        "    method = message['method']\n"
        "    code = -32001 if method == 'chat-route.start' else -32601\n"
        "    ok = method in said or not method.startswith('chat-route.')\n"
        "    answer = {'result': said.get(method, {})} if ok else {'error': {'code': code, 'message': 'not today'}}\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}), flush=True)\n"
    )
    outcome = run(tmp_path, driver=f"{sys.executable} {driver}", scenarios=[KNOWN_PATH])
    assert outcome.verdicts == {KNOWN_PATH: "failed"}


# servers that do not serve


@pytest.mark.parametrize(
    ("habit", "message"),
    [
        (
            "ends at once",
            "ended with exit status 1 before it listened\nthe end of its output:\na word of the server\nno",
        ),
        ("listens later", "which PORT names, after 1 s; let it listen there, or give it longer with --start-timeout\n"),
    ],
)
def test_a_server_that_does_not_listen_ends_the_run_with_the_reason(
    tmp_path: Path, pids: Path, habit: str, message: str
) -> None:
    limits = TimeLimits(start=1).model_dump()
    outcome = serve(tmp_path, PLAIN, KNOWN_PATH, pids=pids, habit=habit, limits=limits)
    assert outcome.code == 4
    assert outcome.failure.startswith(f"the server ({PLAIN}) ")
    assert message in outcome.failure
    assert len(list(pids.iterdir())) == 1
    assert alive(pids) == []


def test_a_server_that_listens_elsewhere_is_told_where(tmp_path: Path, pids: Path) -> None:
    limits = TimeLimits(start=1).model_dump()
    outcome = serve(tmp_path, PLAIN, KNOWN_PATH, pids=pids, habit="listens elsewhere", limits=limits)
    port = outcome.failure.rpartition("listening on ")[2]
    assert outcome.code == 4
    assert f"it listens on port {port}: let it listen on the port that the variable PORT names" in outcome.failure
    assert alive(pids) == []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("./nowhere", "the server command does not exist: ./nowhere (looked for in "),
        ("no-such-program", "the server command does not exist: no-such-program; is it installed, and on the path?"),
    ],
)
def test_a_command_that_is_none_ends_the_run_with_the_reason(tmp_path: Path, command: str, message: str) -> None:
    outcome = serve(tmp_path, command, KNOWN_PATH)
    assert outcome.code == 4
    assert outcome.failure.startswith(message)


def test_a_server_that_dies_in_one_environment_fails_where_it_should_have_answered(tmp_path: Path, pids: Path) -> None:
    outcome = serve(tmp_path, PLAIN, NO_KEY, KNOWN_PATH, pids=pids, habit="ends without a key")
    assert outcome.verdicts == {NO_KEY: "failed", KNOWN_PATH: "failed"}
    assert "ended with exit status 1 before it listened" in reason(outcome, NO_KEY)
    assert "LLM_API_KEY is not set" in reason(outcome, NO_KEY)
    assert reason(outcome, KNOWN_PATH) == "the status of the answer: expected 200, got 502"
    assert alive(pids) == []


def test_a_server_that_dies_when_it_is_asked_is_started_again(tmp_path: Path, pids: Path) -> None:
    outcome = serve(tmp_path, PLAIN, PLAIN_CALL, KNOWN_PATH, pids=pids, habit="dies when it is asked")
    assert set(outcome.verdicts.values()) == {"failed"}
    notes = [outcome.records[one].exchanges[0].note for one in (PLAIN_CALL, KNOWN_PATH)]
    assert notes == ["the connection broke: RemoteProtocolError"] * 2
    assert len(list(pids.iterdir())) == 2
    assert alive(pids) == []


# the end


def test_whatever_a_server_started_is_ended_with_it(tmp_path: Path, pids: Path) -> None:
    serve(tmp_path, PLAIN, KNOWN_PATH, pids=pids, habit="ignores TERM")
    assert len(list(pids.iterdir())) == 2
    assert alive(pids) == []


@pytest.mark.parametrize("habit", ["never listens", "never answers"])
def test_an_interruption_leaves_no_server(tmp_path: Path, pids: Path, habit: str) -> None:
    limits = TimeLimits(start=None, call=None, scenario=None).model_dump()
    variables = {"HABIT": habit, "PIDS": str(pids)}
    process = begin(tmp_path, driver=PLAIN, route={}, environment=variables, scenarios=[KNOWN_PATH], limits=limits)
    while not (pids / "waits").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert finish(process, tmp_path).code == 2
    (pids / "waits").unlink()
    assert len(list(pids.iterdir())) == 1
    assert alive(pids) == []
