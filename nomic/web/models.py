"""Tokens that a player's programs sign in with, guests, accounts that are being closed, copies of
all that the site holds of somebody, the operator's own pages, games that are being filled, and
rulebooks that are brought."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models

from nomic.games.guards import Hidden
from nomic.games.models import Game


class Token(models.Model):
    """A program's right to act as its user, as far as its `scopes` go (`tokens.Scope`) and until
    `expires_at`, if that is set. Only a digest is kept; the token is shown once.

    Moments are of the wall. `last_used_at` is true to the minute.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-pk")

    def __str__(self) -> str:
        return self.name

    def has_expired(self, wall: datetime) -> bool:
        """Whether it opens nothing any more at that wall moment."""
        return self.expires_at is not None and self.expires_at <= wall


class Hook(models.Model):
    """An address to which a user has each entry of a game's public record sent.

    `sent` is the last entry that arrived; one call at a time sends those after it, up to `upto`
    until these have arrived. `log` are the newest calls. `stopped` says why none is made any more,
    `asks` that a trial is wanted. Moments are of the wall; `due_at` is that of the next call.
    """

    hides = Hidden()
    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hooks")
    number = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    url = models.URLField(max_length=500)
    sent = models.PositiveIntegerField()
    upto = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(db_index=True)
    failing_since = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    stopped = models.CharField(max_length=200, blank=True)
    asks = models.BooleanField(default=False)
    log = models.JSONField(default=list)

    class Meta:
        ordering = ("pk",)

    @property
    def newest_calls(self) -> list[tuple[datetime, dict[str, Any]]]:
        """What became of the newest calls, each with its wall moment, the newest first."""
        return [(datetime.fromisoformat(call["at"]), call) for call in self.log]

    def __str__(self) -> str:
        return f"{self.game} to {self.url}"


class Guest(models.Model):
    """That user plays without a name and a password of their own, and may have them later.

    `place` is a digest of the address that asked for the seat. Moments are of the wall.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="guest")
    place = models.CharField(max_length=32)
    made_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"Guest {self.pk}"


class Closing(models.Model):
    """That account is being closed: nobody signs in any more, and it is gone once it has left its
    games. `forgotten_at` is when all went that no game needs; with `renames`, its seats go by the
    name of a former player. Moments are of the wall."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="closing")
    renames = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    forgotten_at = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"the closing of {self.user}"


class OwnCopy(models.Model):
    """A copy of all that the site holds of somebody, which they asked for: a ZIP in `packed` as
    soon as a worker has made it. Moments are of the wall."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="own_copy")
    asked_at = models.DateTimeField(db_index=True)
    made_at = models.DateTimeField(null=True, blank=True)
    packed = models.BinaryField(default=bytes)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"the copy of {self.user}"


class SitePage(models.Model):
    """A page about the site that its operator has written, in Markdown, in place of the one that is
    shipped. Of `contact` the text is an address. `changed_at` is a wall moment."""

    name = models.SlugField(max_length=20, unique=True)
    text = models.TextField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Filling(models.Model):
    """The game of that slug is being filled, and nobody joins it meanwhile.

    `seats` are those that people get as soon as it is filled: their user and their name.
    """

    slug = models.SlugField(max_length=60, unique=True)
    told = models.CharField(max_length=200)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField()
    seats = models.JSONField(default=list)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.told

    @property
    def percent(self) -> int:
        """How much is done; not all, as long as there is something left."""
        return min(100 * self.done // max(self.of, 1), 99)


class Bringings(models.QuerySet["Bringing"]):
    def newest_of(self, user: Any) -> Bringing | None:
        """What that user has sent last, without the bytes and the rules themselves."""
        return self.filter(user=user).defer("sent", "packed").first()

    def draft_of(self, user: Any) -> Bringing | None:
        """What that user has sent last of which all was understood."""
        understood = self.filter(user=user).exclude(digest="")
        return understood.defer("sent", "packed", "summary").first()


class Bringing(models.Model):
    """A rulebook from elsewhere that a user has sent, and what a worker has understood of it.

    `sent` are the bytes of the file of that `name`, and `choices` what the user says of it
    (`rulebook.formats.values.FileChoices`). `summary` is what pages list, and `packed` the rules:
    both are JSON that is packed, since PostgreSQL's would not take each character of a
    stranger's file. Where all was understood, `digest` tells it from others. Moments are of the
    wall.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bringings")
    name = models.CharField(max_length=200)
    sent = models.BinaryField(default=bytes)
    choices = models.JSONField(default=dict)
    sent_at = models.DateTimeField(db_index=True)
    read_at = models.DateTimeField(null=True, blank=True)
    summary = models.BinaryField(default=bytes)
    packed = models.BinaryField(default=bytes)
    digest = models.CharField(max_length=16, blank=True)

    objects = Bringings.as_manager()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.name
