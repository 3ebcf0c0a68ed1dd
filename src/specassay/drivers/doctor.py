"""Examines a driver: whether it can be spoken with, and where not, how to set that right."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from specassay.drivers.connection import Connection, Sender, unknown_method
from specassay.drivers.conventions import departure
from specassay.drivers.marked import can_find, marked
from specassay.drivers.process import GRACE, ChildProcess
from specassay.drivers.protocol import NO_SUCH_OPERATION, SURFACES, Declaration
from specassay.drivers.samples import PROBE, TRACES, Sample, environment, samples
from specassay.drivers.session import refuse_unknown, shake_hands
from specassay.errors import DriverStartError, Exit
from specassay.port import ImplementationError, Undecided

START_SECONDS = 10.0
CALL_SECONDS = 5.0

_PRINTS = "send prints to standard error; the kits do that for print and console.log"
_BUFFERED = "its output is buffered: flush standard output after every line"
_SILENT = "does it read standard input line by line, and answer each line with one line on standard output?"
_SERVES = "a driver must answer every request, also while other calls are open; its log may say more"
_SURVIVES = 'state survives scenario.begin; make everything anew in begin, or declare isolation "process"'
_MARK = "SPECASSAY_DOCTOR"
_LOG_LINES = 20
_DECLARED = "a declared surface needs all of its operations; declare only what is there"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `problem` says what is wrong, or is None, and `hint` how to set it right.

    `details` are lines of the driver's own, as they came.
    """

    subject: str
    problem: str | None = None
    hint: str | None = None
    details: str = ""


Tell = Callable[[Finding], None]


async def examine(
    command: str,
    directory: str | None,
    endpoints: Mapping[str, str],
    tell: Tell,
    posted: Sequence[Any] = (),
    variables: Mapping[str, str] | None = None,
) -> Exit:
    """Start a driver, try it, end it, and tell each finding as it comes.

    `endpoints` are the addresses for `scenario.begin`; the chat route there should ask for the tool `PROBE` once,
    and add the JSON of each request to `posted`; `variables` are environment variables of the driver. Gives
    `NOT_STARTED` where the handshake fails, `NONCONFORMING` where there are problems, else `CONFORMS`.
    """
    examination = _Examination(tell, endpoints, posted)
    try:
        process = ChildProcess(
            command, directory, {**(variables or {}), _MARK: examination.mark}, examination.prints.append
        )
    except DriverStartError as error:
        tell(Finding("start", str(error)))
        return Exit.NOT_STARTED
    try:
        return await examination.of(process)
    finally:
        await process.close(patient=False)


class _Examination:
    """The examination of one process."""

    def __init__(self, tell: Tell, endpoints: Mapping[str, str], posted: Sequence[Any]) -> None:
        self._tell = tell
        self._endpoints = endpoints
        self._posted = posted
        self.mark = secrets.token_hex(8)
        self._problems = 0
        self._heard = 0
        self._ran_probe = False
        self.prints: list[str] = []

    async def of(self, process: ChildProcess) -> Exit:
        """Carry it out."""
        connection = Connection(process.send, self._serve, self._observe)
        declaration = await self._start(process, connection)
        if declaration is None:
            self._look_at_output(process)
            return Exit.NOT_STARTED
        await self._play(connection, declaration)
        await self._end(process, connection)
        self._look_at_output(process)
        return Exit.NONCONFORMING if self._problems else Exit.CONFORMS

    async def _start(self, process: ChildProcess, connection: Connection) -> Declaration | None:
        try:
            await process.open(connection)
        except DriverStartError as error:
            self._note("start", str(error))
            return None
        try:
            declaration = await shake_hands(connection, START_SECONDS)
        except (Undecided, ImplementationError) as error:
            self._note("handshake", str(error), await self._why_silent(process, connection))
            return None
        self._note(f"handshake: {_introduced(declaration)}")
        try:
            await refuse_unknown(connection, declaration, START_SECONDS)
        except DriverStartError as error:
            self._note("an unknown operation", str(error), "answer error -32601 to every name that you do not know")
            return None
        self._note(f"an unknown operation: refused with {NO_SUCH_OPERATION}")
        return declaration

    async def _why_silent(self, process: ChildProcess, connection: Connection) -> str | None:
        """Close the input of a driver that did not answer, and see whether that brings the answer out."""
        if not connection.timed_out:
            return "the page docs/driver-protocol.md says what initialize is answered with" if self._heard else None
        process.end_input()
        await process.ended_within(GRACE)
        return _BUFFERED if self._heard else _SILENT

    async def _play(self, connection: Connection, declaration: Declaration) -> None:
        """Play a scenario that makes one call of each declared operation."""
        provider = self._endpoints["provider"]
        begin = {
            "id": "specassay/doctor.1/one-call-of-each",
            "endpoints": dict(self._endpoints),
            "environment": environment(provider),
            "seed": 1,
        }
        beginning = Sample("scenario.begin", begin)
        await self._call(connection, beginning)
        if self._problems:
            return
        offered = _operations(declaration)
        tried = [sample for sample in samples(provider) if sample.operation in offered]
        for sample in tried:
            await self._call(connection, sample)
        names = {sample.operation for sample in tried}
        untried = [operation for operation in offered if operation not in names]
        if untried:
            self._note(f"not tried, since only a scenario sets up what it takes: {', '.join(untried)}")
        self._look_at_posts(declaration)
        if declaration.isolation == "process":
            await self._call(connection, Sample("scenario.end", {}))
        else:
            await self._begin_again(connection, beginning, offered)

    async def _begin_again(self, connection: Connection, beginning: Sample, offered: list[str]) -> None:
        """Leave something in each store, and look whether the next scenario finds it."""
        traces = [trace for trace in TRACES if trace.change.operation in offered]
        fresh, left, found = [], [], []
        for trace in traces:
            fresh.append(_at(await self._ask(connection, trace.read), trace.field))
            await self._ask(connection, trace.change)
            left.append(_at(await self._ask(connection, trace.read), trace.field))
        await self._call(connection, Sample("scenario.end", {}))
        await self._ask(connection, beginning)
        for trace in traces:
            found.append(_at(await self._ask(connection, trace.read), trace.field))
        await self._ask(connection, Sample("scenario.end", {}))
        if connection.lost is not None:
            return
        for trace, before, after, now in zip(traces, fresh, left, found, strict=True):
            if before != after == now:
                said = f"{trace.read.operation} still shows what {trace.change.operation} did in the scenario before"
                self._note("scenario.begin, a second time", said, _SURVIVES)
                return
        self._note("scenario.begin, a second time")

    def _look_at_posts(self, declaration: Declaration) -> None:
        for number, body in enumerate(self._posted, 1):
            said = departure(body, declaration.conventions)
            if said is not None:
                self._note("conventions", f"in POST {number}, {said}", "declare how the implementation writes a result")
                return

    async def _call(self, connection: Connection, sample: Sample) -> None:
        if connection.lost is None:  # the call in which it was lost has been told of
            problems = self._problems
            result = await self._ask(connection, sample)
            if problems == self._problems:
                self._judge(sample, result)

    async def _ask(self, connection: Connection, sample: Sample) -> Any:
        """Make a call, and give its result; None where there is none, which is told of once."""
        if connection.lost is not None:
            return None
        try:
            return await connection.call(sample.operation, sample.params, CALL_SECONDS)
        except ImplementationError as error:
            hint = _DECLARED if error.code == NO_SUCH_OPERATION else "its log may say more"
            self._note(sample.operation, f"it is answered with error {error.code}: {error.message}", hint)
        except Undecided as reason:
            self._note(sample.operation, str(reason), _SERVES)
        return None

    def _judge(self, sample: Sample, result: Any) -> None:
        missing = [name for name in sample.fields if not isinstance(result, dict) or name not in result]
        if missing:
            wanted = ", ".join(sample.fields)
            self._note(
                sample.operation, f"its result has no {', '.join(missing)}", f"answer with an object of {wanted}"
            )
        elif sample.operation == "orchestrator.run" and result["rejected"] is not None:
            self._note(sample.operation, f"the run was rejected: {result['rejected']}", "its log may say more")
        elif sample.operation == "orchestrator.run" and not self._ran_probe:
            self._note(
                sample.operation,
                f"the tool {PROBE}, which was registered and asked for, was not run",
                "does the run POST to chatOrigin + /api/agent/chat, and does a registered tool send tool.execute?",
            )
        elif "entries" in sample.fields and not _is_history(result["entries"]):
            self._note(
                sample.operation,
                "its entries are not all {at, state}",
                "at is a number, Unix milliseconds, and state an object, as getState gives it",
            )
        else:
            self._note(sample.operation)

    async def _end(self, process: ChildProcess, connection: Connection) -> None:
        await self._call(connection, Sample("shutdown", {}))
        lost = connection.lost
        connection.lose("the driver was ended")
        process.end_input()
        ended = await process.ended_within(GRACE)
        left = marked(_MARK, self.mark)
        if not ended:
            self._note(
                "end",
                f"it still runs {GRACE:g} s after shutdown",
                "end the process when standard input closes; an open server, socket or timer keeps it alive",
            )
        elif lost is None and process.exit_status:
            self._note("end", f"it ended with exit status {process.exit_status}", "end with 0 after shutdown")
        elif left or process.left_behind():
            which = f" ({', '.join(map(str, left))})" if left else ""
            hint = "end what you start before you end yourself"
            self._note("end", f"a process that it started still runs{which}", hint)
        else:
            where = "" if can_find() else " in its process group"
            self._note(f"end: exit status {process.exit_status}, nothing left running{where}")

    def _look_at_output(self, process: ChildProcess) -> None:
        if self.prints:
            listed = "\n".join(self.prints)
            self._note("standard output", "it holds lines that are no messages", _PRINTS, listed)
        log = "\n".join(process.log_since(0).strip().splitlines()[-_LOG_LINES:])
        if log:
            self._note("standard error, which is its log; the end of it:", details=log)

    def _note(self, subject: str, problem: str | None = None, hint: str | None = None, details: str = "") -> None:
        self._problems += problem is not None
        self._tell(Finding(subject, problem, hint, details))

    def _observe(self, sender: Sender, message: Any) -> None:
        self._heard += sender == "driver"

    async def _serve(self, method: str, params: dict[str, Any]) -> Any:
        if method != "tool.execute":
            raise unknown_method(method)
        self._ran_probe = self._ran_probe or params.get("name") == PROBE
        return "fine"


def _at(result: Any, field: str) -> Any:
    """Give a field of a result; None where there is none."""
    return result.get(field) if isinstance(result, dict) else None


def _is_history(entries: Any) -> bool:
    return isinstance(entries, list) and all(
        isinstance(_at(entry, "at"), int | float)
        and not isinstance(_at(entry, "at"), bool)
        and isinstance(_at(entry, "state"), dict)
        for entry in entries
    )


def _introduced(declaration: Declaration) -> str:
    name = declaration.implementation
    surfaces = ", ".join(declaration.surfaces) or "no surfaces"
    return f"{name.name} {name.version} ({name.language}) declares {surfaces}"


def _operations(declaration: Declaration) -> list[str]:
    """List the operations that a driver must have, by its conformance statement."""
    offered = []
    for name in declaration.surfaces:
        surface = SURFACES[name]
        for operation in surface.operations:
            full = f"{name}.{operation}"
            if operation not in surface.optional or full in declaration.operations:
                offered.append(full)
    unused = {"session": "chat-store.getStorage", "process": "chat-store.reload"}[declaration.isolation]
    return [operation for operation in offered if operation != unused]
