"""From the outbox to people's lists, and on their ways. Done twice, or by two at once, it is done
once: what somebody was told already stays as it is."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import OperationalError
from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from nomic.games.models import Player
from nomic.notices.choosing import SITE, chosen, due_at, mailed, pushed, ways
from nomic.notices.models import Choices, Delivery, Notice, Outgoing, State
from nomic.notices.outbox import STALE

log = logging.getLogger(__name__)

_MOST_AT_ONCE = 200
_TRIED_FOR = timedelta(minutes=1)
_BATCH = 2_000
_KEPT = 100  # notices of one person
_KEPT_LONGEST = timedelta(days=60)


def spread(wall: datetime) -> int:
    """Let those whom it concerns be told of the oldest things in the outbox; returns how many. A
    fault in one thing keeps nothing else: it stays for a minute, in case that it passes."""
    done = 0
    for told in Outgoing.objects.select_related("game")[:_MOST_AT_ONCE]:
        try:
            if wall - told.at <= STALE and (told.until is None or wall < told.until):
                _tell(told, wall)
            told.delete()
            done += 1
        except OperationalError:
            raise
        except Exception:
            log.exception("Nobody could be told of %s", told.about)
            Outgoing.objects.filter(pk=told.pk, at__lt=wall - _TRIED_FOR).delete()
    return done


def _tell(told: Outgoing, wall: datetime) -> None:
    """Write a notice for each of them, and a delivery for each way on which it leaves."""
    users, message = list(_concerned(told)), told.message
    for begin in range(0, len(users), _BATCH):
        some = users[begin : begin + _BATCH]
        known = {each.user_id: each for each in Choices.objects.filter(user__in=some)}
        choices = {user.pk: known.get(user.pk) or Choices(user=user) for user in some}
        Notice.objects.bulk_create(
            (
                Notice(user=user, listed=told.kind in chosen(choices[user.pk], SITE), **message)
                for user in some
            ),
            ignore_conflicts=True,
        )
        made = Notice.objects.filter(user__in=some, about=told.about, kind=told.kind)
        with_mail, with_browser = mailed(some), pushed(some)
        Delivery.objects.bulk_create(
            (
                Delivery(notice=each, way=way, due_at=due_at(choices[each.user_id], way, wall))
                for each in made
                for way in ways(
                    choices[each.user_id],
                    each,
                    told.game.pace,
                    has_mail=each.user_id in with_mail,
                    has_browser=each.user_id in with_browser,
                )
            ),
            ignore_conflicts=True,
        )
        forget(user.pk for user in some)


def _concerned(told: Outgoing) -> Iterable[User]:
    """Whoever is to be told and could read it: somebody who has ever signed in, or has an address.

    Whoever has left the game, whose account is closed, and who came to the site after it, is told
    nothing.
    """
    seats = Player.objects.filter(game=told.game_id, active=True).exclude(pk=told.but or 0)
    if told.to is not None:
        seats = seats.filter(pk__in=told.to)
    reads = Q(last_login__isnull=False) | ~Q(email="")
    whom = Q(seats__in=seats) if not told.users else Q(seats__in=seats) | Q(pk__in=told.users)
    here = User.objects.filter(reads, whom, is_active=True, date_joined__lte=told.at)
    return here.order_by("pk").distinct() if told.users else here.order_by("pk")


def unseen(user: User) -> int:
    """How many notices the user has not seen; the cache remembers it."""
    count: int | None = cache.get(_key(user.pk))
    if count is None:
        count = Notice.objects.filter(user=user, seen_at__isnull=True, listed=True).count()
        cache.set(_key(user.pk), count, 300)
    return count


def forget(users: Iterable[int]) -> None:
    """Let what these users have not seen be counted anew."""
    cache.delete_many([_key(user) for user in users])


def _key(user: int) -> str:
    return f"notices:{user}"


def tidy(wall: datetime) -> int:
    """Let old notices go: of each person the newest 100 stay, and what is on its way or not two
    days old."""
    place = Window(RowNumber(), partition_by=F("user"), order_by=F("pk").desc())
    ranked = Notice.objects.annotate(place=place).filter(place__gt=_KEPT).values("pk")
    old = Q(pk__in=ranked, at__lt=wall - timedelta(days=2)) | Q(at__lt=wall - _KEPT_LONGEST)
    waiting = Delivery.objects.filter(state=State.WAITING).values("notice")
    return Notice.objects.filter(old).exclude(pk__in=waiting).delete()[0]
