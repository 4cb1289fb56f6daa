"""The page on which people make tokens for their programs."""

import re
from typing import Any

from nomic.games.models import Player
from nomic.web.models import Token
from nomic.web.tokens import find_token
from tests.kit import Visitor


def test_a_token_is_shown_once_and_works(player: Player, visit: Visitor) -> None:
    client = visit(player)
    page = client.post(
        "/settings/tokens/", {"name": "my bot", "scopes": ["read"], "days": "0"}
    ).content.decode()
    shown = re.search(r"nomic_[\w-]+", page)
    assert shown is not None
    found = find_token(shown[0])
    assert found is not None
    assert found.user == player.user
    again = client.get("/settings/tokens/").content.decode()
    assert "my bot" in again
    assert shown[0] not in again


def test_the_page_with_a_token_is_kept_by_no_cache(player: Player, visit: Visitor) -> None:
    answer = visit(player).post(
        "/settings/tokens/", {"name": "my bot", "scopes": ["read"], "days": "0"}
    )
    assert "no-store" in answer["Cache-Control"]


def test_a_revoked_token_opens_nothing(player: Player, visit: Visitor) -> None:
    client = visit(player)
    page = client.post(
        "/settings/tokens/", {"name": "bot", "scopes": ["read"], "days": "0"}
    ).content.decode()
    shown = re.search(r"nomic_[\w-]+", page)
    assert shown is not None
    number = Token.objects.get().pk
    client.post(f"/settings/tokens/{number}/revoke/")
    assert find_token(shown[0]) is None


def test_nobody_revokes_anothers_token(player: Player, rival: Player, visit: Visitor) -> None:
    visit(player).post("/settings/tokens/", {"name": "bot", "scopes": ["read"], "days": "0"})
    number = Token.objects.get().pk
    assert visit(rival).post(f"/settings/tokens/{number}/revoke/").status_code == 404
    assert Token.objects.get().revoked_at is None


def test_a_token_without_a_name_is_not_made(player: Player, visit: Visitor) -> None:
    answer = visit(player).post("/settings/tokens/", {"name": "", "scopes": ["read"], "days": "0"})
    assert "Fill this in." in answer.content.decode()
    assert not Token.objects.exists()


def test_so_many_tokens_are_had_at_once(player: Player, visit: Visitor, settings: Any) -> None:
    client = visit(player)

    def ask(most: int) -> str:
        settings.BOUNDS = {"tokens": most}
        return client.post(
            "/settings/tokens/", {"name": "bot", "scopes": ["read"], "days": "0"}
        ).content.decode()

    assert all("Revoke one first" not in ask(2) for _ in range(2))
    for most in (2, 1):  # met exactly, and lowered under what is there
        assert f"You have {most} tokens. Revoke one first." in ask(most)
    assert Token.objects.filter(revoked_at=None).count() == 2
    client.post(f"/settings/tokens/{Token.objects.earliest('pk').pk}/revoke/")
    assert "Revoke one first" in ask(1)
    assert "Revoke one first" not in ask(2)
