"""What the Onlooker may do by hand: produce, receive a visitor, open a past visit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from nomic.engine.actions import find_action, legality
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.operations.replay import replay
from settlers.models import Visit
from settlers.rulebook import protection_money
from settlers.rules.titles import DECK, SEALED, THUG, VISITORS
from settlers.tests.stage import give, hours, isle_of, visitor_is
from settlers.tests.votes import adopt
from tests.kit import Take, at_the_table, write_anew

Two = tuple[Player, Player]
BY_HAND = ("settlers.produce", "settlers.receive_visitor", "settlers.open_visit")


@pytest.fixture
def refused(act: Take, officer: Player) -> Callable[..., Refusal]:
    """Why the Onlooker may not do it."""

    def refused(name: str, **inputs: Any) -> Refusal:
        with pytest.raises(Refused) as caught:
            act(officer, name, **inputs)
        return caught.value.refusal

    return refused


@pytest.fixture
def over(game: Game, with_the_thug: Game, officer: Player, produced: Two, act: Take) -> Visit:
    """A visit of the Thug that was over with Production 1, in which both told a bribe."""
    murphy, madrid = produced
    with at_the_table(game) as table:
        give(table, murphy, wheat=5)
        give(table, madrid, brick=5)
    visit = visitor_is(game, THUG)
    act(murphy, "settlers.bribe", items={"wheat": 2})
    act(madrid, "settlers.bribe", items={"brick": 7})
    with at_the_table(game) as table:  # as if it had come before the Production
        table.game.isle.arrived_for = 0
        table.game.isle.save(update_fields=["arrived_for"])
    act(officer, "settlers.receive_visitor")
    visit.refresh_from_db()
    return visit


def amend(game: Game, title: str, old: str, new: str) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(title)
        assert old in text
        table.rules.amend(title, text.replace(old, new))


# Production


def test_resources_are_produced_by_hand_36_hours_after_the_last_time(
    game: Game, produced: Two, officer: Player, act: Take, refused: Callable[..., Refusal]
):
    hours(game, 35.9)
    refusal = refused("settlers.produce")
    assert (refusal.code, refusal.rule) == ("too_early", DECK)
    assert refusal.sentence == (
        "The next Production may happen from 2026-03-08 00:00:00 UTC on, or sooner when every"
        " Settler is Ready."
    )
    hours(game, 0.1)
    receipt = act(officer, "settlers.produce")
    assert receipt.entry.outcome["production"] == isle_of(game).production == 2


def test_it_tells_the_same_as_when_it_happens_by_itself(
    game: Game, produced: Two, officer: Player, act: Take
):
    hours(game, 36)
    by_hand = act(officer, "settlers.produce").entry
    by_itself = game.entries.get(name="settlers.production")
    assert by_hand.outcome.keys() == by_itself.outcome.keys()
    assert sum(by_hand.outcome["deck"].values()) == sum(by_itself.outcome["deck"].values()) - len(
        by_hand.outcome["drawn"]
    )


def test_48_hours_are_counted_anew_from_a_production_by_hand(
    game: Game, produced: Two, officer: Player, act: Take
):
    hours(game, 40)
    act(officer, "settlers.produce")
    hours(game, 47)
    assert isle_of(game).production == 2
    hours(game, 1)
    assert isle_of(game).production == 3


def test_it_may_be_done_at_once_when_every_settler_is_ready(
    game: Game, produced: Two, officer: Player, act: Take
):
    for who in produced:
        act(who, "settlers.ready")
    game.refresh_from_db()
    assert legality(find_action("settlers.produce"), glance(game), officer, {}) is None


def test_a_deck_that_could_never_be_read_is_mended_first(
    game: Game, produced: Two, refused: Callable[..., Refusal]
):
    write_anew(game, DECK, "| May happen after | 36", "| May happen after | many")
    refusal = refused("settlers.produce")
    assert (refusal.code, refusal.rule) == ("table_broken", DECK)


# Visitor Arrival


def test_a_visitor_is_received_once_after_each_production(
    game: Game, settled: Two, officer: Player, act: Take, refused: Callable[..., Refusal]
):
    assert refused("settlers.receive_visitor").code == "has_arrived"
    hours(game, 48)
    outcome = act(officer, "settlers.receive_visitor").entry.outcome
    assert outcome["visitor"] == isle_of(game).visitor
    assert (outcome["visitor"] == "Merchant") == (sum(outcome["dice"]) in (5, 9))
    assert refused("settlers.receive_visitor").rule == VISITORS
    hours(game, 47)
    assert isle_of(game).arrival == 1
    hours(game, 1)
    act(officer, "settlers.receive_visitor")
    assert isle_of(game).arrival == 2


# Past visits


def test_a_visit_is_opened_two_productions_after_its_end(
    game: Game, over: Visit, officer: Player, act: Take, refused: Callable[..., Refusal]
):
    for left in ("2 more Productions.", "1 more Production."):
        refusal = refused("settlers.open_visit", visit=over.number)
        assert (refusal.code, refusal.rule) == ("bears_on_play", SEALED)
        assert refusal.sentence.endswith(f"it may be opened after {left}")
        hours(game, 48)
    act(officer, "settlers.open_visit", visit=over.number)
    assert game.sealed_entries.filter(name="settlers.bribe", opened_in=None).count() == 0


@pytest.mark.thorough
def test_an_opened_visit_shows_every_bribe_the_reckoning_and_the_seed(
    game: Game, over: Visit, officer: Player, act: Take
):
    hours(game, 96)
    entry = act(officer, "settlers.open_visit", visit=over.number).entry
    opened = game.sealed_entries.filter(opened_in=entry.seq)
    told = {each.actor.name: each.inputs["items"] for each in opened.filter(name="settlers.bribe")}
    assert told == {"Murphy": {"wheat": 2}, "Madrid": {"brick": 7}}
    note = opened.get(outcome__visit=over.number).outcome
    assert note["values"] == {"Murphy": 1, "Madrid": 0}
    assert (note["targets"], note["victim"]) == (["Murphy"], "Murphy")
    period = game.dice_periods.get(purpose=over.purpose)
    assert period.seed == entry.outcome["seed"]
    assert hashlib.sha256(bytes.fromhex(period.seed)).hexdigest() == period.commitment
    assert period.seed in entry.text
    over.refresh_from_db()
    assert over.opened_in == entry.seq


def test_before_it_is_opened_nothing_of_it_is_public(game: Game, over: Visit):
    sealed = game.sealed_entries.filter(opened_in=None)
    assert sealed.filter(name="settlers.bribe").count() == 2
    assert game.dice_periods.get(purpose=over.purpose).seed is None
    arrival = game.entries.get(name="settlers.receive_visitor")
    assert arrival.outcome["paid"] == {"Murphy": {"wheat": 2}, "Madrid": {"brick": 5}}
    assert arrival.outcome["victims"] == ["Murphy"]
    for secret in ("bribes", "values", "targets"):
        assert secret not in arrival.outcome


def test_the_numbers_are_those_of_the_rule(
    game: Game, over: Visit, officer: Player, act: Take, refused: Callable[..., Refusal]
):
    row = "| By the Onlooker | {} |"
    amend(game, SEALED, row.format("2 Productions after its end"), row.format("never"))
    assert refused("settlers.open_visit", visit=over.number).code == "never"
    amend(game, SEALED, row.format("never"), row.format("0 Productions after its end"))
    act(officer, "settlers.open_visit", visit=over.number)


def test_a_visit_that_goes_on_or_is_not_sealed_is_not_opened(
    game: Game, with_the_thug: Game, produced: Two, officer: Player, act: Take
):
    for number, title in enumerate(("Merchant", THUG), start=1):
        assert visitor_is(game, title).number == number
        with pytest.raises(Refused, match="No past visit is sealed"):
            act(officer, "settlers.open_visit", visit=number)


@pytest.mark.thorough
def test_what_was_done_by_hand_replays(game: Game, officer: Player, settled: Two, act: Take):
    adopt(game, protection_money())
    act(officer, "settlers.correct_visitor", visitor=THUG, reason="Let him come.")
    act(settled[0], "settlers.bribe", items={"wheat": 2})
    act(officer, "settlers.produce")
    act(officer, "settlers.receive_visitor")
    hours(game, 36)
    act(officer, "settlers.produce")
    hours(game, 36)
    act(officer, "settlers.produce")
    act(officer, "settlers.open_visit", visit=1)
    game.refresh_from_db()
    assert replay(game)[1] is None


# Who


@pytest.mark.parametrize("name", BY_HAND)
def test_nobody_else_may_do_it(game: Game, over: Visit, act: Take, name: str):
    hours(game, 96 + 37)
    inputs = {"visit": over.number} if name.endswith("open_visit") else {}
    for who in ("Murphy", "Madrid"):
        with pytest.raises(Refused) as caught:
            act(game.players.get(name=who), name, **inputs)
        assert caught.value.refusal.code == "not_the_officer"


def test_who_runs_the_site_may_do_it_as_well(game: Game, over: Visit, act: Take):
    root = User.objects.create_superuser("root")
    hours(game, 36)
    assert act(root, "settlers.produce").entry.actor is None
    act(root, "settlers.receive_visitor")
    hours(game, 48)
    act(root, "settlers.open_visit", visit=over.number)


def test_an_office_that_was_resigned_lets_nothing_be_done_by_hand(
    game: Game, produced: Two, officer: Player, act: Take
):
    hours(game, 40)
    act(officer, "games.resign_office", office="Onlooker")
    with pytest.raises(Refused) as caught:
        act(officer, "settlers.produce")
    assert caught.value.refusal.code == "not_the_officer"
