"""Other people's programs: let in with a code and PKCE, for their scopes, until their user ends
it."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from oauth2_provider.models import AccessToken, Application, RefreshToken

from nomic.games.models import Game, Player
from nomic.notices.models import Choices
from nomic.web.programs import register
from tests.kit import Visitor, user_of

BACK = "https://bot.example/back"
VERIFIER = "a-verifier-that-is-long-enough-for-the-rfc-7636-abc"
CHALLENGE = (
    base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
)


@pytest.fixture
def program(db: None) -> Application:
    """Somebody's program."""
    return register(user_of("maker"), "Oats watcher", [BACK])


def asked_by(program: Application, **more: str) -> dict[str, str]:
    return {
        "client_id": program.client_id,
        "response_type": "code",
        "redirect_uri": BACK,
        "scope": "read act",
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **more,
    }


def let_in(client: Client, program: Application, **more: str) -> dict[str, list[str]]:
    """What the program is told after its user has said yes."""
    answer = client.post("/oauth/authorize/", {**asked_by(program, **more), "allow": "Allow"})
    assert answer.status_code == 302, answer.content
    assert answer.headers["Location"].startswith(BACK)
    return parse_qs(urlsplit(answer.headers["Location"]).query)


def exchanged(program: Application, code: str, **more: str) -> Any:
    sent = {
        "grant_type": "authorization_code",
        "client_id": program.client_id,
        "redirect_uri": BACK,
        "code": code,
        "code_verifier": VERIFIER,
    }
    return Client().post("/oauth/token/", {**sent, **more})


def acts(token: str, game: Game, action: str = "games.leave") -> int:
    answer = Client().post(
        f"/api/v1/games/{game.slug}/actions/{action}",
        "{}",
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    return answer.status_code


def test_a_program_that_is_let_in_acts_for_its_user_within_its_scopes(
    game: Game, player: Player, program: Application, visit: Visitor
) -> None:
    client = visit(player)
    page = client.get("/oauth/authorize/", asked_by(program))
    assert page.status_code == 200
    text = page.content.decode()
    assert "Let Oats watcher in?" in text
    assert "Act for you in your games" in text
    assert "Run the games that you host" not in text
    assert "https://bot.example" in page.headers["Content-Security-Policy"]
    told = let_in(client, program)
    assert told["state"] == ["xyz"]
    answer = exchanged(program, told["code"][0])
    assert answer.status_code == 200, answer.content
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    access = json.loads(answer.content)
    assert access["scope"] == "read act"
    assert acts(access["access_token"], game, "games.appoint") == 403
    assert acts(access["access_token"], game) == 201
    assert AccessToken.objects.get().token == RefreshToken.objects.get().token == ""
    assert exchanged(program, told["code"][0]).status_code == 400


def test_what_it_asks_for_wrongly_is_told_and_nothing_is_given(
    player: Player, program: Application, visit: Visitor
) -> None:
    client = visit(player)
    for wrong in ({"client_id": "nobody"}, {"redirect_uri": "https://evil.example/"}):
        page = client.get("/oauth/authorize/", asked_by(program, **wrong))
        assert page.status_code == 400
        assert "cannot be let in" in page.content.decode()
    for wrong in (
        {"code_challenge": "", "code_challenge_method": ""},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": ""},
        {"scope": "everything"},
        {"response_type": "token"},
    ):
        answer = client.get("/oauth/authorize/", asked_by(program, **wrong))
        assert "error=" in answer.headers.get("Location", ""), wrong
    assert "error" in let_in(client, program, code_challenge_method="plain")
    code = let_in(client, program)["code"][0]
    assert exchanged(program, code, code_verifier="x" * 50).status_code == 400
    no = client.post("/oauth/authorize/", asked_by(program))
    assert "error=access_denied" in no.headers["Location"]
    assert not AccessToken.objects.exists()
    for grant in ("password", "client_credentials"):
        sent = {"grant_type": grant, "client_id": program.client_id, "username": "a"}
        assert Client().post("/oauth/token/", {**sent, "password": "b"}).status_code in (400, 401)


def test_it_is_told_nothing_that_outlasts_its_access(
    player: Player, program: Application, visit: Visitor
) -> None:
    access = json.loads(exchanged(program, let_in(visit(player), program)["code"][0]).content)
    shown = {"Authorization": f"Bearer {access['access_token']}"}
    address = "/api/v1/notices/settings"
    told = Client().get(address, headers=shown).json()
    assert [told[name] for name in ("webhook", "discord", "webhook_key", "calendar")] == [None] * 4
    for method, path, body in (
        ("PUT", address, '{"webhook": "https://bot.example/"}'),
        ("POST", "/api/v1/notices/renew", '{"what": "key"}'),
    ):
        answer = Client().generic(method, path, body, "application/json", headers=shown)
        assert answer.status_code == 403
    assert not Choices.objects.exists()


def test_its_user_is_asked_each_time(player: Player, program: Application, visit: Visitor) -> None:
    client = visit(player)
    assert exchanged(program, let_in(client, program)["code"][0]).status_code == 200
    again = client.get("/oauth/authorize/", asked_by(program, approval_prompt="auto"))
    assert (again.status_code, "Let Oats watcher in?" in again.text) == (200, True)


def test_its_user_ends_it_and_a_closed_account_too(
    game: Game, player: Player, program: Application, visit: Visitor
) -> None:
    client = visit(player)
    access = json.loads(exchanged(program, let_in(client, program)["code"][0]).content)
    page = client.get("/settings/programs/").content.decode()
    assert "Oats watcher" in page
    renewed = Client().post(
        "/oauth/token/",
        {
            "grant_type": "refresh_token",
            "client_id": program.client_id,
            "refresh_token": access["refresh_token"],
        },
    )
    access = json.loads(renewed.content)
    shown = {"Authorization": f"Bearer {access['access_token']}"}
    assert Client().get("/api/v1/games", headers=shown).status_code == 200
    User.objects.filter(pk=player.user_id).update(is_active=False)
    assert Client().get("/api/v1/games", headers=shown).status_code == 403
    User.objects.filter(pk=player.user_id).update(is_active=True)
    client.post(f"/settings/programs/{program.pk}/withdraw/")
    assert Client().get("/api/v1/games", headers=shown).status_code == 401
    assert not RefreshToken.objects.filter(user=player.user, revoked=None).exists()
    assert "Oats watcher" not in client.get("/settings/programs/").content.decode()


def test_a_new_password_ends_what_was_let_in(
    player: Player, program: Application, visit: Visitor
) -> None:
    assert player.user is not None
    player.user.set_password("old and long enough")
    player.user.save()
    client = visit(player)
    access = json.loads(exchanged(program, let_in(client, program)["code"][0]).content)
    new = {"password1": "new and long enough", "password2": "new and long enough"}
    client.post("/accounts/password/change/", {"oldpassword": "old and long enough", **new})
    shown = {"Authorization": f"Bearer {access['access_token']}"}
    assert Client().get("/api/v1/games", headers=shown).status_code == 401


def test_programs_are_registered_with_addresses_that_are_safe(
    player: Player, rival: Player, visit: Visitor, settings: Any
) -> None:
    client = visit(player)
    for wrong in (
        *("http://bot.example/", "bot.example", "https://bot.example/#x", "myapp://x"),
        *("https://bot.example;sandbox/", "https://nomic.example@bot.example/"),
    ):
        sent = {"name": "Mine", "addresses": wrong}
        assert client.post("/settings/programs/", sent).status_code == 200
    sent = {"name": "Mine", "addresses": "https://bot.example/back\nhttp://localhost:9000/"}
    assert client.post("/settings/programs/", sent).status_code == 302
    own = Application.objects.get()
    assert own.client_id in client.get("/settings/programs/").content.decode()
    settings.BOUNDS = {"programs": 1}
    assert "Remove one first" in client.post("/settings/programs/", sent).content.decode()
    assert visit(rival).post(f"/settings/programs/{own.pk}/remove/").status_code == 404
    client.post(f"/settings/programs/{own.pk}/remove/")
    assert not Application.objects.exists()


def test_nobody_lets_a_program_in_without_signing_in_and_it_finds_its_way(
    program: Application, client: Client
) -> None:
    answer = client.get("/oauth/authorize/", asked_by(program))
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/")
    told = client.get("/.well-known/oauth-authorization-server").json()
    assert told["token_endpoint"] == "http://testserver/oauth/token/"
    assert told["code_challenge_methods_supported"] == ["S256"]
