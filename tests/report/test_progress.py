"""What is shown while a run goes on."""

import io

from specassay.report.progress import Progress
from specassay.results.events import Diagnostic, Finished
from specassay.results.model import Verdict
from tests.results import made


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def heard(stream: io.StringIO) -> str:
    """Give what is shown of a short run."""
    progress = Progress(made.suite(), "mine", stream)
    for event in made.events({made.OPENS: Verdict.PASSED, made.LOCKS: Verdict.FAILED, made.SQUEAK: Verdict.FAILED}):
        progress.hear(event)
    progress.hear(Finished(record=made.played(made.HOLDS, Verdict.INCONCLUSIVE, "crash \x1b[2J")))
    progress.hear(Diagnostic(text="a print?"))
    progress.hear(Diagnostic(text="a print?"))
    progress.end()
    return stream.getvalue()


def test_one_scenario_is_counted_as_one() -> None:
    stream = io.StringIO()
    progress = Progress(made.suite(), "mine", stream)
    progress.hear(made.events({made.OPENS: Verdict.PASSED})[0])
    assert stream.getvalue() == "mine: starting\nmine: 1 scenario\n"


def test_without_a_terminal_the_lines_are_plain() -> None:
    assert heard(io.StringIO()) == (
        "mine: starting\n"
        "mine: 3 scenarios\n"
        f"mine: FAILED {made.LOCKS}: it failed\n"
        f"mine: advice {made.SQUEAK}: it failed\n"
        f"mine: INCONCLUSIVE {made.HOLDS}: crash \\x1b[2J\n"
        "mine: note: a print?\n"
    )


def test_on_a_terminal_one_line_counts_and_is_taken_away() -> None:
    shown = heard(Terminal())
    assert "\r\x1b[Kmine: 4 of 9, 2 failed, 1 inconclusive" in shown
    assert shown.endswith("\r\x1b[K")
    assert "crash \\x1b[2J" in shown
