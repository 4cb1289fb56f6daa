"""What programs send, through the web server that the site runs: it hands on less than was sent."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator

import httpx
import pytest

from nomic.embedded.tests.site import PATIENCE, serving
from nomic.games.models import Game
from nomic.web.api.tests.conftest import V1, Program, fingerprint


@pytest.fixture
def address(transactional_db: None) -> Iterator[str]:
    """A web server on the tests' database, and what streams beside it."""
    with serving() as address:
        yield address


def status_of(address: str, token: str, body: bytes | None = None, **headers: bytes) -> int:
    """What the server answers with; a header's bytes go out as they are."""
    sent = {name.replace("_", "-"): value.decode("latin-1") for name, value in headers.items()}
    request = urllib.request.Request(
        address,
        body,
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **sent},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.thorough
def test_what_it_cannot_read_is_not_taken_for_nothing(
    address: str, bot: Program, game: Game
) -> None:
    acting = f"{address}{V1}/{game.slug}/actions/games.leave"
    before = fingerprint(game)
    for key in ("clé".encode(), b"cl\xe9", b"", b"a\tb", "clé".encode() * 60):
        assert status_of(acting, bot.token, b"{}", Idempotency_Key=key) == 422
    assert fingerprint(game) == before
    for shown in ("Bearer clé".encode(), b""):
        assert status_of(f"{address}{V1}", bot.token, Authorization=shown) == 401
    assert [status_of(acting, bot.token, b"{}", Idempotency_Key=b"k1") for _ in "12"] == [201, 200]


@pytest.mark.thorough
def test_who_follows_a_game_is_told_at_once(address: str, bot: Program, game: Game) -> None:
    shown = {"Authorization": f"Bearer {bot.token}"}
    timeout = httpx.Timeout(PATIENCE)
    with httpx.Client(base_url=address, headers=shown, follow_redirects=True) as client:
        path = f"{V1}/{game.slug}"
        with client.stream("GET", f"{path}/events", timeout=timeout) as stream:
            lines = stream.iter_lines()
            assert "event: begin" in [next(lines) for _ in range(4)]
            said = client.post(f"{path}/actions/games.leave", json={}, timeout=timeout).json()
            heard = next(line for line in lines if line.startswith("data: ") and '"seq"' in line)
            entry = json.loads(heard.removeprefix("data: "))
    assert {**entry, "receipt": said["receipt"]} == said
