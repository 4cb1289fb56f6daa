"""The preview of a long proposal while somebody types: the whole request, as a browser sends it.

Every request has another text, as it is when somebody writes, so nothing is answered from memory
that would not be for them. Beside it stands what reading the text alone costs, and how long the
game was locked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench import cast
from bench.figures import Figure, median
from bench.size import Size
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.rulebook.changes.reading import read_changes
from proposals.web.preview import preview as room
from tests.kit import at_the_table

NAME = "a preview while typing"
_BEGINS = datetime(2026, 3, 4, 12, tzinfo=UTC)
_LENGTH = 100_000  # characters
_SHIPPED = 9
_VIEWS = 15
_WORDS = "The spoons of the players are silver, and they shine where they stand. "


def measure(size: Size) -> list[Figure]:
    """Each kind of text at each size of rulebook: the request, the reading alone, the lock."""
    figures: list[Figure] = []
    for rules in size.rules:
        game, client = _game(rules)
        for name, text in _TEXTS.items():
            figures += _measured(
                game, client, f"{name}, {rules} rules", text(rules), min(size.views, _VIEWS)
            )
    return figures


def _game(rules: int) -> tuple[Game, Client]:
    game = new_game(f"preview-{rules}", "agora", pace="manual", start=_BEGINS)[0]
    writer = User.objects.create_user(f"writer{rules}")
    cast.seat(game, [writer])
    with at_the_table(game) as table:
        _enact(table, rules - _SHIPPED)
    client = Client(headers={"host": "localhost", "HX-Request": "true"})
    client.cookies["sessionid"] = cast.session(writer)
    return game, client


def _enact(table: Table, rules: int) -> None:
    for number in range(rules):
        table.rules.enact(f"Rule of the {number}th spoon", f"Spoon {number}.\n" + _WORDS * 20)


def _measured(game: Game, client: Client, case: str, text: str, views: int) -> list[Figure]:
    request: list[float] = []
    reading: list[float] = []
    locked: list[float] = []
    worked: list[float] = []
    keys = count(1)

    def typed() -> str:
        return f"{text}Spoon {next(keys)}."

    _ask(client, game, typed())
    with _the_lock_timed(locked):
        for _ in range(views):
            body, since = typed(), time.process_time()
            request.append(_milliseconds(lambda body=body: _ask(client, game, body)))
            worked.append((time.process_time() - since) * 1000)
            reading.append(_milliseconds(lambda body=body: read_changes(body)))
    with CaptureQueriesContext(connection) as asked:
        _ask(client, game, typed())
    case = f"{case}, {len(text) // 1000} kB, {len(read_changes(text).changes)} changes"
    return [
        Figure(
            NAME, f"{case}, p50, against reading the text", "ms", median(request), median(reading)
        ),
        Figure(NAME, f"{case}, of it this process's own work, p50", "ms", median(worked)),
        Figure(NAME, f"{case}, the slowest", "ms", max(request)),
        Figure(NAME, f"{case}, the game locked, p50", "ms", median(locked)),
        Figure(NAME, f"{case}, queries", "queries", len(asked)),
    ]


def _ask(client: Client, game: Game, body: str) -> None:
    sent = {"title": "Spoons", "body": body, "key": "the-key-of-it", "window": "the-window"}
    answer = client.post(f"/g/{game.slug}/proposals/preview/", sent)
    if answer.status_code != 200 or b'class="effect' not in answer.content:
        raise RuntimeError(f"{answer.status_code}: {answer.content.decode()[:500]}")


def _milliseconds(work: Callable[[], object]) -> float:
    since = time.perf_counter()
    work()
    return (time.perf_counter() - since) * 1000


@contextmanager
def _the_lock_timed(took: list[float]) -> Iterator[None]:
    """Note for how long each preview holds the game."""
    imagined = room.imagined

    @contextmanager
    def timed(game: Game, **limits: Any) -> Iterator[Table]:
        since = time.perf_counter()
        with imagined(game, **limits) as table:
            yield table
        took.append((time.perf_counter() - since) * 1000)

    room.imagined = timed
    try:
        yield
    finally:
        room.imagined = imagined


# What is written


def _long_rules(rules: int) -> str:
    """Ten new rules of ten thousand characters."""
    return _enactments(10)


def _a_hundred_rules(rules: int) -> str:
    """A hundred new rules of a thousand characters."""
    return _enactments(100)


def _enactments(number: int) -> str:
    words = _WORDS * (_LENGTH // number // len(_WORDS) + 1)
    return "".join(
        f"Enact a new rule titled “Fork {each}” with the following text:\n"
        f"{{\n{words[: _LENGTH // number - 70]}\n}}\n"
        for each in range(number)
    )


def _amendments(rules: int) -> str:
    """Another text for each of so many rules as there are, up to a hundred."""
    changed = min(rules - _SHIPPED, 100)
    words = (_WORDS * (_LENGTH // changed // len(_WORDS) + 1))[: _LENGTH // changed - 100]
    return "".join(
        f"Replace the text of the rule “Rule of the {each}th spoon” with:\n{{\n{words}\n}}\n"
        for each in range(changed)
    )


def _gifts(rules: int) -> str:
    """A hundred gifts and long comments."""
    words = _WORDS * (_LENGTH // 100 // len(_WORDS))
    return "".join(f"[{words}]\n\nGive each player {each} hooves.\n\n" for each in range(1, 101))


_TEXTS: dict[str, Callable[[int], str]] = {
    "long new rules": _long_rules,
    "many new rules": _a_hundred_rules,
    "new texts of rules": _amendments,
    "gifts among prose": _gifts,
}
