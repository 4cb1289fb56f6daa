"""A game of many players: each page and each API answer, as one of them and as an onlooker see it.

All of them have a hand in the contest, a bet on the race, a vote on a proposal and a Stockpile on
the isle, written as rows: what as many acts would leave. Each address is asked twice, and the
second counts: a process that has just begun reads its templates first.
"""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from itertools import groupby

from django.conf import settings
from django.db import connection

from aceofspades.tests.stage import crowd, open_the_contest
from bench.figures import Figure
from bench.size import Size
from horses.models import Bet, Race
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.governance.reports import PUBLISH, reports_of
from nomic.operations.setup import new_game
from nomic.web.tests.test_page_bounds import kind
from nomic.web.tests.watchers import Watcher, addresses
from proposals.models import Proposal
from proposals.tests.crowd import vote_many
from settlers.models import Settler
from settlers.rules.isle import RESOURCES
from tests.kit import at_the_table, user_of

NAME = "a game of many"
_BEGINS = datetime(2026, 3, 4, 12, tzinfo=UTC)
_BATCH = 2_000
_PAGE, _ANSWER, _SLOWEST = 150, 100, 500  # kB, kB, ms
_A_FILE = re.compile(r"\.\w+$|/(?:whole|download)/$")
_TOLD = 5  # of the largest and the slowest each

Worst = list[tuple[float, str]]


def measure(size: Size) -> list[Figure]:
    """The largest and the slowest of all pages, and of all answers of the API."""
    settings.API_REQUESTS_A_MINUTE = 0
    settings.ALLOWED_HOSTS = ["testserver"]
    game = _game(size.many)
    pages: list[tuple[str, float, float]] = []
    answers: list[tuple[str, float, float]] = []
    for who, watcher in (
        ("", Watcher.of(game.players.get(name="Murphy"))),
        (" (onlooker)", Watcher()),
    ):
        for address in _where(game):
            found = answers if address.startswith("/api/") else pages
            found.append((address + who, *_asked(watcher, address)))
    with_players = f"of {size.many:,} players"
    return [
        *_worst(f"largest page {with_players}", "kB", [(kb, at) for at, kb, _ in pages], _PAGE),
        *_worst(f"slowest page {with_players}", "ms", [(ms, at) for at, _, ms in pages], _SLOWEST),
        *_worst(
            f"largest answer {with_players}", "kB", [(kb, at) for at, kb, _ in answers], _ANSWER
        ),
        *_worst(f"slowest answer {with_players}", "ms", [(ms, at) for at, _, ms in answers], None),
    ]


def _worst(case: str, unit: str, found: Worst, most: float | None) -> list[Figure]:
    """The worst against its bound, and the next ones to be told."""
    (worst, address), *others = sorted(found, reverse=True)[:_TOLD]
    bounded = Figure(NAME, f"{case}: {address}", unit, worst, most, at_most=most and 1.0)
    return [bounded, *(Figure(NAME, f"{case}, next: {at}", unit, much) for much, at in others)]


def _asked(watcher: Watcher, address: str) -> tuple[float, float]:
    """kB and milliseconds of the second answer."""
    for _ in range(2):
        since = time.perf_counter()
        answer = watcher.get(address)
        body = answer.getvalue()
        took = (time.perf_counter() - since) * 1000
    assert answer.status_code < 500 or address == "/readyz", (address, answer.status_code)
    return len(body) / 1000, took


def _where(game: Game) -> list[str]:
    """The addresses of the game's pages and answers, of those that differ in a number alone the
    first and the last; without the files that one takes along."""
    of_it = f"/{game.slug}/"
    every = (each for each in addresses(game, few=True) if of_it in each)
    found = sorted((each for each in every if not _A_FILE.search(each)), key=kind)
    kinds = (list(each) for _, each in groupby(found, key=kind))
    return [*dict.fromkeys(each for those in kinds for each in (those[0], those[-1]))]


def _game(count: int) -> Game:
    """A game of everything with so many players and one more."""
    game = new_game("many", "demo", pace="manual", start=_BEGINS)[0]
    open_the_contest(game)
    murphy = user_of("Murphy")
    for act in ("games.join", "settlers.join", "aceofspades.join"):
        take(game.slug, murphy, act, {"name": "Murphy"} if act == "games.join" else {})
    sent = {"title": "A subject", "body": "That all may vote on it."}
    take(game.slug, murphy, "proposals.submit", sent)
    players = crowd(Game.objects.get(pk=game.pk), count)
    _play(Game.objects.get(pk=game.pk), players)
    for report in reports_of(game):
        take(game.slug, None, PUBLISH, {"report": report.name})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return Game.objects.get(pk=game.pk)


def _play(game: Game, players: list[Player]) -> None:
    """Let each of them bet, vote and settle."""
    race = Race.objects.filter(game=game).latest("number")
    vote_many([Proposal.objects.get(game=game)], players, game.anchor_game)
    horses = list(race.runners.values_list("name", flat=True))
    with at_the_table(game) as table:
        Bet.objects.bulk_create(
            (
                Bet(race=race, player=each, horse=horses[at % len(horses)], dollaries=1, entry=1)
                for at, each in enumerate(players)
            ),
            batch_size=_BATCH,
        )
        Settler.objects.bulk_create(
            (Settler(game=game, player=each, entry=table.seq) for each in players),
            batch_size=_BATCH,
        )
        for asset in (*RESOURCES, "dollary"):
            table.ledger.create_for_each(game.players.all(), 7, asset, "to begin with")
