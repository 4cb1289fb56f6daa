"""What programs send, through the web server that the site runs: it hands on less than was sent."""

from __future__ import annotations

import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from nomic.embedded.commands import COMMANDS
from nomic.embedded.tests.ports import free_port
from nomic.embedded.tests.site import PATIENCE, readiness, wait_for
from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT, home
from nomic.web.api.tests.conftest import V1, Program, fingerprint


@pytest.fixture
def address(transactional_db: None) -> Iterator[str]:
    """A web server on the tests' database."""
    known = connection.get_connection_params()
    wanted = ("dbname", "user", "password", "host", "port")
    env = {
        **os.environ,
        "DATABASE_URL": make_conninfo(**{name: known[name] for name in wanted if name in known}),
        "PORT": str(free_port()),
        "NOMIC_WEB_WORKERS": "1",
    }
    log = home().folder / "test-web.log"
    with open(log, "wb") as out:
        web = subprocess.Popen(COMMANDS["web"](env), env=env, cwd=ROOT, stdout=out, stderr=out)
    try:
        address = f"http://127.0.0.1:{env['PORT']}"
        wait_for(lambda: readiness(address).get("database"), PATIENCE, log)
        yield address
    finally:
        web.terminate()
        web.wait(PATIENCE)


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
