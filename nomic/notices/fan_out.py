"""From the outbox to people's lists, and on their ways. Done twice, or by two at once, it is done
once: what somebody was told already stays as it is."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import OperationalError
from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber, TruncDate

from nomic.engine.outcomes import NoticeKind
from nomic.games.models import Player
from nomic.notices.models import Choices, Delivery, DeliveryState, Notice, Outgoing
from nomic.notices.outbox import STALE
from nomic.notices.preferences import (
    SITE,
    chosen_kinds,
    due_at,
    ways,
    with_addresses,
    with_browsers,
)

log = logging.getLogger(__name__)

CHANNEL = "nomic:notices"
"""Where the cache tells that somebody has a new notice."""
_MOST_AT_ONCE = 200
_TRIED_FOR = timedelta(minutes=1)
_BATCH = 2_000
_KEPT = 100  # notices of one person
_KEPT_LONGEST = timedelta(days=60)


def spread(wall: datetime) -> int:
    """Let those whom it concerns be told of the oldest things in the outbox; returns how many. A
    fault in one thing keeps nothing else: it stays for a minute, in case that it passes."""
    done = 0
    for outgoing in Outgoing.objects.select_related("game")[:_MOST_AT_ONCE]:
        try:
            if wall - outgoing.at <= STALE and (outgoing.until is None or wall < outgoing.until):
                _spread_one(outgoing, wall)
            outgoing.delete()
            done += 1
        except OperationalError:  # no fault of this one: the database is away, or ends
            raise
        except Exception:
            log.exception("Nobody could be told of %s", outgoing.about)
            Outgoing.objects.filter(pk=outgoing.pk, at__lt=wall - _TRIED_FOR).delete()
    return done


def _spread_one(outgoing: Outgoing, wall: datetime) -> None:
    """Write a notice for each of them, and a delivery for each way on which it leaves."""
    users, message = list(_recipients(outgoing)), outgoing.message
    for begin in range(0, len(users), _BATCH):
        batch = users[begin : begin + _BATCH]
        saved = {row.user_id: row for row in Choices.objects.filter(user__in=batch)}
        choices = {user.pk: saved.get(user.pk) or Choices(user=user) for user in batch}
        Notice.objects.bulk_create(
            (
                Notice(
                    user=user,
                    listed=outgoing.kind in chosen_kinds(choices[user.pk], SITE),
                    **message,
                )
                for user in batch
            ),
            ignore_conflicts=True,
        )
        notices = Notice.objects.filter(user__in=batch, about=outgoing.about, kind=outgoing.kind)
        with_mail, with_browser = with_addresses(batch), with_browsers(batch)
        away = _away(outgoing, batch)
        Delivery.objects.bulk_create(
            (
                Delivery(notice=notice, way=way, due_at=due_at(choices[notice.user_id], way, wall))
                for notice in notices
                if notice.user_id not in away
                for way in ways(
                    choices[notice.user_id],
                    notice,
                    outgoing.game.pace,
                    has_mail=notice.user_id in with_mail,
                    has_browser=notice.user_id in with_browser,
                )
            ),
            ignore_conflicts=True,
        )
        forget_unseen_counts(user.pk for user in batch)
    cache.tell(CHANNEL)  # type: ignore[attr-defined]


def _recipients(outgoing: Outgoing) -> Iterable[User]:
    """Whoever is to be told and could read it: somebody who has ever signed in, or has an address.

    Whoever has left the game, whose account is closed, and who came to the site after it, is told
    nothing.
    """
    seats = Player.objects.filter(game=outgoing.game_id, active=True).exclude(pk=outgoing.but or 0)
    if outgoing.to is not None:
        seats = seats.filter(pk__in=outgoing.to)
    reads = Q(last_login__isnull=False) | ~Q(email="")
    whom = (
        Q(seats__in=seats) if not outgoing.users else Q(seats__in=seats) | Q(pk__in=outgoing.users)
    )
    readers = User.objects.filter(reads, whom, is_active=True, date_joined__lte=outgoing.at)
    if outgoing.users and outgoing.but:  # nobody is told what they did themselves, as host either
        readers = readers.exclude(pk__in=Player.objects.filter(pk=outgoing.but).values("user"))
    return readers.order_by("pk").distinct() if outgoing.users else readers.order_by("pk")


def _away(outgoing: Outgoing, users: Iterable[User]) -> set[int]:
    """The keys of those of these users who are away in the game: it waits in their list, and is
    sent to nobody but who hears so that they are."""
    if outgoing.kind == NoticeKind.AWAY:
        return set()
    seats = Player.objects.filter(game=outgoing.game_id, user__in=users, away_in__isnull=False)
    return {user for user in seats.values_list("user", flat=True) if user is not None}


def count_unseen(user: User) -> int:
    """How many lines the user's list has with something that they have not seen: those of a kind
    in a game on a day are one. The cache remembers it."""
    count: int | None = cache.get(_key(user.pk))
    if count is None:
        unseen = Notice.objects.filter(user=user, seen_at__isnull=True, listed=True).order_by()
        count = unseen.values("game", "kind", day=TruncDate("at")).distinct().count()
        cache.set(_key(user.pk), count, 300)
    return count


def forget_unseen_counts(users: Iterable[int]) -> None:
    """Let what these users have not seen be counted anew."""
    cache.delete_many([_key(user) for user in users])


def _key(user: int) -> str:
    return f"notices:{user}"


def delete_old_notices(wall: datetime) -> int:
    """Let old notices go: of each person the newest 100 stay, and what is on its way or not two
    days old."""
    place = Window(RowNumber(), partition_by=F("user"), order_by=F("pk").desc())
    ranked = Notice.objects.annotate(place=place).filter(place__gt=_KEPT).values("pk")
    old = Q(pk__in=ranked, at__lt=wall - timedelta(days=2)) | Q(at__lt=wall - _KEPT_LONGEST)
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING).values("notice")
    return Notice.objects.filter(old).exclude(pk__in=waiting).delete()[0]
