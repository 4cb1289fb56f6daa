"""Rows of the contest: who plays it, what is between contestants, the book, votes, requests.

The cards stand in the ledger, the regulations' texts in the rulebook. Who may see which of these
rows, secrecy/matrix.py says; those that are not for everybody, secrecy/view.py alone shows.
"""

from typing import Self

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Count, F, Q

from nomic.games.guards import (
    NEVER_TAKEN_AWAY,
    WRITTEN_ONCE,
    EntryNumber,
    Hidden,
    InGame,
    of_one_game,
    referred_to,
)
from nomic.games.models import Game, GameOf, Player
from nomic.ledger.models import Holder
from nomic.rulebook.models import Rule

# The contest, who plays it, and the cards on the move


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
    reckoned_in = EntryNumber(null=True, blank=True)
    worths_in = EntryNumber(null=True, blank=True)
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
    # The key with the game (`of_one_game`) says all that a key of its own would.
    player = models.OneToOneField(
        Player, models.PROTECT, related_name="contestant", db_constraint=False
    )
    turn = models.PositiveIntegerField()
    active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(help_text="Game moment of the first joining")
    joined_in = EntryNumber()
    dealt = models.PositiveIntegerField(default=0)
    worth = models.FloatField(null=True, blank=True)
    finalist = models.BooleanField(default=False)
    semigenius_in = EntryNumber(null=True, blank=True)
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
        triggers = (NEVER_TAKEN_AWAY,)

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
    entry = EntryNumber()
    at = models.DateTimeField()
    kind = models.CharField(max_length=12, choices=Kind)
    giver = models.CharField(max_length=60, blank=True)
    receiver = models.CharField(max_length=60, blank=True)
    cards = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = of_one_game("aceofspades_move", "contest")
        triggers = (WRITTEN_ONCE,)


# Dealings between contestants, which are not for everybody: offers, notices, alliances, pacts


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
        triggers = (NEVER_TAKEN_AWAY,)

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
        triggers = (WRITTEN_ONCE,)

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
        triggers = (NEVER_TAKEN_AWAY,)

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
        triggers = (NEVER_TAKEN_AWAY,)


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


# Proposals, votes, regulations, and requests for judgement


class Proposal(models.Model):
    """A proposed regulation. `number` counts the proposals, `regulation_number` is the proposed.

    `text` is for those with need to know where `visibility` is not public. It is up for vote from
    `up_at` on; `verdict` stands once it is decided, `effective_in` is the entry in which it took
    effect. `for_votes` and `against_votes` are set when it is decided, and public then.
    """

    class Verdict(models.TextChoices):
        ADOPTED = "adopted"
        FAILED = "failed"

    hides = Hidden(("text",), Q(visibility="public") | Q(contest__reckoned_in__isnull=False))
    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="proposals")
    number = models.PositiveIntegerField()
    regulation_number = models.PositiveSmallIntegerField()
    text = models.TextField()
    visibility = models.CharField(max_length=10, default="public")
    by = InGame(Player, models.PROTECT, null=True, blank=True, related_name="contest_proposals")
    entry = EntryNumber()
    up_at = models.DateTimeField(null=True, blank=True)
    up_in = EntryNumber(null=True, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    decided_in = EntryNumber(null=True, blank=True)
    for_votes = models.PositiveIntegerField(null=True, blank=True)
    against_votes = models.PositiveIntegerField(null=True, blank=True)
    effective_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("contest", "number"), name="one_contest_proposal_a_number"
            ),
            models.CheckConstraint(
                name="decided_after_a_vote",
                condition=Q(verdict="", decided_in__isnull=True)
                | ~Q(verdict="") & Q(decided_in__isnull=False, up_in__isnull=False),
            ),
            models.CheckConstraint(
                name="only_the_adopted_take_effect",
                condition=Q(effective_in__isnull=True) | Q(verdict="adopted"),
            ),
            *of_one_game("aceofspades_proposal", "contest", "by"),
            referred_to("aceofspades_proposal"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Proposal {self.number}"

    @property
    def is_up(self) -> bool:
        """Whether it is up for vote now."""
        return self.up_in is not None and not self.verdict

    @property
    def waits_for_effect(self) -> bool:
        """Whether it is adopted, and the Contestmaster has not announced it yet."""
        return self.verdict == self.Verdict.ADOPTED and self.effective_in is None


class ContestVoteQuerySet(models.QuerySet["Vote"]):
    def ways(self) -> dict[int, dict[str, str]]:
        """How each contestant has voted, by the proposal's number; in the order of joining."""
        columns = ("proposal__number", "contestant__player__name", "way")
        votes: dict[int, dict[str, str]] = {}
        for number, name, way in self.order_by("contestant__turn").values_list(*columns):
            votes.setdefault(number, {})[name] = way
        return votes

    def tallies(self) -> dict[int, tuple[int, int]]:
        """How many have voted FOR and AGAINST, by the proposal's key."""
        heard = self.order_by().values("proposal")
        counted = heard.annotate(
            ayes=Count("pk", Q(way=Vote.Choice.FOR)), noes=Count("pk", Q(way=Vote.Choice.AGAINST))
        )
        return {tally["proposal"]: (tally["ayes"], tally["noes"]) for tally in counted}


class Vote(models.Model):
    """A contestant's vote, never retracted. Secret until the Moment of Reckoning."""

    class Choice(models.TextChoices):
        FOR = "FOR"
        AGAINST = "AGAINST"

    hides = Hidden(unless=Q(proposal__contest__reckoned_in__isnull=False))
    game = GameOf("proposal")
    proposal = InGame(Proposal, models.PROTECT, related_name="votes")
    contestant = InGame(Contestant, models.PROTECT, related_name="votes")
    way = models.CharField(max_length=10, choices=Choice)

    objects = ContestVoteQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("proposal", "contestant"), name="one_vote_each"),
            *of_one_game("aceofspades_vote", "proposal", "contestant"),
        )
        triggers = (WRITTEN_ONCE,)


class Regulation(models.Model):
    """A regulation of the contest: its number, and the rule in the rulebook that has its text,
    whose key is its own.

    `proposal` is that by which it came; `gone_in` the entry that repealed it.
    """

    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="regulations")
    number = models.PositiveSmallIntegerField()
    rule = models.OneToOneField(
        Rule, models.PROTECT, related_name="regulation", primary_key=True, db_constraint=False
    )
    proposal = models.OneToOneField(
        Proposal,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="regulation",
        db_constraint=False,
    )
    gone_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("number", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("contest", "number"),
                name="one_regulation_a_number",
                condition=Q(gone_in__isnull=True),
            ),
            *of_one_game("aceofspades_regulation", "contest", "rule", "proposal"),
            referred_to("aceofspades_regulation", "rule"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Regulation {self.number}"


class NeedToKnow(models.Model):
    """That a contestant may have a private regulation's text; who is `full` may pass it on.

    Who knows is public (Regulation 225), what they know is not.
    """

    hides = None
    game = GameOf("contestant")
    regulation = InGame(Regulation, models.PROTECT, related_name="known_by")
    contestant = InGame(Contestant, models.PROTECT, related_name="knows")
    full = models.BooleanField(default=False)
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("regulation", "contestant"), name="knows_it_once"),
            *of_one_game("aceofspades_needtoknow", "regulation", "contestant"),
        )
        triggers = (NEVER_TAKEN_AWAY,)


class Hint(models.Model):
    """A hint: the Contestmaster's public text on a secret regulation (Regulation 250)."""

    game = GameOf("regulation")
    regulation = InGame(Regulation, models.PROTECT, related_name="hints")
    text = models.TextField()
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        constraints = of_one_game("aceofspades_hint", "regulation")
        triggers = (WRITTEN_ONCE,)

    def __str__(self) -> str:
        return self.text


class Request(models.Model):
    """A player's request for judgement, and the Contestmaster's answer (Regulation 114)."""

    game = GameOf("contest")
    contest = InGame(Contest, models.PROTECT, related_name="requests")
    number = models.PositiveIntegerField()
    by = InGame(Player, models.PROTECT, related_name="contest_requests")
    text = models.TextField()
    entry = EntryNumber()
    judgement = models.TextField(blank=True)
    judged_in = EntryNumber(null=True, blank=True)

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
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Request {self.number}"
