"""The specification's own sentences, as its lock holds them, in words."""

import click

from specassay.catalogue import Specification
from specassay.errors import UsageError
from specassay.results.names import nearest
from specassay.trace.drift import names_of
from specassay.trace.lock import Kind, Lock, Sentence, load, locks

_LISTED = {
    Kind.RESTATEMENT: "Said again, and tested elsewhere",
    Kind.PROCESS: "About the work, and nothing that an implementation could keep or break",
    Kind.INFORMATIVE: "Informative",
}
_COUNTED = {
    Kind.DEMAND: "with a demand",
    Kind.SCENARIO: "scenarios",
    Kind.RESTATEMENT: "said again",
    Kind.PROCESS: "about the work",
    Kind.INFORMATIVE: "informative",
    Kind.HEADING: "headings",
}


def of_statement(statement: str) -> None:
    """Show the sentences of the source that a statement claims."""
    lock = load(statement.partition("/")[0])
    if lock is None:
        return
    for sentence in lock.of(statement):
        click.echo(f"  In {lock.source}, {_place(sentence)}:")
        _text(sentence)


def of_link(name: str) -> None:
    """Show one accepted sentence by the id that a trace gives it. Raises `UsageError` where there is none."""
    names = {id_: (lock, at) for lock in locks() for at, id_ in enumerate(names_of(lock, ())[0])}
    if name not in names:
        raise UsageError(f"no lock has a sentence {name!r}{nearest(name, names)}")
    lock, at = names[name]
    _sentence(lock, lock.sentences[at])


def _sentence(lock: Lock, sentence: Sentence) -> None:
    click.echo(f"In {lock.source} of {lock.specification}, {_place(sentence)}, {sentence.kind.value}:")
    _text(sentence)
    if sentence.statements:
        click.echo(f"  Claimed by {', '.join(f'{lock.specification}/{one}' for one in sentence.statements)}")
    if sentence.reason:
        click.echo(f"  {sentence.reason}")


def _text(sentence: Sentence) -> None:
    for line in sentence.text.splitlines():
        click.echo(f"    {line}")
    if sentence.accepted is not None:
        click.echo(f"    accepted on {sentence.accepted.on}: {sentence.accepted.reason}")


def of_specification(specification: Specification) -> None:
    """Show what a specification holds, and which of its sentences are no demands of their own, with the reasons."""
    click.secho(specification.id, bold=True)
    for requirement in specification.requirements:
        click.echo(f"  {requirement.id}  {requirement.title}")
    lock = load(specification.id)
    if lock is None:
        click.echo("\nIt has no lock yet: where its sentences went is not known.")
        return
    counts = [f"{len(found)} {words}" for kind, words in _COUNTED.items() if (found := lock.listed(kind))]
    click.echo(f"\n{lock.source}: {len(lock.sentences)} sentences: {', '.join(counts)}")
    for kind, title in _LISTED.items():
        if found := lock.listed(kind):
            click.echo(f"\n{title}:")
        for sentence in found:
            click.echo(f"  {_place(sentence)}: {sentence.text}")
            click.echo(f"    {', '.join(sentence.statements) + ': ' if sentence.statements else ''}{sentence.reason}")


def _place(sentence: Sentence) -> str:
    first, last = sentence.lines
    return f"line {first}" if first == last else f"lines {first} to {last}"
