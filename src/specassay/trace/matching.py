"""Pairs the sentences of a lock with those of a specification's text as it stands.

Certain things come first: the same words are the same sentence wherever they stand, so that formatting and reordering
are nothing. What is left is paired by title, by likeness and by place.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from specassay.trace.lock import Kind, Lock, Sentence
from specassay.trace.record import Change
from specassay.trace.source import Entry, Shape
from specassay.trace.words import likeness, share, words

ALIKE = 0.6
"""From this likeness on, two sentences are taken for one that was reworded."""
ALIKE_NEARBY = 0.5
ALIKE_IN_PLACE = 0.3
_PARTED = 0.7  # how much of a sentence is in those that it was split into
_GAIN = 0.1  # and how much more that is than in any one of them
_PIECES = 3
MOSTLY = 0.6


@dataclass(frozen=True, slots=True)
class Old:
    """A sentence of the lock; `section` is the heading that it stood under."""

    sentence: Sentence
    section: str
    words: tuple[str, ...]

    @property
    def shape(self) -> Shape:
        """Give what it is in the text."""
        return shape_of(self.sentence)


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
    olds = [Old(one, section, words(one.text)) for one, section in with_sections(lock, entries)]
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
    _elsewhere(pairs)
    return pairs


def shape_of(sentence: Sentence) -> Shape:
    """Give what a sentence of a lock is in the text."""
    found: dict[Kind, Shape] = {Kind.SCENARIO: "scenario", Kind.HEADING: "heading"}
    return found.get(sentence.kind, "sentence")


def with_sections(lock: Lock, entries: Sequence[Entry] = ()) -> Iterator[tuple[Sentence, str]]:
    """Give each sentence of a lock with the heading that it stands under; what heads nothing in the text is none."""
    inner = {one.fingerprint for one in entries if one.shape != "heading" or one.section != one.text}
    section = ""
    for one in lock.sentences:
        section = one.text if one.kind is Kind.HEADING and one.fingerprint not in inner else section
        yield one, section


def _same(pairs: Pairs, *, together: bool) -> None:
    """Pair what has the same words; under the same heading first, since a sentence may stand twice."""
    by_mark: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for at, new in enumerate(pairs.new):
        if at not in pairs.of_new:
            by_mark[new.entry.shape == "scenario", new.entry.fingerprint].append(at)
    for at, one in enumerate(pairs.old):
        fits = by_mark[one.shape == "scenario", one.sentence.fingerprint] if at not in pairs.of_old else []
        found = next((place for place in fits if not together or pairs.together(at, place)), None)
        if found is not None:
            fits.remove(found)
            pairs.pair((at,), (found,), None)


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


def _elsewhere(pairs: Pairs) -> None:
    """Find what stands under another heading now, where both headings were there before and still are."""
    stay = {old.section for old in pairs.old} & {new.entry.section for new in pairs.new}
    for at, how in pairs.how.items():
        new = pairs.of_old[at][0]
        between = {pairs.old[at].section, pairs.new[new].entry.section}
        if how is None and pairs.old[at].shape != "heading" and len(between) > 1 and between <= stay:
            pairs.how[at] = "moved"


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
        free = [new for new in news if new not in pairs.of_new and pairs.together(at, new)]
        if run := _made_of(pairs.old[at].words, {new: pairs.new[new].words for new in free}):
            pairs.pair((at,), run, "split")
    olds, news = pairs.left("sentence")
    for at in news:
        free = [old for old in olds if old not in pairs.of_old and pairs.together(old, at)]
        if run := _made_of(pairs.new[at].words, {old: pairs.old[old].words for old in free}):
            pairs.pair(run, (at,), "merged")


def _made_of(whole: tuple[str, ...], parts: Mapping[int, tuple[str, ...]]) -> tuple[int, ...] | None:
    """Find the neighbours that together make up a whole, better than any one of them and each with its share."""
    single = max((likeness(whole, part) for part in parts.values()), default=0.0)
    found = []
    for run in _runs(list(parts)):
        together = likeness(whole, tuple(word for at in run for word in parts[at]))
        if together >= max(_PARTED, single + _GAIN) and all(share(parts[at], whole) >= MOSTLY for at in run):
            found.append((together, run))
    return max(found)[1] if found else None


def _runs(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Give the runs of neighbours, the shortest ones first."""
    for length in range(2, _PIECES + 1):
        for start in range(len(places) - length + 1):
            run = tuple(places[start : start + length])
            if run[-1] - run[0] == length - 1:
                yield run


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
