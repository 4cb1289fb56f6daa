"""Dealings between contestants, which are not for everybody: offers, notices, alliances, pacts."""

from typing import Self

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import models
from django.db.models import F, Q

from aceofspades.models.contest import Contest, Contestant
from nomic.games.guards import APPEND_ONLY, NEVER_DELETED, Hidden, InGame, of_one_game, referred_to
from nomic.games.models import GameOf


class CardOfferQuerySet(models.QuerySet["Offer"]):
    def open(self) -> Self:
        """Those that are neither accepted nor withdrawn."""
        return self.filter(end="")

    def seen_by(self, contestant: Contestant) -> Self:
        """The offers that the contestant has made or got."""
        got = Receiver.objects.filter(contestant=contestant).values("offer")
        return self.filter(Q(by=contestant) | Q(pk__in=got))

    def open_first(self) -> Self:
        """The open ones before the others, each the newest first."""
        return self.annotate(is_over=~Q(end="")).order_by("is_over", "-at", "-pk")

    def with_receivers(self) -> Self:
        """Each with the keys of the contestants to whom it is made."""
        return self.annotate(to_keys=ArrayAgg("to"))

    def codes(self) -> list[str]:
        """Their codes, the newest first."""
        return list(self.order_by("-pk").values_list("code", flat=True))


class Offer(models.Model):
    """Cards of some suits for cards of others, offered to some contestants (Regulation 125).

    Only its parties know of it. `code` is what they call it: drawn by the dice, so that it does
    not count the offers. `gives` is what the offerer would give, `takes` what they would get.
    `at` is the game moment.
    """

    class End(models.TextChoices):
        ACCEPTED = "accepted"
        WITHDRAWN = "withdrawn"

    hides = Hidden(unless=Q(contest__reckoned_in__isnull=False))
    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="offers")
    code = models.CharField(max_length=8)
    by = InGame(Contestant, models.PROTECT, related_name="offers_made")
    to = models.ManyToManyField(Contestant, through="Receiver", related_name="offers_got")
    gives = models.JSONField()
    takes = models.JSONField()
    anonymous = models.BooleanField(default=False)
    at = models.DateTimeField()
    end = models.CharField(max_length=10, choices=End, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    accepted_by = InGame(
        Contestant, models.PROTECT, null=True, blank=True, related_name="offers_accepted"
    )
    accepted_anonymously = models.BooleanField(default=False)

    to_keys: list[int]  # of an offer that `with_receivers` has read
    objects = CardOfferQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "code"), name="one_offer_a_code"),
            models.CheckConstraint(
                name="an_offer_ends_at_a_moment",
                condition=Q(end="", ended_at__isnull=True) | ~Q(end="") & Q(ended_at__isnull=False),
            ),
            models.CheckConstraint(
                name="who_accepts_is_another",
                condition=Q(accepted_by__isnull=True) | ~Q(accepted_by=F("by")),
            ),
            *of_one_game("aceofspades_offer", "contest", "by", "accepted_by"),
            referred_to("aceofspades_offer"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"offer {self.code}"


class Receiver(models.Model):
    """A contestant to whom an offer is made."""

    hides = Hidden(unless=Q(offer__contest__reckoned_in__isnull=False))
    game = GameOf("offer")
    offer = InGame(Offer, models.PROTECT, related_name="+")
    contestant = InGame(Contestant, models.PROTECT, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("offer", "contestant"), name="offered_once_to_each"),
            *of_one_game("aceofspades_receiver", "offer", "contestant"),
        )


class Notice(models.Model):
    """A private text of the Contestmaster to one contestant. `at` is the game moment."""

    hides = Hidden(unless=Q(contestant__contest__reckoned_in__isnull=False))
    game = GameOf("contestant")
    contestant = InGame(Contestant, models.PROTECT, related_name="notices")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = of_one_game("aceofspades_notice", "contestant")
        triggers = (APPEND_ONLY,)

    def __str__(self) -> str:
        return self.text


class AllianceQuerySet(models.QuerySet["Alliance"]):
    def standing(self) -> Self:
        """Those that are not over, in their order, with the keys of their members."""
        rows = self.filter(over_at__isnull=True).order_by("number")
        return rows.annotate(member_keys=ArrayAgg("members"))


class Alliance(models.Model):
    """Contestants who have agreed to be allied. That it is, its size and its worth are public; who
    is in it is for its members (Regulations 220, 225, 230). `over_at` is when it had fewer than two
    members, or the same as an older one."""

    hides = None
    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="alliances")
    number = models.PositiveIntegerField()
    members = models.ManyToManyField(Contestant, through="Ally", related_name="alliances")
    formed_at = models.DateTimeField()
    over_at = models.DateTimeField(null=True, blank=True)

    member_keys: list[int]  # of an alliance that `standing` has read
    objects = AllianceQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "number"), name="one_alliance_a_number"),
            *of_one_game("aceofspades_alliance", "contest"),
            referred_to("aceofspades_alliance"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Alliance {self.number}"


class Ally(models.Model):
    """A contestant in an alliance."""

    hides = Hidden(unless=Q(alliance__contest__reckoned_in__isnull=False))
    game = GameOf("alliance")
    alliance = InGame(Alliance, models.PROTECT, related_name="+")
    contestant = InGame(Contestant, models.PROTECT, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("alliance", "contestant"), name="allied_once"),
            *of_one_game("aceofspades_ally", "alliance", "contestant"),
        )


class PactQuerySet(models.QuerySet["Pact"]):
    def open(self) -> Self:
        """Those that are not over, in their order, with the keys of who would be in them and of who
        has agreed."""
        have = Q(partners__agreed=True)
        agreed = ArrayAgg("partners__contestant", filter=have, default=[])
        rows = self.filter(over_at__isnull=True).order_by("pk")
        return rows.annotate(member_keys=ArrayAgg("partners__contestant"), agreed_keys=agreed)

    def of(self, contestant: Contestant) -> Self:
        """The pacts that would ally the contestant."""
        mine = Partner.objects.filter(contestant=contestant)
        return self.filter(pk__in=mine.values("pact"))


class Pact(models.Model):
    """An alliance that some of its would-be members have agreed to: it is formed when all have.

    Only they know of it. `code` is what they call it, as an offer's. `over_at` is when it was
    formed, or one of them has declined or left.
    """

    hides = Hidden(unless=Q(contest__reckoned_in__isnull=False))
    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="pacts")
    code = models.CharField(max_length=8)
    members = models.ManyToManyField(Contestant, through="Partner", related_name="pacts")
    at = models.DateTimeField()
    over_at = models.DateTimeField(null=True, blank=True)

    member_keys: list[int]  # of a pact that `open` has read
    agreed_keys: list[int]
    objects = PactQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "code"), name="one_pact_a_code"),
            *of_one_game("aceofspades_pact", "contest"),
            referred_to("aceofspades_pact"),
        )
        triggers = (NEVER_DELETED,)


class Partner(models.Model):
    """A contestant who would be in the alliance of a pact, and whether they have agreed."""

    hides = Hidden(unless=Q(pact__contest__reckoned_in__isnull=False))
    game = GameOf("pact")
    pact = InGame(Pact, models.PROTECT, related_name="partners")
    contestant = InGame(Contestant, models.PROTECT, related_name="+")
    agreed = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("pact", "contestant"), name="once_in_a_pact"),
            *of_one_game("aceofspades_partner", "pact", "contestant"),
        )
