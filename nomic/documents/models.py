"""What is stored of documents: each as it reads now, its versions, and what players are writing."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models

from nomic.documents.rules import LONGEST_KIND
from nomic.games.guards import (
    NEVER_DELETED,
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
from nomic.rulebook.limits import LONGEST_TITLE as LONGEST_RULE_TITLE

LONGEST_TITLE = 120
LONGEST_TEXT = 50_000  # characters, a quarter of the longest rule's
LONGEST_READERS = 1000


class Document(models.Model):
    """A text that somebody has published. Its title and text are those of its newest version.

    `number` counts the documents of its game, `kind` is that of the rule's table as it was called
    then. Without an author it is what the program of a rule of the title `rule` has written. It was
    published in the entry `entry`, and withdrawn in `withdrawn_in`, if it was. As it reads now it
    was doubted in `doubted_in`, or nobody did in time and it is undoubted since `undoubted_in`.
    """

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="documents")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=LONGEST_KIND)
    author = InGame(Player, models.PROTECT, null=True, blank=True, related_name="documents")
    rule = models.CharField(max_length=LONGEST_RULE_TITLE, blank=True)
    title = models.CharField(max_length=LONGEST_TITLE)
    text = models.TextField()
    version = models.PositiveIntegerField(default=1)
    entry = EntryNumber()
    withdrawn_in = EntryNumber(null=True, blank=True)
    doubted_in = EntryNumber(null=True, blank=True)
    undoubted_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("-number",)
        indexes = (GinIndex(vector("title", "text"), name="documents_found"),)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_document_a_number"),
            *of_one_game("documents_document", "author"),
            referred_to("documents_document"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Document {self.number}"

    @property
    def author_name(self) -> str:
        """Who has written it: a player, or a rule by its title."""
        return self.author.name if self.author else f"“{self.rule}”"


class DocumentVersion(models.Model):
    """A title and a text that a document has had, given in an entry by a player, or by no player
    where a program wrote it."""

    hides = None
    game = GameOf("document")
    document = InGame(Document, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    by = InGame(Player, models.PROTECT, null=True, blank=True, related_name="+")
    title = models.CharField(max_length=LONGEST_TITLE)
    text = models.TextField()
    entry = EntryNumber()

    class Meta:
        ordering = ("document", "number")
        constraints = (
            models.UniqueConstraint(fields=("document", "number"), name="one_version_of_a_number"),
            *of_one_game("documents_documentversion", "document", "by"),
        )
        triggers = (WRITTEN_ONCE,)


class SealedDocument(models.Model):
    """A text that its author has sealed, for themselves or for `readers`: of it nobody else learns
    anything, not even that it is there, until the author opens it.

    `number` counts nothing, since a count would tell how many there are: it is drawn from what is
    sealed, beyond all that documents are numbered by. It was sealed at the game moment `at`, and is
    document `opened_as` since it was opened. `earlier` are the titles and texts that it had before.
    One that its author has `withdrawn` is read by nobody any more and never opened.
    """

    hides = Hidden(unless=models.Q(opened_as__isnull=False))
    never_recalculated = True
    game = models.ForeignKey(Game, models.PROTECT, related_name="sealed_documents")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=LONGEST_KIND)
    author = InGame(Player, models.PROTECT, related_name="sealed_documents")
    title = models.CharField(max_length=LONGEST_TITLE)
    text = models.TextField()
    at = models.DateTimeField()
    earlier = models.JSONField(default=list, blank=True)
    withdrawn = models.BooleanField(default=False)
    opened_as = InGame(Document, models.PROTECT, null=True, blank=True, related_name="sealed_as")

    class Meta:
        ordering = ("-at", "number")
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_sealed_document_a_number"),
            *of_one_game("documents_sealeddocument", "author", "opened_as"),
            referred_to("documents_sealeddocument"),
        )
        triggers = (NEVER_DELETED,)

    def __str__(self) -> str:
        return f"Sealed document {self.number}"

    @property
    def book(self) -> str:
        """The sealed book that has it alone, so that opening it tells nothing of others."""
        return f"documents/{self.number}"


class Reader(models.Model):
    """A player who reads a sealed document beside its author."""

    hides = Hidden(unless=models.Q(document__opened_as__isnull=False))
    never_recalculated = True
    game = GameOf("document")
    document = InGame(SealedDocument, models.PROTECT, related_name="readers")
    player = InGame(Player, models.PROTECT, related_name="+")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("document", "player"), name="each_reader_once"),
            *of_one_game("documents_reader", "document", "player"),
        )
        triggers = (WRITTEN_ONCE,)


class DocumentDraft(models.Model):
    """A document that a player is writing: theirs alone, and no part of the game until it is
    published. `saved_at` is a wall moment; `revises` is the document of which it is to be a new
    version; `readers` names those for whom one is to be sealed that `is_sealed`."""

    hides = Hidden()
    beside_the_record = True
    game = GameOf("player")
    player = InGame(Player, models.CASCADE, related_name="document_drafts")
    revises = InGame(Document, models.CASCADE, null=True, blank=True)
    kind = models.CharField(max_length=LONGEST_KIND, blank=True)
    title = models.CharField(max_length=LONGEST_TITLE, blank=True)
    text = models.TextField(blank=True)
    readers = models.CharField(max_length=LONGEST_READERS, blank=True)
    is_sealed = models.BooleanField(default=False)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("-saved_at",)
        constraints = of_one_game("documents_documentdraft", "player", "revises")

    @property
    def subject(self) -> str:
        """What it is about, besides its title: the document of which it is to be a version."""
        if self.revises:
            return f"a new version of {self.revises}"
        return "to be sealed" if self.is_sealed else ""
