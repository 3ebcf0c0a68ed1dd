"""Examines a driver: whether it can be spoken with, and where not, how to set that right."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from specassay.drivers.connection import Connection, Sender, unknown_method
from specassay.drivers.process import GRACE, ChildProcess
from specassay.drivers.protocol import NO_SUCH_OPERATION, SURFACES, Declaration
from specassay.drivers.samples import PROBE, Sample, environment, samples
from specassay.drivers.session import refuse_unknown, shake_hands
from specassay.errors import DriverStartError, Exit
from specassay.port import ImplementationError, Undecided

START_SECONDS = 10.0
CALL_SECONDS = 5.0

_PRINTS = "send prints to standard error; the kits do that for print and console.log"
_BUFFERED = "its output is buffered: flush standard output after every line"
_SILENT = "does it read standard input line by line, and answer each line with one line on standard output?"
_SERVES = "a driver must answer every request, also while other calls are open; its log may say more"
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


async def examine(command: str, directory: str | None, endpoints: Mapping[str, str], tell: Tell) -> Exit:
    """Start a driver, try it, end it, and tell each finding as it comes.

    `endpoints` are the addresses for `scenario.begin`; the chat route there should ask for the tool `PROBE` once. Gives
    `NOT_STARTED` where the handshake fails, `NONCONFORMING` where there are problems, else `CONFORMS`.
    """
    examination = _Examination(tell, endpoints)
    try:
        process = ChildProcess(command, directory, {}, examination.prints.append)
    except DriverStartError as error:
        tell(Finding("start", str(error)))
        return Exit.NOT_STARTED
    try:
        return await examination.of(process)
    finally:
        await process.close(patient=False)


class _Examination:
    """The examination of one process."""

    def __init__(self, tell: Tell, endpoints: Mapping[str, str]) -> None:
        self._tell = tell
        self._endpoints = endpoints
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
        await self._call(connection, Sample("scenario.begin", begin))
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
        await self._call(connection, Sample("scenario.end", {}))

    async def _call(self, connection: Connection, sample: Sample) -> None:
        if connection.lost is not None:
            return  # the call in which it was lost has been told of
        try:
            result = await connection.call(sample.operation, sample.params, CALL_SECONDS)
        except ImplementationError as error:
            hint = _DECLARED if error.code == NO_SUCH_OPERATION else "its log may say more"
            self._note(sample.operation, f"it is answered with error {error.code}: {error.message}", hint)
        except Undecided as reason:
            self._note(sample.operation, str(reason), _SERVES)
        else:
            self._judge(sample, result)

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
        else:
            self._note(sample.operation)

    async def _end(self, process: ChildProcess, connection: Connection) -> None:
        await self._call(connection, Sample("shutdown", {}))
        lost = connection.lost
        connection.lose("the driver was ended")
        process.end_input()
        if not await process.ended_within(GRACE):
            self._note(
                "end",
                f"it still runs {GRACE:g} s after shutdown",
                "end the process when standard input closes; an open server, socket or timer keeps it alive",
            )
        elif lost is None and process.exit_status:
            self._note("end", f"it ended with exit status {process.exit_status}", "end with 0 after shutdown")
        elif process.left_behind():
            self._note("end", "a process that it started still runs", "end what you start before you end yourself")
        else:
            self._note(f"end: exit status {process.exit_status}, nothing left running")

    def _look_at_output(self, process: ChildProcess) -> None:
        if self.prints:
            listed = "\n".join(self.prints)
            self._note("standard output", "it holds lines that are no messages", _PRINTS, listed)
        log = process.log_since(0).strip()
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
