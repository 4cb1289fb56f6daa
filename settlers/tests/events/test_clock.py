"""The isle's clock: Productions and Visitor Arrivals once each, in order, at their own moments."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from settlers.models import Settler, Visit
from settlers.rules.titles import DECK, VISITORS
from settlers.state.reading import PRODUCTION
from settlers.tests.asking import why_not
from settlers.tests.moments import HOUR, amend, at, due, fresh, happened
from settlers.tests.stage import hours, isle_of, visitor_is
from tests.kit import WEDNESDAY, Take, at_the_table, seat

Two = tuple[Player, Player]
WEEK = timedelta(weeks=1)


# By themselves


@pytest.mark.thorough
def test_ten_missed_weeks_happen_once_in_order_each_at_its_own_moment(game: Game, settled: Two):
    advance(game.slug, WEDNESDAY + 10 * WEEK)
    whole = 10 * 7 * 24
    assert happened(game) == sorted(
        [("production", at(n)) for n in range(48, whole + 1, 48)]
        + [("arrival", at(n)) for n in range(72, whole + 1, 48)],
        key=lambda each: each[1],
    )
    isle = isle_of(game)
    assert (isle.production, isle.arrival, isle.arrived_for) == (35, 34, 34)
    numbers = game.entries.filter(name=PRODUCTION).order_by("seq").values_list("outcome", flat=True)
    assert [figures["production"] for figures in numbers] == list(range(1, 36))
    assert replay(fresh(game))[1] is None


def test_what_has_happened_does_not_happen_again(game: Game, settled: Two):
    hours(game, 72)
    before = game.entries.count()
    assert catch_up(game.pk) == sweep() == sweep() == 0
    assert game.entries.count() == before


def test_on_an_isle_without_settlers_the_clock_goes_on(game: Game):
    hours(game, 72)
    assert happened(game) == [("production", at(48)), ("arrival", at(72))]


# By hand


def test_a_production_by_hand_moves_the_next_one_and_brings_its_visitor(
    game: Game, settled: Two, officer: Player, act: Take
):
    hours(game, 48)
    sentence = (
        "The next Production may happen from 2026-03-08 00:00:00 UTC on, or sooner when every"
        " Settler is Ready."
    )
    hours(game, 35)
    assert why_not(officer, "produce") == ("too_early", sentence, DECK)
    hours(game, 1)
    act(officer, "settlers.produce")
    assert due(game) == {"production": at(84 + 48), "arrival": at(84 + 24)}
    hours(game, 48)
    assert happened(game)[2:] == [
        ("produce", at(84)),
        ("arrival", at(108)),
        ("production", at(132)),
    ]


def test_the_first_production_may_happen_from_the_beginning_on(
    game: Game, settled: Two, officer: Player, act: Take
):
    act(officer, "settlers.produce")
    assert isle_of(game).production == 1


def test_a_visitor_who_was_received_by_hand_does_not_arrive_again(
    game: Game, settled: Two, officer: Player, act: Take
):
    sentence = "The Visitor arrives once after each Production. Wait for the next one."
    assert why_not(officer, "receive_visitor") == ("has_arrived", sentence, VISITORS)
    hours(game, 50)
    act(officer, "settlers.receive_visitor")
    assert due(game) == {"production": at(96)}
    assert why_not(officer, "receive_visitor") == ("has_arrived", sentence, VISITORS)
    hours(game, 46)
    assert due(game) == {"production": at(144), "arrival": at(120)}


def test_an_arrival_that_is_due_comes_before_what_the_onlooker_does_then(
    game: Game, settled: Two, officer: Player, act: Take
):
    hours(game, 48)
    Game.objects.filter(pk=game.pk).update(anchor_game=at(72))
    assert why_not_now(officer, "receive_visitor") == "has_arrived"
    assert happened(game)[-1] == ("arrival", at(72))
    Game.objects.filter(pk=game.pk).update(anchor_game=at(96))
    assert why_not_now(officer, "produce") == "too_early"
    assert happened(game)[-1] == ("production", at(96))


def why_not_now(player: Player, name: str) -> str:
    """The refusal's code, where something else happens before it."""
    with pytest.raises(Refused) as refused:
        take("table", player, f"settlers.{name}")
    return refused.value.refusal.code


def test_only_the_onlooker_produces_and_receives(game: Game, settled: Two, officer: Player):
    hours(game, 40)
    for name in ("produce", "receive_visitor"):
        assert why_not(settled[0], name)[:2] == (
            "not_the_officer",
            "Only the Onlooker can do this.",
        )


def test_a_production_before_the_visitor_came_leaves_them_waiting_and_brings_no_second(
    game: Game, settled: Two, act: Take
):
    hours(game, 50)
    for each in settled:
        act(each, "settlers.ready")
    hours(game, 0)
    assert due(game) == {"production": at(98), "arrival": at(72)}
    hours(game, 47)
    assert happened(game) == [("production", at(48)), ("production", at(50)), ("arrival", at(72))]
    assert isle_of(game).arrived_for == 2
    hours(game, 24)
    assert happened(game)[3:] == [("production", at(98))]
    assert due(game)["arrival"] == at(122)


# All Ready


@pytest.mark.thorough
def test_all_can_be_ready_again_and_again_without_time_passing(game: Game, settled: Two, act: Take):
    for number in range(1, 6):
        for each in settled:
            act(each, "settlers.ready")
        hours(game, 0)
        assert isle_of(game).production == number
    assert happened(game) == [("production", WEDNESDAY)] * 5
    assert due(game) == {"production": at(48), "arrival": at(24)}
    hours(game, 24)
    assert happened(game)[5:] == [("arrival", at(24))]
    assert replay(fresh(game))[1] is None


def test_the_next_act_finds_the_production_that_all_were_ready_for(
    game: Game, settled: Two, act: Take
):
    murphy, madrid = settled
    act(murphy, "settlers.ready")
    act(madrid, "settlers.ready")
    assert act(murphy, "settlers.harvest").entry.text.startswith("Murphy harvests")
    assert (isle_of(game).production, Settler.objects.filter(ready=True).count()) == (1, 0)


@pytest.mark.parametrize("goes", ["leaves", "becomes Onlooker"])
def test_when_the_only_one_who_is_not_ready_goes_all_are(
    game: Game, settled: Two, act: Take, goes: str
):
    murphy, madrid = settled
    act(murphy, "settlers.ready")
    hours(game, 5)
    if goes == "leaves":
        act(madrid, "games.leave")
    else:
        act(madrid, "games.take_office", office="Onlooker")
    hours(game, 0)
    assert happened(game) == [("production", at(5))]


def test_who_is_ready_no_longer_puts_the_production_off_again(game: Game, settled: Two, act: Take):
    murphy, _ = settled
    act(murphy, "settlers.ready")
    act(murphy, "settlers.not_ready")
    assert due(game) == {"production": at(48)}


def test_all_who_left_are_not_ready(game: Game, settled: Two, act: Take):
    act(settled[0], "settlers.ready")
    for each in settled:
        act(each, "games.leave")
    hours(game, 48)
    assert happened(game) == [("production", at(48))]


# Time that stands still


@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


def test_a_pause_takes_no_hour_from_the_settlers(db: None, wall: time_machine.Traveller):
    game = new_game("real", "multa", pace="real")[0]
    take("real", seat(game, "Murphy"), "settlers.join")
    wall.shift(50 * HOUR)
    sweep()
    take("real", None, "games.pause", {"reason": "holidays"})
    wall.shift(1000 * HOUR)
    sweep()
    take("real", None, "games.resume")
    wall.shift(22 * HOUR - timedelta(seconds=1))
    sweep()
    assert happened(game) == [("production", at(48))]
    wall.shift(timedelta(seconds=1))
    sweep()
    assert happened(game)[1:] == [("arrival", at(72))]
    wall.shift(24 * HOUR)
    sweep()
    assert happened(game)[2:] == [("production", at(96))]


# Hours that are voted on


@pytest.mark.parametrize(("number", "moment"), [(72, 72), (30, 30), (10, 20), (20, 20)])
def test_other_hours_move_the_next_production_and_never_into_the_past(
    game: Game, settled: Two, number: int, moment: int
):
    hours(game, 20)
    text = "| May happen after | {} |\n| Happens at the latest after | {} |"
    amend(game, DECK, text.format(36, 48), text.format(min(36, number), number))
    hours(game, 60)
    assert happened(game)[0] == ("production", at(moment))


@pytest.mark.parametrize(("number", "moment"), [(40, 88), (12, 60), (2, 58)])
def test_other_hours_move_the_visitor_who_is_expected(
    game: Game, settled: Two, number: int, moment: int
):
    hours(game, 58)
    amend(game, VISITORS, "after | 24 |", f"after | {number} |")
    hours(game, 34)
    assert happened(game) == [("production", at(48)), ("arrival", at(moment))]


def test_while_the_deck_is_not_in_force_nothing_happens_and_then_it_goes_on(
    game: Game, settled: Two, act: Take
):
    hours(game, 50)
    visitor_is(game, "Merchant")
    with at_the_table(game) as table:
        text = table.rules.text(DECK)
        table.rules.repeal(DECK)
    assert (due(game), isle_of(game).visitor) == ({}, "None")
    assert why_not(settled[0], "ready")[0] == "not_in_force"
    hours(game, 100)
    with at_the_table(game) as table:
        table.rules.enact(DECK, text)
    hours(game, 0)
    assert happened(game) == [("production", at(48)), ("production", at(150))]
    act(settled[0], "settlers.harvest")


def test_while_visitors_are_not_in_force_nobody_comes(game: Game, settled: Two, act: Take):
    hours(game, 50)
    with at_the_table(game) as table:
        text = table.rules.text(VISITORS)
        table.rules.repeal(VISITORS)
    assert due(game) == {"production": at(96)}
    hours(game, 50)
    assert due(game) == {"production": at(144)}
    with at_the_table(game) as table:
        table.rules.enact(VISITORS, text)
    assert due(game) == {"production": at(144), "arrival": at(120)}
    hours(game, 20)
    assert Visit.objects.count() == 1
