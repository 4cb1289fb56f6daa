"""Notices in a browser that shows no page of this site (RFC 8030, 8291, 8292).

The service that carries them reads nothing of them. The key that signs them stands nowhere: it
follows from the site's secret.
"""

import base64
import binascii
import json
from datetime import datetime
from email.utils import parseaddr
from functools import cache as once
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.crypto import salted_hmac
from py_vapid import Vapid02

from nomic.notices.calls import Call
from nomic.notices.mail import absolute
from nomic.notices.models import Browser, Notice

MOST_BROWSERS = 10  # of one person: a newer one takes the place of the oldest
_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_GOOD_FOR = 43_200  # seconds of a signature; a service takes a day at most
_KEPT = 86_400  # seconds for which the service keeps what it cannot deliver


class NoBrowser(ValueError):
    """The subscription that was sent names no browser that can be told anything."""


def public_key() -> str:
    """The public key by which a browser knows that it is this site that tells."""
    return _written(_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def checked(p256dh: object, auth: object) -> tuple[str, str]:
    """The keys of a browser as they are kept; raises NoBrowser for what are none."""
    try:
        point, secret = _read(str(p256dh)), _read(str(auth))
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)
    except (ValueError, binascii.Error) as wrong:
        raise NoBrowser("These are no keys of a browser.") from wrong
    if len(secret) != 16:
        raise NoBrowser("These are no keys of a browser.")
    return _written(point), _written(secret)


def push(browser: Browser, notice: Notice, wall: datetime) -> Call:
    """The address, encrypted body and headers with which the notice is sent to that browser."""
    told = {
        "title": notice.game.title,
        "text": notice.text,
        "url": absolute(notice.url),
        "id": str(notice.number),
    }
    body = http_ece.encrypt(
        json.dumps(told, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(_CURVE),
        dh=_read(browser.p256dh),
        auth_secret=_read(browser.auth),
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
        **Vapid02(_key()).sign(claims),
    }
    return browser.endpoint, body, headers


@once
def _key() -> ec.EllipticCurvePrivateKey:
    made = salted_hmac("nomic.push", "the key of this site", algorithm="sha512").digest()
    return ec.derive_private_key(int.from_bytes(made) % (_ORDER - 1) + 1, _CURVE)


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _read(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
