"""Webhooks for all entries of a game: each in its order, none left out.

What is sent is public, and only as long as whoever asked for it sees the game. The entries after
those that have arrived are sent in one call, and no others before these have arrived: after a
status of 200 to 299. Where nobody can tell, the same call is made again, known by its
`webhook-id`. It is signed by the user's own key (docs/notices.md).
"""

import asyncio
import json
import logging
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F, Q

from nomic.games.bounds import HOOKS
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game
from nomic.notices import http_client
from nomic.notices.http_client import CallResult
from nomic.notices.payloads import signature
from nomic.notices.preferences import choices_of
from nomic.quotas.holds import locked_out
from nomic.quotas.models import UsageKind
from nomic.record.models import Entry
from nomic.web.api import shapes
from nomic.web.api.games import page_within_bytes
from nomic.web.game_context import game_known_to
from nomic.web.models import Hook

log = logging.getLogger(__name__)

GIVEN_UP_AFTER = timedelta(days=3)
_LONGEST_PAUSE = timedelta(hours=1)
_CLAIMED = timedelta(minutes=2)  # longer than any call takes
_AT_ONCE = 20  # calls
_ENTRIES = 100  # of one call
_LOGGED = 50  # calls of each hook
_UNSEEN = "You do not see this game any more."
_LOCKED_OUT = "Your account was locked out."


class TooMany(ValueError):
    """The user has as many hooks as one may have."""


def add(user: User, game: Game, url: str) -> Hook:
    """Let the game's entries from now on be sent there. Raises TooMany."""
    if Hook.objects.filter(user=user).count() >= HOOKS.count:
        raise TooMany(f"You have {HOOKS.count} of them. Remove one first.")
    return Hook.objects.create(
        user=user, game=game, url=url, sent=game.last_entry, due_at=wall_now()
    )


def go_on(hook: Hook) -> None:
    """Let one that has stopped be called again, from where it stopped."""
    Hook.objects.filter(pk=hook.pk).update(
        stopped="", failing_since=None, attempts=0, due_at=wall_now()
    )


def call_due(wall: datetime) -> int:
    """Make the calls that are due at that moment, some at once; how many were made."""
    has_news = Q(game__last_entry__gt=F("sent")) | Q(asks=True)
    due = Hook.objects.filter(has_news, stopped="", due_at__lte=wall).select_related("game", "user")
    hooks = []
    for hook in due.order_by("due_at", "pk")[:_AT_ONCE]:
        same = Hook.objects.filter(pk=hook.pk, due_at=hook.due_at, stopped="")
        if same.update(due_at=wall + _CLAIMED):  # nobody else has begun it
            hooks.append(hook)
    calls = [(hook, _call_of(hook, wall)) for hook in hooks]
    calls_to_make = [(hook, call) for hook, call in calls if call]
    answers = asyncio.run(_answers([call for _, call in calls_to_make])) if calls_to_make else []
    for (hook, call), answer in zip(calls_to_make, answers, strict=True):
        _settle(hook, call, answer, wall)
    return len(calls_to_make)


async def _answers(calls: list[dict[str, Any]]) -> list[CallResult]:
    return await asyncio.gather(
        *(http_client.post(call["url"], call["body"], call["headers"]) for call in calls)
    )


def _call_of(hook: Hook, wall: datetime) -> dict[str, Any] | None:
    """What is sent next to that address; None where nothing is any more."""
    is_out = not hook.user.is_active or locked_out(UsageKind.USER, hook.user_id)
    if is_out or not _sees(hook):
        Hook.objects.filter(pk=hook.pk).update(stopped=_LOCKED_OUT if is_out else _UNSEEN)
        return None
    content: dict[str, Any] = {"game": hook.game.slug, "at": iso(wall)}
    if hook.asks:
        name, first, last = f"{hook.number}.trial.{int(wall.timestamp())}", None, None
        content |= {"type": "trial", "entries": []}
    else:
        upto = hook.upto if hook.upto > hook.sent else hook.game.last_entry
        entries = Entry.objects.filter(game=hook.game, seq__gt=hook.sent, seq__lte=upto)
        page = page_within_bytes(entries.order_by("seq"), _ENTRIES)
        sent = [shapes.Entry.from_orm(entry).model_dump(mode="json") for entry in page]
        first, last = sent[0]["seq"], sent[-1]["seq"]
        Hook.objects.filter(pk=hook.pk).update(upto=last)
        name = f"{hook.number}.{first}-{last}"
        content |= {"type": "entries", "entries": sent}
    body = json.dumps(content, ensure_ascii=False).encode()
    headers = signature(choices_of(hook.user), name, int(wall.timestamp()), body)
    return {"url": hook.url, "body": body, "headers": headers, "first": first, "last": last}


def _sees(hook: Hook) -> bool:
    everybodys = Game.objects.seen_by(None).filter(pk=hook.game_id).exists()
    return everybodys or game_known_to(hook.user, hook.game.slug) is not None


def _settle(hook: Hook, call: dict[str, Any], answer: CallResult, wall: datetime) -> None:
    """Note what became of a call, and when the next is due."""
    problem = answer.problem or ("It did not answer in time." if answer.wait else "")
    line = {"at": iso(wall), "first": call["first"], "last": call["last"], "problem": problem}
    changed: dict[str, Any] = {"log": [line, *hook.log][:_LOGGED], "asks": False}
    if not problem:
        changed |= {"due_at": wall, "failing_since": None, "attempts": 0}
        changed |= {"sent": call["last"]} if call["last"] else {}
    elif call["last"]:
        since, attempts = hook.failing_since or wall, hook.attempts + 1
        pause = min(timedelta(seconds=15 * 2 ** min(attempts, 9)), _LONGEST_PAUSE)
        pause = max(pause, timedelta(seconds=answer.wait))
        changed |= {"due_at": wall + pause, "failing_since": since, "attempts": attempts}
        if wall - since > GIVEN_UP_AFTER:
            changed["stopped"] = f"It has been tried for three days. {problem}"
    else:
        changed["due_at"] = hook.due_at
    Hook.objects.filter(pk=hook.pk).update(**changed)
