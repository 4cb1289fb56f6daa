"""What is stored of cases: each, its judges, its texts with their evidence, the sentences that
judgements read, what was done because of them, who asks for one to be opened again, and what
players are writing."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from nomic.cases.rules import LONGEST_NAME
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
from nomic.games.search import vector
from nomic.rulebook.models import Rule

LONGEST_STATEMENT = 1_000
LONGEST_TEXT = 50_000  # characters, as of a document
LONGEST_PASSAGE = 2_000


class Case(models.Model):
    """A statement that somebody wants to be judged.

    `number` counts the cases of its game. It was called in the entry `entry` at the game moment
    `called_at`. While it is open, `verdict` is empty, and `judge` is None until it is assigned; of
    a judged one they are those of the judgement that stands, given in `judged_in` at `judged_at`.
    """

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="cases")
    number = models.PositiveIntegerField()
    statement = models.CharField(max_length=LONGEST_STATEMENT)
    caller = InGame(Player, models.PROTECT, related_name="+")
    called_at = models.DateTimeField()
    judge = InGame(Player, models.PROTECT, null=True, blank=True, related_name="+")
    verdict = models.CharField(max_length=LONGEST_NAME, blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    judged_in = EntryNumber(null=True, blank=True)
    entry = EntryNumber()

    class Meta:
        ordering = ("-number",)
        indexes = (GinIndex(vector("statement"), name="cases_found"),)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_case_a_number"),
            models.CheckConstraint(
                name="a_verdict_is_somebodys",
                condition=Q(verdict="", judged_at__isnull=True, judged_in__isnull=True)
                | ~Q(verdict="")
                & Q(judge__isnull=False, judged_at__isnull=False, judged_in__isnull=False),
            ),
            *of_one_game("cases_case", "caller", "judge"),
            referred_to("cases_case"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Case {self.number}"

    @property
    def barred(self) -> list[str]:
        """The names of the players who are barred from it."""
        return [barring.player.name for barring in self.barrings.all()]


class Barring(models.Model):
    """A player whom the caller of a case bars from judging it."""

    hides = None
    game = GameOf("case")
    case = InGame(Case, models.PROTECT, related_name="barrings")
    player = InGame(Player, models.PROTECT, related_name="+")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("case", "player"), name="barred_once_from_a_case"),
            *of_one_game("cases_barring", "case", "player"),
        )
        triggers = (WRITTEN_ONCE,)


class Assignment(models.Model):
    """A judge whom a case has had since the entry `entry`, until `ended_in` if they were taken off
    it, for the reason `end`."""

    class End(models.TextChoices):
        RECUSED = "recused", "recused themself"
        LATE = "late", "did not judge in time"
        LEFT = "left", "left the game"
        AWAY = "away", "went away"
        OPENED = "opened", "their judgement was opened again"

    hides = None
    game = GameOf("case")
    case = InGame(Case, models.PROTECT, related_name="assignments")
    number = models.PositiveIntegerField()
    judge = InGame(Player, models.PROTECT, related_name="+")
    entry = EntryNumber()
    end = models.CharField(max_length=10, choices=End, blank=True)
    ended_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("case", "number")
        constraints = (
            models.UniqueConstraint(fields=("case", "number"), name="one_assignment_a_number"),
            models.UniqueConstraint(
                fields=("case",), name="one_judge_of_a_case", condition=Q(ended_in__isnull=True)
            ),
            *of_one_game("cases_assignment", "case", "judge"),
        )
        triggers = (NEVER_TAKEN_AWAY,)


class CaseText(models.Model):
    """A text of a case: arguments of who called it or of others, or a judgement with its verdict,
    which stands until it is opened again in `overturned_in` by the motion `overturned_by`."""

    class Kind(models.TextChoices):
        ARGUMENTS = "arguments", "Arguments"
        GRATUITOUS = "gratuitous", "Further arguments"
        JUDGEMENT = "judgement", "Judgement"

    hides = None
    game = GameOf("case")
    case = InGame(Case, models.PROTECT, related_name="texts")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    by = InGame(Player, models.PROTECT, related_name="+")
    text = models.TextField(blank=True)
    verdict = models.CharField(max_length=LONGEST_NAME, blank=True)
    entry = EntryNumber()
    overturned_by = models.CharField(max_length=LONGEST_NAME, blank=True)
    overturned_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("case", "number")
        indexes = (GinIndex(vector("text"), name="case_texts_found"),)
        constraints = (
            models.UniqueConstraint(fields=("case", "number"), name="one_case_text_a_number"),
            *of_one_game("cases_casetext", "case", "by"),
            referred_to("cases_casetext"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    @property
    def anchor(self) -> str:
        """By what it is found on its case's page."""
        return f"text-{self.number}"


class Exhibit(models.Model):
    """A piece of evidence that a text names: an entry of the record, a rule or a passage of one, or
    something that a subgame has, whose name is then `kind`."""

    hides = None
    game = GameOf("text")
    text = InGame(CaseText, models.PROTECT, related_name="exhibits")
    place = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    name = models.CharField(max_length=120, blank=True)
    passage = models.CharField(max_length=LONGEST_PASSAGE, blank=True)
    evidence = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("text", "place")
        constraints = (
            models.UniqueConstraint(fields=("text", "place"), name="one_exhibit_a_place"),
            *of_one_game("cases_exhibit", "text"),
        )
        triggers = (WRITTEN_ONCE,)


class Reading(models.Model):
    """A sentence of a rule that a judgement reads, with the key by which passages are known again.
    The mark at it ends in `ended_in`, when the rule says that sentence no more.

    It may be played otherwise than it reads, since the entry `since` and until that of `until`, if
    it is over: as `played_as` says, which is a row or a program.
    """

    hides = None
    game = GameOf("judgement")
    judgement = InGame(CaseText, models.PROTECT, related_name="readings")
    place = models.PositiveIntegerField()
    rule = InGame(Rule, models.PROTECT, related_name="+")
    key = models.CharField(max_length=12)
    passage = models.CharField(max_length=LONGEST_PASSAGE)
    ended_in = EntryNumber(null=True, blank=True)
    played_as = models.TextField(blank=True)
    since = EntryNumber(null=True, blank=True)
    until = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("judgement", "place")
        constraints = (
            models.UniqueConstraint(fields=("judgement", "place"), name="one_reading_a_place"),
            *of_one_game("cases_reading", "judgement", "rule"),
        )
        triggers = (NEVER_TAKEN_AWAY,)


class Request(models.Model):
    """A player who asks, or supports, that a judgement be opened again by a motion."""

    hides = None
    game = GameOf("judgement")
    judgement = InGame(CaseText, models.PROTECT, related_name="requests")
    motion = models.CharField(max_length=LONGEST_NAME)
    player = InGame(Player, models.PROTECT, related_name="+")
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("judgement", "motion", "player"), name="one_request_a_player"
            ),
            *of_one_game("cases_request", "judgement", "player"),
        )
        triggers = (WRITTEN_ONCE,)


class Consequence(models.Model):
    """What was done because of a case's judgement: the entry `deed`, attached to it by a player."""

    hides = None
    game = GameOf("case")
    case = InGame(Case, models.PROTECT, related_name="consequences")
    deed = EntryNumber()
    player = InGame(Player, models.PROTECT, related_name="+")
    entry = EntryNumber()

    class Meta:
        ordering = ("deed",)
        constraints = (
            models.UniqueConstraint(fields=("case", "deed"), name="each_consequence_once"),
            *of_one_game("cases_consequence", "case", "player"),
        )
        triggers = (WRITTEN_ONCE,)


class CaseDraft(models.Model):
    """What a player is writing by the form of an act about a case, which is not sent yet: theirs
    alone, and no part of the game. `act` is the act's name, `case` which it is about, if there is
    one yet; `fields` are the form's, `chosen` what was ticked. `saved_at` is a wall moment."""

    hides = Hidden()
    beside_the_record = True
    game = GameOf("player")
    player = InGame(Player, models.CASCADE, related_name="case_drafts")
    case = InGame(Case, models.CASCADE, null=True, blank=True, related_name="+")
    act = models.CharField(max_length=40)
    fields = models.JSONField(default=dict)
    chosen = models.JSONField(default=list, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("-saved_at",)
        constraints = of_one_game("cases_casedraft", "player", "case")

    @property
    def subject(self) -> str:
        """What it is about, besides its title: the case, if there is one yet."""
        return str(self.case or "")

    @property
    def title(self) -> str:
        """How it begins."""
        words = self.fields.get("statement") or self.fields.get("arguments")
        return str(words or self.fields.get("reasons") or "")[:120]
