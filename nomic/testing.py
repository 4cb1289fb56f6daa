"""The fixed cast of the tests, and what it takes to let them play and race. A pytest plugin.

Murphy is the player, Madrid the rival, juan an outsider without a seat, snail holds the office.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from threading import Barrier, Thread
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q
from hypothesis import settings

from nomic.engine.outcomes import Busy, Outcome, Receipt
from nomic.engine.subgames import in_play
from nomic.engine.table import Table, locked_game
from nomic.engine.take import Actor, take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.logs import NoRows
from nomic.operations import setup
from nomic.operations.setup import new_game
from nomic.record.models import Kind

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
Take = Callable[..., Receipt]


def examples(most: int) -> int:
    """How many examples Hypothesis tries: `most` where slow tests are asked for, else a fifth."""
    return max(most * settings().max_examples // 100, min(most, 5))


def user_of(name: str) -> User:
    """The user of that name, made if there is none; nobody signs in as them by password."""
    users = get_user_model().objects
    return users.filter(username=name).first() or users.create_user(name)


def seat(game: Game, name: str) -> Player:
    """Let the user of that name join the game under it."""
    take(game.slug, user_of(name), "games.join", {"name": name})
    return game.players.select_related("holder", "user").get(name=name)


@contextmanager
def an_earlier_version() -> Iterator[None]:
    """What is begun and done within is recorded as before games' settings told of their offices and
    readings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nomic.operations.setup._settings", lambda preset, *_: dict(preset.settings))
        patch.setattr("nomic.standard.powers.has_powers", lambda game: True)
        yield


@pytest.fixture(scope="session", autouse=True)
def _dice_fall_alike_each_time() -> Iterator[None]:
    """The dice of a game follow from its slug: a test that passes once passes always."""
    begun = setup._begun

    def with_known_dice(slug: str, *inputs: Any) -> Game:
        key = inputs[-1] or sha256(slug.encode()).digest()
        return begun(slug, *inputs[:-1], key)  # type: ignore[call-arg]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "_begun", with_known_dice)
        yield


def open_at_real_pace(slug: str, preset: str, **more: Any) -> Game:
    """A game at real pace with open offices: as an old record may have it; none begins so now."""
    settings = setup._settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "_settings", lambda preset, pace, _: settings(preset, pace, "open"))
        return new_game(slug, preset, pace="real", **more)[0]


@contextmanager
def at_the_table(game: Game) -> Iterator[Table]:
    """The locked table of the game; what the block does to it is one entry of the record."""
    with locked_game(Q(pk=game.pk)) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        yield table
        table.write(Kind.SYSTEM, "testing.prepare", None, {}, Outcome("The stage is set."))


def put_in_office(game: Game, office: str, player: Player | None) -> None:
    """Let that player hold the office from now on, or nobody: as an entry of an old record may have
    it, at a time at which nobody can come to it any more."""
    with at_the_table(game) as table:
        table.game.offices.filter(name=office).update(holder=player)
        table.forget_directory()
        for subgame in in_play(game):
            subgame.office_changed(table, office)


def all_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Begin all calls at one moment, each on a connection of its own.

    Returns what each gave back, or the exception that it raised.
    """
    ready = Barrier(len(calls))
    ends: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        try:
            connection.ensure_connection()
            ready.wait(20)
            ends[place] = call()
        except Exception as error:
            ends[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return ends


def again_while_busy[Result](act: Callable[[], Result]) -> Callable[[], Result]:
    """The same act, tried again where the game is busy, as its sentence asks for."""

    def persist() -> Result:
        for _ in range(20):
            with suppress(Busy):
                return act()
        return act()

    return persist


def take_away_the_lock(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let `take` see games without their lock, and let so many see them before anybody acts."""
    all_have_seen = Barrier(count)

    @contextmanager
    def unlocked(which: Q, *, skip_locked: bool = False) -> Iterator[Game | None]:
        with transaction.atomic(durable=True):
            game = Game.objects.filter(which).first()
            all_have_seen.wait(20)
            yield game

    monkeypatch.setattr("nomic.engine.take.locked_game", unlocked)


@pytest.fixture
def preset() -> str:
    """The kind of game that is played; a test module may choose another."""
    return "agora-races"


@pytest.fixture
def begins() -> datetime:
    """The game moment at which the game begins: a Wednesday noon."""
    return WEDNESDAY


@pytest.fixture
def game(db: None, preset: str, begins: datetime) -> Game:
    """A game whose time moves only when the test moves it."""
    return new_game("table", preset, pace="manual", start=begins)[0]


@pytest.fixture
def act(game: Game) -> Take:
    """`take` in this game: act(actor, name, **inputs), with `key` apart."""

    def act(actor: Actor, name: str, /, key: str = "", **inputs: Any) -> Receipt:
        return take(game.slug, actor, name, inputs, key)

    return act


@pytest.fixture
def player(game: Game) -> Player:
    return seat(game, "Murphy")


@pytest.fixture
def rival(game: Game) -> Player:
    return seat(game, "Madrid")


@pytest.fixture
def officer(game: Game) -> Player:
    """The one who holds the game's first office."""
    snail = seat(game, "snail")
    office = game.offices.earliest("pk")
    take(game.slug, snail, "games.take_office", {"office": office.name})
    return snail


@pytest.fixture
def outsider(game: Game) -> User:
    """Somebody who has signed in and has no seat in the game."""
    return user_of("juan")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What this site writes into its log, with all that it keeps out of it."""
    handlers = [each for each in logging.getLogger().handlers if _keeps_rows_out(each)]
    assert len(handlers) == 1
    handler = handlers[0]
    assert isinstance(handler, logging.StreamHandler)
    written = io.StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


def _keeps_rows_out(handler: logging.Handler) -> bool:
    return any(isinstance(each, NoRows) for each in handler.filters)
