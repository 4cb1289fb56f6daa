"""What is stored of the lottery. The florins, those in the pot too, stand in the ledger."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from nomic.games.guards import InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf, Player


class DrawQuerySet(models.QuerySet["Draw"]):
    def coming(self, game: Game) -> DrawQuerySet:
        """The draw of that game for which tickets are sold: one, or none without a lottery."""
        return self.filter(game=game, drawn_in__isnull=True)


class Draw(models.Model):
    """One draw of a game. The one for which tickets are sold is not drawn yet.

    `opened_in` and `drawn_in` are entries of the record; `prize` is in florins.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="draws")
    number = models.PositiveIntegerField()
    opened_in = models.PositiveIntegerField()
    drawn_in = models.PositiveIntegerField(null=True, blank=True)
    winner = InGame(Player, models.PROTECT, null=True, blank=True, related_name="+")
    prize = models.PositiveIntegerField(default=0)

    objects = DrawQuerySet.as_manager()

    class Meta:
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_draw_a_number"),
            models.UniqueConstraint(
                fields=("game",), name="one_draw_to_come", condition=Q(drawn_in__isnull=True)
            ),
            *of_one_game("lottery_draw", "winner"),
            referred_to("lottery_draw"),
        )

    def __str__(self) -> str:
        return f"Draw {self.number}"


class Tickets(models.Model):
    """How many tickets a player has for a draw."""

    game = GameOf("draw")
    draw = InGame(Draw, models.PROTECT, related_name="tickets")
    player = InGame(Player, models.PROTECT, related_name="+")
    count = models.PositiveIntegerField()

    class Meta:
        ordering = ("player__name",)
        verbose_name_plural = "tickets"
        constraints = (
            models.UniqueConstraint(fields=("draw", "player"), name="one_row_of_tickets"),
            *of_one_game("lottery_tickets", "draw", "player"),
        )

    def __str__(self) -> str:
        return f"{self.count} of {self.player}"
