"""Announcements as players write them become filled forms."""

from urllib.parse import parse_qs, urlsplit

import pytest

from nomic.games.models import Player
from nomic.pages.tests.conftest import Visitor
from nomic.play.setup import new_game
from nomic.play.take import take
from nomic.testing import seat


@pytest.mark.parametrize(
    ("words", "action", "said"),
    [
        ("I bet 3 dollaries on Fargo", "horses.bet", {"dollaries": "3", "horse": "Fargo"}),
        ("bet 1 dollary on sugar.", "horses.bet", {"dollaries": "1", "horse": "Sugar"}),
        ("I motivate the horses!", "horses.motivate", {}),
        ("I hereby gain dollaries", "horses.gain_dollaries", {}),
        ("I buy Fargo from Agora", "horses.buy", {"horse": "Fargo"}),
        ("Nudge Nacho forward", "horses.nudge", {"horse": "Nacho", "direction": "forward"}),
        (
            "I get a jersey for Alexia and add Baxter to its pulls",
            "horses.get_jersey",
            {"horse": "Alexia", "added_pull": "Baxter"},
        ),
    ],
)
def test_what_players_say_fills_the_form(
    words: str, action: str, said: dict[str, str], player: Player, visit: Visitor
) -> None:
    answer = visit(player).get("/g/table/say/", {"words": words})
    address = urlsplit(answer["Location"])
    assert address.path == f"/g/table/act/{action}/"
    filled = {name: values[0] for name, values in parse_qs(address.query).items()}
    assert {name: filled[name] for name in filled if name != "back"} == said
    assert answer.wsgi_request.method == "GET"


@pytest.mark.parametrize(
    "words", ["", "I bet on a whim", "bet 9 dollaries on Fargo", "😀", "a " * 200]
)
def test_what_is_not_understood_does_nothing_and_says_so(
    words: str, player: Player, visit: Visitor
) -> None:
    answer = visit(player).get("/g/table/say/", {"words": words})
    assert answer.status_code == 200
    assert "That was not understood" in answer.content.decode()


def test_the_filled_form_waits_to_be_confirmed(player: Player, visit: Visitor) -> None:
    client = visit(player)
    page = client.get("/g/table/say/", {"words": "bet 2 dollaries on Nacho"}, follow=True)
    body = page.content.decode()
    assert '<option value="Nacho" selected' in body
    assert '<option value="2" selected' in body
    assert not player.game.entries.filter(name="horses.bet").exists()


@pytest.mark.parametrize(
    ("words", "proposal"),
    [("I vote FOR Proposal 2", "Proposal 2"), ("vote for 2", "2"), ("I vote FOR on p2.", "p2")],
)
def test_a_vote_is_heard_as_players_say_it(
    words: str, proposal: str, db: None, visit: Visitor
) -> None:
    game = new_game("voting", "agora-proposals", pace="manual")[0]
    voter = seat(game, "Murphy")
    for body in ("Spoons.", "Forks."):
        take(game.slug, voter, "proposals.submit", {"body": body})
    answer = visit(voter).get("/g/voting/say/", {"words": words}, follow=True)
    shown = answer.content.decode()
    assert answer.redirect_chain[0][0].startswith("/g/voting/act/proposals.vote/")
    assert '<option value="2" selected>Proposal 2</option>' in shown
    assert parse_qs(urlsplit(answer.redirect_chain[0][0]).query)["proposal"] == [proposal]
