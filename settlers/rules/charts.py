"""The numbers of the isle, as the tables of the rule texts give them. No Django here.

Sentences of the Thug's rule (Protection Money) that say numbers stand in `clauses.toml`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from nomic.rulebook.charts import EMPTY_CELLS, Columns, RuleTable, RuleTables, cut, unless_off
from nomic.rulebook.clauses import clauses_in
from nomic.rulebook.last_readable import Figure, RuleCharts, whole
from nomic.rulebook.tables import TableBroken
from settlers.rulebook import shipped_texts, thug_text
from settlers.rules.injuries import bars_the_injured, injury_steps
from settlers.rules.items import RESOURCES, Items
from settlers.rules.thug import BribeTerms
from settlers.rules.titles import DECK, GIFT, MERCHANT, SEALED, THUG, TITLES, VISITORS

CLAUSES = clauses_in(Path(__file__).with_name("clauses.toml"))
BRIBES = ("ITEMS OF ONE TYPE", "ADDED")
BEGINNING = ("BRIBE VALUE", "NUMBER")
_ADDS = re.compile(r"\badds?\b[^.*]{0,120}?\bbribe value\b")
# No shipped text stands behind this one: a secret ends by words that stand in the rulebook.
_OPENED = ("A VISIT IS OPENED", "WHEN")
FREER_CHANGE = "a changed domain may take any number that it can hold"
AT_A_VICTORY = "victory"
LONGEST_NAME = 60
MOST_BUILDINGS = 1_000
MOST_NUMBER = 1_000
_MOST_HOURS = 10_000
_MOST_CARDS = 1_000
_MOST_PRODUCTIONS = 1_000
_LEAST_RESULTS = 3
_ITEMS = re.compile(r"([0-9]{1,6})\s+([a-z]+(?: [a-z]+)*)")
_OTHERS = "of one other"
_AFTER_ITS_END = re.compile(r"([0-9]{1,6}) productions? after its end")


@dataclass(frozen=True, slots=True)
class Building:
    """A row of the table of Buildings.

    It costs `costs` and `of_one_other` items of a resource that they do not name. The Bonus is
    one of the resources in `bonus`, as many as stand there; none if that is empty. `frees_change`
    is the Church's: a changed Domain may take any number.
    """

    name: str
    costs: Items
    of_one_other: int
    bonus: Items
    frees_change: bool


_NO_BUILDINGS = RuleTable(GIFT, ("BUILDING", "COST", "HARVEST BONUS"), {})


@dataclass(frozen=True, slots=True)
class Opening:
    """When a past visit of the Thug is opened.

    `by_onlooker` is after how many Productions the Onlooker may, None for never; `by_itself` is
    the same for the program, or AT_A_VICTORY.
    """

    by_onlooker: int | None
    by_itself: int | str | None


class Charts(RuleCharts):
    """The tables of the isle's rules, each read when it is asked for.

    No shipped text stands behind the Thug and The Sealed Visits.
    """

    titles = TITLES
    known: ClassVar[Mapping[str, tuple[Columns, ...]]] = {
        GIFT: (
            ("NUMBER", "YIELD"),
            ("CHANGE OF A DOMAIN", "BY AT MOST"),
            ("BUILDING", "COST", "HARVEST BONUS"),
            ("TRADE", "ITEMS"),
            ("VICTORY", "BUILDINGS"),
        ),
        DECK: (("RESULT", "CARDS"), ("DECK", "CARDS"), ("PRODUCTION", "HOURS")),
        VISITORS: (("Roll", "Visitor"), ("VISITOR ARRIVAL", "HOURS")),
        MERCHANT: (("MERCHANT", "ITEMS"),),
    }
    beside: ClassVar[Mapping[str, tuple[Columns, ...]]] = {
        SEALED: (_OPENED,),
        THUG: (BEGINNING, BRIBES),
    }
    open_tables = frozenset(
        {"NUMBER", "RESULT", "BUILDING", "Roll", "VICTORY", "ITEMS OF ONE TYPE"}
    )
    clauses = CLAUSES

    @classmethod
    def shipped_texts(cls) -> Mapping[str, str]:
        """Those that an isle starts with, and the Thug's, which a vote brings."""
        return {**shipped_texts(), THUG: thug_text()}

    @Figure
    def yields(self) -> Mapping[int, int]:
        """The items that a Domain with that number brings; the keys are the numbers that it can
        hold."""
        table = self.tables.table(GIFT, "NUMBER")
        yields = table.wholes("YIELD", (0, MOST_NUMBER), (0, 1_000_000 - 1))
        if len(yields) < len(RESOURCES):
            raise table.broken(
                f"has {len(yields)} numbers; a Settler needs {len(RESOURCES)} different ones."
            )
        return yields

    change_by = whole(GIFT, "CHANGE OF A DOMAIN", "One number", "BY AT MOST")
    """By how much a harvest may change the number of a Domain, and the sides of a trade differ."""

    @Figure
    def buildings(self) -> Mapping[str, Building]:
        table = unless_off(lambda: self.tables.table(GIFT, "BUILDING"), _NO_BUILDINGS)
        buildings = {}
        for name in table.rows:
            cost, of_one_other = table.cell(name, "COST"), 0
            costs: dict[str, int] = {}
            for amount, kind in _amounts(table, name, "COST", re.split(r",\s*|\s+and\s+", cost)):
                if kind == _OTHERS:
                    of_one_other += amount
                else:
                    costs[kind] = costs.get(kind, 0) + amount
            if of_one_other and len(costs) == len(RESOURCES):
                raise table.broken(
                    f"has {_OTHERS} under COST for {cut(name)}, which names them all."
                )
            cell = table.cell(name, "HARVEST BONUS")
            frees = " ".join(cell.casefold().split()).removesuffix(".") == FREER_CHANGE
            bonus: dict[str, int] = {}
            parts = [] if frees or cell in EMPTY_CELLS else re.split(r"\s+or\s+", cell)
            for amount, resource in _amounts(table, name, "HARVEST BONUS", parts):
                if resource == _OTHERS or resource in bonus:
                    raise table.broken(f"has “{cut(cell)}” under HARVEST BONUS for {cut(name)}.")
                bonus[resource] = amount
            called = _checked_name(table, name, "a Building")
            buildings[name] = Building(called, costs, of_one_other, bonus, frees)
        return buildings

    @Figure
    def victory(self) -> tuple[str, int]:
        """The Building that brings victory, and how many of it do."""
        table = self.tables.table(GIFT, "VICTORY")
        if len(table.rows) != 1:
            raise table.broken("has to have one row, with the Building that brings victory.")
        name = next(iter(table.rows))
        if name not in self.buildings:
            raise table.broken(f"has “{cut(name)}”, which is no Building.")
        return name, table.whole(name, "BUILDINGS", 1, MOST_BUILDINGS)

    def describe_building(self, name: str) -> str:
        """The uses of a Building of the table, as sentences; raises TableBroken."""
        building, sentences = self.buildings[name], []
        if any(building.bonus.values()):
            bonus = " or ".join(
                f"{number} {resource}" for resource, number in building.bonus.items()
            )
            sentences.append(f"Each harvest then gives you {bonus} more.")
        if building.frees_change:
            sentences.append("A Domain that you change may then take any number.")
        if name == self.victory[0]:
            sentences.append(f"With {self.victory[1]} of them you win.")
        return " ".join(sentences)

    trade_gap = whole(GIFT, "TRADE", "Difference of the two sides", "ITEMS")

    @Figure
    def deck(self) -> Mapping[int, int]:
        """How many cards of each result the whole Dice Deck has."""
        table = self.tables.table(DECK, "RESULT")
        cards = table.wholes("CARDS", (0, MOST_NUMBER), (0, _MOST_CARDS))
        counts = {result: count for result, count in sorted(cards.items()) if count}
        if sum(counts.values()) > _MOST_CARDS:
            raise table.broken(f"has more than {_MOST_CARDS} cards in all.")
        if len(counts) < _LEAST_RESULTS:
            raise table.broken(
                f"has cards of {len(counts)} results; with fewer than {_LEAST_RESULTS} two draws"
                " might never differ."
            )
        return counts

    @Figure
    def remade_at(self) -> int:
        """How many cards are left when the deck is made whole again."""
        cards = self.deck.values()
        beside_the_commonest = sum(cards) - max(cards)
        table = unless_off(lambda: self.tables.table(DECK, "DECK"), None)
        if table is None:
            return 0
        threshold = table.whole("Made whole when left", "CARDS")
        if threshold >= beside_the_commonest:
            raise table.broken(
                f"has {threshold} under CARDS; with {beside_the_commonest} or more two draws might"
                " never differ."
            )
        return threshold

    @Figure
    def at_latest(self) -> timedelta:
        """How long after a Production the next one happens of itself."""
        table = self.tables.table(DECK, "PRODUCTION")
        return timedelta(hours=table.whole("Happens at the latest after", "HOURS", 1, _MOST_HOURS))

    @Figure
    def may_after(self) -> timedelta:
        """How long after a Production the next one may happen, not every Settler being Ready."""
        table = self.tables.table(DECK, "PRODUCTION")
        hours = table.whole("May happen after", "HOURS", 0, _MOST_HOURS)
        if timedelta(hours=hours) > unless_off(lambda: self.at_latest, timedelta.max):
            raise table.broken(f"lets it happen after {hours} hours, later than at the latest.")
        return timedelta(hours=hours)

    @cached_property
    def injury_steps(self) -> tuple[str, ...]:
        """The steps of the Production that are about the Injured and the Victims, in their order:
        of VICTIMS_ARE_INJURED and NO_VICTIMS those that stand there."""
        return injury_steps(self.texts.get(DECK, ""))

    @cached_property
    def injury_bars(self) -> bool:
        """Whether the Gift bars the Injured from harvesting."""
        return bars_the_injured(self.texts.get(GIFT, ""))

    @Figure
    def visitors(self) -> Mapping[int, str]:
        """The Visitor for each sum of two dice that has one."""
        visitors: dict[int, str] = {}
        table = unless_off(lambda: self.tables.table(VISITORS, "Roll"), None)
        if table is None:
            return visitors
        for row in table.rows:
            roll = table.as_whole(row)
            if roll in visitors:
                raise table.broken(f"has {roll} twice.")
            visitors[roll] = _checked_name(table, table.cell(row, "Visitor"), "a Visitor")
        return visitors

    @Figure
    def arrival_after(self) -> timedelta:
        """How long after a Production the Visitor Arrival happens of itself."""
        table = self.tables.table(VISITORS, "VISITOR ARRIVAL")
        return timedelta(hours=table.whole("Happens at the latest after", "HOURS", 0, _MOST_HOURS))

    @Figure
    def merchant(self) -> tuple[int, int]:
        """How many items the Merchant is given of one resource, and gives of another one."""
        table = self.tables.table(MERCHANT, "MERCHANT")
        return table.whole("Given", "ITEMS", 1), table.whole("Taken", "ITEMS", 1)

    @Figure
    def opening(self) -> Opening:
        """When a past visit is opened: never, where its rule is not in force."""
        if not self.texts.get(SEALED, "").strip():
            return Opening(None, None)
        table = self.main_table(SEALED)
        by_onlooker, by_itself = _when(table, "By the Onlooker"), _when(table, "By itself")
        if isinstance(by_onlooker, str):
            raise table.broken(
                "lets the Onlooker open a visit at a victory; “never” or a number of Productions"
                " after its end can be played."
            )
        return Opening(by_onlooker, by_itself)

    @Figure
    def bribes(self) -> BribeTerms:
        """The terms of a Bribe's value by the Thug's text; TableBroken where there is none."""
        return bribe_terms(self.texts.get(THUG, ""))

    def check(self) -> None:
        """Read every table; TableBroken for the first that is wrong, or without which no isle
        begins."""
        if self.faults:
            raise self.faults[0]
        _ = self.yields, self.deck, self.at_latest


def bribe_terms(text: str) -> BribeTerms:
    """The terms in the text of the Thug; TableBroken where they cannot be read."""
    tables = RuleTables({THUG: text}, {THUG: (BEGINNING, BRIBES)}, clauses=CLAUSES)
    start = unless_off(lambda: tables.table(THUG, BEGINNING[0]).whole("At first", BEGINNING[1]), 0)
    phrases = _ADDS.findall(" ".join(text.casefold().split()))
    try:
        steps = tables.table(THUG, BRIBES[0]).wholes(BRIBES[1], (1, 999_999), (0, 999_999))
    except TableBroken as broken:
        if broken.is_missing and phrases:
            raise _unread_phrase(phrases[0]) from None
        raise
    if len(phrases) > len(steps):
        raise _unread_phrase(phrases[-1])
    return BribeTerms(start, tuple(sorted(steps.items())))


def _unread_phrase(phrase: str) -> TableBroken:
    return TableBroken(f"The text of {THUG} says “{cut(phrase)}”, which cannot be read.", THUG)


def _amounts(table: RuleTable, name: str, column: str, parts: list[str]) -> list[tuple[int, str]]:
    """How many of what, each at least 1, such as "2 wood" or "5 of one other"."""
    amounts = []
    for part in parts:
        match = _ITEMS.fullmatch(part.strip().casefold())
        if not match or match[2] not in (*RESOURCES, _OTHERS) or not int(match[1]):
            raise table.broken(
                f"has “{cut(part)}” under {column} for {cut(name)} instead of a number above zero"
                f" and one of {', '.join(RESOURCES)}."
            )
        amounts.append((int(match[1]), match[2]))
    return amounts


def _when(table: RuleTable, row: str) -> int | str | None:
    cell = table.cell(row, "WHEN")
    words = " ".join(cell.casefold().split()).removesuffix(".")
    if words == "never":
        return None
    if words == "at a victory":
        return AT_A_VICTORY
    match = _AFTER_ITS_END.fullmatch(words)
    if not match or int(match[1]) > _MOST_PRODUCTIONS:
        raise table.broken(
            f"has “{cut(cell)}” under WHEN for {row} instead of “never”, “at a victory” or a number"
            " of Productions after its end."
        )
    return int(match[1])


def _checked_name(table: RuleTable, name: str, kind: str) -> str:
    if not name or len(name) > LONGEST_NAME:
        raise table.broken(
            f"has “{cut(name)}” as {kind}; a name has 1 to {LONGEST_NAME} characters."
        )
    return name
