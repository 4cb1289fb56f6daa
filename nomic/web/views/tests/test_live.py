"""Live parts: nothing new costs nothing, and what is new comes alone."""

import re
from typing import Any

import pytest
from django.core.cache import cache

from nomic.engine import watch
from nomic.games.models import Game, Player
from nomic.web.game_context import shown_mark
from tests.kit import Take, Visitor

PAGES = ["/g/table/", "/g/table/horses/"]


@pytest.mark.parametrize("page", PAGES)
def test_a_refresh_that_finds_nothing_new_asks_the_database_nothing(
    page: str, game: Game, player: Player, htmx: Visitor, django_assert_num_queries: Any
) -> None:
    watch.bump(game.pk, 7)
    client = htmx(player)
    with django_assert_num_queries(0):
        answer = client.get(f"{page}?v={shown_mark(game.pk, '7')}&game={game.pk}")
    assert answer.status_code == 204


@pytest.mark.parametrize("page", PAGES)
def test_a_refresh_brings_the_changed_parts_and_the_new_version(
    page: str, game: Game, player: Player, act: Take, htmx: Visitor
) -> None:
    watch.bump(game.pk, 7)
    act(player, "horses.bet", horse="Fargo", dollaries=2)
    watch.bump(game.pk, 8)
    answer = htmx(player).get(f"{page}?v={shown_mark(game.pk, '7')}&game={game.pk}")
    body = answer.content.decode()
    assert answer.status_code == 200
    assert "Murphy bets 2 dollaries on Fargo" in body
    assert f"v={shown_mark(game.pk, '8')}&amp;game=" in body
    assert "<html" not in body
    for part in ("picture", "page_forms", "story", "banner"):
        assert f'id="{part}"' in body
    assert body.count('hx-swap-oob="true"') >= 4


def test_the_answer_to_an_act_brings_the_parts_of_the_page_it_was_done_on(
    game: Game, player: Player, htmx: Visitor
) -> None:
    client, there = htmx(player), {"Nomic-Live": "/g/table/horses/?v=7&game=1"}
    bet = {"horse": "Fargo", "dollaries": "2"}
    answer = client.post("/g/table/act/horses.bet/", bet, headers=there)
    body = answer.content.decode()
    assert "Recorded as entry" in body
    assert "HX-Trigger" not in answer.headers
    for part in ("live", "picture", "page_forms", "story", "banner"):
        assert re.search(rf'id="{part}"[^>]*hx-swap-oob="true"', body), part
    assert "form-horses-bet" not in body
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(
    "there", ["", "/g/other/horses/?v=", "/g/table/rules/", "/nowhere/", "https://[", "/office/"]
)
def test_a_page_without_parts_is_told_that_the_game_has_moved(
    game: Game, player: Player, htmx: Visitor, there: str
) -> None:
    bet = {"horse": "Fargo", "dollaries": "2"}
    answer = htmx(player).post("/g/table/act/horses.bet/", bet, headers={"Nomic-Live": there})
    assert (answer.status_code, answer["HX-Trigger"]) == (200, '{"moved": {}}')
    assert "<html" not in answer.content.decode()


def test_a_page_that_cannot_be_drawn_loses_no_receipt(
    game: Game, player: Player, htmx: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horses.web.views.choices", None)
    there = {"Nomic-Live": "/g/table/horses/"}
    answer = htmx(player).post("/g/table/act/horses.gain_dollaries/", headers=there)
    assert "Recorded as entry" in answer.content.decode()
    assert "moved" in answer["HX-Trigger"]


def test_news_that_comes_late_does_not_hide_later_news(game: Game) -> None:
    watch.bump(game.pk, 6)
    watch.bump(game.pk, 5)
    assert watch.mark(game.pk) == "6"
    watch.bump(game.pk, 10)
    assert watch.mark(game.pk) == "10"


@pytest.mark.parametrize("page", PAGES)
def test_a_game_that_gets_stuck_refreshes_its_pages_once_an_attempt(
    page: str, game: Game, player: Player, htmx: Visitor, django_assert_num_queries: Any
) -> None:
    watch.bump(game.pk, 7)
    client = htmx(player)
    seen = shown_mark(game.pk, "7")
    for attempts in (1, 2):
        watch.bump_stuck(game.pk, 7, attempts)
        assert client.get(f"{page}?v={seen}&game={game.pk}").status_code == 200
        seen = shown_mark(game.pk, str(watch.mark(game.pk)))
        with django_assert_num_queries(0):
            assert client.get(f"{page}?v={seen}&game={game.pk}").status_code == 204
    watch.bump(game.pk, 8)
    news = client.get(f"{page}?v={seen}&game={game.pk}").content.decode()
    known = str(watch.mark(game.pk))
    assert known.startswith("8.")
    assert f"v={shown_mark(game.pk, known)}&amp;game=" in news


@pytest.mark.parametrize("page", PAGES)
def test_where_the_cache_knows_nothing_the_page_still_comes(
    page: str, game: Game, player: Player, htmx: Visitor
) -> None:
    assert htmx(player).get(f"{page}?v=&game={game.pk}").status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_a_quiet_game_that_the_cache_forgot_is_asked_about_once(
    page: str, game: Game, player: Player, htmx: Visitor, django_assert_num_queries: Any
) -> None:
    cache.clear()
    game.refresh_from_db()
    client = htmx(player)
    seen = shown_mark(game.pk, str(game.last_entry))
    assert client.get(f"{page}?v={seen}&game={game.pk}").status_code == 200
    with django_assert_num_queries(0):
        answer = client.get(f"{page}?v={seen}&game={game.pk}")
    assert answer.status_code == 204


def test_the_whole_page_tells_what_is_new_since_the_last_visit(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    client = visit(player)
    client.get("/g/table/")
    assert "new since you were here" not in client.get("/g/table/").content.decode()
    act(player, "horses.gain_dollaries")
    assert "1 new since you were here" in client.get("/g/table/").content.decode()


def test_forms_are_marked_to_be_left_alone_while_in_use(
    game: Game, player: Player, visit: Visitor
) -> None:
    for page in PAGES:
        assert "data-leave-alone" in visit(player).get(page).content.decode()
