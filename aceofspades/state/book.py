"""Regulations as the contest has them: their numbers, who knows which, and the texts that it is
played by: those in force, and the last that could be read of those that cannot.

A regulation that replaces another follows on it as a new version does. What is not public is never
played for what is: what everybody is told would tell of it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.db.models import QuerySet

from aceofspades.models import Contestant, NeedToKnow, Regulation
from aceofspades.rules.charts import Charts
from nomic.engine.table import Table
from nomic.rulebook.charts import Gap
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.last_readable import Texts, Unread, Version, last_readable
from nomic.rulebook.models import RuleVersion
from nomic.rulebook.tables import TableBroken

_CALLED = re.compile(r"Regulation ([0-9]{1,4})\b")


@dataclass(frozen=True, slots=True)
class RegulationInBook:
    """A regulation in force. Its number is everybody's to know; the text is for view.py to show,
    unless it is public. `enacted_in` is the entry in which it took effect."""

    pk: int
    number: int
    rule_class: str
    visibility: str
    text: str = field(repr=False)
    enacted_in: int = 0

    @property
    def title(self) -> str:
        """The title of its rule in the rulebook."""
        return f"Regulation {self.number}"

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.visibility == "public"

    @property
    def is_immutable(self) -> bool:
        """Whether only the consent of all changes it."""
        return self.rule_class == "immutable"


def number_of(rule: RuleText) -> int | None:
    """The number by which the contest has that rule: what it was first called says it. Another
    number or title that the game gives it later makes it no other regulation."""
    called = _CALLED.match(rule.known_as) or _CALLED.match(rule.title)
    return int(called[1]) if called else None


def grant_need_to_know(regulation: int, contestant: Contestant, entry: int, *, full: bool) -> None:
    """Let the contestant have need to know for the regulation of that key; full stays full."""
    row = NeedToKnow(regulation_id=regulation, contestant=contestant, full=full, entry=entry)
    if full:
        NeedToKnow.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["regulation", "contestant"],
            update_fields=["full", "entry"],
        )
    else:
        NeedToKnow.objects.bulk_create([row], ignore_conflicts=True)


type Book = Sequence[RegulationInBook]
type Reads = Callable[[Book], Charts]
type Played = tuple[Book, tuple[Unread, ...]]


def as_played(table: Table, book: Book, reads: Reads) -> Played:
    """The regulations with the texts that they are played by, and which public ones these are not
    in force of.

    A table that a regulation had and that none has any more cannot be read either.
    """
    own = _Earlier(table, reads)
    public, unread = own.readable([each for each in book if each.is_public])
    hidden = [each for each in book if not each.is_public]
    every = sorted([*public, *hidden], key=lambda each: each.number)
    return own.readable(every, are_hidden=True)[0], unread


@dataclass
class _Earlier:
    """The regulations' texts before those in force."""

    table: Table
    reads: Reads

    def readable(self, book: Book, *, are_hidden: bool = False) -> Played:
        """The same where all can be read; of public ones, or of hidden ones alone, their last texts
        that could."""
        charts = self.reads(book)
        if not (charts.faults or charts.gaps):
            return book, ()
        known = {each.title: each for each in book}

        def laid(texts: Texts) -> Book:
            return [replace(known[title], text=text) for title, text in texts.items()]

        def earlier(title: str) -> list[tuple[Version, str]]:
            own = known[title]
            return list(self._of(own)) if own.is_public != are_hidden else []

        def faults_in(texts: Texts) -> list[TableBroken]:
            return self.reads(laid(texts)).faults

        def gaps_in(texts: Texts) -> list[Gap]:
            return self.reads(laid(texts)).gaps

        texts = {title: each.text for title, each in known.items()}
        played, unread = last_readable(texts, faults_in, earlier, gaps_in)
        titles = {title: self.table.rules.find(each.pk).title for title, each in known.items()}
        return laid(played), tuple(replace(each, rule=titles[each.rule]) for each in unread)

    def _of(self, own: RegulationInBook) -> Iterator[tuple[Version, str]]:
        """The texts before that in force, the newest first, with those of the regulations that it
        and they have replaced; at last none at all."""
        version = self.table.rules.find(own.pk).version
        if version > 1:
            yield from _versions(own.pk).filter(number__lt=version).values_list("number", "text")
        since = own.enacted_in
        for each in self._gone.get(own.number, ()):
            if each.gone_in != since or (own.is_public and each.rule.visibility != "public"):
                break
            since = each.rule.enacted_in
            for number, text in _versions(each.rule_id).values_list("number", "text"):
                yield f"{number} of the one repealed in entry {each.gone_in}", text
        yield None, ""

    @cached_property
    def _gone(self) -> dict[int, list[Regulation]]:
        """The regulations in force no more, by their numbers, of each the last one first."""
        found: dict[int, list[Regulation]] = {}
        gone = Regulation.objects.filter(contest__game=self.table.game, gone_in__isnull=False)
        for each in gone.select_related("rule").order_by("-gone_in"):
            found.setdefault(each.number, []).append(each)
        return found


def _versions(rule: int) -> QuerySet[RuleVersion]:
    return RuleVersion.objects.filter(rule_id=rule).order_by("-number")
