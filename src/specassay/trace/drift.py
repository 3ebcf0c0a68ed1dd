"""What became of each accepted sentence in a specification's text as it stands now.

The same words under the same heading are the same sentence: formatting and reordering are nothing. Every other pair is
`suspect` until somebody accepts it; what has no other half is `orphaned`, or `missing` in the lock.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from specassay.trace.lock import Lock
from specassay.trace.matching import ALIKE_IN_PLACE, MOSTLY, Old, Pairs, match
from specassay.trace.record import Change, Link, State
from specassay.trace.source import Entry
from specassay.trace.statements import keywords
from specassay.trace.words import difference, likeness, share

_QUOTE = 60


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


def _link(lock: Lock, pairs: Pairs, names: tuple[list[str], list[str]], at: int) -> Link:
    """Say what became of one accepted sentence."""
    one = pairs.old[at]
    news = pairs.of_old.get(at, ())
    now = tuple(pairs.new[new].entry for new in news)
    how = pairs.how.get(at)
    state, note = State.OK, None
    if not now:
        state, how, note = State.ORPHANED, None, _gone(pairs, names, at)
    elif how == "moved":
        state, note = State.SUSPECT, f"the same words, under “{now[0].section}” now"
    elif how == "renamed":
        note = f"called “{_called(now[0])}” now"
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
        difference=difference(accepted, text) if state is State.SUSPECT and how not in ("lead", "moved") else (),
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
    return (
        ", ".join(verb if many == 1 else f"{many} {verb}" for verb, many in Counter(verbs).items()) or "no modal verb"
    )


def _title_of(text: str) -> str:
    return text.partition("\n")[0].partition(":")[2].strip()


def _called(entry: Entry) -> str:
    return _title_of(entry.text) or entry.text


def _lead_changed(pairs: Pairs, new: int) -> bool:
    """Say whether an item's modal verb stands in a sentence that is not the accepted one."""
    lead = pairs.new[new].entry.lead
    if lead is None:
        return False
    return lead not in pairs.of_new or pairs.how[pairs.of_new[lead][0]] is not None


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
    return len(own) > 1 and share(own, more) >= MOSTLY


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTE else f"{line[:_QUOTE].rsplit(' ', 1)[0]} …"
