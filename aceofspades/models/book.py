"""Proposals and regulations; the regulations' texts stand in the rulebook."""

from django.db import models
from django.db.models import Count, Q

from aceofspades.models.contest import Contest, Contestant
from nomic.games.guards import APPEND_ONLY, NEVER_DELETED, Hidden, InGame, of_one_game, referred_to
from nomic.games.models import GameOf, Player
from nomic.rulebook.models import Rule


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
    entry = models.PositiveIntegerField()
    up_at = models.DateTimeField(null=True, blank=True)
    up_in = models.PositiveIntegerField(null=True, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    decided_in = models.PositiveIntegerField(null=True, blank=True)
    for_votes = models.PositiveIntegerField(null=True, blank=True)
    against_votes = models.PositiveIntegerField(null=True, blank=True)
    effective_in = models.PositiveIntegerField(null=True, blank=True)

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
        triggers = (NEVER_DELETED,)

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
        found: dict[int, dict[str, str]] = {}
        for number, name, way in self.order_by("contestant__turn").values_list(*columns):
            found.setdefault(number, {})[name] = way
        return found

    def tallies(self) -> dict[int, tuple[int, int]]:
        """How many have voted FOR and AGAINST, by the proposal's key."""
        heard = self.order_by().values("proposal")
        counted = heard.annotate(
            ayes=Count("pk", Q(way=Vote.Choice.FOR)), noes=Count("pk", Q(way=Vote.Choice.AGAINST))
        )
        return {each["proposal"]: (each["ayes"], each["noes"]) for each in counted}


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
        triggers = (APPEND_ONLY,)


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
    gone_in = models.PositiveIntegerField(null=True, blank=True)

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
        triggers = (NEVER_DELETED,)

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
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("regulation", "contestant"), name="knows_it_once"),
            *of_one_game("aceofspades_needtoknow", "regulation", "contestant"),
        )
        triggers = (NEVER_DELETED,)


class Hint(models.Model):
    """A hint: the Contestmaster's public text on a secret regulation (Regulation 250)."""

    game = GameOf("regulation")
    regulation = InGame(Regulation, models.PROTECT, related_name="hints")
    text = models.TextField()
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = of_one_game("aceofspades_hint", "regulation")
        triggers = (APPEND_ONLY,)

    def __str__(self) -> str:
        return self.text
