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


def test_an_author_is_told_once_at_home_why_their_law_failed_and_proposes_it_again(
    game: Game, player: Player, rival: Player, officer: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="A faster Fargo", body=AMENDS)
    for voter in (player, rival):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(days=21))
    client, failed = visit(player), "Your proposal was not adopted:"
    home = on_one_line(client.get("/g/table/").content.decode())
    card = home[home.index(f"{failed} A faster Fargo") : home.index("Put this away")]
    assert "Only 2 ballots of the 3 that it needed: it failed." in card
    assert "Madrid, Murphy" in card or "Murphy, Madrid" in card
    assert failed not in visit(rival).get("/g/table/").content.decode()
    again = "/g/table/proposals/new/?again=1"
    assert f'href="{again}"' in card
    assert f'href="{again}"' in client.get("/g/table/proposals/1/").content.decode()
    written = client.get(again).content.decode()
    assert "| Fargo | 9 |" in written
    assert "A faster Fargo" in written
    assert visit(rival).get(again).status_code == 404
    client.post("/g/table/moments/", {"entry": game.proposals.get(number=1).closed_in})
    assert failed not in client.get("/g/table/").content.decode()


@pytest.mark.thorough
def test_a_second_law_is_told_once_the_first_is_put_away(
    game: Game, player: Player, rival: Player, officer: Player, act: Take, visit: Visitor
) -> None:
    titles = ("A faster Fargo", "A slower Fargo")
    for number, title in enumerate(titles, 1):
        act(player, "proposals.submit", title=title, body="Murphy gains 1 point.")
        for voter in (player, rival, officer):
            act(voter, "proposals.vote", proposal=number, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(days=21))
    client, told = visit(player), []
    for _ in titles:
        home = on_one_line(client.get("/g/table/").content.decode())
        told += [
            title for title in titles if f"adopted: {title}" in home or f"holds: {title}" in home
        ]
        newest = game.proposals.get(title=told[-1])
        client.post("/g/table/moments/", {"entry": newest.closed_in})
    assert sorted(told) == sorted(titles)
    home = client.get("/g/table/").content.decode()
    assert not any(f": {title}</h2>" in on_one_line(home) for title in titles)
