"""How many queries the races cost, with a few players and with many."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from horses.api import horses_state
from horses.tests.conftest import Stage
from nomic.engine.catch_up import catch_up
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.ledger.models import Holder, HolderKind
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, at_the_table

Budget = Callable[..., AbstractContextManager[Any]]

AN_ACTION = 13
AN_API_READ = 8

ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("bet", {"horse": "Fargo", "dollaries": 2}),
    ("get_jersey", {"horse": "Fargo", "added_pull": "Sugar"}),
    ("get_helmet", {"horse": "Fargo"}),
    ("buy", {"horse": "Rubert"}),
    ("nudge", {"horse": "Fargo", "direction": "forward"}),
    ("gain_dollaries", {}),
    ("fargo_power", {"horse": "Sugar"}),
    ("nacho_power", {"horse": "Fargo", "pulling_horse": "Baxter", "added_pull": "Sugar"}),
    ("rubert_power", {"horse": "Fargo", "dollaries": 2}),
    ("sugar_power", {"horse": "Fargo"}),
    ("cannon_power", {}),
    ("destructor_power", {"horse": "Alexia"}),
    ("motivate", {}),
    ("transfer", {"horse": "Sugar", "to": "Madrid"}),
]


def crowd(game: Game, count: int, name: str = "crowd") -> None:
    """Seat so many players, in two statements."""
    names = [f"{name} {number}" for number in range(count)]
    players = Player.objects.bulk_create(
        Player(game=game, name=name, joined_at=WEDNESDAY) for name in names
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=player.name, player=player)
        for player in players
    )


@pytest.mark.parametrize("others", [3, 300])
@pytest.mark.parametrize(("name", "inputs"), ACTIONS)
def test_an_action_stays_within_its_budget(
    django_assert_max_num_queries: Budget,
    act: Take,
    player: Player,
    rival: Player,
    stage: Stage,
    others: int,
    name: str,
    inputs: dict[str, Any],
):
    crowd(stage.game, others)
    stage.give(player, hooves=3)
    stage.put(Alexia=5)
    if name.endswith("_power"):
        stage.give_horses(player, name.removesuffix("_power").capitalize())
    if name == "transfer":
        stage.give_horses(player, "Sugar")
    with django_assert_max_num_queries(AN_ACTION):
        act(player, f"horses.{name}", **inputs)


@pytest.mark.parametrize("others", [3, 300])
def test_the_state_stays_within_the_budget_of_a_reading(
    django_assert_max_num_queries: Budget,
    act: Take,
    player: Player,
    stage: Stage,
    others: int,
):
    crowd(stage.game, others)
    act(player, "horses.motivate")
    act(player, "horses.bet", horse="Fargo", dollaries=2)
    with django_assert_max_num_queries(AN_API_READ - 2):
        horses_state(glance(stage.game), player)


def queries_of_a_run(stage: Stage, *, ending: bool) -> int:
    """How many queries the next run takes, with a bet and an outfit of every player."""
    with at_the_table(stage.game) as table:
        race = table.game.races.get(ended_in__isnull=True)
        for player in table.game.players.all():
            race.bets.create(player=player, horse="Alexia", dollaries=1, entry=1)
            race.gear.create(player=player, horse="Alexia", kind="jersey", entry=1)
            race.gear.create(player=player, horse="Alexia", kind="helmet", entry=1)
    if ending:
        stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.motivated("Rubert", 1)
    with CaptureQueriesContext(connection) as captured:
        stage.weeks()
    entry = stage.last("horses.run")
    assert entry.outcome["race_ended"] == ending
    return len(captured)


@pytest.mark.thorough
@pytest.mark.parametrize("ending", [False, True])
def test_a_run_takes_as_many_queries_for_300_players_as_for_3(stage: Stage, ending: bool):
    crowd(stage.game, 3)
    stage.weeks()
    few = queries_of_a_run(stage, ending=ending)
    crowd(stage.game, 297, "more")
    with at_the_table(stage.game) as table:
        table.game.races.get(ended_in__isnull=True).bets.all().delete()
        table.game.races.get(ended_in__isnull=True).gear.all().delete()
    assert queries_of_a_run(stage, ending=ending) == few


def test_nothing_more_is_due_after_the_week(stage: Stage):
    advance(stage.slug, WEDNESDAY)
    assert catch_up(stage.game.pk) == 0
