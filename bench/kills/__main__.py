"""Processes killed under sixteen clients that act: `python -m bench.kills`.

The site is `make play` in a folder of its own, on a free port of 127.0.0.1. What is killed, and
when, is drawn by a seed from all kinds of process, one to nine in a row, the next few as soon as
somebody gets a receipt, while others may not be up again yet.
It ends by itself, within a quarter of an hour; prints JSON and a table, and exits 1 where
anything is lost, doubled, left over or not up again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from bench import scratch
from bench.figures import Figure, median, table
from bench.kills.acting import PROGRAM, RULE, THROW, Books, Client, ask_again, compare
from bench.kills.victims import PATIENCE, Kills, Site, command_of, left_over
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT

LONGEST = 870  # seconds
GAMES = ("kills-1", "kills-2", "kills-3", "kills-4")
WEEK = 20  # seconds, so that the worker has something to do
NAME = "killed under clients that act"


class _Stop(Exception):
    """The time is up, or somebody asked to end."""


@contextmanager
def _playing(folder: Path) -> Iterator[Site]:
    """The site, without its demonstration and with no limit to what a token may ask."""
    port = free_port()
    env = {name: os.environ[name] for name in os.environ if not name.endswith("_URL")}
    env |= {"NOMIC_VAR": str(folder), "PORT": str(port), "NOMIC_API_RATE": "0"}
    env |= {"NOMIC_ORIGIN": f"http://127.0.0.1:{port}"}
    with open(folder / "play.log", "ab") as said:
        play = subprocess.Popen(
            [sys.executable, "-m", "nomic.embedded", "play"],
            env=env,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        site = Site(folder, port, play)
        _wait_until_ready(site)
        yield site
    finally:
        scratch.end(play, patience=60)


def _wait_until_ready(site: Site) -> None:
    until = time.monotonic() + PATIENCE
    while site.answer("/readyz") != 200:
        if site.process.poll() is not None or time.monotonic() > until:
            raise RuntimeError((site.folder / "play.log").read_text()[-4000:])
        time.sleep(0.2)


def _clients(site: Site, count: int, seed: int, enough: Event) -> list[Client]:
    """So many players with a token each, in fast games that have a proposal to speak of."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {"NOMIC_VAR": str(site.folder), "DJANGO_SETTINGS_MODULE": "nomic.settings"}
    import django

    django.setup()
    from django.db import connection

    from nomic.engine.take import take
    from nomic.games.models import Game
    from nomic.operations.setup import new_game
    from nomic.web.tokens import make_token
    from tests.kit import user_of

    names = [f"client{number}" for number in range(1, count + 1)]
    rate = 7 * 24 * 60 * 60 // WEEK
    for slug in GAMES:
        new_game(slug, "agora", pace="fast", rate=rate)
        for name in names:
            take(slug, user_of(name), "games.join", {"name": name})
        text = Game.objects.get(slug=slug).rules.get(title=RULE).text
        with_program = f"{text}\n```python{PROGRAM}```\n"
        amended = {"rule": RULE, "text": with_program, "reason": "a program in play"}
        take(slug, None, "rulebook.amend", amended)
        said = {"title": "A subject", "body": "That all may speak of it."}
        take(slug, user_of(names[0]), "proposals.submit", said)
    tokens = {name: make_token(user_of(name), "kills")[1] for name in names}
    connection.close()
    return [Client(name, tokens[name], site.port, GAMES, seed, enough) for name in names]


def _record(site: Site, slug: str) -> dict[int, dict[str, Any]]:
    """All of a game's record, as the API tells it."""
    found: dict[int, dict[str, Any]] = {}
    last = 1
    while len(found) < last:
        after = max(found, default=0)
        page = f"http://127.0.0.1:{site.port}/api/v1/games/{slug}/record?after={after}"
        with urllib.request.urlopen(page, timeout=60) as answer:
            told = json.loads(answer.read())
        last = told["last"]
        found |= {entry["seq"]: entry for entry in told["entries"]}
    return found


def _fails(site: Site, *words: str) -> bool:
    """Whether that command finds anything wrong."""
    env = {**os.environ, "NOMIC_VAR": str(site.folder)}
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
    return done.returncode != 0


def _run(folder: Path, chosen: argparse.Namespace) -> list[Figure]:
    with _playing(folder) as site:
        enough = Event()
        clients = _clients(site, chosen.clients, chosen.seed, enough)
        for client in clients:
            client.start()
        kills = Kills(site, random.Random(chosen.seed), lambda: sum(each.made for each in clients))
        since = time.monotonic()
        try:
            kills.run(chosen.kills)
        finally:
            enough.set()
        seconds = time.monotonic() - since
        for client in clients:
            client.join()
        _wait_until_ready(site)
        retries = ask_again(clients)
        records = {slug: _record(site, slug) for slug in GAMES}
        acts = [act for client in clients for act in client.acts]
        books = compare(acts, {client.player for client in clients}, records)
        unexpected = sum(client.unexpected.total() for client in clients)
        every = [entry for record in records.values() for entry in record.values()]
        events = [entry for entry in every if entry["kind"] == "event"]
        failed = int(_fails(site, "audit"))
        replays = sum(_fails(site, "replay", slug) for slug in GAMES)
    left = left_over(folder)
    for process in left:
        print(f"Left over: {command_of(process)}", file=sys.stderr)
    return [
        Figure(NAME, "kills, of those asked for", "kills", kills.count, chosen.kills, at_least=1),
        *_of_kills(kills, seconds),
        *_of_acts(books, retries, unexpected),
        *_of_programs(every, events),
        Figure(NAME, "audits of all games that failed", "audits", failed, 1, at_most=0),
        Figure(NAME, "replays that ended otherwise", "replays", replays, len(GAMES), at_most=0),
        Figure(NAME, "processes left over after the stop", "processes", len(left), 1, at_most=0),
    ]


def _of_programs(every: list[dict[str, Any]], events: list[dict[str, Any]]) -> list[Figure]:
    """What happened by itself, and what programs of rules did of it all."""
    thrown = sum(entry["name"] == THROW for entry in every)
    emptied = sum(entry["name"] == "rule.week" for entry in events)
    counted = sum("programs" in entry["outcome"] for entry in every) - thrown - emptied
    failed = sum(bool(entry["outcome"].get("programs", {}).get("failed")) for entry in every)
    return [
        Figure(NAME, "events that fell due meanwhile and happened", "events", len(events)),
        Figure(NAME, "of these by programs of rules", "events", emptied),
        Figure(NAME, "acts by programs of rules", "acts", thrown),
        Figure(NAME, "other acts beside which a program ran", "acts", counted),
        Figure(
            NAME, "entries at which a program failed, its process being killed", "entries", failed
        ),
    ]


def _of_kills(kills: Kills, seconds: float) -> list[Figure]:
    figures = [Figure(NAME, "killing", "s", seconds)]
    for kind, took in kills.took.items():
        case = f"{kind}, killed {len(took)} times"
        figures += [
            Figure(NAME, f"{case}: up again, p50", "s", median(took or [0])),
            Figure(NAME, f"{case}: up again, the slowest", "s", max(took, default=0)),
        ]
    case = f"not up again by itself within {PATIENCE:.0f} s"
    return [*figures, Figure(NAME, case, "kills", kills.never, kills.count, at_most=0)]


def _of_acts(books: Books, retries: tuple[int, int], unexpected: int) -> list[Figure]:
    again, other = retries
    made = books.receipts
    return [
        Figure(NAME, "acts with a receipt", "acts", made),
        Figure(NAME, "acts refused, a second one of its kind in the week", "acts", books.refused),
        Figure(NAME, "answers lost after the request was sent", "answers", books.lost_answers),
        Figure(
            NAME,
            "acts that were done, their answer not arriving, and had their receipt at a retry",
            "acts",
            books.done_before_the_retry,
        ),
        Figure(NAME, "receipts lost", "receipts", books.lost_receipts, made, at_most=0),
        Figure(NAME, "acts doubled", "acts", books.doubled, made, at_most=0),
        Figure(
            NAME,
            "acts sent more than once, asked for at the end again: another receipt than the first",
            "receipts",
            other,
            again,
            at_most=0,
        ),
        Figure(NAME, "acts never answered", "acts", books.unsettled, len(books.acts), at_most=0),
        Figure(NAME, "other answers (500 and the like)", "answers", unexpected, made, at_most=0),
    ]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seed", type=int, default=2006)
    return parser.parse_args()


def _stop(number: int, frame: object) -> None:
    raise _Stop(signal.Signals(number).name)


def main() -> int:
    chosen = _arguments()
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(LONGEST)
    folder = Path(tempfile.mkdtemp(prefix="nomic-kills-")).resolve()
    try:
        figures = _run(folder, chosen)
    except _Stop as stop:
        print(f"Stopped by {stop}.", file=sys.stderr)
        return 1
    finally:
        signal.alarm(0)
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps([figure.as_json() for figure in figures]))
    print(table(figures))
    return 1 if any(figure.met is False for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
