"""A record with motions proves itself, here and elsewhere."""

import io

import pytest

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from tests.kit import Take, user_of

KEEPER = "Keeper"


@pytest.fixture
def eventful(game: Game, players: list[Player], act: Take) -> Game:
    """A game in which motions have ended in each way, and one is open."""
    murphy, madrid, jason, snail = players
    for each in (murphy, madrid, jason):
        act(each, "games.stand", office=KEEPER)
    act(jason, "games.withdraw", motion=3)
    act(madrid, "games.support", motion=1)
    act(jason, "games.support", motion=1, key="k")
    act(murphy, "games.pause", reason="a coup")
    act(madrid, "games.recall", office=KEEPER)
    act(jason, "games.support", motion=4)
    act(snail, "games.stand", office=KEEPER)
    for each in (madrid, jason):
        act(each, "games.support", motion=5)
    act(snail, "games.resume")
    act(jason, "games.recall", office=KEEPER)
    act(madrid, "games.leave")
    return game


@pytest.mark.thorough
def test_a_game_with_motions_replays_to_the_same(eventful: Game) -> None:
    eventful.refresh_from_db()
    assert set(eventful.motions.values_list("end", flat=True)) == {
        *("done", "failed", "withdrawn", ""),
    }
    assert [str(found) for found in audit(eventful) if found.wrong] == []
    assert replay(eventful)[1] is None


@pytest.mark.thorough
def test_a_game_with_motions_goes_on_elsewhere(eventful: Game) -> None:
    file = io.StringIO()
    export_game(Game.objects.get(pk=eventful.pk), file)
    there = import_game(file.getvalue().splitlines(), slug="there", seat_users=True)
    take("there", user_of("Murphy"), "games.support", {"motion": 6})
    assert there.offices.get(name=KEEPER).holder is None
    assert replay(Game.objects.get(pk=there.pk))[1] is None
