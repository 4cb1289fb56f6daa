"""How the races stand, as plain values: what the API answers and the report is made from."""

from collections import defaultdict
from functools import partial

from django.db.models import Sum

from horses.models import WEEKLY, Bet, Gear, GearKind, Race, Turn
from horses.rules.race import Horse
from horses.shapes import GearShape, HorseShape, MotivationShape, RacesShape
from horses.state import State, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.ledger.models import AGORA
from nomic.rulebook.charts import unless_broken


def horses_state(table: Table, player: Player | None = None) -> RacesShape | None:
    """The horses, who owns them, gear and bets of the running race; nothing is private."""
    state = state_of(table)
    if state.race is None:
        return None
    # What a broken table would say is null.
    return {
        "race": state.race.number,
        "finished_races": state.race.number - 1,
        "horses": horses_to_dict(state),
        "motivation": motivation_to_dict(state),
        "gear": gear_of(state.race),
        "bets": bets_of(state.race),
        "weekly_action_used": sorted(
            Turn.objects.filter(
                game=table.game, what=WEEKLY, period=state.week, player__active=True
            ).values_list("player__name", flat=True)
        ),
    }


def horses_to_dict(state: State) -> dict[str, HorseShape]:
    """Each horse by name: owner (“Agora” or a player), cost, position, place, pulls, multiplier."""
    owners = state.owners
    return {
        runner.name: {
            "owner": owners.get(runner.name, AGORA),
            "cost": unless_broken(partial(state.charts.cost, runner.name), None),
            "position": runner.position,
            "place": runner.place,
            "pulls": sorted(runner.pulls),
            "multiplier": unless_broken(
                partial(state.charts.multiplier, Horse(runner.name, runner.position, runner.place)),
                None,
            ),
        }
        for runner in state.runners
    }


def motivation_to_dict(state: State) -> MotivationShape | None:
    """This week's motivation, if there is one; `by` is None where the system did it."""
    motivation = state.motivation
    if motivation is None:
        return None
    return {
        "galloper": motivation.galloper,
        "distance": motivation.distance,
        "by": motivation.by.name if motivation.by else None,
    }


_GEAR = CompiledValues(
    lambda: (
        Gear.objects.filter(player__active=True)
        .order_by("player__name", "horse")
        .values_list("player__name", "kind", "horse")
    )
)
_BETS = CompiledValues(
    lambda: (
        Bet.objects.filter(player__active=True)
        .order_by("player__name", "horse")
        .values("player__name", "horse")
        .annotate(total=Sum("dollaries"))
        .values_list("player__name", "horse", "total")
    )
)


def gear_of(race: Race) -> dict[str, GearShape]:
    """Each player's jerseys and helmets in that race."""
    gear: dict[str, GearShape] = {}
    for player, kind, horse in _GEAR.all(race=race.pk):
        player_gear = gear.setdefault(player, {"jerseys": [], "helmets": []})
        player_gear["jerseys" if kind == GearKind.JERSEY else "helmets"].append(horse)
    return gear


def bets_of(race: Race) -> dict[str, dict[str, int]]:
    """The dollaries that each player has bet on each horse in that race."""
    bets: dict[str, dict[str, int]] = defaultdict(dict)
    for player, horse, total in _BETS.all(race=race.pk):
        bets[player][horse] = total
    return dict(bets)
