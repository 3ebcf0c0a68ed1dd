"""What the user sees while the suite runs: one line that counts up on a terminal, plain lines elsewhere."""

import sys
from collections import Counter
from typing import TextIO

import click

from specassay.report.scenario import loud, painted
from specassay.report.text import counted, short, visible
from specassay.results.events import Diagnostic, Event, Finished, Started
from specassay.results.model import ScenarioRecord, Suite, Verdict

_ERASE = "\r\x1b[K"


class Progress:
    """Tells of one implementation's run as it goes on, on standard error."""

    def __init__(self, suite: Suite, name: str, stream: TextIO | None = None) -> None:
        self._advice = {scenario.id for scenario in suite.scenarios() if scenario.advice}
        self._selected = sum(1 for scenario in suite.scenarios() if scenario.selected)
        self._name = visible(name)
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._verdicts: dict[str, Verdict] = {}
        self._noted: set[str] = set()
        self._status(f"{self._name}: starting")

    def hear(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case Started(scenarios=scenarios):
                self._status(f"{self._name}: {counted(len(scenarios), 'scenario')}")
            case Finished(record=record):
                self._finished(record)
            case Diagnostic(text=text) if text not in self._noted:
                self._noted.add(text)
                self._line(f"{self._name}: note: {short(text)}")

    def end(self) -> None:
        """Take the counting line away."""
        if self._live:
            self._write(_ERASE)

    def _finished(self, record: ScenarioRecord) -> None:
        self._verdicts[record.id] = record.verdict
        if record.verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE):
            word = record.verdict.value
            shown = "advice" if record.id in self._advice else painted(word, loud(word))
            self._line(f"{self._name}: {shown} {record.id}: {short(record.reason or '', 160)}")
        if self._live:
            self._count()

    def _count(self) -> None:
        counts = Counter(self._verdicts.values())
        bad = [f"{counts[v]} {v.value}" for v in (Verdict.FAILED, Verdict.INCONCLUSIVE) if counts[v]]
        self._write(f"{_ERASE}{self._name}: {', '.join([f'{len(self._verdicts)} of {self._selected}', *bad])}")

    def _status(self, text: str) -> None:
        self._write(f"{_ERASE}{text}" if self._live else f"{text}\n")

    def _line(self, text: str) -> None:
        self._write(f"{_ERASE if self._live else ''}{text}\n")

    def _write(self, text: str) -> None:
        click.echo(text if self._live else click.unstyle(text), file=self._stream, nl=False, color=self._live)
        self._stream.flush()
