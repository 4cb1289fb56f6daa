"""Rows to the rules' dataclasses and back: the only bridge between models.py and the rules."""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from django.db import connection

from horses.models import Bet, Gear, GearKind, Motivation, Race, Runner, Turn
from horses.rules.charts import Charts, charts_from
from horses.rules.legality import Seat
from horses.rules.race import Field, Horse, Move
from horses.rules.titles import TITLES
from nomic.compiled import CompiledQuery, RawQuery, insert
from nomic.engine.table import Table
from nomic.games.calendars import month_start, week_start
from nomic.games.models import Game, Player
from nomic.games.readings import played_by
from nomic.rulebook.earlier import earlier_texts

WEEKLY = "weekly"
RUN_EVENT = "horses.run"
HORSENED = "Horsened"
THE_SYSTEM = "The system, for the Horsened,"
AGORA = "Agora"

# Every action reads these two, so they are written out: composing them takes longer than asking.
_RUNNERS = RawQuery(
    Runner,
    """
SELECT r.*, x.number, x.started_in,
       p.name AS owner_name, p.active AS is_here, b.holder_id AS keeper,
       m.id AS motivation, m.galloper, m.distance, m.by_id, m.entry AS motivated_in,
       q.name AS by_name
  FROM horses_race x
  JOIN horses_runner r ON r.race_id = x.id
  LEFT JOIN ledger_balance b ON b.asset_id = r.asset_id AND b.amount = 1 AND NOT b.is_mint
  LEFT JOIN ledger_holder h ON h.id = b.holder_id
  LEFT JOIN games_player p ON p.id = h.player_id
  LEFT JOIN horses_motivation m ON m.game_id = x.game_id AND m.week = %s
  LEFT JOIN games_player q ON q.id = m.by_id
 WHERE x.game_id = %s AND x.ended_in IS NULL
 ORDER BY r.name
""",
)
_SEAT = """
SELECT kind, horse FROM horses_gear WHERE race_id = %s AND player_id = %s
 UNION ALL
SELECT what, '' FROM horses_turn
 WHERE player_id = %s AND (period = %s AND what = %s OR period = %s AND what <> %s)
"""

_MOTIVATIONS = CompiledQuery(lambda: Motivation.objects.order_by())


class State:
    """The races of one game as one table sees them; everything is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._seats: dict[int, Seat] = {}

    @cached_property
    def week(self) -> date:
        """The day on which the game's week began."""
        return week_start(self.table.now).date()

    @cached_property
    def month(self) -> date:
        """The day on which the game's month began."""
        return month_start(self.table.now).date()

    @cached_property
    def charts(self) -> Charts:
        """The numbers of the rule texts in force."""
        rules, shipped = self.table.rules, not played_by(self.table.game, 4)
        return charts_from(rules.texts(TITLES), earlier_texts(rules), shipped=shipped)

    @cached_property
    def runners(self) -> list[Runner]:
        """The horses of the running race, with the race and with their owners, by name, and with
        this week's motivation."""
        return _runners(self.table.game, self.week)

    @property
    def race(self) -> Race | None:
        """The running race; None in a game without races."""
        return self.runners[0].race if self.runners else None

    @property
    def running_race(self) -> Race:
        """The running race, where there has to be one."""
        assert self.race is not None, "This game has no races."
        return self.race

    @cached_property
    def field(self) -> Field:
        """The horses as they stand, on the track of the rule in force; raises ChartBroken."""
        horses = {
            runner.name: Horse(runner.name, runner.position, runner.place, frozenset(runner.pulls))
            for runner in self.runners
        }
        return Field(horses, self.charts.track)

    @property
    def names(self) -> list[str]:
        """The horses' names in alphabetical order."""
        return [runner.name for runner in self.runners]

    @property
    def owners(self) -> dict[str, str]:
        """The players who own a horse, by horse; who has left is none."""
        return {runner.name: name for runner in self.runners if (name := _owner(runner, here=True))}

    @property
    def without_a_player(self) -> dict[str, str]:
        """Those who have left and have a horse all the same, by horse."""
        left = ((runner.name, _owner(runner, here=False)) for runner in self.runners)
        return {horse: name for horse, name in left if name}

    def keeper_of(self, horse: str) -> int | None:
        """The number of the holder, player or department, who has the horse; None if nobody."""
        runner = next(runner for runner in self.runners if runner.name == horse)
        keeper: int | None = getattr(runner, "keeper")  # noqa: B009 (an annotation)
        return keeper

    def seat(self, player: Player) -> Seat:
        """What the player owns, has got in this race, and has used this week and this month."""
        if player.pk not in self._seats:
            self._seats[player.pk] = self._read_seat(player)
        return self._seats[player.pk]

    def _read_seat(self, player: Player) -> Seat:
        race = self.race.pk if self.race else None
        given: list[Any] = [race, player.pk, player.pk, self.week, WEEKLY, self.month, WEEKLY]
        with connection.cursor() as cursor:
            cursor.execute(_SEAT, given)
            rows = cursor.fetchall()
        own = [(kind, horse) for kind, horse in rows if horse]
        used = {what for what, horse in rows if not horse}
        return Seat(
            horses=frozenset(horse for horse, name in self.owners.items() if name == player.name),
            jerseys=frozenset(horse for kind, horse in own if kind == GearKind.JERSEY),
            helmets=frozenset(horse for kind, horse in own if kind == GearKind.HELMET),
            acted=WEEKLY in used,
            powers_used=frozenset(used - {WEEKLY}),
        )

    @cached_property
    def motivation(self) -> Motivation | None:
        """What the horses were motivated to this week."""
        if not self.runners:
            return self.motivation_of(self.week)
        return _motivation(self.runners[0], self.table.game, self.week)

    def motivation_of(self, week: date) -> Motivation | None:
        """What the horses were motivated to in the week that began on that day."""
        return _MOTIVATIONS.first(game=self.table.game.pk, week=week)

    def last_week(self) -> date:
        """The day on which the week before the game's week began."""
        return self.week - timedelta(days=7)


def state_of(table: Table) -> State:
    """The state of the races at that table, the same until something is saved."""
    return table.once(State)


def forget(table: Table) -> None:
    """Let the state be read anew: something was saved."""
    table.forget(State)


def _runners(game: Game, week: date) -> list[Runner]:
    runners: list[Any] = _RUNNERS.all(week, game.pk)
    if runners:
        first = runners[0]
        race = Race(pk=first.race_id, game=game, number=first.number, started_in=first.started_in)
        for runner in runners:
            runner.race = race
    return runners


def _motivation(read: Any, game: Game, week: date) -> Motivation | None:
    """The motivation that was read along with a runner."""
    if read.motivation is None:
        return None
    return Motivation(
        pk=read.motivation,
        game=game,
        week=week,
        galloper=read.galloper,
        distance=read.distance,
        by=Player(pk=read.by_id, name=read.by_name) if read.by_id else None,
        entry=read.motivated_in,
    )


def _owner(runner: Runner, *, here: bool) -> str | None:
    """The player who has the horse, if they are in the game or, not `here`, have left it."""
    name: str | None = getattr(runner, "owner_name")  # noqa: B009 (an annotation)
    return name if getattr(runner, "is_here") is here else None  # noqa: B009 (an annotation)


def motivator(motivation: Motivation) -> str:
    """Who motivated the horses, as a sentence begins with it."""
    return motivation.by.name if motivation.by else THE_SYSTEM


# Back to rows


def save_field(table: Table, field: Field) -> None:
    """Store the positions, places and pulls that changed, in one statement."""
    state, changed = state_of(table), []
    for runner in state.runners:
        horse = field[runner.name]
        pulls = sorted(horse.pulls)
        if (runner.position, runner.place, sorted(runner.pulls)) != (
            horse.position,
            horse.place,
            pulls,
        ):
            runner.position, runner.place, runner.pulls = horse.position, horse.place, pulls
            runner.finish = max(field.track.finish, horse.position)
            changed.append(runner)
    if changed:
        told = ("position", "finish", "place", "pulls")
        Runner.objects.bulk_create(
            changed, update_conflicts=True, unique_fields=["pk"], update_fields=told
        )
    forget(table)


def save_gear(table: Table, player: Player, kind: GearKind, horse: str) -> None:
    """Note that the player has got a jersey or a helmet for the horse."""
    race = state_of(table).running_race
    insert(Gear(race=race, player=player, horse=horse, kind=kind, entry=table.seq))


def save_bet(table: Table, player: Player, horse: str, dollaries: int) -> None:
    """Note the player's bet."""
    race = state_of(table).running_race
    insert(Bet(race=race, player=player, horse=horse, dollaries=dollaries, entry=table.seq))


def save_turn(table: Table, player: Player, what: str) -> None:
    """Note that the player has used the weekly race action, or that horse's monthly power."""
    state = state_of(table)
    period = state.week if what == WEEKLY else state.month
    insert(Turn(game=table.game, player=player, what=what, period=period, entry=table.seq))


def save_motivation(table: Table, galloper: str, distance: int, by: Player | None) -> None:
    """Note what the dice chose for this week."""
    week = state_of(table).week
    chosen = {"week": week, "galloper": galloper, "distance": distance}
    insert(Motivation(game=table.game, by=by, entry=table.seq, **chosen))
    forget(table)


def describe_moves(moves: Iterable[Move], verb: str = "goes") -> str:
    """Moves in words: “Fargo goes from 3 to 5, Alexia from 0 to 1”."""
    parts = [f"{move.horse} from {move.before} to {move.after}" for move in moves]
    if not parts:
        return "no horse moves"
    return ", ".join([parts[0].replace(" from", f" {verb} from", 1), *parts[1:]])
