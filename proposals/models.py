"""Rows of the proposals: texts, every version, every vote, and the outcomes.

Moments are game moments unless a field says otherwise; `…_in` are entries of the record.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q

from nomic.games.guards import (
    NEVER_REWRITTEN,
    WRITTEN_ONCE,
    EntryNumber,
    Hidden,
    InGame,
    of_one_game,
    referred_to,
)
from nomic.games.models import Game, GameOf, Player
from nomic.games.search import vector

LONGEST_TITLE = 120
LONGEST_WORD = 200


class Status(models.TextChoices):
    PENDING = "Pending"
    OPEN = "Open"
    HISTORICAL = "Historical"


class Success(models.TextChoices):
    UNDECIDED = "Undecided"
    WON = "Won"
    LOST = "Lost"
    DISCARDED = "Discarded"


class Proposal(models.Model):
    """A text that asks for changes of the game, and the vote on it.

    `serial` counts what was submitted in a game; `number` is the Proposal Number, which the officer
    or the system assigns. `remarks` are the sentences of its body of which the author says that
    they change nothing, `units` what its author has confirmed of what it counts or names, each with
    its sentence, passage, rule and how often that stood there. `figures` and `reasons` are those of
    the edition's result. `index`, `proposal_class` and `coauthors` are used under an adoption
    index. The votes on a `secret` one stand in the sealed book until it is Historical. The officer
    counts one that is `by_hand`: when its vote has ended it is Open still and `awaits_since` then
    their announcement; `prepared` is what the system has counted, and by what. One that was adopted
    with more than an event can carry out has in `takes_effect` its place among those that do so
    next. `own_quorum` and `own_index` are the officer's figures for its vote, where they gave any.
    `law` is what was in force as its vote opened, by which it is counted (state/laws.py).
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="proposals")
    serial = models.PositiveIntegerField()
    number = models.PositiveIntegerField(null=True, blank=True)
    author = InGame(Player, models.PROTECT, related_name="proposals")
    title = models.CharField(max_length=LONGEST_TITLE, blank=True)
    body = models.TextField()
    remarks = ArrayField(models.TextField(), default=list, blank=True)
    units = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    index = models.DecimalField(max_digits=4, decimal_places=1, default=Decimal("1.0"))
    proposal_class = models.CharField(max_length=60, blank=True)
    coauthors = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    own_quorum = models.PositiveIntegerField(null=True, blank=True)
    own_index = models.DecimalField(max_digits=6, decimal_places=3, null=True, blank=True)

    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    success = models.CharField(max_length=10, choices=Success, default=Success.UNDECIDED)
    passed = models.BooleanField(null=True, blank=True)
    submitted_at = models.DateTimeField()
    submitted_in = EntryNumber()
    opened_at = models.DateTimeField(null=True, blank=True)
    opened_in = EntryNumber(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    law = models.JSONField(default=dict, blank=True)
    secret = models.BooleanField(default=False)
    by_hand = models.BooleanField(default=False)
    awaits_since = models.DateTimeField(null=True, blank=True)
    prepared = models.JSONField(default=dict, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_in = EntryNumber(null=True, blank=True)
    strength = models.IntegerField(null=True, blank=True)
    stamina = models.PositiveIntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=40, blank=True)
    figures = models.JSONField(default=dict, blank=True)
    reasons = models.JSONField(default=list, blank=True)
    effects = models.JSONField(default=list, blank=True)
    takes_effect = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("-serial",)
        indexes = (
            models.Index(fields=("game", "status", "serial")),
            models.Index(fields=("game", "closed_in")),
        )
        constraints = (
            models.UniqueConstraint(fields=("game", "serial"), name="one_proposal_a_serial"),
            models.UniqueConstraint(fields=("game", "number"), name="one_proposal_a_number"),
            models.CheckConstraint(
                name="historical_when_closed",
                condition=Q(status=Status.HISTORICAL, closed_in__isnull=False)
                | (~Q(status=Status.HISTORICAL) & Q(closed_in__isnull=True)),
            ),
            models.CheckConstraint(
                name="decided_when_closed",
                condition=Q(success=Success.UNDECIDED) | Q(status=Status.HISTORICAL),
            ),
            models.CheckConstraint(
                name="open_once_opened",
                condition=~Q(status=Status.OPEN) | Q(opened_in__isnull=False),
            ),
            models.CheckConstraint(
                name="only_the_open_await",
                condition=Q(awaits_since__isnull=True) | Q(status=Status.OPEN),
            ),
            models.CheckConstraint(
                name="only_the_won_pass", condition=~Q(passed=True) | Q(success=Success.WON)
            ),
            *of_one_game("proposals_proposal", "author"),
            referred_to("proposals_proposal"),
        )

    def __str__(self) -> str:
        return f"{self.label} “{self.title}”" if self.title else self.label

    @property
    def votes_are_sealed(self) -> bool:
        """Whether nobody may see yet who voted on it, nor how many."""
        return self.secret and self.status != Status.HISTORICAL

    @property
    def book(self) -> str:
        """The sealed book of the votes on a secret one."""
        return f"proposals/p{self.serial}"

    @property
    def handle(self) -> int | str:
        """The proposal's name: its number, or where it has none yet its id, such as `p7`."""
        return self.number if self.number is not None else f"p{self.serial}"

    @property
    def tally_number(self) -> int:
        """The number by which a tally tells it; AssertionError before it has one."""
        assert self.number is not None
        return self.number

    @property
    def label(self) -> str:
        """“Proposal 12”, or “Proposal p7” while it has no number."""
        return f"Proposal {self.handle}"


class Version(models.Model):
    """A text that a proposal has or had. `conflicts` and `dependencies` are serials."""

    game = GameOf("proposal")
    proposal = InGame(Proposal, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=LONGEST_TITLE, blank=True)
    body = models.TextField()
    remarks = ArrayField(models.TextField(), default=list, blank=True)
    units = models.JSONField(default=list, blank=True)
    conflicts = ArrayField(models.PositiveIntegerField(), default=list)
    dependencies = ArrayField(models.PositiveIntegerField(), default=list)
    index = models.DecimalField(max_digits=4, decimal_places=1)
    proposal_class = models.CharField(max_length=60, blank=True)
    coauthors = ArrayField(models.CharField(max_length=60), default=list)
    entry = EntryNumber()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("proposal", "number"), name="one_proposal_version_a_number"
            ),
            *of_one_game("proposals_version", "proposal"),
        )
        indexes = (GinIndex(vector("title", "body"), name="proposals_found"),)
        triggers = (WRITTEN_ONCE,)


class LinkKind(models.TextChoices):
    CONFLICT = "conflict"
    DEPENDENCY = "dependency"


class Link(models.Model):
    """A proposal lists another of the same game among its Conflicts or its Dependencies."""

    hides = None
    game = GameOf("proposal")
    proposal = InGame(Proposal, models.CASCADE, related_name="links")
    other = InGame(Proposal, models.CASCADE, related_name="links_to")
    kind = models.CharField(max_length=10, choices=LinkKind)

    class Meta:
        ordering = ("proposal", "kind", "other")
        constraints = (
            models.UniqueConstraint(
                fields=("proposal", "kind", "other"), name="one_link_of_a_kind"
            ),
            models.CheckConstraint(name="linked_to_another", condition=~Q(other=F("proposal"))),
            *of_one_game("proposals_link", "proposal", "other"),
        )
        triggers = (NEVER_REWRITTEN,)


class VoteQuerySet(models.QuerySet["Vote"]):
    def final(self) -> Self:
        """Each player's last vote on each proposal that was not struck."""
        standing = self.filter(strike__isnull=True).order_by("proposal_id", "player_id", "-pk")
        return standing.distinct("proposal_id", "player_id")

    def last_of(self, name: str) -> "Vote | None":
        """The last vote of that player's that was not struck; None where there is none."""
        return self.final().filter(player__name=name).first()


class Vote(models.Model):
    """A vote as it was cast; a player's last one that was not struck is the one that counts.

    `sealed` is the entry of the sealed book where votes are not seen before the close.
    """

    hides = Hidden(unless=Q(proposal__secret=False) | Q(proposal__status=Status.HISTORICAL))
    game = GameOf("proposal")
    proposal = InGame(Proposal, models.PROTECT, related_name="votes")
    player = InGame(Player, models.PROTECT, related_name="votes")
    word = models.CharField(max_length=LONGEST_WORD)
    at = models.DateTimeField()
    entry = EntryNumber(null=True, blank=True)
    sealed = models.PositiveIntegerField(null=True, blank=True)

    objects = VoteQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("proposal", "player", "-id")),)
        constraints = (
            models.CheckConstraint(
                name="a_vote_is_in_one_book",
                condition=Q(entry__isnull=True, sealed__isnull=False)
                | Q(entry__isnull=False, sealed__isnull=True),
            ),
            *of_one_game("proposals_vote", "proposal", "player"),
            referred_to("proposals_vote"),
        )
        triggers = (WRITTEN_ONCE,)


class Strike(models.Model):
    """A vote that the officer found illegal: it does not count, and stays to be seen."""

    game = GameOf("vote")
    # Held by `of_one_game`, in one constraint with the game's key, as an InGame is.
    vote = models.OneToOneField(Vote, models.PROTECT, related_name="strike", db_constraint=False)
    reason = models.CharField(max_length=300)
    entry = EntryNumber()

    class Meta:
        constraints = of_one_game("proposals_strike", "vote")
        triggers = (WRITTEN_ONCE,)


class Resolution(models.Model):
    """The word that a vote on a condition comes to, as the officer found, with the reason."""

    hides = None
    game = GameOf("vote")
    vote = models.OneToOneField(
        Vote, models.PROTECT, related_name="resolution", db_constraint=False
    )
    word = models.CharField(max_length=20)
    reason = models.CharField(max_length=300)
    entry = EntryNumber()

    class Meta:
        constraints = of_one_game("proposals_resolution", "vote")


class BallotStrength(models.Model):
    """The officer's figure for a player's voting strength on one proposal."""

    hides = None
    game = GameOf("proposal")
    proposal = InGame(Proposal, models.PROTECT, related_name="ballot_strengths")
    player = InGame(Player, models.PROTECT, related_name="ballot_strengths")
    strength = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("proposal", "player"), name="one_strength_a_ballot"),
            *of_one_game("proposals_ballotstrength", "proposal", "player"),
        )


class Comment(models.Model):
    """A player's comment on a proposal. `at` is the game moment."""

    game = GameOf("proposal")
    proposal = InGame(Proposal, models.PROTECT, related_name="comments")
    player = InGame(Player, models.PROTECT, related_name="proposal_comments")
    text = models.TextField()
    at = models.DateTimeField()
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        constraints = of_one_game("proposals_comment", "proposal", "player")
        triggers = (WRITTEN_ONCE,)


class Errand(models.Model):
    """A sentence of a proposal that passed, which the officer carries out by hand.

    `why` says why the program did not. `cited` is the entry of the correction that fulfils it.
    """

    game = GameOf("proposal")
    proposal = InGame(Proposal, models.PROTECT, related_name="errands")
    place = models.PositiveIntegerField(help_text="Which of the proposal's changes it is")
    sentence = models.TextField()
    why = models.TextField()
    made_in = EntryNumber()
    done_in = EntryNumber(null=True, blank=True)
    cited = EntryNumber(null=True, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("made_in", "proposal", "place")
        constraints = (
            models.UniqueConstraint(fields=("proposal", "place"), name="one_errand_a_sentence"),
            *of_one_game("proposals_errand", "proposal"),
        )


class VotingStrength(models.Model):
    """A player's voting strength where it was set to another than the rule gives everybody."""

    hides = None
    game = GameOf("player")
    player = models.OneToOneField(
        Player, models.PROTECT, related_name="voting_strength", db_constraint=False
    )
    strength = models.PositiveSmallIntegerField()

    class Meta:
        constraints = of_one_game("proposals_votingstrength", "player")


class NweekClock(models.Model):
    """B Nomic's clock in a game: which nweek it is, and how much of it has gone by.

    `gone` is what had gone by of the nweek at `since`, when the clock was last turned on or off.
    `voting` tells whether the nweek's voting period has begun.
    """

    hides = None
    game = models.OneToOneField(Game, models.PROTECT, related_name="nweek_clock")
    nweek = models.PositiveIntegerField(default=1)
    began_at = models.DateTimeField()
    is_on = models.BooleanField(default=True)
    since = models.DateTimeField()
    gone = models.DurationField(default=timedelta(0))
    voting = models.BooleanField(default=False)

    def gone_by(self, now: datetime) -> timedelta:
        """How much of the nweek has gone by, in time while the Clock was on."""
        return self.gone + (now - self.since if self.is_on else timedelta(0))

    def nday(self, now: datetime, length: timedelta, ndays: int) -> int:
        """Which nday of that length it is, 1 to `ndays`; an nweek that is over stays at its
        last."""
        return min(self.gone_by(now) // length + 1, ndays)

    def ndelay(self, now: datetime, length: timedelta) -> int:
        """The days that the Clock has been off, begun ones counted; 0 while it is on."""
        return 0 if self.is_on else (now - self.since) // length + 1

    def moment_after(self, gone: timedelta) -> datetime | None:
        """The moment by which so much of the nweek will have gone by; None while the Clock is off.

        One that has passed already is that of the Clock's last turn at the earliest.
        """
        return max(self.since + (gone - self.gone), self.since) if self.is_on else None

    def turn(self, now: datetime, *, on: bool) -> None:
        """Turn it on or off at that moment. It is not saved."""
        self.gone, self.since, self.is_on = self.gone_by(now), now, on

    def go_on(self, now: datetime, *, on: bool) -> None:
        """Begin the next nweek at that moment, in which Voting has not begun yet. It is not
        saved."""
        self.nweek, self.began_at, self.voting = self.nweek + 1, now, False
        self.since, self.gone, self.is_on = now, timedelta(0), on


class Draft(models.Model):
    """A text that a player is writing: theirs alone, and no part of the game until it is submitted.

    `saved_at` is a wall moment. `revises` is the proposal of which it is to be a new version.
    """

    hides = Hidden()
    beside_the_record = True
    game = GameOf("player")
    player = InGame(Player, models.CASCADE, related_name="proposal_drafts")
    revises = InGame(Proposal, models.CASCADE, null=True, blank=True)
    title = models.CharField(max_length=LONGEST_TITLE, blank=True)
    body = models.TextField(blank=True)
    more = models.JSONField(default=dict, blank=True, help_text="The form's other fields, as typed")
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("-saved_at",)
        constraints = of_one_game("proposals_draft", "player", "revises")
