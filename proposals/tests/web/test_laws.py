"""A law of one's own, as its author's home tells it once."""

from datetime import timedelta

import pytest

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line

AMENDS = 'Amend the rule "Horse Multiplier" by replacing "| Fargo | 7 |" with "| Fargo | 9 |".'


@pytest.fixture
def preset() -> str:
    return "agora"


def test_an_author_is_told_once_at_home_what_their_law_changed_and_who_voted(
    game: Game, player: Player, rival: Player, officer: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="A faster Fargo", body=AMENDS)
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    assert "Your law holds" not in visit(player).get("/g/table/").content.decode()
    advance(game.slug, WEDNESDAY + timedelta(days=21))
    client = visit(player)
    home = on_one_line(client.get("/g/table/").content.decode())
    assert "Your law holds: A faster Fargo" in home
    card = home[home.index("Your law holds") : home.index("Put this away")]
    assert "See it in the rule" in card
    assert "#:~:text=Fargo,0" in card  # the row's first cell to its last
    assert "Madrid, Murphy" in card or "Murphy, Madrid" in card or "snail" in card
    assert "Your law holds" not in visit(rival).get("/g/table/").content.decode()
    client.post("/g/table/moments/", {"entry": game.proposals.get().closed_in})
    assert "Your law holds" not in client.get("/g/table/").content.decode()
