"""Many connections trade, build and bribe at one moment: each act counts once, and in one order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.catch_up import sweep
from nomic.engine.outcomes import Malformed, Receipt, Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from settlers.models import Bribe, Isle, Offer, Settler
from settlers.state.reading import ARRIVAL, PRODUCTION
from settlers.tests.asking import held
from settlers.tests.stage import bring_the_thug, hours, isle_of, place, results_are, visitor_is
from tests.kit import (
    WEDNESDAY,
    Take,
    again_while_busy,
    all_at_once,
    at_the_table,
    seat,
    take_away_the_lock,
)

Two = tuple[Player, Player]
CROWD = 10
DOMAINS = {"wheat": 2, "sheep": 5, "stone": 3, "wood": 12, "brick": 11}


@pytest.fixture
def raced(transactional_db: None, game: Game, produced: Two, act: Take) -> Two:
    """Murphy has five wheat, two sheep; Madrid five wood, four brick; all of it by harvests."""
    murphy, madrid = produced
    for each, results in ((murphy, (2, 5)), (madrid, (12, 11))):
        place(each, domains=DOMAINS)
        results_are(game, *results)
        act(each, "settlers.harvest")
    return produced


def sent(player: Player, name: str, key: str = "", **inputs: Any) -> Callable[[], Receipt]:
    return again_while_busy(lambda: take("table", player.user, f"settlers.{name}", inputs, key))


def done(ends: list[Any]) -> int:
    """How many were done, where all others were refused or found no such thing any more."""
    assert all(isinstance(end, Receipt | Refused | Malformed) for end in ends), ends
    return sum(isinstance(end, Receipt) for end in ends)


def sound(game: Game) -> bool:
    return not any(finding.wrong for finding in audit(Game.objects.get(pk=game.pk)))


def test_an_offer_that_ten_connections_accept_at_once_is_done_once(
    game: Game, raced: Two, act: Take
):
    murphy, madrid = raced
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 2}, take={"wood": 2})
    ends = all_at_once(*[sent(madrid, "accept_trade", offer=1)] * CROWD)
    assert done(ends) == 1
    assert held(game, murphy) == {"wheat": 3, "sheep": 2, "wood": 1}
    assert held(game, madrid) == {"wheat": 1, "wood": 3, "brick": 4}
    assert sound(game)


def test_with_the_lock_taken_away_that_goes_wrong(
    game: Game, raced: Two, act: Take, monkeypatch: pytest.MonkeyPatch
):
    murphy, madrid = raced
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 2}, take={"wood": 2})
    take_away_the_lock(monkeypatch, CROWD)
    ends = all_at_once(*[sent(madrid, "accept_trade", offer=1)] * CROWD)
    assert not all(isinstance(end, Receipt | Refused | Malformed) for end in ends)


def test_an_offer_that_is_accepted_and_withdrawn_at_once_is_one_of_both(
    game: Game, raced: Two, act: Take
):
    murphy, madrid = raced
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 2}, take={"wood": 2})
    ends = all_at_once(
        *[sent(madrid, "accept_trade", offer=1), sent(murphy, "cancel_trade", offer=1)] * 3
    )
    assert done(ends) == 1
    traded = Offer.objects.get().end == "accepted"
    assert ("wood" in held(game, murphy)) == traded
    assert sound(game)


def test_two_who_accept_each_others_offers_at_once_trade_once(game: Game, raced: Two, act: Take):
    murphy, madrid = raced
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 2}, take={"wood": 2})
    act(madrid, "settlers.offer_trade", to="Murphy", give={"brick": 2}, take={"sheep": 2})
    ends = all_at_once(sent(madrid, "accept_trade", offer=1), sent(murphy, "accept_trade", offer=2))
    assert done(ends) == 1
    assert Offer.objects.filter(end="accepted").count() == 1


def test_a_building_that_two_tabs_buy_at_once_with_stock_for_one_is_one(
    game: Game, raced: Two, act: Take
):
    murphy, madrid = raced
    act(
        murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 3, "sheep": 2}, take={"wood": 5}
    )
    for one, other in ((murphy, "Madrid"), (madrid, "Murphy")):
        act(one, "settlers.set_alliance", other=other, listed="on")
    act(madrid, "settlers.accept_trade", offer=1)
    assert held(game, madrid) == {"wheat": 3, "sheep": 2, "brick": 4}
    results_are(game, 12, 3)
    place(madrid, harvested_in=None)
    act(madrid, "settlers.harvest")  # five wood: enough for two Quarries' wood, and for one Farm
    ends = all_at_once(*[sent(madrid, "build", building="Quarry")] * 6)
    assert done(ends) == 2  # four brick
    assert Settler.objects.get(player=madrid).buildings == ["Quarry"] * 2
    ends = all_at_once(*[sent(madrid, "build", building="Farm")] * 2)
    assert done(ends) == 1  # three wood are left
    assert Settler.objects.get(player=madrid).buildings == ["Quarry", "Quarry", "Farm"]


def test_a_crop_that_two_tabs_harvest_at_once_is_one(game: Game, raced: Two):
    murphy, _ = raced
    hours(game, 48)
    results_are(game, 2, 5)
    ends = all_at_once(*[sent(murphy, "harvest")] * 6)
    assert done(ends) == 1
    assert held(game, murphy) == {"wheat": 10, "sheep": 4}


def test_one_key_that_is_sent_ten_times_is_one_act(game: Game, raced: Two):
    murphy, _ = raced
    offer = {"to": "Madrid", "give": {"wheat": 1}, "take": {"wood": 1}}
    ends = all_at_once(*[sent(murphy, "offer_trade", "once", **offer)] * CROWD)
    assert sorted(end.repeated for end in ends) == [False] + [True] * (CROWD - 1)
    assert Offer.objects.count() == 1


def test_the_last_who_are_ready_at_once_make_one_production(game: Game, raced: Two):
    later = seat(game, "juan")
    take("table", later, "settlers.join")
    ends = all_at_once(*[sent(each, "ready") for each in (*raced, later)])
    assert done(ends) == 3
    sweep()
    assert game.entries.filter(name=PRODUCTION).count() == isle_of(game).production == 2
    assert not Settler.objects.filter(ready=True).exists()


def test_all_who_settle_at_once_are_settlers_each_with_five_numbers(
    transactional_db: None, game: Game
):
    players = [seat(game, f"player{number}") for number in range(CROWD)]
    ends = all_at_once(*[sent(each, "join") for each in players for _ in range(2)])
    assert done(ends) == CROWD
    assert {len(set(row.domains.values())) for row in Settler.objects.all()} == {5}
    assert Settler.objects.count() == CROWD
    assert replay(Game.objects.get(pk=game.pk))[1] is None


# The Thug


@pytest.fixture
def bribing(game: Game, raced: Two) -> Two:
    """The Thug is here, and the next Visitor Arrival at hour 120."""
    with at_the_table(game) as table:
        bring_the_thug(table)
    visitor_is(game, "Thug")
    hours(game, 48)
    return raced


def test_bribes_at_the_moment_of_the_arrival_come_after_it(
    game: Game, bribing: Two, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("settlers.events.appointments._DIE", [6])  # 12: nobody comes
    arrives = WEDNESDAY + timedelta(hours=120)
    Game.objects.filter(pk=game.pk).update(anchor_game=arrives)
    calls = [sent(each, "bribe", items={"wheat": 1}) for each in bribing for _ in range(4)]
    ends = all_at_once(*calls, sweep, sweep)
    assert [end.refusal.code for end in ends[:-2]] == ["no_thug"] * 8
    arrival = game.entries.get(name=ARRIVAL, at=arrives)
    assert arrival.outcome["paid"] == {}
    assert not Bribe.objects.exists()


def test_the_last_of_many_bribes_at_once_counts(game: Game, bribing: Two):
    murphy, _ = bribing
    before = Game.objects.get(pk=game.pk).sealed_count
    ends = all_at_once(
        *(sent(murphy, "bribe", items={"wheat": amount}) for amount in range(1, CROWD + 1))
    )
    assert done(ends) == CROWD
    assert Game.objects.get(pk=game.pk).sealed_count == before + CROWD
    last = game.sealed_entries.filter(name="settlers.bribe").latest("seq")
    assert Bribe.objects.get().items == last.inputs["items"]


def test_workers_who_sweep_while_settlers_act_keep_each_moment_once(game: Game, raced: Two):
    Game.objects.filter(pk=game.pk).update(anchor_game=WEDNESDAY + timedelta(hours=48 * 6))
    Game.objects.filter(pk=game.pk).update(wakes_at=WEDNESDAY)
    acts = [sent(each, name) for each in raced for name in ("harvest", "ready")]
    ends = all_at_once(*acts, *[sweep] * 4)
    assert not [end for end in ends if isinstance(end, Exception) and not isinstance(end, Refused)]
    hours(game, 0)
    moments = list(
        game.entries.filter(name=PRODUCTION).order_by("seq").values_list("at", flat=True)
    )
    assert moments[:6] == [WEDNESDAY + timedelta(hours=48 * n) for n in range(1, 7)]
    assert Isle.objects.get(game=game).production == len(moments)
    assert sound(game)
