"""A Deck that ever had too few cards is refilled before another is dealt (Regulation 210)."""

from __future__ import annotations

import pytest

from aceofspades.events import moves
from aceofspades.models import Contest
from aceofspades.state.reading import state_of
from aceofspades.tests import stage
from aceofspades.tests.conftest import Three
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from tests.kit import at_the_table, seat

pytestmark = pytest.mark.django_db


def cards_in(game: Game) -> int:
    return sum(stage.deck_of(game).values())


def is_marked(game: Game) -> bool:
    return Contest.objects.get(game=game).deck_was_low


def leave_in_the_deck(game: Game, count: int) -> None:
    """Let so many cards be left in it, as if others had been moved by hand; Mauve last of all."""
    with at_the_table(game) as table:
        state, surplus = state_of(table), cards_in(game) - count
        for suit, had in reversed(stage.deck_of(game).items()):
            gone = min(had, surplus)
            surplus -= gone
            moves.move(table, "moved by hand", (state.deck, None, {suit: gone} if gone else {}))
        moves.look_at_the_deck(table)


@pytest.mark.thorough
def test_210_a_deck_that_a_deal_left_too_small_is_refilled_though_cards_came_back(
    contest: Game, player: Player
):
    """By acts alone, so that it replays."""
    for number in range(20):
        if not is_marked(contest):
            stage.join(contest, seat(contest, f"Guest{number}"))
    few, hand = cards_in(contest), stage.hand_of(contest, player)
    assert is_marked(contest)
    take(contest.slug, player, "aceofspades.transfer", {"to": "The Deck", "cards": hand})
    assert cards_in(contest) == few + sum(hand.values()) > 10
    stage.join(contest, seat(contest, "Late"))
    assert cards_in(contest) >= few + sum(hand.values()) + 20 - 7
    assert not is_marked(contest)
    contest.refresh_from_db()
    assert replay(contest)[1] is None


def test_210_a_deck_that_was_moved_below_its_bound_is_refilled_however_many_it_gets(
    contest: Game, three: Three
):
    leave_in_the_deck(contest, 9)
    assert is_marked(contest)
    with at_the_table(contest) as table:
        moves.move(table, "moved by hand", (None, state_of(table).deck, {"Red": 50}))
    stage.join(contest, seat(contest, "Late"))
    assert cards_in(contest) == 59 + 20 - 7


def test_210_a_deck_of_just_enough_is_not_refilled(contest: Game, three: Three):
    leave_in_the_deck(contest, 17)
    assert not is_marked(contest)
    stage.join(contest, seat(contest, "Late"))
    assert cards_in(contest) == 10
