"""Sending what waits, each at most once.

A delivery is claimed before it is sent, in one statement, so that of two workers one sends it; who
is killed in between has perhaps sent it, and nobody does so again. What certainly reached nobody
waits for its next attempt, each time longer, for three days.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Coroutine, Iterable
from datetime import datetime, timedelta
from itertools import groupby
from smtplib import SMTPServerDisconnected
from typing import Any

from django.core.mail import mailers
from django.db.models import QuerySet

from nomic.games.clock import wall_now
from nomic.notices import outward
from nomic.notices.calls import call
from nomic.notices.choosing import choices_of, mailed
from nomic.notices.mail import message
from nomic.notices.models import Choices, Delivery, State, Way
from nomic.notices.outward import Answer

log = logging.getLogger(__name__)

GIVEN_UP_AFTER = timedelta(days=3)
_LONGEST_PAUSE = timedelta(hours=1)
_MOST_CALLS, _MOST_MAIL = 20, 100  # deliveries that are claimed together


def send(until: datetime) -> int:
    """Send what is due, and begin nothing after that wall moment; returns how many were begun."""
    begun = 0
    for step in (_mail, _call):
        while wall_now() < until and (count := step(until)):
            begun += count
    return begun


def _due(*ways: Way) -> QuerySet[Delivery]:
    return Delivery.objects.filter(state=State.WAITING, way__in=ways, due_at__lte=wall_now())


def _claim(picked: Iterable[int]) -> list[Delivery]:
    """Those of the deliveries that nobody else has begun, which are now begun."""
    claim = uuid.uuid4()
    waiting = Delivery.objects.filter(pk__in=list(picked), state=State.WAITING)
    waiting.update(state=State.SENDING, claim=claim)
    found = Delivery.objects.filter(claim=claim).select_related("notice__user", "notice__game")
    return list(found.order_by("notice__user", "notice"))


def _mail(until: datetime) -> int:
    """Write to those to whom something is due, a letter each; in time, or later."""
    due = _due(Way.MAIL).order_by("due_at", "notice__user", "pk").values_list("pk", flat=True)
    claimed = _claim(due[:_MOST_MAIL])
    if not claimed:
        return 0
    mailer = mailers.default
    try:
        mailer.open()
    except Exception as error:
        _settle(claimed, _failed(error))
        return len(claimed)
    try:
        for _, letter in groupby(claimed, key=lambda each: each.notice.user_id):
            if wall_now() < until:
                _write(mailer, list(letter))
            else:
                _put_back(letter)
    finally:
        mailer.close()
    return len(claimed)


def _put_back(deliveries: Iterable[Delivery]) -> None:
    """Let others begin what was claimed and not begun."""
    claimed = Delivery.objects.filter(pk__in=[each.pk for each in deliveries])
    claimed.update(state=State.WAITING, claim=None)


def _write(mailer: Any, letter: list[Delivery]) -> None:
    """Send one person one letter; nothing to who has closed this way since."""
    user = letter[0].notice.user
    if not (user.is_active and choices_of(user).mail and mailed([user])):
        _settle(letter, None)
        return
    try:
        mailer.send_messages([message(user, [each.notice for each in letter])])
    except (TimeoutError, SMTPServerDisconnected):
        log.warning("Nobody can tell whether the mail server took a letter")
        _settle(letter, Answer())
    except Exception as error:
        _settle(letter, _failed(error))
    else:
        _settle(letter, Answer())


def _failed(error: Exception) -> Answer:
    log.warning("The mail server does not take letters: %s", type(error).__name__)
    return Answer("The mail server does not take it.")


def _call(until: datetime) -> int:
    """Call webhooks, several at a time."""
    due = _due(Way.WEBHOOK, Way.DISCORD).order_by("due_at", "pk").values_list("pk", flat=True)
    claimed = _claim(due[:_MOST_CALLS])
    choices = {
        each.user_id: each
        for each in Choices.objects.filter(user__in={one.notice.user_id for one in claimed})
    }
    wall = wall_now()
    calls = []
    for each in claimed:
        chosen = choices.get(each.notice.user_id)
        there = call(Way(each.way), chosen, each.notice, wall) if chosen else ("", b"", {})
        if there[0] and each.notice.user.is_active:
            calls.append((each, outward.post(*there)))
        else:
            _settle([each], None)
    answers = asyncio.run(_all(made for _, made in calls))
    for (each, _), answer in zip(calls, answers, strict=True):
        _settle([each], answer)
    return len(claimed)


async def _all(calls: Iterable[Coroutine[Any, Any, Answer]]) -> list[Answer]:
    return await asyncio.gather(*calls)


def _settle(deliveries: list[Delivery], answer: Answer | None) -> None:
    """Note what became of them: sent, to be tried again, or given up; None: the way is closed."""
    wall = wall_now()
    for each in deliveries:
        each.claim = None
        each.attempts += 1
        each.problem = answer.problem if answer else "The way is closed."
        each.state = State.SENT
        if each.problem:
            late = answer is None or wall - each.notice.at > GIVEN_UP_AFTER
            each.state = State.GIVEN_UP if late else State.WAITING
            each.due_at = wall + _pause(each.attempts, answer)
        each.save(update_fields=["claim", "attempts", "problem", "state", "due_at"])
    _wait_for_the_same(deliveries)


def _wait_for_the_same(deliveries: list[Delivery]) -> None:
    """What else waits for whom nothing reached waits as long: nobody is asked for each of many."""
    for each in deliveries:
        if each.state == State.WAITING:
            same = Delivery.objects.filter(
                way=each.way, notice__user=each.notice.user_id, state=State.WAITING
            )
            same.filter(due_at__lt=each.due_at).update(due_at=each.due_at)


def _pause(attempts: int, answer: Answer | None) -> timedelta:
    asked = timedelta(seconds=answer.wait if answer else 0)
    return max(asked, min(timedelta(seconds=30 * 2 ** min(attempts, 8)), _LONGEST_PAUSE))
