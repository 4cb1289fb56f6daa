"""What happened in a game, in order: the public record and the sealed book."""

import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from nomic.games.guards import APPEND_ONLY, NEVER_DELETED
from nomic.games.models import Game, Player
from nomic.games.search import vector

PART = "record.part"

_KEY_OF_THE_OTHER_BOOK = """
IF NEW.key IS NOT NULL
   AND EXISTS (SELECT FROM {table} WHERE game_id = NEW.game_id AND key = NEW.key) THEN
  RAISE EXCEPTION 'a key of game % stands in its other book already', NEW.game_id
    USING ERRCODE = 'unique_violation';
END IF;
"""

# Both chains move after the row is in: where nothing is inserted, the book's end stays.
_CONTINUE_THE_RECORD = (
    _KEY_OF_THE_OTHER_BOOK.format(table="record_sealedentry")
    + """
UPDATE games_game
   SET last_entry = NEW.seq, last_at = NEW.at, record_head = NEW.hash
 WHERE id = NEW.game_id AND last_entry = NEW.seq - 1 AND record_head = NEW.prev_hash
   AND (last_at IS NULL OR last_at <= NEW.at);
IF NOT FOUND THEN
  RAISE EXCEPTION 'entry % does not continue the record of game %', NEW.seq, NEW.game_id
    USING ERRCODE = 'check_violation';
END IF;
RETURN NULL;
"""
)

_CONTINUE_THE_SEALED_BOOK = (
    _KEY_OF_THE_OTHER_BOOK.format(table="record_entry")
    + """
UPDATE games_game SET sealed_count = NEW.seq, sealed_head = NEW.hash
 WHERE id = NEW.game_id AND sealed_count = NEW.seq - 1 AND sealed_head = NEW.prev_hash;
IF NOT FOUND THEN
  RAISE EXCEPTION 'sealed entry % does not continue the sealed book of game %',
    NEW.seq, NEW.game_id USING ERRCODE = 'check_violation';
END IF;
RETURN NULL;
"""
)

_ONLY_OPENED = """
IF OLD.opened_in IS NOT NULL OR NEW.opened_in IS NULL
   OR (to_jsonb(OLD) - 'opened_in') <> (to_jsonb(NEW) - 'opened_in') THEN
  RAISE EXCEPTION 'a sealed entry can only be opened, once' USING ERRCODE = 'check_violation';
END IF;
RETURN NEW;
"""


class Kind(models.TextChoices):
    ACTION = "action"
    EVENT = "event"
    OFFICER = "officer"
    SYSTEM = "system"


class Entry(models.Model):
    """One thing that happened. `hash` covers everything but `key`, and `prev_hash` the past.

    `at` is the game moment, `recorded_at` the wall moment. `sealed_head`, set on events only,
    anchors the sealed book as it then stood.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=80)
    actor = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="entries")
    inputs = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    text = models.TextField()
    rule = models.CharField(max_length=120, blank=True)
    key = models.CharField(max_length=120, null=True, blank=True)
    sealed_head = models.CharField(max_length=64, blank=True)
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ("game", "seq")
        indexes = (
            models.Index(fields=("game", "name", "seq")),
            models.Index(fields=("game", "actor", "seq")),
            GinIndex(vector("text"), name="entries_found"),
        )
        constraints = (
            models.UniqueConstraint(fields=("game", "seq"), name="one_entry_a_number"),
            models.UniqueConstraint(
                fields=("game", "key"), name="one_entry_a_key", condition=Q(key__isnull=False)
            ),
        )
        triggers = (
            APPEND_ONLY,
            pgtrigger.Trigger(
                name="continue_the_record",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                func=_CONTINUE_THE_RECORD,
            ),
        )

    def __str__(self) -> str:
        return f"{self.seq}. {self.text}"


class SealedEntry(models.Model):
    """A private act in the second chain. Nothing of it is public before it is opened.

    `after` is the number of the public entry before it, so that a replay knows its place;
    `salt` keeps its hash from being guessed, and makes each anchor differ even when nobody acted.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="sealed_entries")
    seq = models.PositiveIntegerField()
    after = models.PositiveIntegerField()
    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    name = models.CharField(max_length=80)
    actor = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="sealed_entries"
    )
    inputs = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    text = models.TextField(blank=True)
    rule = models.CharField(max_length=120, blank=True)
    key = models.CharField(max_length=120, null=True, blank=True)
    salt = models.CharField(max_length=64)
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    opened_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("game", "seq")
        constraints = (
            models.UniqueConstraint(fields=("game", "seq"), name="one_sealed_entry_a_number"),
            models.UniqueConstraint(
                fields=("game", "key"),
                name="one_sealed_entry_a_key",
                condition=Q(key__isnull=False),
            ),
            models.UniqueConstraint(
                fields=("game", "after"), name="one_part_an_entry", condition=Q(name=PART)
            ),
        )
        triggers = (
            NEVER_DELETED,
            pgtrigger.Trigger(
                name="only_opened",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                func=_ONLY_OPENED,
            ),
            pgtrigger.Trigger(
                name="continue_the_sealed_book",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                func=_CONTINUE_THE_SEALED_BOOK,
            ),
        )
