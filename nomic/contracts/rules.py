"""How contracts are entered, left, changed and made to pay, by the rule and by their own texts. No
Django here."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from nomic.contracts.rulebook import shipped_texts
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import Columns, RuleTable, find_rule_table
from nomic.rulebook.last_readable import Figure, RuleCharts

CONTRACTS = "Contracts"
KIND = "Contract"  # of the document that a contract is kept as
MOST_PARTIES = 200
MOST_OPEN = 20  # requests of one contract that wait for consent
_TABLE = ("CONTRACT", "SAYS")
ANNOUNCEMENT, MOST, ALL, NOBODY = "announcement", "most parties", "all parties", "nobody"
_WAYS = (ANNOUNCEMENT, MOST, ALL, NOBODY)


class Deed(StrEnum):
    """What is done with a contract by a way that its text may say: the row that says it."""

    ENTER = "Entered by"
    LEAVE = "Left by"
    CHANGE = "Changed by"
    PAY = "Pays by"


class ContractCharts(RuleCharts):
    """The table of the rule “Contracts”."""

    titles = (CONTRACTS,)
    shipped_texts = staticmethod(shipped_texts)
    known: ClassVar[Mapping[str, tuple[Columns, ...]]] = {CONTRACTS: (_TABLE,)}

    @Figure
    def ways(self) -> dict[Deed, str]:
        """How each deed is done where a contract does not say it."""
        table = self.tables.table(CONTRACTS, "CONTRACT")
        ways = {deed: _way(table, deed) for deed in Deed}
        for deed, way in ways.items():
            if way not in _WAYS:
                raise table.unfit(way, f" for {deed}", f"one of: {', '.join(_WAYS)}")
        return ways


@dataclass(frozen=True, slots=True)
class Terms:
    """How the deeds of one contract are done: `ways` has a way, or a player's name, for each."""

    ways: Mapping[Deed, str]

    def alone(self, deed: Deed, player: str) -> bool:
        """Whether that player, to whom it is open, does it by themselves."""
        way = self.ways[deed]
        return way == ANNOUNCEMENT or (is_a_name(way) and way == player)

    def needed(self, deed: Deed, parties: int) -> int:
        """How many of so many parties have to consent to it."""
        return parties if self.ways[deed] == ALL else parties // 2 + 1

    def refusal(self, deed: Deed, player: str, *, is_party: bool) -> Refusal | None:
        """Why that player can neither do it nor ask for it; None if they can."""
        way = self.ways[deed]
        if way == NOBODY:
            sentence = f"This contract is {deed.lower()} nobody, as its terms say."
            if deed is Deed.PAY:
                sentence = "This contract pays nothing to anybody, as its terms say."
            return Refusal("by_nobody", sentence, CONTRACTS)
        if way not in _WAYS:
            if way == player:
                return None
            sentence = f"Here {way} alone does this, as the terms of the contract say."
            return Refusal("not_the_named", sentence, CONTRACTS)
        if deed is Deed.ENTER:
            code, sentence = "is_party", "You are a party of this contract already."
        else:
            code, sentence = "no_party", "Only its parties do this."
        return Refusal(code, sentence, CONTRACTS) if is_party is (deed is Deed.ENTER) else None


def terms_of(text: str, defaults: Mapping[Deed, str]) -> Terms:
    """The terms in a contract's text, with these where it says none. Raises TableBroken where its
    table cannot be read."""
    table = find_rule_table("the contract", text, _TABLE)
    if table is None:
        return Terms(defaults)
    strange = next((row for row in table.rows if row not in [*Deed]), None)
    if strange is not None:
        rows = ", ".join(Deed)
        raise table.broken(f"has a row “{strange[:60]}”, and only these are read: {rows}.")
    return Terms(
        {deed: _way(table, deed) if deed in table.rows else defaults[deed] for deed in Deed}
    )


def _way(table: RuleTable, deed: Deed) -> str:
    cell = table.cell(deed, "SAYS")
    if not cell:
        raise table.unfit(cell, f" for {deed}", f"one of: {', '.join(_WAYS)}, or a player's name")
    return cell.lower() if cell.lower() in _WAYS else cell


def is_a_name(way: str) -> bool:
    """Whether that is how a player is called, and none of the ways that there are."""
    return way not in _WAYS
