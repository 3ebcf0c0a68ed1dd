"""`specassay doctor` says what is wrong with a driver, and how to set it right."""

import asyncio
import json
import os
import shlex
import signal
import sys
from pathlib import Path

import pytest

from specassay.cli import main
from specassay.drivers import doctor
from specassay.drivers.doctor import Finding, examine
from specassay.drivers.marked import can_find
from specassay.drivers.protocol import OPTIONAL_OPERATIONS, SURFACES, params_of
from specassay.drivers.samples import samples
from specassay.errors import Exit
from tests.cli.drivers import answering, declaring
from tests.drivers.sessions import SHELL, begin_params
from tests.suite.running import SCRIPTS, alive, environment

SCENARIO = "specassay/doctor.1/one-call-of-each"


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    """Give the folder in which every process of the driver is noted."""
    folder = tmp_path / "pids"
    folder.mkdir()
    return folder


def examined(command: str = SHELL) -> tuple[Exit, list[Finding]]:
    findings: list[Finding] = []
    endpoints = begin_params("a/b.1/c")["endpoints"]
    return asyncio.run(examine(command, None, endpoints, findings.append)), findings


def problems(findings: list[Finding]) -> dict[str, str]:
    return {finding.subject: finding.problem for finding in findings if finding.problem is not None}


def hint(findings: list[Finding]) -> str:
    return next(finding.hint for finding in findings if finding.hint is not None)


def faulty(monkeypatch: pytest.MonkeyPatch, pids: Path, fault: str, at: str = SCENARIO) -> tuple[Exit, list[Finding]]:
    for name, value in environment({at: fault}, pids).items():
        monkeypatch.setenv(name, value)
    return examined()


def test_every_operation_of_a_good_driver_is_called_and_is_ok(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--driver", "reference"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "Nothing is wrong with this driver."
    assert [line for line in lines[:-1] if not line.startswith("ok ")] == []
    told = {line.split(maxsplit=1)[1] for line in lines[:-1]}
    first = ("chat-store", "agent-store", "tool-registry", "orchestrator")
    wanted = {f"{surface}.{operation}" for surface in first for operation in SURFACES[surface].operations}
    assert wanted - told == {"chat-store.getStorage"}


def test_the_samples_are_calls_that_the_protocol_allows() -> None:
    made = samples("http://127.0.0.1:9/v1")
    for sample in made:
        params_of(sample.operation).model_validate(sample.params)
    assert len({sample.operation for sample in made}) == len(made)


def test_storage_is_asked_for_in_place_of_a_reload_where_processes_are_isolated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STATEMENT", json.dumps({"isolation": "process"}))
    code, findings = examined()
    subjects = {finding.subject for finding in findings}
    assert code is Exit.CONFORMS
    assert ("chat-store.getStorage" in subjects, "chat-store.reload" in subjects) == (True, False)


@pytest.mark.parametrize(
    ("fault", "subject", "problem", "way_out"),
    [
        ("prints", "standard output", "it holds lines that are no messages", "send prints to standard error"),
        ("empty_result", "chat-store.getState", "its result has no messages, loading, error", "answer with an object"),
        ("no_operation", "chat-store.getState", "error -32601: no such operation", "declare only what is there"),
        ("own_error", "chat-store.getState", "error -32000: broken", "its log may say more"),
        ("hung", "chat-store.getState", "no answer to chat-store.getState within 1 s", "must answer every request"),
        ("killed", "chat-store.getState", "killed by signal SIGKILL", "its log may say more"),
        ("killed_in_begin", "scenario.begin", "killed by signal SIGKILL", "its log may say more"),
        ("killed_in_end", "scenario.end", "killed by signal SIGKILL", "its log may say more"),
        ("kept_child", "end", "a process that it started still runs", "end what you start"),
    ],
)
def test_a_problem_is_told_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, pids: Path, fault: str, subject: str, problem: str, way_out: str
) -> None:
    if fault == "hung":
        monkeypatch.setattr(doctor, "CALL_SECONDS", 1.0)
    code, findings = faulty(monkeypatch, pids, fault)
    assert code is Exit.NONCONFORMING, findings
    assert problem in problems(findings)[subject]
    assert way_out in hint(findings)
    assert alive(pids) == []


def test_state_that_survives_its_scenario_is_a_problem(monkeypatch: pytest.MonkeyPatch, pids: Path) -> None:
    code, findings = faulty(monkeypatch, pids, "keeps", "begin")
    assert code is Exit.NONCONFORMING
    said = "chat-store.getState still shows what chat-store.addMessage did in the scenario before"
    assert problems(findings) == {"scenario.begin, a second time": said}
    assert 'declare isolation "process"' in hint(findings)


def test_state_that_survives_is_none_where_every_scenario_has_its_process(
    monkeypatch: pytest.MonkeyPatch, pids: Path
) -> None:
    for name, value in environment({"begin": "keeps"}, pids, isolation="process").items():
        monkeypatch.setenv(name, value)
    assert examined()[0] is Exit.CONFORMS


def test_a_child_in_a_session_of_its_own_is_found(monkeypatch: pytest.MonkeyPatch, pids: Path) -> None:
    if not can_find():
        pytest.skip("this system does not show the environment of a process")
    code, findings = faulty(monkeypatch, pids, "apart")
    children = sorted(alive(pids))
    for child in children:
        os.kill(child, signal.SIGKILL)
    assert code is Exit.NONCONFORMING
    assert len(children) > 0
    listed = ", ".join(map(str, children))
    assert problems(findings) == {"end": f"a process that it started still runs ({listed})"}


def test_of_a_long_log_the_last_twenty_lines_are_shown(monkeypatch: pytest.MonkeyPatch, pids: Path) -> None:
    _, findings = faulty(monkeypatch, pids, "many_lines")
    assert findings[-1].details.splitlines() == [f"line {number}" for number in range(80, 100)]


def test_a_history_without_times_and_states_is_a_problem(tmp_path: Path) -> None:
    answer = '{"messages": [], "loading": False, "error": None, "storage": {}, "entries": [{"at": "x", "state": None}]}'
    code, findings = examined(answering(tmp_path, answer))
    assert code is Exit.NONCONFORMING
    assert problems(findings) == {"chat-store.getHistory": "its entries are not all {at, state}"}


def test_a_result_that_is_written_otherwise_than_declared_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--driver", declaring(tmp_path, toolResultRole="function")]) == Exit.NONCONFORMING
    said = "a tool result has role 'tool', the driver declares 'function'; set toolResultRole"
    assert f"problem  conventions: in POST 2, {said}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fault", "problem", "way_out"),
    [
        ("stays", "it still runs 1 s after shutdown", "end the process when standard input closes"),
        ("fails", "it ended with exit status 3", "end with 0 after shutdown"),
    ],
)
def test_a_wrong_end_is_told_of(
    monkeypatch: pytest.MonkeyPatch, pids: Path, fault: str, problem: str, way_out: str
) -> None:
    if fault == "stays":
        monkeypatch.setattr(doctor, "GRACE", 1.0)
    code, findings = faulty(monkeypatch, pids, fault, "end")
    assert code is Exit.NONCONFORMING
    assert problems(findings) == {"end": problem}
    assert way_out in hint(findings)
    assert alive(pids) == []


def test_a_driver_that_buffers_its_output_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer comes only when its input is closed."""
    monkeypatch.setattr(doctor, "START_SECONDS", 0.5)
    body = 'import sys; lines = sys.stdin.read(); print(\'{"jsonrpc": "2.0", "id": 1, "result": {}}\')'
    code, findings = examined(shlex.join([sys.executable, "-c", body]))
    assert code is Exit.NOT_STARTED
    assert hint(findings) == "its output is buffered: flush standard output after every line"


def test_a_silent_driver_is_told_what_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "START_SECONDS", 0.5)
    code, findings = examined(shlex.join([sys.executable, "-c", "import sys; sys.stdin.read()"]))
    assert code is Exit.NOT_STARTED
    assert hint(findings).startswith("does it read standard input line by line")


def test_a_wrong_conformance_statement_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATEMENT", json.dumps({"surfaces": ["chat-shop"]}))
    code, findings = examined()
    assert code is Exit.NOT_STARTED
    assert "unknown surface 'chat-shop'" in problems(findings)["handshake"]


def test_a_driver_that_answers_whatever_it_is_asked_is_not_started() -> None:
    body = (
        "import json, sys\n"
        "i = {'name': 'y', 'version': '1', 'language': 'x'}\n"
        "d = {'protocolVersion': '1.0', 'implementation': i, 'surfaces': []}\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': json.loads(line)['id'], 'result': d}), flush=True)\n"
    )
    code, findings = examined(shlex.join([sys.executable, "-c", body]))
    assert code is Exit.NOT_STARTED
    assert "which does not exist, with a result" in problems(findings)["an unknown operation"]


def test_a_run_that_runs_no_tool_is_a_problem() -> None:
    declared = {
        "operations": [f"{name}.{operation}" for name, part in SURFACES.items() for operation in part.operations],
        "optional": sorted(OPTIONAL_OPERATIONS),
    }
    code, findings = examined(shlex.join([sys.executable, str(SCRIPTS / "null.py"), "initial", json.dumps(declared)]))
    assert code is Exit.NONCONFORMING
    assert "was not run" in problems(findings)["orchestrator.run"]


def test_a_driver_that_cannot_be_started_ends_with_4(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--driver", "no-such-driver"]) == Exit.NOT_STARTED
    told = capsys.readouterr().out
    assert "problem  start: the driver command does not exist: no-such-driver" in told
    assert told.endswith("The driver did not start: 1 problem.\n")


def test_a_configured_driver_is_known_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "driver.py").write_text("import os, sys\nsys.exit(f'mode {os.environ[\"MODE\"]}')\n")
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.specassay.drivers.web]\ncommand = {json.dumps(f'{sys.executable} driver.py')}\n"
        'directory = "web"\nenvironment = { MODE = "test" }\n[tool.specassay.routes.api]\ncommand = "npm start"\n'
    )
    assert main(["doctor", "--driver", "web"]) == Exit.NOT_STARTED
    assert "mode test" in capsys.readouterr().out
    assert main(["doctor", "--driver", "wbe"]) == Exit.USAGE
    assert "did you mean web?" in capsys.readouterr().err
    assert main(["doctor", "--driver", "api"]) == Exit.USAGE
    assert "is a server without a driver" in capsys.readouterr().err


def test_what_a_driver_writes_is_shown_without_its_control_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = {"name": "a\x1b[31m", "version": "1", "language": "go"}
    for variable, value in environment({SCENARIO: "own_error"}, implementation=named).items():
        monkeypatch.setenv(variable, value)
    assert main(["doctor", "--driver", SHELL]) == Exit.NONCONFORMING
    told = capsys.readouterr().out
    assert "broken\\x1b[2J" in told
    assert "\x1b" not in told


def test_a_log_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    body = "import sys\nsys.stderr.write('first\\x1b[31m\\n')\nimport nothing_of_this_name\n"
    (tmp_path / "driver.py").write_text(body)
    assert main(["doctor", "--driver", f"{sys.executable} driver.py", "--directory", str(tmp_path)]) == 4
    told = capsys.readouterr().out
    assert "first\\x1b[31m\n" in told
    assert "No module named 'nothing_of_this_name'" in told
