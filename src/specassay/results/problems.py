"""A validation error in one plain sentence."""

from pydantic import BaseModel, ValidationError

from specassay.results.names import nearest


def first_problem(error: ValidationError, model: type[BaseModel]) -> str:
    """Say what is wrong first, and with which key: "unknown key 'resaon'; did you mean reason?"."""
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    key = str(problem["loc"][-1]) if problem["loc"] else ""
    if problem["type"] == "extra_forbidden":
        return f"unknown key {key!r}{nearest(key, model.model_fields)}; known: {', '.join(model.model_fields)}"
    if problem["type"] == "missing":
        return f"{place} is missing"
    if problem["type"] in ("model_type", "dict_type"):
        return f"{place} must be a table".lstrip()
    message = problem["msg"]
    return f"{place}: {message[:1].lower()}{message[1:]}"
