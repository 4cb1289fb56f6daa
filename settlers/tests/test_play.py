"""The Gift of the Isle from its beginning to a victory, as Settlers and the clock move it."""

from __future__ import annotations

import pytest

from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player, Win
from nomic.ledger.books import Ledger
from nomic.operations.replay import replay
from settlers.models import Bribe, Isle, Settler, Visit
from settlers.tests.stage import give, hours, isle_of, place, results_are, visitor_is
from tests.kit import Take, at_the_table

pytestmark = pytest.mark.django_db

Two = tuple[Player, Player]


def held(game: Game, player: Player) -> dict[str, int]:
    """What the player has of the resources, without what is zero."""
    game.refresh_from_db()
    resources = ("wheat", "sheep", "stone", "wood", "brick")
    balances = Ledger(game, None).holdings(player)
    return {each: balances[each] for each in resources if balances.get(each)}


def test_who_settles_rolls_five_different_numbers(game: Game, settled: Two):
    for row in Settler.objects.all():
        numbers = list(row.domains.values())
        assert len(set(numbers)) == 5
        assert set(numbers) <= {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}


def test_a_production_comes_after_48_hours_and_a_visitor_24_hours_later(game: Game, settled: Two):
    assert hours(game, 47.9) == 0
    hours(game, 0.2)
    isle = isle_of(game)
    assert isle.production == 1
    assert isle.first != isle.second
    assert isle.arrival == 0
    hours(game, 24)
    assert isle_of(game).arrival == 1


def test_it_comes_at_once_when_every_settler_is_ready(game: Game, settled: Two, act: Take):
    murphy, madrid = settled
    act(murphy, "settlers.ready")
    hours(game, 1)
    assert isle_of(game).production == 0
    act(madrid, "settlers.ready")
    hours(game, 0)
    assert isle_of(game).production == 1
    assert not Settler.objects.filter(ready=True).exists()


def test_a_harvest_brings_what_the_table_says(game: Game, produced: Two, act: Take):
    murphy, _ = produced
    results_are(game, 2, 5)
    place(murphy, domains={"wheat": 2, "sheep": 5, "stone": None, "wood": 8, "brick": 9})
    act(murphy, "settlers.harvest", change={"swap": {"a": "stone", "b": "wheat"}})
    assert held(game, murphy) == {"wheat": 5, "sheep": 2}
    assert Settler.objects.get(player=murphy).domains["stone"] == 2
    with pytest.raises(Refused, match="harvested"):
        act(murphy, "settlers.harvest")


def test_the_thug_collects_and_chooses_a_victim_who_is_injured_next(
    game: Game, with_the_thug: Game, produced: Two, act: Take
):
    murphy, madrid = produced
    with at_the_table(game) as table:
        give(table, murphy, wheat=5, stone=2)
        give(table, madrid, wheat=1, brick=4)
    visit = visitor_is(game, "Thug")
    act(murphy, "settlers.bribe", items={"wheat": 3, "stone": 1})
    act(madrid, "settlers.bribe", items={"brick": 9})
    hours(game, 48 + 24 + 1)
    isle = isle_of(game)
    assert held(game, murphy) == {"wheat": 2, "stone": 1}
    assert held(game, madrid) == {"wheat": 1}
    assert Settler.objects.get(victim=True).player == madrid
    assert not Bribe.objects.exists()
    hours(game, 24)
    assert Settler.objects.get(injured=True).player == madrid
    with pytest.raises(Refused, match="njured"):
        act(madrid, "settlers.harvest")
    visit.refresh_from_db()
    assert visit.over_in is not None
    assert isle.arrival == visit.number + 1


def test_four_cones_are_a_victory_that_opens_the_past(
    game: Game, with_the_thug: Game, produced: Two, act: Take
):
    murphy, _ = produced
    with at_the_table(game) as table:
        give(table, murphy, stone=25, wood=25)
    visitor_is(game, "Thug")
    act(murphy, "settlers.bribe", items={"stone": 1})
    hours(game, 48 + 24)
    for _ in range(4):
        act(murphy, "settlers.build", building="Cone", other="wood")
    assert Win.objects.get().player == murphy
    hours(game, 1)
    visit = Visit.objects.get(number=1)
    assert visit.opened_in is not None
    assert game.sealed_entries.filter(name="settlers.bribe", opened_in=visit.opened_in).exists()


@pytest.mark.thorough
def test_all_of_it_replays(game: Game, settled: Two, act: Take):
    murphy, madrid = settled
    hours(game, 48)
    act(murphy, "settlers.harvest")
    act(madrid, "settlers.ready")
    act(murphy, "settlers.ready")
    hours(game, 60)
    _, difference = replay(game)
    assert difference is None
    assert Isle.objects.filter(game__scratch=False).count() == 1


def test_the_onlooker_is_no_settler_so_the_others_may_all_be_ready(
    game: Game, settled: Two, act: Take
):
    murphy, madrid = settled
    act(murphy, "settlers.ready")
    act(madrid, "games.take_office", office="Onlooker")
    hours(game, 0)
    assert isle_of(game).production == 1
    with pytest.raises(Refused, match="not a Settler while in office"):
        act(madrid, "settlers.harvest")
