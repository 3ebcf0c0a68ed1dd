"""Results in which every text that came from outside attacks whoever shows it."""

import json
from typing import Any

from specassay.report import json as report
from specassay.results.model import ImplementationRecord, MessageRecord, Results, Verdict
from specassay.results.verdicts import roll_up
from tests.results import made

ATTACK = (
    '"\'`><img src=x onerror="window.hacked=1"><script>window.hacked=1</script></script><!--'
    "<svg onload=window.hacked=1>{{data}}&lt;\u2028\u202edlrow\u202c\x1b[31m\x00@everyone|[a](javascript:hacked=1)"
)
"""What stands behind every text."""

# What the results model or the report's own logic reads as a word of a closed list.
_CLOSED = {
    "verdict",
    "status",
    "sender",
    "level",
    "keyword",
    "outcome",
    "earlier",
    "evidence",
    "schemaVersion",
    "startedAt",
    "kind",
}


def results(name: str = "evil") -> Results:
    """Make hostile results: one scenario fails, with every kind of evidence."""
    played = made.played(made.OPENS, Verdict.FAILED, "it failed").model_copy(
        update={
            "messages": (
                MessageRecord(at=0.1, sender="harness", message={"id": 1, "method": "x", "params": {"a": "b"}}),
                MessageRecord(at=0.2, sender="driver", message="a print"),
                MessageRecord(at=0.3, sender="driver", message={"id": {"odd": 1}, "error": ["code"]}),
                MessageRecord(at=0.4, sender="driver", message=None),
            ),
            "exchanges": (made.exchange(),),
            "log": "line one\nline two",
        }
    )
    record = made.record({**made.all_passed(), made.OPENS: played}).model_copy(
        update={"diagnostics": ("a note",), "broken": "it broke off"}
    )
    whole = json.loads(report.render(made.results(record)))
    for implementation in whole["implementations"]:
        implementation["verdicts"] = {}
    attacked = Results.model_validate(_attacked(whole))
    (implementation,) = attacked.implementations
    return attacked.model_copy(update={"implementations": (_added_up(attacked, implementation),)})


def huge() -> Results:
    """Make results in which one driver wrote a text of a million characters wherever it can."""
    text = "x" * 1_000_000
    step = made.played(made.OPENS, Verdict.FAILED).steps[0]
    check = step.checks[0].model_copy(update={"actual": text, "claim": text})
    played = made.played(made.OPENS, Verdict.FAILED, text).model_copy(
        update={
            "steps": (step.model_copy(update={"checks": (check,)}),),
            "messages": (MessageRecord(at=0.1, sender="driver", message={"id": 1, "result": text}),),
            "exchanges": (made.exchange(body=text),),
            "log": text,
        }
    )
    return made.results(made.record({**made.all_passed(), made.OPENS: played}))


def _added_up(results: Results, record: ImplementationRecord) -> ImplementationRecord:
    return record.model_copy(update={"verdicts": roll_up(results.suite, record.scenarios, strict=False)})


def _attacked(value: Any, key: str = "") -> Any:
    if isinstance(value, str):
        return value if key in _CLOSED else value + ATTACK
    if isinstance(value, list):
        return [_attacked(item, key) for item in value]
    if isinstance(value, dict):
        return {name: _attacked(item, name) for name, item in value.items()}
    return value
