"""The JSON report and its schema."""

import json

from jsonschema import Draft202012Validator

from specassay import resources
from specassay.report import json as report
from specassay.results.collect import Terms, Told, implementation
from specassay.results.events import StartFailed
from specassay.results.expectations import KnownFailure
from specassay.results.model import MessageRecord, Results, Verdict
from tests.results import made


def _results() -> Results:
    known = (KnownFailure(id="shell/door.2", reason="r"),)
    evil = made.played(made.OPENS, Verdict.FAILED, "\ud800\x00<script>").model_copy(
        update={"messages": (MessageRecord(at=0.0, sender="driver", message={"a": [float("inf"), 10**400, None]}),)}
    )
    record = made.record(
        {**made.all_passed(locks=Verdict.FAILED), made.OPENS: evil}, terms=Terms(known=known, today=made.TODAY)
    )
    failed = implementation(made.suite(), made.DRIVER, Told(events=[StartFailed(message="no")]), Terms())
    return made.results(record, failed)


def test_the_published_schema_is_the_one_of_the_model() -> None:
    published = (resources.SCHEMAS / "results.schema.json").read_text("utf-8")
    assert published == report.schema_text(), "write it again: python -m specassay.report.json > FILE"


def test_a_report_keeps_the_published_schema() -> None:
    schema = json.loads((resources.SCHEMAS / "results.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(report.render(_results())))


def test_a_report_can_be_read_back() -> None:
    results = made.results(made.record(made.all_passed(opens=Verdict.FAILED)))
    assert Results.model_validate_json(report.render(results)) == results


def test_the_names_are_camel_case() -> None:
    written = json.loads(report.render(_results()))
    assert {"schemaVersion", "startedAt", "implementations"} <= written.keys()
    assert written["suite"]["requirements"][1]["statements"][3]["byInspection"] == "Nobody sees the wood from outside."
