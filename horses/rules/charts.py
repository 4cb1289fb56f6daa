"""The numbers of the races, as the tables and sentences of the rule texts give them.

Each sentence in `clauses.toml`, in the source's words or in ours, stands for a cell of the tables.
No Django here.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from horses.rulebook import shipped_texts
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
    as_dollaries,
    as_hooves,
    as_steps,
)
from nomic.games.wording import enumerated
from nomic.rulebook.charts import EMPTY_CELLS, MOST, Columns, RuleTable, unless_off
from nomic.rulebook.clauses import clauses_in
from nomic.rulebook.last_readable import Figure, RuleCharts, whole
from nomic.rulebook.tables import Lack, TableBroken

LONGEST_NAME = 60
_POWERS = {
    "Alexia": "Once a month, the owner may take a second race action in a week.",
    "Baxter": "The owner gains {dollaries} for each step that Baxter gallops.",
    "Cannon": "Once a month, the owner may move Cannon {steps} forward.",
    "Destructor": "Once a month, the owner may move a horse that is still running {steps} back.",
    "Fargo": "Race action: for {fee}, the owner gets a helmet for a horse and a bet of {dollaries}"
    " on it.",
    "Nacho": "Race action: for {fee}, the owner gets a jersey for a horse and adds a pull to"
    " another horse.",
    "Rubert": "Race action: the owner bets on a horse; if no horse is behind it, it goes {steps}"
    " forward.",
    "Sugar": "Race action: for {fee}, the owner gets a helmet for a horse, which goes {steps}"
    " forward.",
}
_MOST_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class Victory:
    """Payments at the end of a race: prizes and outfits in dollaries, points (Horse Victory)."""

    prizes: Mapping[int, int]
    outfit: int
    points: int


@dataclass(frozen=True, slots=True)
class Power:
    """A power's fee in hooves, its steps and dollaries, 0 where it has none (Horse Powers)."""

    fee: int = 0
    steps: int = 0
    dollaries: int = 0


class Charts(RuleCharts):
    """The numbers of the seven rules, each read when it is asked for."""

    titles = TITLES
    shipped_texts = staticmethod(shipped_texts)
    clauses = clauses_in(Path(__file__).with_name("clauses.toml"))
    known: ClassVar[Mapping[str, tuple[Columns, ...]]] = {
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
    beside: ClassVar[Mapping[str, tuple[Columns, ...]]] = {
        MULTIPLIER: (("HORSE", "1", "2", "3", "O", "X"),),
        MOTIVATING: (("HORSE", "PULLS"),),
        POWERS: (("HORSE", "COST"),),
    }
    open_tables = frozenset({"HORSE", "BET", "DISTANCE"})

    @Figure
    def track(self) -> Track:
        table = self.tables.table(HORSES, "TRACK")
        start, finish = (
            table.whole(row, "POSITION", most=_MOST_STEPS) for row in ("Start", "Finish")
        )
        if start >= finish:
            raise TableBroken(
                f"{table} has its Finish at {finish}, not after its Start at {start}.", HORSES
            )
        # The Race Position from which a horse crosses the finish line, where a rule says one.
        line = self._number(RUN, "FINISH LINE", "Crossed from", "POSITION", -1)
        return Track(start, finish, None if line < 0 else line)

    starting_dollaries = whole(
        HORSES, "WHEN THE RACE STARTS ANEW", "Each player receives", "DOLLARIES", off=0
    )
    hooves_a_week = whole(RUN, "WHEN THE HORSES RUN", "Each player gains", "HOOVES", off=0)

    @Figure
    def victory(self) -> Victory:
        names = {FIRST: "First", SECOND: "Second", THIRD: "Third"}
        return Victory(
            prizes={
                place: self._number(VICTORY, "PLACE", name, "DOLLARIES")
                for place, name in names.items()
            },
            outfit=self._number(VICTORY, "REWARD", "Jersey and helmet for one horse", "DOLLARIES"),
            points=self._number(VICTORY, "REWARD", "Most dollaries", "POINTS"),
        )

    @Figure
    def names(self) -> tuple[str, ...]:
        """The horses, in alphabetical order, on which the charts in force agree."""
        charts: dict[str, set[str]] = {}
        missing: TableBroken | None = None
        for rule, chart in ((MULTIPLIER, "odds"), (MOTIVATING, "pulls"), (POWERS, "costs")):
            try:
                charts[rule] = set(getattr(self, chart))
            except TableBroken as broken:
                if not broken.is_missing:
                    raise
                missing = broken
        if missing and not charts:
            raise missing
        everyone = set().union(*charts.values())
        for rule, names in charts.items():
            if lacking := sorted(everyone - names):
                raise TableBroken(f"The chart of {rule} has no row for {', '.join(lacking)}.", rule)
        for name in everyone:
            if len(name) > LONGEST_NAME:
                raise TableBroken(
                    f"The chart of {MULTIPLIER} has a horse “{name[:LONGEST_NAME]}…”, whose name is"
                    f" longer than {LONGEST_NAME} characters.",
                    MULTIPLIER,
                )
        return tuple(sorted(everyone))

    @cached_property
    def odds(self) -> Mapping[str, Odds]:
        chart = self.main_table(MULTIPLIER)
        return {
            name: Odds(*(chart.whole(name, column) for column in "123OX")) for name in chart.rows
        }

    # The Race Position where the home stretch begins; none does where no rule says it.
    home_stretch = whole(MULTIPLIER, "STRETCH", "Home stretch", "FROM POSITION", off=MOST + 1)

    @Figure
    def bets(self) -> Mapping[int, int]:
        """The fee of each stake, both in dollaries."""
        table = self.tables.table(ACTIONS, "BET")
        return {table.as_whole(stake): table.whole(stake, "FEE") for stake in table.rows}

    def bet_fees(self, stake: int | None) -> Collection[int]:
        """The fee of that stake; all there are, while none is chosen."""
        return self.bets.values() if stake is None else [self.bets[stake]]

    # Fees are in hooves, the gain by announcement in dollaries.
    jersey_fee = whole(ACTIONS, "ACTION", "Get a jersey", "FEE")
    helmet_fee = whole(ACTIONS, "ACTION", "Get a helmet", "FEE")
    nudge_fee = whole(ACTIONS, "ACTION", "Nudge a horse", "FEE")
    nudge_steps = whole(ACTIONS, "ACTION", "Nudge a horse", "STEPS", _MOST_STEPS)
    gain = whole(ACTIONS, "GAIN", "By announcement", "DOLLARIES")
    # The Race Position from which a bet needs a helmet; none does where no rule says it.
    helmet_from = whole(ACTIONS, "BETS NEED A HELMET", "Every horse", "FROM POSITION", off=MOST + 1)

    @Figure
    def distances(self) -> tuple[int, ...]:
        """The distances that chance chooses from, in steps."""
        table = self.tables.table(MOTIVATING, "DISTANCE")
        return tuple(sorted({table.whole(row, "STEPS", most=_MOST_STEPS) for row in table.rows}))

    @Figure
    def pull_steps(self) -> int:
        """The steps of each pull of the galloper."""
        number = self._number(MOTIVATING, "MOVER", "Each pull of the galloper", "STEPS")
        if number > _MOST_STEPS:
            raise TableBroken(f"{MOTIVATING} has pulls go forward {number} steps.", MOTIVATING)
        return number

    @cached_property
    def pulls(self) -> Mapping[str, frozenset[str]]:
        """The horses that each pulls in the beginning, as the chart parts them by commas; each has
        a row of its own."""
        chart = self.main_table(MOTIVATING)
        pulls = {}
        for horse in chart.rows:
            cell = chart.cell(horse, "PULLS")
            names = [] if cell in EMPTY_CELLS else [name.strip() for name in cell.split(",")]
            for name in names:
                if name not in chart.rows:
                    raise chart.broken(
                        f"has “{name}” under PULLS for {horse}, which is no horse in it."
                    )
            pulls[horse] = frozenset(names)
        return pulls

    @cached_property
    def costs(self) -> Mapping[str, int]:
        chart = self.main_table(POWERS)
        return {name: chart.whole(name, "COST") for name in chart.rows}

    @Figure
    def powers(self) -> Mapping[str, Power]:
        table = self.tables.table(POWERS, "POWER")
        return {
            name: Power(
                _perhaps(table, name, "FEE"),
                _perhaps(table, name, "STEPS", at_most=_MOST_STEPS),
                _perhaps(table, name, "DOLLARIES"),
            )
            for name in table.rows
        }

    def names_beside(self, taken: Collection[str]) -> tuple[str, ...]:
        """The horses' names; TableBroken where another thing of the game has one, too."""
        for name in self.names:
            if name in taken:
                raise TableBroken(
                    f"The chart of {MULTIPLIER} has a horse “{name}”, which is the name of another"
                    " asset of this game.",
                    MULTIPLIER,
                )
        return self.names

    def multiplier(self, horse: Horse) -> int:
        """The horse's current multiplier; 0 where no rule in force has any."""
        odds = unless_off(lambda: self.odds_of(horse.name), Odds(0, 0, 0, 0, 0))
        return odds.of(horse, self.home_stretch)

    def odds_of(self, horse: str) -> Odds:
        """The horse's row of multipliers. Raises TableBroken where the chart has none."""
        return self._row(self.odds, horse, MULTIPLIER)

    def cost(self, horse: str) -> int:
        """The horse's price in dollaries. Raises TableBroken where the chart has no such row."""
        return self._row(self.costs, horse, POWERS)

    def pulls_at_start(self, horse: str) -> frozenset[str]:
        """The horse's pulls as a race starts anew; none where no rule in force says it."""
        return unless_off(lambda: self.pulls.get(horse, frozenset()), frozenset())

    def power(self, horse: str) -> Power:
        """The horse's power; TableBroken where it has none."""
        if horse not in self.powers:
            raise TableBroken(
                f"The text of {POWERS} says no power of {horse}.", POWERS, Lack.MISSING
            )
        return self.powers[horse]

    # In words; TableBroken where a number cannot be read

    def describe_payoff(self, horse: str | None, stake: int | None) -> str:
        """The dollaries that a bet pays at each place, as far as horse and stake are chosen."""
        if horse is None:
            return "When the race ends a bet pays its dollaries times the horse's odds."
        odds, bet = self.odds_of(horse), 1 if stake is None else stake
        first, second, third = (bet * odd for odd in (odds.first, odds.second, odds.third))
        return (
            f"When the race ends it pays {'' if stake else 'for each dollary '}{first} if {horse} "
            f"is first, {second} if second, {third} if third. Without a place it pays "
            f"{bet * odds.near} from position {self.home_stretch} on, and "
            f"{bet * odds.far or 'nothing'} before it."
        )

    def describe_pull(self, horse: str | None, added: str | None) -> str:
        """How far the added pull moves its horse, and when."""
        goes = f"{added or 'The added horse'} goes {as_steps(self.pull_steps)}"
        return f"{goes} whenever {horse or 'the other'} gallops."

    def describe_helmet(self, horse: str | None) -> str:
        """The bets that a helmet allows."""
        return f"You can bet on {horse or 'the horse'} from position {self.helmet_from} on, too."

    def describe_outfit(self) -> str:
        """The dollaries that jersey and helmet of one horse pay together."""
        paid = as_dollaries(self.victory.outfit)
        return f"Jersey and helmet for the same horse pay you {paid} when the race ends."

    def describe_horse(self, horse: str | None) -> str:
        """The gains of whoever buys the horse: its power, and its prizes."""
        paid = enumerated(
            [str(self.victory.prizes[place]) for place in (FIRST, SECOND, THIRD)], "or"
        )
        prizes = f"{paid} dollaries if it comes first, second or third"
        if horse is None:
            return f"You get the horse's power, and {prizes}."
        return f"{horse}'s power: {self.describe_power(horse)} You also get {prizes}."

    def describe_power(self, horse: str) -> str:
        """The use of the horse's power for its owner; TableBroken where no rule says it."""
        power, sentence = self.power(horse), _POWERS.get(horse, "The rules tell what it does.")
        far, fee = as_steps(power.steps), as_hooves(power.fee)
        return sentence.format(steps=far, fee=fee, dollaries=as_dollaries(power.dollaries))

    def check(self) -> None:
        """Read everything; TableBroken for the first that is wrong, or without which no race
        begins."""
        if self.faults:
            raise self.faults[0]
        _ = self.track, self.odds, self.pulls, self.costs, self.names

    def _number(self, rule: str, table: str, row: str, column: str, off: int = 0) -> int:
        """The whole number in a cell; `off` where no rule in force says it."""
        return unless_off(lambda: self.tables.table(rule, table).whole(row, column), off)

    def _row[T](self, rows: Mapping[str, T], horse: str, rule: str) -> T:
        if horse not in rows:
            raise TableBroken(f"The chart of {rule} has no row for {horse}.", rule)
        return rows[horse]


def _perhaps(table: RuleTable, row: str, column: str, at_most: int = MOST) -> int:
    """The whole number in a cell, 0 where there is none, or a dash in it."""
    cell = unless_off(lambda: table.cell(row, column), "")
    return 0 if cell in EMPTY_CELLS else table.whole(row, column, most=at_most)
