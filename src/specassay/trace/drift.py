"""What became of each accepted sentence in a specification's text as it stands now.

Certain things come first: the same words are the same sentence wherever they stand, so that formatting and reordering
are nothing. What is left is paired by title, by likeness and by place, and each such pair is `suspect` until accepted.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from specassay.trace.lock import Kind, Lock, Sentence
from specassay.trace.record import Change, Link, State
from specassay.trace.source import Entry, Shape
from specassay.trace.statements import keywords
from specassay.trace.words import difference, likeness, share, words

ALIKE = 0.6
"""From this likeness on, two sentences are taken for one that was reworded."""
ALIKE_NEARBY = 0.5
ALIKE_IN_PLACE = 0.3
_PARTED = 0.7  # how much of a sentence is in those that it was split into
_GAIN = 0.1  # and how much more that is than in any one of them
_PIECES = 3
_MOSTLY = 0.6


@dataclass(frozen=True, slots=True)
class Old:
    """A sentence of the lock; `section` is the heading that it stood under."""

    sentence: Sentence
    section: str
    words: tuple[str, ...]

    @property
    def shape(self) -> Shape:
        """Give what it is in the text."""
        found: dict[Kind, Shape] = {Kind.SCENARIO: "scenario", Kind.HEADING: "heading"}
        return found.get(self.sentence.kind, "sentence")


@dataclass(frozen=True, slots=True)
class New:
    """A sentence of the text."""

    entry: Entry
    words: tuple[str, ...]


@dataclass
class Pairs:
    """Which accepted sentences became which ones of the text: lists of places, one to one but in a split or merge."""

    old: Sequence[Old]
    new: Sequence[New]
    of_old: dict[int, tuple[int, ...]] = field(default_factory=dict)
    of_new: dict[int, tuple[int, ...]] = field(default_factory=dict)
    how: dict[int, Change | None] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)

    def pair(self, olds: tuple[int, ...], news: tuple[int, ...], how: Change | None) -> None:
        """Take these for each other."""
        for one in olds:
            self.of_old[one] = news
            self.how[one] = how
        for one in news:
            self.of_new[one] = olds

    def left(self, shape: Shape) -> tuple[list[int], list[int]]:
        """Give the places of what is not paired yet."""
        olds = [at for at, one in enumerate(self.old) if at not in self.of_old and one.shape == shape]
        news = [at for at, one in enumerate(self.new) if at not in self.of_new and one.entry.shape == shape]
        return olds, news

    def together(self, old: int, new: int) -> bool:
        """Say whether both stand under the same heading, or under one that was renamed."""
        section = self.old[old].section
        return self.renamed.get(section, section) == self.new[new].entry.section


def match(lock: Lock, entries: Sequence[Entry]) -> Pairs:
    """Pair the sentences of a lock with those of a text."""
    olds: list[Old] = []
    section = ""
    for one in lock.sentences:
        section = one.text if one.kind is Kind.HEADING else section
        olds.append(Old(one, section, words(one.text)))
    pairs = Pairs(olds, [New(entry, words(entry.text)) for entry in entries])
    _same(pairs, together=True)
    _same(pairs, together=False)
    _headings(pairs)
    _titles(pairs)
    _parts(pairs)
    for shape in ("scenario", "sentence"):
        _alike(pairs, shape, ALIKE)
        _in_place(pairs, shape)
    _alike(pairs, "heading", ALIKE)
    return pairs


def compare(lock: Lock, entries: Sequence[Entry]) -> tuple[Link, ...]:
    """Give a link for each accepted sentence, in the order of the lock, and for each new one after what it follows."""
    pairs = match(lock, entries)
    names = names_of(lock, entries)
    links = [_link(lock, pairs, names, at) for at in range(len(pairs.old))]
    fresh: dict[int, list[Link]] = defaultdict(list)
    last = -1
    for at in range(len(pairs.new)):
        if at in pairs.of_new:
            last = pairs.of_new[at][-1]
        else:
            fresh[last].append(_missing(lock, pairs, names, at))
    found = [*fresh[-1]]
    for at, link in enumerate(links):
        found += [link, *fresh[at]]
    return tuple(found)


def names_of(lock: Lock, entries: Sequence[Entry]) -> tuple[list[str], list[str]]:
    """Give the ids of the lock's and of the text's sentences: `specification@` and eight digits of the fingerprint."""
    accepted, texts = (
        _numbered(f"{lock.specification}@{mark[:8]}" for mark in marks)
        for marks in ((one.fingerprint for one in lock.sentences), (one.fingerprint for one in entries))
    )
    return accepted, texts


def _numbered(names: Iterable[str]) -> list[str]:
    """Tell the second of two equal names from the first: "a", "a.2"."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
    return found


def _same(pairs: Pairs, *, together: bool) -> None:
    """Pair what has the same words; under the same heading first, since a sentence may stand twice."""
    by_mark: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for at, one in enumerate(pairs.new):
        if at not in pairs.of_new:
            by_mark[one.entry.shape == "scenario", one.entry.fingerprint].append(at)
    for at, one in enumerate(pairs.old):
        fits = by_mark[one.shape == "scenario", one.sentence.fingerprint] if at not in pairs.of_old else []
        found = next((new for new in fits if not together or pairs.together(at, new)), None)
        if found is not None:
            fits.remove(found)
            pairs.pair((at,), (found,), None if together or one.shape == "heading" else "moved")


def _headings(pairs: Pairs) -> None:
    """Take a new heading for an old one that is gone where most of what stood below is below it now."""
    olds, news = pairs.left("heading")
    for at in olds:
        below = [one for one, old in enumerate(pairs.old) if old.section == pairs.old[at].section and one != at]
        now = Counter(pairs.new[new].entry.section for one in below for new in pairs.of_old.get(one, ()))
        for new in news:
            if new not in pairs.of_new and now[pairs.new[new].entry.text] * 2 > len(below):
                pairs.pair((at,), (new,), "renamed")
                pairs.renamed[pairs.old[at].section] = pairs.new[new].entry.text
                break
    for at, how in pairs.how.items():
        if how == "moved" and pairs.together(at, pairs.of_old[at][0]):
            pairs.how[at] = None


def _titles(pairs: Pairs) -> None:
    """Pair scenarios that have the same title under the same heading, and those that have the same steps."""
    olds, news = pairs.left("scenario")
    tests: tuple[tuple[Callable[[int, int], bool], Change], ...] = (
        (lambda old, new: pairs.together(old, new) and _title(pairs, old) == _new_title(pairs, new), "reworded"),
        (lambda old, new: _steps(pairs.old[old].sentence.text) == _steps(pairs.new[new].entry.text) != "", "renamed"),
    )
    for fits, how in tests:
        for at in olds:
            found = next((new for new in news if new not in pairs.of_new and fits(at, new)), None)
            if at not in pairs.of_old and found is not None:
                pairs.pair((at,), (found,), how)


def _title(pairs: Pairs, old: int) -> list[str]:
    return pairs.old[old].sentence.text.partition("\n")[0].split()


def _new_title(pairs: Pairs, new: int) -> list[str]:
    return pairs.new[new].entry.text.partition("\n")[0].split()


def _steps(text: str) -> str:
    return " ".join(text.partition("\n")[2].split())


def _parts(pairs: Pairs) -> None:
    """Find sentences that were split into several, and several that became one."""
    olds, news = pairs.left("sentence")
    for at in olds:
        whole = pairs.old[at].words
        single = max((likeness(whole, pairs.new[new].words) for new in news), default=0.0)
        for run in _runs([new for new in news if new not in pairs.of_new]):
            parts = [pairs.new[new].words for new in run]
            if _made_of(whole, parts, single):
                pairs.pair((at,), run, "split")
                break
    olds, news = pairs.left("sentence")
    for new in news:
        whole = pairs.new[new].words
        single = max((likeness(pairs.old[old].words, whole) for old in olds), default=0.0)
        for run in _runs([old for old in olds if old not in pairs.of_old]):
            parts = [pairs.old[old].words for old in run]
            if _made_of(whole, parts, single):
                pairs.pair(run, (new,), "merged")
                break


def _runs(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Give the runs of neighbours, the shortest ones first."""
    for length in range(2, _PIECES + 1):
        for start in range(len(places) - length + 1):
            run = tuple(places[start : start + length])
            if run[-1] - run[0] == length - 1:
                yield run


def _made_of(whole: tuple[str, ...], parts: Sequence[tuple[str, ...]], single: float) -> bool:
    """Say whether parts make up a whole better than any one of them does, and each has its share."""
    together = likeness(whole, tuple(word for part in parts for word in part))
    return together >= max(_PARTED, single + _GAIN) and all(share(part, whole) >= _MOSTLY for part in parts)


def _alike(pairs: Pairs, shape: Shape, least: float) -> None:
    """Pair what is most alike first; under the same heading a little less is enough."""
    olds, news = pairs.left(shape)
    found = []
    for old in olds:
        for new in news:
            near = pairs.together(old, new)
            like = likeness(pairs.old[old].words, pairs.new[new].words)
            if like >= (ALIKE_NEARBY if near else least):
                found.append((like + 0.1 * near, -abs(old - new), old, new))
    for _, _, old, new in sorted(found, reverse=True):
        if old not in pairs.of_old and new not in pairs.of_new:
            pairs.pair((old,), (new,), "reworded")


def _in_place(pairs: Pairs, shape: Shape) -> None:
    """Pair the only one that is left of an old place with the only one that is new there."""
    olds, news = pairs.left(shape)
    for new in news:
        between = [old for old in olds if old not in pairs.of_old and _same_place(pairs, old, new)]
        beside = [other for other in news if any(_same_place(pairs, old, other) for old in between)]
        if len(between) == len(beside) == 1:
            old = between[0]
            if likeness(pairs.old[old].words, pairs.new[new].words) >= ALIKE_IN_PLACE:
                pairs.pair((old,), (new,), "reworded")


def _same_place(pairs: Pairs, old: int, new: int) -> bool:
    before, after = pairs.of_old.get(old - 1, (-2,))[-1], pairs.of_old.get(old + 1, (-2,))[0]
    return pairs.together(old, new) and (before == new - 1 or after == new + 1)


def _link(lock: Lock, pairs: Pairs, names: tuple[list[str], list[str]], at: int) -> Link:
    """Say what became of one accepted sentence."""
    one = pairs.old[at]
    news = pairs.of_old.get(at, ())
    now = tuple(pairs.new[new].entry for new in news)
    how = pairs.how.get(at)
    state, note = State.OK, None
    if not now:
        state, how, note = State.ORPHANED, None, _gone(pairs, names, at)
    elif how in ("moved", "renamed"):
        note = f"under “{now[0].section}” now" if how == "moved" else f"called “{_called(now[0])}” now"
    elif how is not None:
        state = State.SUSPECT
        how, note = _moved(one, now, how, pairs, at)
    elif _lead_changed(pairs, news[0]):
        state, how = State.SUSPECT, "lead"
        note = "what introduces this list is another text now"
    text = "\n".join(entry.text for entry in now) if how == "split" else " ".join(entry.text for entry in now)
    merged = pairs.of_new[news[0]] if how == "merged" else ()
    accepted = " ".join(pairs.old[other].sentence.text for other in merged) or one.sentence.text
    return Link(
        id=names[0][at],
        state=state,
        shape=one.shape,
        section=now[0].section if now else one.section,
        statements=tuple(f"{lock.specification}/{name}" for name in one.sentence.statements),
        kind=one.sentence.kind,
        accepted=one.sentence.text,
        accepted_lines=one.sentence.lines,
        now=tuple(entry.text for entry in now),
        lines=tuple(entry.lines for entry in now),
        change=how,
        note=note,
        also=tuple(names[0][other] for other in merged if other != at),
        difference=difference(accepted, text) if state is State.SUSPECT and how != "lead" else (),
    )


def _moved(one: Old, now: Sequence[Entry], how: Change, pairs: Pairs, at: int) -> tuple[Change, str | None]:
    """Name what happened to the text."""
    if how == "split":
        return how, f"split into {len(now)} sentences"
    if how == "merged":
        return how, f"one sentence of {len(pairs.of_new[pairs.of_old[at][0]])} now"
    was, is_ = (_verbs(text) for text in (one.sentence.text, now[0].text))
    if was != is_ and one.shape != "heading":
        return "strength", f"{_spoken(was)} became {_spoken(is_)}"
    if one.shape == "scenario" and _title_of(one.sentence.text) != _title_of(now[0].text):
        return "reworded", f"perhaps renamed: “{_title_of(now[0].text)}”"
    return "reworded", None


def _verbs(text: str) -> tuple[str, ...]:
    return tuple({"SHALL": "MUST", "SHALL NOT": "MUST NOT"}.get(verb, verb) for verb in keywords(text))


def _spoken(verbs: tuple[str, ...]) -> str:
    return ", ".join(verb if many == 1 else f"{many} {verb}" for verb, many in Counter(verbs).items()) or "no modal verb"


def _title_of(text: str) -> str:
    return text.partition("\n")[0].partition(":")[2].strip()


def _called(entry: Entry) -> str:
    return _title_of(entry.text) or entry.text


def _lead_changed(pairs: Pairs, new: int) -> bool:
    """Say whether an item's modal verb stands in a sentence that is not the accepted one."""
    lead = pairs.new[new].entry.lead
    if lead is None:
        return False
    return lead not in pairs.of_new or pairs.how[pairs.of_new[lead][0]] not in (None, "moved")


def _gone(pairs: Pairs, names: tuple[list[str], list[str]], at: int) -> str | None:
    """Propose where the text of an orphaned sentence went."""
    one = pairs.old[at]
    for news in pairs.of_old.values():
        entry = pairs.new[news[0]]
        was = {word for old in pairs.of_new[news[0]] for word in pairs.old[old].words}
        if entry.entry.shape == one.shape and _grew(one.words, entry.words, was):
            return f"perhaps merged into “{_short(entry.entry.text)}”"
    return None


def _missing(lock: Lock, pairs: Pairs, names: tuple[list[str], list[str]], at: int) -> Link:
    """Tell of a sentence that the lock does not have, and propose where it may come from."""
    one = pairs.new[at]
    return Link(
        id=names[1][at],
        state=State.MISSING,
        shape=one.entry.shape,
        section=one.entry.section,
        statements=(),
        kind=None,
        accepted=None,
        accepted_lines=None,
        now=(one.entry.text,),
        lines=(one.entry.lines,),
        note=_origin(lock, pairs, at),
        demands=one.entry.shape == "scenario" or one.entry.level is not None,
    )


def _origin(lock: Lock, pairs: Pairs, at: int) -> str | None:
    one = pairs.new[at]
    if removed := next((gone for gone in lock.removed if gone.fingerprint == one.entry.fingerprint), None):
        return f"was removed on {removed.on}: {removed.reason}"
    for old, news in pairs.of_old.items():
        now = {word for new in news for word in pairs.new[new].words}
        if pairs.old[old].shape == one.entry.shape and _grew(one.words, pairs.old[old].words, now):
            names = ", ".join(pairs.old[old].sentence.statements)
            return f"perhaps split from “{_short(pairs.old[old].sentence.text)}”" + (f" ({names})" if names else "")
    orphans = [(likeness(pairs.old[old].words, one.words), old) for old in pairs.left(one.entry.shape)[0]]
    like, old = max(orphans, default=(0.0, -1))
    if like >= ALIKE_IN_PLACE:
        return f"perhaps “{_short(pairs.old[old].sentence.text)}”, rewritten"
    return None


def _grew(part: tuple[str, ...], whole: tuple[str, ...], without: set[str]) -> bool:
    """Say whether the words that a text has more of than another are mostly those of a part."""
    more = set(whole) - without
    own = set(part) - without
    return len(own) > 1 and share(own, more) >= _MOSTLY


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:60].rsplit(' ', 1)[0]} …"
