"""The power of contracts over their parties: programs that move what the parties have put at their
disposal, and acts that are done on behalf of parties, as the contract's own tables say."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from nomic.contracts.models import Contract, ContractState
from nomic.contracts.rules import (
    CONTRACTS,
    MOST_OF_ONE,
    MOST_WITH_POWERS,
    ActForParty,
    Provisions,
    provisions_of,
)
from nomic.contracts.state import is_on, is_player, name_now, parties_of, state_of
from nomic.engine.actions import Action, admission
from nomic.engine.effects import Then
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.programs.additions import appoint
from nomic.engine.programs.declarations import Declarations
from nomic.engine.programs.in_force import Carrier, Deed, Move, Program, keep_programs
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table
from nomic.engine.take import do_meanwhile
from nomic.games import bounds
from nomic.games.bounds import GameBound
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.governance.acts_by_rows import act_named_by, named
from nomic.governance.on_behalf import LentAct, judged_for, lends
from nomic.rulebook.charts import unless_broken

POWERS = "contract_powers"  # of a game's settings: the contracts that have such, by number


@dataclass(frozen=True, slots=True)
class ContractPower:
    """The power of a contract's program: its own account, the assets of its parties of which it
    disposes, and the rows of the acts that it does for them."""

    number: int
    account: str
    parties: tuple[str, ...]
    disposes: frozenset[str]
    acts: tuple[ActForParty, ...]

    def misfit_of_move(self, table: Table, move: Move) -> str:
        """Why it cannot move that, without a full stop; "" if it can."""
        giver, receiver, _, asset = move
        if giver is None or receiver is None:
            return "A contract makes nothing and destroys nothing: it pays, and is paid"
        if stranger := next((name for name in (giver, receiver) if not self._binds(name)), None):
            return f"Contract {self.number} leaves {stranger} be, who is none of its parties"
        if giver != self.account and asset not in self.disposes:
            plural = table.ledger.asset(asset).plural
            return f"Contract {self.number} does not say that it disposes of its parties' {plural}"
        if table.ledger.asset(asset).fixed:
            return f"The asset “{asset}” is fixed: its owner cannot transfer it"
        return ""

    def _binds(self, name: str) -> bool:
        return name == self.account or name in self.parties

    def misfit_of_deed(self, table: Table, deed: Deed) -> str:
        """Why it cannot do that for that player, without a full stop; "" if it can."""
        try:
            act, inputs = self._act_for(table, deed)
        except ProgramWrong as wrong:
            return wrong.problem.message
        principal = table.seat(deed[0])
        if refusal := admission(act, table, principal):  # before its form, which may need its rule
            return refusal.sentence.rstrip(".")
        try:
            chosen = act.Form(table, principal, inputs).inputs()
        except Malformed as malformed:
            return str(malformed).rstrip(".")
        verdict = judged_for(table, principal, act, chosen, CONTRACTS)
        return verdict.sentence.rstrip(".") if isinstance(verdict, Refusal) else ""

    def do(self, table: Table, deed: Deed) -> str:
        """Do it in the entry that is being made; what is said of it. Raises ProgramWrong."""
        act, inputs = self._act_for(table, deed)
        principal = table.seat(deed[0])
        try:
            outcome = do_meanwhile(table, principal, act, inputs)
        except Refused as refused:
            raise ProgramWrong(Problem(refused.refusal.sentence.rstrip("."))) from refused
        except Malformed as malformed:
            raise ProgramWrong(Problem(str(malformed).rstrip("."))) from malformed
        return f"Contract {self.number} on behalf of {principal}: {outcome.text}"

    def _act_for(self, table: Table, deed: Deed) -> tuple[Action, dict[str, Any]]:
        player, words, inputs = deed
        if player not in self.parties:
            leaves = f"Contract {self.number} leaves {player[:60]} be"
            raise ProgramWrong(Problem(f"{leaves}, who is none of its parties"))
        names = {act.name for act in named(table, words)}
        for row, act in acts_of(table, self.acts):
            if act.name in names and name_now(table, row.of) in ("", player):
                return act, inputs
        says = f"Contract {self.number} does not say that it does “{words[:60]}”"
        raise ProgramWrong(Problem(f"{says} on behalf of {player}"))


@dataclass(frozen=True, slots=True)
class EmpoweredContract:
    """A contract that goes on, with what it lets be done, by whom and for whom."""

    contract: Contract
    provisions: Provisions

    @property
    def parties(self) -> tuple[str, ...]:
        """The names of its parties."""
        return tuple(party.name for party in parties_of(self.contract))

    @property
    def program(self) -> Program | None:
        """Its program, where it has one."""
        if not self.provisions.program:
            return None
        contract = self.contract
        power = ContractPower(
            contract.number,
            contract.account.name,
            self.parties,
            frozenset(self.provisions.disposes),
            tuple(row for row in self.provisions.acts if row.by_contract),
        )
        document = contract.document
        carrier = Carrier(-contract.number, str(contract), "", document.version, document.text)
        key = f"contract.{contract.number}"
        return Program(carrier, key, self.provisions.program, self.provisions.declared, power)

    def lent(self, table: Table) -> Iterator[LentAct]:
        """What its parties, or players who are named, do on behalf of parties."""
        parties = frozenset(self.parties)
        rows = [row for row in self.provisions.acts if not row.by_contract]
        for row, act in acts_of(table, rows):
            by, of = (
                frozenset({name_now(table, name)}) if name else parties for name in (row.by, row.of)
            )
            yield LentAct(act, CONTRACTS, by, of & parties)


def acts_of(table: Table, rows: Iterable[ActForParty]) -> Iterator[tuple[ActForParty, Action]]:
    """These rows, each with the act that it names, as far as the game has it now."""
    # Many contracts name the same acts, and each is looked for among all that the game has.
    acts = table.once(_acts_by_words)
    for row in rows:
        key = table.rules.changes, row.declared.act
        if key not in acts:
            act, misfit = act_named_by(table, row.declared)
            acts[key] = None if misfit else act
        if (act_of_row := acts[key]) is not None:
            yield row, act_of_row


def _acts_by_words(table: Table) -> dict[tuple[int, str], Action | None]:
    """The acts that `acts_of` has looked for at this table: by the state of the rules and the words
    of a row, the act that they name, None where there is none."""
    return {}


def empowered(table: Table) -> tuple[EmpoweredContract, ...]:
    """The contracts that go on and let something be done, by their numbers."""
    # Asked anew each time: the rule may have been repealed in the entry that is being made.
    return table.once(_empowered) if is_on(table) else ()


def _empowered(table: Table) -> tuple[EmpoweredContract, ...]:
    numbers = table.game.setting(POWERS, ())
    if not numbers:
        return ()
    contracts = state_of(table).contracts.filter(number__in=numbers, ended_in=None)
    return tuple(map(empowered_by, contracts.order_by("number")))


def empowered_by(contract: Contract) -> EmpoweredContract:
    """That contract with what it lets be done, as its text reads now."""
    provisions = unless_broken(lambda: provisions_of(contract.document.text), Provisions())
    return EmpoweredContract(contract, provisions)


def in_words(provisions: Provisions) -> list[str]:
    """A sentence for each thing that these provisions let be done with the parties' assets and in
    their names."""
    sentences = []
    if provisions.disposes and provisions.program:
        assets = enumerated([*provisions.disposes])
        sentences.append(f"Its program may move what its parties have of this: {assets}.")
    sentences += [f"By it {row}." for row in provisions.acts]
    if provisions.program:
        sentences.append("It carries a program.")
    return sentences


def provisions_refusal(
    table: Table, text: str, maker: Player | None, number: int | None
) -> Refusal | None:
    """Why a contract that this player makes or has made, of that number where it is there already,
    cannot let be done what its text says; None if it can. Raises TableBroken."""
    provisions = provisions_of(text)
    if sentence := _misfit(table, provisions):
        return Refusal("provisions_unread", sentence, CONTRACTS)
    others = (
        [row for row in empowered(table) if row.contract.number != number] if provisions else []
    )
    of_maker = [row for row in others if row.contract.document.author == maker]
    for owner, contracts, most in (
        ("this game", others, MOST_WITH_POWERS),
        (str(maker), of_maker, MOST_OF_ONE),
    ):
        if len(contracts) >= most:
            sentence = (
                f"{most} contracts of {owner} act for their parties or carry programs already: one"
                " of them has to end first."
            )
            return Refusal("too_many", sentence, CONTRACTS)
    for bound, count in _ADDED.items():
        added_count, limit = count(provisions.declared), bound.of(table.game)
        in_all = added_count + sum(count(row.provisions.declared) for row in others)
        if added_count and in_all > limit:
            sentence = (
                f"The contracts of a game have at most {limit:,} {bound.unit} in all, and with this"
                f" one they would have {in_all:,}."
            )
            return Refusal("too_much", sentence, CONTRACTS)
    return None


_ADDED: dict[GameBound, Callable[[Declarations], int]] = {
    bounds.PROGRAM_EVENTS: lambda declared: len(declared.events),
    bounds.PROGRAM_ACTIONS: lambda declared: len(declared.actions),
    bounds.PROGRAM_VIEWS: lambda declared: len(declared.views),
}


def _misfit(table: Table, provisions: Provisions) -> str:
    if problem := provisions.declared.problem:
        return f"The contract’s program does not fit: {problem}"
    public = {asset.name for asset in table.ledger.public_assets()}
    for asset in provisions.disposes:
        if asset not in public:
            assets = ", ".join(sorted(public)) or "none"
            return f"This game has no asset “{asset[:60]}”. Its assets: {assets[:300]}."
    for row in provisions.acts:
        names = [] if row.by_contract else [row.by]
        for name in filter(None, (*names, row.of)):
            if not is_player(table, name):
                return f"The contract’s table says “{name[:60]}”, which is neither a party nor it."
        act, misfit = act_named_by(table, row.declared)
        if act is None or misfit:
            return f"The act “{row.declared.act}” of the contract {misfit}"
    return ""


def powers_noted(number: int, text: str) -> Then:
    """The effect by which the powers in a contract's text count from now on, and the events of its
    program are appointed. For a contract that has ended, `text` is ""."""
    return Then(partial(note_powers, number=number, text=text))


def note_powers(table: Table, number: int, text: str) -> None:
    """Let the powers in that contract's text count from now on, and appoint the events of its
    program."""
    before = table.game.setting(POWERS, [])
    has_some = bool(unless_broken(lambda: provisions_of(text), Provisions()))
    after = sorted({*before, number} if has_some else {*before} - {number})
    if after != before:
        table.game.settings = {**table.game.settings, POWERS: after}
        table.game.save(update_fields=["settings"])
    if after or before:
        table.drop_all()
        appoint(table)


class _ProgramsOfContracts:
    def programs(self, table: Table) -> Iterable[Program]:
        """The programs of the contracts that go on, by their numbers."""
        return [
            program for contract in empowered(table) if (program := contract.program) is not None
        ]

    def states(self, table: Table, programs: Collection[Program]) -> dict[int, ContractState]:
        """What these keep in mind, by their carriers' `pk`: the contracts' numbers below 0."""
        numbers = [-program.rule.pk for program in programs]
        contracts = Contract.objects.filter(game=table.game, number__in=numbers)
        rows = contracts.select_related("kept")
        return {
            -row.number: getattr(row, "kept", None) or ContractState(contract=row) for row in rows
        }


keep_programs(_ProgramsOfContracts())


@lends
def _lent_by_contracts(table: Table) -> Iterator[LentAct]:
    return (lent for contract in empowered(table) for lent in contract.lent(table))
