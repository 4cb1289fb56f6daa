"""Workers that run twice, at once, or die: each appointment happens exactly once all the same."""

import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from nomic.embedded import postgres
from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Receipt
from nomic.engine.take import take
from nomic.engine.tasks import sweep as sweep_task
from nomic.engine.tests.tiny import COIN, TINY
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT, Home
from nomic.operations.setup import new_game
from nomic.record.models import Entry, EntryKind
from tests.kit import again_while_busy, all_at_once, at_the_table, seat

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
WEEK = timedelta(weeks=1)
HOUR = timedelta(hours=1)
PATIENCE = 40  # seconds, on a machine that has other things to do


def let_time_pass(*games: Game, to: datetime) -> None:
    """What was due until then is late by now, and no worker has looked at it yet."""
    ids = [game.pk for game in games]
    Game.objects.filter(pk__in=ids).update(anchor_game=to, wakes_at=wall_now())


def is_in_order_and_once(game: Game, weeks: int) -> bool:
    """Whether both weekly events of each week have happened once, at their moments, in order."""
    events = Entry.objects.filter(game=game, kind=EntryKind.EVENT, name__endswith=".week")
    expected = [
        pair
        for n in range(weeks)
        for pair in (("dice.week", MONDAY + n * WEEK), ("tiny.week", MONDAY + n * WEEK))
    ]
    return list(events.order_by("seq").values_list("name", "at")) == expected


@pytest.mark.parametrize("look", [sweep, sweep_task], ids=["sweeps", "tasks"])
def test_four_sweeps_at_once_over_many_games(
    transactional_db: None, look: Callable[[], int]
) -> None:
    games = [new_game(f"g{n}", TINY, pace="manual", start=MONDAY - HOUR)[0] for n in range(6)]
    let_time_pass(*games, to=MONDAY + 2 * WEEK)
    kept = all_at_once(look, look, look, look)
    assert not [end for end in kept if isinstance(end, Exception)], kept
    sweep()
    assert all(is_in_order_and_once(game, 3) for game in games)


def test_sweeps_and_people_at_once(transactional_db: None, game: Game) -> None:
    players = [seat(game, f"player{n}") for n in range(8)]
    let_time_pass(game, to=MONDAY + 9 * WEEK)

    def leave(number: int) -> Callable[[], Any]:
        return again_while_busy(lambda: take("table", players[number], "games.leave"))

    looks = (sweep, sweep, again_while_busy(lambda: catch_up(game.pk)))
    ends = all_at_once(*(leave(n) for n in range(8)), *looks)
    assert not [end for end in ends if isinstance(end, Exception)], ends
    assert is_in_order_and_once(game, 10)
    left = game.entries.filter(name="games.leave")
    assert {entry.at for entry in left} == {MONDAY + 9 * WEEK}
    assert min(left.values_list("seq", flat=True)) > game.entries.filter(name="tiny.week")[9].seq
    assert all(isinstance(end, Receipt) for end in ends[:8])


def test_a_sweep_passes_over_a_game_that_is_held_and_comes_back_to_it(
    transactional_db: None, game: Game
) -> None:
    other, _ = new_game("other", TINY, pace="manual", start=MONDAY - HOUR)
    let_time_pass(game, other, to=MONDAY)
    with locked_game(pk=game.pk):
        assert all_at_once(sweep) == [2]
    assert is_in_order_and_once(other, 1)
    assert is_in_order_and_once(game, 0)
    assert sweep() == 2
    assert is_in_order_and_once(game, 1)


# Processes


def url_of(database: dict[str, Any]) -> str:
    """The address of the test's own database."""
    host = quote(str(database["HOST"]), safe="/")
    who = database["USER"] or "postgres"
    if database["PASSWORD"]:
        who += ":" + quote(database["PASSWORD"], safe="")
    port = f"&port={database['PORT']}" if database["PORT"] else ""
    return f"postgresql://{who}@/{database['NAME']}?host={host}{port}"


def start_worker(slug: str, url: str, gate: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "DATABASE_URL": url, "TINY_GATE": str(gate)}
    command = [sys.executable, "-m", "nomic.engine.tests.schedule.worker", slug]
    return subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.DEVNULL)


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """Two pipes: a worker in the middle of an event says so in one, and waits at the other."""
    for pipe in ("in", "out"):
        os.mkfifo(tmp_path / pipe)
    return tmp_path


def wait_at(gate: Path) -> None:
    """Until the worker is in the middle of the event."""
    pipe = os.open(gate / "in", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert select.select([pipe], [], [], PATIENCE)[0], "the worker never came to the gate"
        assert os.read(pipe, 100) == b"here\n"
    finally:
        os.close(pipe)


def let_through(gate: Path) -> None:
    """Let the worker go on."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError):  # until the worker stands at the other end
            pipe = os.open(gate / "out", os.O_WRONLY | os.O_NONBLOCK)
            os.close(pipe)
            return
        time.sleep(0.01)
    pytest.fail("the worker never came to the gate")


@pytest.mark.thorough
def test_a_worker_that_is_killed_in_the_middle_of_an_event_leaves_no_half_of_it(
    transactional_db: None, game: Game, gate: Path
) -> None:
    player = seat(game, "Murphy")
    with at_the_table(game) as table:
        table.appointments.make("tiny.gate", MONDAY + WEEK + HOUR)
    let_time_pass(game, to=MONDAY + 3 * WEEK)
    worker = start_worker("table", url_of(connection.settings_dict), gate)
    try:
        wait_at(gate)
        assert is_in_order_and_once(game, 2)
        with pytest.raises(OperationalError, match="lock"), transaction.atomic():
            Game.objects.select_for_update(nowait=True).get(pk=game.pk)
    finally:
        os.kill(worker.pid, signal.SIGKILL)
        assert worker.wait(10) == -signal.SIGKILL
    with locked_game(pk=game.pk):  # the dead worker's lock is gone
        pass
    assert not game.entries.filter(name="tiny.gate").exists()
    sweep()
    assert is_in_order_and_once(game, 4)
    passed = game.entries.get(name="tiny.gate")
    assert passed.at == MONDAY + WEEK + HOUR
    with at_the_table(game) as table:
        assert table.ledger.balance(player, COIN) == 4 + 1
    names = Counter(game.entries.values_list("name", flat=True))
    assert (names["tiny.week"], names["tiny.gate"]) == (4, 1)


@pytest.fixture
def own_server(transactional_db: None, tmp_path: Path) -> Iterator[Home]:
    """A PostgreSQL that the test may stop and start, with the test's tables in it."""
    home = Home(tmp_path / "var")
    home.folder.mkdir()
    postgres.start(home)
    tables = tmp_path / "tables.sql"
    dump = ["pg_dump", "--no-owner", f"--file={tables}", url_of(connection.settings_dict)]
    restore = ["psql", "--quiet", "--set=ON_ERROR_STOP=1", f"--file={tables}", home.database_url]
    try:
        for program, *arguments in (dump, restore):
            subprocess.run([postgres.bin_folder() / program, *arguments], check=True)
        yield home
    finally:
        postgres.stop(home)


def manage(url: str, code: str) -> str:
    """Run a piece of program against that database, with the tiny game in it."""
    head = "import django; django.setup(); import nomic.engine.tests.tiny\n"
    env = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "nomic.settings"}
    done = subprocess.run(
        [sys.executable, "-c", head + code], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


BEGIN = """
from datetime import datetime, timedelta, UTC
from nomic.games.models import Game
from nomic.operations.setup import new_game
from tests.kit import at_the_table
monday = datetime(2026, 3, 9, tzinfo=UTC)
game, _ = new_game("table", "tiny", pace="manual", start=monday - timedelta(hours=1))
with at_the_table(game) as table:
    table.appointments.make("tiny.gate", monday + timedelta(weeks=4, hours=1))
Game.objects.update(anchor_game=monday + timedelta(weeks=9), wakes_at=monday)
"""


@pytest.mark.thorough
def test_a_database_that_restarts_in_the_middle_of_ten_weeks_loses_and_doubles_none(
    own_server: Home, gate: Path
) -> None:
    manage(own_server.database_url, BEGIN)
    worker = start_worker("table", own_server.database_url, gate)
    try:
        wait_at(gate)
        postgres.stop(own_server)
        let_through(gate)  # to a connection that is dead
        postgres.start(own_server)
        wait_at(gate)  # the same event, from its start
        let_through(gate)
        failed = worker.wait(PATIENCE)
    finally:
        worker.kill()
    assert failed < 99
    with psycopg.connect(own_server.database_url) as fresh:
        rows = fresh.execute(
            "SELECT name, at FROM record_entry WHERE kind = 'event' ORDER BY seq"
        ).fetchall()
    weeks = [MONDAY + n * WEEK for n in range(10)]
    assert [at for name, at in rows if name == "tiny.week"] == weeks
    assert [at for name, at in rows if name == "dice.week"] == weeks
    assert [at for name, at in rows if name == "tiny.gate"] == [MONDAY + 4 * WEEK + HOUR]
    assert [at for _, at in rows] == sorted(at for _, at in rows)
