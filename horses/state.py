"""Rows to the rules' dataclasses and back: the only bridge between models.py and the rules."""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet, Value

from horses.models import WEEKLY, Bet, Gear, GearKind, Motivation, Race, Runner, Turn
from horses.rules.charts import Charts
from horses.rules.legality import STEP_BY, Seat
from horses.rules.race import Field, Horse, HorseMove, step
from horses.rules.titles import TITLES
from nomic.engine.effects import Effects, Set, apply
from nomic.engine.table import Table
from nomic.games.calendars import month_start, week_start
from nomic.games.models import Player
from nomic.infrastructure.database.compiled_queries import CompiledQuery, CompiledValues
from nomic.ledger.models import Holder

RUN_EVENT = "horses.run"
HORSENED = "Horsened"
THE_SYSTEM = "The system, for the Horsened,"
type Stepped = tuple[str, list[Set]]  # in words, and what is set


_ANNOTATIONS = {
    "number": F("race__number"),
    "started_in": F("race__started_in"),
    "keeper": F("owned__holder"),
    "owner_name": F("owned__holder__player__name"),
    "is_here": F("owned__holder__player__active"),
    "motivation": F("motivated__pk"),
    "galloper": F("motivated__galloper"),
    "distance": F("motivated__distance"),
    "by": F("motivated__by"),
    "by_name": F("motivated__by__name"),
    "motivated_in": F("motivated__entry"),
}


def _of_the_running_race(week: Any) -> QuerySet[Runner]:
    """The horses of running races with what is to be known of their race and their owners, and what
    the horses of the game were motivated to in that week."""
    is_owned = Q(asset__balances__amount=1, asset__balances__is_mint=False)
    of_the_week = Q(race__game__motivations__week=week)
    runners = Runner.objects.annotate(
        owned=FilteredRelation("asset__balances", condition=is_owned),
        motivated=FilteredRelation("race__game__motivations", condition=of_the_week),
    )
    return runners.filter(race__ended_in=None).annotate(**_ANNOTATIONS)


_RUNNERS = CompiledQuery(_of_the_running_race, annotated=_ANNOTATIONS)


def _gear_and_turns(race: Any, player: Any, week: Any, month: Any) -> QuerySet[Any, Any]:
    """The gear that a player has in a race, as kind and horse, and what they did in these periods,
    as what and no horse."""
    now = Q(what=WEEKLY, period=week) | Q(period=month) & ~Q(what=WEEKLY)
    turns = Turn.objects.filter(now, player=player).order_by()
    gear = Gear.objects.filter(race=race, player=player).order_by()
    used = turns.values_list("what", Value(""))
    return gear.values_list("kind", "horse").union(used, all=True).order_by()


_GEAR_AND_TURNS = CompiledValues(_gear_and_turns)
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
        rules = self.table.rules
        return rules.figures(Charts, rules.texts(TITLES))

    @cached_property
    def runners(self) -> list[Runner]:
        """The horses of the running race, with the race and with their owners, by name, and with
        this week's motivation."""
        game = self.table.game
        runners: list[Any] = _RUNNERS.all(week=self.week, race__game=game.pk)
        if runners:
            first = runners[0]
            race = Race(
                pk=first.race_id, game=game, number=first.number, started_in=first.started_in
            )
            for runner in runners:
                runner.race = race
        return runners

    @cached_property
    def race(self) -> Race | None:
        """The running race; None in a game without races."""
        return self.runners[0].race if self.runners else None

    @property
    def running_race(self) -> Race:
        """The running race, where there has to be one; AssertionError where there is none."""
        assert self.race is not None, "This game has no races."
        return self.race

    @cached_property
    def field(self) -> Field:
        """The horses as they stand, on the track of the rule in force; raises TableBroken."""
        horses = {
            runner.name: Horse(runner.name, runner.position, runner.place, frozenset(runner.pulls))
            for runner in self.runners
        }
        return Field(horses, self.charts.track)

    @property
    def names(self) -> list[str]:
        """The horses' names in alphabetical order."""
        return [runner.name for runner in self.runners]

    @cached_property
    def owners(self) -> dict[str, str]:
        """The players who own a horse, by horse; who has left is none."""
        return self._owners(is_here=True)

    @property
    def owners_who_left(self) -> dict[str, str]:
        """Those who have left and have a horse all the same, by horse."""
        return self._owners(is_here=False)

    def _owners(self, *, is_here: bool) -> dict[str, str]:
        runners: list[Any] = self.runners  # along with whom it was read
        owned = (runner for runner in runners if runner.owner_name and runner.is_here is is_here)
        return {runner.name: runner.owner_name for runner in owned}

    @cached_property
    def keepers(self) -> dict[str, Holder]:
        """Who has which horse in the ledger, a player or a department, by horse."""
        runners: list[Any] = self.runners
        numbers = {runner.name: runner.keeper for runner in runners}
        holders = {number: Holder(pk=number) for number in {*numbers.values()} - {None}}
        return {horse: holders[number] for horse, number in numbers.items() if number}

    def seat(self, player: Player) -> Seat:
        """The player's horses, gear in this race, and actions used this week and powers this
        month."""
        if player.pk in self._seats:
            return self._seats[player.pk]
        race = self.race.pk if self.race else 0
        rows = _GEAR_AND_TURNS.all(race=race, player=player.pk, week=self.week, month=self.month)
        gear = [(kind, horse) for kind, horse in rows if horse]
        used = {turn for turn, horse in rows if not horse}
        seat = self._seats[player.pk] = Seat(
            horses=frozenset(horse for horse, name in self.owners.items() if name == player.name),
            jerseys=frozenset(horse for kind, horse in gear if kind == GearKind.JERSEY),
            helmets=frozenset(horse for kind, horse in gear if kind == GearKind.HELMET),
            acted=WEEKLY in used,
            powers_used=frozenset(used - {WEEKLY}),
        )
        return seat

    @cached_property
    def motivation(self) -> Motivation | None:
        """This week's motivation of the horses; None while there is none."""
        if not self.runners:
            return self.motivation_of(self.week)
        first: Any = self.runners[0]  # along with which it was read
        if first.motivation is None:
            return None
        return Motivation(
            pk=first.motivation,
            game=self.table.game,
            week=self.week,
            galloper=first.galloper,
            distance=first.distance,
            by=Player(pk=first.by, name=first.by_name) if first.by else None,
            entry=first.motivated_in,
        )

    def motivation_of(self, week: date) -> Motivation | None:
        """The horses' motivation in the week that began on that day; None where there was none."""
        return _MOTIVATIONS.first(game=self.table.game.pk, week=week)

    # What acts and events set

    def sets(self, field: Field) -> list[Set]:
        """The horses' rows that become different where they stand like that."""
        changes = []
        for runner in self.runners:
            horse = field[runner.name]
            is_now = horse.position, horse.place, sorted(horse.pulls)
            if (runner.position, runner.place, sorted(runner.pulls)) != is_now:
                fields = dict(zip(("position", "place", "pulls"), is_now, strict=True))
                # A vote may have moved the finish nearer than the horse: it crosses from beyond.
                finish = max(field.track.finish, horse.position)
                changes.append(Set(runner, finish=finish, **fields))
        return changes

    def stepped(self, horse: str | None, direction: str | None, times: int) -> Stepped:
        """The horse goes so many steps forward or back, as far as the track goes."""
        if horse is None or direction is None or horse not in self.field.horses:
            return "", []
        moves, field = step(self.field, horse, STEP_BY[direction], times)
        return describe_moves(moves), self.sets(field)

    def pulled(self, horse: str | None, added: str | None) -> Stepped:
        """The added horse joins the horse's pulls, where it may be already."""
        if horse is None or added is None:
            return "", []
        is_there = added in self.field[horse].pulls
        how = f"is among {horse}'s pulls already" if is_there else f"joins {horse}'s pulls"
        return f"{added} {how}", self.sets(self.field.with_pull(horse, added))

    def turn(self, player: Player, use: str) -> Set:
        """The player has used the weekly race action, or that horse's monthly power."""
        period = self.week if use == WEEKLY else self.month
        return Set(Turn, player=player, what=use, period=period)

    def gear(self, player: Player, kind: GearKind, horse: str | None) -> Set:
        """The player has got a jersey or a helmet for the horse."""
        return Set(Gear, race=self.race, player=player, kind=kind, horse=horse)

    def bet(self, player: Player, horse: str | None, dollaries: int | None) -> Set:
        """The player has bet that on the horse."""
        return Set(Bet, race=self.race, player=player, horse=horse, dollaries=dollaries)

    def last_week(self) -> date:
        """The day on which the week before the game's week began."""
        return self.week - timedelta(days=7)


def state_of(table: Table) -> State:
    """The state of the races at that table, the same until something is saved."""
    return table.once(State)


def drop_state(table: Table) -> None:
    """Let the state be read anew: something was saved."""
    table.drop(State)


def motivator(motivation: Motivation) -> str:
    """Who motivated the horses, as a sentence begins with it."""
    return motivation.by.name if motivation.by else THE_SYSTEM


# Back to rows


def save_field(table: Table, field: Field) -> None:
    """Store the positions, places and pulls that changed, in one statement."""
    apply(table, Effects(*state_of(table).sets(field)))


def describe_moves(moves: Iterable[HorseMove], verb: str = "goes") -> str:
    """Moves in words: “Fargo goes from 3 to 5, Alexia from 0 to 1”."""
    parts = [f"{move.horse} from {move.before} to {move.after}" for move in moves]
    if not parts:
        return "no horse moves"
    return ", ".join([parts[0].replace(" from", f" {verb} from", 1), *parts[1:]])
