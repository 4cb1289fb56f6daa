"""The operator sees what everything costs, and locks out whom they like, by every door."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from nomic.engine.catch_up import sweep
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.clock import standing_at, wall_now
from nomic.games.models import Game, Player
from nomic.quotas import holds, usage
from nomic.quotas.holds import goes_on
from nomic.quotas.models import Hold, UsageKind, Used, What
from nomic.web.tokens import make_token
from tests.kit import Visitor, around, open_at_real_pace, seat, sign_in_client, tight, user_of

WHY = "It costs more than all others."
PAGE = "/office/shares/"


@pytest.fixture(autouse=True)
def _nobody_is_held_back(db: None) -> Iterator[None]:
    def forget() -> None:
        cache.delete("nomic:held")
        holds._Memory.holds = None

    forget()
    yield
    forget()


@pytest.fixture
def operator(superuser: User) -> Client:
    client = Client()
    sign_in_client(client, superuser)
    return client


@pytest.fixture
@around
def no_midnight_comes() -> Iterator[None]:
    with standing_at(wall_now()):
        yield


def send(client: Client, do: str, kind: str, name: str, reason: str = WHY) -> str:
    """What the page says after the form is sent."""
    sent = {"do": do, "kind": kind, "name": name, "reason": reason}
    answer = client.post(PAGE, sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_is_for_the_operator_alone(
    game: Game, player: Player, officer: Player, outsider: User, visit: Visitor, operator: Client
) -> None:
    host = user_of("host")
    Game.objects.filter(pk=game.pk).update(host=host)
    browsers = [visit(), visit(player), visit(officer)]
    for user in (outsider, host):
        browsers.append(Client())
        browsers[-1].force_login(user)
    for client in browsers:
        for answer in (
            client.get(PAGE),
            client.post(PAGE, {"do": "lock out", "kind": "game", "name": game.slug, "reason": WHY}),
        ):
            assert answer.status_code in (302, 403)
            assert game.slug not in answer.content.decode()
    assert not Hold.objects.exists()
    assert operator.get(PAGE).status_code == 200


@pytest.mark.usefixtures("no_midnight_comes")
def test_it_tells_what_each_game_user_and_token_costs(
    game: Game, player: Player, operator: Client
) -> None:
    assert player.user
    token, _ = make_token(player.user, "script")
    usage.note(game.pk, rule="The Meteor", seconds=12.5, entries=3, written=2_000_000)
    with usage.of_a_request() as noted:
        usage.in_game(game.pk)
    usage.end_request(
        noted,
        [usage.Whose(UsageKind.USER, player.user.pk), usage.Whose(UsageKind.TOKEN, token.pk)],
        0.5,
    )
    text = operator.get(PAGE).content.decode()
    for told in (game.slug, player.user.username, f"“script” of {player.user}", "The Meteor", "13"):
        assert told in text
    out = io.StringIO()
    call_command("shares", stdout=out)
    assert game.slug in out.getvalue()
    assert "The Meteor" in out.getvalue()


@pytest.mark.thorough
def test_it_asks_the_same_number_of_queries_however_many_there_are(
    game: Game, player: Player, operator: Client
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert operator.get(PAGE).status_code == 200
        return len(asked)

    usage.note(game.pk, seconds=1)
    operator.get(PAGE)
    few = queries()
    games = [Game.objects.get(pk=game.pk) for _ in range(30)]
    for number, each in enumerate(games):
        each.pk, each.slug = None, f"copy-{number}"
        each.save(force_insert=True)
        usage.note(each.pk, seconds=number)
        holds.hold(What.OUT, UsageKind.GAME, each.pk, each.slug, WHY)
    for number in range(30):
        user = user_of(f"user{number}")
        with usage.of_a_request() as noted:
            pass
        usage.end_request(noted, [usage.Whose(UsageKind.USER, user.pk)], number)
    usage.store()
    assert queries() <= few + 3


def test_a_game_that_is_locked_rests_and_stays_to_read(
    game: Game, player: Player, visit: Visitor, operator: Client
) -> None:
    assert "is locked out." in send(operator, "lock out", "game", game.slug)
    before = Game.objects.get(pk=game.pk).last_entry
    with pytest.raises(Refused, match=WHY):
        take(game.slug, player, "games.take_office", {"office": "Horsened"})
    browser = visit(player)
    answer = browser.post(
        f"/g/{game.slug}/act/games.take_office/", {"office": "Horsened", "key": "a"}
    )
    assert answer.status_code == 409
    assert WHY in answer.content.decode()
    assert browser.get(f"/g/{game.slug}/").status_code == 200
    assert player.user
    _, plain = make_token(player.user, "script")
    api = Client(headers={"Authorization": f"Bearer {plain}"})
    refused = api.post(
        f"/api/v1/games/{game.slug}/actions/games.take_office",
        {"office": "Horsened"},
        content_type="application/json",
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "locked_out")
    assert api.get(f"/api/v1/games/{game.slug}").status_code == 200
    assert Game.objects.get(pk=game.pk).last_entry == before
    assert not Game.objects.filter(goes_on(wall_now()), pk=game.pk).exists()
    assert "is let in." in send(operator, "let in", "game", game.slug)
    take(game.slug, player, "games.take_office", {"office": "Horsened"})


def test_a_user_who_is_locked_out_is_served_nothing_by_any_door(
    game: Game, player: Player, visit: Visitor, operator: Client
) -> None:
    user = player.user
    assert user
    user.set_password("correct horse battery")
    user.save()
    _, plain = make_token(user, "script")
    browser = visit(player)
    assert browser.get("/settings/").status_code == 200
    send(operator, "lock out", "user", user.username)
    for path in ("/", "/settings/", f"/g/{game.slug}/", "/office/", "/api/v1/games"):
        answer = browser.get(path)
        assert answer.status_code == 403, path
        assert WHY in answer.content.decode()
    assert browser.post(f"/g/{game.slug}/act/games.leave/", {"key": "a"}).status_code == 403
    bearer = {"Authorization": f"Bearer {plain}"}
    refused = Client().get("/api/v1/games", headers=bearer)
    assert (refused.status_code, WHY in refused.json()["detail"]) == (403, True)
    fresh = Client()
    signing_in = {"login": user.username, "password": "correct horse battery"}
    answer = fresh.post(reverse("account_login"), signing_in)
    assert answer.status_code == 403
    assert WHY in answer.content.decode()
    assert "_auth_user_id" not in fresh.session
    assert visit().get(f"/g/{game.slug}/").status_code == 200
    send(operator, "let in", "user", user.username)
    assert browser.get("/settings/").status_code == 200


def test_a_token_that_is_locked_out_is_told_so_and_its_user_goes_on(
    game: Game, player: Player, visit: Visitor, operator: Client
) -> None:
    assert player.user
    token, plain = make_token(player.user, "script")
    _, other = make_token(player.user, "another")
    send(operator, "lock out", "token", str(token.pk))
    refused = Client().get("/api/v1/games", headers={"Authorization": f"Bearer {plain}"})
    assert (refused.status_code, WHY in refused.json()["detail"]) == (403, True)
    assert (
        Client().get("/api/v1/games", headers={"Authorization": f"Bearer {other}"}).status_code
        == 200
    )
    assert visit(player).get("/settings/").status_code == 200


def test_who_did_it_when_and_why_stays_to_be_seen(game: Game, operator: Client) -> None:
    send(operator, "lock out", "game", game.slug)
    send(operator, "let in", "game", game.slug)
    found = Hold.objects.get()
    assert (found.by, found.ended_by, found.reason) == ("root", "root", WHY)
    assert found.ended_at
    assert found.at <= found.ended_at
    send(operator, "lock out", "game", game.slug, "Again.")
    assert Hold.objects.filter(ended_at=None).get().reason == "Again."


@pytest.mark.parametrize(
    ("kind", "name", "reason", "told"),
    [
        ("game", "nowhere", WHY, "There is no game"),
        ("user", "nobody", WHY, "There is no user"),
        ("token", "one", WHY, "There is no token"),
        ("token", "9" * 40, WHY, "There is no token"),
        ("user", "root", WHY, "Who operates the site is not locked out"),
        ("rule", "x", WHY, "Say what it is"),
        ("", "", "", "Say what it is"),
        ("game", "{slug}", "  ", "Say why"),
        ("game", "{slug}", "x" * 301, "at most 300 characters"),
        ("game", "a\0b", WHY, "There is no game"),
    ],
)
def test_what_cannot_be_locked_out_is_said(
    kind: str, name: str, reason: str, told: str, game: Game, operator: Client
) -> None:
    name = name.format(slug=game.slug)
    assert told in send(operator, "lock out", kind, name, reason)
    assert not Hold.objects.exists()


@pytest.mark.usefixtures("no_midnight_comes")
def test_what_one_of_them_used_each_day_is_told(game: Game, operator: Client) -> None:
    before = wall_now().date() - timedelta(days=5)
    Used.objects.create(
        day=before,
        kind=UsageKind.GAME,
        number=game.pk,
        microseconds=7_500_000,
        entries=41,
        bytes=8_000,
    )
    usage.note(game.pk, seconds=2, entries=3)
    address = f"?kind=game&amp;name={game.slug}"
    assert address in operator.get(PAGE).content.decode()
    page = operator.get(PAGE, {"kind": "game", "name": game.slug}).content.decode()
    days = tight(page).partition("day by day")[2].partition("</table>")[0]
    rows = [re.findall(r">\s*([^<>]+?)\s*<", row)[:4] for row in days.split("<tr>")[2:]]
    assert len(rows) == 14
    assert rows[0][1:] == ["2.0", "0", "3"]
    assert rows[5] == [f"{before:%a} {before.day} {before:%b}", "7.5", "0", "41"]
    for wrong in ({"kind": "game", "name": "nowhere"}, {"kind": "horse", "name": "x"}):
        assert "day by day" not in operator.get(PAGE, wrong).content.decode()


def test_what_is_held_back_is_let_in_though_it_costs_nothing_today(
    game: Game, player: Player, operator: Client
) -> None:
    assert player.user
    holds.hold(What.OUT, UsageKind.USER, player.user.pk, "The user Murphy", WHY)
    Game.objects.filter(pk=game.pk).update(set_aside="The operator looks at it.")
    page = operator.get(PAGE).content.decode()
    assert re.search("Held back: .*It costs more", page)
    assert "Set aside: The operator looks at it." in page
    assert "is let in." in send(operator, "let in", "user", player.user.username)
    assert "is let in." in send(operator, "let in", "game", game.slug)
    game.refresh_from_db()
    assert not game.set_aside
    assert not Hold.objects.at(wall_now()).exists()
    page = operator.get(PAGE).content.decode()
    assert "Held back now" not in page
    assert "Held back before" in page


@pytest.mark.django_db(transaction=True)
def test_a_game_that_is_set_aside_and_held_by_somebody_is_told_to_be_busy(
    game: Game, operator: Client, wait_for_no_lock: Callable[[Game], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    Game.objects.filter(pk=game.pk).update(set_aside="The operator looks at it.")
    monkeypatch.setattr("nomic.engine.fairness.locks._URGENT", 0.1)
    with wait_for_no_lock(game):
        assert "The game is busy" in send(operator, "let in", "game", game.slug)
        with pytest.raises(CommandError, match="The game is busy"):
            call_command("let-in", "game", game.slug)
    game.refresh_from_db()
    assert game.set_aside


def test_it_is_locked_once_and_let_in_once(game: Game, operator: Client) -> None:
    send(operator, "lock out", "game", game.slug)
    assert "is locked out already" in send(operator, "lock out", "game", game.slug)
    send(operator, "let in", "game", game.slug)
    assert "is not locked out" in send(operator, "let in", "game", game.slug)


def test_the_commands_do_the_same(game: Game, player: Player) -> None:
    call_command("lock-out", "game", game.slug, reason=WHY, stdout=io.StringIO())
    with pytest.raises(Refused, match=WHY):
        take(game.slug, player, "games.take_office", {"office": "Horsened"})
    out = io.StringIO()
    call_command("shares", stdout=out)
    assert WHY in out.getvalue()
    call_command("let-in", "game", game.slug, stdout=io.StringIO())
    take(game.slug, player, "games.take_office", {"office": "Horsened"})
    with pytest.raises(CommandError, match="There is no user"):
        call_command("lock-out", "user", "nobody", reason=WHY)


@pytest.mark.django_db(transaction=True)
def test_no_game_is_waited_for(game: Game, wait_for_no_lock: Callable[[Game], Any]) -> None:
    with wait_for_no_lock(game):
        call_command("lock-out", "game", game.slug, reason=WHY, stdout=io.StringIO())
    assert holds.locked_out(UsageKind.GAME, game.pk)


@pytest.fixture
def wait_for_no_lock() -> Callable[[Game], Any]:
    """Hold the game's row on another connection."""
    from contextlib import contextmanager

    import psycopg

    @contextmanager
    def hold(game: Game) -> Iterator[None]:
        with psycopg.connect(
            **connection.get_connection_params() | {"cursor_factory": None}
        ) as other:
            other.execute("SELECT FROM games_game WHERE id = %s FOR UPDATE", [game.pk])
            yield
            other.rollback()

    return hold


def test_no_sweep_looks_at_a_locked_game_and_it_goes_on_when_it_is_let_in(db: None) -> None:
    game = open_at_real_pace("locked", "agora-races")
    seat(game, "Murphy")
    Game.objects.filter(pk=game.pk).update(wakes_at=wall_now() - timedelta(hours=1))
    holds.hold(What.OUT, UsageKind.GAME, game.pk, game.slug, WHY)
    assert sweep() == 0
    woken = Game.objects.get(pk=game.pk).wakes_at
    holds.release(What.OUT, UsageKind.GAME, game.pk)
    sweep()
    assert Game.objects.get(pk=game.pk).wakes_at != woken


def test_other_processes_know_within_a_second_and_without_the_cache_what_was_known_counts(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(holds, "monotonic", lambda: now[0])
    assert not holds.locked_out(UsageKind.GAME, game.pk)
    holds.hold(What.OUT, UsageKind.GAME, game.pk, game.slug, WHY)
    holds._Memory.holds, holds._Memory.looked = {}, now[0]  # as another process has it
    assert not holds.locked_out(UsageKind.GAME, game.pk)
    now[0] += 1.0
    assert WHY in holds.locked_out(UsageKind.GAME, game.pk)
    cache.delete("nomic:held")
    now[0] += 5.0
    assert WHY in holds.locked_out(UsageKind.GAME, game.pk)
