"""What two games have alike is told by the parts of their states."""

import pytest
from django.apps import apps

from nomic.engine.digest import parts_of_state
from nomic.engine.rows import have_same_tables
from nomic.games.models import Game, Player, Win
from nomic.games.powers import Voters
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, seat


@pytest.fixture
def pair(db: None) -> tuple[Game, Game]:
    """Two games that began alike, with a player each."""
    one, other = (
        new_game(name, "agora", pace="manual", start=WEDNESDAY)[0] for name in ("one", "other")
    )
    seat(one, "Murphy")
    seat(other, "Murphy")
    return one, other


def differing_parts(was: Game, again: Game) -> list[str]:
    return sorted(name for name, read in parts_of_state().items() if read(was) != read(again))


def won(game: Game, how: str) -> None:
    player = Player.objects.get(game=game, name="Murphy")
    Win.objects.create(game=game, player=player, entry=1, at=WEDNESDAY, rule="", how=how)


def test_games_that_began_alike_differ_in_their_dice_alone(pair: tuple[Game, Game]) -> None:
    assert differing_parts(*pair) == ["dice periods"]


def test_a_row_that_one_of_them_has_more_often_tells_them_apart(pair: tuple[Game, Game]) -> None:
    won(pair[0], "by points")
    assert "wins" in differing_parts(*pair)
    won(pair[1], "by points")
    assert "wins" not in differing_parts(*pair)
    won(pair[1], "by points")
    assert "wins" in differing_parts(*pair)
    won(pair[0], "by hooves")
    assert "wins" in differing_parts(*pair)


def test_what_only_one_value_tells_apart_differs(pair: tuple[Game, Game]) -> None:
    assert "players" not in differing_parts(*pair)
    Player.objects.filter(game=pair[0]).update(vested=not pair[1].players.get().vested)
    assert "players" in differing_parts(*pair)


def test_who_may_vote_is_told_by_a_setting_too(pair: tuple[Game, Game]) -> None:
    for each in pair:
        each.players.update(accepted=True)
    assert "voters" not in differing_parts(*pair)
    pair[0].settings["voters"] = Voters.HOST
    assert "voters" in differing_parts(*pair)


def test_rows_that_hang_on_another_apps_are_told_where_there_are_no_others(
    pair: tuple[Game, Game],
) -> None:
    assert have_same_tables("proposals", *pair)
    assert "proposals" not in differing_parts(*pair)
    strengths = apps.get_model("proposals", "VotingStrength")._default_manager
    strengths.create(game=pair[0], player=pair[0].players.get(), strength=9)
    assert not have_same_tables("proposals", *pair)
    assert not have_same_tables("proposals", *reversed(pair))
    assert "proposals" in differing_parts(*pair)
