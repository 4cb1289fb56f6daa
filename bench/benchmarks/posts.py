"""An action's POST through the web server, against the least that a view can do."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.db import connection

from bench import cast, floor, scratch
from bench.figures import Figure, median, percentile
from bench.load import Load, post, send
from bench.size import Size
from nomic.engine.take import take

NAME = "an action's POST"
_TARGET = 2.0
_IN_ONE = 0.6  # of the acts a second that many games take
_THREADS = "64"  # of each web process, so that even one alone may serve all clients
_ACTION = "horses.bet"
_FORM = {"horse": "Alexia", "dollaries": "1", "back": "/"}
_PLAYERS = 32
_LAST = 'INSERT INTO "record_entry"'  # statement of an act


class _Undone(Exception):
    """All that was wanted of an act is seen, and it is not to be kept."""


class Refusing(AssertionError):
    """The server did not answer as it should; the text has the first such answer."""


def measure(size: Size) -> list[Figure]:
    """Rounds of the floor's posts and of bets by turns, so that both meet the same machine."""
    floor.lay()
    people = cast.users(max(_PLAYERS, size.crowd))
    cookies = [cast.session(user) for user in people]
    template = cast.races("posts")
    cast.seat(template, people[:_PLAYERS])
    games = [template, *cast.copies(template, size.post_games - 1)]
    crowd = cast.races("crowd")
    cast.seat(crowd, people[: size.crowd])
    # One after another different people bet in different games, as on a site with many of them.
    bets = [
        a_bet(games[(turn + place) % len(games)].slug, cookie)
        for turn in range(len(games))
        for place, cookie in enumerate(cookies[:_PLAYERS])
    ]
    with scratch.web() as port:
        _send(port, [bets.pop() for _ in range(size.warm_up)], 8)
        figures = _by_clients(port, size, cookies, bets)
        figures.append(_statements_alone(port, size, cookies))
    # One game may hold half of a process's threads: here there are enough for all who act in it.
    with scratch.web(NOMIC_WEB_THREADS=_THREADS) as port:
        _send(port, [bets.pop() for _ in range(size.warm_up)], 8)
        queue = [a_bet(crowd.slug, cookie) for cookie in cookies]
        return figures + _in_one_game(port, size, queue, bets)


def _by_clients(port: int, size: Size, cookies: list[str], bets: list[bytes]) -> list[Figure]:
    figures = []
    for clients, count in size.posts.items():
        acts, plain = Load(), Load()
        for _ in range(size.rounds):
            plain.add(_send(port, _floor_posts(cookies, count), clients))
            acts.add(_send(port, [bets.pop() for _ in range(count)], clients))
        figures += _figures(f"{clients} client{'s' * (clients > 1)}", acts, plain)
    return figures


def _statements_alone(port: int, size: Size, cookies: list[str]) -> Figure:
    """A view that sends what a bet sends and does nothing else of it, against the floor."""
    floor.keep(said := _statements_of_a_bet())
    alone, plain, count = Load(), Load(), size.posts[1]
    _send(port, _floor_posts(cookies, size.warm_up, "statements"), 1)
    for _ in range(size.rounds):
        plain.add(_send(port, _floor_posts(cookies, count), 1))
        alone.add(_send(port, _floor_posts(cookies, count, "statements"), 1))
    case = f"the {len(said)} statements of a bet alone, 1 client, p50"
    return Figure(NAME, case, "ms", median(alone.took), median(plain.took))


def _figures(case: str, acts: Load, plain: Load) -> list[Figure]:
    rates = [len(load.took) / load.seconds for load in (acts, plain)]
    return [
        Figure(NAME, f"{case}, p50", "ms", median(acts.took), median(plain.took), at_most=_TARGET),
        Figure(NAME, f"{case}, p99", "ms", percentile(acts.took, 99), percentile(plain.took, 99)),
        Figure(NAME, case, "a second", *rates),
    ]


def _in_one_game(port: int, size: Size, queue: list[bytes], bets: list[bytes]) -> list[Figure]:
    """All clients act in one game and queue for its lock, against as many acts in many games.

    On a slow machine the site may put off some of them: they act again, as people would, with the
    same keys, and what that takes counts.
    """
    clients, one, many = max(size.posts), Load(), Load()
    a_turn = len(queue) // size.rounds
    for _ in range(size.rounds):
        many.add(_send(port, [bets.pop() for _ in range(a_turn)], clients))
        waiting = [queue.pop() for _ in range(a_turn)]
        while waiting:
            one.add(load := _send(port, waiting, clients, may_put_off=True))
            waiting = load.put_off
    case = f"{clients} clients in one game"
    rates = [len(load.took) / load.seconds for load in (one, many)]
    return [
        Figure(NAME, f"{case}, put off for a moment", "acts", len(one.put_off)),
        Figure(NAME, f"{case}, p50", "ms", median(one.took), median(many.took)),
        Figure(NAME, f"{case}, p99", "ms", percentile(one.took, 99), percentile(many.took, 99)),
        Figure(NAME, f"{case}, against many", "a second", *rates, at_least=_IN_ONE),
    ]


def a_bet(slug: str, cookie: str) -> bytes:
    """A browser's POST of a bet in that game."""
    # Nobody bets twice a week in one game, so cookie and slug make the key.
    return post(f"/g/{slug}/act/{_ACTION}/", cookie, {**_FORM, "key": f"{cookie[:8]}-{slug}"})


def _statements_of_a_bet() -> list[tuple[str, Any]]:
    """What one bet sends in its transaction, undone, so that it may be sent again."""
    said: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, values: Any, *more: Any) -> Any:
        answer = execute(sql, values, *more)
        said.append((sql, values))

        if _LAST in sql:
            raise _Undone
        return answer

    game = cast.races("statements")
    cast.seat(game, 2)
    first, second = game.players.order_by("pk")[:2]
    form = {key: _FORM[key] for key in ("horse", "dollaries")}
    take(game.slug, first, _ACTION, form)  # reads what a process reads once
    with suppress(_Undone), connection.execute_wrapper(note):
        take(game.slug, second, _ACTION, form)
    return said


def _floor_posts(cookies: list[str], count: int, view: str = "floor") -> list[bytes]:
    return [
        post(f"/bench/{view}/", cookies[row % len(cookies)], {"row": str(row), "what": "bet"})
        for row in range(count)
    ]


def _send(port: int, requests: list[bytes], clients: int, *, may_put_off: bool = False) -> Load:
    load = send(port, requests, clients)
    if set(load.statuses) - ({200, 503} if may_put_off else {200}):
        raise Refusing(f"{dict(load.statuses)}: {load.sample[:2000]}")
    return load
