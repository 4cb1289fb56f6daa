"""The numbers of the races, as the tables and sentences of the rule texts give them.

No Django here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

from horses.rulebook import shipped_texts
from horses.rules.clauses import CLAUSES
from horses.rules.race import FIRST, SECOND, THIRD, Horse, Odds, Track
from horses.rules.titles import (
    ACTIONS,
    HORSES,
    MOTIVATING,
    MULTIPLIER,
    POWERS,
    RUN,
    TITLES,
    VICTORY,
)
from nomic.rulebook.charts import (
    EMPTY_CELLS,
    MOST,
    RuleTable,
    RuleTables,
    find_rule_table,
    unless_off,
)
from nomic.rulebook.charts import (
    ChartBroken as ChartBroken,
)
from nomic.rulebook.charts import (
    ChartMissing as ChartMissing,
)
from nomic.rulebook.last_readable import Earlier, Unread, faults, last_readable, nothing_earlier

_SIDE_TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    HORSES: (("TRACK", "POSITION"), ("WHEN THE RACE STARTS ANEW", "DOLLARIES")),
    RUN: (("WHEN THE HORSES RUN", "HOOVES"), ("FINISH LINE", "POSITION")),
    VICTORY: (("PLACE", "DOLLARIES"), ("REWARD", "DOLLARIES", "POINTS")),
    MULTIPLIER: (("STRETCH", "FROM POSITION"),),
    ACTIONS: (
        ("BET", "FEE"),
        ("ACTION", "FEE", "STEPS"),
        ("GAIN", "DOLLARIES"),
        ("BETS NEED A HELMET", "FROM POSITION"),
    ),
    MOTIVATING: (("DISTANCE", "STEPS"), ("MOVER", "STEPS")),
    POWERS: (("POWER", "FEE", "STEPS", "DOLLARIES"),),
}
LONGEST_NAME = 60
_MOST_STEPS = 1_000
_FIGURES = (
    "track",
    "starting_dollaries",
    "hooves_a_week",
    "victory",
    "names",
    "home_stretch",
    "bets",
    "jersey_fee",
    "helmet_fee",
    "nudge_fee",
    "nudge_steps",
    "gain",
    "helmet_from",
    "distances",
    "pull_steps",
    "powers",
)


@dataclass(frozen=True, slots=True)
class Victory:
    """What the end of a race pays: prizes and outfits in dollaries, points (Horse Victory)."""

    prizes: Mapping[int, int]
    outfit: int
    points: int


@dataclass(frozen=True, slots=True)
class Power:
    """A power's fee in hooves, its steps and dollaries, 0 where it has none (Horse Powers)."""

    fee: int = 0
    steps: int = 0
    dollaries: int = 0


class Charts:
    """What the seven rules say, each number read when it is asked for.

    Every property raises ChartBroken where it cannot be read, and ChartMissing where no rule in
    force says it, so that only what needs it is held up by it. `unread` are the rules that are
    played as of an earlier version.
    """

    def __init__(
        self, texts: Mapping[str, str], *, shipped: bool = False, unread: tuple[Unread, ...] = ()
    ) -> None:
        self.unread = unread
        self._texts = texts
        self._shipped = shipped
        self._tables = RuleTables(texts, _SIDE_TABLES, shipped_texts if shipped else None, CLAUSES)

    @cached_property
    def track(self) -> Track:
        table = self._side(HORSES, 0)
        start, finish = (
            table.whole(row, "POSITION", most=_MOST_STEPS) for row in ("Start", "Finish")
        )
        if start >= finish:
            raise ChartBroken(
                HORSES, f"{table} has its Finish at {finish}, not after its Start at {start}."
            )
        return Track(start, finish, self._line)

    @cached_property
    def starting_dollaries(self) -> int:
        return self._number(HORSES, 1, "Each player receives", "DOLLARIES")

    @cached_property
    def hooves_a_week(self) -> int:
        return self._number(RUN, 0, "Each player gains", "HOOVES")

    @cached_property
    def victory(self) -> Victory:
        names = {FIRST: "First", SECOND: "Second", THIRD: "Third"}
        return Victory(
            prizes={
                place: self._number(VICTORY, 0, name, "DOLLARIES") for place, name in names.items()
            },
            outfit=self._number(VICTORY, 1, "Jersey and helmet for one horse", "DOLLARIES"),
            points=self._number(VICTORY, 1, "Most dollaries", "POINTS"),
        )

    @cached_property
    def odds(self) -> Mapping[str, Odds]:
        chart = self._main(MULTIPLIER, "HORSE", "1", "2", "3", "O", "X")
        return {
            name: Odds(*(chart.whole(name, column) for column in "123OX")) for name in chart.rows
        }

    @cached_property
    def home_stretch(self) -> int:
        """The Race Position where the home stretch begins; none does where no rule says it."""
        return self._number(MULTIPLIER, 0, "Home stretch", "FROM POSITION", MOST + 1)

    @cached_property
    def bets(self) -> Mapping[int, int]:
        """The fee of each stake, both in dollaries."""
        table = self._side(ACTIONS, 0)
        return {table.as_whole(stake): table.whole(stake, "FEE") for stake in table.rows}

    @cached_property
    def jersey_fee(self) -> int:
        """What a jersey costs, in hooves."""
        return self._side(ACTIONS, 1).whole("Get a jersey", "FEE")

    @cached_property
    def helmet_fee(self) -> int:
        """What a helmet costs, in hooves."""
        return self._side(ACTIONS, 1).whole("Get a helmet", "FEE")

    @cached_property
    def nudge_fee(self) -> int:
        """What a nudge costs, in hooves."""
        return self._side(ACTIONS, 1).whole("Nudge a horse", "FEE")

    @cached_property
    def nudge_steps(self) -> int:
        """The steps of a nudge."""
        return self._side(ACTIONS, 1).whole("Nudge a horse", "STEPS", most=_MOST_STEPS)

    @cached_property
    def gain(self) -> int:
        """The dollaries gained by announcement."""
        return self._side(ACTIONS, 2).whole("By announcement", "DOLLARIES")

    @cached_property
    def helmet_from(self) -> int:
        """The Race Position from which a bet needs a helmet; none does where no rule says it."""
        return self._number(ACTIONS, 3, "Every horse", "FROM POSITION", MOST + 1)

    @cached_property
    def distances(self) -> tuple[int, ...]:
        """The distances that chance chooses from, in steps."""
        table = self._side(MOTIVATING, 0)
        return tuple(sorted({table.whole(row, "STEPS", most=_MOST_STEPS) for row in table.rows}))

    @cached_property
    def pull_steps(self) -> int:
        """The steps of each pull of the galloper."""
        number = self._number(MOTIVATING, 1, "Each pull of the galloper", "STEPS")
        if number > _MOST_STEPS:
            raise ChartBroken(MOTIVATING, f"{MOTIVATING} has pulls go forward {number} steps.")
        return number

    @cached_property
    def pulls(self) -> Mapping[str, frozenset[str]]:
        chart = self._main(MOTIVATING, "HORSE", "PULLS")
        return {name: _horses(chart, name, "PULLS") for name in chart.rows}

    @cached_property
    def costs(self) -> Mapping[str, int]:
        chart = self._main(POWERS, "HORSE", "COST")
        return {name: chart.whole(name, "COST") for name in chart.rows}

    @cached_property
    def powers(self) -> Mapping[str, Power]:
        table = self._side(POWERS, 0)
        return {
            name: Power(
                _perhaps(table, name, "FEE"),
                _perhaps(table, name, "STEPS", most=_MOST_STEPS),
                _perhaps(table, name, "DOLLARIES"),
            )
            for name in table.rows
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The horses, in alphabetical order, on which the charts in force agree."""
        charts = self._charts_in_force()
        everyone = set().union(*charts.values())
        for rule, names in charts.items():
            if missing := sorted(everyone - names):
                raise ChartBroken(rule, f"The chart of {rule} has no row for {', '.join(missing)}.")
        for name in everyone:
            if len(name) > LONGEST_NAME:
                raise ChartBroken(
                    MULTIPLIER,
                    f"The chart of {MULTIPLIER} has a horse “{name[:LONGEST_NAME]}…”, whose name is"
                    f" longer than {LONGEST_NAME} characters.",
                )
        return tuple(sorted(everyone))

    def _charts_in_force(self) -> dict[str, set[str]]:
        """The horses of each chart that a rule in force has; ChartMissing where none has."""
        charts: dict[str, set[str]] = {}
        missing: ChartMissing | None = None
        for rule, chart in ((MULTIPLIER, "odds"), (MOTIVATING, "pulls"), (POWERS, "costs")):
            try:
                charts[rule] = set(getattr(self, chart))
            except ChartMissing as off:
                missing = off
        if missing and not charts:
            raise missing
        return charts

    def names_beside(self, taken: Collection[str]) -> tuple[str, ...]:
        """The horses' names; ChartBroken where another thing of the game has one, too."""
        for name in self.names:
            if name in taken:
                raise ChartBroken(
                    MULTIPLIER,
                    f"The chart of {MULTIPLIER} has a horse “{name}”, which is the name of another"
                    " asset of this game.",
                )
        return self.names

    def multiplier(self, horse: Horse) -> int:
        """The horse's current multiplier; 0 where no rule in force has any."""
        odds = unless_off(lambda: self.odds_of(horse.name), Odds(0, 0, 0, 0, 0))
        return odds.of(horse, self.home_stretch)

    def odds_of(self, horse: str) -> Odds:
        """The horse's row of multipliers."""
        return self._row(self.odds, horse, MULTIPLIER)

    def cost(self, horse: str) -> int:
        """What the horse costs, in dollaries."""
        return self._row(self.costs, horse, POWERS)

    def pulls_at_start(self, horse: str) -> frozenset[str]:
        """The horse's pulls as a race starts anew; none where no rule in force says it."""
        return unless_off(lambda: self.pulls.get(horse, frozenset()), frozenset())

    def power(self, horse: str) -> Power:
        """The horse's power; ChartMissing where it has none."""
        if horse not in self.powers:
            raise ChartMissing(POWERS, f"The text of {POWERS} says no power of {horse}.")
        return self.powers[horse]

    @cached_property
    def faults(self) -> list[ChartBroken]:
        """What of all this cannot be read."""
        return faults(partial(getattr, self, name) for name in _FIGURES)

    @property
    def off(self) -> Iterator[str]:
        """What is off, since no rule in force says it."""
        return self._tables.missing()

    def check(self) -> None:
        """Read everything; ChartBroken for the first that is wrong, or without which no race
        begins."""
        if self.faults:
            raise self.faults[0]
        _ = self.track, self.odds, self.pulls, self.costs, self.names
        if self._shipped:
            for horse in self.names:
                self.power(horse)

    @cached_property
    def _line(self) -> int | None:
        """The Race Position from which a horse crosses the finish line, where a rule says one."""
        if self._shipped:
            return None
        line = self._number(RUN, 1, "Crossed from", "POSITION", -1)
        return None if line < 0 else line

    def _number(self, rule: str, table: int, row: str, column: str, off: int = 0) -> int:
        """The whole number in a cell; `off` where no rule in force says it."""
        return unless_off(lambda: self._side(rule, table).whole(row, column), off)

    def _row[T](self, rows: Mapping[str, T], horse: str, rule: str) -> T:
        if horse not in rows:
            raise ChartBroken(rule, f"The chart of {rule} has no row for {horse}.")
        return rows[horse]

    def _main(self, rule: str, *columns: str) -> RuleTable:
        """One of the three charts, which every text of its rule has to have."""
        table = find_rule_table(rule, self._texts.get(rule, ""), columns, bare=True)
        if table is None:
            absent = ChartBroken if self._shipped else ChartMissing
            raise absent(
                rule, f"The text of {rule} has no table with the columns {', '.join(columns)}."
            )
        return table

    def _side(self, rule: str, number: int) -> RuleTable:
        """A table that the shipped text has, or what sentences say of it."""
        return self._tables.table(rule, _SIDE_TABLES[rule][number][0])


def charts_from(
    texts: Mapping[str, str], earlier: Earlier = nothing_earlier, *, shipped: bool = False
) -> Charts:
    """What those rule texts (by title) say, read once for the same texts.

    `earlier` has the versions before them, which are played by where one cannot be read. With
    `shipped`, for games that began before the fourth readings, the shipped texts stand behind
    these.
    """
    charts = _charts(_in_order(texts), shipped)
    if shipped or not charts.faults:
        return charts
    played, unread = last_readable(
        texts, lambda own: _charts(_in_order(own), False).faults, earlier
    )
    return _charts(_in_order(played), False, unread)


def _in_order(texts: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(texts.get(title, "") for title in TITLES)


@lru_cache(maxsize=64)
def _charts(texts: tuple[str, ...], shipped: bool, unread: tuple[Unread, ...] = ()) -> Charts:
    return Charts(dict(zip(TITLES, texts, strict=True)), shipped=shipped, unread=unread)


def shipped_charts() -> Charts:
    """The charts of the texts that a game of races starts with."""
    return charts_from(shipped_texts())


def _perhaps(table: RuleTable, row: str, column: str, most: int = MOST) -> int:
    """The whole number in a cell, 0 where there is none, or a dash in it."""
    cell = unless_off(lambda: table.cell(row, column), "")
    return 0 if cell in EMPTY_CELLS else table.whole(row, column, most=most)


def _horses(table: RuleTable, row: str, column: str) -> frozenset[str]:
    """The horses in a cell, parted by commas; each must have a row of its own."""
    cell = table.cell(row, column)
    names = [] if cell in EMPTY_CELLS else [name.strip() for name in cell.split(",")]
    for name in names:
        if name not in table.rows:
            raise table.broken(f"has “{name}” under {column} for {row}, which is no horse in it.")
    return frozenset(names)
