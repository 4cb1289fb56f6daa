"""Regulation 215: who joins shortly before the Reckoning is dealt no cards."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aceofspades.state.reading import state_of
from aceofspades.tests import stage
from aceofspades.tests.conftest import Three
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import Visitor, seat

JOIN = "/g/table/act/aceofspades.join/"


def hours_before_the_reckoning(contest: Game, hours: int) -> None:
    due = state_of(glance(contest)).reckoning_due
    assert due is not None
    advance(contest.slug, due - timedelta(hours=hours))


def dealt_to(contest: Game, name: str) -> int:
    stage.join(contest, seat(contest, name))
    entry = contest.entries.filter(name="aceofspades.join").latest("seq")

    dealt: int = entry.outcome["dealt"]
    return dealt


@pytest.mark.thorough
@pytest.mark.usefixtures("three")
def test_215_cards_are_dealt_until_72_hours_before_the_reckoning(contest: Game) -> None:
    hours_before_the_reckoning(contest, 73)
    assert dealt_to(contest, "Early") == 7
    hours_before_the_reckoning(contest, 72)
    assert dealt_to(contest, "Late") == 0


@pytest.mark.thorough
def test_215_before_joining_one_reads_until_when_cards_are_dealt(
    contest: Game, three: Three, visit: Visitor
) -> None:
    newcomer: Player = seat(contest, "Newcomer")
    told = visit(newcomer).get(JOIN).content.decode()
    assert "You get 2 Mauve, and are dealt 7 cards if you join before " in told
    hours_before_the_reckoning(contest, 10)
    told = visit(newcomer).get(JOIN).content.decode()
    assert "and are dealt none: the Reckoning is near" in told
