"""Rules and their versions."""

import hashlib

import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.db.models.functions import Lower

from nomic.games.guards import APPEND_ONLY, EntryNumber, Hidden, InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf
from nomic.games.search import vector

_ONLY_DISCLOSED = """
IF array_position(ARRAY['secret', 'private', 'public'], OLD.visibility::text)
   > array_position(ARRAY['secret', 'private', 'public'], NEW.visibility::text) THEN
  RAISE EXCEPTION 'rule % cannot be hidden from those who may read it', OLD.id
    USING ERRCODE = 'check_violation';
END IF;
RETURN NEW;
"""
_IS_PUBLIC = ExpressionWrapper(Q(visibility="public"), output_field=BooleanField())


class RuleClass(models.TextChoices):
    MUTABLE = "mutable"
    IMMUTABLE = "immutable"


class Visibility(models.TextChoices):
    """Who may read a rule: everybody; those whom a subgame tells; nobody but an office."""

    PUBLIC = "public"
    PRIVATE = "private"
    SECRET = "secret"  # noqa: S105

    @property
    def openness(self) -> int:
        """A number to compare by: 0 for secret, 1 for private, 2 for public."""
        return [Visibility.SECRET, Visibility.PRIVATE, Visibility.PUBLIC].index(self)


class Rule(models.Model):
    """A titled text in a game's rulebook. Its text is that of its newest version.

    `origin` names the app whose shipped text it was, if any. `enacted_in` and `repealed_in` are
    entries of the record. `settled` is what officers have found of passages that the machinery does
    not fit, by the passages' keys (marks.py); `played_as` is the last version up to which only its
    tables were amended. `judged` are the passages, by their keys, that are played as a judgement
    has it (judged.py). `switched_off` is the entry since which nothing of its program runs, 0 where
    it does. `known_as` is the title that it had before it was ever retitled, by which the machinery
    finds it still. No two public rules in force share one of these names, and no two hidden ones;
    but those that are kept `by_people` may share a title. Of a rule that lived elsewhere, `told` is
    what was told of it: its category, history, annotations and earlier texts.

    An immutable rule is neither amended nor repealed before it is transmuted. A rule that is not
    public is hidden: it is replaced and never amended, so that its one version is all that shows
    when it is disclosed, in the entry `disclosed_in`. What is public stays so.
    """

    hides = Hidden(unless=Q(visibility=Visibility.PUBLIC))
    game = models.ForeignKey(Game, models.PROTECT, related_name="rules")
    title = models.CharField(max_length=120)
    known_as = models.CharField(max_length=120, blank=True)
    number = models.CharField(max_length=20, blank=True)
    parent = InGame("self", models.PROTECT, null=True, blank=True, related_name="subrules")
    rule_class = models.CharField(max_length=10, choices=RuleClass, default=RuleClass.MUTABLE)
    power = models.DecimalField(max_digits=6, decimal_places=3, null=True, blank=True)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    origin = models.CharField(max_length=40, blank=True)
    source = models.CharField(max_length=200, blank=True)
    position = models.PositiveIntegerField(default=0)
    text = models.TextField()
    version = models.PositiveIntegerField(default=1)
    played_as = models.PositiveIntegerField(default=1)
    settled = models.JSONField(default=dict, blank=True)
    judged = models.JSONField(default=dict, blank=True)
    by_people = models.BooleanField(default=False)
    told = models.JSONField(default=dict, blank=True)
    enacted_in = EntryNumber()
    repealed_in = EntryNumber(null=True, blank=True)
    switched_off = models.PositiveIntegerField(default=0)
    disclosed_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("position", "pk")
        indexes = (
            GinIndex(vector("title", "text"), name="rules_found", condition=Q(visibility="public")),
        )
        constraints = (
            models.UniqueConstraint(
                "game",
                _IS_PUBLIC,
                Lower("title"),
                name="one_rule_a_title",
                condition=Q(repealed_in__isnull=True, by_people=False),
            ),
            models.UniqueConstraint(
                "game",
                _IS_PUBLIC,
                Lower("number"),
                name="one_rule_a_number",
                condition=Q(repealed_in__isnull=True) & ~Q(number=""),
            ),
            models.UniqueConstraint(
                "game",
                _IS_PUBLIC,
                Lower("known_as"),
                name="one_rule_an_old_title",
                condition=Q(repealed_in__isnull=True) & ~Q(known_as=""),
            ),
            models.CheckConstraint(name="a_rule_has_a_title", condition=~Q(title="")),
            models.CheckConstraint(
                name="no_rule_is_its_own_subrule",
                condition=Q(parent__isnull=True) | ~Q(parent=F("pk")),
            ),
            models.CheckConstraint(
                name="rules_are_public_private_or_secret",
                condition=Q(visibility__in=Visibility.values),
            ),
            models.CheckConstraint(
                name="a_hidden_rule_has_one_version",
                condition=Q(visibility=Visibility.PUBLIC) | Q(version=1, known_as=""),
            ),
            models.CheckConstraint(
                name="only_a_public_rule_was_disclosed",
                condition=Q(visibility=Visibility.PUBLIC) | Q(disclosed_in__isnull=True),
            ),
            *of_one_game("rulebook_rule", "parent"),
            referred_to("rulebook_rule"),
        )
        triggers = (
            pgtrigger.Trigger(
                name="only_disclosed",
                when=pgtrigger.Before,
                operation=pgtrigger.UpdateOf("visibility"),
                func=_ONLY_DISCLOSED,
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def category(self) -> str | None:
        """Under what it was kept where it lived before."""
        category: str | None = self.told.get("category")
        return category

    @property
    def shown_class(self) -> str:
        """Its class where that says something: that it is immutable, or what was told of it."""
        told_class: str = self.told.get("rule_class", "")
        return RuleClass.IMMUTABLE.value if self.rule_class == RuleClass.IMMUTABLE else told_class

    @property
    def shown_power(self) -> str:
        """The power as people write it, "" for none."""
        return "" if self.power is None else f"{self.power.normalize():f}"


class RuleVersion(models.Model):
    """The text and class that a rule had at the end of the entry that gave it."""

    hides = Hidden(unless=Q(rule__visibility=Visibility.PUBLIC))
    game = GameOf("rule")
    rule = InGame(Rule, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120)
    rule_class = models.CharField(max_length=10, choices=RuleClass, default=RuleClass.MUTABLE)
    text = models.TextField()
    enacted_in = EntryNumber()

    class Meta:
        ordering = ("rule", "number")
        indexes = (GinIndex(vector("title", "text"), name="versions_found"),)
        constraints = (
            models.UniqueConstraint(fields=("rule", "number"), name="one_version_a_number"),
            *of_one_game("rulebook_ruleversion", "rule"),
        )
        triggers = (APPEND_ONLY,)


def digest_of(text: str) -> str:
    """The SHA-256 of a rule's text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
