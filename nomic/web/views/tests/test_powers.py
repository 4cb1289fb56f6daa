"""Who stands, what was announced, and what is asked of all: on pages and in the API."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.games.models import Game, Player
from nomic.governance.models import Motion
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Take, Visitor, seat, user_of

OFFICE = "Horsened"


@pytest.fixture
def offices() -> str:
    return "support"


@pytest.fixture
def game(db: None, offices: str) -> Game:
    return new_game("table", "agora", pace="manual", start=WEDNESDAY, offices=offices)[0]


@pytest.fixture
def players(game: Game) -> list[Player]:
    return [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_the_home_says_how_offices_are_filled_and_who_stands(
    players: list[Player], act: Take, visit: Visitor
) -> None:
    murphy, madrid, _ = players
    home = text(visit(madrid), "/g/table/")
    assert "by support: more than half of the other players back a candidate" in home
    assert "wait 24 hours for objections" in home
    assert "/g/table/act/games.stand/?office=Horsened" in home
    act(murphy, "games.stand", office=OFFICE)
    home = text(visit(madrid), "/g/table/")
    assert "Stand for the office of Horsened" in home
    assert 'action="/g/table/act/games.support/"' in home
    assert 'action="/g/table/act/games.support/"' not in text(visit(murphy), "/g/table/")
    assert 'action="/g/table/act/games.withdraw/"' in text(visit(murphy), "/g/table/")


def test_a_candidate_is_supported_and_an_officer_recalled_without_javascript(
    game: Game, players: list[Player], act: Take, visit: Visitor
) -> None:
    murphy, madrid, jason = players
    act(murphy, "games.stand", office=OFFICE)
    for each in (madrid, jason):
        sent = {"motion": "1", "key": "k", "back": "/g/table/motions/"}
        answer = visit(each).post("/g/table/act/games.support/", sent)
        assert (answer.status_code, answer["Location"]) == (302, "/g/table/motions/")
    assert game.offices.get(name=OFFICE).holder == murphy
    page = text(visit(madrid), "/g/table/motions/")
    assert "Nothing waits for time or support." in page
    assert "announced by Murphy" in page
    assert "Supported by Madrid, Jason." in page
    seat_page = text(visit(jason), "/g/table/seat/")
    assert "/g/table/act/games.recall/?office=Horsened" in seat_page
    form = text(visit(jason), "/g/table/act/games.recall/?office=Horsened")
    assert "Recall the" in form


@pytest.mark.thorough
def test_much_that_needs_support_hides_nothing_that_time_alone_will_do(
    game: Game, players: list[Player], act: Take, visit: Visitor
) -> None:
    murphy, madrid, jason = players
    gift = {"amount": 1, "asset": "dollary", "giver": "Mint", "receiver": "Jason", "reason": "?"}
    act(madrid, "games.stand", office=OFFICE)
    for _ in range(15):
        act(murphy, "ledger.correct", **gift)
    for each in (murphy, jason):
        act(each, "games.support", motion=1)
    act(madrid, "ledger.correct", **gift)
    home = text(visit(jason), "/g/table/")
    assert home.index('id="motion-17"') < home.index('id="motion-2"')
    assert home.count('id="motion-') == 12


def test_the_motions_page_is_for_everybody_and_shows_what_it_takes(
    players: list[Player], act: Take, visit: Visitor, outsider: User
) -> None:
    act(players[0], "games.stand", office=OFFICE)
    act(players[1], "games.support", motion=1)
    for viewer in (None, outsider):
        page = text(visit(viewer), "/g/table/motions/")
        assert "It has 1 of the 2 supporters that it needs: Madrid." in page
        assert "games.support" not in page


@pytest.mark.thorough
def test_ended_motions_are_paged(players: list[Player], act: Take, visit: Visitor) -> None:
    for number in range(1, 33):
        act(players[0], "games.stand", office=OFFICE)
        act(players[0], "games.withdraw", motion=number)
    page = text(visit(), "/g/table/motions/")
    assert 'id="motion-32"' in page
    assert 'id="motion-2"' not in page
    assert "before=3" in page
    assert 'id="motion-2"' in text(visit(), "/g/table/motions/?before=3")


def announced(by: Player, numbers: range) -> None:
    """Corrections by one player, more than anybody may announce alone."""
    inputs = {"amount": 1, "asset": "dollary", "giver": "Mint", "receiver": "Jason"}
    for number in numbers:
        Motion.objects.create(
            game=by.game,
            number=number,
            action="ledger.correct",
            inputs={**inputs, "reason": "long " * 100},
            by=by,
            entry=by.game.last_entry,
            at=WEDNESDAY,
            due=WEDNESDAY + timedelta(hours=24) if number == 1 else None,
        )


@pytest.mark.parametrize("path", ["/g/table/", "/g/table/motions/", "/api/v1/games/table"])
def test_many_motions_are_told_in_as_many_queries_as_few(
    game: Game, players: list[Player], visit: Visitor, path: str
) -> None:
    viewer = visit(players[1])

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            text(viewer, path)
        return len(asked)

    game.refresh_from_db()
    announced(players[0], range(1, 4))
    Motion.objects.get(number=2).voices.create(player=players[1], side="supports", entry=1)
    queries()
    few = queries()
    announced(players[2], range(4, 61))
    for motion in Motion.objects.filter(number__gt=10):
        motion.voices.create(player=players[1], side="supports", entry=1)
    assert queries() == few


def test_open_motions_are_paged_and_told_without_what_is_long_in_them(
    game: Game, players: list[Player], visit: Visitor
) -> None:
    game.refresh_from_db()
    announced(players[0], range(1, 61))
    first, second = text(visit(), "/g/table/motions/"), text(visit(), "/g/table/motions/?open=2")
    assert first.index('id="motion-1"') < first.index('id="motion-2"')
    assert 'id="motion-31"' not in first
    assert "?open=2" in first
    assert first.count('id="motion-') == second.count('id="motion-') == 30
    told = json.loads(Client().get("/api/v1/games/table").content)["motions"]
    assert [each["number"] for each in told] == list(range(1, 61))
    assert "inputs" not in told[0]
    assert len(told[0]["intent"]) < 300


def test_the_api_tells_how_offices_are_filled_and_what_is_open(
    players: list[Player], act: Take
) -> None:
    act(players[0], "games.stand", office=OFFICE)
    act(players[1], "games.support", motion=1)
    told = json.loads(Client().get("/api/v1/games/table").content)
    assert (told["offices_by"], told["objection_hours"]) == ("support", 24)
    assert {"office": OFFICE, "holder": None} in told["offices"]
    [motion] = told["motions"]
    entry = players[0].game.entries.get(name="games.stand")
    assert (motion["number"], motion["entry"]) == (1, entry.seq)
    assert motion["intent"] == "Stand for the office of Horsened"
    assert (motion["supports"], motion["needed"], motion["due"]) == (["Madrid"], 2, None)


@pytest.mark.thorough
def test_a_vacant_office_asks_all_for_what_the_system_cannot_do(
    game: Game, players: list[Player], act: Take, visit: Visitor
) -> None:
    murphy, madrid, jason = players
    home = text(visit(murphy), "/g/table/")
    assert "the system does the duties" not in home
    assert "vacant: the system does what it can; the rest is asked of all players" in home
    assert "/g/table/act/horses.motivate/" in home
    assert re.search(
        r"vacant: the system does what it can\s+·\s+"
        r'<a href="/g/table/act/games.stand/\?office=Assessor[^"]*">stand for it</a>\s+</dd>',
        home,
    )
    act(murphy, "proposals.submit", body="Set the mood of the isle to merry.")
    for each in players:
        act(each, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY.replace(day=WEDNESDAY.day + 14))
    home = text(visit(murphy), "/g/table/")
    assert "/g/table/act/proposals.carry_out/?proposal=1&amp;place=1" in home
    page = text(visit(madrid), "/g/table/act/proposals.carry_out/?proposal=1&place=1")
    assert "State it" in page
    assert "Only the Assessor" not in page
    report = game.entries.filter(name="reports.weekly").exclude(outcome__facts=None).first()
    assert report is not None
    act(jason, "reports.doubt", entry=report.seq, what="a pebble is missing")
    assert "a pebble is missing" in text(visit(murphy), "/g/table/")
    doubt = game.entries.get(name="reports.doubt").seq
    act(murphy, "reports.answer", doubt=doubt, reason="it is there")
    act(madrid, "games.support", motion=1)
    assert "a pebble is missing</a>" in text(visit(murphy), "/g/table/")
    act(jason, "games.support", motion=1)
    assert "a pebble is missing</a>" not in text(visit(murphy), "/g/table/")


class TestTheHost:
    @pytest.fixture
    def offices(self) -> str:
        return "host"

    def test_a_host_without_a_seat_reaches_the_page_and_appoints(
        self, game: Game, players: list[Player], visit: Visitor, outsider: User
    ) -> None:
        host = user_of("landlord")
        Game.objects.filter(pk=game.pk).update(host=host)
        assert "games.appoint" not in text(visit(outsider), "/g/table/")
        assert "games.appoint" not in text(visit(players[0]), "/g/table/")
        assert "games.appoint" in text(visit(host), "/g/table/")
        form = text(visit(host), "/g/table/act/games.appoint/?office=Horsened")
        assert 'value="Madrid"' in form
        assert 'class="refused"' not in form
        sent = {"office": OFFICE, "player": "Madrid", "key": "k"}
        answer = visit(host).post("/g/table/act/games.appoint/", sent)
        assert answer.status_code == 302
        assert game.offices.get(name=OFFICE).holder == players[1]
        answer = visit(outsider).get("/g/table/act/games.appoint/?office=Horsened")
        assert "Only players act in this game" in answer.content.decode()
