"""Notices to people: first in the outbox, then on their list, and on the ways they chose."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from nomic.games.guards import Hidden, InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf


class Channel(models.TextChoices):
    """How a notice leaves the house. That of the site's own list is no delivery."""

    MAIL = "mail", "E-mail"
    WEBHOOK = "webhook", "Webhook"
    DISCORD = "discord", "Discord"
    PUSH = "push", "Browser"


class DeliveryState(models.TextChoices):
    """Whether a delivery is done. What is `sending` was begun once, and is never begun again."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    GIVEN_UP = "given up"


class Choices(models.Model):
    """Which kinds of notices reach somebody on which way, and where to.

    `kinds` has for `site` and each way the kinds that were chosen; a way that is missing has those
    from the start. `calendar` and `key` count how often the secret address of the calendar and the
    key of the webhook were renewed.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="notice_choices"
    )
    kinds = models.JSONField(default=dict)
    mail = models.BooleanField(default=True)
    digest = models.BooleanField(default=False)
    fast = models.BooleanField(default=False)
    webhook = models.URLField(max_length=500, blank=True)
    discord = models.URLField(max_length=500, blank=True)
    calendar = models.PositiveIntegerField(default=0)
    key = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"what {self.user} is told"


class Browser(models.Model):
    """A browser in which somebody wants to be told (RFC 8030): the address at its maker's service,
    and the keys with which only it reads what comes (RFC 8291), as it gave them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="browsers")
    endpoint = models.URLField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"a browser of {self.user}"


class AccountLetter(models.Model):
    """A letter about an account, such as one by which a new password is chosen: written with what
    it is about, and gone once it was sent or given up, since its link lets in whoever opens it.

    `at` and `due_at`, that of the next attempt, are wall moments.
    """

    to = models.EmailField()
    subject = models.TextField()
    body = models.TextField()
    at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("due_at", "pk")

    def __str__(self) -> str:
        return f"a letter to {self.to}"


class _Message(models.Model):
    """News of a game: of the wall moment `at`, and of no use from the wall moment `until` on.
    `kind` is a NoticeKind; the migrations know no list of them."""

    hides = Hidden()
    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    text = models.CharField(max_length=400)
    url = models.CharField(max_length=300)
    at = models.DateTimeField()
    until = models.DateTimeField(null=True)
    about = models.CharField(max_length=120)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.text


class Outgoing(_Message):
    """Something to be told, written with what it tells: the outbox. It is gone once it is spread.

    `to` are players' keys, None everybody who plays; `but` is the player who did it. `users` are
    the keys of users who are told as well, be they players or not.
    """

    to = models.JSONField(null=True)
    users = models.JSONField(default=list)
    but = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ("pk",)

    @property
    def message(self) -> dict[str, Any]:
        """The news, as the columns of a notice."""
        return {column.name: getattr(self, column.name) for column in _Message._meta.fields}


class Notice(_Message):
    """News for one person, who is told once where `about` is the same. `number` is what programs
    know it by: it tells nobody how many others there are. `seen_at` is a wall moment."""

    number = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    listed = models.BooleanField(default=True)
    seen_at = models.DateTimeField(null=True)

    @property
    def entry(self) -> int | None:
        """The number of the public entry that it tells of; None for what is none."""
        _, _, rest = self.about.partition("/")
        number = rest.partition("/")[0]
        return int(number) if number.isdecimal() else None

    class Meta:
        ordering = ("-pk",)
        indexes = (
            models.Index(
                fields=("user",),
                name="unseen_notices",
                condition=Q(seen_at__isnull=True, listed=True),
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=("user", "about"), name="told_once_about_the_same"),
            referred_to("notices_notice"),
        )


class Delivery(models.Model):
    """A notice on its way to somebody. `due_at` is the wall moment of the next attempt, `claim`
    names who has begun the last one, `problem` says why it came to nothing."""

    hides = Hidden()
    game = GameOf("notice")
    notice = InGame(Notice, models.CASCADE, related_name="deliveries")
    way = models.CharField(max_length=10, choices=Channel)
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    due_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    claim = models.UUIDField(null=True)
    problem = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(
                fields=("way", "due_at"),
                name="waiting_deliveries",
                condition=Q(state=DeliveryState.WAITING),
            ),
            models.Index(
                fields=("claim",), name="claimed_deliveries", condition=Q(claim__isnull=False)
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=("notice", "way"), name="sent_once_a_way"),
            *of_one_game("notices_delivery", "notice"),
        )

    def __str__(self) -> str:
        return f"{self.notice} by {self.way}"
