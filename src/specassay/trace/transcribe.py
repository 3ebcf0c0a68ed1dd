"""Writes the feature files of an OpenSpec specification, and brings those that are there up to date.

A requirement becomes a file, each normative sentence a Rule with a number, each scenario a scenario. A requirement
with one demand shows it by its scenarios. Where it has several, nobody but its author knows which scenario shows which,
so the scenarios stand under a Rule of the requirement as a whole, to be moved from there; where one stands is its
author's. What is already in the features, or in the lock, is never written again, and a number is never used again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from specassay import catalogue
from specassay.catalogue import slug
from specassay.errors import UsageError
from specassay.trace import lock
from specassay.trace.accept import ordered
from specassay.trace.dialects import STEP_WORDS
from specassay.trace.feature_file import TRANSCRIBED, FeatureFile, Rule, Titled, words
from specassay.trace.fingerprint import fingerprint
from specassay.trace.gherkin import scenario_lines
from specassay.trace.inventory import scenario_names
from specassay.trace.lock import Kind, Lock, Sentence
from specassay.trace.matching import match
from specassay.trace.model import Document, Requirement, Scenario
from specassay.trace.openspec import read
from specassay.trace.source import Entry, of_document

LONGEST_NAME = 70
OUTSIDE = "stands outside of the requirements"
NOTHING = "demands nothing by itself"
EMPTY = "holds nothing"

_CERTAIN = (None, "moved", "renamed")
_LEVELS = {"SHOULD": "@should", "MAY": "@may"}


@dataclass(frozen=True)
class Written:
    """One feature file as it shall be; `added` are the Rules and the scenarios that are new in it."""

    path: Path
    text: str
    new: bool
    rules: int
    scenarios: int
    rewritten: int


@dataclass(frozen=True)
class Transcription:
    """What a specification becomes: the files that change, and the lock, which may have been there before (`locked`).

    `notes` name what is left to the reader, each with its file and line.
    """

    specification: str
    source: Path
    files: tuple[Written, ...]
    lock: Lock
    locked: bool
    lock_changed: bool
    notes: tuple[str, ...]

    @property
    def changed(self) -> bool:
        """Whether there is something to write."""
        return bool(self.files) or self.lock_changed

    def save(self, features: Path) -> None:
        """Write the files and the lock. Raises `UsageError` where that cannot be."""
        try:
            (features / self.specification).mkdir(parents=True, exist_ok=True)
            for file in self.files:
                file.path.write_bytes(file.text.encode("utf-8"))
        except OSError as error:
            raise UsageError(f"{error.filename}: cannot be written: {error.strerror}") from None
        lock.save(self.lock, features)


def name_of(source: Path) -> str:
    """Give the name of a specification: its folders below `specs`, or those above `spec.md`, or the file's own name."""
    parts = source.absolute().parts[:-1]
    if source.name != "spec.md":
        own = slug(source.name.removesuffix(".md").removesuffix(".spec"))
    elif "specs" in parts[:-1]:
        last = len(parts) - 1 - parts[::-1].index("specs")
        own = slug("-".join(parts[last + 1 :]))
    else:
        own = slug(parts[-1])
    if not own:
        raise UsageError(f"{source}: gives the specification no name; put it into a folder that has one")
    return own


def transcribe(source: Path, specification: str, features: Path) -> Transcription:
    """Compare a specification with its features and its lock, and say what is to be written. Writes nothing.

    Raises `UsageError` for a file that is no specification, and for a feature file that is broken.
    """
    document = read(source)
    if document.deltas:
        raise UsageError(f"{source}: is a change, and no specification; transcribe what it makes, once it is applied")
    if not document.requirements:
        raise UsageError(f"{source}: has no `### Requirement: …`, so there is nothing to transcribe")
    return _Work(source, specification, features, document).done()


@dataclass
class _Work:
    source: Path
    specification: str
    features: Path
    document: Document
    claims: dict[int, tuple[str, ...]] = field(default_factory=dict)
    minted: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    rewritten: dict[Path, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.entries = of_document(self.document)
        self.accepted = lock.load(self.specification, self.features)
        self.lock = self.accepted or Lock(specification=self.specification, source=self.source.name, sentences=())
        self.pairs = match(self.lock, self.entries)
        folder = self.features / self.specification
        self.files = {path.stem: FeatureFile(path, "") for path in sorted(folder.glob("*.feature"))}

    def done(self) -> Transcription:
        for requirement in self.document.requirements:
            self._require(requirement)
        self._note_what_moved()
        files = tuple(self._written())
        found = self._lock()
        return Transcription(
            self.specification,
            self.source,
            files,
            found,
            self.accepted is not None,
            found != self.accepted,
            tuple(self.notes),
        )

    # a requirement

    def _require(self, requirement: Requirement) -> None:
        span = requirement.span
        within = [at for at, one in enumerate(self.entries) if span.first <= one.lines[0] <= span.last]
        demands = [at for at in within if self.entries[at].level is not None]
        scenarios = [at for at in within if self.entries[at].shape == "scenario"]
        file = self._file(requirement, within)
        for at in demands:
            self._demand(file, at)
        for at, scenario in zip(scenarios, requirement.scenarios, strict=True):
            self._scenario(file, at, scenario, demands, requirement)

    def _file(self, requirement: Requirement, within: Sequence[int]) -> FeatureFile:
        """Find the file of a requirement by the statements that the lock has for it, by its title, by its name."""
        known = [name.rpartition(".")[0] for at in within for name in self._locked(at)]
        found = next((self.files[name] for name in known if name in self.files), None)
        found = found or next((one for one in self.files.values() if one.title == requirement.name), None)
        if found is None:
            name = own = slug(requirement.name)[:LONGEST_NAME].strip("-") or "requirement"
            while own in self.files or own in set(known):
                number = own.removeprefix(name).strip("-")
                own = f"{name}-{int(number or 1) + 1}"
            found = FeatureFile(self.features / self.specification / f"{own}.feature", requirement.name)
            self.files[own] = found
        return found

    def _demand(self, file: FeatureFile, at: int) -> None:
        """Give a normative sentence its Rule, where it has none."""
        entry = self.entries[at]
        if at in self.pairs.of_new:
            return
        title = _sentence(self.entries, entry)
        same = next((rule for rule in file.rules if rule.number and words([rule.title]) == words([title])), None)
        rule = same or self._mint(file, title, _LEVELS.get(entry.level or "", ""))
        self.claims[at] = (f"{file.name}.{rule.number}",)

    def _mint(self, file: FeatureFile, title: str, tag: str = "") -> Rule:
        used = {rule.number or 0 for rule in file.rules}
        names = [name for one in self.lock.sentences for name in one.statements]
        names += [name for gone in self.lock.removed for name in gone.statements]
        names += [one.statement for one in self.lock.rules]
        used |= {int(name.rpartition(".")[2]) for name in names if name.rpartition(".")[0] == file.name}
        number = max(used, default=0) + 1
        self.minted.add(f"{file.name}.{number}")
        return file.add_rule(number, title, [tag] if tag else [])

    # a scenario

    def _scenario(
        self, file: FeatureFile, at: int, scenario: Scenario, demands: Sequence[int], requirement: Requirement
    ) -> None:
        """Write a scenario, where it is new; one whose text moved gets its new steps, where nobody changed the old."""
        if at in self.pairs.of_new:
            self._update(file, at, scenario)
            return
        if scenario.empty:
            self._note(self.entries[at], f"the scenario “{scenario.name}” holds nothing, and is left out")
            return
        rule, known = next(self._known(file, scenario.name), (None, None))
        if known is None:
            rule = self._place(file, demands, requirement)
            rule.added.append(scenario_lines(scenario, _title(scenario.name, file)))
        if rule is not None and rule.number is not None:
            self.claims[at] = (f"{file.name}.{rule.number}",)

    def _known(self, file: FeatureFile, name: str) -> Iterator[tuple[Rule | None, Titled]]:
        """Find a transcribed scenario by its title that the lock does not know of."""
        claimed = {name for one in self.lock.sentences for name in one.statements}
        for rule, one in file.scenarios():
            locked = rule is not None and f"{file.name}.{rule.number}" in claimed
            if one.title == name and TRANSCRIBED in one.tags and not locked:
                yield rule, one

    def _place(self, file: FeatureFile, demands: Sequence[int], requirement: Requirement) -> Rule:
        """Give the Rule of the only demand, or that of the requirement as a whole."""
        names = self._claimed(demands[0]) if len(demands) == 1 else ()
        only = file.rule(int(names[0].rpartition(".")[2])) if len(names) == 1 else None
        title = requirement.name or file.name
        whole = next((rule for rule in file.rules if rule.number and words([rule.title]) == words([title])), None)
        return only or whole or self._mint(file, title)

    def _update(self, file: FeatureFile, at: int, scenario: Scenario) -> None:
        old = self.pairs.of_new[at][0]
        if self.pairs.how[old] in _CERTAIN:
            return
        before = _accepted(self.lock.sentences[old].text)
        transcribed = (one for _, one in file.scenarios() if TRANSCRIBED in one.tags)
        found = next((one for one in transcribed if _same_title(one.title, before.name)), None)
        if found is None:
            return
        now = scenario_lines(scenario, found.title)
        if file.words(found) == words(now[1:]):
            return
        if file.words(found) == words(scenario_lines(before, found.title)[1:]):
            file.replace(found, now)
            self.rewritten[file.path] = self.rewritten.get(file.path, 0) + 1
        else:
            text = f"the scenario “{scenario.name}” has other steps now; {file.path}:{found.heading} is left as it is"
            self._note(self.entries[at], text)

    # what is written

    def _written(self) -> Iterator[Written]:
        for file in self.files.values():
            text = file.text()
            if text == file.original:
                continue
            catalogue.requirement(text, file.path, self.specification)  # it must be Gherkin
            yield Written(
                file.path,
                text,
                file.new,
                rules=sum(1 for rule in file.rules if not rule.first),
                scenarios=sum(len(rule.added) for rule in file.rules),
                rewritten=self.rewritten.get(file.path, 0),
            )

    def _lock(self) -> Lock:
        """Add what is new to the lock. An accepted text stays as it was accepted, whatever the specification says."""
        fresh = [self._fresh(at) for at, one in enumerate(self.entries) if at not in self.pairs.of_new and one.text]
        grown = self.lock.model_copy(update={"sentences": (*self.lock.sentences, *fresh), "rules": self._rules()})
        return ordered(grown, self.entries)

    def _fresh(self, at: int) -> Sentence:
        entry = self.entries[at]
        names = self.claims.get(at, ())
        reason = None
        if entry.shape == "heading":
            kind = Kind.HEADING
        elif entry.shape == "scenario":
            kind, reason = Kind.SCENARIO, None if names or not entry.section else EMPTY
        elif names:
            kind = Kind.DEMAND
        else:
            kind, reason = Kind.INFORMATIVE, NOTHING if entry.level is None else OUTSIDE
        return Sentence(
            lines=entry.lines,
            kind=kind,
            statements=names,
            reason=reason,
            text=entry.text,
            fingerprint=entry.fingerprint,
        )

    def _rules(self) -> tuple[lock.Rule, ...]:
        """Give the accepted Rules, and those that are new; a scenario that is new is accepted with its Rule."""
        found = {rule.statement: rule for rule in self.lock.rules}
        fresh = self.minted | {name for names in self.claims.values() for name in names if name not in found}
        for file in self.files.values():
            added = {slug(lines[0].partition(":")[2]) for rule in file.rules for lines in rule.added}
            for one in catalogue.requirement(file.text(), file.path, self.specification).statements:
                name = one.id.partition("/")[2]
                have = scenario_names(one)
                if name in fresh:
                    found[name] = lock.Rule(
                        statement=name, text=one.sentence, fingerprint=fingerprint(one.sentence), scenarios=have
                    )
                elif name in found:
                    kept = found[name].scenarios
                    new = tuple(one for one in have if one in added and one not in kept)
                    found[name] = found[name].model_copy(update={"scenarios": (*kept, *new)})
        return tuple(found.values())

    # what is told

    def _note_what_moved(self) -> None:
        for at, entry in enumerate(self.entries):
            if at not in self.pairs.of_new and at not in self.claims and entry.level is not None:
                self._note(entry, f"stands in no requirement, and gets no Rule: {_short(entry.text)}")
        for one in self.document.stray:
            line = one.heading.lines[0].number
            self.notes.append(f"{self.source}:{line}: the scenario “{one.name}” stands in no requirement")
        for old, sentence in enumerate(self.lock.sentences):
            names = ", ".join(f"{self.specification}/{name}" for name in sentence.statements)
            news = self.pairs.of_old.get(old, ())
            if names and not news:
                self.notes.append(f"{self.source}: no longer says {_short(sentence.text)}; {names} is left as it is")
            elif names and self.pairs.how[old] not in _CERTAIN:
                self._note(self.entries[news[0]], f"{names} is about an older text: {_short(sentence.text)}")

    def _note(self, entry: Entry, text: str) -> None:
        self.notes.append(f"{self.source}:{entry.lines[0]}: {text}")

    def _locked(self, at: int) -> tuple[str, ...]:
        """Give the statements that the lock has for a sentence."""
        olds = self.pairs.of_new.get(at, ())
        return tuple(name for old in olds for name in self.lock.sentences[old].statements)

    def _claimed(self, at: int) -> tuple[str, ...]:
        return self._locked(at) or self.claims.get(at, ())


def _sentence(entries: Sequence[Entry], entry: Entry) -> str:
    """Give the title of a Rule: the sentence, with what introduces the list that it stands in."""
    lead = f"{entries[entry.lead].text} " if entry.lead is not None else ""
    return " ".join(f"{lead}{entry.text}".split())


def _title(name: str, file: FeatureFile) -> str:
    """Give a title that no scenario of the file has, pytest-bdd drops the first of two: "X", "X (2)"."""
    taken = {_key(one.title) for _, one in file.scenarios()}
    taken |= {_key(lines[0].partition(":")[2].strip()) for rule in file.rules for lines in rule.added}
    name = " ".join(name.split()) or "Scenario"
    titles = (name if number == 1 else f"{name} ({number})" for number in range(1, len(taken) + 2))
    return next(title for title in titles if _key(title) not in taken)


def _key(title: str) -> str:
    return slug(title) or title


def _same_title(title: str, name: str) -> bool:
    """Say whether a title is a scenario's name, or that name with the number that made it unique."""
    rest = title.removeprefix(name)
    return title.startswith(name) and (not rest or (rest[:2] == " (" and rest[2:-1].isdigit() and rest[-1] == ")"))


def _accepted(text: str) -> Scenario:
    """Read a scenario from what the lock has of it: its title, a line a step, and a line for what hangs on one."""
    title, *lines = text.split("\n")
    steps = [line.partition(" ") for line in lines]
    marked = [
        f"- **{word}** {rest}" if word.casefold() in STEP_WORDS and word == word.upper() else f"  - {word} {rest}"
        for word, _, rest in steps
    ]
    return read("\n".join(["### Requirement: it", "", f"#### {title}", *marked])).requirements[0].scenarios[0]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= 100 else f"“{line[:100].rsplit(' ', 1)[0]} …”"
