"""What one votes on stands beside the vote, in a line."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.games.models import Game, Player
from proposals.web.change_summaries import summary
from tests.kit import Take, Visitor, tight

BODY = "Amend the rule “Voting” to read: { Vote. }\n\nGive each player 1 point."
PATHS = ("/g/table/", "/g/table/proposals/")


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (BODY, "amends “Voting” · each player gains 1 point"),
        ("Spoons are nice.", "for the officer: Spoons are nice."),
        ("[Spoons are nice.]", "changes nothing by itself"),
        ("Repeal the rule “Voting”.", "repeals “Voting”"),
        (
            "Enact a new rule titled “Forks” and the following text: { Forks. }",
            "enacts “Forks”",
        ),
    ],
)
def test_a_line_says_what_a_proposal_asks_for(body: str, said: str) -> None:
    assert summary(body) == said


def test_a_long_list_is_cut_and_counted() -> None:
    many = "\n\n".join(f"Repeal the rule “Rule {number}”." for number in range(7))
    assert summary(many).count("repeals") == 3
    assert summary(many).endswith(" · and 4 more")


@pytest.mark.parametrize("path", PATHS)
def test_it_stands_in_the_list_and_on_the_home_and_costs_no_query_once_it_is_known(
    path: str, game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    client = visit(player)
    client.get(path)
    act(player, "proposals.submit", title="Spoons", body=BODY)
    assert "amends “Voting” · each player gains 1 point" in client.get(path).content.decode()
    with CaptureQueriesContext(connection) as again:
        client.get(path)
    assert len(again) <= 30
    assert not [each for each in again if _reads_bodies_alone(each)]


def _reads_bodies_alone(query: Any) -> bool:
    sql: str = query["sql"].partition(" FROM ")[0]
    return '"proposals_proposal"."body"' in sql and '"title"' not in sql


def test_the_way_to_an_endorsement_opens_where_it_leads(
    player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body=BODY)
    client = visit(player)
    listed = tight(client.get(PATHS[1]).content.decode())
    assert 'href="/g/table/proposals/1/?endorse=1">Endorse a player…' in listed
    page = tight(client.get(f"{PATHS[1]}1/?endorse=1").content.decode())
    assert '<details class="endorse" open>' in page
    assert "required autofocus>" in page
    assert '<details class="endorse">' in tight(client.get(f"{PATHS[1]}1/").content.decode())
