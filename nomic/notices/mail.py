"""Notices as an e-mail: one, or all that wait for one person, with a way out in one click."""

from collections.abc import Callable, Sequence
from email.message import EmailMessage as Message
from email.policy import default
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage, make_msgid
from django.urls import reverse

from nomic.notices.models import Notice
from nomic.notices.outbox import one_line
from nomic.record.keys import head_of

_SALT = "notices.unsubscribe"
_LONGEST_SUBJECT = 120
_LONGEST_LINE = 998  # characters (RFC 5322)
_LONGEST_TEXT = 2_000  # characters
_MOST = 100
_MORE: list[Callable[[User, Notice], str]] = []


class _Letter(EmailMessage):
    """A letter whose header lines are not broken: in a broken one no mail program finds the way
    out."""

    def message(self, *, policy: Any = default) -> Message:
        return super().message(policy=policy.clone(max_line_length=_LONGEST_LINE))


def letter(to: str, subject: str, body: str, headers: dict[str, str] | None = None) -> EmailMessage:
    """The e-mail to that address, by the site."""
    return _Letter(
        subject,
        body,
        to=[to],
        headers={
            "Auto-Submitted": "auto-generated",
            # The machine's own name is nobody's business, and finding it out may take a while.
            "Message-ID": make_msgid(domain=urlsplit(settings.ADDRESS).hostname),
            **(headers or {}),
        },
    )


def message(user: User, notices: Sequence[Notice]) -> EmailMessage:
    """The e-mail that tells that user these notices, oldest first."""
    out = absolute(reverse("unsubscribe", args=[signing.dumps(user.pk, salt=_SALT)]))
    newest = notices[-1]
    about = f"{newest.game.title}: {newest.text}"
    if len(notices) > 1:
        about = f"{len(notices)} notices: {', '.join(sorted({n.game.title for n in notices}))}"
    lines: list[str] = []
    for notice in notices[:_MOST]:
        lines.append(f"{notice.game.title}: {notice.text}\n{absolute(notice.url)}")
        lines += filter(None, (tell(user, notice) for tell in _MORE))
    if len(notices) > _MOST:
        lines.append(f"And {len(notices) - _MOST} more: {absolute(reverse('notices'))}")
    games = {notice.game_id: notice.game for notice in notices}
    heads = "\n".join(f"{game.title}: {head_of(game)}" for game in games.values())
    lines.append(
        f"-- \nChoose your notices: {absolute(reverse('notice_choices'))}\n"
        f"No e-mail of this kind any more: {out}\n"
        f"The head of the record, to keep as proof:\n{heads}"
    )
    return letter(
        user.email,
        one_line(f"[{settings.SITE_NAME}] {about}", _LONGEST_SUBJECT),
        "\n\n".join(lines),
        {
            "List-Unsubscribe": f"<{out}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def adds_to_letters(tell: Callable[[User, Notice], str]) -> Callable[[User, Notice], str]:
    """Let letters say what that function tells a user of a notice, below it; "" for nothing."""
    _MORE.append(tell)
    return tell


def shortened(text: str) -> str:
    """The text as a letter has room for it: its first 2,000 characters."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"


def unsubscribed(token: str) -> int | None:
    """The key of the user whom that link lets out; None where nobody was sent such a link."""
    try:
        key: int = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return key


def absolute(path: str) -> str:
    """The whole address of a page of this site."""
    return f"{settings.ADDRESS}{path}"
