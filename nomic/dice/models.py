"""Decisions of chance, and the secrets and seeds that prove them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Q

from nomic.games.guards import APPEND_ONLY, NEVER_DELETED, Hidden, InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf

_ONLY_REVEALED = """
IF TG_OP = 'INSERT' THEN
  IF NEW.seed IS NOT NULL OR NEW.closed_in IS NOT NULL THEN
    RAISE EXCEPTION 'a period begins without its seed' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END IF;
IF OLD.seed IS NOT NULL OR NEW.seed IS NULL
   OR encode(sha256(decode(NEW.seed, 'hex')), 'hex') <> OLD.commitment
   OR (to_jsonb(OLD) - 'seed' - 'closed_in') <> (to_jsonb(NEW) - 'seed' - 'closed_in') THEN
  RAISE EXCEPTION 'a seed can only be published, once, and must match its commitment'
    USING ERRCODE = 'check_violation';
END IF;
RETURN NEW;
"""


class Master(models.Model):
    """The secret from which every seed of a game is derived. Never shown, never logged."""

    hides = Hidden()
    game = models.OneToOneField(Game, models.PROTECT, related_name="+", primary_key=True)
    key = models.BinaryField(max_length=32, editable=False)

    class Meta:
        triggers = (APPEND_ONLY,)

    def __str__(self) -> str:
        return "the master secret of a game"


class Period(models.Model):
    """The span of a game that one seed serves. `seed` is empty until it is published.

    A private period may have a `purpose`: its seed can be published alone, and shows nothing of
    what was rolled in private for anything else.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="dice_periods")
    number = models.PositiveIntegerField()
    private = models.BooleanField(default=False)
    purpose = models.CharField(max_length=60, blank=True, default="")
    commitment = models.CharField(max_length=64)
    opened_in = models.PositiveIntegerField(help_text="The entry that published the commitment")
    seed = models.CharField(max_length=64, null=True, blank=True)
    closed_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("game", "private", "purpose", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("game", "private", "purpose", "number"), name="one_period_a_number"
            ),
            models.UniqueConstraint(
                fields=("game", "private", "purpose"),
                name="one_open_period",
                condition=Q(closed_in__isnull=True),
            ),
            models.CheckConstraint(
                name="only_private_dice_serve_a_purpose",
                condition=Q(private=True) | Q(purpose=""),
            ),
            referred_to("dice_period"),
        )
        triggers = (
            NEVER_DELETED,
            pgtrigger.Trigger(
                name="only_revealed",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func=_ONLY_REVEALED,
            ),
        )

    @property
    def name(self) -> str:
        """The period in words: “period 3”, “private period 1 of visit 12”."""
        whole = f"{'private period' if self.private else 'period'} {self.number}"
        return f"{whole} of {self.purpose}" if self.purpose else whole


def as_kept(options: Sequence[Any]) -> list[Any] | int:
    """The options of a roll as they are kept in short: the last one where they are the numbers from
    1 up to it. Records of games that began without the bound of rolls have lists, until they get
    it."""
    if isinstance(options, range):
        return options[-1] if options == range(1, len(options) + 1) and options else list(options)
    numbers = all(type(option) is int and option == at for at, option in enumerate(options, 1))
    return len(options) if numbers and options else list(options)


def spread(options: list[Any] | int) -> Sequence[Any]:
    """The options of which that is kept, one after another."""
    return range(1, options + 1) if isinstance(options, int) else options


class Rolls(models.QuerySet["Roll"]):
    """The rolls of games."""

    def seen_by_all(self) -> Rolls:
        """Those that are not private, or are no more: a private period's rolls are nobody's
        business before its seed is out."""
        return self.filter(Roll.hides.seen)


class Roll(models.Model):
    """One decision of chance: which of the options, for which entry, under which label.

    A private act's rolls are `sealed`: their `entry` counts over all sealed books. The value
    follows from the `seat` that acted (0: none), the `count` of rolls in its period and
    `after`, the hash of the last act before it that another player made: from nothing that who acts
    can choose once the seed is fixed.
    """

    hides = Hidden(unless=Q(period__private=False) | Q(period__seed__isnull=False))
    game = GameOf("period")
    period = InGame(Period, models.PROTECT, related_name="rolls")
    entry = models.PositiveIntegerField()
    sealed = models.BooleanField(default=False, editable=False)
    label = models.CharField(max_length=80)
    options = models.JSONField()
    value = models.PositiveIntegerField(help_text="The index of the option that came up")
    seat = models.PositiveIntegerField()
    count = models.PositiveIntegerField()
    after = models.CharField(max_length=64)

    objects = Rolls.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("period", "entry", "sealed", "label"), name="one_roll_a_label"
            ),
            models.UniqueConstraint(fields=("period", "count"), name="one_roll_a_count"),
            *of_one_game("dice_roll", "period"),
        )
        triggers = (APPEND_ONLY,)

    def words(self, identity: str) -> tuple[object, ...]:
        """The words from which the formula of `nomic.dice.seeds` derives it, in the game of that
        identity."""
        period = self.period
        return identity, period.purpose, period.number, self.seat, self.count, self.after

    @property
    def whose(self) -> str:
        """The entry in words; that a sealed one has a number is nobody's business."""
        return "a private act" if self.sealed else f"entry {self.entry}"

    @property
    def among(self) -> Sequence[Any]:
        """The options from which chance chose, in order."""
        return spread(self.options)

    @property
    def option(self) -> object:
        """The option that came up."""
        return self.among[self.value]
