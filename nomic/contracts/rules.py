"""How contracts are entered, left, changed and made to pay, by the rule and by their own texts, and
what these let be done with their parties' assets and in their names. No Django here."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from nomic.contracts.rulebook import shipped_texts
from nomic.engine.programs.declarations import Declarations, declared_in, program_in
from nomic.engine.programs.sandbox import Problem
from nomic.games.refusal import Refusal
from nomic.governance.declared_acts import ANY_ACT, WHO_LETS_THEM, DeclaredAct, acts_in
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.charts import EMPTY_CELLS, Columns, RuleTable, cut, find_rule_table
from nomic.rulebook.last_readable import Figure, RuleCharts

CONTRACTS = "Contracts"
KIND = "Contract"  # of the document that a contract is kept as
MOST_PARTIES = 200
MOST_OPEN = 20  # requests of one contract that wait for consent
MOST_WITH_POWERS = 50  # contracts that go on, in a game
MOST_OF_ONE = 10  # of these, which one player has made
MOST_ADDED = 10  # actions, appointments and views of a contract's program, of each kind
_TABLE = ("CONTRACT", "SAYS")
DISPOSES = "Disposes of"  # the row with the assets of its parties that its program may move
_THE_CONTRACT = "the contract"
_EACH_PARTY = frozenset({"party", "parties", "other party", "other parties"})
_ITSELF = frozenset({"contract", "program", "its program", "contract itself"})
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
    row_names = [*Deed, DISPOSES]
    unknown_row = next((row for row in table.rows if row not in row_names), None)
    if unknown_row is not None:
        rows = ", ".join(row_names)
        raise table.broken(f"has a row “{unknown_row[:60]}”, and only these are read: {rows}.")
    return Terms(
        {deed: _way(table, deed) if deed in table.rows else defaults[deed] for deed in Deed}
    )


@dataclass(frozen=True, slots=True)
class ActForParty:
    """A row by which an act is done on behalf of a party: `by` the player who is named, by "the
    contract", which is its program, or by each party where that is ""; `of` is "" for each party.
    """

    declared: DeclaredAct
    by: str
    of: str

    @property
    def by_contract(self) -> bool:
        """Whether the contract's program does it."""
        return self.by == _THE_CONTRACT

    def __str__(self) -> str:
        by, of = self.by or "each party", self.of or "each party"
        return f"{by} does “{self.declared.act}” on behalf of {of}"


@dataclass(frozen=True, slots=True)
class Provisions:
    """What a contract lets be done with its parties' assets, of which it `disposes`, and in their
    names, and its program."""

    disposes: tuple[str, ...] = ()
    acts: tuple[ActForParty, ...] = ()
    program: str = ""

    @property
    def declared(self) -> Declarations:
        """What its program declares; a problem where that is more than a contract's may."""
        return within_power(declared_in(self.program)) if self.program else Declarations()

    def __bool__(self) -> bool:
        return bool(self.disposes or self.acts or self.program)


@memoized(share=0.005)
def provisions_of(text: str) -> Provisions:
    """The provisions in a contract's text; raises TableBroken where a table cannot be read."""
    table = find_rule_table(_THE_CONTRACT, text, _TABLE)
    cell = table.cell(DISPOSES, "SAYS") if table and DISPOSES in table.rows else ""
    names = [" ".join(name.split()) for name in cell.split(",")]
    is_nothing = cell.strip().casefold() in {*EMPTY_CELLS, "nothing"}
    acts = tuple(_act_for_party(row) for row in acts_in(_THE_CONTRACT, text))
    source = program_in(text)
    is_program = bool(source and declared_in(source))
    disposes = () if is_nothing else tuple(sorted(filter(None, names)))
    return Provisions(disposes, acts, source if is_program else "")


def _act_for_party(row: DeclaredAct) -> ActForParty:
    chart = RuleTable(_THE_CONTRACT, ("Act", "Who", "How", "Days"), {})
    place = f" for {cut(row.act)}"
    if row.method or row.behalf == WHO_LETS_THEM:
        raise chart.unfit(row.how, f" under How{place}", "“on behalf of” each party or one of them")
    if row.act.casefold() == ANY_ACT:
        raise chart.unfit(row.act, " under Act", "the title or the name of one act")
    by = _THE_CONTRACT if row.who.casefold() in _ITSELF else row.who
    by, of = ("" if party.casefold() in _EACH_PARTY else party for party in (by, row.behalf))
    return ActForParty(row, by, of)


def within_power(declared: Declarations) -> Declarations:
    """The declarations, or a problem where they are more than a contract's program may declare."""
    if declared.problem is not None:
        return declared
    beyond = [*declared.hooks, *declared.decisions, *declared.assets]
    if beyond:
        contents = "actions, what happens by itself and views, and nothing else"
        place = getattr(beyond[0], "place", None)
        return Declarations(problem=Problem(f"A contract's program has {contents}", place))
    if max(map(len, (declared.actions, declared.events, declared.views))) > MOST_ADDED:
        limit = f"A contract's program has at most {MOST_ADDED} of each kind"
        return Declarations(problem=Problem(f"{limit}: actions, what happens by itself, views"))
    return declared


def _way(table: RuleTable, deed: Deed) -> str:
    cell = table.cell(deed, "SAYS")
    if not cell:
        raise table.unfit(cell, f" for {deed}", f"one of: {', '.join(_WAYS)}, or a player's name")
    return cell.lower() if cell.lower() in _WAYS else cell


def is_a_name(way: str) -> bool:
    """Whether that is how a player is called, and none of the ways that there are."""
    return way not in _WAYS
