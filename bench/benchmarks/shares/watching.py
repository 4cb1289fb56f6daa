"""What an attack costs others, seen from outside: by requests, and in the tables and processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

import psycopg

from bench.benchmarks.shares.people import Asked, Person, ask
from bench.benchmarks.shares.site import Site
from bench.figures import percentile
from bench.timed import Taken, taken

MOST_WRITTEN = 2_000.0  # MB, after which an attack is stopped
_EVERY = 0.5  # seconds between two looks at processes and the disk
_LET_END = 30.0  # seconds for which an event that is under way at the end may go on
_ABOUT_ONE = 90  # comments of a bystander on one proposal; more than a hundred are refused
_UNDER_WAY = """
SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) FROM pg_stat_activity
 WHERE datname = current_database() AND application_name = 'worker' AND backend_xid IS NOT NULL
"""
_SIZE = "SELECT pg_database_size(current_database()) / 1e6"
_LATE = """
SELECT max(extract(epoch FROM e.recorded_at - g.anchor_wall)
           - extract(epoch FROM e.at - g.anchor_game) / g.rate)
  FROM record_entry e JOIN games_game g ON g.id = e.game_id
 WHERE g.slug = ANY(%s) AND e.kind = 'event' AND e.recorded_at >= to_timestamp(%s)
"""
_WAITING = """
SELECT max(extract(epoch FROM now() - wakes_at)) FROM games_game WHERE slug = ANY(%s)
"""
_MOMENTS = """
SELECT count(*) FROM record_entry e JOIN games_game g ON g.id = e.game_id
 WHERE g.slug = ANY(%s) AND e.kind = 'event' AND e.recorded_at >= to_timestamp(%s)
"""
_ENTRIES = """
SELECT e.game_id, e.seq, octet_length(e::text)
  FROM record_entry e JOIN games_game g ON g.id = e.game_id
 WHERE g.slug <> ALL(%s) AND e.recorded_at >= to_timestamp(%s)
 ORDER BY pg_column_size(e.*) DESC LIMIT 20
"""
_ROLLED = """
SELECT coalesce(sum(octet_length(r::text)), 0) FROM dice_roll r
  JOIN dice_period p ON p.id = r.period_id WHERE p.game_id = %s AND r.entry = %s
"""
_POSTED = """
SELECT coalesce(sum(octet_length(p::text)), 0) FROM ledger_posting p
  JOIN ledger_transfer t ON t.id = p.transfer_id WHERE t.game_id = %s AND t.entry = %s
"""


@dataclass
class Found:
    """What one way costs: seconds, MB, and what was said. None where it was not looked at."""

    request: float | None = None
    event: float | None = None
    act: float | None = None
    memory: float | None = None
    health: float | None = None
    elsewhere: float | None = None
    late: float | None = None
    written: float | None = None
    ratio: float | None = None
    pause: float | None = None
    told: str = ""
    load: float = 0.0  # processes that wanted to run as it ended
    at: str = ""
    more: dict[str, Any] = field(default_factory=dict)


@dataclass
class Watch:
    """Two bystanders who act, one who asks for /healthz, and one who looks at the machine."""

    site: Site
    url: str
    bystanders: list[tuple[Person, str]]  # each with the game in which they comment
    healthy: list[str]  # the games whose moments are looked at
    theirs: Asked = field(default_factory=Asked)
    elsewhere: Asked = field(default_factory=Asked)
    before: Asked = field(default_factory=Asked)
    health: Asked = field(default_factory=Asked)
    memory: dict[str, float] = field(default_factory=dict)
    attacked: bool = False
    ended: Event = field(default_factory=Event)
    enough: Event = field(default_factory=Event)  # an attack stops when this is set
    size: float = 0.0
    since: float = 0.0
    _began: float = 0.0
    _threads: list[Thread] = field(default_factory=list)

    def heard(self, what: str, answer: Any) -> None:
        """Of a request of an attacker's."""
        if self.attacked:
            self.theirs.add(what, answer)

    def begin(self) -> None:
        """Let the bystanders act; what they meet counts as before the attack."""
        work: list[Callable[[], None]] = [self._ask_for_health, self._look]
        work += [lambda each=each: self._comment(*each) for each in self.bystanders]
        for each in work:
            self._threads.append(Thread(target=each, daemon=True))
            self._threads[-1].start()

    def attack(self) -> None:
        """From now on it counts."""
        with psycopg.connect(self.url) as connection:
            self._began = _one(connection, _SIZE)
        self.since, self.attacked = time.time(), True

    def late(self) -> float:
        """By how many seconds a healthy game is late just now."""
        with psycopg.connect(self.url) as connection:
            return _one(connection, _WAITING, self.healthy)

    def stop(self) -> None:
        """Let nobody ask or look any more."""
        self.enough.set()
        self.ended.set()
        for thread in self._threads:
            thread.join(90)

    def end(self) -> Found:
        """Stop all of it; what was found."""
        self.stop()
        self.memory = _larger(self.memory, self.site.peaks())
        with psycopg.connect(self.url, options="-c statement_timeout=60000") as connection:
            late = max(
                _one(connection, _LATE, self.healthy, self.since),
                _one(connection, _WAITING, self.healthy),
            )
            longest = self._longest(connection)
            return Found(
                request=max(self.theirs.seconds, default=None),
                event=_own(longest.get("event")),
                act=_largest_act(connection, self.healthy, self.since),
                memory=max(self.memory.values(), default=None),
                health=max(self.health.seconds, default=None),
                elsewhere=max(self.elsewhere.seconds, default=None),
                late=max(0.0, late),
                written=max(0.0, _one(connection, _SIZE) - self._began),
                told=self._told(),
                more=self._more(connection) | longest,
            )

    def _more(self, connection: psycopg.Connection) -> dict[str, Any]:
        return {
            "slowest request": self.theirs.slowest[1],
            "requests": len(self.theirs.seconds),
            "statuses": {str(key): value for key, value in self.theirs.statuses.items()},
            "memory": {name: round(mb) for name, mb in self.memory.items()},
            "moments": _one(connection, _MOMENTS, self.healthy, self.since),
            "acts before": _middle_and_p99(self.before.seconds),
            "acts elsewhere": len(self.elsewhere.seconds),
            "statuses elsewhere": {str(k): v for k, v in self.elsewhere.statuses.items()},
            "acts meanwhile": _middle_and_p99(self.elsewhere.seconds),
            "refused elsewhere": self.elsewhere.refusals[:3],
            "of health": {str(key): value for key, value in self.health.statuses.items()},
        }

    def _longest(self, connection: psycopg.Connection) -> dict[str, Any]:
        """Of each kind the longest that a game of the attackers had, and of events that of the
        others: in its own seconds, and with those in which it waited for a processor."""
        under_way = self._let_end(connection)
        found: dict[str, Taken] = {}
        for each in taken(self.site.folder, self.since):
            what = f"{each.what} elsewhere" if each.game in self.healthy else each.what
            if what not in found or each.own > found[what].own:
                found[what] = each
        told = {
            what: {"name": each.name, "own": each.own, "took": each.took, "ran": each.ran}
            for what, each in found.items()
        }
        return {**told, "under way": under_way}

    def _let_end(self, connection: psycopg.Connection) -> float:
        """Wait a while for what a worker has begun, so that it is told; for how many seconds it has
        been under way if it goes on even so."""
        until = time.monotonic() + _LET_END
        while (lasts := _one(connection, _UNDER_WAY)) > _EVERY and time.monotonic() < until:
            connection.rollback()
            time.sleep(_EVERY)
        return lasts

    def _told(self) -> str:
        """What most of the refusals said, with how many there were."""
        if not self.theirs.refusals:
            return ""
        said = max(set(self.theirs.refusals), key=self.theirs.refusals.count)
        refused = sum(n for status, n in self.theirs.statuses.items() if status >= 400)
        return f"{refused} of {len(self.theirs.seconds)} refused: {said}" if refused else ""

    def _comment(self, person: Person, slug: str) -> None:
        number, about = _ABOUT_ONE - 1, "p1"
        while not self.ended.wait(0.25):
            number += 1
            counted = self.attacked
            if number % _ABOUT_ONE == 0:
                answer = person.act(slug, "proposals.submit", title="Next", body="To speak of it.")
                about = answer.told["outcome"]["id"] if answer.status == 201 else about
            else:
                said = {"proposal": about, "text": f"Remark {number}."}
                answer = person.act(slug, "proposals.comment", **said)
            (self.elsewhere if counted else self.before).add(slug, answer)

    def _ask_for_health(self) -> None:
        while not self.ended.wait(0.3):
            counted = self.attacked
            answer = ask(self.site.port, "GET", "/healthz", None, {}, 60.0)
            if counted:
                self.health.add("/healthz", answer)

    def _look(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            while not self.ended.wait(_EVERY):
                self.memory = _larger(self.memory, self.site.peaks())
                self.size = _one(connection, _SIZE) - (self._began or 0.0)
                if self.attacked and self.size > MOST_WRITTEN:
                    self.enough.set()


def _own(longest: Mapping[str, Any] | None) -> float:
    return float(longest["own"]) if longest else 0.0


def _middle_and_p99(seconds: list[float]) -> list[float]:
    return [round(percentile(seconds, each), 2) for each in (50, 99)] if seconds else []


def _larger(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {name: max(one.get(name, 0.0), other.get(name, 0.0)) for name in {*one, *other}}


def _one(connection: psycopg.Connection, query: str, *given: Any) -> float:
    row = connection.execute(query, given).fetchone()
    return float(row[0] or 0) if row else 0.0


def _largest_act(connection: psycopg.Connection, others: list[str], since: float) -> float | None:
    """The bytes, in MB, of the largest entry of the attacked games with its rolls and postings."""
    try:
        largest = connection.execute(_ENTRIES, (others, since)).fetchall()
        return max(
            (
                float(entry + _one(connection, _ROLLED, game, seq))
                + _one(connection, _POSTED, game, seq)
                for game, seq, entry in largest
            ),
            default=0.0,
        ) / 1e6  # fmt: skip
    except psycopg.errors.QueryCanceled:
        connection.rollback()
        return None
