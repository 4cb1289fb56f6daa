"""What is stored of contracts: each with its account, its parties, and what they are asked for; and
what players are writing."""

from django.db import models

from nomic.contracts.rules import Deed
from nomic.documents.models import LONGEST_TITLE, Document
from nomic.games.guards import (
    NEVER_TAKEN_AWAY,
    WRITTEN_ONCE,
    EntryNumber,
    Hidden,
    InGame,
    of_one_game,
    referred_to,
)
from nomic.games.models import GameOf, Player
from nomic.ledger.models import Holder


class Contract(models.Model):
    """An agreement of players. Its text, with all that it ever said, is the document's; `number` is
    that of the document. It was made in the entry `entry`, and has ended in `ended_in`, if it has.
    """

    hides = None
    game = GameOf("document")
    document = models.OneToOneField(
        Document, models.PROTECT, related_name="contract", db_constraint=False
    )
    number = models.PositiveIntegerField()
    account = InGame(Holder, models.PROTECT, related_name="+")
    entry = EntryNumber()
    ended_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_contract_a_number"),
            *of_one_game("contracts_contract", "document", "account"),
            referred_to("contracts_contract"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Contract {self.number}"


class ContractState(models.Model):
    """The state that the program of a contract keeps in mind, and what of it has failed: as a
    `ProgramState` of a rule."""

    hides = None
    game = GameOf("contract")
    contract = models.OneToOneField(
        Contract, models.PROTECT, primary_key=True, related_name="kept", db_constraint=False
    )
    state = models.TextField(default="{}")
    failures = models.JSONField(default=dict)

    class Meta:
        constraints = of_one_game("contracts_contractstate", "contract")

    def __str__(self) -> str:
        return f"what the program of {self.contract} keeps in mind"


class Party(models.Model):
    """A player who is bound by a contract since the entry `entry`, until they left it in
    `left_in`."""

    hides = None
    game = GameOf("contract")
    contract = InGame(Contract, models.PROTECT, related_name="all_parties")
    player = InGame(Player, models.PROTECT, related_name="+")
    entry = EntryNumber()
    left_in = EntryNumber(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "parties"
        constraints = (
            models.UniqueConstraint(
                fields=("contract", "player"),
                condition=models.Q(left_in__isnull=True),
                name="each_party_once",
            ),
            *of_one_game("contracts_party", "contract", "player"),
        )
        triggers = (NEVER_TAKEN_AWAY,)


class Request(models.Model):
    """Something that a player asks the parties of a contract to consent to: a deed, with what it
    needs (`title` and `text`; or `receiver`, `amount` and `asset`) as they were sent.

    It was asked for in the entry `entry`, and is settled since `ended_in`: it `is_done` then, or
    was withdrawn, the contract had ended, or has another text than who would enter has read.
    """

    hides = None
    game = GameOf("contract")
    contract = InGame(Contract, models.PROTECT, related_name="requests")
    number = models.PositiveIntegerField()
    player = InGame(Player, models.PROTECT, related_name="+")
    deed = models.CharField(max_length=12, choices=[(deed.value, deed.value) for deed in Deed])
    inputs = models.JSONField(default=dict)
    entry = EntryNumber()
    ended_in = EntryNumber(null=True, blank=True)
    is_done = models.BooleanField(default=False)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("game", "number"), name="one_contract_request_a_number"
            ),
            *of_one_game("contracts_request", "contract", "player"),
            referred_to("contracts_request"),
        )
        triggers = (NEVER_TAKEN_AWAY,)

    def __str__(self) -> str:
        return f"Request {self.number}"


class Consent(models.Model):
    """The consent of a player to what the parties of a contract are asked for."""

    hides = None
    game = GameOf("request")
    request = InGame(Request, models.PROTECT, related_name="consents")
    player = InGame(Player, models.PROTECT, related_name="+")
    entry = EntryNumber()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("request", "player"), name="each_consents_once"),
            *of_one_game("contracts_consent", "request", "player"),
        )
        triggers = (WRITTEN_ONCE,)


class ContractDraft(models.Model):
    """A contract that a player is writing, or another text for the one that it `changes`: theirs
    alone, and no part of the game until it is sent. `saved_at` is a wall moment."""

    hides = Hidden()
    beside_the_record = True
    game = GameOf("player")
    player = InGame(Player, models.CASCADE, related_name="contract_drafts")
    changes = InGame(Contract, models.CASCADE, null=True, blank=True, related_name="+")
    title = models.CharField(max_length=LONGEST_TITLE, blank=True)
    text = models.TextField(blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("-saved_at",)
        constraints = of_one_game("contracts_contractdraft", "player", "changes")

    @property
    def subject(self) -> str:
        """What it is about, besides its title: the contract that is to get that text."""
        return f"another text of {self.changes}" if self.changes else ""
