"""The contest of a game, who plays it, and the cards on the move; the cards stand in the ledger."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from nomic.games.guards import APPEND_ONLY, NEVER_DELETED, InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf, Player
from nomic.ledger.models import Holder


class Contest(models.Model):
    """The contest of a game. `is_on` while Regulation 101 is in force.

    `begun_at` is the game moment from which its days are counted. `reckoned_at` and `reckoned_in`
    are the Moment of Reckoning and its entry; `worths_in` the entry that announced the worths.
    `masters` are the names of all who have been Contestmaster since it began, who cannot play in
    it. `opened` once the secret regulations of the beginning are drawn. `deck` holds the cards of
    the Contest Fund (Regulation 116), and `deck_was_low` while it is to be refilled before the
    next card is dealt, though it has cards enough by now (Regulation 210).
    """

    game = models.OneToOneField(Game, models.PROTECT, related_name="contest")
    is_on = models.BooleanField(default=True)
    opened = models.BooleanField(default=False)
    begun_at = models.DateTimeField()
    deck = models.OneToOneField(Holder, models.PROTECT, related_name="+", db_constraint=False)
    deck_was_low = models.BooleanField(default=False)
    reckoned_at = models.DateTimeField(null=True, blank=True)
    reckoned_in = models.PositiveIntegerField(null=True, blank=True)
    worths_in = models.PositiveIntegerField(null=True, blank=True)
    masters = ArrayField(models.CharField(max_length=120), default=list, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="worths_after_the_reckoning",
                condition=Q(worths_in__isnull=True) | Q(reckoned_in__isnull=False),
            ),
            models.CheckConstraint(
                name="a_reckoning_has_its_entry",
                condition=Q(reckoned_at__isnull=True, reckoned_in__isnull=True)
                | Q(reckoned_at__isnull=False, reckoned_in__isnull=False),
            ),
            *of_one_game("aceofspades_contest", "deck"),
            referred_to("aceofspades_contest"),
        )

    def __str__(self) -> str:
        return f"The contest of {self.game}"


class Contestant(models.Model):
    """A player in the contest. The row and the cards stay when they leave it.

    `turn` counts them in the order of their first joining, in which cards are dealt; `dealt` are
    the cards that were ever dealt to them. `worth` is set at the Moment of Reckoning.
    """

    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="contestants")
    player = models.OneToOneField(
        Player, models.PROTECT, related_name="contestant", db_constraint=False
    )
    turn = models.PositiveIntegerField()
    active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(help_text="Game moment of the first joining")
    joined_in = models.PositiveIntegerField()
    dealt = models.PositiveIntegerField(default=0)
    worth = models.FloatField(null=True, blank=True)
    finalist = models.BooleanField(default=False)
    semigenius_in = models.PositiveIntegerField(null=True, blank=True)
    semigenius_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("turn",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "turn"), name="one_contestant_a_turn"),
            models.CheckConstraint(
                name="only_finalists_become_semigenius",
                condition=Q(semigenius_in__isnull=True) | Q(finalist=True),
            ),
            models.CheckConstraint(
                name="a_finalist_is_worth_something",
                condition=Q(finalist=False) | Q(worth__gt=0),
            ),
            *of_one_game("aceofspades_contestant", "contest", "player"),
            referred_to("aceofspades_contestant"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return str(self.player)


class Move(models.Model):
    """That cards changed hands in an entry: how many, and when; their suits are in the ledger.

    `giver` and `receiver` are names as everybody may read them; empty where a party is anonymous.
    """

    class Kind(models.TextChoices):
        DEALT = "dealt"
        MADE = "made"
        TRANSFERRED = "transferred"
        EXCHANGED = "exchanged"
        FEE = "fee"
        RETURNED = "returned"
        REMEDY = "remedy"

    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="moves")
    entry = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=12, choices=Kind)
    giver = models.CharField(max_length=60, blank=True)
    receiver = models.CharField(max_length=60, blank=True)
    cards = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = of_one_game("aceofspades_move", "contest")
        triggers = (APPEND_ONLY,)
