"""Buying tickets and correcting them: allowed, and each refusal (The Lottery)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.outcomes import Malformed
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Take, at_the_table, seat
from tests.lottery.rules import THE_LOTTERY
from tests.lottery.state import CASHIER, FLORIN, state_of
from tests.lottery.tests.conftest import Refuses, Stage

BUY, CORRECT = "lottery.buy_tickets", "lottery.correct_tickets"


@pytest.fixture
def rich(stage: Stage, player: Player) -> Player:
    stage.give(player, 20)
    return player


def test_tickets_cost_what_the_table_says_and_fill_the_pot(
    stage: Stage, rich: Player, act: Take
) -> None:
    stage.amend("| Each | 1 |", "| Each | 2 |")
    receipt = act(rich, BUY, tickets=3)
    assert receipt.entry.text == "Murphy buys 3 tickets for 6 florins."
    table = glance(stage.game)
    assert (state_of(table).tickets, state_of(table).pot) == ({"Murphy": 3}, 6)
    assert table.ledger.balance(rich, FLORIN) == 14


def test_tickets_bought_twice_add_up(stage: Stage, rich: Player, act: Take) -> None:
    act(rich, BUY, tickets=3)
    act(rich, BUY, tickets=1)
    assert state_of(glance(stage.game)).tickets == {"Murphy": 4}


def test_who_cannot_pay_buys_nothing(player: Player, refused: Refuses) -> None:
    refusal = refused(player, BUY, tickets=2)
    assert (refusal.code, refusal.rule) == ("cannot_pay", THE_LOTTERY)
    assert refusal.sentence == "This costs 2 florins, and Murphy has no florins."


def test_nobody_buys_more_than_the_table_allows(rich: Player, refused: Refuses) -> None:
    refusal = refused(rich, BUY, tickets=11)
    assert (refusal.code, refusal.rule) == ("too_many_tickets", THE_LOTTERY)


def test_a_table_that_cannot_be_read_refuses_what_needs_it(
    stage: Stage, rich: Player, refused: Refuses
) -> None:
    stage.amend("| Each | 1 |", "| Each | a song |")
    refusal = refused(rich, BUY, tickets=1)
    assert (refusal.code, refusal.rule) == ("table_broken", THE_LOTTERY)


def test_without_its_rule_no_ticket_is_sold(stage: Stage, rich: Player, refused: Refuses) -> None:
    with at_the_table(stage.game) as table:
        table.rules.repeal(THE_LOTTERY)
    assert refused(rich, BUY, tickets=1).code == "not_in_force"
    assert not stage.game.appointments.filter(kind="lottery.draw", status="waiting").exists()


@pytest.mark.parametrize("tickets", [0, -1, 1.5, "three", None, 10**30, True])
def test_what_is_no_number_of_tickets_gets_a_sentence(
    stage: Stage, rich: Player, act: Take, tickets: Any
) -> None:
    before = stage.game.last_entry
    with pytest.raises(Malformed) as caught:
        act(rich, BUY, tickets=tickets)
    assert caught.value.errors["tickets"]
    assert stage.game.last_entry == before


def test_the_cashier_corrects_tickets_and_no_florin_moves(
    stage: Stage, rich: Player, officer: Player, act: Take
) -> None:
    act(rich, BUY, tickets=3)
    receipt = act(officer, CORRECT, player="Murphy", tickets=4, reason="One was not counted.")
    assert receipt.entry.text == (
        "snail corrects Murphy's tickets from 3 to 4: One was not counted."
    )
    state = state_of(glance(stage.game))
    assert (state.tickets, state.pot) == ({"Murphy": 4}, 3)


def test_only_the_cashier_corrects_while_there_is_one(
    rich: Player, officer: Player, refused: Refuses
) -> None:
    refusal = refused(rich, CORRECT, player="Murphy", tickets=9, reason="I would like that.")
    assert (refusal.code, refusal.rule) == ("not_the_officer", THE_LOTTERY)


def test_a_correction_corrects_something(rich: Player, officer: Player, refused: Refuses) -> None:
    refusal = refused(officer, CORRECT, player="Murphy", tickets=0, reason="None.")
    assert refusal.code == "same_tickets"
    assert refusal.sentence == "Murphy has 0 tickets already: choose another number."


def test_a_correction_that_was_announced_before_a_draw_is_not_done_after_it(db: None) -> None:
    game, _ = new_game("real", "lottery", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]
    take("real", players[0], "games.stand", {"office": CASHIER})
    for each in players[1:]:
        take("real", each, "games.support", {"motion": 1})
    advance("real", WEDNESDAY + timedelta(days=4))
    slip = {"player": "Murphy", "tickets": 4, "reason": "They were not counted."}
    take("real", players[0], CORRECT, slip)
    advance("real", WEDNESDAY + timedelta(days=6))
    motion = Game.objects.get(slug="real").motions.get(number=2)
    assert motion.note == "The lottery was drawn after that was announced."


def test_a_replay_of_both_agrees(stage: Stage, player: Player, officer: Player, act: Take) -> None:
    stage.weeks()
    act(player, BUY, tickets=3)
    act(officer, CORRECT, player="Murphy", tickets=4, reason="One was not counted.")
    assert replay(stage.game)[1] is None
