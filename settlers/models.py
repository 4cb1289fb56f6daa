"""Rows of the isle. Stockpiles stand in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, cast

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Lower

from nomic.games.guards import (
    NEVER_TAKEN_AWAY,
    EntryNumber,
    Hidden,
    InGame,
    of_one_game,
    referred_to,
)
from nomic.games.models import Game, GameOf, Player
from nomic.rulebook.models import Rule
from settlers.rules.isle import RESOURCES

NOBODY = "None"


class Isle(models.Model):
    """The isle of a game, as everybody sees it. `is_on` while its rules are in force.

    `production` counts the Productions, `arrival` the visits; `arrived_for` is the Production
    after which the last Visitor Arrival came. `produced_at` is the game moment of the last
    Production, `begun_at` that of the isle's beginning, `postponed_at` that at which an officer
    skipped the one that was due since; `deck` has the cards left by their number. `visitor_rule` is
    the visitor's subrule of “Visitors”, null for nobody; `watchers` has the names of those who
    could read the bribes of this visit as Onlookers.
    """

    game = models.OneToOneField(Game, models.PROTECT, related_name="isle")
    is_on = models.BooleanField(default=True)
    begun_at = models.DateTimeField()
    production = models.PositiveIntegerField(default=0)
    first = models.PositiveSmallIntegerField(null=True, blank=True)
    second = models.PositiveSmallIntegerField(null=True, blank=True)
    produced_at = models.DateTimeField(null=True, blank=True)
    postponed_at = models.DateTimeField(null=True, blank=True)
    deck = models.JSONField(default=dict)
    arrival = models.PositiveIntegerField(default=0)
    arrived_for = models.PositiveIntegerField(default=0)
    visitor = models.CharField(max_length=120, default=NOBODY)
    visitor_rule = InGame(Rule, models.PROTECT, null=True, blank=True, related_name="visited_isles")
    watchers = ArrayField(models.CharField(max_length=120), default=list, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="a_production_has_two_results",
                condition=Q(
                    production=0, first__isnull=True, second__isnull=True, produced_at__isnull=True
                )
                | Q(
                    production__gt=0,
                    first__isnull=False,
                    second__isnull=False,
                    produced_at__isnull=False,
                )
                & ~Q(first=F("second")),
            ),
            models.CheckConstraint(
                name="one_arrival_a_production",
                condition=Q(arrived_for__lte=F("production")),
            ),
            *of_one_game("settlers_isle", "visitor_rule"),
        )

    def __str__(self) -> str:
        return f"The isle of {self.game}"


def _domain(resource: str) -> str:
    return f"{resource}_domain"


def domain_fields(numbers: Mapping[str, int | None]) -> dict[str, Any]:
    """The fields of a Settler by which these Domains hold these numbers."""
    return {_domain(resource): number for resource, number in numbers.items()}


class SettlerQuerySet(models.QuerySet["Settler"]):
    def with_alliance(self) -> Any:
        """Each with the names on their Alliance list, in their order, as `alliance`."""
        name, rows = "allies__other__player__name", cast(Any, self)
        names = ArrayAgg(name, filter=Q(allies__isnull=False), order_by=name, default=[])
        return rows.annotate(alliance=names)

    def by_name(self) -> SettlerQuerySet:
        """In the order in which people sort names."""
        return self.order_by(Lower("player__name"), "player__name")

    def foremost_first(self) -> SettlerQuerySet:
        """Those with the most Buildings first."""
        built = Func(F("buildings"), function="cardinality")
        return self.order_by(built.desc(), "player__name")


class Settler(models.Model):
    """A player on the isle (The Gift of the Isle).

    The row stays when they leave, and while they are the Onlooker. `harvested_in` and `traded_in`
    are the Productions after which they last did so; `used` has the visitors whom they made use of
    in this visit; `entry` is that of their coming.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="settlers")
    # The key with the game (`of_one_game`) says all that a key of its own would.
    player = models.OneToOneField(
        Player, models.PROTECT, related_name="settler", db_constraint=False
    )
    wheat_domain = models.PositiveSmallIntegerField(null=True, blank=True)
    sheep_domain = models.PositiveSmallIntegerField(null=True, blank=True)
    stone_domain = models.PositiveSmallIntegerField(null=True, blank=True)
    wood_domain = models.PositiveSmallIntegerField(null=True, blank=True)
    brick_domain = models.PositiveSmallIntegerField(null=True, blank=True)
    buildings = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    ready = models.BooleanField(default=False)
    injured = models.BooleanField(default=False)
    victim = models.BooleanField(default=False)
    harvested_in = models.PositiveIntegerField(null=True, blank=True)
    traded_in = models.PositiveIntegerField(null=True, blank=True)
    used = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    entry = EntryNumber()
    alliance: list[str]  # of rows that were read with it

    objects = SettlerQuerySet.as_manager()

    class Meta:
        ordering = ("player__name",)
        constraints = (
            *of_one_game("settlers_settler", "player"),
            referred_to("settlers_settler"),
            *(
                models.CheckConstraint(
                    name=f"{one}_and_{other}_domains_differ",
                    condition=Q(**{f"{_domain(one)}__isnull": True})
                    | Q(**{f"{_domain(other)}__isnull": True})
                    | ~Q(**{_domain(one): F(_domain(other))}),
                )
                for one, other in combinations(RESOURCES, 2)
            ),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return str(self.player)

    @property
    def domains(self) -> dict[str, int | None]:
        """The number of each Domain, None where it holds nothing."""
        return {resource: getattr(self, _domain(resource)) for resource in RESOURCES}


DOMAINS = tuple(map(_domain, RESOURCES))


class Ally(models.Model):
    """One name on a Settler's Alliance list."""

    hides = None
    game = GameOf("settler")
    settler = InGame(Settler, models.PROTECT, related_name="allies")
    other = InGame(Settler, models.PROTECT, related_name="+")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("settler", "other"), name="an_ally_once"),
            models.CheckConstraint(
                name="nobody_is_their_own_ally", condition=~Q(settler=F("other"))
            ),
            *of_one_game("settlers_ally", "settler", "other"),
        )


class OfferEnd(models.TextChoices):
    ACCEPTED = "accepted"
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"


class OfferQuerySet(models.QuerySet["Offer"]):
    def open(self) -> OfferQuerySet:
        """The offers that have not ended, the oldest first."""
        return self.filter(end="").order_by("number")

    def of(self, name: str) -> OfferQuerySet:
        """Those that the Settler of that name made or got."""
        return self.filter(Q(by__player__name=name) | Q(to__player__name=name))


class Offer(models.Model):
    """A trade that one Settler offers another. `number` counts the offers of a game.

    `gives` is what the offerer would give, `takes` what they would get, by resource.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="trade_offers")
    number = models.PositiveIntegerField()
    by = InGame(Settler, models.PROTECT, related_name="offers_made")
    to = InGame(Settler, models.PROTECT, related_name="offers_got")
    gives = models.JSONField()
    takes = models.JSONField()
    entry = EntryNumber()
    end = models.CharField(max_length=10, choices=OfferEnd, blank=True)
    ended_in = EntryNumber(null=True, blank=True)

    objects = OfferQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_offer_a_number"),
            models.UniqueConstraint(
                fields=("by", "to"), name="one_open_offer_to_each", condition=Q(end="")
            ),
            models.CheckConstraint(name="nobody_trades_with_themselves", condition=~Q(by=F("to"))),
            models.CheckConstraint(
                name="an_offer_ends_in_an_entry",
                condition=Q(end="", ended_in__isnull=True) | ~Q(end="") & Q(ended_in__isnull=False),
            ),
            *of_one_game("settlers_offer", "by", "to"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Offer {self.number}"


class VisitQuerySet(models.QuerySet["Visit"]):
    def going_on(self) -> VisitQuerySet:
        """The one that is not over; nothing before the first Visitor Arrival."""
        return self.filter(over_in__isnull=True)

    def sealed_still(self) -> VisitQuerySet:
        """The past ones that have not been opened, in the order in which they are to be.

        What one opens has its numbers in the sealed book, and they would tell how often somebody
        acted in private in an earlier visit that is sealed still.
        """
        past = self.filter(sealed=True, over_in__isnull=False, opened_in__isnull=True)
        return past.order_by("number")

    def opened(self) -> VisitQuerySet:
        """Those of which everybody may see what was sealed, the newest first."""
        return self.filter(opened_in__isnull=False).order_by("-number")


class Visit(models.Model):
    """One Visitor Arrival and the time until the next. `number` counts them in a game.

    `entry` is that of the arrival, `over_in` that which ended the visit, `over_after` the number
    of Productions when it did; `opened_in` is the entry that opened what the visit has sealed.
    `sealed` ones have a period of private dice.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="visits")
    number = models.PositiveIntegerField()
    visitor = models.CharField(max_length=120)
    at = models.DateTimeField()
    entry = EntryNumber()
    sealed = models.BooleanField(default=False)
    over_in = EntryNumber(null=True, blank=True)
    over_after = models.PositiveIntegerField(null=True, blank=True)
    opened_in = EntryNumber(null=True, blank=True)

    objects = VisitQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_visit_a_number"),
            models.UniqueConstraint(
                fields=("game",), name="one_visit_at_a_time", condition=Q(over_in__isnull=True)
            ),
            models.CheckConstraint(
                name="only_a_past_visit_is_opened",
                condition=Q(opened_in__isnull=True) | Q(over_in__isnull=False, sealed=True),
            ),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Visit {self.number}"

    @property
    def purpose(self) -> str:
        """The name by which the visit's private dice go."""
        return f"visit {self.number}"

    @property
    def book(self) -> str:
        """The sealed book of what the visit seals."""
        return f"settlers/visit {self.number}"


class Bribe(models.Model):
    """The items that a Settler has told the Onlooker they want to pay the Thug, by resource.

    Secret: only `settlers/secrecy.py` reads these rows, for the Settler, for the Onlooker and for
    the Thug's own steps.
    """

    hides = Hidden()
    game = GameOf("settler")
    settler = models.OneToOneField(
        Settler, models.PROTECT, related_name="bribe", db_constraint=False
    )
    items = models.JSONField()

    class Meta:
        ordering = ("pk",)
        constraints = of_one_game("settlers_bribe", "settler")
