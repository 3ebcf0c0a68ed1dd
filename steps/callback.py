"""The callback under attack: what is sent to it, how that is answered, and what the control service sees of it."""

import json
from dataclasses import replace
from typing import Any

from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation, NotRunnable
from specassay.steps.attacks import ACTION, BODIES, DEEP, LARGE, TOKENS, authorized, forged, with_action, with_beside
from specassay.steps.expected import rows
from specassay.steps.tool_description import marker_of
from specassay.suite.agent_tool import ELSEWHERE, AgentTool
from specassay.suite.checks import ABSENT, Check, Matcher, at, one_of, other_than
from specassay.suite.control import Control
from specassay.suite.values import Values

ORIGIN = "https://attacker.example"
_CLOSED = ("the connection was closed", "the connection was refused")


def _status(answer: Any) -> int:
    status = at(answer, "status")
    return status if isinstance(status, int) else 0


def _denied(answer: Any) -> bool:
    return answer in _CLOSED or 400 <= _status(answer) < 500


def _says_not_ok(answer: Any) -> bool:
    try:
        return _status(answer) == 200 and json.loads(answer["body"])["ok"] is False
    except (ValueError, KeyError, TypeError):
        return False


A_REFUSAL = Matcher("a 4xx, or a closed connection", _denied)
A_BAD_ACTION = Matcher(
    "a 4xx, a closed connection, or 200 with ok false", lambda answer: _denied(answer) or _says_not_ok(answer)
)
SERVED = Matcher("served with a 2xx", lambda answer: 200 <= _status(answer) < 300)


# the legal call that attacks are made of


@given("the agent has called the tool")
def tool_was_called(agent_tool: AgentTool, iut: Implementation, values: Values) -> None:
    """Make the call of which every attack is a change; a text that is drawn marks its parameters."""
    marker = marker_of(agent_tool, iut)
    agent_tool.invoke(ACTION, {} if marker is None else {marker: values.text("marker")})


@when("the callback is attacked with")
def attacked_with(agent_tool: AgentTool, datatable: list[list[str]]) -> None:
    """Replay the call with the token of each row; right after each, a legal call."""
    for row in rows(datatable):
        if agent_tool.legal is not None and agent_tool.child is not None:
            changed = TOKENS[row["token"]](agent_tool.legal, agent_tool.child.token)
            agent_tool.attack(row["token"], changed)


@when("the callback is attacked with the tokens of the last children")
def attacked_with_old_tokens(agent_tool: AgentTool) -> None:
    for number, child in enumerate(agent_tool.children[:-1], 1):
        if agent_tool.legal is not None:
            agent_tool.attack(f"the token of child {number}", authorized(agent_tool.legal, f"Bearer {child.token}"))


@when(parsers.re(r"the callback is attacked from loopback, without a token, with"))
def attacked_withforged_headers(agent_tool: AgentTool, datatable: list[list[str]]) -> None:
    for row in rows(datatable):
        if agent_tool.legal is not None:
            agent_tool.attack(f"no token, and {row['header']}", forged(authorized(agent_tool.legal), row["header"]))


@when(parsers.re(r"the callback is attacked from an address that is not loopback, with the token and"))
def attacked_from_elsewhere(agent_tool: AgentTool, datatable: list[list[str]]) -> None:
    for row in rows(datatable):
        if agent_tool.legal is not None:
            words = f"the token from {ELSEWHERE}, and {row['header']}"
            agent_tool.attack(words, forged(agent_tool.legal, row["header"]), host=ELSEWHERE, source=ELSEWHERE)


@when("the callback is attacked with the actions")
def attackedwith_actions(agent_tool: AgentTool, datatable: list[list[str]]) -> None:
    """Put another action in the place of the one that was sent, wherever the plugin writes it."""
    for row in rows(datatable):
        legal = agent_tool.legal
        if legal is not None:
            agent_tool.attack(
                f"the action {row['action']}", replace(legal, body=with_action(legal.body, row["action"]))
            )


@when("the callback is attacked with the bodies")
def attacked_with_bodies(agent_tool: AgentTool, datatable: list[list[str]]) -> None:
    for row in rows(datatable):
        legal = agent_tool.legal
        if legal is not None:
            agent_tool.attack(row["body"], replace(legal, body=BODIES[row["body"]](legal.body)))


@when("the callback is attacked with a parameter that is nested deeply, and with one that is too large")
def attacked_with_large_parameters(agent_tool: AgentTool, values: Values) -> None:
    legal, mark = agent_tool.legal, json.dumps(values.text("marker")).encode()
    if legal is not None:
        deep = legal.body.replace(mark, b"[" * DEEP + b"]" * DEEP)
        agent_tool.attack("a parameter that is nested deeply", replace(legal, body=deep))
        large = legal.body.replace(mark, b'"' + b"x" * LARGE + b'"')
        agent_tool.attack(f"a body of {LARGE // 2**20} MiB", replace(legal, body=large))


@when("the callback is attacked with the parameters")
def attacked_with_parameters(agent_tool: AgentTool, values: Values, datatable: list[list[str]]) -> None:
    """Put a parameter beside those that were sent."""
    mark = values.text("marker")
    for row in rows(datatable):
        legal = agent_tool.legal
        if legal is not None:
            body = with_beside(legal.body, mark, row["parameter"], values.json(row["value"]))
            agent_tool.attack(f"the parameter {row['parameter']}", replace(legal, body=body))


@when("a page of another origin attacks the callback")
def attacked_by_a_page(agent_tool: AgentTool) -> None:
    """Send what a browser would: a form post, which it sends unasked, and a fetch that it lets a page send."""
    if agent_tool.legal is not None:
        post = authorized(agent_tool.legal).without("content-type").with_header("origin", ORIGIN)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
            agent_tool.attack(f"a page's post of {kind}", post.with_header("content-type", kind))


@when("a page of another origin asks whether it may call the callback")
def preflight(agent_tool: AgentTool) -> None:
    if agent_tool.legal is not None:
        asked = authorized(agent_tool.legal).with_header("origin", ORIGIN)
        asked = asked.with_header("access-control-request-method", "POST")
        asked = asked.with_header("access-control-request-headers", "authorization, content-type")
        agent_tool.attack("a page's preflight", replace(asked, method="OPTIONS", body=b""))


@when(parsers.re(r"the callback is called with the method (?P<method>[A-Z]+)"))
def called_with_method(agent_tool: AgentTool, method: str) -> None:
    if agent_tool.legal is not None:
        agent_tool.attack(f"the method {method}", replace(agent_tool.legal, method=method))


@when(
    "the callback is attacked without a token, with a body that is not JSON, and with one that never comes",
)
def attacked_before_the_body(agent_tool: AgentTool) -> None:
    if agent_tool.legal is not None:
        bare = authorized(agent_tool.legal)
        agent_tool.attack("no token", bare)
        agent_tool.attack("no token, and a body that is not JSON", replace(bare, body=b"no JSON"))
        agent_tool.attack("no token, and a body that never comes", replace(bare, body=b"", announced=1000))


# what became of it


def _judge(check: Check, agent_tool: AgentTool, refusal: Matcher) -> None:
    for attack in agent_tool.attacks:
        check(f"the answer to: {attack.words}", refusal, attack.answer)
        check(f"what the control service saw of: {attack.words}", [], attack.seen)
    check("how many attacks were made", other_than(0), len(agent_tool.attacks))


@then("each attack is refused, and the control service saw none")
def each_is_refused(check: Check, agent_tool: AgentTool) -> None:
    _judge(check, agent_tool, A_REFUSAL)


@then("each attack is refused or answered by ok false, and the control service saw none")
def each_is_refused_or_not_ok(check: Check, agent_tool: AgentTool) -> None:
    _judge(check, agent_tool, A_BAD_ACTION)


@then("each attack is refused, or arrives as what the agent called")
def refused_or_legal(check: Check, agent_tool: AgentTool, values: Values) -> None:
    mark = values.text("marker")
    for attack in agent_tool.attacks:
        seen = [{"action": one["action"], "marked": mark in json.dumps(one["input"])} for one in attack.seen]
        check(
            f"what the control service saw of: {attack.words}", one_of([], [{"action": ACTION, "marked": True}]), seen
        )
        check(f"the answer to: {attack.words}", one_of(A_BAD_ACTION, SERVED), attack.answer)
    check("how many attacks were made", other_than(0), len(agent_tool.attacks))


@then("each attack is answered as one without a token is")
def answered_alike(check: Check, agent_tool: AgentTool) -> None:
    first = at([attack.answer for attack in agent_tool.attacks], 0, "status")
    for attack in agent_tool.attacks:
        check(
            f"the status of the answer to: {attack.words}",
            first if first is not ABSENT else "a 4xx",
            at(attack.answer, "status"),
        )
    check("how many attacks were made", other_than(0), len(agent_tool.attacks))


@then("right after each attack a legal call went through")
def legal_calls_went_through(check: Check, agent_tool: AgentTool, control: Control) -> None:
    first = control.calls[0].shown if control.calls else "the call of the agent"
    for attack in agent_tool.attacks:
        check(f"the answer to a legal call after: {attack.words}", SERVED, attack.legal_status)
        check(f"what the control service saw of it, after: {attack.words}", [first], attack.legal_seen)
    check("how many attacks were made", other_than(0), len(agent_tool.attacks))


@then("no answer lets a page of another origin read it")
def no_cors(check: Check, agent_tool: AgentTool) -> None:
    seen = [
        value
        for one in agent_tool.exchanges
        if one.answer is not None
        for name, value in one.answer.headers
        if name.lower() == "access-control-allow-origin"
    ]
    check("the origins that are allowed", [], [value for value in seen if value in ("*", ORIGIN)])
    check("how many answers there are", other_than(0), len([one for one in agent_tool.exchanges if one.answer]))


# served


@then(parsers.re(r"a call of this machine over (?P<host>\S+) is served"))
def served_over(check: Check, agent_tool: AgentTool, control: Control, host: str) -> None:
    if agent_tool.legal is None:
        check("what the plugin sent", "one request", ABSENT)
        return
    before = len(control.calls)
    answer = agent_tool.send(agent_tool.legal, f"a legal call over {host}", host=host)
    if host == "::1" and answer == "the connection was refused":
        raise NotRunnable("this machine has no IPv6 loopback")
    check(f"the answer to a call over {host}", SERVED, answer)
    check("what the control service saw of it", [ACTION], [call.action for call in control.calls[before:]])


@then("a call with the child's own token is served")
def served(check: Check, agent_tool: AgentTool, control: Control) -> None:
    if agent_tool.legal is None:
        check("what the plugin sent", "one request", ABSENT)
        return
    before = len(control.calls)
    answer = agent_tool.send(agent_tool.legal, "a legal call")
    check("the answer to a call with the child's token", SERVED, answer)
    check("what the control service saw of it", [ACTION], [call.action for call in control.calls[before:]])


@then("a call with the last token is refused")
def refused(check: Check, agent_tool: AgentTool, control: Control) -> None:
    if agent_tool.legal is None:
        check("what the plugin sent", "one request", ABSENT)
        return
    before = len(control.calls)
    check("the answer to a call with the last token", A_REFUSAL, agent_tool.send(agent_tool.legal, "the last token"))
    check("what the control service saw of it", [], [call.shown for call in control.calls[before:]])


# aborts


@when(parsers.re(r'the agent aborts its call of "(?P<action>[^"]+)" while the service works on it'))
def agent_aborts(agent_tool: AgentTool, action: str) -> None:
    agent_tool.abort(action, "schedule.list", by_signal=True)


@when(parsers.re(r'the connection of the call of "(?P<action>[^"]+)" breaks while the service works on it'))
def connection_breaks(agent_tool: AgentTool, action: str) -> None:
    agent_tool.abort(action, "schedule.list", by_signal=False)


@then("the control service is told within a second that this call is aborted, and of no other")
def told_of_the_abort(check: Check, control: Control, agent_tool: AgentTool) -> None:
    aborted = agent_tool.aborts[-1]
    held = aborted.held
    check("whether the service worked on the call", True, held is not None)
    waited = None if held is None or held.aborted is None else round(held.aborted - aborted.at, 3)
    within = Matcher("at most 1 s after the abort", lambda actual: actual is not None and 0 <= actual <= 1)
    check("when the service was told of the abort, in seconds", within, waited)
    others = [call.shown for call in control.calls if call is not held and call.aborted is not None]
    check("the other calls that it was told are aborted", [], others)


@then("the calls before and after it are served")
def others_are_served(check: Check, agent_tool: AgentTool) -> None:
    aborted = agent_tool.aborts[-1]
    for number, other in enumerate(aborted.others, 1):
        text = str(at(other.result, "output"))
        check(f"whether other call {number} succeeded", True, '"ok":true' in text.replace(" ", ""))
    check("how many other calls were made", 2, len(aborted.others))


@then("the aborted call is no success")
def no_success(check: Check, agent_tool: AgentTool) -> None:
    aborted = agent_tool.aborts[-1]
    text = at(aborted.result, "output")
    native = isinstance(at(aborted.result, "nativeError"), dict)
    failed = isinstance(text, str) and '"ok":false' in text.replace(" ", "")
    check("a native error, or an envelope with ok false", True, native or failed)
    check("an envelope with ok true", False, isinstance(text, str) and '"ok":true' in text.replace(" ", ""))
