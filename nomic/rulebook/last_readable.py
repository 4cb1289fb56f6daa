"""Rule texts as they are played by: where one cannot be read, its last version that can be.

Nothing here knows Django.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import chain
from typing import Any, ClassVar, Self

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.charts import (
    MOST,
    Columns,
    Gap,
    Needed,
    RuleTable,
    RuleTables,
    find_rule_table,
    needed_of,
    unless_off,
)
from nomic.rulebook.clauses import Clause
from nomic.rulebook.tables import Lack, TableBroken

type Texts = Mapping[str, str]
type Version = int | str | None
type FaultsIn = Callable[[Texts], Sequence[TableBroken]]
type GapsIn = Callable[[Texts], Iterable[Gap]]
type Earlier = Callable[[str], Sequence[tuple[Version, str]]]


@dataclass(frozen=True, slots=True)
class Unread:
    """A rule whose text in force cannot be read, with what is wrong.

    `version` is that as of which it is played; None where none could ever be read, so that what
    needs it is off. `text` is what that version says. `pk` is
    the rule's key where its title does not tell it from others, else 0.
    """

    rule: str
    version: Version
    sentence: str
    text: str = field(default="", repr=False)
    pk: int = 0

    def __str__(self) -> str:
        played = f"played as of version {self.version}" if self.version else "not played"
        return f"“{self.rule}” is {played}: {self.sentence}"


def complaint(unread: Sequence[Unread]) -> str:
    """A page's words about rules that cannot be read, and what is played instead; "" where all can
    be."""
    return " ".join(map(str, unread))


def faults(reads: Iterable[Callable[[], object]]) -> list[TableBroken]:
    """The faults of these reads; what is only missing is off, and no fault."""
    by_name: dict[tuple[str, str], TableBroken] = {}
    for read in reads:
        try:
            read()
        except TableBroken as broken:
            if not broken.is_missing:
                by_name.setdefault((broken.rule, broken.sentence), broken)
    return list(by_name.values())


def last_readable(
    texts: Texts, faults_in: FaultsIn, earlier: Earlier, gaps_in: GapsIn
) -> tuple[dict[str, str], tuple[Unread, ...]]:
    """The texts to play by, and which of them are not those in force.

    `earlier` gives a rule's earlier versions, the newest first; None is the version of one that is
    not played at all. A gap that an earlier version of the rule itself did not have is a fault,
    others are off: what another rule had, which this one replaced, was repealed with that. A fault
    is the rule's that it names, unless only another one's earlier version takes it away.
    """
    earlier = cache(earlier)
    faults_in = _with_losses(texts, faults_in, gaps_in, earlier)
    played, unread = dict(texts), dict[str, Unread]()
    given_up: set[tuple[str, str]] = set()
    # One fault at a time: an earlier version may take several away, and bring others of its own.
    while open_faults := [broken for broken in faults_in(played) if _name(broken) not in given_up]:
        fault = open_faults[0]
        may_hide_others = fault.rule not in unread
        taken = _earlier_without(fault, played, faults_in, earlier, alone=may_hide_others)
        if taken is None:
            given_up.add(_name(fault))
            unread.setdefault(fault.rule, Unread(fault.rule, None, fault.sentence))
            continue
        rule, version, text = taken
        played[rule] = text
        first = unread[rule].sentence if rule in unread else fault.sentence
        unread[rule] = Unread(rule, version, first, text)
    return played, tuple(unread.values())


def _with_losses(texts: Texts, faults_in: FaultsIn, gaps_in: GapsIn, earlier: Earlier) -> FaultsIn:
    """A function that finds the faults that `faults_in` does, and the gaps in those texts that an
    earlier version of the rule did not have."""
    lost = {
        (gap.rule, gap.sentence)
        for gap in gaps_in(texts)
        if any(isinstance(number, int) and gap.had(text) for number, text in earlier(gap.rule))
    }
    if not lost:
        return faults_in

    def faults_and_losses(tried: Texts) -> list[TableBroken]:
        gaps = [gap for gap in gaps_in(tried) if (gap.rule, gap.sentence) in lost]
        return [*faults_in(tried), *(TableBroken(gap.sentence, gap.rule) for gap in gaps)]

    return faults_and_losses


def _earlier_without(
    fault: TableBroken, played: Texts, faults_in: FaultsIn, earlier: Earlier, *, alone: bool
) -> tuple[str, Version, str] | None:
    """The rule, version and text with which that fault goes away and no other comes; or else, with
    `alone`, those with which nothing is wrong any more with the rule whose fault it is."""
    other_rules = [rule for rule in played if rule != fault.rule]
    tolerated = {_name(broken) for broken in faults_in(played)} - {_name(fault)}
    for rule in (fault.rule, *other_rules):
        for version, text in earlier(rule):
            if {_name(broken) for broken in faults_in({**played, rule: text})} <= tolerated:
                return rule, version, text
    for version, text in earlier(fault.rule) if alone else ():
        if all(broken.rule != fault.rule for broken in faults_in({**played, fault.rule: text})):
            return fault.rule, version, text
    return None


def _name(fault: TableBroken) -> tuple[str, str]:
    return fault.rule, fault.sentence


class Figure[T](cached_property[T]):
    """A property of charts that is a fault of theirs where it cannot be read."""


def figures_of(charts: object) -> Iterator[Callable[[], object]]:
    """Functions that read each figure of these charts, in the order of their declaration."""
    attributes = vars(type(charts)).items()
    declared = (name for name, attribute in attributes if isinstance(attribute, Figure))
    return (partial(getattr, charts, name) for name in declared)


def whole(
    rule: str, table: str, row: str, column: str, most: int = MOST, off: int | None = None
) -> Figure[int]:
    """The whole number in a cell of a rule's table; `off`, if it is given, where no rule in force
    says it."""

    def read(charts: RuleCharts) -> int:
        def cell() -> int:
            return charts.tables.table(rule, table).whole(row, column, most=most)

        return cell() if off is None else unless_off(cell, off)

    return Figure(read)


class RuleCharts:
    """The figures of a subgame's rules, each read when it is asked for.

    Every property raises TableBroken where it cannot be read, or is missing since no rule in force
    says it, so that only what needs it is held up by it. `unread` are the rules that are
    played as of an earlier version.

    `known` are the tables that a text may have, by its title; `beside` are those that are looked
    for in a way of their own, and never in a shipped text. Of `open_tables`, by their first column,
    whatever rows there are are read.
    """

    titles: ClassVar[tuple[str, ...]]
    known: ClassVar[Mapping[str, tuple[Columns, ...]]]
    beside: ClassVar[Mapping[str, tuple[Columns, ...]]] = {}
    open_tables: ClassVar[frozenset[str]] = frozenset()
    clauses: ClassVar[tuple[Clause, ...]] = ()

    def __init__(self, texts: Mapping[str, str], unread: tuple[Unread, ...] = ()) -> None:
        self.unread = unread
        self.texts = texts
        self.tables = RuleTables(texts, self.known, self.clauses)

    @classmethod
    def shipped_texts(cls) -> Mapping[str, str]:
        """The texts that a game starts with, by their titles."""
        raise NotImplementedError

    @classmethod
    def as_shipped(cls) -> Self:
        """The figures of the texts that a game starts with."""
        return cls.of(cls.shipped_texts())

    @classmethod
    def of(
        cls,
        texts: Mapping[str, str],
        earlier: Earlier = lambda rule: (),  # none
    ) -> Self:
        """The figures of those rule texts (by title), read once for the same texts.

        `earlier` has the versions before them, which are played by where one cannot be read. What
        an earlier version says in a table and the text in force does not say cannot be read either.
        """
        charts = cls._read(texts)
        if not (charts.faults or charts.gaps):
            return charts

        def faults_in(tried: Texts) -> Sequence[TableBroken]:
            return cls._read(tried).faults

        def gaps_in(tried: Texts) -> Sequence[Gap]:
            return cls._read(tried).gaps

        played, unread = last_readable(texts, faults_in, earlier, gaps_in)
        return cls._read(played, unread)

    @classmethod
    def _read(cls, texts: Texts, unread: tuple[Unread, ...] = ()) -> Self:
        charts: Any = cls  # which mypy does not take for something that can be hashed
        figures: Self = _read(charts, tuple(texts.get(title, "") for title in cls.titles), unread)
        return figures

    @classmethod
    @cache
    def needed(cls) -> tuple[Needed, ...]:
        """The tables that are played by wherever the rules' texts have them."""
        shipped, clauses, opened = cls.shipped_texts(), cls.clauses, cls.open_tables
        kinds = (cls.known, cls.beside)
        needed = (needed_of(tables, shipped, clauses, opened) for tables in kinds)
        return tuple(chain.from_iterable(needed))

    @cached_property
    def gaps(self) -> list[Gap]:
        """The cells that are read and that the rules in force do not say."""
        of_rules = ((table, self.texts.get(table.rule, "")) for table in self.needed())
        return [gap for table, text in of_rules if text for gap in table.gaps(text)]

    def main_table(self, rule: str) -> RuleTable:
        """A table that every text of its rule has to have, be it without its heading."""
        columns = self.beside[rule][0]
        table = find_rule_table(rule, self.texts.get(rule, ""), columns, bare=True)
        if table is None:
            sentence = f"The text of {rule} has no table with the columns {', '.join(columns)}."
            raise TableBroken(sentence, rule, Lack.MISSING)
        return table

    @cached_property
    def faults(self) -> list[TableBroken]:
        """The figures that cannot be read."""
        return faults(figures_of(self))

    @property
    def off(self) -> Iterator[str]:
        """A sentence for each table that is off."""
        return self.tables.missing()


@memoized(share=0.04)
def _read(charts: type[Any], texts: tuple[str, ...], unread: tuple[Unread, ...]) -> Any:
    return charts(dict(zip(charts.titles, texts, strict=True)), unread)
