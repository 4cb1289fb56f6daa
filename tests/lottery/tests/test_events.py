"""The weekly draw (The Lottery): who wins, what stays in the pot, and that it can be checked."""

from __future__ import annotations

import pytest

from bench.simulate import Simulation
from nomic.dice.models import Roll
from nomic.engine.table import glance
from nomic.games.models import Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from tests.kit import Take, at_the_table
from tests.lottery.models import Draw
from tests.lottery.rules import THE_LOTTERY, holder_of
from tests.lottery.state import FLORIN, state_of
from tests.lottery.tests.conftest import Stage

BUY, DRAW = "lottery.buy_tickets", "lottery.draw"


def test_a_week_starts_with_florins_for_everybody(
    stage: Stage, player: Player, rival: Player
) -> None:
    stage.weeks()
    ledger = glance(stage.game).ledger
    assert [ledger.balance(each, FLORIN) for each in (player, rival)] == [5, 5]
    assert stage.last(DRAW).text == "Draw 1 has no ticket. The pot keeps 0 florins."


def test_the_ticket_that_the_dice_draw_wins_its_part_of_the_pot(
    stage: Stage, player: Player, rival: Player, act: Take
) -> None:
    stage.weeks()
    act(player, BUY, tickets=3)
    act(rival, BUY, tickets=2)
    stage.weeks()
    entry = stage.last(DRAW)
    roll = Roll.objects.get(period__game=stage.game, entry=entry.seq, label="ticket")
    winner = holder_of(roll.option, {"Madrid": 2, "Murphy": 3})
    assert entry.outcome["winner"] == winner
    assert entry.text == f"{winner} wins draw 2 and gains 4 florins. The pot keeps 1 florin."
    held = {"Madrid": 8, "Murphy": 7, "The pot": 1}
    assert glance(stage.game).ledger.balances(FLORIN) == {**held, winner: held[winner] + 4}


def test_tickets_are_for_one_draw_and_the_pot_is_carried_over(
    stage: Stage, player: Player, act: Take
) -> None:
    stage.weeks()
    act(player, BUY, tickets=5)
    stage.weeks(2)
    assert stage.last(DRAW).text == "Draw 3 has no ticket. The pot keeps 1 florin."
    state = state_of(glance(stage.game))
    assert (state.draw.number, state.tickets, state.pot) == (4, {}, 1)


def test_tickets_of_who_has_left_do_not_take_part(
    stage: Stage, player: Player, rival: Player, act: Take
) -> None:
    stage.weeks()
    act(player, BUY, tickets=5)
    act(rival, BUY, tickets=1)
    act(player, "games.leave")
    stage.weeks()
    assert stage.last(DRAW).outcome["winner"] == "Madrid"


def test_a_table_that_cannot_be_read_holds_up_the_draw_until_it_is_mended(
    stage: Stage,
) -> None:
    stage.amend("| The winner gains | 80 |", "| The winner gains | much |")
    stage.weeks()
    assert stage.game.state == "running"
    assert "PRIZE" in stage.last(DRAW).outcome["off"]
    stage.amend("| The winner gains | much |", "| The winner gains | 50 |")
    stage.weeks()
    assert "off" not in stage.last(DRAW).outcome
    assert stage.game.entries.filter(name=DRAW).count() == 2


def test_a_lottery_whose_rule_comes_by_a_vote_begins_then(stage: Stage, player: Player) -> None:
    with at_the_table(stage.game) as table:
        text = table.rules.text(THE_LOTTERY)
        table.rules.repeal(THE_LOTTERY)
    stage.weeks()
    assert not stage.game.entries.filter(name=DRAW).exists()
    with at_the_table(stage.game) as table:
        table.rules.enact(THE_LOTTERY, text)
    stage.weeks()
    assert stage.last(DRAW).outcome["winner"] == ""


def test_draws_replay_and_the_audit_is_clean(
    stage: Stage, player: Player, rival: Player, act: Take
) -> None:
    stage.weeks()
    act(player, BUY, tickets=3)
    act(rival, BUY, tickets=2)
    stage.weeks(2)
    assert replay(stage.game)[1] is None
    assert [finding for finding in audit(stage.game) if finding.wrong] == []


@pytest.mark.django_db(transaction=True)
def test_some_weeks_at_random_are_audited_and_replayed() -> None:
    simulation = Simulation("simulated", "lottery", players=5, seed=3)
    tally = simulation.play(4)
    assert tally.taken[BUY] > 1
    assert Draw.objects.filter(game=simulation.game, winner__isnull=False).exists()
    assert replay(simulation.game)[1] is None
