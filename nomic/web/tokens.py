"""Making, knowing and revoking the tokens with which programs act for their users, and what each
may be used for."""

import hashlib
import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import InternalError, models

from nomic.games.clock import wall_now
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.web.models import Token

LONGEST_NAME = 60
_BEGINNING = "nomic_"  # so that a leaked token is known for what it is
_LONGEST_TOKEN = 200
_USE_IS_NOTED_EVERY = timedelta(minutes=1)
_GOOD = CompiledQuery(lambda: Token.objects.filter(revoked_at__isnull=True), "user")


class Scope(models.TextChoices):
    """What a program may do for its user."""

    READ = "read", "See what you see, your private things too"
    ACT = "act", "Act for you in your games, as a player"
    OFFICE = "office", "Act for the offices that you hold"
    HOST = "host", "Run the games that you host"


def make_token(
    user: User,
    name: str,
    scopes: Collection[str] = tuple(Scope),
    expires_at: datetime | None = None,
) -> tuple[Token, str]:
    """A new token of that user for these scopes, and its plain text, which nobody can find out
    again.

    A long `name` is cut to 60 characters.
    """
    plain = _BEGINNING + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user,
        name=name.strip()[:LONGEST_NAME] or "token",
        digest=_digest(plain),
        scopes=[scope.value for scope in Scope if scope in scopes],
        made_at=wall_now(),
        expires_at=expires_at,
    )
    return token, plain


def find_token(plain: str) -> Token | None:
    """The token with that plain text, its user at hand, whether it has expired or not; None for one
    unknown or revoked."""
    if len(plain) > _LONGEST_TOKEN:
        return None
    return _GOOD.first(digest=_digest(plain))


def note_use(token: Token, wall: datetime) -> None:
    """Keep the wall moment of the last use; a busy token is written once a minute.

    A database that can only be read keeps none, and answers all the same.
    """
    if token.last_used_at is None or wall - token.last_used_at >= _USE_IS_NOTED_EVERY:
        with suppress(InternalError):
            Token.objects.filter(pk=token.pk).update(last_used_at=wall)


def revoke(token: Token) -> None:
    """Let the token open nothing from now on; that it was there stays to be seen."""
    if token.revoked_at is None:
        token.revoked_at = wall_now()
        token.save(update_fields=["revoked_at"])


def _digest(plain: str) -> str:
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()
