"""Replaying and importing a game of years: an entry's cost in a short record and in a long one.

Its weeks are alike, so that only its length differs. Each replay and each import has a process of
its own, which tells the processor time that it and its database connection took, and the most
memory that it held.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import cast
from bench.benchmarks.recalculating import PLAYERS, lengthen, spent
from bench.figures import Figure
from bench.size import Size
from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import seat_practice_players

NAME = "a long record"
_REPLAY, _IMPORT = 10.0, 12.0  # milliseconds for an entry
_GROWTH = 1.2
_APART = "import django; django.setup(); from bench.benchmarks import long; long.main()"


def measure(size: Size, entries: str = "") -> list[Figure]:
    """Milliseconds for an entry and megabytes at each length; the longest against the shortest.

    That of so many `entries` is asked for where it is to be longer than usual: `long:100000`.
    """
    lengths = (size.long[0], int(entries)) if entries else size.long
    game = cast.races("long")
    seat_practice_players(game.slug, PLAYERS)
    figures: list[Figure] = []
    replayed: list[float] = []
    memory: list[float] = []
    for length in lengths:
        lengthen(game, length)
        long = game.last_entry
        with TemporaryDirectory() as folder:
            file = Path(folder) / "game"
            with file.open("w", encoding="utf-8") as written:
                export_game(game, written)
            for what, of, goal in (("replay", "long", _REPLAY), ("import", str(file), _IMPORT)):
                seconds, megabytes = _apart(what, of)
                took = seconds * 1000 / long
                case = f"{what} of {long:,} entries, an entry"
                bound = {"against": goal, "at_most": 1.0} if length == lengths[-1] else {}
                figures.append(Figure(NAME, case, "ms", took, **bound))
                if what == "replay":
                    replayed.append(took)
                    memory.append(megabytes)
    return [
        *figures,
        Figure(NAME, "replay, an entry", "ms", replayed[-1], replayed[0], at_most=_GROWTH),
        Figure(NAME, "replay, most memory", "MB", memory[-1], memory[0], at_most=_GROWTH),
    ]


def _apart(what: str, of: str) -> tuple[float, float]:
    """Seconds and megabytes of a process that does it. Raises CalledProcessError."""
    command = [sys.executable, "-c", _APART, what, of]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    seconds, megabytes = json.loads(done.stdout)
    return seconds, megabytes


def _replay(slug: str) -> None:
    _, difference = replay(Game.objects.get(slug=slug))
    if difference:
        raise SystemExit(f"The replay differs: {difference}")


def _import(file: str) -> None:
    with open(file, encoding="utf-8") as lines:
        import_game(lines, slug=f"long-{os.getpid()}")


def main() -> None:
    """Do one of the two, and tell what it took."""
    _, what, of = sys.argv
    ways: dict[str, Callable[[str], None]] = {"replay": _replay, "import": _import}
    seconds = spent(partial(ways[what], of))
    status = Path("/proc/self/status").read_text()
    most = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps([seconds, int(most.split()[1]) / 1024]))
