"""What two games have alike is told by the database, as the digests of both would tell it."""

import pytest

from nomic.engine.digest import _ROWS, differing_parts, parts_of_state
from nomic.games.models import Game, Player, Win
from nomic.operations.setup import new_game
from nomic.testing import WEDNESDAY, seat


@pytest.fixture
def pair(db: None) -> tuple[Game, Game]:
    """Two games that began alike, with a player each."""
    one, other = (
        new_game(name, "agora", pace="manual", start=WEDNESDAY)[0] for name in ("one", "other")
    )
    seat(one, "Murphy")
    seat(other, "Murphy")
    return one, other


def parts_that_read_otherwise(was: Game, again: Game) -> list[str]:
    return sorted(name for name, read in parts_of_state().items() if read(was) != read(again))


def won(game: Game, how: str) -> None:
    player = Player.objects.get(game=game, name="Murphy")
    Win.objects.create(game=game, player=player, entry=1, at=WEDNESDAY, rule="", how=how)


def test_games_that_began_alike_differ_in_their_dice_alone(pair: tuple[Game, Game]) -> None:
    differing = differing_parts(*pair)
    assert differing == parts_that_read_otherwise(*pair)
    assert differing == ["dice periods"]


def test_a_row_that_one_of_them_has_more_often_tells_them_apart(pair: tuple[Game, Game]) -> None:
    wins = _ROWS["wins"]
    won(pair[0], "by points")
    assert wins.differs(*pair)
    assert wins.differs(*reversed(pair))
    won(pair[1], "by points")
    assert not wins.differs(*pair)
    won(pair[1], "by points")
    assert wins.differs(*pair)
    won(pair[0], "by hooves")
    assert wins.differs(*pair)
    assert "wins" in differing_parts(*pair)


def test_what_only_one_value_tells_apart_differs(pair: tuple[Game, Game]) -> None:
    assert "players" not in differing_parts(*pair)
    Player.objects.filter(game=pair[0]).update(vested=not pair[1].players.get().vested)
    assert "players" in differing_parts(*pair)
    assert differing_parts(*pair) == parts_that_read_otherwise(*pair)
