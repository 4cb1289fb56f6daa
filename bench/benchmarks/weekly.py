"""The weekly run, kept by `catch_up`, against the bare SQL that gives each player a hoof.

The bare tables have the shape, the keys, the indexes and the checks of the ledger's, and no
trigger. Also the end of a race, where every player has a bet.
"""

from __future__ import annotations

import time
from typing import Any

from django.db import connection, transaction

from bench import cast
from bench.figures import Figure, median
from bench.size import Size
from horses.models import Bet, Race, Runner
from nomic.engine.catch_up import catch_up
from nomic.engine.models import AppointmentStatus
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.ledger.models import Asset
from tests.kit import at_the_table

NAME, END = "the weekly run", "the end of a race"
_AT_MOST, _AT_MOST_OF_FEW = 1.5, 4.0
_FEW = 10  # players, where what one event takes by itself is most of it
_RUN = "horses.run"
_WEEKS = 6  # psycopg prepares a statement that it has sent five times
Counted = tuple[float, int]


def measure(size: Size) -> list[Figure]:
    """At each number of players: runs and bare SQL by turns, then one race's end."""
    _lay()
    runs: dict[int, Counted] = {}
    ends: dict[int, Counted] = {}
    figures = []
    _warm_up()
    for players in size.players:
        game = _game(players)
        _week(game)  # makes the hooves' balances, as a first week does
        _fill(game)
        turns = [(_week(game), _hoof_alone(game), _bare(game)) for _ in range(size.weeks)]
        ours, alone, bare = (median([turn[at][0] for turn in turns]) for at in range(3))
        runs[players] = ours, turns[0][0][1]
        ends[players] = _end_of_a_race(game)
        case = f"{players:,} players"
        at_most = _AT_MOST_OF_FEW if players <= _FEW else _AT_MOST
        figures += [
            Figure(NAME, case, "ms", ours, bare, at_most=at_most),
            Figure(NAME, f"{case}, the hoof's statement alone", "ms", alone, bare),
        ]
    return [*figures, *_growth(NAME, runs), *_ends(ends)]


def _warm_up() -> None:
    """Let weeks pass elsewhere until both sides' statements are prepared, as in a worker that has
    run for a while."""
    game = _game(10, "warm")
    _fill(game)
    for _ in range(_WEEKS):
        _week(game)
        _bare(game)


def _growth(name: str, by_players: dict[int, Counted]) -> list[Figure]:
    fewest, most = min(by_players), max(by_players)
    queries = by_players[most][1], by_players[fewest][1]
    case = f"queries at {most:,} players, against {fewest:,}"
    return [Figure(name, case, "queries", *queries, at_most=1.0)]


def _ends(ends: dict[int, Counted]) -> list[Figure]:
    told = [Figure(END, f"{players:,} players", "ms", took) for players, (took, _) in ends.items()]
    return told + _growth(END, ends)


def _game(players: int, called: str = "weekly") -> Game:
    game = cast.races(f"{called}-{players}")
    cast.seat(game, players)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return game


def _week(game: Game) -> Counted:
    """Motivate the horses and let a week end; milliseconds and queries of the run."""
    take(game.slug, game.players.first(), "horses.motivate")
    return _until_the_run(game)


def _until_the_run(game: Game) -> Counted:
    """Keep what is due until the horses have run, and the rest of the week's after it."""
    run = game.appointments.filter(kind=_RUN, status=AppointmentStatus.WAITING).earliest("due")
    anchor = {"anchor_game": run.due, "anchor_wall": wall_now()}
    Game.objects.filter(pk=game.pk).update(**anchor)
    waiting = game.appointments.filter(status=AppointmentStatus.WAITING, due__lte=run.due)
    took = 0.0, 0
    while (first := waiting.first()) is not None:
        counted = timed(lambda: catch_up(game.pk, limit=1))
        if first.kind == _RUN:
            took = counted
    run.refresh_from_db()
    assert run.status == AppointmentStatus.DONE, run.error
    return took


def timed(work: Any) -> Counted:
    """Milliseconds and queries of the work."""
    queries = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*arguments)

    with connection.execute_wrapper(count):
        since = time.perf_counter()
        work()
        return (time.perf_counter() - since) * 1000, queries


def _hoof_alone(game: Game) -> Counted:
    """What the run does for its players, without the rest of an event: one verb of the ledger."""
    with at_the_table(game) as table:
        return timed(lambda: table.ledger.create_for_all_active(1, "hoof", "the horses run"))


# The bare SQL

_BARE = (
    "INSERT INTO bare_transfer (game_id, entry, rule, why) VALUES (%(game)s, 1, '', '')",
    "INSERT INTO bare_posting (game_id, transfer_id, holder_id, asset_id, amount)"
    " SELECT %(game)s, currval(pg_get_serial_sequence('bare_transfer', 'id')), h.id, %(hoof)s, 1"
    " FROM games_player p JOIN ledger_holder h ON h.player_id = p.id"
    " WHERE p.game_id = %(game)s AND p.active",
    "INSERT INTO bare_posting (game_id, transfer_id, holder_id, asset_id, amount)"
    " SELECT %(game)s, currval(pg_get_serial_sequence('bare_transfer', 'id')), %(mint)s, %(hoof)s,"
    " -count(*) FROM games_player WHERE game_id = %(game)s AND active",
    "UPDATE bare_balance b SET amount = amount + 1"
    " FROM games_player p JOIN ledger_holder h ON h.player_id = p.id"
    " WHERE p.game_id = %(game)s AND p.active AND b.holder_id = h.id AND b.asset_id = %(hoof)s",
    "UPDATE bare_balance SET amount = amount - (SELECT count(*) FROM games_player"
    " WHERE game_id = %(game)s AND active) WHERE holder_id = %(mint)s AND asset_id = %(hoof)s",
)


def _lay() -> None:
    with connection.cursor() as cursor:
        for name in ("transfer", "posting", "balance"):
            cursor.execute(f"CREATE TABLE bare_{name} (LIKE ledger_{name} INCLUDING ALL)")


def _fill(game: Game) -> None:
    """Let the bare tables hold what the ledger's do."""
    with connection.cursor() as cursor:
        for name in ("transfer", "posting", "balance"):
            cursor.execute(f"TRUNCATE bare_{name}")
            cursor.execute(
                f"INSERT INTO bare_{name} OVERRIDING SYSTEM VALUE SELECT * FROM ledger_{name}"
            )
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('bare_{name}', 'id'),"
                f" (SELECT max(id) FROM bare_{name}))"
            )
            cursor.execute(f"VACUUM ANALYZE bare_{name}")


def _bare(game: Game) -> Counted:
    hoof = Asset.objects.get(game=game, name="hoof")
    values = {"game": game.pk, "hoof": hoof.pk, "mint": hoof.mint_id}

    def give() -> None:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            for statement in _BARE:
                cursor.execute(statement, values)

    return timed(give)


# The end of a race


def _end_of_a_race(game: Game) -> Counted:
    """Milliseconds and queries of a run in which three horses cross, each player having a bet."""
    take(game.slug, game.players.first(), "horses.motivate")
    with at_the_table(game) as table:
        race = Race.objects.get(game=game, ended_in__isnull=True)
        runners = Runner.objects.filter(race=race)
        names = list(runners.values_list("name", flat=True))
        runners.update(position=16)
        Bet.objects.bulk_create(
            (
                Bet(
                    race=race,
                    player_id=player,
                    horse=names[at % len(names)],
                    dollaries=1,
                    entry=table.seq,
                )
                for at, player in enumerate(game.players.values_list("pk", flat=True))
            ),
            batch_size=2000,
        )
    counted = _until_the_run(game)
    assert Race.objects.filter(game=game, ended_in__isnull=False).exists()
    return counted
