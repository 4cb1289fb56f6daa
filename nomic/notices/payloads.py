"""Notices as the bodies of calls: of webhooks, one of this house's, signed, and Discord's; and of a
browser that shows no page of this site (RFC 8030, 8291, 8292).

The service that carries a browser's reads nothing of them. The keys that sign stand nowhere: they
follow from the site's secret.
"""

import base64
import binascii
import hashlib
import hmac
import json
from datetime import datetime
from email.utils import parseaddr
from functools import cache as once
from typing import NamedTuple
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.crypto import salted_hmac
from py_vapid import Vapid02

from nomic.games.clock import iso
from nomic.notices.mail import absolute
from nomic.notices.models import Browser, Channel, Choices, Notice
from nomic.record.heads import LONGEST
from nomic.record.keys import head_of

MOST_BROWSERS = 10  # of one person: a newer one takes the place of the oldest
_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_GOOD_FOR = 43_200  # seconds of a signature; a service takes a day at most
_KEPT = 86_400  # seconds for which the service keeps what it cannot deliver
_MOST_OF_DISCORD = 2_000  # characters


class Call(NamedTuple):
    """What is sent."""

    address: str
    body: bytes
    headers: dict[str, str]


def call(way: Channel, choices: Choices, notice: Notice, wall: datetime) -> Call:
    """The address, body and headers with which the notice is sent on that way."""
    if way == Channel.DISCORD:
        text = f"{notice.game.title}: {notice.text}"
        head = head_of(notice.game)
        message = f"{text}\n{absolute(notice.url)}"
        # The text is cut and not the head behind it, which proves something only if it is whole.
        content = {
            "content": f"{message[: _MOST_OF_DISCORD - LONGEST]}\n-# {head}",
            "allowed_mentions": {"parse": []},  # what players write calls nobody of the channel
        }
        return Call(choices.discord, json.dumps(content).encode(), {})
    content = {**notice_to_dict(notice), "head": str(head_of(notice.game))}
    body = json.dumps(content, ensure_ascii=False).encode()
    headers = signature(choices, str(notice.number), int(wall.timestamp()), body)
    return Call(choices.webhook, body, headers)


def notice_to_dict(notice: Notice) -> dict[str, str]:
    """What a program is told of a notice."""
    return {
        "id": str(notice.number),
        "kind": notice.kind,
        "game": notice.game.slug,
        "text": notice.text,
        "url": absolute(notice.url),
        "at": iso(notice.at),
    }


def signature(choices: Choices, number: str, seconds: int, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows that it is we who call (standardwebhooks.com)."""
    signed = b".".join((number.encode(), str(seconds).encode(), body))
    mac = hmac.new(_key(choices), signed, hashlib.sha256).digest()
    return {
        "webhook-id": number,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
    }


def secret(choices: Choices) -> str:
    """The user's own key, as their program is told it: it follows from the site's secret and from
    how often it was renewed."""
    return f"whsec_{base64.b64encode(_key(choices)).decode()}"


def _key(choices: Choices) -> bytes:
    mac = salted_hmac("notices.webhook", f"{choices.user_id} {choices.key}", algorithm="sha256")
    return mac.digest()


# Browsers


class NoBrowser(ValueError):
    """The subscription that was sent names no browser that can be told anything."""


def public_key() -> str:
    """The public key by which a browser knows that it is this site that tells."""
    return _base64url(
        _own_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    )


def checked_keys(p256dh: object, auth: object) -> tuple[str, str]:
    """The keys of a browser as they are kept; raises NoBrowser for what are none."""
    try:
        point, secret = _from_base64url(str(p256dh)), _from_base64url(str(auth))
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)
    except (ValueError, binascii.Error) as wrong:
        raise NoBrowser("These are no keys of a browser.") from wrong
    if len(secret) != 16:
        raise NoBrowser("These are no keys of a browser.")
    return _base64url(point), _base64url(secret)


def push(browser: Browser, notice: Notice, wall: datetime) -> Call:
    """The address, encrypted body and headers with which the notice is sent to that browser."""
    content = {
        "title": notice.game.title,
        "text": notice.text,
        "url": absolute(notice.url),
        "id": str(notice.number),
    }
    body = http_ece.encrypt(
        json.dumps(content, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(_CURVE),
        dh=_from_base64url(browser.p256dh),
        auth_secret=_from_base64url(browser.auth),
        version="aes128gcm",
    )
    to = urlsplit(browser.endpoint)
    claims = {
        "aud": f"{to.scheme}://{to.netloc}",
        "exp": int(wall.timestamp()) + _GOOD_FOR,
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_KEPT),
        **Vapid02(_own_key()).sign(claims),
    }
    return Call(browser.endpoint, body, headers)


@once
def _own_key() -> ec.EllipticCurvePrivateKey:
    seed = salted_hmac("nomic.push", "the key of this site", algorithm="sha512").digest()
    # A private key is a number from 1 to below the order of the curve.
    return ec.derive_private_key(int.from_bytes(seed) % (_ORDER - 1) + 1, _CURVE)


def _base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _from_base64url(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
