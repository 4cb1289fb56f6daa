"""The lottery as people and programs see it (The Lottery)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.engine.effects import Effects, apply
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.reports import find_report
from nomic.operations.setup import new_game, seat_practice_players
from tests.kit import WEDNESDAY, Take, at_the_table
from tests.lottery.models import Draw
from tests.lottery.state import state_of
from tests.lottery.tests.conftest import Stage

PAGE, HOME, API = "/g/table/lottery/", "/g/table/", "/api/v1/games/table/lottery"
BUY = "lottery.buy_tickets"


@pytest.fixture
def played(stage: Stage, player: Player, act: Take) -> Stage:
    """A lottery with one draw that nobody won, and two tickets for the next."""
    stage.weeks()
    act(player, BUY, tickets=2)
    return stage


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_page_shows_the_pot_the_tickets_and_what_can_be_done(
    played: Stage, player: Player
) -> None:
    page = signed_in(player.user).get(PAGE).content.decode()
    assert "<h1>Draw 2</h1>" in page
    assert "2 florins in the pot." in page
    assert '<th scope="row">Murphy</th><td class="num">2</td>' in page
    assert 'action="/g/table/act/lottery.buy_tickets/"' in page


def test_who_has_no_seat_looks_on(played: Stage) -> None:
    page = Client().get(PAGE)
    assert page.status_code == 200
    assert "lottery.buy_tickets" not in page.content.decode()


def test_tickets_are_bought_on_the_page(played: Stage, player: Player) -> None:
    client = signed_in(player.user)
    sent = client.post(
        "/g/table/act/lottery.buy_tickets/", {"tickets": "1", "key": "once", "back": PAGE}
    )
    assert sent.status_code in (200, 302, 303)
    assert played.last(BUY).inputs == {"tickets": 1}


def test_the_live_parts_come_alone(played: Stage, player: Player) -> None:
    parts = signed_in(player.user).get(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert 'id="standing"' in parts
    assert "<html" not in parts


def test_the_home_has_the_panel(played: Stage) -> None:
    assert '<a href="/g/table/lottery/">Draw 2</a>' in Client().get(HOME).content.decode()


def test_the_api_tells_the_state(played: Stage) -> None:
    answer = Client().get(API)
    assert answer.json() == {
        "draw": 2,
        "pot": 2,
        "tickets": {"Murphy": 2},
        "broken": "",
        "past": [{"draw": 1, "winner": None, "prize": 0}],
    }


def test_a_game_without_a_lottery_has_none_to_tell_of(played: Stage) -> None:
    new_game("races", "agora-races", pace="manual", start=WEDNESDAY)
    for address in ("/api/v1/games/races/lottery", "/g/races/lottery/"):
        assert Client().get(address).status_code == 404


def test_the_report_is_published_in_every_form(played: Stage) -> None:
    report = find_report("cashier")
    facts = report.all_facts(glance(played.game))
    assert "draw 2 comes next, for a pot of 2" in report.text(facts)
    assert "<td>Murphy</td>" in report.html(facts)
    assert ["Tickets", "Murphy", "Tickets", 2] in report.rows(facts)
    assert played.last("reports.weekly").outcome["report"] == "cashier"


def test_the_cashiers_desk_shows_the_tickets(played: Stage, officer: Player) -> None:
    desk = signed_in(officer.user).get("/office/g/table/")
    assert desk.status_code == 200
    assert "Murphy" in desk.content.decode()


def test_the_books_list_draws_and_tickets(played: Stage, officer: Player) -> None:
    client = signed_in(officer.user)
    for book in ("draw", "tickets"):
        listed = client.get(f"/office/lottery/{book}/")
        assert listed.status_code == 200
        assert "A weekly lottery" in listed.content.decode()


def test_the_database_refuses_a_second_draw_to_come(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Draw.objects.create(game=game, number=9, opened_in=1)


def test_the_page_costs_as_many_queries_with_many_tickets_as_with_few(
    played: Stage, player: Player
) -> None:
    client = signed_in(player.user)

    def queries() -> int:
        client.get(PAGE)
        with CaptureQueriesContext(connection) as asked:
            client.get(PAGE)
        return len(asked)

    few = queries()
    seat_practice_players(played.slug, 30)
    with at_the_table(played.game) as table:
        for each in table.game.players.exclude(pk=player.pk):
            apply(table, Effects(state_of(table).sold(each, 3)))
    assert queries() == few <= 30
