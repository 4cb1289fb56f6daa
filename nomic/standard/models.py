"""What is announced first and done later, and what players say to it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from nomic.games.guards import NEVER_DELETED
from nomic.games.models import Game, Player


class Announced(models.Model):
    """An act that was announced: it is done when its time is over, or with enough support.

    `entry` announced it, `due` is a game moment, `ended_in` is the entry in which it ended.
    """

    class End(models.TextChoices):
        DONE = "done"
        PREVENTED = "prevented"
        FAILED = "failed", "found to be impossible"
        WITHDRAWN = "withdrawn"

    number = models.PositiveIntegerField()
    entry = models.PositiveIntegerField()
    end = models.CharField(max_length=10, choices=End, blank=True)
    ended_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        abstract = True


ENDS_IN_AN_ENTRY = Q(end="", ended_in__isnull=True) | ~Q(end="") & Q(ended_in__isnull=False)


class Spoken(models.Model):
    """An objection to something that was announced, or support of it, in an entry."""

    class Way(models.TextChoices):
        OBJECTS = "objects"
        SUPPORTS = "supports"

    way = models.CharField(max_length=10, choices=Way)
    entry = models.PositiveIntegerField()

    class Meta:
        abstract = True


class Motion(Announced):
    """What a player has announced.

    `action` is the act's name and `inputs` what it is done with; `by` is who announced it, at the
    game moment `at`. Without `due`, time alone does not carry it out; `note` says why it could not
    be done.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="motions")
    action = models.CharField(max_length=80)
    inputs = models.JSONField(default=dict)
    by = models.ForeignKey(Player, models.PROTECT, related_name="motions")
    at = models.DateTimeField()
    due = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("number",)
        indexes = (models.Index("game", name="open_motions", condition=Q(end="")),)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_motion_a_number"),
            models.CheckConstraint(name="a_motion_ends_in_an_entry", condition=ENDS_IN_AN_ENTRY),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Motion {self.number}"


class Voice(Spoken):
    """A player's objection to a motion, or their support. The latest one of each player counts."""

    motion = models.ForeignKey(Motion, models.PROTECT, related_name="voices")
    player = models.ForeignKey(Player, models.PROTECT, related_name="voices")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("motion", "player"), name="one_voice_a_player"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"{self.player} {self.way} {self.motion}"
