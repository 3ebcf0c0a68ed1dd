"""The JSON report: the results as they are, and the schema that they keep."""

import json
from typing import Any

from specassay.results.model import Results


def render(results: Results) -> str:
    """Write the results as JSON text."""
    return results.model_dump_json(by_alias=True, indent=2) + "\n"


def schema() -> dict[str, Any]:
    """Give the JSON Schema of the report, as it is published in `fixtures/schemas/results.schema.json`."""
    made = Results.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def schema_text() -> str:
    """Write the schema as the file holds it; `python -m specassay.report.json` prints it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
