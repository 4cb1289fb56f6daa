"""Motions, which are announced first and done later; voices, remarks, complaints and reports."""

from typing import Any

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from nomic.games.guards import NEVER_DELETED, Hidden, InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf, Player
from nomic.games.search import vector

LONGEST_REMARK = 2000
LONGEST_TOPIC = 40
LONGEST_FACE = 12


class Motion(models.Model):
    """Something that was announced: it is done when its time is over, or with enough support.

    `label` is what it is called, with a `number` among those that are called so. `action` is the
    name of what is done, `inputs` what with, but for what is `sealed` of them; it was announced at
    the game moment `at`, in the entry `entry`, `by` a player, or by an office where that is None.
    Without `due`, time alone does not carry it out; `ended_in` is the entry in which it ended, and
    `note` says why it could not be done. Where a row of a rule lets it be done, `how` is that row's
    method as it was then, and `words` are the act as a sentence.
    """

    hides = Hidden(("sealed",))
    LABEL = "Motion"

    class End(models.TextChoices):
        DONE = "done"
        PREVENTED = "prevented"
        FAILED = "failed", "found to be impossible"
        WITHDRAWN = "withdrawn"

    game = models.ForeignKey(Game, models.PROTECT, related_name="motions")
    label = models.CharField(max_length=40, default=LABEL)
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=80)
    inputs = models.JSONField(default=dict)
    sealed = models.JSONField(default=dict)
    how = models.CharField(max_length=40, blank=True)
    words = models.TextField(blank=True)
    by = InGame(Player, models.PROTECT, null=True, blank=True, related_name="motions")
    entry = models.PositiveIntegerField()
    at = models.DateTimeField()
    due = models.DateTimeField(null=True, blank=True)
    end = models.CharField(max_length=10, choices=End, blank=True)
    ended_in = models.PositiveIntegerField(null=True, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("number",)
        indexes = (models.Index("game", name="open_motions", condition=Q(end="")),)
        constraints = (
            models.UniqueConstraint(fields=("game", "label", "number"), name="one_motion_a_number"),
            models.CheckConstraint(
                name="a_motion_ends_in_an_entry",
                condition=Q(end="", ended_in__isnull=True) | ~Q(end="") & Q(ended_in__isnull=False),
            ),
            *of_one_game("governance_motion", "by"),
            referred_to("governance_motion"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"{self.label} {self.number}"

    @property
    def data(self) -> dict[str, Any]:
        """All that it is done with."""
        return {**self.inputs, **self.sealed}


class Voice(models.Model):
    """A player's objection to a motion, or their support, in an entry: one each. Who takes it back
    is silent."""

    hides = None

    class Side(models.TextChoices):
        OBJECTS = "objects"
        SUPPORTS = "supports"
        SILENT = "silent"

    game = GameOf("motion")
    motion = InGame(Motion, models.PROTECT, related_name="voices")
    player = InGame(Player, models.PROTECT, related_name="voices")
    side = models.CharField(max_length=10, choices=Side)
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("motion", "player"), name="one_voice_a_player"),
            *of_one_game("governance_voice", "motion", "player"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"{self.player} {self.side} {self.motion}"


class Election(models.Model):
    """An election of an office, called in the entry `entry`, by a player or by itself.

    Candidates stand until the game moment `closes`, and those who may vote do until `ends`, which
    is None where nobody had to. What a rule's row said then counts to its end: how ballots are
    counted, and who holds the office on a tie or where nobody stands. `ending` is how it ended, in
    a sentence.
    """

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="elections")
    number = models.PositiveIntegerField()
    office = models.CharField(max_length=60)
    by = InGame(Player, models.PROTECT, null=True, blank=True, related_name="+")
    rule = models.CharField(max_length=200)
    count = models.CharField(max_length=20)
    on_tie = models.CharField(max_length=10)
    unopposed = models.CharField(max_length=10)
    voting_days = models.PositiveIntegerField()
    entry = models.PositiveIntegerField()
    closes = models.DateTimeField()
    ends = models.DateTimeField(null=True, blank=True)
    elected = InGame(Player, models.PROTECT, null=True, blank=True, related_name="+")
    rounds = models.JSONField(default=list)
    ending = models.TextField(blank=True)
    ended_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_election_a_number"),
            models.UniqueConstraint(
                fields=("game", "office"),
                condition=Q(ended_in__isnull=True),
                name="one_open_election_an_office",
            ),
            *of_one_game("governance_election", "by", "elected"),
            referred_to("governance_election"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Election {self.number}"


class Candidacy(models.Model):
    """A player who stands in an election, since an entry, or did so until they withdrew in one."""

    hides = None
    game = GameOf("election")
    election = InGame(Election, models.PROTECT, related_name="candidacies")
    player = InGame(Player, models.PROTECT, related_name="candidacies")
    entry = models.PositiveIntegerField()
    withdrawn_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("entry", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("election", "player"), name="one_candidacy_of_a_player_in_an_election"
            ),
            *of_one_game("governance_candidacy", "election", "player"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"{self.player} in {self.election}"


class ElectionBallot(models.Model):
    """A player's ballot in an election: the names of candidates, the one they like best first."""

    hides = None
    game = GameOf("election")
    election = InGame(Election, models.PROTECT, related_name="ballots")
    player = InGame(Player, models.PROTECT, related_name="election_ballots")
    choices = models.JSONField()
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("election", "player"), name="one_ballot_of_a_player_in_an_election"
            ),
            *of_one_game("governance_electionballot", "election", "player"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"{self.player}'s ballot in {self.election}"


class Remark(models.Model):
    """Something said at a game's table. No part of its record: it is not replayed or exported.

    `number` counts the remarks of its game. Moments are of the wall. What was deleted by its
    author, or hidden by the host in the entry `hidden_in`, leaves its mark and loses its text.
    `about` is what it was said beside, as “race 3” or “entry 41”; empty for nothing.
    """

    hides = None
    game = models.ForeignKey(Game, models.CASCADE, related_name="remarks")
    number = models.PositiveIntegerField()
    player = InGame(Player, models.CASCADE, related_name="remarks")
    text = models.CharField(max_length=LONGEST_REMARK)
    about = models.CharField(max_length=LONGEST_TOPIC, blank=True)
    at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    hidden_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        indexes = (
            GinIndex(vector("text"), name="remarks_found"),
            models.Index(
                "game", "about", "number", condition=~Q(about=""), name="remarks_beside_something"
            ),
        )
        constraints = (
            models.CheckConstraint(
                name="what_is_gone_has_no_text",
                condition=Q(text="") | Q(deleted_at__isnull=True, hidden_in__isnull=True),
            ),
            models.UniqueConstraint(fields=("game", "number"), name="one_remark_a_number"),
            *of_one_game("governance_remark", "player"),
            referred_to("governance_remark"),
        )

    def __str__(self) -> str:
        return f"Remark {self.number}"


class Reaction(models.Model):
    """A sign with which a player answers a remark; each player each sign once."""

    hides = None

    class Sign(models.TextChoices):
        AGREE = "thumbs-up", "agrees"
        LIKE = "heart", "likes it"
        LAUGH = "laugh", "laughs"
        CHEER = "party-popper", "cheers"
        WONDER = "circle-question-mark", "wonders"

    game = GameOf("remark")
    remark = InGame(Remark, models.CASCADE, related_name="reactions")
    player = InGame(Player, models.CASCADE, related_name="reactions")
    sign = models.CharField(max_length=20, choices=Sign)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("remark", "player", "sign"), name="each_sign_once_on_a_remark"
            ),
            *of_one_game("governance_reaction", "remark", "player"),
        )

    def __str__(self) -> str:
        return f"{self.player} {self.get_sign_display()}"


class AtTable(models.Model):
    """How somebody sits at their game's table: up to which remark they have read the talk, whether
    others are not told that they are there, and the face that they chose, “” for that which goes
    with their name. No part of the game's record."""

    hides = Hidden(("read", "unseen"))
    game = GameOf("player")
    player = models.OneToOneField(
        Player, models.CASCADE, primary_key=True, related_name="at_table", db_constraint=False
    )
    read = models.PositiveIntegerField(default=0)
    unseen = models.BooleanField(default=False)
    face = models.CharField(max_length=LONGEST_FACE, blank=True)

    class Meta:
        constraints = of_one_game("governance_attable", "player")

    def __str__(self) -> str:
        return f"{self.player} has read {self.read}"


class Complaint(models.Model):
    """A complaint to the site's operator about a player or a remark. Moments are of the wall.

    `quoted` is the remark as it read then, so that hiding or editing it takes nothing away.
    """

    hides = Hidden()
    game = models.ForeignKey(Game, models.CASCADE, related_name="complaints")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="complaints"
    )
    about = InGame(Player, models.CASCADE, related_name="complaints")
    quoted = models.CharField(max_length=LONGEST_REMARK, blank=True)
    words = models.CharField(max_length=1000)
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=1000, blank=True)

    class Meta:
        ordering = ("-at", "-pk")
        constraints = of_one_game("governance_complaint", "about")

    def __str__(self) -> str:
        return f"About {self.about} in {self.game}"


class Recalculation(models.Model):
    """A recalculation that somebody asked for. It is no part of the game: nothing follows from it.

    In the end there is a `report`, named by its `hash`, or a `refusal` that says why there is none.
    `asked_at` is a wall moment. What it cannot tell while something is sealed in the parts that it
    `awaits`, it is made for anew once all of that has been opened.
    """

    hides = None
    game = models.ForeignKey(Game, models.CASCADE, related_name="recalculations")
    by = InGame(Player, models.CASCADE, related_name="+")
    revision = models.JSONField()
    asked_at = models.DateTimeField()
    hash = models.CharField(max_length=64, blank=True)
    report = models.JSONField(null=True)
    refusal = models.TextField(blank=True)
    awaits = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = of_one_game("governance_recalculation", "by")

    @property
    def is_done(self) -> bool:
        """Whether there is a report, or a reason for none."""
        return self.report is not None or bool(self.refusal)


class RecordedReport(models.Model):
    """The report of a recalculation that the record holds, so that it can be named by its `hash`.

    `revised` is the number of the entry from which it recalculates, `entry` the one that put it on
    the record, `ratified_in` the one that made it so.
    """

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="recorded_reports")
    hash = models.CharField(max_length=64)
    text = models.TextField()
    revised = models.PositiveIntegerField()
    entry = models.PositiveIntegerField()
    ratified_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "hash"), name="one_recorded_report_a_hash"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Report {self.hash[:16]}"
