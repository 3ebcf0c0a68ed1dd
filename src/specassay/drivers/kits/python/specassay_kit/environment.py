"""The environment of the process, as the scenario wants it."""

import os
import re
from collections.abc import Mapping


def replace(variables: Mapping[str, str]) -> None:
    """Leave only these `LLM_*`, and no proxy or key that a client library reads by itself.

    A variable that is missing is set and empty, since frameworks fill unset ones from .env files.
    """
    foreign = re.compile("(LLM|OPENAI|GEMINI|GOOGLE)_.*|(HTTP|HTTPS|ALL|NO)_PROXY", re.IGNORECASE)
    for name in filter(foreign.fullmatch, list(os.environ)):
        del os.environ[name]
    os.environ.update({"LLM_PROVIDER": "", "LLM_MODEL": "", "LLM_API_KEY": "", "LLM_BASE_URL": ""} | dict(variables))
