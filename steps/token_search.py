"""The child's token: where it stands, and where it must not."""

from collections.abc import Callable

from pytest_bdd import parsers, then

from specassay.steps.agent_tool import plugin_of
from specassay.suite.agent_tool import AgentTool
from specassay.suite.checks import Check, other_than
from specassay.suite.secret_search import Search, search

Said = Callable[[], dict[str, list[str]]]


def _search(agent_tool: AgentTool, texts: dict[str, list[str]]) -> Search:
    return search([child.token for child in agent_tool.children], agent_tool.folder, texts)


@then("the token stands nowhere but in the environment of the child")
def nowhere(check: Check, agent_tool: AgentTool, said: Said) -> None:
    made = _search(agent_tool, said())
    check(f"where the token stands, sought in {'; '.join(made.looked)}", [], made.found)
    check("how many tokens were sought", other_than(0), len(agent_tool.children))


@then(parsers.re(r"the token stands in no (?P<kind>file|log|answer)"))
def in_no(check: Check, agent_tool: AgentTool, said: Said, kind: str) -> None:
    texts = {name: parts for name, parts in said().items() if kind in name}
    made = _search(agent_tool, texts)
    wanted = [place for place in made.found if kind in place]
    check(f"the places of each {kind} where the token stands, sought in {'; '.join(made.looked)}", [], wanted)
    check("how many tokens were sought", other_than(0), len(agent_tool.children))


@then("the token is not in the plugin")
def not_in_plugin(check: Check, agent_tool: AgentTool) -> None:
    file = plugin_of(agent_tool)
    text = file.read_text("utf-8") if file is not None and file.is_file() else ""
    check("how much the plugin holds, in characters", other_than(0), len(text))
    found = [number for number, child in enumerate(agent_tool.children, 1) if child.token in text]
    check("the children whose token stands in the plugin", [], found)
    check("how many tokens were sought", other_than(0), len(agent_tool.children))
