"""Programs as the API's tests use it: each with a token, or without."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from nomic.games.models import Game, Player
from nomic.web.tokens import make_token

V1 = "/api/v1/games"


@dataclass
class Program:
    """Somebody's program. `token` is empty for one that has none."""

    game: Game | None = None
    token: str = ""
    client: Client = field(default_factory=Client)

    def get(self, path: str = "", **query: Any) -> HttpResponse:
        """GET an address of the game, or one that begins with a slash."""
        return self.client.get(self._address(path), query, headers=self._headers())

    def sent(self, method: str, path: str, **body: Any) -> HttpResponse:
        """Send a body to an address of the game, or to one that begins with a slash."""
        return self.client.generic(
            method,
            self._address(path),
            json.dumps(body),
            "application/json",
            headers=self._headers(),
        )

    def json(self, path: str = "", **query: Any) -> Any:
        """What an address answers with 200."""
        response = self.get(path, **query)
        assert response.status_code == 200, response.content
        return json.loads(response.content)

    def act(self, action: str, key: str | None = None, /, **inputs: Any) -> HttpResponse:
        """POST an action with these inputs."""
        return self.send(action, json.dumps(inputs), key)

    def try_out(self, action: str, /, **inputs: Any) -> HttpResponse:
        """POST an action with these inputs as a dry run."""
        return self.send(f"{action}?dry_run=1", json.dumps(inputs))

    def send(self, action: str, body: str | bytes, key: str | None = None) -> HttpResponse:
        """POST an action with a body as it is."""
        more = {} if key is None else {"Idempotency-Key": key}
        return self.client.post(
            self._address(f"actions/{action}"),
            body,
            content_type="application/json",
            headers={**self._headers(), **more},
        )

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _address(self, path: str) -> str:
        if path.startswith("/"):
            return path
        assert self.game is not None
        return f"{V1}/{self.game.slug}/{path}".rstrip("/")


ProgramOf = Callable[[User | Player], Program]


@pytest.fixture
def program_of(game: Game) -> ProgramOf:
    """Makes a program, with a new token, for a user or for a player's user."""

    def program_of(who: User | Player) -> Program:
        user = who.user if isinstance(who, Player) else who
        assert user is not None
        return Program(game, make_token(user, "a test's program")[1])

    return program_of


@pytest.fixture
def anybody(game: Game) -> Program:
    """A program without a token."""
    return Program(game)


@pytest.fixture
def bot(program_of: ProgramOf, player: Player) -> Program:
    """The player's program."""
    return program_of(player)


@pytest.fixture
def rival_bot(program_of: ProgramOf, rival: Player) -> Program:
    """The rival's program."""
    return program_of(rival)


def fingerprint(game: Game) -> tuple[Any, ...]:
    """What must be the same after something that changed nothing."""
    now = Game.objects.get(pk=game.pk)
    transfers = now.transfers.count()
    players = tuple(now.players.order_by("pk").values_list("name", "active", "left_at"))
    offices = tuple(now.offices.order_by("pk").values_list("name", "holder__name"))
    texts = tuple(now.rules.order_by("pk").values_list("title", "version", "repealed_in"))
    books = (now.record_head, now.sealed_head, now.last_entry, now.sealed_count)
    return (*books, now.anchor_game, now.paused_at, transfers, players, offices, texts)
