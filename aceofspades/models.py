"""What is stored of the contest. The cards stand in the ledger, the regulations' texts in the
rulebook. Who may see which of these rows, disclosure.py says; secrets.py alone reads those that
are not for everybody."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from nomic.games.guards import APPEND_ONLY, NEVER_DELETED
from nomic.games.models import Game, Player
from nomic.ledger.models import Holder
from nomic.rulebook.models import Rule


class Contest(models.Model):
    """The contest of a game. `is_on` while Regulation 101 is in force.

    `begun_at` is the game moment from which its days are counted. `reckoned_at` and `reckoned_in`
    are the Moment of Reckoning and its entry; `worths_in` the entry that announced the worths.
    `masters` are the names of all who have been Contestmaster since it began: they know everything.
    `opened` once the secret regulations of the beginning are drawn. `deck` holds the cards of the
    Contest Fund (Regulation 116).
    """

    game = models.OneToOneField(Game, models.PROTECT, related_name="contest")
    is_on = models.BooleanField(default=True)
    opened = models.BooleanField(default=False)
    begun_at = models.DateTimeField()
    deck = models.OneToOneField(Holder, models.PROTECT, related_name="+")
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
        )

    def __str__(self) -> str:
        return f"The contest of {self.game}"


class Contestant(models.Model):
    """A player in the contest. The row and the cards stay when they leave it.

    `turn` counts them in the order of their first joining, in which cards are dealt; `dealt` are
    the cards that were ever dealt to them. `worth` is set at the Moment of Reckoning.
    """

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="contestants")
    player = models.OneToOneField(Player, models.PROTECT, related_name="contestant")
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
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return str(self.player)


class Proposal(models.Model):
    """A proposed regulation. `number` counts the proposals, `regulation_number` is the proposed.

    `text` is for those with need to know where `visibility` is not public. It is up for vote from
    `up_at` on; `verdict` stands once it is decided, `effective_in` is the entry in which it took
    effect. `for_votes` and `against_votes` are set when it is decided, and public then.
    """

    class Verdict(models.TextChoices):
        ADOPTED = "adopted"
        FAILED = "failed"

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="proposals")
    number = models.PositiveIntegerField()
    regulation_number = models.PositiveSmallIntegerField()
    text = models.TextField()
    visibility = models.CharField(max_length=10, default="public")
    by = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="contest_proposals"
    )
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


class Vote(models.Model):
    """A contestant's vote, never retracted. Secret until the Moment of Reckoning."""

    class Way(models.TextChoices):
        FOR = "FOR"
        AGAINST = "AGAINST"

    proposal = models.ForeignKey(Proposal, models.PROTECT, related_name="votes")
    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="votes")
    way = models.CharField(max_length=10, choices=Way)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("proposal", "contestant"), name="one_vote_each"),
        )
        triggers = (APPEND_ONLY,)


class Regulation(models.Model):
    """A regulation of the contest: its number, and the rule in the rulebook that has its text,
    whose key is its own.

    `proposal` is that by which it came; `gone_in` the entry that repealed it.
    """

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="regulations")
    number = models.PositiveSmallIntegerField()
    rule = models.OneToOneField(Rule, models.PROTECT, related_name="regulation", primary_key=True)
    proposal = models.OneToOneField(
        Proposal, models.PROTECT, null=True, blank=True, related_name="regulation"
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
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Regulation {self.number}"


class NeedToKnow(models.Model):
    """That a contestant may have a private regulation's text; who is `full` may pass it on.

    Who knows is public (Regulation 225), what they know is not.
    """

    regulation = models.ForeignKey(Regulation, models.PROTECT, related_name="known_by")
    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="knows")
    full = models.BooleanField(default=False)
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("regulation", "contestant"), name="knows_it_once"),
        )
        triggers = (NEVER_DELETED,)


class Hint(models.Model):
    """What the Contestmaster has said in public about a secret regulation (Regulation 250)."""

    regulation = models.ForeignKey(Regulation, models.PROTECT, related_name="hints")
    text = models.TextField()
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        triggers = (APPEND_ONLY,)

    def __str__(self) -> str:
        return self.text


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

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="moves")
    entry = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=12, choices=Kind)
    giver = models.CharField(max_length=60, blank=True)
    receiver = models.CharField(max_length=60, blank=True)
    cards = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        triggers = (APPEND_ONLY,)


class Offer(models.Model):
    """Cards of some suits for cards of others, offered to some contestants (Regulation 125).

    Only its parties know of it. `code` is what they call it: drawn by the dice, so that it does
    not count the offers. `gives` is what the offerer would give, `takes` what they would get.
    `at` is the game moment.
    """

    class End(models.TextChoices):
        ACCEPTED = "accepted"
        WITHDRAWN = "withdrawn"

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="offers")
    code = models.CharField(max_length=8)
    by = models.ForeignKey(Contestant, models.PROTECT, related_name="offers_made")
    to = models.ManyToManyField(Contestant, related_name="offers_got")
    gives = models.JSONField()
    takes = models.JSONField()
    anonymous = models.BooleanField(default=False)
    at = models.DateTimeField()
    end = models.CharField(max_length=10, choices=End, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        Contestant, models.PROTECT, null=True, blank=True, related_name="offers_accepted"
    )
    accepted_anonymously = models.BooleanField(default=False)

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
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"offer {self.code}"


class Notice(models.Model):
    """What the Contestmaster has told one contestant, and nobody else. `at` is the game moment."""

    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="notices")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        triggers = (APPEND_ONLY,)

    def __str__(self) -> str:
        return self.text


class Alliance(models.Model):
    """Contestants who have agreed to be allied. That it is, its size and its worth are public; who
    is in it is for its members (Regulations 220, 225, 230). `over_at` is when it had fewer than two
    members, or the same as an older one."""

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="alliances")
    number = models.PositiveIntegerField()
    members = models.ManyToManyField(Contestant, related_name="alliances")
    formed_at = models.DateTimeField()
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "number"), name="one_alliance_a_number"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Alliance {self.number}"


class Pact(models.Model):
    """An alliance that some of its would-be members have agreed to: it is formed when all have.

    Only they know of it. `code` is what they call it, as an offer's. `over_at` is when it was
    formed, or one of them has declined or left.
    """

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="pacts")
    code = models.CharField(max_length=8)
    members = models.ManyToManyField(Contestant, related_name="pacts")
    agreed = models.ManyToManyField(Contestant, related_name="pacts_agreed")
    at = models.DateTimeField()
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("contest", "code"), name="one_pact_a_code"),)
        triggers = (NEVER_DELETED,)


class Request(models.Model):
    """A player's request for judgement, and the Contestmaster's answer (Regulation 114)."""

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="requests")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Player, models.PROTECT, related_name="contest_requests")
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
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Request {self.number}"


class Tabled(models.Model):
    """An act that the Contestmaster has announced to intend: a remedy (Regulation 114), a hint or
    the publishing of a secret regulation (Regulation 250).

    `details` is what everybody may read of it, `sealed` what they may not. It is done at `due`
    unless enough contestants object, or as soon as a majority supports it where that will do.
    """

    class Kind(models.TextChoices):
        MAKE = "make"
        DESTROY = "destroy"
        MOVE = "move"
        REMOVE = "remove"
        REPEAL = "repeal"
        PUBLISH = "publish"
        HINT = "hint"

    class End(models.TextChoices):
        DONE = "done"
        PREVENTED = "prevented"
        FAILED = "failed"
        WITHDRAWN = "withdrawn"

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="tabled")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    details = models.JSONField()
    sealed = models.JSONField(default=dict)
    request = models.ForeignKey(
        Request, models.PROTECT, null=True, blank=True, related_name="remedies"
    )
    entry = models.PositiveIntegerField()
    due = models.DateTimeField()
    end = models.CharField(max_length=10, choices=End, blank=True)
    ended_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("contest", "number"), name="one_tabled_act_a_number"),
            models.CheckConstraint(
                name="a_tabled_act_ends_in_an_entry",
                condition=Q(end="", ended_in__isnull=True) | ~Q(end="") & Q(ended_in__isnull=False),
            ),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Tabled act {self.number}"


class Voice(models.Model):
    """A contestant's Objection to a tabled act, or Support (Regulation 103)."""

    class Way(models.TextChoices):
        OBJECTS = "objects"
        SUPPORTS = "supports"

    tabled = models.ForeignKey(Tabled, models.PROTECT, related_name="voices")
    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="voices")
    way = models.CharField(max_length=10, choices=Way)
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("tabled", "contestant"), name="one_voice_each"),
        )
        triggers = (NEVER_DELETED,)
