"""The cost of a game, a user, a token and a rule: seconds, requests, entries, bytes, a day.

What is noted is counted in the cache, and kept in the database every minute. It is for people who
look: where the cache is away it is lost, and nothing waits for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass, field
from datetime import date, timedelta

from django.core.cache import cache
from django.db import connection
from django.db.models import QuerySet

from nomic.games.clock import wall_now
from nomic.infrastructure.contexts import within
from nomic.quotas import disk
from nomic.quotas.models import UsageKind, Used

KEPT_DAYS = 31
_AMOUNTS = ("microseconds", "requests", "entries", "bytes")
_ADD = """
INSERT INTO quotas_used (day, kind, number, rule, microseconds, requests, entries, bytes)
SELECT %s, * FROM unnest(%s::text[], %s::bigint[], %s::text[],
                         %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
ON CONFLICT (day, kind, number, rule) DO UPDATE SET
  microseconds = quotas_used.microseconds + excluded.microseconds,
  requests = quotas_used.requests + excluded.requests,
  entries = quotas_used.entries + excluded.entries,
  bytes = quotas_used.bytes + excluded.bytes
"""


@dataclass(frozen=True, slots=True, order=True)
class Whose:
    """A game, user or token by its primary key; a rule by its game's and its title."""

    kind: UsageKind
    number: int
    rule: str = ""


@dataclass(frozen=True, slots=True)
class UsedAmounts:
    """The amounts used by something. `bytes` are of entries, and of what stands beside them."""

    microseconds: int = 0
    requests: int = 0
    entries: int = 0
    bytes: int = 0

    @property
    def seconds(self) -> float:
        return self.microseconds / 1_000_000

    def __add__(self, other: UsedAmounts) -> UsedAmounts:
        return UsedAmounts(*(getattr(self, amount) + getattr(other, amount) for amount in _AMOUNTS))


@dataclass(slots=True)
class Noted:
    """The amounts that were noted so far, to be counted in one call; `counts_elsewhere` are of
    other keys of the cache. Of a request also the game that it is of, and the seconds for which
    it `waited` for its turn."""

    of_request: bool = False
    waited: float = 0.0
    game: int | None = None
    amounts: Counter[str] = field(default_factory=Counter)
    counts_elsewhere: dict[str, Counter[str]] = field(default_factory=dict)
    written: Counter[tuple[int, int | None]] = field(default_factory=Counter)  # bytes: game, host

    def count(self) -> None:
        """Count all of it, and let what was written fill the shares of the disk."""
        counts = {_key(wall_now().date()): self.amounts, **self.counts_elsewhere}
        cache.count(counts)  # type: ignore[attr-defined]
        for (game, host), written in self.written.items():
            disk.fill(game, host, written)


_NOTED: ContextVar[Noted | None] = ContextVar("what_is_noted_and_not_counted", default=None)


def note(
    game: int,
    *,
    rule: str = "",
    seconds: float = 0,
    entries: int = 0,
    written: int = 0,
    host: int | None = None,
) -> None:
    """That game has taken so many seconds, and made so many entries of so many bytes; by the rule
    of that title, where it was its program's doing. Call it where no lock is held.

    What is written fills the game's share of the disk, and its host's (nomic.quotas.disk). In a
    request the seconds are the rule's alone: its game is told those of the whole request.
    """
    in_game(game)
    whose = [Whose(UsageKind.GAME, game), *([Whose(UsageKind.RULE, game, rule)] if rule else [])]
    with together() as noted:
        for subject in whose:
            if subject.rule or not noted.of_request:
                noted.amounts[_field(subject, "microseconds")] += round(seconds * 1_000_000)
            noted.amounts[_field(subject, "entries")] += entries
            noted.amounts[_field(subject, "bytes")] += written
        noted.written[game, host] += written


def count(key: str, amounts: Mapping[str, int]) -> None:
    """Count these amounts under that key of the cache, with what is noted."""
    with together() as noted:
        noted.counts_elsewhere.setdefault(key, Counter()).update(amounts)


def in_game(game: int) -> None:
    """Let the request be of that game from now on, if there is one."""
    if noted := _NOTED.get():
        noted.game = game


def waited() -> float:
    """The seconds for which the request waited for its turn; none outside of requests."""
    noted = _NOTED.get()
    return noted.waited if noted else 0.0


@contextmanager
def together() -> Iterator[Noted]:
    """Count what is noted in the block in one call at its end, or with what is around the block."""
    if around := _NOTED.get():
        yield around
        return
    noted = Noted()
    with within(_NOTED, noted):
        yield noted
    noted.count()


@contextmanager
def of_a_request(waited: float = 0.0) -> Iterator[Noted]:
    """Keep what is noted in the block until `end_request` counts it."""
    noted = Noted(True, waited)
    with within(_NOTED, noted):
        yield noted


def end_request(noted: Noted, whose: list[Whose], seconds: float) -> None:
    """Count what the request noted, and that these asked for it and that it took so long."""
    amounts = noted.amounts
    for subject in [*whose, *([Whose(UsageKind.GAME, noted.game)] if noted.game else [])]:
        amounts[_field(subject, "microseconds")] += round(seconds * 1_000_000)
        amounts[_field(subject, "requests")] += 1
        if subject.kind is not UsageKind.GAME:
            amounts[_field(subject, "bytes")] += noted.written.total()
    noted.count()


def store() -> int:
    """Move what is counted into the database, and let go of what is older than a month; returns
    how many rows were written. Of two that do so at once each moves its own part."""
    today = wall_now().date()
    written = 0
    for day in (today - timedelta(days=1), today):
        costs = _costs_in(cache.counted(_key(day), anew=True))  # type: ignore[attr-defined]
        rows = sorted(costs.items())  # in one order, so that two who write never wait in a circle
        if rows:
            values = (
                (subject.kind.value, subject.number, subject.rule, *astuple(cost))
                for subject, cost in rows
            )
            with connection.cursor() as cursor:
                cursor.execute(_ADD, [day, *map(list, zip(*values, strict=True))])
        written += len(rows)
    Used.objects.filter(day__lt=today - timedelta(days=KEPT_DAYS)).delete()
    return written


def costliest(kind: UsageKind, day: date, limit: int) -> list[tuple[Whose, UsedAmounts]]:
    """Those of that kind that have used most seconds on that day, at most so many."""
    counted = {
        subject: cost for subject, cost in _counted_costs(day).items() if subject.kind is kind
    }
    rows = Used.objects.filter(day=day, kind=kind).order_by("-microseconds", "number", "rule")
    # More than the limit, since those that are counted as well may change places with the others.
    stored = _stored_costs(rows[: limit + len(counted)])
    missing = [subject.number for subject in counted.keys() - stored.keys()]
    stored |= _stored_costs(rows.filter(number__in=missing))
    sums = {
        subject: stored.get(subject, UsedAmounts()) + counted.get(subject, UsedAmounts())
        for subject in stored | counted
    }
    return sorted(
        sums.items(),
        key=lambda subject_and_cost: (-subject_and_cost[1].microseconds, subject_and_cost[0]),
    )[:limit]


def costs_on(day: date, kind: UsageKind, numbers: Iterable[int]) -> dict[int, UsedAmounts]:
    """The cost of each of these on that day, as far as it is kept in the database."""
    rows = Used.objects.filter(day=day, kind=kind, number__in=list(numbers), rule="")
    return {whose.number: cost for whose, cost in _stored_costs(rows).items()}


def costs_by_day(whose: Whose, days: int) -> list[tuple[date, UsedAmounts]]:
    """The cost of that on each of the last `days` days, today first."""
    today = wall_now().date()
    since = today - timedelta(days=days - 1)
    rows = Used.objects.filter(
        kind=whose.kind, number=whose.number, rule=whose.rule, day__gte=since
    )
    stored = {day: UsedAmounts(*amounts) for day, *amounts in rows.values_list("day", *_AMOUNTS)}
    counted = _counted_costs(today).get(whose, UsedAmounts())
    dates = [today - timedelta(days=back) for back in range(days)]
    return [
        (day, stored.get(day, UsedAmounts()) + (counted if day == today else UsedAmounts()))
        for day in dates
    ]


def _stored_costs(rows: QuerySet[Used]) -> dict[Whose, UsedAmounts]:
    columns = rows.values_list("kind", "number", "rule", *_AMOUNTS)
    return {
        Whose(UsageKind(kind), number, rule): UsedAmounts(*used)
        for kind, number, rule, *used in columns
    }


def _counted_costs(day: date) -> dict[Whose, UsedAmounts]:
    return _costs_in(cache.counted(_key(day)))  # type: ignore[attr-defined]


def _costs_in(counted: Mapping[str, int]) -> dict[Whose, UsedAmounts]:
    amounts: dict[Whose, dict[str, int]] = {}
    for name, amount in counted.items():
        kind, number, column, rule = name.split("/", 3)
        amounts.setdefault(Whose(UsageKind(kind), int(number), rule), {})[column] = amount
    return {whose: UsedAmounts(**columns) for whose, columns in amounts.items()}


def _field(whose: Whose, amount: str) -> str:
    return f"{whose.kind.value}/{whose.number}/{amount}/{whose.rule}"


def _key(day: date) -> str:
    return f"nomic:used:{day.isoformat()}"
