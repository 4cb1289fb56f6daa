"""What is announced first and done later, and what players say to it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from nomic.games.guards import NEVER_DELETED
from nomic.games.models import Game, Player


class Motion(models.Model):
    """An act that was announced: it is done when its time is over, or with enough support.

    `action` is the act's name and `inputs` what it is done with; `by` is who announced it. `at`
    and `due` are game moments; without `due`, time alone does not carry it out. `entry` announced
    it, `ended_in` is the entry in which it ended, and `note` says why it could not be done.
    """

    class End(models.TextChoices):
        DONE = "done"
        PREVENTED = "prevented"
        FAILED = "failed", "found to be impossible"
        WITHDRAWN = "withdrawn"

    game = models.ForeignKey(Game, models.PROTECT, related_name="motions")
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=80)
    inputs = models.JSONField(default=dict)
    by = models.ForeignKey(Player, models.PROTECT, related_name="motions")
    entry = models.PositiveIntegerField()
    at = models.DateTimeField()
    due = models.DateTimeField(null=True, blank=True)
    end = models.CharField(max_length=10, choices=End, blank=True)
    ended_in = models.PositiveIntegerField(null=True, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("number",)
        indexes = (models.Index("game", name="open_motions", condition=Q(end="")),)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_motion_a_number"),
            models.CheckConstraint(
                name="a_motion_ends_in_an_entry",
                condition=Q(end="", ended_in__isnull=True) | ~Q(end="") & Q(ended_in__isnull=False),
            ),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Motion {self.number}"


class Voice(models.Model):
    """A player's objection to a motion, or their support. The latest one of each player counts."""

    class Way(models.TextChoices):
        OBJECTS = "objects"
        SUPPORTS = "supports"

    motion = models.ForeignKey(Motion, models.PROTECT, related_name="voices")
    player = models.ForeignKey(Player, models.PROTECT, related_name="voices")
    way = models.CharField(max_length=10, choices=Way)
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("motion", "player"), name="one_voice_a_player"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"{self.player} {self.way} {self.motion}"
