"""Tokens: made once, kept as digests, counted, revoked."""

import io
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django_redis.cache import RedisCache

from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.web.api.tests.conftest import V1, Program
from nomic.web.models import Token
from nomic.web.tokens import find_token, make_token, revoke
from tests.kit import user_of


@pytest.fixture
def murphy(db: None) -> User:
    return user_of("Murphy")


def test_a_token_is_found_by_its_plain_text_only(murphy: User) -> None:
    token, plain = make_token(murphy, "  my bot  ")
    assert find_token(plain) == token
    assert token.name == "my bot"
    assert find_token(token.digest) is None
    assert find_token(plain + "x") is None
    assert find_token("x" * 10_000) is None


def test_nothing_of_the_plain_text_is_kept(murphy: User) -> None:
    _, plain = make_token(murphy, "bot")
    secret = plain.removeprefix("nomic_")
    row = Token.objects.values().get()
    assert not any(secret[:8] in str(value) for value in row.values())
    assert len(secret) >= 43


def test_a_long_name_is_cut_and_a_missing_one_made_up(murphy: User) -> None:
    assert len(make_token(murphy, "x" * 500)[0].name) == 60
    assert make_token(murphy, "  ")[0].name == "token"


def test_a_revoked_token_is_not_found_and_stays_to_be_seen(murphy: User) -> None:
    token, plain = make_token(murphy, "bot")
    revoke(token)
    first = token.revoked_at
    revoke(token)
    assert find_token(plain) is None
    assert Token.objects.get().revoked_at == first


def test_its_last_use_is_kept_to_the_minute(bot: Program) -> None:
    def last_used() -> object:
        return Token.objects.get().last_used_at

    assert last_used() is None
    bot.get("record")
    first = last_used()
    assert first is not None
    bot.get("record")
    assert last_used() == first
    with time_machine.travel(wall_now() + timedelta(seconds=61)):
        bot.get("record")
    assert last_used() != first


def test_the_command_prints_a_token_that_works(murphy: User) -> None:
    printed = io.StringIO()
    call_command("token", "Murphy", "--name", "laptop", stdout=printed)
    token = find_token(printed.getvalue().strip())
    assert token is not None
    assert (token.user, token.name) == (murphy, "laptop")


def test_the_command_knows_who_there_is(db: None) -> None:
    with pytest.raises(CommandError, match="no user “nobody”"):
        call_command("token", "nobody")


@pytest.fixture
def three_a_minute(settings: object) -> None:
    settings.API_REQUESTS_A_MINUTE = 3  # type: ignore[attr-defined]


def test_a_token_that_asks_too_often_is_told_to_wait(
    bot: Program, rival_bot: Program, anybody: Program, three_a_minute: None
) -> None:
    with time_machine.travel("2026-03-04T12:00:20Z", tick=False):
        assert [bot.get("record").status_code for _ in range(4)] == [200, 200, 200, 429]
        refused = bot.act("games.leave")
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "40"
        assert rival_bot.get("record").status_code == 200
        assert anybody.get("record").status_code == 200
    with time_machine.travel("2026-03-04T12:01:00Z", tick=False):
        assert bot.get("record").status_code == 200


def test_an_address_without_a_token_has_the_same_limit(
    game: Game, anybody: Program, bot: Program, three_a_minute: None
) -> None:
    elsewhere: dict[str, Any] = {"REMOTE_ADDR": "203.0.113.9"}
    with time_machine.travel("2026-03-04T12:00:20Z", tick=False):
        assert [anybody.get("record").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert "asked too often" in anybody.get("record").json()["detail"]
        assert anybody.client.get(f"{V1}/{game.slug}/record", **elsewhere).status_code == 200
        assert bot.get("record").status_code == 200


def test_whoever_shows_no_good_token_is_counted_by_their_address(
    bot: Program, player: Player, three_a_minute: None
) -> None:
    assert player.user is not None
    guess, reader = Program(bot.game, "nomic_guess"), with_scopes(bot, player.user, "read")
    with time_machine.travel("2026-03-04T12:00:20Z", tick=False):
        answers = [guess.get("record"), reader.act("games.leave"), guess.get("record")]
        assert [answer.status_code for answer in answers] == [401, 403, 401]
        assert answers[0].headers["RateLimit"] == '"requests";r=2;t=40'
        for refused in (guess.get("record"), guess.act("games.leave")):
            assert (refused.status_code, refused.headers["Retry-After"]) == (429, "40")
        assert bot.get("record").status_code == 200


def test_a_browser_is_counted_by_its_account(
    client: Client, murphy: User, game: Game, anybody: Program, three_a_minute: None
) -> None:
    client.force_login(murphy)
    with time_machine.travel("2026-03-04T12:00:20Z", tick=False):
        found = [client.get(f"{V1}/{game.slug}/record").status_code for _ in range(4)]
        assert found == [200, 200, 200, 429]
        assert anybody.get("record").status_code == 200


def test_a_dead_cache_holds_nobody_up(bot: Program, three_a_minute: None) -> None:
    with (
        patch.object(RedisCache, "add", return_value=None),
        patch.object(RedisCache, "incr", return_value=None),
    ):
        assert [bot.get("record").status_code for _ in range(5)] == [200] * 5


def test_a_cache_that_forgets_holds_nobody_up(bot: Program, three_a_minute: None) -> None:
    with patch.object(RedisCache, "add", return_value=None):
        cache.clear()
        assert [bot.get("record").status_code for _ in range(5)] == [200] * 5


def with_scopes(bot: Program, user: User, *scopes: str) -> Program:
    """That program with a token for these alone."""
    return Program(bot.game, make_token(user, "scoped", scopes)[1])


def test_a_token_does_what_its_scopes_say_and_is_told_what_it_lacks(
    bot: Program, player: Player
) -> None:
    assert player.user is not None
    for scopes, reads, acts in (
        (["read"], 200, 403),
        (["act"], 403, 201),
        ([], 403, 403),
        (["office", "host"], 403, 403),
    ):
        program = with_scopes(bot, player.user, *scopes)
        assert program.get("record").status_code == reads
        answer = (
            program.act("games.join", name="Murphy") if acts == 403 else program.act("games.leave")
        )
        assert answer.status_code == acts
        if acts == 403:
            challenge = answer.headers["WWW-Authenticate"]
            assert challenge.endswith('error="insufficient_scope", scope="act"')
            assert "“act”" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("action", "scope"), [("games.appoint", "host"), ("games.pause", "office")]
)
def test_offices_and_hosts_acts_need_scopes_of_their_own(
    bot: Program, player: Player, action: str, scope: str
) -> None:
    assert player.user is not None
    refused = with_scopes(bot, player.user, "read", "act").act(action)
    assert refused.status_code == 403
    assert f'scope="{scope}"' in refused.headers["WWW-Authenticate"]
    assert with_scopes(bot, player.user, scope).act(action).status_code != 403


def test_a_token_ends_at_its_moment(bot: Program, player: Player) -> None:
    assert player.user is not None
    end = wall_now() + timedelta(days=1)
    program = Program(bot.game, make_token(player.user, "for a day", ["read"], end)[1])
    assert program.get("record").status_code == 200
    with time_machine.travel(end):
        ended = program.get("record")
    assert ended.status_code == 401
    assert "was good until" in ended.json()["detail"]


def test_scopes_and_days_are_chosen_on_the_page(client: Client, murphy: User) -> None:
    client.force_login(murphy)
    sent = {"name": "reader", "scopes": ["read"], "days": "30"}
    page = client.post("/settings/tokens/", sent).content.decode()
    token = Token.objects.get()
    assert token.scopes == ["read"]
    assert token.expires_at is not None
    assert timedelta(days=29) < token.expires_at - wall_now() < timedelta(days=31)
    assert "See what you see" in page
    refused = client.post("/settings/tokens/", {"name": "nothing", "days": "30"})
    assert "opens nothing" in refused.content.decode()
    assert Token.objects.count() == 1


def test_what_a_rule_lets_an_office_announce_needs_its_scope(
    bot: Program, game: Game, player: Player
) -> None:
    """Such acts are there in one game alone, and only its table tells whose they are."""
    assert player.user is not None
    head = "| Act | Who | How | Days | Within | Done by |\n| --- | --- | --- | --- | --- | --- |\n"
    text = f"{head}| Correct the ledger | officers | without objection | 4 | | |\n"
    rule = game.rules.latest("pk").title
    take(game.slug, None, "rulebook.amend", {"rule": rule, "text": text, "reason": "a test"})
    refused = with_scopes(bot, player.user, "act").act("announce.ledger.correct")
    assert refused.status_code == 403, refused.content
    assert 'scope="office"' in refused.headers["WWW-Authenticate"]
    for scope in ("office", "act"):
        gone = with_scopes(bot, player.user, scope).act("announce.nothing")
        assert gone.status_code == 404
    judged = with_scopes(bot, player.user, "office").act("announce.ledger.correct")
    assert judged.status_code == 409
