"""Sending what waits, each at most once.

A delivery is claimed before it is sent, in one statement, so that of two workers one sends it; who
is killed in between has perhaps sent it, and nobody does so again. Therefore no more is claimed
than is begun at once: the letter of one person, or the calls that are made together. What certainly
reached nobody waits for its next attempt, each time longer, for three days. A letter about an
account, which does no harm twice, is sent again where whoever had begun it was killed.
"""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.core.mail import EmailMessage, mailers
from django.db.models import Exists, F, OuterRef, QuerySet, Window
from django.db.models.functions import RowNumber

from nomic.games.clock import wall_now
from nomic.games.models import Player
from nomic.notices import http_client
from nomic.notices.http_client import CallResult
from nomic.notices.mail import letter, message
from nomic.notices.models import (
    AccountLetter,
    Browser,
    Channel,
    Choices,
    Delivery,
    DeliveryState,
    Notice,
)
from nomic.notices.payloads import Call, call, push
from nomic.notices.preferences import choices_of, with_addresses
from nomic.notices.smtp import PerhapsTaken

log = logging.getLogger(__name__)

GIVEN_UP_AFTER = timedelta(days=3)
_LONGEST_PAUSE = timedelta(hours=1)
_LONGEST_WAIT = timedelta(minutes=10)  # for a letter about an account: somebody sits before it
_FOR_GOOD = 500  # the codes of a mail server from which on it will not do another time either
_MAIL_TURN = timedelta(seconds=5)  # after which the calls have theirs
_MOST_CALLS, _MOST_PUT_OFF = 20, 100  # deliveries that are claimed together
_MOST_OF_ONE = 2  # calls of one person, among these
_CLOSED = CallResult("The way is closed.", again=False)
_GONE = CallResult("You have left the game since.", again=False)
_BROKEN = CallResult("It could not be sent, by a fault of this site.", again=False)


def send(until: datetime) -> int:
    """Send what is due, letters and calls by turns, each once and then until that wall moment;
    returns how many were begun."""
    begun = 0
    mailer = mailers.default
    try:
        while count := _mail_accounts(mailer) + _mail(mailer) + _call():
            begun += count
            if wall_now() >= until:
                break
    finally:
        _close_connection(mailer)
    return begun


def _due(*ways: Channel) -> QuerySet[Delivery]:
    return Delivery.objects.filter(
        state=DeliveryState.WAITING, way__in=ways, due_at__lte=wall_now()
    )


def _claim(picked: Iterable[int]) -> list[Any]:
    """Those of the deliveries that nobody else has begun, which are now begun; `plays` says of each
    whether who is told still has a seat in the game."""
    claim = uuid.uuid4()
    waiting = Delivery.objects.filter(pk__in=list(picked), state=DeliveryState.WAITING)
    waiting.update(state=DeliveryState.SENDING, claim=claim)
    seats = Player.objects.filter(
        game=OuterRef("notice__game"), user=OuterRef("notice__user"), active=True
    )
    claimed = Delivery.objects.filter(claim=claim).annotate(plays=Exists(seats))
    return list(claimed.select_related("notice__user", "notice__game").order_by("notice"))


def _mail_accounts(mailer: Any) -> int:
    """Send the letters about accounts that are due, for some seconds; where the mail server does
    not answer, all of them wait."""
    begun = 0
    turn = wall_now() + _MAIL_TURN
    due = AccountLetter.objects.filter(due_at__lte=wall_now())
    while account_letter := due.first():
        wall = wall_now()
        pause = min(timedelta(seconds=30 * 2 ** min(account_letter.attempts, 8)), _LONGEST_WAIT)
        try:
            mailer.open()
        except Exception as error:
            _mail_failure(error)
            due.filter(at__lt=wall - GIVEN_UP_AFTER).delete()
            return begun + due.update(due_at=wall + pause, attempts=F("attempts") + 1)
        same_letter = AccountLetter.objects.filter(pk=account_letter.pk)
        unclaimed = same_letter.filter(due_at=account_letter.due_at)
        if not unclaimed.update(due_at=wall + pause, attempts=F("attempts") + 1):
            continue
        begun += 1
        answer = _post(
            mailer, letter(account_letter.to, account_letter.subject, account_letter.body)
        )
        is_late = wall - account_letter.at > GIVEN_UP_AFTER
        if not answer.problem or not answer.again or is_late:
            same_letter.delete()
        if wall_now() >= turn:
            break
    return begun


def _mail(mailer: Any) -> int:
    """Write to those to whom something is due, a letter each, for some seconds."""
    begun = 0
    turn = wall_now() + _MAIL_TURN
    due = _due(Channel.MAIL).order_by("due_at", "pk")
    while user := due.values_list("notice__user", flat=True).first():
        try:
            mailer.open()
        except Exception as error:
            down = _claim(due.values_list("pk", flat=True)[:_MOST_PUT_OFF])
            _settle(down, _mail_failure(error))
            return begun + len(down)
        claimed = _claim(due.filter(notice__user=user).values_list("pk", flat=True))
        begun += len(claimed)
        if gone := [delivery for delivery in claimed if not delivery.plays]:
            _settle(gone, _GONE)
        _write(mailer, [delivery for delivery in claimed if delivery.plays])
        if wall_now() >= turn:
            break
    return begun


def _write(mailer: Any, deliveries: list[Delivery]) -> None:
    """Send one person one letter; nothing to who has closed this way since."""
    if not deliveries:
        return
    user = deliveries[0].notice.user
    answer = _CLOSED
    try:
        if user.is_active and choices_of(user).mail and with_addresses([user]):
            notices = message(user, [delivery.notice for delivery in deliveries])
            answer = _post(mailer, notices)
    except Exception as error:
        answer = _mail_failure(error)
    _settle(deliveries, answer)


def _post(mailer: Any, message: EmailMessage) -> CallResult:
    """Send that letter; what the mail server answers, nothing of one that it may have taken."""
    try:
        mailer.send_messages([message])
    except PerhapsTaken:
        log.warning("Nobody can tell whether the mail server took a letter")
        _close_connection(mailer)
    except SMTPRecipientsRefused as error:
        codes = {code for code, _ in error.recipients.values()}
        if any(code < _FOR_GOOD for code in codes):
            return _mail_failure(error)
        # all are permanent (RFC 5321, 4.2.1)
        code_list = ", ".join(map(str, sorted(codes)))
        return CallResult(f"The mail server refuses your address (code {code_list}).", again=False)
    except Exception as error:
        _close_connection(mailer)
        return _mail_failure(error)
    return CallResult()


def _close_connection(mailer: Any) -> None:
    """Let go of the connection, which may be dead: the next letter goes over another."""
    try:
        mailer.close()
    except Exception as error:
        log.warning("The mail server did not take leave: %s", type(error).__name__)


def _mail_failure(error: Exception) -> CallResult:
    log.warning("The mail server does not take letters: %s", type(error).__name__)
    return CallResult("The mail server does not take it.")


def _call() -> int:
    """Call webhooks, several at a time, few of one person: who has hundreds waiting, at a receiver
    that takes its time, keeps nobody else waiting."""
    turn = Window(RowNumber(), F("notice__user"), ("due_at", "pk"))
    due = _due(Channel.WEBHOOK, Channel.DISCORD, Channel.PUSH).annotate(turn=turn)
    fair = due.filter(turn__lte=_MOST_OF_ONE).order_by("turn", "due_at", "pk")
    claimed = _claim(fair.values_list("pk", flat=True)[:_MOST_CALLS])
    choices = {
        row.user_id: row
        for row in Choices.objects.filter(
            user__in={delivery.notice.user_id for delivery in claimed}
        )
    }
    browsers = defaultdict(list)
    pushed = {delivery.notice.user_id for delivery in claimed if delivery.way == Channel.PUSH}
    for browser in Browser.objects.filter(user__in=pushed) if pushed else ():
        browsers[browser.user_id].append(browser)
    dead_browsers, wall = set[int](), wall_now()
    # What is sent is made before: a head's signature may ask the database, and no loop may.
    parcels = [
        _parcel(delivery, choices.get(delivery.notice.user_id), wall) for delivery in claimed
    ]
    answers = asyncio.run(_answers(claimed, parcels, browsers, dead_browsers, wall))
    if dead_browsers:
        Browser.objects.filter(pk__in=dead_browsers).delete()
    for delivery, answer in zip(claimed, answers, strict=True):
        _settle([delivery], answer)
    return len(claimed)


async def _answers(
    claimed: list[Any],
    parcels: list[Call | CallResult | None],
    browsers: Mapping[int, list[Browser]],
    gone: set[int],
    wall: datetime,
) -> list[CallResult]:
    """The answers to the claimed deliveries, in their order; the keys of browsers that are no more
    there are added to `gone`."""
    calls = (
        _answer(delivery, parcel, browsers[delivery.notice.user_id], gone, wall)
        for delivery, parcel in zip(claimed, parcels, strict=True)
    )
    return await asyncio.gather(*calls)


def _parcel(delivery: Any, chosen: Choices | None, wall: datetime) -> Call | CallResult | None:
    """What is sent to a webhook or to Discord, or what came of it where nothing is; None for
    browsers. An exception is logged, and fails this delivery alone."""
    if not delivery.plays:
        return _GONE
    if not delivery.notice.user.is_active:
        return _CLOSED
    if delivery.way == Channel.PUSH:
        return None
    try:
        parcel = call(Channel(delivery.way), chosen, delivery.notice, wall) if chosen else None
    except Exception:
        log.exception("The delivery %s cannot be made", delivery.pk)
        return _BROKEN
    return parcel if parcel and parcel.address else _CLOSED


async def _answer(
    delivery: Any,
    parcel: Call | CallResult | None,
    browsers: list[Browser],
    dead_browsers: set[int],
    wall: datetime,
) -> CallResult:
    """The answer to one delivery. An exception is logged, and fails this delivery alone."""
    if isinstance(parcel, CallResult):
        return parcel
    try:
        if parcel is None:
            return await _push(delivery.notice, browsers, dead_browsers, wall)
        return await http_client.post(*parcel)
    except Exception:
        log.exception("The delivery %s failed", delivery.pk)
        return _BROKEN


async def _push(
    notice: Notice, browsers: list[Browser], gone: set[int], wall: datetime
) -> CallResult:
    """The answer to a notice that is sent to all browsers of somebody at once: that of one which
    took it, else of another."""
    calls = [push(browser, notice, wall) for browser in browsers]
    answers = await asyncio.gather(*(http_client.post(*browser_call) for browser_call in calls))
    answered = list(zip(browsers, answers, strict=True))
    gone |= {browser.pk for browser, answer in answered if answer.gone}
    heard_from = [answer for answer in answers if not answer.gone]
    if not heard_from:
        return _CLOSED
    taken = next((answer for answer in heard_from if not answer.problem), heard_from[0])
    return replace(taken, wait=max(answer.wait for answer in heard_from))


def _settle(deliveries: list[Delivery], answer: CallResult) -> None:
    """Note what became of them: sent, to be tried again, or given up."""
    wall = wall_now()
    for delivery in deliveries:
        delivery.attempts += 1
        delivery.state = DeliveryState.SENT
        if answer.problem:
            late = not answer.again or wall - delivery.notice.at > GIVEN_UP_AFTER
            delivery.state = DeliveryState.GIVEN_UP if late else DeliveryState.WAITING
            pause = min(timedelta(seconds=30 * 2 ** min(delivery.attempts, 8)), _LONGEST_PAUSE)
            delivery.due_at = wall + max(pause, timedelta(seconds=answer.wait))
        elif answer.wait:
            delivery.due_at = wall + timedelta(seconds=answer.wait)
        Delivery.objects.filter(pk=delivery.pk).update(
            claim=None,
            attempts=delivery.attempts,
            problem=answer.problem,
            state=delivery.state,
            due_at=delivery.due_at,
        )
    # Others to whom nothing reached, or who took long, wait as long: nobody asks for each of many.
    for delivery in deliveries:
        if delivery.due_at > wall and delivery.state != DeliveryState.GIVEN_UP:
            same = Delivery.objects.filter(
                way=delivery.way, notice__user=delivery.notice.user_id, state=DeliveryState.WAITING
            )
            same.filter(due_at__lt=delivery.due_at).update(due_at=delivery.due_at)
