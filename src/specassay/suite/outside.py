"""A run without a driver: what stays the same from its first scenario to its last, and what stands for the driver."""

from collections.abc import Callable, Mapping
from typing import NoReturn

from specassay.drivers.protocol import NEEDS_DRIVER, NOT_RUNNABLE
from specassay.drivers.server import FIXED, RunningServer, StartedServer, usual_environment
from specassay.drivers.session import Transport
from specassay.errors import DriverStartError
from specassay.port import ImplementationError, Inapplicable, NotRunnable
from specassay.provider.endpoints import Endpoints
from specassay.provider.journal import Answer, Request
from specassay.results.plan import Plan, Route
from specassay.suite.values import Values


class Outside:
    """The addresses, and the model and the key, of all scenarios of one run, so that they share a server.

    `began` is told of the process group of each server that is started.
    """

    def __init__(self, plan: Plan, route: Route, began: Callable[[int], None]) -> None:
        self._plan = plan
        self._route = route
        self._began = began
        self.endpoints = Endpoints(_silent)
        self.addresses: Mapping[str, str] = {}
        self.words = FIXED if route.url is not None else {word: Values(plan.seed).text(word) for word in FIXED}

    async def start(self) -> None:
        """Listen. Raises `DriverStartError` for a port that is taken."""
        try:
            self.addresses = await self.endpoints.start(self._route.provider_port)
        except OSError as error:
            raise DriverStartError(
                f"the fake provider cannot listen on port {self._route.provider_port}: {error.strerror}"
            ) from None

    async def close(self) -> None:
        """Stop listening."""
        await self.endpoints.close()

    def server(self) -> Transport:
        """Make what stands for the driver."""
        conventions = {
            "toolResultRole": self._route.tool_result_role,
            "toolCallIdField": self._route.tool_call_id_field,
        }
        usual = usual_environment(self.words, self.addresses["provider"])
        if self._route.url is not None:
            return RunningServer(self._route.url, usual, conventions)
        return StartedServer(
            self._plan.driver,
            self._plan.directory,
            self._plan.environment,
            usual,
            self.addresses["egress"],
            conventions=conventions,
            seconds=self._plan.limits.start,
            began=self._began,
        )


def set_aside(error: ImplementationError) -> NoReturn:
    """Raise the verdict that an answer of what stands for the driver means, or else the error itself."""
    if error.code == NEEDS_DRIVER:
        raise Inapplicable(error.message) from None
    if error.code == NOT_RUNNABLE:
        raise NotRunnable(error.message) from None
    raise error


async def _silent(request: Request) -> Answer:
    return Answer(404)
