"""How a game fills its offices is in its record."""

import pytest

from nomic.operations.replay import replay
from nomic.operations.setup import BadSetup, new_game
from tests.kit import WEDNESDAY

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("pace", "offices", "hours"), [("real", "support", 24), ("manual", "open", 0)]
)
def test_a_new_games_pace_says_how_its_offices_are_filled(pace, offices, hours):
    game = new_game("new", "agora", pace=pace, start=WEDNESDAY)[0]
    assert (game.setting("offices"), game.setting("objection_hours")) == (offices, hours)
    told = game.rules.filter(title="Offices and Corrections").exists()
    assert told == (offices == "support")
    assert replay(game)[1] is None


def test_nobody_begins_a_game_with_offices_filled_in_another_way():
    with pytest.raises(BadSetup, match="not filled by “lottery”"):
        new_game("new", "agora", offices="lottery")
