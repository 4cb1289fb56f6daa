"""An answer that the caller has already is not told again; what differs always is."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries

from nomic.engine import watch
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import SEEN_BY, Game, Player
from nomic.infrastructure.database.replica import ReadFromStandby
from nomic.infrastructure.early_answer import EarlyAnswer
from nomic.operations.setup import new_game
from nomic.web import etags
from nomic.web.models import Token
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, sign_in_client, user_of

READ = ("", "/record", "/record/opened", "/rules", "/machinery", "/balances", "/dice", "/reports")
READ = (*READ, "/actions", "/witness", "/horses")


def ask(game: Game, part: str, known: str = "", **headers: str) -> Any:
    headers |= {"If-None-Match": known} if known else {}
    return Client().get(f"/api/v1/games/{game.slug}{part}", headers=headers)


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The wall moment that tags know, in a list of one."""
    now = [wall_now()]
    monkeypatch.setattr(etags, "wall_now", lambda: now[0])
    cache.clear()
    return now


@pytest.mark.parametrize("part", READ)
def test_what_the_caller_has_is_not_told_again_until_it_is_otherwise(
    part: str, game: Game, player: Player, moment: list[datetime]
) -> None:
    Game.objects.filter(pk=game.pk).update(pace="manual", rate=0)  # so that `now` stands still
    first = ask(game, part)
    assert first.status_code == 200, first.content
    again = ask(game, part, f"W/{first['ETag'].removeprefix('W/')}")
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert again["Nomic-Head"] == first["Nomic-Head"]
    assert again["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= set(again["Vary"].split(", "))
    take(game.slug, player, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    then, whole = ask(game, part, first["ETag"]), ask(game, part)
    assert then.status_code == (200 if whole.content != first.content else then.status_code)
    assert then.status_code == 200 or then["ETag"] == whole["ETag"]
    assert (part not in ("/record", "/balances", "/horses")) or then.status_code == 200


def test_the_record_that_one_has_costs_a_look_at_the_game(
    game: Game, moment: list[datetime], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    known = ask(game, "/record")["ETag"]
    with django_assert_max_num_queries(2):  # the game, and its newest head
        assert ask(game, "/record", known).status_code == 304


def test_who_may_see_it_no_more_is_not_told_that_it_is_the_same(
    game: Game, moment: list[datetime]
) -> None:
    user = user_of("a program")
    token, plain = make_token(user, "a program")
    headers = {"Authorization": f"Bearer {plain}"}
    known = ask(game, "/record", **headers)["ETag"]
    assert ask(game, "/record", known, **headers).status_code == 304
    Game.objects.filter(pk=game.pk).update(settings={**game.settings, SEEN_BY: "link"})
    assert ask(game, "/record", known, **headers).status_code == 404
    Token.objects.filter(pk=token.pk).delete()
    assert ask(game, "/record", known, **headers).status_code == 401


WHOLE = ("/actions", "/receipts", "/horses", "/proposals", "/settlers", "/aceofspades")


@pytest.mark.thorough
def test_what_one_sees_is_no_tag_for_another(db: None, moment: list[datetime]) -> None:
    game = new_game("everything", "demo", pace="manual", start=WEDNESDAY)[0]
    headers: dict[str, dict[str, str]] = {"nobody": {}}
    told = {("nobody", part): ask(game, part) for part in WHOLE if part != "/receipts"}
    for name in ("Murphy", "Madrid"):
        user = user_of(name)
        take(game.slug, user, "games.join", {"name": name})
        _, plain = make_token(user, "a program")
        headers[name] = {"Authorization": f"Bearer {plain}"}
        for part in WHOLE:
            ask(game, part, **headers[name])
        take(game.slug, user, "aceofspades.join")
        told |= {(name, part): ask(game, part, **headers[name]) for part in WHOLE}
    assert {own["Cache-Control"] for own in told.values()} == {"private, no-cache"}
    told_wrongly = []
    for name, own in headers.items():
        for (other, part), theirs in told.items():
            is_known = ask(game, part, theirs["ETag"], **own).status_code == 304
            if is_known and ask(game, part, **own).content != theirs.content:
                told_wrongly.append((name, other, part))
    assert told_wrongly == []


@pytest.mark.parametrize("part", ["/actions", "/horses"])
def test_what_time_changes_is_told_anew_after_ten_seconds_and_costs_little_before(
    part: str,
    game: Game,
    player: Player,
    moment: list[datetime],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    _, plain = make_token(player.user, "a program")
    headers = {"Authorization": f"Bearer {plain}"}
    known = ask(game, part, **headers)["ETag"]
    with django_assert_max_num_queries(4):  # the token, its use, the seat with the game, its head
        assert ask(game, part, known, **headers).status_code == 304
    moment[0] += timedelta(seconds=10)
    assert ask(game, part, known, **headers).status_code == 200


def test_what_changed_in_private_is_told_anew_to_whom_it_concerns(
    game: Game, player: Player, rival: Player, moment: list[datetime]
) -> None:
    known = {}
    for each in (player, rival):
        _, plain = make_token(each.user, "a program")
        headers = {"Authorization": f"Bearer {plain}"}
        known[each] = headers, ask(game, "/actions", **headers)["ETag"]
    watch.end_seat_marks([player.pk])
    answers = {each: ask(game, "/actions", etag, **own) for each, (own, etag) in known.items()}
    assert answers[player].status_code == 200
    assert answers[rival].status_code == 304


PAGES = ("", "horses/", "record/", "rules/", "ledger/", "talk/", "dice/", "reports/", "search/")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_nobody_signed_in_has_is_not_made_again(
    page: str,
    game: Game,
    player: Player,
    moment: list[datetime],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client, address = Client(), f"/g/{game.slug}/{page}"
    client.get(address)  # the home tells the browser what it has seen
    known = client.get(address)
    assert known.headers["Cache-Control"] == "no-cache"
    assert "Cookie" in known.headers["Vary"]
    again = {"If-None-Match": known.headers["ETag"]}
    with django_assert_max_num_queries(1):
        same = client.get(address, headers=again)
    assert (same.status_code, same.content) == (304, b"")
    assert same.headers["Cache-Control"] == "no-cache"
    assert "Cookie" in same.headers["Vary"]
    watch.bump_talk(game.pk)
    assert client.get(address, headers=again).status_code == 200
    signed_in = Client()
    sign_in_client(signed_in, player.user)
    assert "ETag" not in signed_in.get(address, headers=again).headers
    assert signed_in.get(address, headers=again).status_code == 200


def test_a_page_that_is_shown_no_more_is_not_the_same(game: Game, moment: list[datetime]) -> None:
    address = f"/g/{game.slug}/record/"
    again = {"If-None-Match": Client().get(address).headers["ETag"]}
    Game.objects.filter(pk=game.pk).update(settings={**game.settings, SEEN_BY: "link"})
    assert Client().get(address, headers=again).status_code == 404


def test_a_page_is_made_once_for_all_who_have_not_signed_in_until_something_happens(
    game: Game,
    player: Player,
    moment: list[datetime],
    settings: Any,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    settings.PAGES_KEPT = 10
    address = f"/g/{game.slug}/"
    first = Client().get(address)
    with django_assert_max_num_queries(1):
        same = Client().get(address)
    assert same.content == first.content
    assert same.headers["ETag"] == first.headers["ETag"]
    assert same.cookies.output() == first.cookies.output()
    signed_in = Client()
    sign_in_client(signed_in, player.user)
    assert signed_in.get(address).content != first.content
    assert Client().get(address, {"since": "1"}).headers["ETag"] != first.headers["ETag"]
    take(game.slug, player, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    assert "bets 1 dollary on Fargo" in Client().get(address).content.decode()


def test_what_is_known_is_answered_where_a_standby_is_read_from(rf: RequestFactory) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        raise EarlyAnswer(HttpResponse("known"))

    request = rf.get("/g/table/")
    request.user = AnonymousUser()
    answer = ReadFromStandby(view).process_view(request, view, (), {})
    assert isinstance(answer, HttpResponse)
    assert answer.content == b"known"
