"""What waits for a player: on a game's home and over all their games, with its buttons."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, Visitor, tight

HOME = "/g/table/"


@pytest.fixture
def preset() -> str:
    return "demo"


def waits(page: str) -> str:
    return tight(page.partition('id="waiting"')[2].partition("</section>")[0])


def forms(part: str) -> dict[str, dict[str, str]]:
    """The hidden fields of each button's form, by what the button says."""
    found = {}
    for form in re.findall(r"<form.*?</form>", part, re.DOTALL):
        says = re.sub(r"<[^>]*>", "", form[form.index("<button") :]).strip()
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        found[says] = {**fields, "to": re.findall(r'action="([^"]*)"', form)[0]}
    return found


@pytest.mark.thorough
def test_every_open_vote_can_be_cast_from_one_list(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    for number in range(6):
        act(rival, "proposals.submit", title=f"Title {number}", body="Nothing.")
    client = visit(player)
    for left in range(6, 0, -1):
        part = waits(client.get(HOME).content.decode())
        votes = {says: sent for says, sent in forms(part).items() if says.startswith("FOR")}
        assert len(votes) == left
        sent = next(iter(votes.values()))
        answer = client.post(sent.pop("to"), sent)
        assert answer.headers["Location"] == f"{HOME}#waiting"
    assert "Vote on" not in waits(client.get(HOME).content.decode())


def test_what_ends_first_stands_first(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "proposals.submit", title="Spoons", body="Nothing.")
    part = waits(visit(player).get(HOME).content.decode())
    assert part.index("Your race action of this week") < part.index("Spoons")
    act(player, "horses.gain_dollaries")
    assert "Your race action" not in waits(visit(player).get(HOME).content.decode())


def test_an_officer_is_told_what_the_office_owes(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "games.take_office", office="Horsened")
    assert "As Horsened:" in waits(visit(player).get(HOME).content.decode())
    assert "As Horsened:" not in waits(visit(rival).get(HOME).content.decode())


def test_nothing_waits_for_who_looks_on(game: Game, player: Player, visit: Visitor) -> None:
    assert 'id="waiting"' not in visit().get(HOME).content.decode()


def test_the_front_page_has_what_waits_in_all_games_with_plain_buttons(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "proposals.submit", title="Spoons", body="Nothing.")
    front = visit(player).get("/")
    part = waits(front.content.decode())
    assert "Spoons" in part
    assert "hx-post" not in part
    assert "no-store" in front.headers["Cache-Control"]
    sent = forms(part)["FOR(Vote on Proposal 1: Spoons)"]
    answer = visit(player).post(sent.pop("to"), sent)
    assert answer.headers["Location"] == "/#waiting"
    assert "Spoons" not in waits(visit(player).get("/").content.decode())


@pytest.mark.thorough
def test_more_votes_ask_no_more_of_the_database(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "proposals.submit", body="Nothing.")
    client = visit(player)
    client.get("/")
    with CaptureQueriesContext(connection) as before:
        client.get("/")
    for _ in range(3):
        act(rival, "proposals.submit", body="Nothing.")
    client.get("/")  # which reads each body once
    with CaptureQueriesContext(connection) as after:
        client.get("/")
    assert len(after) == len(before)


def test_a_harvest_waits_until_it_is_made(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "settlers.join")
    client, part, day = visit(player), "", WEDNESDAY
    while "Your harvest" not in part:
        day += timedelta(days=1)
        advance(game.slug, day)
        part = waits(client.get(HOME).content.decode())
    [(_, sent)] = [each for each in forms(part).items() if each[0].startswith("Harvest")]
    client.post(sent.pop("to"), sent)
    assert game.entries.filter(name="settlers.harvest", actor=player).exists()
    assert "Your harvest" not in waits(client.get(HOME).content.decode())


def test_a_vote_from_the_list_needs_no_javascript_and_counts_once(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "proposals.submit", title="Spoons", body="Nothing.")
    client = visit(player)
    sent = forms(waits(client.get(HOME).content.decode()))["FOR(Vote on Proposal 1: Spoons)"]
    to = sent.pop("to")
    assert [client.post(to, sent).status_code for _ in range(2)] == [302, 302]
    assert game.entries.filter(name="proposals.vote").count() == 1
