"""A page over a short record and over a long one."""

from __future__ import annotations

import time

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench import cast
from bench.figures import Figure, median
from bench.size import Size
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.record.chain import entry_hash
from nomic.record.models import Entry, EntryKind

NAME = "a page over a long record"
_TARGET = 1.3
_A_BATCH = 200  # entries: each touches the game's row, which one transaction keeps all versions of
_PAGES = {
    "ten old entries of the record": "/g/{}/record/?before=11",
    "the newest entries of the record": "/g/{}/record/",
    "the game's home": "/g/{}/",
    "the races, that rest": "/g/{}/horses/",
    "a search for what many entries say": "/g/{}/search/?q=dollary",
    "own receipts": "/g/{}/receipts/",
}
_LENGTHEN = {  # until the record fills a page
    "the newest entries of the record",
    "a search for what many entries say",
    "own receipts",
}
_RACED = 10  # entries; what came after them is of other parts of the game
_LATER = (
    "proposals.vote",
    "proposals.comment",
    "proposals.vote",
    "proposals.submit",
    "games.leave",
)


def measure(size: Size) -> list[Figure]:
    """Each page of each game by turns; the middle time, and how many queries."""
    reader = User.objects.create_user("reader")
    client = Client(headers={"host": "localhost"})
    client.cookies["sessionid"] = cast.session(reader)
    games = {entries: _game(entries, reader) for entries in size.entries}
    figures = []
    for page, path in _PAGES.items():
        took: dict[int, list[float]] = {entries: [] for entries in games}
        for game in games.values():
            _read(client, path.format(game.slug))
        for _ in range(size.views):
            for entries, game in games.items():
                took[entries].append(_read(client, path.format(game.slug)))
        shortest, longest = min(games), max(games)
        figures += _times(page, {entries: median(each) for entries, each in took.items()})
        queries = [_queries(client, path.format(games[n].slug)) for n in (longest, shortest)]
        case = f"{page}, queries at {longest:,}, against {shortest:,}"
        figures.append(Figure(NAME, case, "queries", *queries, at_most=1.0))
    return [*figures, *_homes(size, reader)]


def _homes(size: Size, reader: User) -> list[Figure]:
    """What this process itself works for the home of a game of all four subgames: for somebody who
    looks on, and for a player who has something everywhere."""
    game = new_game("homes", "demo", pace="manual", start=cast.SUNDAY)[0]
    for action in ("games.join", "settlers.join", "aceofspades.join"):
        take(game.slug, reader, action, {"name": "reader"} if action == "games.join" else {})
    player, onlooker = (Client(headers={"host": "localhost"}) for _ in range(2))
    player.cookies["sessionid"] = cast.session(reader)
    figures = []
    for who, client, bound in (("an onlooker", onlooker, 25.0), ("a player", player, 40.0)):
        _read(client, f"/g/{game.slug}/")
        since = time.process_time()
        for _ in range(size.views):
            _read(client, f"/g/{game.slug}/")
        each = (time.process_time() - since) * 1000 / size.views
        case = f"the home of all four, {who}, processor time"
        figures.append(Figure(NAME, case, "ms", each, bound, at_most=1.0))
    return figures


def _times(page: str, took: dict[int, float]) -> list[Figure]:
    """Each beside the shortest record's; a page that fills up first, beside the first full one."""
    base, *more = list(took)[1:] if page in _LENGTHEN else list(took)
    told = [n for n in took if n not in more]
    return [Figure(NAME, f"{page}, {n:,} in it", "ms", took[n]) for n in told] + [
        Figure(
            NAME,
            f"{page}, {n:,} in it, against {base:,}",
            "ms",
            took[n],
            took[base],
            at_most=_TARGET,
        )
        for n in more
    ]


def _read(client: Client, path: str) -> float:
    """Milliseconds of one view."""
    since = time.perf_counter()
    answer = client.get(path)
    took = (time.perf_counter() - since) * 1000
    assert answer.status_code == 200, (path, answer.status_code)
    return took


def _queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    return len(captured)


def _game(entries: int, reader: User) -> Game:
    """A game in which the reader has a seat, with that many entries in its record."""
    game = cast.races(f"reading-{entries}")
    cast.seat(game, [reader])
    actor = game.players.get()
    while game.last_entry < entries:
        with transaction.atomic():
            many = min(_A_BATCH, entries - game.last_entry)
            Entry.objects.bulk_create([_entry(game, actor) for _ in range(many)])
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE record_entry, games_game")
    return game


def _entry(game: Game, actor: Player) -> Entry:
    """The next entry of the record; `game` goes along, as the database's row will."""
    seq = game.last_entry + 1
    entry = Entry(
        game=game,
        seq=seq,
        at=game.last_at,
        recorded_at=wall_now(),
        kind=EntryKind.ACTION,
        name="horses.bet" if seq <= _RACED else _LATER[seq % len(_LATER)],
        actor=actor,
        actor_name=actor.name,
        inputs={"horse": "Alexia", "dollaries": 1, "via_alexia": False},
        text=f"{actor} bets 1 dollary on Alexia.",
        rule="Weekly Race Actions",
        prev_hash=game.record_head,
    )
    entry.hash = entry_hash(entry)
    game.last_entry, game.record_head = entry.seq, entry.hash
    return entry
