"""The key by which the site signs what it says of a record, and those that it had before."""

from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import InternalError, connection
from django.utils.crypto import salted_hmac

from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.record.heads import RECORD, Head, is_of, statement
from nomic.record.models import SiteKey

_SHORTEST = 32  # characters
_HINT = "Set it to what `openssl rand -hex 32` prints, the same on every machine."


class Signer:
    """Signs with one private key, which it shows to nobody. `public` is its other half, in
    hexadecimal, and `id` how statements name it."""

    def __init__(self, secret: str) -> None:
        seed = salted_hmac("nomic.record.keys", "", secret, algorithm="sha256").digest()
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._private.public_key().public_bytes_raw().hex()
        self.id = SiteKey(public=self.public).name

    def sign(self, words: bytes) -> str:
        """The signature, in hexadecimal: the same for the same words."""
        return self._private.sign(words).hex()


def signer() -> Signer:
    """The key that is in use: of the setting that names one, else of the site's secret."""
    return _signer(settings.SIGNING_KEY or settings.SECRET_KEY)


_signer = lru_cache(maxsize=2)(Signer)


def known_keys() -> list[SiteKey]:
    """Every key of the site, oldest first; the one in use is written down if it was not yet."""
    public = signer().public
    keys = list(SiteKey.objects.all())
    if public in {key.public for key in keys}:
        return keys
    begun = wall_now()
    try:
        SiteKey.objects.get_or_create(public=public, defaults={"begun_at": begun})
    except InternalError:  # a standby writes nothing down, and signs all the same
        return [*keys, SiteKey(public=public, begun_at=begun)]
    return list(SiteKey.objects.all())


def is_signed(words: bytes, public: str, signature: str) -> bool:
    """Whether the owner of that key has signed these words."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), words)
    except InvalidSignature:
        return False
    return True


def head_of(game: Game) -> Head:
    """The newest entry of the game, signed."""
    return signed_head(game, game.last_entry, game.record_head)


def signed_head(game: Game, number: int, digest: str) -> Head:
    """That entry of the game's record, signed."""
    key = signer()
    signature = sign(game.identity, RECORD, number, digest, key.public)
    return Head(number, digest, key.id, signature)


def sign(
    game: str, book: str, number: int | None, digest: str, public: str, content: str | None = None
) -> str:
    """The signature of the key in use, whose other half is `public`; the key is written down by
    then, so that no dump lacks a key that has signed."""
    if public not in _written_down:
        is_kept = any(key.public == public and key.pk for key in known_keys())
        if is_kept and not connection.in_atomic_block:  # within one it may be undone
            _written_down.add(public)
    return _signature(game, book, number, digest, public, content)


_written_down = set[str]()


@lru_cache(maxsize=4096)
def _signature(
    game: str, book: str, number: int | None, digest: str, public: str, content: str | None
) -> str:
    key = signer()
    assert key.public == public
    return key.sign(statement(game, book, number, digest, key.id, content))


def key_named(name: str) -> SiteKey | None:
    """The key of the site that goes by that name."""
    return next((key for key in known_keys() if key.name == name), None)


def has_signed(game: Game, head: Head) -> bool:
    """Whether a key of this site has signed that head as one of this game."""
    key = key_named(head.key) if head.key else None
    words = head.statement_of(game)
    return key is not None and is_signed(words, key.public, head.signature)


def recorded_head(game: Game, saw: Head) -> list[Any] | None:
    """The form in which an entry keeps a head that its actor had seen: its number and hash; of one
    of another history that this site has signed, also the key and the signature, so that it proves
    that there was one. None of a head that anybody could have made up."""
    if is_of(game, saw):
        return [saw.number, saw.hash]
    return [saw.number, saw.hash, saw.key, saw.signature] if has_signed(game, saw) else None


@register(Tags.security, deploy=True)
def signing_key_stands_by_itself(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """A warning where the key follows from the site's secret, which is changed for other reasons,
    or from so few characters that who knows its public half could find it by trying."""
    key = settings.SIGNING_KEY
    if not key:
        warning = (
            "NOMIC_SIGNING_KEY is not set: a new NOMIC_SECRET_KEY changes the signing key too."
        )
        return [Warning(warning, hint=_HINT, id="record.W001")]
    if len(key) < _SHORTEST:
        warning = f"NOMIC_SIGNING_KEY has fewer than {_SHORTEST} characters: others can guess it."
        return [Warning(warning, hint=_HINT, id="record.W002")]
    return []
