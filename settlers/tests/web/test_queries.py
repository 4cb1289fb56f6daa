"""How many queries the isle costs, with a few Settlers and with many."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.catch_up import catch_up
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS, Preset
from nomic.operations.setup import new_game
from settlers.api import isle_state
from settlers.models import Bribe, Isle, Offer, Settler, Visit
from settlers.state.reading import ARRIVAL, PRODUCTION
from settlers.subgame import THE_ISLE
from settlers.tests.crowd import let_them_deal, seat_many, settle_many
from settlers.tests.stage import bring_the_thug, give, hours, place, visitor_is
from tests.kit import WEDNESDAY, Take, at_the_table, seat

Budget = Callable[..., AbstractContextManager[Any]]
Two = tuple[Player, Player]

AN_ACTION = 15
TELLING = 2  # an offer: who got it, and the outbox
AN_API_READ = 15
MANY = [3, 300]
PLENTY = {"wheat": 50, "sheep": 50, "stone": 50, "wood": 50, "brick": 50}
DOMAINS = {"wheat": 2, "sheep": 5, "stone": 3, "wood": 8, "brick": 9}

ACTS: list[tuple[str, dict[str, Any]]] = [
    (
        "settlers.harvest",
        {
            "change": {"shift": {"resource": "wheat", "number": 12}},
            "bonuses": [{"building": "Farm", "choice": "sheep"}],
        },
    ),
    ("settlers.build", {"building": "Farm"}),
    ("settlers.swap_with_merchant", {"give": "wood", "take": "stone"}),
    ("settlers.bribe", {"items": {"wheat": 1, "stone": 60}}),
    ("settlers.offer_trade", {"to": "Madrid", "give": {"wood": 2}, "take": {"brick": 1}}),
    ("settlers.cancel_trade", {"offer": 1}),
    ("settlers.set_alliance", {"other": "Madrid", "listed": "on"}),
    ("settlers.not_ready", {}),
]
# What other parts of the game follow as well, and what happens to a player once.
GREATER: list[tuple[str, dict[str, Any], int]] = [
    ("settlers.ready", {}, 16),  # whether all are, and so whether a Production comes sooner
    ("settlers.accept_trade", {"offer": 1}, 18),  # two Settlers at once, and dice
    ("games.leave", {}, 17),  # with what they judge and stand for
    ("games.take_office", {"office": "Onlooker"}, 15),
    ("settlers.build", {"building": "Cone", "other": "wood"}, 19),  # a victory, which opens a visit
]


@pytest.fixture
def crowd(game: Game, with_the_thug: Game, settled: Two, act: Take, others: int) -> Two:
    """Murphy and Madrid with plenty among so many others, all of whom deal."""
    murphy, madrid = settled
    rows = settle_many(game, others)
    hours(game, 48)
    with at_the_table(game) as table:
        give(table, murphy, **PLENTY)
        give(table, madrid, **PLENTY)
    act(madrid, "settlers.offer_trade", to="Murphy", give={"brick": 1}, take={"wood": 1})
    let_them_deal(game, rows)
    place(murphy, domains=DOMAINS, buildings=["Farm", "Church", "Cone", "Cone", "Cone"])
    return settled


@pytest.mark.parametrize("others", MANY)
@pytest.mark.parametrize(("name", "inputs"), ACTS)
def test_an_act_stays_within_its_budget(
    django_assert_max_num_queries: Budget,
    game: Game,
    crowd: Two,
    act: Take,
    others: int,
    name: str,
    inputs: dict[str, Any],
):
    murphy, _ = crowd
    visitor_is(game, "Thug" if name == "settlers.bribe" else "Merchant")
    Settler.objects.filter(game=game).exclude(player=murphy).update(ready=True)
    if name == "settlers.not_ready":
        place(murphy, ready=True)
    most = AN_ACTION + TELLING * (name == "settlers.offer_trade")
    with django_assert_max_num_queries(most):
        act(murphy, name, **inputs)


@pytest.mark.parametrize("others", MANY)
@pytest.mark.parametrize(("name", "inputs", "most"), GREATER)
def test_an_act_that_concerns_more_than_the_isle_stays_within_its_bound(
    django_assert_max_num_queries: Budget,
    game: Game,
    crowd: Two,
    act: Take,
    others: int,
    name: str,
    inputs: dict[str, Any],
    most: int,
):
    murphy, _ = crowd
    visitor_is(game, "Thug")
    visitor_is(game, "Merchant")
    Settler.objects.filter(game=game).exclude(player=murphy).update(ready=True)
    with django_assert_max_num_queries(most):
        act(murphy, name, **inputs)


@pytest.mark.parametrize("others", MANY)
def test_joining_the_isle_stays_within_the_budget(
    django_assert_max_num_queries: Budget, game: Game, crowd: Two, act: Take,
    others: int
):  # fmt: skip
    late = seat(game, "juan")
    with django_assert_max_num_queries(AN_ACTION):
        act(late, "settlers.join")


@pytest.mark.thorough
@pytest.mark.parametrize("others", MANY)
def test_opening_a_visit_stays_within_the_budget(
    django_assert_max_num_queries: Budget, game: Game, crowd: Two, act: Take,
    officer: Player, others: int
):  # fmt: skip
    two = crowd
    visit = visitor_is(game, "Thug")
    for each in two:
        act(each, "settlers.bribe", items={"wheat": 1})
    hours(game, 48 * 4)
    if Visit.objects.get(over_in=None).visitor == "Thug":
        visitor_is(game, "None")
    with django_assert_max_num_queries(AN_ACTION):
        act(officer, "settlers.open_visit", visit=visit.number)


def next_of(game: Game, kind: str) -> int:
    """The queries of the next event, which is to be of that kind."""
    waiting = game.appointments.filter(status="waiting").earliest("due")
    assert waiting.kind == kind
    Game.objects.filter(pk=game.pk).update(anchor_game=waiting.due, wakes_at=None)
    with CaptureQueriesContext(connection) as seen:
        assert catch_up(game.pk, limit=1) == 1
    # How often the second card is drawn again is luck.
    return sum('INTO "dice_roll"' not in query["sql"] for query in seen.captured_queries)


def an_isle(count: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """What Production and arrival cost with so many Settlers who all have told a bribe."""
    monday = WEDNESDAY - timedelta(days=2)  # the dice change their seed at the end of the week
    game = new_game(f"isle-{count}", "multa", pace="manual", start=monday)[0]
    with at_the_table(game) as table:
        bring_the_thug(table)
    rows = settle_many(game, count)
    found = {"production": next_of(game, PRODUCTION)}
    monkeypatch.setattr("settlers.events.appointments._DIE", [2])  # 4: the Thug
    found["an arrival"] = next_of(game, ARRIVAL)
    let_them_deal(game, rows)
    found["a production with a Thug"] = next_of(game, PRODUCTION)
    found["the Thug's arrival"] = next_of(game, ARRIVAL)
    assert not Bribe.objects.filter(settler__game=game).exists()
    assert Settler.objects.filter(game=game, victim=True).count() == 1
    Settler.objects.filter(game=game).update(ready=True)
    with at_the_table(game) as table:
        THE_ISLE.office_changed(table, "Onlooker")
    found["a production of all who are ready"] = next_of(game, PRODUCTION)
    assert Settler.objects.filter(game=game, injured=True).count() == 1
    return found


@pytest.mark.thorough
def test_a_production_and_an_arrival_take_as_many_queries_for_300_as_for_3(
    db: None, monkeypatch: pytest.MonkeyPatch
):
    few = an_isle(3, monkeypatch)
    assert an_isle(300, monkeypatch) == few
    assert max(few.values()) <= 40, few


@pytest.mark.parametrize("others", MANY)
def test_the_state_stays_within_the_budget_of_a_reading(
    django_assert_max_num_queries: Budget,
    game: Game,
    crowd: Two,
    officer: Player,
    others: int,
):
    murphy, _ = crowd
    visitor_is(game, "Thug")
    let_some_bribe(game)
    game.refresh_from_db()
    for viewer in (None, murphy, officer):
        with django_assert_max_num_queries(AN_API_READ):
            assert isle_state(glance(game), viewer)


def let_some_bribe(game: Game) -> None:
    Bribe.objects.bulk_create(
        Bribe(settler=each, items={"wood": 1}) for each in Settler.objects.filter(game=game)
    )


@pytest.mark.parametrize("others", MANY)
def test_an_isle_that_begins_among_many_players_costs_no_more_than_among_few(
    django_assert_max_num_queries: Budget,
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    others: int,
):
    monkeypatch.setitem(PRESETS, "bare", Preset("bare", "Bare", "No rules yet.", rulebooks=()))
    game = new_game("bare", "bare", pace="manual", start=WEDNESDAY)[0]
    seat_many(game, others)
    with django_assert_max_num_queries(65), at_the_table(game) as table:
        parents: dict[str, Any] = {}
        for rule in THE_ISLE.shipped():
            parents[rule.title] = table.rules.enact(
                rule.title, rule.text, parent=parents.get(rule.parent)
            )
    assert Isle.objects.get(game=game).is_on
    assert not Settler.objects.filter(game=game).exists()
    murphy = seat(game, "Murphy")
    with django_assert_max_num_queries(AN_ACTION):
        take("bare", murphy, "settlers.join")


@pytest.mark.parametrize("others", [3])
def test_a_victory_that_opens_ten_visits_opens_each_in_an_entry_of_its_own(
    django_assert_max_num_queries: Budget, game: Game, crowd: Two, act: Take
):
    murphy, _ = crowd
    for _ in range(10):
        visitor_is(game, "Thug")
    visitor_is(game, "None")
    act(murphy, "settlers.build", building="Cone", other="wood")
    with CaptureQueriesContext(connection) as seen:
        assert hours(game, 0) == 10
    assert len(seen) <= 10 * 25
    assert Visit.objects.filter(opened_in=None, sealed=True).count() == 0
    assert Offer.objects.filter(end="").exists()
