"""Writes into a lock what somebody accepts: one thing at a time, with a reason. Nothing else writes a lock."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from specassay.catalogue import Specification
from specassay.errors import UsageError
from specassay.trace import drift
from specassay.trace.fingerprint import fingerprint
from specassay.trace.inventory import scenario_names, statements_of
from specassay.trace.lock import Acceptance, Kind, Lock, Removed, Rule, Sentence
from specassay.trace.matching import match
from specassay.trace.record import Link, State
from specassay.trace.source import Entry

_CLAIMED = (Kind.DEMAND, Kind.SCENARIO, Kind.RESTATEMENT)


@dataclass(frozen=True)
class Wish:
    """What is accepted, and why. `kind` and `statements` say what a sentence is to be, and which statements claim it.

    Without them it stays what it was; a new demand or scenario needs statements, by the ids that their tags have.
    """

    id: str
    reason: str
    on: date
    kind: Kind | None = None
    statements: tuple[str, ...] = ()


@dataclass(frozen=True)
class Accepted:
    """The lock as it is to be written, and what changed in it, a line each."""

    lock: Lock
    told: tuple[str, ...]


def accept(lock: Lock, specification: Specification, entries: Sequence[Entry] | None, wish: Wish) -> Accepted:
    """Accept one id: of a link ("spec@…"), of a statement, or, for what is new in the features, of a specification.

    `entries` is the text as it stands; None where only the features are compared. What moved or is gone is accepted
    one by one. Raises `UsageError` for an id that is not there, or that is in order.
    """
    if wish.id == specification.id:
        found = _new_rules(lock, specification)
    else:
        found = _Acceptance(lock, specification, entries, wish).done()
    if not found.told:
        hint = "" if entries is not None else "; to accept a change of the specification's text, give it with --against"
        raise UsageError(f"{wish.id}: is in order, there is nothing to accept{hint}")
    return found if entries is None else Accepted(ordered(found.lock, entries), found.told)


def ordered(lock: Lock, entries: Sequence[Entry]) -> Lock:
    """Put a lock's sentences into the order of the text, and give those that have its words its lines."""
    pairs = match(lock, entries)
    placed: list[tuple[float, Sentence]] = []
    last = -1.0
    for at, one in enumerate(lock.sentences):
        news = pairs.of_old.get(at)
        last = float(news[0]) if news else last + 0.001
        same = news is not None and entries[news[0]].fingerprint == one.fingerprint
        placed.append((last, one.model_copy(update={"lines": entries[news[0]].lines}) if news and same else one))
    return lock.model_copy(update={"sentences": tuple(one for _, one in sorted(placed, key=lambda place: place[0]))})


def _new_rules(lock: Lock, specification: Specification) -> Accepted:
    """Take in statements and scenarios that the lock does not have yet; change nothing that it has."""
    rules = {one.statement: one for one in lock.rules}
    told = []
    for name, statement in statements_of(specification).items():
        known = rules.get(name)
        have = scenario_names(statement)
        if known is None:
            rules[name] = Rule(
                statement=name, text=statement.sentence, fingerprint=fingerprint(statement.sentence), scenarios=have
            )
            told.append(f"{statement.id}: new, with {len(have)} scenario{'' if len(have) == 1 else 's'}")
        elif fresh := [one for one in have if one not in known.scenarios]:
            rules[name] = known.model_copy(update={"scenarios": (*known.scenarios, *fresh)})
            told += [f"{statement.id}/{one}: new" for one in fresh]
    return Accepted(lock.model_copy(update={"rules": _in_order(rules, specification)}), tuple(told))


def _in_order(rules: dict[str, Rule], specification: Specification) -> tuple[Rule, ...]:
    places = {name: place for place, name in enumerate(statements_of(specification))}
    return tuple(sorted(rules.values(), key=lambda one: places.get(one.statement, len(places))))


class _Acceptance:
    """Accepts what one wish names."""

    def __init__(self, lock: Lock, specification: Specification, entries: Sequence[Entry] | None, wish: Wish) -> None:
        self.lock = lock
        self.specification = specification
        self.wish = wish
        self.links = drift.compare(lock, entries) if entries is not None else ()
        self.stamp = Acceptance(on=wish.on, reason=wish.reason)
        self.names = statements_of(specification)
        self.told: list[str] = []

    def done(self) -> Accepted:
        """Give the lock with all that the id names accepted."""
        _, _, name = self.wish.id.partition("/")
        rules = {one.statement: one for one in self.lock.rules}
        if not name:
            self._links([self._named()])
        elif name in self.names or name in rules:
            self._links([one for one in self.links if self.wish.id in one.statements and _open(one)])
            self._rule(name, rules)
        else:
            raise UsageError(f"{self.wish.id}: neither the features nor the lock have a statement of this id")
        return Accepted(self.lock, tuple(self.told))

    def _named(self) -> Link:
        if not self.links:
            raise UsageError(f"{self.wish.id}: give the specification's text with --against, to accept what it says")
        found = next((one for one in self.links if one.id == self.wish.id), None)
        if found is None:
            raise UsageError(
                f"{self.wish.id}: no sentence has this id; `specassay trace --against` shows what is not in order"
            )
        return found

    def _links(self, found: Sequence[Link]) -> None:
        """Accept links; those that became one sentence together."""
        done: set[str] = set()
        for link in found:
            if link.id not in done and (_open(link) or self.wish.kind or self.wish.statements):
                done |= {link.id, *link.also}
                self._link(link)

    def _link(self, link: Link) -> None:
        if link.change == "lead":
            raise UsageError(f"{link.id}: accept the sentence that introduces the list; this item itself is unchanged")
        names, _ = drift.names_of(self.lock, ())
        olds = [names.index(one) for one in (link.id, *link.also) if one in names]
        sentences = [self.lock.sentences[at] for at in olds]
        fresh = [self._sentence(link, sentences, at) for at in range(len(link.now))]
        if link.state is State.ORPHANED:
            gone = Removed(
                removed=sentences[0].text,
                fingerprint=sentences[0].fingerprint,
                statements=sentences[0].statements,
                on=self.wish.on,
                reason=self.wish.reason,
            )
            self.lock = self.lock.model_copy(update={"removed": (*self.lock.removed, gone)})
        place = min(olds, default=len(self.lock.sentences))
        kept = [one for at, one in enumerate(self.lock.sentences) if at not in olds]
        self.lock = self.lock.model_copy(update={"sentences": (*kept[:place], *fresh, *kept[place:])})
        what = {State.ORPHANED: "removed", State.MISSING: "new"}.get(link.state, link.change or "claimed anew")
        self.told.append(f"{link.id}: {what}")

    def _sentence(self, link: Link, olds: Sequence[Sentence], at: int) -> Sentence:
        """Make the sentence that stands in the lock from now on."""
        natural: dict[str, Kind] = {"heading": Kind.HEADING, "scenario": Kind.SCENARIO}
        usual = olds[0].kind if olds else natural.get(link.shape, Kind.DEMAND if link.demands else None)
        kind = self.wish.kind or usual
        if kind is None:
            raise UsageError(
                f"{link.id}: say what this sentence is, with --as informative, process, restatement or demand"
            )
        claimed = self.wish.statements or tuple(dict.fromkeys(name for one in olds for name in one.statements))
        unknown = next((name for name in claimed if name not in self.names), None)
        if unknown is not None and self.wish.statements:
            raise UsageError(f"--statement {unknown}: the features of {self.specification.id} have no such statement")
        if kind in _CLAIMED and not claimed:
            raise UsageError(
                f"{link.id}: say which statement this is, with --statement, once its Rule is written; "
                "or that it is no demand, with --as informative or --as process"
            )
        kept = next((one.reason for one in olds if one.reason), None)
        free = kind not in (*_CLAIMED, Kind.HEADING) or kind is Kind.RESTATEMENT
        return Sentence(
            lines=link.lines[at],
            kind=kind,
            statements=claimed if kind in _CLAIMED else (),
            reason=kept or (self.wish.reason if free else None),
            text=link.now[at],
            fingerprint=fingerprint(link.now[at]),
            accepted=self.stamp,
        )

    def _rule(self, name: str, rules: dict[str, Rule]) -> None:
        """Accept what the features have for a statement now."""
        id_ = f"{self.specification.id}/{name}"
        statement, known = self.names.get(name), rules.get(name)
        if statement is None and known is not None:
            gone = Removed(
                removed=known.text,
                fingerprint=known.fingerprint,
                statements=(name,),
                on=self.wish.on,
                reason=self.wish.reason,
            )
            del rules[name]
            self.lock = self.lock.model_copy(update={"removed": (*self.lock.removed, gone)})
            self.told.append(f"{id_}: removed")
        elif statement is not None:
            now = Rule(
                statement=name,
                text=statement.sentence,
                fingerprint=fingerprint(statement.sentence),
                scenarios=scenario_names(statement),
                accepted=self.stamp if known is not None else None,
            )
            if known is None or (known.fingerprint, known.scenarios) != (now.fingerprint, now.scenarios):
                rules[name] = now
                self.told += _changes(id_, known, now)
        self.lock = self.lock.model_copy(update={"rules": _in_order(rules, self.specification)})


def _changes(id_: str, known: Rule | None, now: Rule) -> Iterator[str]:
    if known is None:
        yield f"{id_}: new"
        return
    if known.fingerprint != now.fingerprint:
        yield f"{id_}: rule"
    yield from (f"{id_}/{name}: new" for name in now.scenarios if name not in known.scenarios)
    yield from (f"{id_}/{name}: removed" for name in known.scenarios if name not in now.scenarios)


def _open(link: Link) -> bool:
    """Say whether there is something to accept: a rename is in order, and can be."""
    return link.state is not State.OK or link.change == "renamed"
