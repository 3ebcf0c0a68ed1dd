"""`specassay list` and `specassay explain`."""

import pytest

from specassay import catalogue
from specassay.cli import main
from specassay.cli.wording import wording
from tests.results import made


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands see the small suite."""
    monkeypatch.setattr(catalogue, "load", lambda: made.TOY)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Give what a command prints."""
    assert main(arguments) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("toy")
def test_list_shows_the_whole_suite(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "list")
    assert text.startswith(
        "other\n  Door  other/door\n    other/door.1  (must)\n      The other door MUST open\n"
        "        derived      It opens\nshell\n"
    )
    assert "    shell/door.4  (must, by inspection)\n" in text
    assert "    shell/door.5  (must, restates shell/door.1)\n" in text
    assert "        transcribed  It opens for a visitor [bob]\n" in text
    assert text.endswith("\n3 requirements, 8 statements, 9 scenarios\n")


@pytest.mark.usefixtures("toy")
def test_list_takes_filters(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "list", "--id", "shell/door.1", "--kind", "derived")
    assert text == (
        "shell\n  Door  shell/door\n    shell/door.1  (must)\n      The door MUST open\n"
        "        derived      It opens\n1 requirement, 1 statement, 1 scenario\n"
    )


@pytest.mark.usefixtures("toy")
def test_list_refuses_a_filter_that_matches_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--spec", "shel"]) == 2
    assert "did you mean shell?" in capsys.readouterr().err


def test_explain_shows_a_statement_with_its_scenarios_and_steps(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "explain", "max-iteration-guard.1")
    assert text.startswith("agent-session-shell/max-iteration-guard.1  (must)\n  The orchestrator loop MUST enforce")
    assert "  Scenario: " in text
    assert "needs agent-store, chat-store, orchestrator, tool-registry" in text
    assert "max-iteration-guard.feature:" in text
    assert "      Then the chat route was called 8 times" in text


def test_explain_shows_a_whole_requirement(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "explain", "max-iteration-guard")
    assert text.startswith("Max Iteration Guard  agent-session-shell/max-iteration-guard\n")
    assert "max-iteration-guard.1  (must)" in text
    assert "max-iteration-guard.2  (must)" in text


def test_explain_quotes_the_reading_that_a_scenario_relies_on(capsys: pytest.CaptureFixture[str]) -> None:
    suite = catalogue.load()
    scenario = next(one for one in suite.scenarios() if one.readings)
    reading = suite.readings[scenario.readings[0]]
    text = shown(capsys, "explain", scenario.id)
    assert f"  Reading {reading.id}, where the specification is open: {reading.point}\n    {reading.reading}\n" in text
    assert text.count("  Scenario: ") == 1


def test_explain_shows_a_reading_and_who_relies_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    suite = catalogue.load()
    scenario = next(one for one in suite.scenarios() if one.readings)
    text = shown(capsys, "explain", f"reading.{scenario.readings[0]}")
    assert f"\n  {scenario.id}\n" in text


@pytest.mark.usefixtures("toy")
def test_explain_says_why_something_is_by_inspection(capsys: pytest.CaptureFixture[str]) -> None:
    assert "  By inspection: Nobody sees the wood from outside.\n" in shown(capsys, "explain", "door.4")
    assert "  Restates, and is tested under: shell/door.1\n" in shown(capsys, "explain", "door.5")


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("door.9", "no requirement, statement or scenario is called 'door.9'; did you mean"),
        ("", "no requirement, statement or scenario is called ''; `specassay list` shows all"),
        ("doo", "no requirement, statement or scenario is called 'doo'; did you mean door?"),
        ("reading.3", "no reading is called 'reading.3'; did you mean reading."),
        ("reading.x", "no reading is called 'reading.x'"),
        ("door.1", "'door.1' is not clear: it may be other/door.1 or shell/door.1"),
    ],
)
def test_explain_refuses_what_it_does_not_know(name: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", name]) == 2
    assert message in capsys.readouterr().err


def test_the_wording_of_a_scenario_is_its_own_lines_alone() -> None:
    scenarios = {one.id: one for one in made.TOY.scenarios()}
    assert wording(scenarios[made.OPENS], made.FOLDER) == (
        "Given a closed door\nWhen it is pushed\nThen the door is open"
    )
    assert wording(scenarios[made.FOR_BOB], made.FOLDER) == (
        'Given a closed door\nWhen "<who>" knocks\nThen the door is open\n\n'
        "Examples:\n  | case | who |\n  | ann  | Ann |\n  | bob  | Bob |"
    )
    assert wording(scenarios[made.SQUEAK], made.FOLDER) == "Given a closed door\nThen nothing is heard"
