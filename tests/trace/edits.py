"""A specification, its lock, and forty edits of it, each with what it makes of the links."""

import re
from dataclasses import dataclass
from pathlib import Path

from specassay.trace.fingerprint import fingerprint
from specassay.trace.lock import Kind, Lock, Sentence
from specassay.trace.openspec import read
from specassay.trace.source import Entry, of_document

TEXT = Path(__file__).with_name("specifications").joinpath("library.md").read_text("utf-8")


def entries(text: str = TEXT) -> tuple[Entry, ...]:
    """List a text."""
    return of_document(read(text))


def lock(text: str = TEXT) -> Lock:
    """Accept every sentence of a text, each demand and each scenario as a statement of its own."""
    sentences = []
    for number, one in enumerate(entries(text), 1):
        claimed = one.level is not None or one.shape == "scenario"
        demand = Kind.DEMAND if claimed else Kind.INFORMATIVE
        kind = {"heading": Kind.HEADING, "scenario": Kind.SCENARIO}.get(one.shape, demand)
        sentences.append(
            Sentence(
                lines=one.lines,
                kind=kind,
                statements=(f"library.{number}",) if claimed else (),
                reason=None if claimed or kind is Kind.HEADING else "says what the rest is about",
                text=one.text,
                fingerprint=fingerprint(one.text),
            )
        )
    return Lock(specification="library", source="library.md", sentences=tuple(sentences))


@dataclass(frozen=True)
class Edit:
    """One edit: replacements, and of each link that is not plainly ok the beginning of its text, its state and change.

    A text to replace is taken as it is, or after "re:" as a regular expression.
    """

    name: str
    pairs: tuple[tuple[str, str], ...]
    expected: tuple[tuple[str, str, str | None], ...] = ()

    def made(self) -> str:
        """Make it; each replacement must find something to replace."""
        text = TEXT
        for old, new in self.pairs:
            changed = (
                re.sub(old.removeprefix("re:"), new, text, flags=re.M | re.S)
                if old[:3] == "re:"
                else text.replace(old, new)
            )
            assert changed != text, f"{self.name}: {old!r} is not there"
            text = changed
        return text


LEND = "The library MUST lend a book for 21 days"
RENEW = "A reader MAY renew a loan twice, and SHOULD be reminded of it"
SCENARIO = "Scenario: A book comes back late"
FINE = "A late book costs ten cents a day"

EDITS = (
    # formatting is nothing
    Edit("wrapped otherwise", (("for 21 days, and MUST", "for 21\ndays, and MUST"),)),
    Edit("unwrapped", (("re:one\\nword for it", "one word for it"),)),
    Edit("emphasis added", (("The library MUST lend", "The *library* **MUST** lend"),)),
    Edit("code marked", (("a loan twice", "a `loan` twice"),)),
    Edit(
        "another bullet",
        (("- its title", "* its title"), ("- its author", "* its author"), ("- its shelf", "* its shelf")),
    ),
    Edit("steps in bold", (("- GIVEN ", "- **GIVEN** "), ("- WHEN ", "- **WHEN** "), ("- THEN ", "- **THEN** "))),
    Edit("steps in lower case", (("- GIVEN ", "- Given "), ("- WHEN ", "- When "))),
    Edit("line ends of Windows", (("\n", "\r\n"),)),
    Edit("blank lines and spaces", (("\n\n", "\n\n\n"), ("MUST lend", "MUST  lend"))),
    Edit("a comment", (("## Requirements\n", "## Requirements\n\n<!-- reviewed -->\n"),)),
    Edit("underlined headings", (("# Library Specification", "Library Specification\n====="),)),
    # wording
    Edit("another number", (("for 21 days", "for 28 days"),), ((LEND[:20], "suspect", "reworded"),)),
    Edit("another word", (("ten cents", "ten pence"),), ((FINE[:12], "suspect", "reworded"),)),
    Edit(
        "a longer sentence",
        (("ten cents a day.", "ten cents a day, and never more than a euro in all."),),
        ((FINE[:12], "suspect", "reworded"),),
    ),
    Edit("negated", (("MUST keep a list", "MUST NOT keep a list"),), (("It MUST keep", "suspect", "strength"),)),
    Edit("a step", (("THEN it costs 30 cents", "THEN it costs 40 cents"),), ((SCENARIO, "suspect", "reworded"),)),
    Edit(
        "a step more",
        (("- THEN it costs 30 cents", "- THEN it costs 30 cents\n- AND the reader is told"),),
        ((SCENARIO, "suspect", "reworded"),),
    ),
    Edit("an item of a list", (("- its shelf", "- its shelf mark"),), (("its shelf", "suspect", "reworded"),)),
    Edit("the purpose", (("to whom", "to which readers"),), (("Defines what", "suspect", "reworded"),)),
    # keyword strength
    Edit(
        "MUST to SHOULD", (("The library MUST lend", "The library SHOULD lend"),), ((LEND[:11], "suspect", "strength"),)
    ),
    Edit("MAY to MUST", (("A reader MAY renew", "A reader MUST renew"),), ((RENEW[:8], "suspect", "strength"),)),
    Edit("MUST to SHALL", (("It MUST keep", "It SHALL keep"),), (("It MUST keep", "suspect", "reworded"),)),
    Edit("MUST to must", (("It MUST keep", "It must keep"),), (("It MUST keep", "suspect", "strength"),)),
    Edit(
        "the verb above a list",
        (("Of each book the library SHALL show:", "Of each book the library MAY show:"),),
        (
            ("Of each book", "suspect", "strength"),
            ("its title", "suspect", "lead"),
            ("its author", "suspect", "lead"),
            ("its shelf", "suspect", "lead"),
        ),
    ),
    Edit("a verb in a step", (("THEN it costs 30", "THEN it MUST cost 30"),), ((SCENARIO, "suspect", "strength"),)),
    # renames
    Edit(
        "a requirement",
        (("### Requirement: Fines", "### Requirement: Late books"),),
        (("Requirement: Fines", "ok", "renamed"),),
    ),
    Edit(
        "a scenario",
        (("#### Scenario: A book comes back late", "#### Scenario: Too late"),),
        ((SCENARIO, "ok", "renamed"),),
    ),
    Edit(
        "a scenario, with other steps",
        (("#### Scenario: A book comes back late", "#### Scenario: A late book"), ("30 cents", "40 cents")),
        ((SCENARIO, "suspect", "reworded"),),
    ),
    Edit(
        "a requirement and its order",
        (
            ("### Requirement: Fines", "### Requirement: Late books"),
            ("re:(^### Requirement: Late books.*)(^### Requirement: Catalogue.*)", r"\2\n\1"),
        ),
        (("Requirement: Fines", "ok", "renamed"),),
    ),
    # split and merge
    Edit(
        "one sentence into two",
        ((", and MUST take it back at any desk.", ". It MUST take it back at any desk."),),
        ((LEND[:20], "suspect", "split"),),
    ),
    Edit(
        "one sentence into three",
        (
            (
                "A reader MAY renew a loan twice, and SHOULD be reminded of it, and MUST NOT lend the book to others.",
                "A reader MAY renew a loan twice. A reader SHOULD be reminded of it. A reader MUST NOT lend the "
                "book to others.",
            ),
        ),
        ((RENEW[:8], "suspect", "split"),),
    ),
    Edit(
        "two sentences into one",
        (
            (
                "ten cents a day. The library MUST tell the reader.",
                "ten cents a day, and the library MUST tell the reader.",
            ),
        ),
        ((FINE[:12], "suspect", "merged"), ("The library MUST tell", "suspect", "merged")),
    ),
    # reorder
    Edit(
        "requirements",
        (("re:(^### Requirement: Loans.*)(^### Requirement: Fines.*)(^### Requirement: Catalogue.*)", r"\3\n\2\1"),),
    ),
    Edit("sentences", (("re:(A late book costs ten cents a day\\.) (The library MUST tell the reader\\.)", r"\2 \1"),)),
    Edit(
        "scenarios", (("re:(#### Scenario: A book is lent.*?)(#### Scenario: A loan is renewed.*?)(?=^### )", r"\2\1"),)
    ),
    Edit("items", (("- its title\n- its author", "- its author\n- its title"),)),
    Edit(
        "a sentence into another requirement",
        (
            (" The library MUST tell the reader.", ""),
            ("at any desk.", "at any desk. The library MUST tell the reader."),
        ),
        (("The library MUST tell", "suspect", "moved"),),
    ),
    # removal
    Edit("a sentence", ((" The library MUST tell the reader.", ""),), (("The library MUST tell", "orphaned", None),)),
    Edit(
        "a scenario that is gone",
        (("re:#### Scenario: A book comes back late.*?(?=^### )", ""),),
        ((SCENARIO, "orphaned", None),),
    ),
    Edit(
        "a requirement that is gone",
        (("re:^### Requirement: Fines.*?(?=^### )", ""),),
        (
            ("Requirement: Fines", "orphaned", None),
            (FINE[:12], "orphaned", None),
            ("The library MUST tell", "orphaned", None),
            (SCENARIO, "orphaned", None),
        ),
    ),
    # addition
    Edit(
        "a demand that is new",
        (("at any desk.", "at any desk. It MUST NOT ask why it was read."),),
        (("It MUST NOT ask", "missing", None),),
    ),
    Edit(
        "a remark that is new",
        (("at any desk.", "at any desk. Desks are on every floor."),),
        (("Desks are on", "missing", None),),
    ),
    Edit(
        "a scenario that is new",
        (
            (
                "### Requirement: Fines",
                "#### Scenario: Nobody is home\n\n- WHEN a visitor knocks\n- THEN no door opens\n\n"
                "### Requirement: Fines",
            ),
        ),
        (("Scenario: Nobody", "missing", None),),
    ),
    Edit(
        "an item that is new",
        (("- its shelf", "- its shelf\n- how many pages there are"),),
        (("how many pages", "missing", None),),
    ),
)
