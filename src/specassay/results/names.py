"""Finding what a user means by a name, and the nearest name where nothing is called so."""

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """Write "; did you mean …?" with the nearest known names, or nothing where none is near."""
    names = sorted(set(known)) if name else []
    by_lower = {one.lower(): one for one in names}
    found = difflib.get_close_matches(name.lower(), by_lower, n=3, cutoff=0.6)
    found = found or [one for one in by_lower if name.lower() in one][:3]
    return f"; did you mean {' or '.join(by_lower[one] for one in found)}?" if found else ""
