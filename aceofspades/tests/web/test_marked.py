"""Each hand shows, once it is marked, what every Marking Regulation did to it (118, 119, 999)."""

from __future__ import annotations

import re

import pytest

from aceofspades.rules.marks import mark
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon, without_secrets
from aceofspades.tests.stage import give_cards
from nomic.games.models import Game
from tests.kit import Visitor

PAGE = "/g/table/aceofspades/"


@pytest.fixture(autouse=True)
def _counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker answers at once."""
    monkeypatch.setattr("aceofspades.web.views.ask", mark)


def rows_of(page: str) -> list[list[str]]:
    """The cells of the table, those of a regulation without its words."""
    found = re.findall(r"<tr>\s*<th scope=\"row\">(.*?)</tr>", page, re.DOTALL)
    return [re.findall(r">\s*([+-]?[\d.]+)\s*<", row) for row in found]


def test_a_hand_tells_what_each_regulation_made_of_it(
    contest: Game, three: Three, visit: Visitor
) -> None:
    without_secrets(contest)
    for player, cards in zip(
        three, ({"Red": 2}, {"Mauve": 2}, {"Red": 3, "Mauve": 1}), strict=True
    ):
        give_cards(contest, player, **cards)
    client = visit(three[0])
    assert client.get(f"{PAGE}hands/1/").status_code == 404
    reckon(contest)
    page = client.get(PAGE).content.decode()
    assert f'href="{PAGE}hands/2/"' in page
    assert "-8.0" not in page
    told = client.get(f"{PAGE}hands/2/").content.decode()
    assert "How Madrid’s hand was marked" in told
    assert rows_of(told) == [
        ["310", "0", "0"],
        ["320", "0", "0"],
        ["330", "-8", "-8"],
        ["410", "0", "-8"],
    ]
    assert "-8 Marks" in told
    assert client.get(f"{PAGE}hands/4/").status_code == 404
    api = "/api/v1/games/table/aceofspades/hands"
    hand = client.get(f"{api}/2").json()
    assert (hand["contestant"], hand["worth"]) == ("Madrid", -8.0)
    assert [(step["number"], step["after"]) for step in hand["steps"]] == [
        (310, 0.0),
        (320, 0.0),
        (330, -8.0),
        (410, -8.0),
    ]
    assert client.get(f"{api}/4").status_code == 404


@pytest.mark.thorough
def test_what_one_knows_of_ones_hand_is_what_it_was_marked_with(
    contest: Game, three: Three, visit: Visitor
) -> None:
    without_secrets(contest)
    hands = ({"Red": 2}, {"Mauve": 2}, {"Red": 3, "Mauve": 1})
    for player, cards in zip(three, hands, strict=True):
        give_cards(contest, player, **cards)
    reckon(contest)
    for player in three:
        told = visit(player).get("/api/v1/games/table/aceofspades").json()
        assert told["mine"]["known_worth"] == told["reckoning"]["worths"][player.name]
    assert len({*told["reckoning"]["worths"].values()}) > 1


@pytest.mark.thorough
def test_a_hand_of_a_tie_is_shown_with_the_cards_that_it_was_marked_by(
    contest: Game, three: Three, visit: Visitor
) -> None:
    without_secrets(contest)
    for player, cards in zip(three, ({"Red": 2}, {"Green": 2}, {"Red": 1}), strict=True):
        give_cards(contest, player, **cards)
    reckon(contest)
    client = visit(three[0])
    tied, other = (client.get(f"{PAGE}hands/{turn}/").content.decode() for turn in (1, 3))
    assert "marked anew as if dealt" in tied
    assert "marked anew" not in other
    for page in (tied, other):
        assert "The Reckoning made it" not in page  # it comes to what was recorded
