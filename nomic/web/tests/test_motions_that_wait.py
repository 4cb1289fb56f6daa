"""Motions wait for the voices of those who may speak, and who is named in one is told of it."""

from __future__ import annotations

import pytest

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.fan_out import spread
from nomic.notices.models import Notice
from nomic.notices.tests.conftest import write_to
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, Visitor, seat, tight

HOME = "/g/table/"


@pytest.fixture
def game(db: None) -> Game:
    return new_game("table", "agora", pace="manual", start=WEDNESDAY, offices="support")[0]


@pytest.fixture
def players(game: Game) -> dict[str, Player]:
    return {name: write_to(seat(game, name)) for name in ("Murphy", "Madrid", "Jason", "snail")}


def waits(visit: Visitor, player: Player, address: str = HOME) -> str:
    page = visit(player).get(address).text
    return tight(page.partition('id="waiting"')[2].partition("</section>")[0])


def about_oneself(player: Player) -> list[tuple[str, str]]:
    spread(wall_now())
    notices = Notice.objects.filter(user=player.user, text__startswith="This is about you")
    return list(notices.order_by("pk").values_list("kind", "url"))


@pytest.fixture
def officer(game: Game, players: dict[str, Player], act: Take) -> Player:
    act(players["snail"], "games.stand", office="Horsened")
    for name in ("Murphy", "Madrid"):
        act(players[name], "games.support", motion=1)
    return players["snail"]


def test_a_motion_waits_with_its_buttons_until_one_has_spoken(
    game: Game, players: dict[str, Player], act: Take, visit: Visitor
) -> None:
    act(players["snail"], "games.stand", office="Horsened")
    for address in (HOME, "/"):
        part = waits(visit, players["Murphy"], address)
        assert "Motion 1 by snail" in part
        assert "Support<span" in part
        assert "Object<span" not in part
    assert "Motion 1" not in waits(visit, players["snail"])
    act(players["Murphy"], "games.support", motion=1)
    assert "Motion 1" not in waits(visit, players["Murphy"])
    assert "Motion 1" in waits(visit, players["Madrid"])
    act(players["Madrid"], "games.support", motion=1)
    assert "Motion 1" not in waits(visit, players["Jason"])


def test_several_motions_are_one_line_that_leads_to_them(
    game: Game, players: dict[str, Player], act: Take, visit: Visitor
) -> None:
    act(players["snail"], "games.stand", office="Horsened")
    act(players["Jason"], "games.stand", office="Horsened")
    part = waits(visit, players["Murphy"])
    assert '<a href="/g/table/motions/">2 motions that you may support or object to</a>' in part
    assert "Support<span" not in part


def test_what_time_carries_out_can_be_objected_to_from_the_list(
    players: dict[str, Player], officer: Player, act: Take, visit: Visitor
) -> None:
    act(officer, "horses.correct_position", horse="Fargo", position=9, reason="a slip")
    part = waits(visit, players["Jason"])
    assert "Object<span" in part
    act(players["Jason"], "games.object", motion=2)
    assert "Motion 2" not in waits(visit, players["Jason"])


def test_who_is_named_in_a_correction_is_told_when_it_is_announced_and_when_it_ends(
    players: dict[str, Player], officer: Player, act: Take, visit: Visitor
) -> None:
    bet = {"who": "Madrid", "horse": "Fargo", "dollaries": 3, "reason": "a slip"}
    act(officer, "horses.correct_bet", **bet)
    assert about_oneself(players["Madrid"]) == [("named", "/g/table/motions/2/")]
    page = visit(players["Jason"]).get("/g/table/players/Madrid/").text
    assert "Let the bet of Madrid on Fargo be 3 dollaries" in tight(page)
    assert "Announced about you" in visit(players["Madrid"]).get("/g/table/horses/").text
    assert "Announced about you" not in visit(players["Jason"]).get("/g/table/horses/").text
    for name in ("Murphy", "Jason"):
        act(players[name], "games.support", motion=2)
    assert about_oneself(players["Madrid"]) == [("named", "/g/table/motions/2/")] * 2
    for name in ("Murphy", "Jason", "snail"):
        assert about_oneself(players[name]) == []


def test_the_page_of_a_proposal_tells_of_the_motion_about_ones_vote(
    game: Game, players: dict[str, Player], act: Take, visit: Visitor
) -> None:
    act(players["Murphy"], "proposals.submit", title="Oats", body="Nothing.")
    act(players["Madrid"], "proposals.vote", proposal=1, choice="FOR")
    vote = {"proposal": 1, "voter": "Madrid", "word": "AGAINST", "reason": "as cast elsewhere"}
    act(players["Jason"], "proposals.correct_vote", **vote)
    page = visit(players["Madrid"]).get("/g/table/proposals/1/").text
    assert "Announced about it" in page
    assert "Let the vote of Madrid on" in tight(page)
    assert about_oneself(players["Madrid"]) == [("named", "/g/table/motions/1/")]
