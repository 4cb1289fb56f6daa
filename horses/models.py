"""Rows of the races. Who owns a horse stands in the ledger.

A race that has ended keeps its rows, so that its history can be told.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from nomic.games.guards import EntryNumber, InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf, Player
from nomic.games.wording import moment_in_words
from nomic.ledger.models import Asset

WEEKLY = "weekly"


class Race(models.Model):
    """One race of a game, from its start to its third crossing. The running one has not ended.

    `started_in` and `ended_in` are entries of the record.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="races")
    number = models.PositiveIntegerField()
    started_in = EntryNumber()
    ended_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_race_a_number"),
            models.UniqueConstraint(
                fields=("game",), name="one_race_at_a_time", condition=Q(ended_in__isnull=True)
            ),
            referred_to("horses_race"),
        )

    def __str__(self) -> str:
        return f"Race {self.number}"


class Runner(models.Model):
    """A horse in a race (Horses). `finish` is the last Race Position of its track."""

    game = GameOf("race")
    race = InGame(Race, models.PROTECT, related_name="runners")
    asset = InGame(Asset, models.PROTECT, related_name="runners")
    name = models.CharField(max_length=60)
    position = models.PositiveSmallIntegerField()
    # Stored with the row, so that the database can hold that no horse runs beyond it.
    finish = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    pulls = ArrayField(models.CharField(max_length=60), default=list, blank=True)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=("race", "name"), name="a_horse_runs_once"),
            models.UniqueConstraint(
                fields=("race", "place"),
                name="one_horse_a_place",
                condition=Q(place__isnull=False),
            ),
            models.CheckConstraint(
                name="a_horse_stays_on_the_track", condition=Q(position__lte=F("finish"))
            ),
            models.CheckConstraint(
                name="places_are_three",
                condition=Q(place__isnull=True) | Q(place__gte=1, place__lte=3),
            ),
            *of_one_game("horses_runner", "race", "asset"),
        )

    def __str__(self) -> str:
        return self.name


class GearKind(models.TextChoices):
    JERSEY = "jersey"
    HELMET = "helmet"


class Gear(models.Model):
    """A jersey or a helmet that a player has got for a horse in a race."""

    game = GameOf("race")
    race = InGame(Race, models.PROTECT, related_name="gear")
    player = InGame(Player, models.PROTECT, related_name="race_gear")
    horse = models.CharField(max_length=60)
    kind = models.CharField(max_length=10, choices=GearKind)
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("race", "player", "horse", "kind"), name="gear_once_a_race"
            ),
            *of_one_game("horses_gear", "race", "player"),
        )


class Bet(models.Model):
    """Dollaries that a player has bet on a horse in a race."""

    game = GameOf("race")
    race = InGame(Race, models.PROTECT, related_name="bets")
    player = InGame(Player, models.PROTECT, related_name="race_bets")
    horse = models.CharField(max_length=60)
    dollaries = models.PositiveIntegerField()
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(name="a_bet_is_of_something", condition=Q(dollaries__gt=0)),
            *of_one_game("horses_bet", "race", "player"),
        )


class Turn(models.Model):
    """Something that a player can do once in a period, and has done.

    `what` is WEEKLY for the weekly race action, else the horse whose monthly power it was.
    `period` is the day on which the week or month began.
    """

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="race_turns")
    player = InGame(Player, models.PROTECT, related_name="race_turns")
    what = models.CharField(max_length=60)
    period = models.DateField()
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("game", "period")),)
        constraints = (
            models.UniqueConstraint(fields=("player", "what", "period"), name="one_turn_a_period"),
            *of_one_game("horses_turn", "player"),
        )

    @staticmethod
    def told(row: Mapping[str, Any]) -> str:
        """The row, by plain values of what tells it, as part of a sentence."""
        what, since = row["what"], moment_in_words(row["period"])
        if what == WEEKLY:
            return f"the weekly race action of {row['player__name']} in the week of {since}"
        return f"{what}'s power, used by {row['player__name']} in the month of {since}"


class Motivation(models.Model):
    """The galloper and distance that the dice chose in the week that began on `week`.

    Without `by`, the system did it for the Horsened.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="motivations")
    week = models.DateField()
    galloper = models.CharField(max_length=60)
    distance = models.PositiveSmallIntegerField(help_text="Steps")
    by = InGame(Player, models.PROTECT, null=True, blank=True, related_name="motivations")
    entry = EntryNumber()

    class Meta:
        ordering = ("-week",)
        constraints = (
            models.UniqueConstraint(fields=("game", "week"), name="motivated_once_a_week"),
            *of_one_game("horses_motivation", "by"),
        )
