"""The cost of games, users and tokens today, and locking them out: the operator's alone."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.models import User

from nomic.engine.fairness import worker_share
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.quotas import disk, holds, usage
from nomic.quotas.holds import Held
from nomic.quotas.models import UsageKind, What
from nomic.quotas.usage import UsedAmounts, Whose
from nomic.web.models import Token

KINDS = (UsageKind.GAME, UsageKind.USER, UsageKind.TOKEN)


@dataclass(frozen=True, slots=True)
class CostRow:
    """One game, user or token. `name` is what it is found by, `about` says more; `late` is in
    seconds, `full` how much of its share of the disk is used, `rule` the one that cost most, and
    `aside` why a game is set aside."""

    name: str
    about: str
    today: UsedAmounts
    yesterday: UsedAmounts
    out: Held | None
    waits: Held | None
    late: float = 0.0
    full: float = 0.0
    rule: str = ""
    aside: str = ""

    @property
    def percent(self) -> int:
        return round(100 * self.full)


def rows(kind: UsageKind, limit: int) -> list[CostRow]:
    """Those of that kind that cost most today, at most so many, the costliest first, and those that
    are held back or set aside. The number of queries is the same however many there are."""
    today = wall_now().date()
    costs = usage.costliest(kind, today, limit)
    held = holds.held_numbers(kind)
    if kind is UsageKind.GAME:
        held |= set(Game.objects.exclude(set_aside="").values_list("pk", flat=True))
    held -= {whose.number for whose, _ in costs}
    costs += [(Whose(kind, number), UsedAmounts()) for number in sorted(held)[:limit]]
    numbers = [whose.number for whose, _ in costs]
    before = usage.costs_on(today - timedelta(days=1), kind, numbers)
    columns = {UsageKind.GAME: _games, UsageKind.USER: _users, UsageKind.TOKEN: _tokens}[kind](
        numbers
    )
    return [
        CostRow(
            today=cost,
            yesterday=before.get(whose.number, UsedAmounts()),
            out=holds.held(What.OUT, kind, whose.number),
            waits=holds.held(What.DISK, kind, whose.number),
            **columns[whose.number],
        )
        for whose, cost in costs
        if whose.number in columns
    ]


def by_day(kind: UsageKind, name: str, days: int) -> list[tuple[date, UsedAmounts]]:
    """The cost of that on each of the last days, today first. Raises Wrong where there is none."""
    return usage.costs_by_day(Whose(kind, _find(kind, name)[0]), days)


def _games(numbers: list[int]) -> dict[int, dict[str, Any]]:
    wall = wall_now()
    games = Game.objects.filter(pk__in=numbers, scratch=False).select_related("host")
    full = disk.shares_used(UsageKind.GAME, numbers)
    worst: dict[int, Whose] = {}
    for whose, _ in usage.costliest(UsageKind.RULE, wall.date(), 10 * len(numbers)):
        worst.setdefault(whose.number, whose)
    return {
        game.pk: {
            "name": game.slug,
            "about": f"{game.title}, of {game.host or 'the operator'}",
            "late": max(0.0, (wall - game.wakes_at).total_seconds()) if game.wakes_at else 0.0,
            "full": full.get(game.pk, 0.0),
            "rule": worst[game.pk].rule if game.pk in worst else "",
            "aside": game.set_aside,
        }
        for game in games
    }


def _users(numbers: list[int]) -> dict[int, dict[str, Any]]:
    full = disk.shares_used(UsageKind.USER, numbers)
    return {
        user.pk: {
            "name": user.username,
            "about": "the operator" if user.is_superuser else "",
            "full": full.get(user.pk, 0.0),
        }
        for user in User.objects.filter(pk__in=numbers)
    }


def _tokens(numbers: list[int]) -> dict[int, dict[str, Any]]:
    tokens = Token.objects.filter(pk__in=numbers).select_related("user")
    return {
        token.pk: {"name": str(token.pk), "about": f"“{token.name}” of {token.user}"}
        for token in tokens
    }


class NoSuchUser(ValueError):
    """Something that is not there, or cannot be locked out or let in; the sentence says why."""


def lock_out(kind: UsageKind, name: str, reason: str, by: str) -> str:
    """Lock that out; what happened, as a sentence. Raises Wrong.

    It waits for no game, and holds in all processes within seconds.
    """
    number, shown = _find(kind, name)
    if kind is UsageKind.USER and User.objects.filter(pk=number, is_superuser=True).exists():
        raise NoSuchUser("Who operates the site is not locked out of it.")
    if not (reason := reason.replace("\0", "").strip()):
        raise NoSuchUser("Say why, in a sentence: it is shown to whom it concerns.")
    if len(reason) > holds.LONGEST_REASON:
        raise NoSuchUser(f"The reason has at most {holds.LONGEST_REASON} characters.")
    if not holds.hold(What.OUT, kind, number, shown, reason, by=by):
        raise NoSuchUser(f"{shown} is locked out already.")
    return f"{shown} is locked out."


def let_in(kind: UsageKind, name: str, by: str) -> str:
    """Let that in again, with its whole share of the disk; a game that is set aside goes on. What
    happened, as a sentence. Raises Wrong, and Busy where a game is to go on."""
    number, shown = _find(kind, name)
    ended = holds.release(What.OUT, kind, number, by=by)
    aside = Game.objects.filter(pk=number, restored={}).exclude(set_aside="")
    if kind is UsageKind.GAME and aside.exists():
        worker_share.let_go_on(number)
        ended = True
    if kind is not UsageKind.TOKEN:
        ended = disk.let_go_on(kind, number, by) or ended
    if not ended:
        raise NoSuchUser(f"{shown} is not locked out.")
    return f"{shown} is let in."


def _find(kind: UsageKind, name: str) -> tuple[int, str]:
    name = name.replace("\0", "").strip()
    if kind is UsageKind.GAME and (game := Game.objects.filter(slug=name, scratch=False).first()):
        return game.pk, f"The game {game.slug}"
    if kind is UsageKind.USER and (user := User.objects.filter(username=name).first()):
        return user.pk, f"The user {user.username}"
    # 17 digits always fit into a column of 64 bits, and PostgreSQL refuses a longer number.
    number = int(name) if name.isascii() and name.isdecimal() and len(name) < 18 else 0
    token = Token.objects.filter(pk=number).select_related("user").first()
    if kind is UsageKind.TOKEN and token:
        return token.pk, f"The token {token.pk}, “{token.name}” of {token.user},"
    raise NoSuchUser(f"There is no {kind} “{name[:60]}” on this site.")
