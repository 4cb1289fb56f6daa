"""The rows that games after Agora begin with (Tabled Actions, Elections, Deputisation)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Take, seat


@pytest.fixture
def game(db: None) -> Game:
    """A game after Agora whose offices the players fill."""
    return new_game("table", "nomic", pace="manual", start=WEDNESDAY, offices="support")[0]


@pytest.fixture
def players(game: Game, act: Take) -> list[Player]:
    """Four players; the last is the Assessor."""
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason", "snail")]
    act(players[3], "games.stand", office="Assessor")
    for supporter in players[:2]:
        act(supporter, "games.support", motion=1)
    return players


def days(game: Game, number: int) -> None:
    game.refresh_from_db()
    advance(game.slug, game.anchor_game + timedelta(days=number))


def test_an_officer_is_recalled_without_two_objections(
    game: Game, players: list[Player], act: Take
) -> None:
    murphy, madrid, *_, snail = players
    act(murphy, "announce.games.recall", office="Assessor")
    act(snail, "games.object", motion=2)
    with pytest.raises(Refused, match="It waits until"):
        act(murphy, "games.carry_out", motion=2)
    days(game, 5)
    act(madrid, "games.object", motion=2)
    with pytest.raises(Refused, match="0 support it, and 2 object"):
        act(murphy, "games.carry_out", motion=2)
    act(madrid, "games.withdraw_voice", motion=2)
    act(murphy, "games.carry_out", motion=2)
    assert game.offices.get(name="Assessor").holder is None
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_nobody_does_it_when_its_days_are_over(
    game: Game, players: list[Player], act: Take
) -> None:
    act(players[0], "announce.games.recall", office="Assessor")
    days(game, 15)
    assert game.motions.get(number=2).end == "prevented"
    assert game.offices.get(name="Assessor").holder == players[3]
