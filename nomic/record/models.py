"""The entries of a game, in order: the public record and the sealed book."""

import hashlib
from typing import Self

import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from nomic.games.guards import APPEND_ONLY, NEVER_DELETED, Hidden, InGame, of_one_game
from nomic.games.models import Game, Player
from nomic.games.names import LONGEST_NAME
from nomic.games.search import vector
from nomic.record.heads import Head

ANCHOR = "record.anchor"
NOTE = "record.note"
PART = "record.part"
HIDDEN = "record.hidden"
CONSEQUENCES = (ANCHOR, NOTE, PART, HIDDEN)  # what public entries make in the sealed book

_KEY_OF_THE_OTHER_BOOK = """
IF NEW.key IS NOT NULL
   AND EXISTS (SELECT FROM {table} WHERE game_id = NEW.game_id AND key = NEW.key) THEN
  RAISE EXCEPTION 'a key of game % stands in its other book already', NEW.game_id
    USING ERRCODE = 'unique_violation';
END IF;
"""

# Both chains move after the row is in: where nothing is inserted, the book's end stays.
# What is open as it is sealed ends its book.
_IS_ACT = "NEW.actor_id IS NOT NULL AND NEW.kind IN ('action', 'officer')"
_CONTINUE_THE_RECORD = (
    _KEY_OF_THE_OTHER_BOOK.format(table="record_sealedentry")
    + """
UPDATE games_game
   SET last_entry = NEW.seq, last_at = NEW.at, record_head = NEW.hash,
       last_act = CASE WHEN is_act THEN NEW.hash ELSE last_act END,
       last_actor = CASE WHEN is_act THEN NEW.actor_id ELSE last_actor END,
       act_of_another = CASE WHEN is_act AND last_actor <> NEW.actor_id THEN last_act
         ELSE act_of_another END
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
UPDATE games_game
   SET sealed_count = NEW.seq, sealed_head = NEW.hash,
       sealed_books = CASE
         WHEN NEW.opened_in IS NOT NULL THEN sealed_books - NEW.book
         ELSE sealed_books
           || jsonb_build_object(NEW.book, jsonb_build_array(NEW.number, NEW.hash)) END
 WHERE id = NEW.game_id AND sealed_count = NEW.seq - 1;
IF NOT FOUND OR NEW.number <> 1 AND NOT EXISTS (
  SELECT FROM record_sealedentry WHERE game_id = NEW.game_id AND book = NEW.book
     AND number = NEW.number - 1 AND hash = NEW.prev_hash) THEN
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


class EntryKind(models.TextChoices):
    ACTION = "action"
    EVENT = "event"
    OFFICER = "officer"
    SYSTEM = "system"


class _Written(models.Model):
    """The fields of entries of both books. `at` is the game moment, `recorded_at` the wall moment.

    `effects` are what the entry moved, rolled and changed; `saw` is the number and hash of the
    newest entry that the actor had seen; `actor_name` is the name by which they went then, as
    hashes and files have it; `nonce` is the hash of the key that their browser or program chose.
    """

    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    name = models.CharField(max_length=80)
    inputs = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    rule = models.CharField(max_length=120, blank=True)
    key = models.CharField(max_length=120, null=True, blank=True)
    effects = models.JSONField(default=list, blank=True)
    saw = models.JSONField(null=True, blank=True)
    nonce = models.CharField(max_length=64, blank=True, default="")
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    actor_name = models.CharField(max_length=LONGEST_NAME, null=True, blank=True)
    actor: models.ForeignKey[Player | None, Player | None]

    class Meta:
        abstract = True


class SubgameOf(models.Func):
    """The beginning of a name: the subgame whose act or event it is.

    Said without parameters, since PostgreSQL finds an index by an expression that reads alike.
    """

    function = "split_part"
    template = "%(function)s(%(expressions)s, '.', 1)"
    arity = 1
    output_field = models.CharField()


class EntryQuerySet(models.QuerySet["Entry"]):
    def of_subgame(self, subgame: str) -> Self:
        """Those whose name begins with the subgame's; the newest are found without a look at
        others."""
        return self.alias(subgame=SubgameOf("name")).filter(subgame=subgame)


class Entry(_Written):
    """One thing that happened. `hash` covers everything but `key`, and `prev_hash` the past.

    `anchors` has the heads of sealed books, by book.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=EntryKind)
    actor = InGame(Player, models.PROTECT, null=True, blank=True, related_name="entries")
    text = models.TextField()
    anchors = models.JSONField(default=dict, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ("game", "seq")
        indexes = (
            models.Index(fields=("game", "name", "seq")),
            models.Index(fields=("game", "actor", "seq")),
            models.Index("game", SubgameOf("name"), "seq", name="entries_of_a_subgame"),
            GinIndex(vector("text"), name="entries_found"),
        )
        constraints = (
            models.UniqueConstraint(fields=("game", "seq"), name="one_entry_a_number"),
            models.UniqueConstraint(
                fields=("game", "key"), name="one_entry_a_key", condition=Q(key__isnull=False)
            ),
            models.CheckConstraint(
                name="who_acts_has_a_name",
                condition=Q(actor__isnull=True, actor_name__isnull=True)
                | Q(actor__isnull=False, actor_name__isnull=False),
            ),
            *of_one_game("record_entry", "actor"),
        )
        triggers = (
            APPEND_ONLY,
            pgtrigger.Trigger(
                name="continue_the_record",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                declare=[("is_act", f"BOOLEAN := {_IS_ACT}")],
                func=_CONTINUE_THE_RECORD,
            ),
        )

    def __str__(self) -> str:
        return f"{self.seq}. {self.text[:100]}"


class SealedEntry(_Written):
    """A private act in the second chain. Nothing of it is public before it is opened.

    `after` is the number of the public entry before it, so that a replay knows its place. Each
    subgame has a `book` of its own, a chain in which `number` counts; `seq` counts over all of them
    and is told to nobody. `salt` keeps its hash from being guessed, and makes each anchor differ
    even when nobody acted. By the `content_hash` its actor knows it, and the public entry whose
    part it is: its own hash is of its number and the hash before, too, which whoever knows the
    content could find by trying, and so how much others did.
    """

    hides = Hidden(unless=Q(opened_in__isnull=False))
    game = models.ForeignKey(Game, models.PROTECT, related_name="sealed_entries")
    seq = models.PositiveIntegerField()
    after = models.PositiveIntegerField()
    actor = InGame(Player, models.PROTECT, null=True, blank=True, related_name="sealed_entries")
    text = models.TextField(blank=True)
    book = models.CharField(max_length=60)
    number = models.PositiveIntegerField()
    salt = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64)
    opened_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("game", "seq")
        indexes = (models.Index(fields=("game", "content_hash"), name="sealed_by_content"),)
        constraints = (
            models.UniqueConstraint(fields=("game", "seq"), name="one_sealed_entry_a_number"),
            models.UniqueConstraint(
                fields=("game", "key"),
                name="one_sealed_entry_a_key",
                condition=Q(key__isnull=False),
            ),
            models.UniqueConstraint(
                fields=("game", "book", "number"), name="one_entry_a_number_of_a_book"
            ),
            models.UniqueConstraint(
                fields=("game", "after"), name="one_part_an_entry", condition=Q(name=PART)
            ),
            models.CheckConstraint(
                name="who_acts_in_private_has_a_name",
                condition=Q(actor__isnull=True, actor_name__isnull=True)
                | Q(actor__isnull=False, actor_name__isnull=False),
            ),
            *of_one_game("record_sealedentry", "actor"),
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

    @property
    def named_by(self) -> tuple[str, int, str]:
        """How the outcome of an opening names it: its place and its hash."""
        return self.book, self.number, self.hash

    @property
    def label(self) -> str:
        """The name by which people know it."""
        return f"sealed entry {self.number} of “{self.book}”"

    @property
    def tag(self) -> str:
        """The sort of entry that it is, which its header tells: act, anchor, note, part or
        hidden."""
        return self.name.removeprefix("record.") if self.name in CONSEQUENCES else "act"


class SiteKey(models.Model):
    """The public half of a key by which the site signs, in hexadecimal, in use from the wall moment
    `begun_at` until another began. It stays: what it has signed can be checked for good."""

    public = models.CharField(max_length=64, unique=True)
    begun_at = models.DateTimeField(help_text="Wall moment")

    class Meta:
        ordering = ("begun_at", "pk")
        triggers = (APPEND_ONLY,)

    def __str__(self) -> str:
        return f"key {self.name}"

    @property
    def name(self) -> str:
        """How statements name it: the first 16 digits of the SHA-256 of its 32 bytes."""
        return hashlib.sha256(bytes.fromhex(self.public)).hexdigest()[:16]


class SeenHead(models.Model):
    """Somebody says that they have seen this head of the game, whether or not it has it.

    They are a player, or go by a `name` that anybody may take. `foreign` is one that the record did
    not have then. Without a `signature` of the site it is their word alone.
    """

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="seen_heads")
    player = InGame(Player, models.PROTECT, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=40, blank=True)
    number = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    key = models.CharField(max_length=16, blank=True)
    signature = models.CharField(max_length=128, blank=True)
    foreign = models.BooleanField(default=False)
    at = models.DateTimeField(help_text="Wall moment")

    class Meta:
        ordering = ("-at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("game", "player", "name", "hash"),
                name="one_head_a_witness",
                nulls_distinct=False,
            ),
            *of_one_game("record_seenhead", "player"),
        )

    def __str__(self) -> str:
        return f"{self.who}: {self.number}:{self.hash}"

    @property
    def head(self) -> Head:
        """The head as they had it."""
        return Head(self.number, self.hash, self.key, self.signature)

    @property
    def who(self) -> str:
        """The name by which they go: the player's, else that under which they said it."""
        return self.player.name if self.player else self.name


class Stamp(models.Model):
    """A service outside has said that at the moment `at` there was this head of the game, which the
    site had signed. `answer` is all that it sent, RFC 3161's TimeStampResp."""

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="stamps")
    number = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    key = models.CharField(max_length=16)
    signature = models.CharField(max_length=128)
    service = models.CharField(max_length=253, help_text="Its host name")
    at = models.DateTimeField(help_text="Wall moment, as the service says")
    kept_at = models.DateTimeField(help_text="Wall moment")
    answer = models.BinaryField(editable=False)

    class Meta:
        ordering = ("-number", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_stamp_a_number"),
        )
        triggers = (APPEND_ONLY,)

    def __str__(self) -> str:
        return f"{self.number}:{self.hash} by {self.service}"

    @property
    def head(self) -> Head:
        """The head as the site had signed it."""
        return Head(self.number, self.hash, self.key, self.signature)

    @property
    def digest(self) -> str:
        """The SHA-256, in hexadecimal, that the stamp is of: that of what was signed."""
        return self.head.imprint_in(self.game).hex()
