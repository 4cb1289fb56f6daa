"""The use that games, users, tokens and rules make of the site, a day; and which are held back."""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q


class UsageKind(models.TextChoices):
    """The kinds of things whose use is counted; `number` of a rule is its game, `rule` its
    title."""

    GAME = "game"
    USER = "user"
    TOKEN = "token"  # noqa: S105 (no password)
    RULE = "rule"


class Used(models.Model):
    """The use by one game, user, token or rule on a day of the wall clock (UTC).

    The numbers are primary keys, and no references: the count outlives what it is of.
    """

    day = models.DateField()
    kind = models.CharField(max_length=10, choices=UsageKind)
    number = models.BigIntegerField()
    rule = models.CharField(max_length=120, blank=True)
    microseconds = models.BigIntegerField(default=0)
    requests = models.BigIntegerField(default=0)
    entries = models.BigIntegerField(default=0)
    bytes = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("-day", "-microseconds")
        constraints = (
            models.UniqueConstraint("day", "kind", "number", "rule", name="used_once_a_day"),
        )
        indexes = (models.Index("kind", "number", "day", name="used_by_whom"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.number} on {self.day}"


class What(models.TextChoices):
    """How something is held back. A user's disk is that of all games whose host they are."""

    OUT = "out", "locked out by the operator"
    DISK = "disk", "over its share of the disk"


class Holds(models.QuerySet["Hold"]):
    def at(self, wall: datetime) -> Self:
        """Those that hold at that wall moment."""
        return self.filter(Q(until=None) | Q(until__gt=wall), ended_at=None)


class Hold(models.Model):
    """A game, user or token that is held back, since `at`, until `until` or else until it is ended.

    `number` is the primary key of what is held, and `name` what it was called then; `by` and
    `ended_by` are names of operators, empty where the site did it by itself. Moments are of the
    wall. It is no part of a game, and needs no lock of one.
    """

    what = models.CharField(max_length=10, choices=What)
    kind = models.CharField(max_length=10, choices=UsageKind)
    number = models.BigIntegerField()
    name = models.CharField(max_length=150)
    reason = models.CharField(max_length=300)
    by = models.CharField(max_length=150, blank=True)
    at = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.CharField(max_length=150, blank=True)

    objects = Holds.as_manager()

    class Meta:
        ordering = ("-at", "-pk")
        constraints = (
            models.UniqueConstraint(
                "what", "kind", "number", name="held_once", condition=Q(ended_at=None)
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"
