"""What the page shows of a trace: the numbers, what is not in order, and the sentences behind each statement."""

from typing import Any

from specassay.report.trace import gap_counts, levels, place, scenario_counts, state_counts
from specassay.trace.record import Link, SpecificationTrace, State, Trace

Json = dict[str, Any]


def trace_data(trace: Trace) -> Json:
    """Give the numbers in the words of the terminal's report, and the links that are not in order."""
    return {
        "implementations": [
            {"name": one.name, "levels": list(levels(one)), "gaps": gap_counts(one.gaps, trace.statements)}
            for one in trace.implementations
        ],
        "notes": trace.notes,
        "open": sum(1 for one in trace.specifications for link in one.links if link.state is not State.OK)
        + len(trace.losses()),
        "specifications": [_specification(one) for one in trace.specifications],
    }


def sources(trace: Trace) -> dict[str, list[list[str]]]:
    """Give, for each statement, the sentences of the specification behind it: state, place and text."""
    found: dict[str, list[list[str]]] = {}
    for one in trace.specifications:
        for link in one.links:
            if link.kind != "rule":
                entry = [link.state.value, place(one, link), (link.accepted or "").partition("\n")[0]]
                for statement in link.statements:
                    found.setdefault(statement, []).append(entry)
    return found


def _specification(one: SpecificationTrace) -> Json:
    return {
        "id": one.id,
        "states": state_counts(one),
        "scenarios": scenario_counts(one.inventory),
        "losses": [[loss.id, loss.where] for loss in one.inventory.losses],
        "links": [_link(one, link) for link in one.links if link.state is not State.OK or link.change],
    }


def _link(one: SpecificationTrace, link: Link) -> Json:
    text = [["same", link.accepted or "\n".join(link.now)]]
    return {
        "id": link.id,
        "state": link.state.value,
        "change": link.change,
        "note": link.note,
        "statements": link.statements,
        "place": place(one, link),
        "difference": link.difference or text,
    }
