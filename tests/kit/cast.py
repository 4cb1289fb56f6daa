"""The fixed cast of the tests, and what it takes to let them play. A pytest plugin.

Murphy is the player, Madrid the rival, juan an outsider without a seat, snail holds the office.
"""

import io
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from bench import simulate
from nomic.engine.actions import Action, all_actions
from nomic.engine.outcomes import Receipt
from nomic.engine.programs import running
from nomic.engine.requests import Actor
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Pace, Player
from nomic.infrastructure.logs import Tracebacks
from nomic.operations import setup
from nomic.operations.setup import new_game
from nomic.quotas import holds
from nomic.record.models import Entry, SealedEntry
from nomic.record.writer import Instant, RecordWriter
from proposals.web.preview import preview

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
Take = Callable[..., Receipt]


def user_of(name: str) -> User:
    """The user of that name, made if there is none; nobody signs in as them by password."""
    users = get_user_model().objects
    return users.filter(username=name).first() or users.create_user(name)


def seat(game: Game, name: str) -> Player:
    """Let the user of that name join the game under it."""
    take(game.slug, user_of(name), "games.join", {"name": name})
    return game.players.select_related("holder", "user").get(name=name)


@pytest.fixture(scope="session", autouse=True)
def _dice_fall_alike_each_time() -> Iterator[None]:
    """The dice of a game follow from its slug, and from entries in which no moment is that at which
    the test is run, if its time is moved by hand: a test that passes once passes always."""
    create_game = setup._create_game
    write, seal = RecordWriter.write, RecordWriter.seal

    def with_known_dice(slug: str, *inputs: Any) -> Game:
        key = inputs[-1] or sha256(slug.encode()).digest()
        return create_game(slug, *inputs[:-1], key)  # type: ignore[call-arg]

    def written(writer: RecordWriter, at: Instant, kind: Any, name: str, *told: Any) -> Entry:
        when = at if name == "games.set_pace" else _without_the_day(writer._game, at)
        return write(writer, when, kind, name, *told)

    def sealed(writer: RecordWriter, at: Instant, *told: Any, **more: Any) -> SealedEntry:
        return seal(writer, _without_the_day(writer._game, at), *told, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "_create_game", with_known_dice)
        patch.setattr(RecordWriter, "write", written)
        patch.setattr(RecordWriter, "seal", sealed)
        yield


OWN_DEADLINE = running.LONGEST
"""What the site gives an act's programs, in seconds that go by."""


def pytest_runtest_setup() -> None:
    """Let this process know that nobody is held back: it asks the database for it once, in no test
    that counts queries, and remembers the list of the test before."""
    holds._Memory.holds = {}


@pytest.fixture(scope="session", autouse=True)
def _programs_wait_for_a_slow_machine() -> None:
    """How long goes by with an act's programs says more about the machine than about them; what
    they take of a processor is bounded as it always is."""
    running.LONGEST = 15.0


@pytest.fixture(scope="session", autouse=True)
def _previews_wait_for_a_slow_machine() -> Iterator[None]:
    """However busy the machine is, a preview tries all that it would try on one that is not."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("WHILE_TYPED", "SUBMITTED"):
            patient = replace(getattr(preview, name), seconds=60, longest=60)
            patch.setattr(preview, name, patient)
        yield


@pytest.fixture(scope="session", autouse=True)
def _simulations_know_no_other_tests_actions() -> Iterator[None]:
    """Let simulations know only the site's own actions, so that they play at random the same by
    themselves as in the whole suite, whose modules register actions of their own."""

    def of_the_house() -> list[Action]:
        return [each for each in all_actions() if ".tests." not in type(each).__module__]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulate, "all_actions", of_the_house)
        yield


def _without_the_day(game: Game, at: Instant) -> Any:
    """The instant; if it is now and the game's time stands, with the game's moment on the wall."""
    is_now = abs(wall_now() - at.wall) < timedelta(minutes=1)
    stands = game.pace == Pace.MANUAL and is_now
    return SimpleNamespace(now=at.now, wall=at.now, seq=at.seq) if stands else at


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
    """The lines of this site's log, without those that it keeps out of it."""
    handlers = [
        each
        for each in logging.getLogger().handlers
        if any(isinstance(filtering, Tracebacks) for filtering in each.filters)
    ]
    assert len(handlers) == 1
    handler = handlers[0]
    assert isinstance(handler, logging.StreamHandler)
    written = io.StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)
