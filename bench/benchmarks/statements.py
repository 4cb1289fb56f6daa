"""Actions a second, against the same statements sent by pgbench: what our own code costs.

The statements of real actions are captured on one copy of the database and replayed by pgbench
on another, chunk by chunk by turns with the same actions taken through `take()`.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection

from bench import cast, scratch
from bench.figures import Figure
from bench.size import Size
from nomic.embedded.postgres import bin_folder
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player

NAME = "actions a second"
_ACTION, _INPUTS = "horses.bet", {"horse": "Alexia", "dollaries": 1}
Bet = tuple[str, Player]


def measure(size: Size) -> list[Figure]:
    """`take()` and pgbench by turns, one client each, every action in another game."""
    template = cast.races("statements")
    seats = 8
    cast.seat(template, seats)
    games = [template, *cast.copies(template, -(-size.actions // seats) - 1)]
    bets = _bets(games)[: size.actions]
    base, name = os.environ["DATABASE_URL"], scratch.name_of(os.environ["DATABASE_URL"])
    connection.close()
    with (
        scratch.database(base, f"{name}_capture", name) as capture,
        scratch.database(base, f"{name}_replay", name) as replay,
        tempfile.TemporaryDirectory() as folder,
    ):
        with _connected_to(capture):
            captured = [_capture(bet) for bet in bets]
        chunk = max(1, len(bets) // (4 * size.rounds))
        ours = theirs = 0.0
        for at in range(0, len(bets), chunk):
            theirs += _pgbench(replay, captured[at : at + chunk], Path(folder) / "chunk.sql")
            ours += _seconds(lambda at=at: [_take(bet) for bet in bets[at : at + chunk]])
        _must_agree(replay)
    rates = len(bets) / ours, len(bets) / theirs
    statements = sum(map(len, captured)) / len(captured)
    return [
        Figure(NAME, "take(), one client, against pgbench", "a second", *rates),
        Figure(NAME, "statements of one, BEGIN and COMMIT included", "statements", statements),
    ]


def _bets(games: list[Game]) -> list[Bet]:
    """Bets of every player, one game after another; each game's rules are read beforehand."""
    for game in games:
        glance(game).rules.in_force("Horses")
    by_game = [list(game.players.select_related("user")) for game in games]
    return [
        (game.slug, players[seat])
        for seat in range(len(by_game[0]))
        for game, players in zip(games, by_game, strict=True)
    ]


def _take(bet: Bet) -> None:
    slug, player = bet
    take(slug, player, _ACTION, _INPUTS, "once")


def _seconds(work: Callable[[], Any]) -> float:
    since = time.perf_counter()
    work()
    return time.perf_counter() - since


@contextmanager
def _connected_to(url: str) -> Iterator[None]:
    """Let Django speak to another database for a while."""
    name = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = scratch.name_of(url)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name


def _capture(bet: Bet) -> list[str]:
    """Take the action, and return the statements that the server got for it."""
    sent = ["BEGIN"]

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        cursor = psycopg.ClientCursor(connection.connection)
        sent.append(cursor.mogrify(sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        _take(bet)
    return [*sent, "COMMIT"]


def _pgbench(url: str, actions: list[list[str]], script: Path) -> float:
    """The seconds that pgbench needs for the statements, its own start left out."""
    words = [statement.strip() + ";" for action in actions for statement in action]
    seconds = []
    for lines in (["SELECT 1;"], words):
        script.write_text("\n".join(lines) + "\n")
        command = [str(bin_folder() / "pgbench"), "-n", "-M", "simple", "-c", "1", "-t", "1"]
        since = time.perf_counter()
        done = subprocess.run([*command, "-f", str(script), url], capture_output=True, text=True)
        seconds.append(time.perf_counter() - since)
        if done.returncode or "ERROR" in done.stderr:
            raise RuntimeError(f"pgbench failed: {done.stderr[-2000:]}")
    return seconds[1] - seconds[0]


def _must_agree(url: str) -> None:
    """The replayed actions must have had the same effect, or they were no replay."""
    ours = _tally()
    with _connected_to(url):
        theirs = _tally()
    if ours != theirs:
        raise RuntimeError(f"The replay ended in {theirs}, the actions in {ours}.")


def _tally() -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM record_entry), (SELECT count(*) FROM horses_bet),"
            " (SELECT sum(amount) FROM ledger_balance WHERE NOT is_mint)"
        )
        return list(cursor.fetchall())
