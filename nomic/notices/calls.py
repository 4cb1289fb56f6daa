"""Notices as the bodies of webhooks: one of this house's, signed, and Discord's."""

import base64
import hashlib
import hmac
import json
from datetime import datetime

from django.utils.crypto import salted_hmac

from nomic.games.clock import iso
from nomic.notices.mail import absolute
from nomic.notices.models import Channel, Choices, Notice
from nomic.record.heads import LONGEST
from nomic.record.keys import head_of

_MOST_OF_DISCORD = 2_000  # characters

Call = tuple[str, bytes, dict[str, str]]  # address, body, headers


def call(way: Channel, choices: Choices, notice: Notice, wall: datetime) -> Call:
    """The address, body and headers with which the notice is sent on that way."""
    if way == Channel.DISCORD:
        text = f"{notice.game.title}: {notice.text}"
        head = head_of(notice.game)
        said = f"{text}\n{absolute(notice.url)}"
        told = {
            "content": f"{said[: _MOST_OF_DISCORD - LONGEST]}\n-# {head}",
            "allowed_mentions": {"parse": []},
        }
        return choices.discord, json.dumps(told).encode(), {}
    told = {
        "id": str(notice.number),
        "kind": notice.kind,
        "game": notice.game.slug,
        "text": notice.text,
        "url": absolute(notice.url),
        "at": iso(notice.at),
        "head": str(head_of(notice.game)),
    }
    body = json.dumps(told, ensure_ascii=False).encode()
    return (
        choices.webhook,
        body,
        signature(choices, str(notice.number), int(wall.timestamp()), body),
    )


def signature(choices: Choices, number: str, seconds: int, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows that it is we who call (standardwebhooks.com)."""
    signed = b".".join((number.encode(), str(seconds).encode(), body))
    made = hmac.new(_key(choices), signed, hashlib.sha256).digest()
    return {
        "webhook-id": number,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{base64.b64encode(made).decode()}",
    }


def secret(choices: Choices) -> str:
    """The user's own key, as their program is told it. It stands nowhere: it follows from the
    site's secret and from how often it was renewed."""
    return f"whsec_{base64.b64encode(_key(choices)).decode()}"


def _key(choices: Choices) -> bytes:
    made = salted_hmac("notices.webhook", f"{choices.user_id} {choices.key}", algorithm="sha256")
    return made.digest()
