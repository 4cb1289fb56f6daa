"""The figures in the tables of the regulations in force. No Django here.

A part of the contest is found by its table's headings, in the regulation that has such a table; of
several, in that which has precedence (101). Where none has it, that part is off: no shipped text
stands in for it. A number in a cell is a whole one.

=== ============================================== ==============================================
101 IMMUTABLE REGULATION | NUMBER                  First; Last
107 PROPOSED REGULATION | NUMBER                   At least; Less than
110 VOTE | HOURS                                   Decided from
114 REMEDY | WHAT IT TAKES                         Days from the announcement;
                                                   Objections that prevent it;
                                                   Support that does it at once: “a majority”,
                                                   or “none”
119 MARKING REGULATION | NUMBER                    From
121 SEMIGENIUS | HOURS                             Another Finalist after
122 MOMENT OF RECKONING | DAYS                     Not before; At the latest
123 SUIT ALWAYS DEFINED | LEAST IN THE DECK        one row, the suit
124 MADE FOR A NEW CONTESTANT | CARDS              a row a suit
124 MADE FOR AN EMPTY HAND | CARDS                 a row a suit
200 DAY OF THE RECKONING | WHEN                    Set for: “70 days after the contest begins”, or
                                                   a date such as 2002-05-15
205 SUIT | COLOUR                                  a row a suit; a colour's name, #rrggbb or –
210 DECK FILLED | CARDS OF EACH SUIT               When this takes effect
210 DECK REFILLED | CARDS                          When fewer are left than; Made of each suit
215 DEALT TO A NEW CONTESTANT | CARDS              From the deck
215 NO CARDS FOR NEWCOMERS | HOURS                 Before the Reckoning
245 FEE FOR A SECRET REGULATION | CARDS OF EACH SUIT
                                                   Paid to the deck
250 ACT WITHOUT OBJECTION | WHAT IT TAKES          as 114
999 TIE FOR THE HIGHEST WORTH | CARDS              Dealt to each tied hand
=== ============================================== ==============================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType

from aceofspades.rulebook import shipped_texts
from aceofspades.rules.tables import TABLES, Tables, find
from nomic.games.calendars import midnight
from nomic.governance.rules import MotionTerms
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.charts import EMPTY_CELLS, Gap, RuleTable, cut, unless_broken
from nomic.rulebook.last_readable import Figure, faults, figures_of
from nomic.rulebook.tables import TableBroken

LONGEST_SUIT = 30
MOST_SUITS = 20
_SUIT = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")
_COLOUR = re.compile(r"[a-z]{3,20}|#[0-9a-f]{6}")
_MOST_NUMBER = 9_999
_MOST_HOURS = 10_000
_MOST_DAYS = 10_000
_MOST_VOICES = 1_000
_MOST_MADE = 1_000
_MOST_DEALT = 100
_FIRST_YEAR, _LAST_YEAR = 1970, 2999
_DAYS_AFTER = re.compile(r"([0-9]{1,6}) days? after the contest begins")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Refill:
    """If fewer than `below` cards are ever in the deck, `of_each` suit are made before the next one
    is dealt."""

    below: int
    of_each: int

    def is_for(self, cards: int) -> bool:
        """Whether a deck of so many cards is to be refilled."""
        return self.of_each > 0 and cards < self.below


@dataclass(frozen=True, slots=True)
class DealTerms:
    """The terms of a deal: the suits in their order, how many cards of which the deck is
    `never_without`, and its refill."""

    suits: tuple[str, ...]
    never_without: Mapping[str, int]
    refill: Refill | None


@dataclass(frozen=True, slots=True)
class Tie:
    """The regulation that marks a tie for the highest worth anew, and by how many cards a hand."""

    number: int
    cards: int


def _of[Read](part: str, read: Callable[[RuleTable], Read]) -> Figure[Read | None]:
    """A figure that `read` takes from a part's table; None where the part is off."""

    def figure(charts: Charts) -> Read | None:
        table = charts._table(part)
        return None if table is None else read(table)

    return Figure(figure)


def _whole(part: str, row: str, at_least: int, at_most: int) -> Figure[int | None]:
    """The number in that row of a part's table; None where the part is off."""
    return _of(part, lambda table: table.whole(row, table.columns[1], at_least, at_most))


def _hours(part: str, row: str, at_least: int) -> Figure[timedelta | None]:
    """A figure of a number of hours, at least `least`; None where the part is off."""

    def read(table: RuleTable) -> timedelta:
        return timedelta(hours=table.whole(row, table.columns[1], at_least, _MOST_HOURS))

    return _of(part, read)


def _numbers(table: RuleTable, first: str, last: str, beyond: int) -> range:
    """The numbers from one row's to another's, which is `beyond` the last of them."""
    start = table.whole(first, "NUMBER", 1, _MOST_NUMBER)
    end = table.whole(last, "NUMBER", start + beyond, _MOST_NUMBER + beyond)
    return range(start, end + 1 - beyond)


def _bounds(table: RuleTable) -> tuple[int, int]:
    earliest = table.whole("Not before", "DAYS", 0, _MOST_DAYS)
    latest = table.whole("At the latest", "DAYS", 0, _MOST_DAYS)
    if earliest > latest:
        raise table.broken(f"has {earliest} days as the earliest and {latest} as the latest.")
    return earliest, latest


def _set_day(table: RuleTable) -> int | date:
    cell = table.cell("Set for", "WHEN")
    words = " ".join(cell.casefold().split()).removesuffix(".")
    if after := _DAYS_AFTER.fullmatch(words):
        return table.as_whole(after[1].lstrip("0") or "0", " as days", 0, _MOST_DAYS)
    day = None
    if _DATE.fullmatch(words):
        with suppress(ValueError):
            day = date.fromisoformat(words)
    if day is None or not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise table.broken(
            f"has “{cut(cell)}” under WHEN instead of a number of days after the contest begins"
            f" or a date from {_FIRST_YEAR} to {_LAST_YEAR}, such as 2002-05-15."
        )
    return day


def _refill(table: RuleTable) -> Refill:
    below = table.whole("When fewer are left than", "CARDS", 0, _MOST_MADE)
    return Refill(below, table.whole("Made of each suit", "CARDS", 0, _MOST_MADE))


def _terms(table: RuleTable) -> MotionTerms:
    column = table.columns[1]
    days = table.whole("Days from the announcement", column, 0, _MOST_DAYS)
    objections = table.whole("Objections that prevent it", column, 1, _MOST_VOICES)
    cell = table.cell("Support that does it at once", column)
    support = cell.casefold()
    if support not in ("a majority", "none"):
        raise table.broken(f"has “{cut(cell)}” as support instead of “a majority” or “none”.")
    by_support = support == "a majority"
    return MotionTerms(timedelta(days=days), objections, by_support, prevent=True)


class Charts:
    """The tables of some regulations, each read when it is asked for.

    A property is None, or an empty mapping or tuple, where its part is off. It raises TableBroken
    where its table cannot be played by, so that only what needs that table is held up by it. Of
    hidden regulations only tables of worths count.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def where(self, part: str) -> str:
        """The regulation that has that part's table; "" where the part is off."""
        table = self._table(part)
        return "" if table is None else table.rule

    def left_to(self, number: int) -> list[str]:
        """The parts for which the regulation of that number would be played by, if it had a table:
        those for which none that prevails over it has one (101)."""
        taken = self._taken.items()
        return [part for part, by in taken if by is None or not self._tables.prevails(by, number)]

    @cached_property
    def _taken(self) -> dict[str, int | None]:
        """The regulation that is played by for each part, None where there is none."""
        tables = {part: unless_broken(partial(self._tables.of, part), None) for part in TABLES}
        return {part: table[0] if table else None for part, table in tables.items()}

    # The book

    immutable = _of("immutable", lambda table: _numbers(table, "First", "Last", 0))
    """The numbers of immutable regulations."""
    proposable = _of("proposable", lambda table: _numbers(table, "At least", "Less than", 1))
    """The numbers that a proposed mutable regulation may have."""
    decided_after = _hours("vote", "Decided from", at_least=0)
    """How long after it was put up for vote a proposal can be decided."""
    remedy = _of("remedy", _terms)
    """What the remedies of a judgement take."""
    without_objection = _of("without_objection", _terms)
    """What it takes to publish a secret regulation or to give a hint."""

    # The marks and the Reckoning

    marking_from = _whole("marking", "From", 1, _MOST_NUMBER)
    """The lowest number that a Marking Regulation can have."""

    def is_marking(self, number: int) -> bool:
        """Whether a regulation of that number is a Marking Regulation."""
        return self.marking_from is not None and number >= self.marking_from

    @Figure
    def tie(self) -> Tie | None:
        """How a tie for the highest worth is marked anew."""
        numbered_table = self._tables.of("tie")
        if numbered_table is None:
            return None
        number, table = numbered_table
        return Tie(number, table.whole("Dealt to each tied hand", "CARDS", 0, _MOST_DEALT))

    next_finalist_after = _hours("semigenius", "Another Finalist after", at_least=1)
    """How long after one Finalist became Semigenius the next one does."""

    def earliest(self, begin: datetime) -> datetime | None:
        """The first moment that may be the Moment of Reckoning of a contest that began then."""
        return None if self._bounds is None else _day(begin, self._bounds[0])

    def latest(self, begin: datetime) -> datetime | None:
        """The moment in which the Moment of Reckoning comes if there was none before."""
        return None if self._bounds is None else _day(begin, self._bounds[1])

    def reckoning(self, begin: datetime) -> datetime | None:
        """The Moment of Reckoning of a contest that began then: the day that is set, moved to the
        earliest or latest where it lies outside; the latest where none is set."""
        earliest, latest, day = self.earliest(begin), self.latest(begin), self._set_day
        if day is None:
            return latest
        moment = _day(begin, day) if isinstance(day, int) else datetime.combine(day, time(), UTC)
        if earliest is None or latest is None:
            return moment
        return min(max(moment, earliest), latest)

    _bounds = _of("bounds", _bounds)
    _set_day = _of("day", _set_day)

    # The cards

    @cached_property
    def always(self) -> str:
        """The suit that is always defined, into which undefined ones turn; "" where that is off."""
        return next(iter(self.least_mauve), "")

    @cached_property
    def least_mauve(self) -> Mapping[str, int]:
        """The suit that is always defined, and how many cards of it the deck is never without."""
        table = self._table("always")
        if table is None:
            return MappingProxyType({})
        if len(table.rows) != 1:
            raise table.broken("has to have one row, with the suit that is always defined.")
        suit = as_suit(table, next(iter(table.rows)))
        return MappingProxyType({suit: table.whole(suit, "LEAST IN THE DECK", 0, _MOST_MADE)})

    @cached_property
    def suits(self) -> tuple[str, ...]:
        """The suits that are defined, in their order."""
        return tuple(self.colours)

    @Figure
    def colours(self) -> Mapping[str, str]:
        """The colour of each suit, in the suits' order; "" for one that is not given or is no
        colour."""
        table = self._table("suits")
        colours = {} if table is None else colours_in(table)
        always = {suit: "" for suit in self.least_mauve if suit not in colours}
        twice = doubled([*always, *colours])
        if table is not None and twice:
            raise table.broken(f"has “{twice}” in two spellings.")
        return MappingProxyType({**always, **colours})

    made_for_new = Figure[Mapping[str, int]](lambda charts: charts._cards("made_for_new"))
    """The cards that are made in the hand of who becomes a contestant for the first time."""
    made_for_empty = Figure[Mapping[str, int]](lambda charts: charts._cards("made_for_empty"))
    """The cards that are made in an empty hand right before the Moment of Reckoning."""
    refill = _of("refill", _refill)
    """When the deck gets new cards, and how many."""
    dealt_to_new = _whole("dealt_to_new", "From the deck", 0, _MOST_DEALT)
    """How many cards are dealt to who becomes a contestant for the first time."""
    fee = _whole("fee", "Paid to the deck", 0, _MOST_DEALT)
    """What it costs of each suit to read a secret regulation."""
    too_late = _hours("too_late", "Before the Reckoning", at_least=0)
    """How long before the Reckoning newcomers get no cards."""

    @cached_property
    def deal_terms(self) -> DealTerms:
        """The terms of every deal; raises TableBroken."""
        return DealTerms(self.suits, self.least_mauve, self.refill)

    @cached_property
    def faults(self) -> list[TableBroken]:
        """The faults of the tables that cannot be played by as they read."""
        fillings = (partial(self.filling_of, number) for number in self._tables.texts)
        return faults(chain(figures_of(self), fillings))

    @cached_property
    def gaps(self) -> list[Gap]:
        """The tables that no regulation has, with each regulation that may have had them."""
        missing = [
            part for part in TABLES if unless_broken(partial(self._table, part), True) is None
        ]
        return [
            Gap(
                rule,
                f"The text of {rule} has no table “{TABLES[part][0]}” any more.",
                partial(self._tables.has, part, rule),
            )
            for part in missing
            for rule in map("Regulation {}".format, self._tables.texts)
        ]

    def filling_of(self, number: int) -> int | None:
        """How many cards of each suit are made when the regulation of that number takes effect."""
        return _filled(self._tables.within(number, "filling"))

    # How a table is found and read

    def _table(self, part: str) -> RuleTable | None:
        numbered_table = self._tables.of(part)
        return None if numbered_table is None else numbered_table[1]

    def _cards(self, part: str) -> Mapping[str, int]:
        table = self._table(part)
        if table is None:
            return MappingProxyType({})
        for suit in table.rows:
            if suit not in self.suits:
                raise table.broken(f"has “{cut(suit)}”, which is no suit.")
        cards = {suit: table.whole(suit, "CARDS", 0, _MOST_DEALT) for suit in table.rows}
        return MappingProxyType(cards)


def charts_from(
    regulations: Iterable[tuple[int, str]],
    hidden: Iterable[int] = (),
    immutable: Iterable[int] = (),
) -> Charts:
    """The charts of these regulations in force, numbers and texts, read once for the same ones.

    Errors quote nothing of those with a `hidden` number, whose tables count for worths alone. Those
    with an `immutable` one have precedence over all others, and within both the lower number has it
    (101).
    """
    book = tuple(regulations)
    return _read(Tables(book, frozenset(hidden), frozenset(immutable)))


_read = memoized(share=0.04)(Charts)


def shipped_charts() -> Charts:
    """The charts of the regulations that a contest starts with."""
    return charts_from(shipped_texts())


def filling(text: str) -> int | None:
    """How many cards of each suit are made as the regulation with this text takes effect.

    None where it makes none; TableBroken where its table says no number.
    """
    return _filled(find("filling", text, "This regulation"))


def _filled(table: RuleTable | None) -> int | None:
    if table is None:
        return None
    return table.whole("When this takes effect", table.columns[1], 0, _MOST_MADE)


def _day(begin: datetime, days: int) -> datetime:
    return midnight(begin) + timedelta(days=days)


# Suits as a table names them


def colours_in(table: RuleTable) -> dict[str, str]:
    """The suits of a table in their order, each with its colour; "" for one that is no colour.

    Only pictures need a colour, so that a wrong one holds up nothing.
    """
    if len(table.rows) > MOST_SUITS:
        raise table.broken(f"has more than {MOST_SUITS} suits.")
    colours = {}
    for suit in table.rows:
        cell = table.cell(suit, "COLOUR").casefold()
        is_colour = cell not in EMPTY_CELLS and _COLOUR.fullmatch(cell)
        colours[as_suit(table, suit)] = cell if is_colour else ""
    return colours


def as_suit(table: RuleTable, name: str) -> str:
    """That name, if a suit can have it; raises TableBroken."""
    if len(name) > LONGEST_SUIT or not _SUIT.fullmatch(name):
        raise table.broken(
            f"has “{cut(name)}” as a suit; a suit's name is of letters, up to {LONGEST_SUIT}."
        )
    return name


def doubled(names: list[str]) -> str:
    """The first of these names that stands there twice, but for capitals; "" if none does."""
    folded = [name.casefold() for name in names]
    return next((name for place, name in enumerate(names) if name.casefold() in folded[:place]), "")
