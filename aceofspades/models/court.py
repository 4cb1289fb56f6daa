"""Requests for judgement, and acts that are announced first."""

from django.db import models
from django.db.models import Q

from aceofspades.models.contest import Contest, Contestant
from nomic.games.guards import NEVER_DELETED
from nomic.games.models import Player
from nomic.standard.models import ENDS_IN_AN_ENTRY, Announced, Spoken


class Request(models.Model):
    """A player's request for judgement, and the Contestmaster's answer (Regulation 114)."""

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="requests")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Player, models.PROTECT, related_name="contest_requests")
    text = models.TextField()
    entry = models.PositiveIntegerField()
    judgement = models.TextField(blank=True)
    judged_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "number"), name="one_request_a_number"),
            models.CheckConstraint(
                name="a_judgement_has_its_entry",
                condition=Q(judgement="", judged_in__isnull=True)
                | ~Q(judgement="") & Q(judged_in__isnull=False),
            ),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Request {self.number}"


class Tabled(Announced):
    """An act that the Contestmaster has announced to intend: a remedy (Regulation 114), a hint or
    the publishing of a secret regulation (Regulation 250).

    `details` is what everybody may read of it, `sealed` what they may not. It is done at `due`
    unless enough contestants object, or as soon as a majority supports it where that will do.
    """

    class Kind(models.TextChoices):
        MAKE = "make"
        DESTROY = "destroy"
        MOVE = "move"
        REMOVE = "remove"
        REPEAL = "repeal"
        PUBLISH = "publish"
        HINT = "hint"

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="tabled")
    kind = models.CharField(max_length=10, choices=Kind)
    details = models.JSONField()
    sealed = models.JSONField(default=dict)
    request = models.ForeignKey(
        Request, models.PROTECT, null=True, blank=True, related_name="remedies"
    )
    due = models.DateTimeField()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "number"), name="one_tabled_act_a_number"),
            models.CheckConstraint(
                name="a_tabled_act_ends_in_an_entry", condition=ENDS_IN_AN_ENTRY
            ),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Tabled act {self.number}"


class Voice(Spoken):
    """A contestant's Objection to a tabled act, or Support (Regulation 103)."""

    tabled = models.ForeignKey(Tabled, models.PROTECT, related_name="voices")
    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="voices")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("tabled", "contestant"), name="one_voice_each"),
        )
        triggers = (NEVER_DELETED,)
