"""The numbers of the races, as the tables of the rule texts give them. No Django here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from horses.rulebook import shipped_texts
from horses.rules.race import FIRST, SECOND, THIRD, Horse, Odds, Track
from nomic.rulebook.charts import (
    EMPTY_CELLS,
    MOST,
    RuleTable,
    RuleTables,
    find_rule_table,
)
from nomic.rulebook.charts import (
    ChartBroken as ChartBroken,
)

HORSES = "Horses"
RUN = "The Horses Run"
VICTORY = "Horse Victory"
MULTIPLIER = "Horse Multiplier"
ACTIONS = "Weekly Race Actions"
MOTIVATING = "Motivating Horses"
POWERS = "Horse Powers"
TITLES = (HORSES, RUN, VICTORY, MULTIPLIER, ACTIONS, MOTIVATING, POWERS)

# What a rule text that has no table for it says in prose: then the shipped text's tables count.
_SIDE_TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    HORSES: (("TRACK", "POSITION"), ("WHEN THE RACE STARTS ANEW", "DOLLARIES")),
    RUN: (("WHEN THE HORSES RUN", "HOOVES"),),
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
_WEEKLY = ("bets", "fees", "gain", "helmet_from", "motivating")


@dataclass(frozen=True, slots=True)
class Victory:
    """What the end of a race pays: prizes and outfits in dollaries, points (Horse Victory)."""

    prizes: Mapping[int, int]
    outfit: int
    points: int


@dataclass(frozen=True, slots=True)
class Fees:
    """What gear and a nudge cost, in hooves, and the steps of a nudge (Weekly Race Actions)."""

    jersey: int
    helmet: int
    nudge: int
    nudge_steps: int


@dataclass(frozen=True, slots=True)
class Motivating:
    """The distances that chance chooses from, and a pull's own, in steps (Motivating Horses)."""

    distances: tuple[int, ...]
    pull_steps: int


@dataclass(frozen=True, slots=True)
class Power:
    """A power's fee in hooves, its steps and dollaries, 0 where it has none (Horse Powers)."""

    fee: int = 0
    steps: int = 0
    dollaries: int = 0


class Charts:
    """The tables of the seven rules, each read when it is asked for.

    Every property raises ChartBroken where its table is missing or wrong, so that only what needs
    a broken table is held up by it.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._tables = RuleTables(texts, _SIDE_TABLES, shipped_texts)

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
        return Track(start, finish)

    @cached_property
    def starting_dollaries(self) -> int:
        return self._side(HORSES, 1).whole("Each player receives", "DOLLARIES")

    @cached_property
    def hooves_a_week(self) -> int:
        return self._side(RUN, 0).whole("Each player gains", "HOOVES")

    @cached_property
    def victory(self) -> Victory:
        places, rewards = self._side(VICTORY, 0), self._side(VICTORY, 1)
        names = {FIRST: "First", SECOND: "Second", THIRD: "Third"}
        return Victory(
            prizes={place: places.whole(name, "DOLLARIES") for place, name in names.items()},
            outfit=rewards.whole("Jersey and helmet for one horse", "DOLLARIES"),
            points=rewards.whole("Most dollaries", "POINTS"),
        )

    @cached_property
    def odds(self) -> Mapping[str, Odds]:
        chart = self._main(MULTIPLIER, "HORSE", "1", "2", "3", "O", "X")
        return {
            name: Odds(*(chart.whole(name, column) for column in "123OX")) for name in chart.rows
        }

    @cached_property
    def home_stretch(self) -> int:
        """The Race Position where the home stretch begins."""
        return self._side(MULTIPLIER, 0).whole("Home stretch", "FROM POSITION")

    @cached_property
    def bets(self) -> Mapping[int, int]:
        """The fee of each stake, both in dollaries."""
        table = self._side(ACTIONS, 0)
        return {table.as_whole(stake): table.whole(stake, "FEE") for stake in table.rows}

    @cached_property
    def fees(self) -> Fees:
        table = self._side(ACTIONS, 1)
        return Fees(
            jersey=table.whole("Get a jersey", "FEE"),
            helmet=table.whole("Get a helmet", "FEE"),
            nudge=table.whole("Nudge a horse", "FEE"),
            nudge_steps=table.whole("Nudge a horse", "STEPS", most=_MOST_STEPS),
        )

    @cached_property
    def gain(self) -> int:
        """The dollaries gained by announcement."""
        return self._side(ACTIONS, 2).whole("By announcement", "DOLLARIES")

    @cached_property
    def helmet_from(self) -> int:
        """The Race Position from which a bet needs a helmet."""
        return self._side(ACTIONS, 3).whole("Every horse", "FROM POSITION")

    @cached_property
    def motivating(self) -> Motivating:
        distances, movers = self._side(MOTIVATING, 0), self._side(MOTIVATING, 1)
        steps = {distances.whole(row, "STEPS", most=_MOST_STEPS) for row in distances.rows}
        return Motivating(
            tuple(sorted(steps)),
            movers.whole("Each pull of the galloper", "STEPS", most=_MOST_STEPS),
        )

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
        """The horses, in alphabetical order, on which the three charts agree."""
        charts = {MULTIPLIER: set(self.odds), MOTIVATING: set(self.pulls), POWERS: set(self.costs)}
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
        """The horse's current multiplier."""
        return self._row(self.odds, horse.name, MULTIPLIER).of(horse, self.home_stretch)

    def odds_of(self, horse: str) -> Odds:
        """The horse's row of multipliers."""
        return self._row(self.odds, horse, MULTIPLIER)

    def cost(self, horse: str) -> int:
        """What the horse costs, in dollaries."""
        return self._row(self.costs, horse, POWERS)

    def power(self, horse: str) -> Power:
        return self._row(self.powers, horse, POWERS)

    def check(self) -> None:
        """Read every table; ChartBroken for the first that is missing or wrong."""
        for name in (
            "track",
            "starting_dollaries",
            "hooves_a_week",
            "victory",
            "names",
            "home_stretch",
            *_WEEKLY,
        ):
            getattr(self, name)
        for horse in self.names:
            self.power(horse)

    def _row[T](self, rows: Mapping[str, T], horse: str, rule: str) -> T:
        if horse not in rows:
            raise ChartBroken(rule, f"The chart of {rule} has no row for {horse}.")
        return rows[horse]

    def _main(self, rule: str, *columns: str) -> RuleTable:
        """One of the three charts, which every text of its rule has to have."""
        table = find_rule_table(rule, self._texts.get(rule, ""), columns, bare=True)
        if table is None:
            raise ChartBroken(
                rule, f"The text of {rule} has no table with the columns {', '.join(columns)}."
            )
        return table

    def _side(self, rule: str, number: int) -> RuleTable:
        """A table that the shipped text has; a text with none of them says it all in prose."""
        return self._tables.table(rule, _SIDE_TABLES[rule][number][0])


def charts_from(texts: Mapping[str, str]) -> Charts:
    """The charts of those rule texts (by title), read once for the same texts.

    The numbers that a text says only in prose are those of the shipped texts' tables.
    """
    return _charts(tuple(texts.get(title, "") for title in TITLES))


@lru_cache(maxsize=64)
def _charts(texts: tuple[str, ...]) -> Charts:
    return Charts(dict(zip(TITLES, texts, strict=True)))


def shipped_charts() -> Charts:
    """The charts of the texts that a game of races starts with."""
    return charts_from(shipped_texts())


def _perhaps(table: RuleTable, row: str, column: str, most: int = MOST) -> int:
    """The whole number in a cell, 0 where the cell is empty or a dash."""
    return 0 if table.cell(row, column) in EMPTY_CELLS else table.whole(row, column, most=most)


def _horses(table: RuleTable, row: str, column: str) -> frozenset[str]:
    """The horses in a cell, parted by commas; each must have a row of its own."""
    cell = table.cell(row, column)
    names = [] if cell in EMPTY_CELLS else [name.strip() for name in cell.split(",")]
    for name in names:
        if name not in table.rows:
            raise table.broken(f"has “{name}” under {column} for {row}, which is no horse in it.")
    return frozenset(names)
