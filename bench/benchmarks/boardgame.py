"""Acts of one client, one after the other in one game, against boardgame.io's moves.

boardgame.io keeps its matches in the same PostgreSQL (bgio-postgres), takes its moves over a
websocket, throws a die at each and keeps a log; ours is a bet with its postings and its entry.
Needs node and npm, which install what bench/boardgame/package-lock.json names.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from bench import cast, scratch
from bench.benchmarks.posts import Refusing, a_bet
from bench.figures import Figure
from bench.load import send
from bench.size import Size
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT, home

NAME = "a game's moves"
_SOURCES = ROOT / "bench" / "boardgame"
_PATIENCE = 120.0  # seconds
_FIRST, _LATE = 1.0, 2.5  # of boardgame.io's moves a second, at least


def measure(size: Size) -> list[Figure]:
    """Matches by turns with as many bets: moves a second of the first fifth and of the last.

    Without node there is nothing to compare with: it says so, and there is no figure.
    """
    if not (shutil.which("node") and shutil.which("npm")):
        print("boardgame: node and npm are not installed here.", file=sys.stderr)
        return []
    folder = _installed()
    fifth, moves = size.moves // 5, size.moves
    people = cast.users(moves, "mover")
    cookies = [cast.session(user) for user in people]
    ours: list[list[float]] = []
    theirs: list[list[float]] = []
    with scratch.web() as port, _beside(folder) as player:
        warm = cast.races("warm")
        cast.seat(warm, people)
        _bets(port, warm.slug, cookies[: size.warm_up])
        _ask(player, "match")
        _ask(player, str(size.warm_up))
        for turn in range(size.rounds):
            game = cast.races(f"moves-{turn}")
            cast.seat(game, people)
            _ask(player, "match")
            ours.append([])
            theirs.append([])
            for first in range(0, moves, fifth):
                theirs[-1] += _ask(player, str(fifth))
                ours[-1] += _bets(port, game.slug, cookies[first : first + fifth])
    return [
        _figure(f"the first {fifth}", ours, theirs, slice(fifth), _FIRST),
        _figure(f"the last {fifth} of {moves:,}", ours, theirs, slice(moves - fifth, moves), _LATE),
    ]


def _figure(
    case: str, ours: list[list[float]], theirs: list[list[float]], part: slice, at_least: float
) -> Figure:
    """Moves a second in the time that all turns took together."""
    rates = [
        1000 * sum(len(turn[part]) for turn in turns) / sum(sum(turn[part]) for turn in turns)
        for turns in (ours, theirs)
    ]
    return Figure(NAME, f"{case}, against boardgame.io", "a second", *rates, at_least=at_least)


def _bets(port: int, slug: str, cookies: list[str]) -> list[float]:
    """Milliseconds of each bet; nobody bets twice in a week, so each is somebody else's."""
    load = send(port, [a_bet(slug, cookie) for cookie in cookies], 1)
    if set(load.statuses) != {200}:
        raise Refusing(f"{dict(load.statuses)}: {load.sample[:2000]}")
    return load.took


def _installed() -> Path:
    """The folder with their packages, kept in var/ for the next time."""
    folder = home().folder / "boardgame"
    folder.mkdir(parents=True, exist_ok=True)
    for source in _SOURCES.iterdir():
        shutil.copy(source, folder)
    if not (folder / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
    return folder


@contextmanager
def _beside(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Their server with a database of its own, and a client that plays as it is told."""
    ports = [str(free_port()) for _ in range(2)]
    url = os.environ["DATABASE_URL"]
    name = f"{scratch.name_of(url)}_beside"
    with scratch.database(url, name, "template0"):
        server = _node(folder, "serve.js", ports, {"STORE": json.dumps(_store(url, name))})
        try:
            if (line := _line(server)) != "listens":
                raise RuntimeError(f"boardgame.io's server said: {line}")
            player = _node(folder, "play.js", ports, {})
            try:
                yield player
            finally:
                scratch.end(player)
        finally:
            scratch.end(server)


def _store(url: str, name: str) -> dict[str, str]:
    """How sequelize names that database of the server of `url`."""
    said = conninfo_to_dict(url)
    keys = {"host": "host", "port": "port", "user": "username", "password": "password"}
    return {"database": name} | {to: str(said[at]) for at, to in keys.items() if said.get(at)}


def _node(
    folder: Path, script: str, ports: list[str], more: dict[str, str]
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["node", script, *ports],
        cwd=folder,
        env={**os.environ, "NODE_ENV": "production", **more},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _ask(player: subprocess.Popen[str], line: str) -> list[float]:
    """What it answers: the milliseconds of each move."""
    assert player.stdin is not None
    player.stdin.write(f"{line}\n")
    player.stdin.flush()
    return [float(took) for took in json.loads(_line(player))]


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"boardgame.io's part ended with {process.wait(_PATIENCE)}.")
    return line.strip()
