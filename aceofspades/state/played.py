"""The texts that the contest is played by: those in force, and the last that could be read of those
that cannot.

A regulation that replaces another follows on it as a new version does. What is not public is never
played for what is: what everybody is told would tell of it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from django.db.models import QuerySet

from aceofspades.models import Regulation
from aceofspades.rules.charts import Charts
from aceofspades.state.book import RegulationInBook
from nomic.engine.table import Table
from nomic.rulebook.last_readable import Unread, Version, last_readable
from nomic.rulebook.models import RuleVersion

type Book = Sequence[RegulationInBook]
type Reads = Callable[[Book], Charts]


def as_played(table: Table, book: Book, reads: Reads) -> tuple[Book, tuple[Unread, ...]]:
    """The regulations with the texts that they are played by, and which public ones these are not
    in force of."""
    public, unread = _readable(table, [each for each in book if each.is_public], reads)
    hidden = [each for each in book if not each.is_public]
    every = sorted([*public, *hidden], key=lambda each: each.number)
    return _readable(table, every, reads, are_hidden=True)[0], unread


def _readable(
    table: Table, book: Book, reads: Reads, *, are_hidden: bool = False
) -> tuple[Book, tuple[Unread, ...]]:
    """The same where all can be read; of public ones, or of hidden ones alone, their last texts
    that could."""
    if not reads(book).faults:
        return book, ()
    known = {each.title: each for each in book}

    def laid(texts: dict[str, str]) -> Book:
        return [replace(known[title], text=text) for title, text in texts.items()]

    def earlier(title: str) -> list[tuple[Version, str]]:
        own = known[title]
        return list(_earlier(table, own)) if own.is_public != are_hidden else []

    texts = {title: each.text for title, each in known.items()}
    played, unread = last_readable(texts, lambda own: reads(laid(dict(own))).faults, earlier)
    titles = {title: table.rules.by_pk(each.pk).title for title, each in known.items()}
    return laid(played), tuple(replace(each, rule=titles[each.rule]) for each in unread)


def _earlier(table: Table, own: RegulationInBook) -> Iterator[tuple[Version, str]]:
    """The texts before that in force, the newest first, with those of the regulations that it and
    they have replaced; at last none at all."""
    version = table.rules.by_pk(own.pk).version
    yield from _versions(own.pk).filter(number__lt=version).values_list("number", "text")
    replaced = Regulation.objects.filter(
        contest__game=table.game, number=own.number, gone_in__isnull=False
    )
    since = own.enacted_in
    for each in replaced.select_related("rule").order_by("-gone_in"):
        if each.gone_in != since or (own.is_public and each.rule.visibility != "public"):
            break
        since = each.rule.enacted_in
        for number, text in _versions(each.rule_id).values_list("number", "text"):
            yield f"{number} of the one repealed in entry {each.gone_in}", text
    yield None, ""


def _versions(rule: int) -> QuerySet[RuleVersion]:
    return RuleVersion.objects.filter(rule_id=rule).order_by("-number")
