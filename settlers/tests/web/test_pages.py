"""The isle's page for everybody who looks at it, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.engine import watch
from nomic.engine.outcomes import Malformed
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.game_context import shown_mark
from settlers.rules.titles import DECK, GIFT
from settlers.tests.crowd import settle_many
from settlers.tests.stage import give, hours, place, results_are, visitor_is
from tests.kit import WEDNESDAY, Take, Visitor, at_the_table, on_one_line, tight, write_anew

PAGE = "/g/table/settlers/"
PREVIEW = "/g/table/settlers/harvest/"
PRIVATE = "/g/table/settlers/private/"
A_PAGE = 30

Budget = Callable[..., AbstractContextManager[Any]]
Two = tuple[Player, Player]


def body(client: Client, path: str = PAGE, status: int = 200) -> str:
    """The page's text; it must be answered so."""
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.parametrize("path", [PAGE, "/g/table/act/settlers.swap_with_merchant/"])
def test_a_swap_with_the_merchant_is_offered_before_it_is_chosen_what_to_give(
    path: str, with_the_thug: Game, produced: Two, visit: Visitor
) -> None:
    with at_the_table(with_the_thug) as table:
        give(table, produced[0], wheat=9)
    visitor_is(with_the_thug, "Merchant")
    page = body(visit(produced[0]), path)
    form = page.partition('action="/g/table/act/settlers.swap_with_merchant/"')[2]
    button = form.partition('<button type="submit"')[2].partition("</button>")[0]
    assert "Swap" in button
    assert "<small>" not in button
    assert "The Merchant takes" in form


@pytest.mark.thorough
@pytest.mark.parametrize("others", [1, 45, 298])
def test_the_page_asks_little_of_the_database(
    others: int,
    with_the_thug: Game,
    produced: Two,
    officer: Player,
    outsider: User,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid = produced
    with at_the_table(with_the_thug) as table:
        give(table, murphy, wheat=3, stone=3)
        give(table, madrid, wood=3)
    settle_many(with_the_thug, others)
    visitor_is(with_the_thug, "Thug")
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 1}, take={"wood": 1})
    act(madrid, "settlers.offer_trade", to="Murphy", give={"wood": 1}, take={"stone": 1})
    act(murphy, "settlers.bribe", items={"stone": 1})
    newcomer = act(outsider, "games.join", name="juan") and with_the_thug.players.get(name="juan")
    viewers = {
        "settler": murphy,
        "onlooker": officer,
        "newcomer": newcomer,
        "outsider": User.objects.create_user("Jason"),
        "nobody": None,
    }
    asked = {}
    for who, viewer in viewers.items():
        client = visit(viewer)
        for path in (PAGE, "/g/table/"):
            body(client, path)
        for path in (PAGE, "/g/table/"):
            with CaptureQueriesContext(connection) as seen:
                body(client, path)
            asked[who, path] = len(seen)
    assert {where: count for where, count in asked.items() if count > A_PAGE} == {}


def test_where_nobody_settles_there_is_no_such_page(db: None, visit: Visitor) -> None:
    new_game("table", "agora-races", pace="manual", start=WEDNESDAY)
    assert "No isle is settled in this game" in body(visit(), status=404)
    assert visit().get(PRIVATE).status_code == 404


def test_an_empty_isle_says_what_will_be_here(game: Game, visit: Visitor) -> None:
    page = body(visit())
    assert "Nobody has settled here yet" in page
    assert "The first Production of Resources" in page
    assert "Join the game" in page
    assert "36 of 36 cards left" in page


def test_a_newcomer_is_offered_to_become_a_settler(player: Player, visit: Visitor) -> None:
    page = body(visit(player))
    assert 'id="form-settlers-join"' in page
    assert "Become a Settler" in body(visit(player), "/g/table/")


def test_the_onlooker_is_told_that_they_are_no_settler(
    produced: Two,
    officer: Player,
    visit: Visitor,
) -> None:
    page = body(visit(officer))
    assert "While in office you are no Settler" in page
    assert 'href="/office/"' in page
    assert "form-settlers-harvest" not in page
    assert "Become a Settler" not in body(visit(officer), "/g/table/")


def test_who_was_a_settler_is_drawn_again_after_the_office(
    act: Take,
    produced: Two,
    visit: Visitor,
) -> None:
    murphy, _ = produced
    act(murphy, "games.take_office", office="Onlooker")
    assert "Murphy: Domains" not in body(visit())
    act(murphy, "games.resign_office", office="Onlooker")
    assert "Murphy: Domains" in body(visit())


def test_the_picture_and_the_table_tell_the_same(
    game: Game,
    produced: Two,
    visit: Visitor,
) -> None:
    murphy, madrid = produced
    numbers = {"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6}
    place(murphy, domains=numbers, buildings=["Farm", "Farm", "Cone"], ready=True)
    place(madrid, injured=True, victim=True, harvested_in=1)
    with at_the_table(game) as table:
        give(table, murphy, stone=1_234)
    results_are(game, 2, 6)
    page = body(visit(murphy))
    says = (
        "Murphy (Ready): Domains wheat 2 that brings 5, sheep 3, stone 4, wood 5, brick 6 that"
        " brings 1; Stockpile 0 wheat, 0 sheep, 1,234 stone, 0 wood, 0 brick; built Farm ×2, Cone"
    )
    assert page.count(says) == 3  # the homestead itself, and the description in each width
    assert "Madrid (Injured, Victim, harvested)" in page
    row = re.search(r'<tr class="here">.*?</tr>', page, re.DOTALL)
    assert row is not None
    for told in (">1234<", "(2: <b>+5</b>)", "(6: <b>+1</b>)", "Farm ×2, Cone", "Ready"):
        assert told in row[0]
    assert "They bring you <strong>5 wheat and 1 brick</strong>" in page


def test_what_cannot_be_harvested_does_not_glitter(
    game: Game,
    produced: Two,
    visit: Visitor,
) -> None:
    murphy, madrid = produced
    for who in produced:
        place(who, domains={"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6})
    results_are(game, 2, 6)
    place(murphy, harvested_in=1)
    place(madrid, domains={"wheat": None, "brick": None})
    assert "that brings" not in body(visit(murphy))
    assert "You have <strong>harvested</strong>" in body(visit(murphy))
    assert "They give you nothing" in body(visit(madrid))


def test_the_injured_are_told_that_they_cannot_harvest(
    with_the_thug: Game,
    produced: Two,
    visit: Visitor,
) -> None:
    murphy, _ = produced
    place(murphy, injured=True, domains={"wheat": None, "sheep": None, "stone": None})
    results_are(with_the_thug, 2, 12)
    assert "You are <strong>Injured</strong>" in body(visit(murphy))


@pytest.mark.thorough
def test_many_settlers_come_page_by_page_and_ones_own_row_on_each(
    game: Game,
    produced: Two,
    visit: Visitor,
) -> None:
    settle_many(game, 198)
    murphy, _ = produced
    place(murphy, buildings=[])
    first, last = body(visit(murphy)), body(visit(murphy), f"{PAGE}?page=5")
    for page in (first, last):
        assert len(re.findall(r'<tr class="here">', page)) == 1
        assert page.count('class="homestead mine"') == 1
        assert page.count('class="homestead') == 8
        assert "200 Settlers" in page
        assert len(page) < 150_000
    assert ">settler 00011</a>" in first
    assert ">settler 00198</a>" not in first
    assert ">settler 00198</a>" in last
    assert "page=2" in first
    assert "page=6" not in last
    for odd in ("99", "0", "-1", "x", "9" * 30):
        assert ">settler 00011</a>" in body(visit(murphy), f"{PAGE}?page={odd}")


def test_whom_to_trade_with_is_written_where_there_are_very_many(
    game: Game,
    produced: Two,
    act: Take,
    visit: Visitor,
) -> None:
    settle_many(game, 100)
    murphy, _ = produced
    with at_the_table(game) as table:
        give(table, murphy, wheat=1)
    page = body(visit(murphy))
    assert '<input type="text" name="to"' in page
    assert page.count("settler 00100") == 0
    act(murphy, "settlers.offer_trade", to="settler 00100", give={"wheat": 1}, take={"wood": 1})
    with pytest.raises(Malformed, match="not a Settler"):
        act(murphy, "settlers.offer_trade", to="nobody", give={"wheat": 1}, take={"wood": 1})


def test_open_offers_stand_there_with_what_can_be_done_about_them(
    game: Game,
    produced: Two,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid = produced
    with at_the_table(game) as table:
        give(table, murphy, wheat=3)
        give(table, madrid, wood=3)
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 2}, take={"wood": 1})
    theirs, own = (on_one_line(body(visit(settler))) for settler in (madrid, murphy))
    assert "Murphy offers you <strong>2 wheat</strong> for <strong>1 wood</strong>" in theirs
    assert "Accept<" in theirs
    assert "Decline<" in theirs
    assert "You offer Madrid <strong>2 wheat</strong>" in own
    assert "Withdraw<" in own
    assert "Accept<" not in own
    with at_the_table(game) as table:
        table.ledger.destroy(madrid, 3, "wood", "lost")
    poorer = body(visit(madrid))
    assert "Accept<" not in poorer
    assert "Murphy asks for 1 wood" in poorer
    assert "offers you" not in body(visit())


def test_each_building_says_what_it_costs_and_whether_one_can_pay(
    game: Game,
    produced: Two,
    visit: Visitor,
) -> None:
    murphy, _ = produced
    with at_the_table(game) as table:
        give(table, murphy, stone=5, brick=5)
    page = on_one_line(body(visit(murphy)))
    for said in (
        "costs 1 wheat, 1 sheep and 2 wood",
        "costs 5 stone and 5 of one other",
        "each harvest +1 sheep or +1 wheat",
        "build 4 of them to win",
    ):
        assert said in page
    assert page.count("you lack") >= 1
    assert "<option>brick</option></select><button" in tight(page)


def test_a_victory_is_told_at_the_top(
    game: Game,
    produced: Two,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, _ = produced
    place(murphy, buildings=["Cone"] * 3)
    with at_the_table(game) as table:
        give(table, murphy, stone=9, brick=5)
    for _ in range(2):
        act(murphy, "settlers.build", building="Church")
    act(murphy, "settlers.build", building="Cone", other="brick")
    assert body(visit()).count("Murphy has won: 4 Cones on the isle") == 1
    season = " ".join(visit().get("/g/table/season/1/").content.decode().split())
    assert "Murphy has won" not in season  # no banner repeats what the page tells
    assert (
        "Murphy built 2 Churches and 1 Cone."
        in season[season.index("Who built most on the isle") :]
    )


@pytest.mark.thorough
def test_a_rule_that_cannot_be_read_leaves_the_page_standing(
    game: Game,
    produced: Two,
    visit: Visitor,
) -> None:
    murphy, _ = produced
    for title in (GIFT, DECK):
        text = game.rules.get(title=title).text
        write_anew(game, title, text, re.sub(r"(?m)^\| \d+ \|.*\n", "| some | none |\n", text))
        assert f"“{title}” is not played: " in body(visit(murphy))
        assert visit(murphy).get("/g/table/").status_code == 200
        assert visit(murphy, HX_Request="true").get(PREVIEW).status_code == 200


@pytest.mark.thorough
def test_the_past_productions_are_told_with_who_came(
    with_the_thug: Game,
    settled: Two,
    visit: Visitor,
) -> None:
    hours(with_the_thug, 48 * 34)
    entries = with_the_thug.entries.filter(name="settlers.production").order_by("-seq")
    page = body(visit())
    assert "the last 30" in page
    for entry in entries[:30]:
        first, second = entry.outcome["results"]
        number = entry.outcome["production"]
        assert f"Production {number}: {first} and {second}." in page
    assert "Production 4:" not in page
    visitors = {
        entry.outcome["visitor"]
        for entry in with_the_thug.entries.filter(name="settlers.arrival").order_by("-seq")[:25]
    }
    for visitor in visitors:
        assert f"<td>{visitor}</td>" in tight(page)


def test_a_refresh_that_finds_nothing_new_asks_the_database_nothing(
    game: Game,
    player: Player,
    htmx: Visitor,
    django_assert_num_queries: Budget,
) -> None:
    watch.bump(game.pk, 7)
    client = htmx(player)
    with django_assert_num_queries(0):
        assert client.get(f"{PAGE}?v={shown_mark(game.pk, '7')}&game={game.pk}").status_code == 204
    parts = body(client, f"{PAGE}?v=6&game={game.pk}")
    assert "<html" not in parts
    for part in ("picture", "standing", "page_forms", "story", "banner"):
        assert f'id="{part}"' in parts
