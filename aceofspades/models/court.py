"""Requests for judgement."""

from django.db import models
from django.db.models import Q

from aceofspades.models.contest import Contest
from nomic.games.guards import NEVER_DELETED, InGame, of_one_game
from nomic.games.models import GameOf, Player


class Request(models.Model):
    """A player's request for judgement, and the Contestmaster's answer (Regulation 114)."""

    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="requests")
    number = models.PositiveIntegerField()
    by = InGame(Player, models.PROTECT, related_name="contest_requests")
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
            *of_one_game("aceofspades_request", "contest", "by"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Request {self.number}"
