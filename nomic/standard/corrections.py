"""Officers' corrections: on the record, each with the reason that it follows from."""

from __future__ import annotations

from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.ledger.models import HolderKind
from nomic.play.actions import ANY_OFFICE, Action, Inputs, action
from nomic.play.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.play.outcomes import Outcome
from nomic.play.subgames import all_subgames
from nomic.play.table import Table
from nomic.rulebook.book import RuleIsImmutable

LONGEST_RULE = 50_000
MOST = 1_000_000_000


class AssetField(TextChoice):
    """An asset of the game by name."""

    noun = "asset"

    def options(self, table: Table, player: Player | None) -> list[str]:
        if player:
            table.ledger.holdings(player)  # asked for anyway, and tells of the assets as well
        return [asset.name for asset in table.ledger.public_assets()]


class HolderField(TextChoice):
    """One who can own, by name; the mint makes and destroys."""

    noun = "holder"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return table.directory.holders


class ReceiverField(HolderField):
    """One who can be given something, by name: nobody who has left the game."""

    noun = "receiver"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return table.directory.receivers


class RuleField(TextChoice):
    """A public rule in force by its title."""

    noun = "rule"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [rule.title for rule in table.rules.public]


def _officer(player: Player | None) -> str:
    return player.name if player else "The operator"


@action
class CorrectTheLedger(Action):
    """Move assets by correction. From the Mint they are made, to the Mint they are destroyed."""

    name = "ledger.correct"
    title = "Correct the ledger"
    sentence = "Move {amount} {asset} from {giver} to {receiver}, because {reason}"
    button = "Correct"
    office = ANY_OFFICE
    while_stuck = True

    class Form(ActionForm):
        amount = WholeNumber(1, MOST)
        asset = AssetField()
        giver = HolderField(label="From")
        receiver = ReceiverField(label="To")
        reason = Text(longest=300)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if not {"amount", "asset", "giver", "receiver"} <= data.keys():
            return None
        if data["giver"] == data["receiver"]:
            return Refusal("same_holder", "A correction moves something from one to another.")
        giver = table.game.holders.get(name=data["giver"])
        if giver.kind == HolderKind.MINT:
            return self._supply(table, data)
        asset = table.ledger.asset(data["asset"])
        if (
            asset.indestructible
            and table.ledger.department(HolderKind.MINT).name == data["receiver"]
        ):
            sentence = (
                f"The asset “{asset}” is indestructible: choose another receiver than the Mint."
            )
            return Refusal("indestructible", sentence)
        return table.ledger.cannot_pay(giver, data["amount"], data["asset"])

    def _supply(self, table: Table, data: Inputs) -> Refusal | None:
        asset = table.ledger.asset(data["asset"])
        if asset.kind == "unique" and (data["amount"] > 1 or table.ledger.owner_of(asset.name)):
            return Refusal("unique", f"There is only one {asset.name}, and it has an owner.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        holders = table.game.holders
        giver, receiver = holders.get(name=data["giver"]), holders.get(name=data["receiver"])
        table.ledger.transfer(giver, receiver, data["amount"], data["asset"], "correction")
        for subgame in all_subgames():
            if subgame.is_on(table.game):
                subgame.corrected(table)
        amount = table.ledger.asset(data["asset"]).amount(data["amount"])
        return f"{_officer(player)} moves {amount} from {giver} to {receiver}: {data['reason']}"


@action
class AmendARule(Action):
    """Publish a rule's text as it really is, where the page has it wrong."""

    name = "rulebook.amend"
    title = "Correct a rule's text"
    sentence = "Let “{rule}” read {text}, because {reason}"
    button = "Correct"
    office = ANY_OFFICE
    while_stuck = True

    class Form(ActionForm):
        rule = RuleField()
        text = Text(lines=True, longest=LONGEST_RULE)
        reason = Text(longest=300)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if "rule" not in data:
            return None
        rule = table.rules.find(data["rule"])
        if rule.is_immutable:
            return Refusal("immutable", str(RuleIsImmutable(rule)), rule.title)
        if data.get("text") == rule.text.strip():
            return Refusal("same_text", "This is the rule's text already.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        rule = table.rules.amend(data["rule"], data["text"].replace("\r\n", "\n") + "\n")
        return Outcome(
            f"{_officer(player)} corrects the text of “{rule.title}”: {data['reason']}",
            {"rule": rule.title, "version": rule.version},
        )


@action
class ConfirmARule(Action):
    """State that the machinery still fits a rule whose prose was amended."""

    name = "rulebook.confirm"
    title = "Confirm that the machinery fits a rule"
    sentence = "The game is played as “{rule}” now reads"
    button = "Confirm"
    office = ANY_OFFICE

    class Form(ActionForm):
        rule = RuleField()

    def applies(self, table: Table) -> bool:
        return bool(_amended(table))

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        chosen = data.get("rule")
        if chosen is not None and chosen not in _amended(table):
            return Refusal("fits", f"“{chosen}” is played as it reads already.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        rule = table.rules.confirm(data["rule"])
        return Outcome(
            f"{_officer(player)} confirms that the game is played as “{rule.title}” reads.",
            {"rule": rule.title, "version": rule.version},
        )


def _amended(table: Table) -> list[str]:
    return [rule.title for rule in table.rules.public if rule.is_played_otherwise]
