"""The kinds of notices that somebody chose, and on which ways; and the choice from the start."""

from collections.abc import Collection
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User

from nomic.engine.outcomes import NoticeKind
from nomic.games.calendars import midnight
from nomic.games.models import Pace
from nomic.notices.models import Browser, Channel, Choices, Notice

SITE = "site"
SEVEN_O_CLOCK = timedelta(hours=7)  # UTC, when a daily digest is sent
# Reports are published each week, often several at once: who reads them asks to be told.
_USUAL = frozenset(kind.value for kind in NoticeKind if kind != NoticeKind.REPORT)
# A Discord channel has other readers, whom a notice tells something by being sent: that somebody
# was dealt or offered something, has not voted in a secret ballot, owes a duty.
_FOR_ONE_ALONE = frozenset({NoticeKind.OFFER, NoticeKind.DUTY, NoticeKind.CLOSING, NoticeKind.HOST})
_FROM_THE_START = {
    SITE: _USUAL,
    Channel.MAIL: _USUAL - {NoticeKind.RESULT},
    Channel.WEBHOOK: _USUAL,
    Channel.DISCORD: _USUAL - _FOR_ONE_ALONE,
    Channel.PUSH: _USUAL - {NoticeKind.RESULT, NoticeKind.WEEK},
}


def choices_of(user: User) -> Choices:
    """The user's choices; a row that is not saved where they have chosen nothing yet."""
    return Choices.objects.filter(user=user).first() or Choices(user=user)


def chosen_kinds(choices: Choices, way: str) -> Collection[str]:
    """The kinds of notices that reach somebody on that way."""
    kinds: Collection[str] | None = choices.kinds.get(way)
    return _FROM_THE_START[way] if kinds is None else kinds


def ways(
    choices: Choices, notice: Notice, pace: str, *, has_mail: bool, has_browser: bool
) -> list[Channel]:
    """The ways on which the notice leaves the house. Games whose week lasts minutes stay in it,
    unless the user wants them as well."""
    if pace == Pace.FAST and not choices.fast:
        return []
    open_ways = {
        Channel.MAIL: choices.mail and has_mail,
        Channel.WEBHOOK: bool(choices.webhook),
        Channel.DISCORD: bool(choices.discord),
        Channel.PUSH: has_browser,
    }
    return [way for way in Channel if open_ways[way] and notice.kind in chosen_kinds(choices, way)]


def due_at(choices: Choices, way: Channel, wall: datetime) -> datetime:
    """When that way is gone: at once, or with the next daily digest."""
    if way != Channel.MAIL or not choices.digest:
        return wall
    today = midnight(wall) + SEVEN_O_CLOCK
    return today if wall < today else today + timedelta(days=1)


def with_browsers(users: Collection[User]) -> set[int]:
    """The keys of those who want to be told in a browser."""
    return set(Browser.objects.filter(user__in=users).values_list("user", flat=True))


def with_addresses(users: Collection[User]) -> set[int]:
    """The keys of those who have an address that may be written to: one that they have not left
    unconfirmed, so that nobody is written to who never asked for it."""
    with_one = {user.pk: user.email.casefold() for user in users if user.email}
    unconfirmed = EmailAddress.objects.filter(user__in=with_one, verified=False)
    doubtful = {(key, email.casefold()) for key, email in unconfirmed.values_list("user", "email")}
    return {key for key, email in with_one.items() if (key, email) not in doubtful}
