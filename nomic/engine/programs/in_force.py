"""The programs of the rules in force, and what each of them adds to its game.

Something else than a rule may carry a program too, within a power of its own: the room that keeps
such programs registers here (`keep_programs`).
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from django.utils.text import slugify

from nomic.engine.coverage import read_programs, read_tables
from nomic.engine.programs.declarations import (
    Declarations,
    carried_in,
    declared_in,
    looked_up_in,
    program_in,
)
from nomic.engine.table import Table
from nomic.games import bounds
from nomic.games.bounds import GameBound
from nomic.games.models import Game
from nomic.games.refusal import Refusal
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.coverage import marks as fitting
from nomic.rulebook.coverage.rows import Columns
from nomic.rulebook.in_force import RuleText, may_carry_program, name_key

PREFIX = "rule"  # of the names of what programs add
_LONGEST_KEY = 36


class Carrier(NamedTuple):
    """What carries a program, as far as that matters for it: a rule, or something else, whose `pk`
    is below 0."""

    pk: int
    title: str
    number: str
    version: int
    text: str


type Move = tuple[str | None, str | None, int, str]
type Deed = tuple[str, str, dict[str, Any]]  # for whom, the name of an act, and what it takes


class Power(Protocol):
    """The power of a program that no rule carries: whose assets it moves, and for whom it acts. It
    does nothing else to the game of what programs of rules do."""

    @property
    def account(self) -> str:
        """The name of the holder in the ledger that is its own."""

    @property
    def parties(self) -> tuple[str, ...]:
        """The names of the players whom it binds."""

    def misfit_of_move(self, table: Table, move: Move) -> str:
        """Why it cannot move that, without a full stop; "" if it can."""

    def misfit_of_deed(self, table: Table, deed: Deed) -> str:
        """Why it cannot do that for that player, without a full stop; "" if it can."""

    def do(self, table: Table, deed: Deed) -> str:
        """Do it in the entry that is being made; what is said of it. Raises ProgramWrong."""


class KeptState(Protocol):
    """The row of what a program keeps in mind, and of what of it has failed."""

    state: str
    failures: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Program:
    """The program of a rule. `key` is what the rule is called in names: its number, else its
    title in small letters with hyphens. One that is no rule's has a `power`, and a dot in its key.
    """

    rule: Carrier
    key: str
    source: str
    declared: Declarations
    power: Power | None = None

    @property
    def digest(self) -> str:
        """What tells this program from others, also when its rule gets another name."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]

    def name(self, of: str) -> str:
        """The name in the game of an action or an event that it declares."""
        return name_of_event(f"{self.key}.{of}")


def name_of_event(subject: str) -> str:
    """The name in the game of a program's event, by the subject of its appointment:
    KEY.FUNCTION."""
    return subject if subject.count(".") > 1 else f"{PREFIX}.{subject}"


class Keeper(Protocol):
    """A room that keeps programs which no rule carries."""

    def programs(self, table: Table) -> Iterable[Program]:
        """Those that run in that game, in the order in which they come."""

    def states(self, table: Table, programs: Collection[Program]) -> Mapping[int, KeptState]:
        """What these keep in mind, by the `pk` of what carries them; a new row where there is
        none."""


_KEEPERS: list[Keeper] = []


def keep_programs(keeper: Keeper) -> None:
    """Let games have the programs that this room keeps."""
    _KEEPERS.append(keeper)


def programs_beside_rules(table: Table) -> tuple[Program, ...]:
    """The programs of that game which no rule carries."""
    return tuple(program for keeper in _KEEPERS for program in keeper.programs(table))


def states_beside_rules(table: Table, programs: Collection[Program]) -> dict[int, KeptState]:
    """What these programs, which no rule carries, keep in mind, by the `pk` of their carriers."""
    states: dict[int, KeptState] = {}
    for keeper in _KEEPERS if programs else ():
        states |= keeper.states(table, programs)
    return states


def programs_of(rules: Iterable[RuleText]) -> tuple[Program, ...]:
    """The programs of these rules that are not switched off, in the order of their numbers;
    unnumbered ones come last."""
    return _programs_of(
        tuple(
            Carrier(rule.pk, rule.title, rule.number, rule.version, rule.played)
            for rule in rules
            if may_carry_program(rule.played) and not rule.switched_off
        )
    )


def programs_now(table: Table) -> tuple[Program, ...]:
    """The programs of that table's rules, and behind them those that no rule carries."""
    # Asked at every act: of a long rulebook few rules may carry one, and which is known.
    return (*programs_of(table.rules.that_say("python")), *programs_beside_rules(table))


@memoized(share=0.04)
def _programs_of(rules: tuple[Carrier, ...]) -> tuple[Program, ...]:
    programs: dict[str, Program] = {}
    order: dict[str, tuple[int, int, str]] = {}
    for rule in sorted(rules):  # an older one keeps its name
        source = program_in(rule.text)
        declared = declared_in(source) if source else Declarations()
        if declared:
            plain = slugify(rule.number or rule.title, allow_unicode=True)[:_LONGEST_KEY] or "rule"
            keys = (f"{plain}{f'-{turn}' if turn > 1 else ''}" for turn in range(1, 1000))
            key = next(key for key in keys if key not in programs)
            programs[key] = Program(rule, key, source, declared)
            # Digits count as a number, and what has none stands behind.
            if rule.number.isascii() and rule.number.isdecimal():
                order[key] = (0, int(rule.number), "")
            else:
                order[key] = (1 if rule.number else 2, 0, rule.number)
    return tuple(programs[key] for key in sorted(programs, key=order.__getitem__))


_DECLARED: dict[GameBound, Callable[[Declarations], int]] = {
    bounds.PROGRAM_EVENTS: lambda declared: len(declared.events),
    bounds.PROGRAM_ACTIONS: lambda declared: len(declared.actions),
    bounds.PROGRAM_HOOKS: lambda declared: len(declared.hooks) + len(declared.decisions),
    bounds.PROGRAM_VIEWS: lambda declared: len(declared.views),
    bounds.PROGRAM_ASSETS: lambda declared: len(declared.assets),
}
type Counts = dict[GameBound, int]


def declared_by(rules: Iterable[RuleText]) -> Counts:
    """How much of each kind the programs of these rules declare in all."""
    every = [program.declared for program in programs_of(rules)]
    return {bound: sum(map(count, every)) for bound, count in _DECLARED.items()}


def declares_too_much(game: Game, before: Counts, rules: Iterable[RuleText]) -> Refusal | None:
    """Why a game whose programs declared that much `before` cannot have these rules, else None.
    What is there beyond a bound already stays, and cannot grow."""
    for bound, count in declared_by(rules).items():
        if count > before[bound] and (refusal := bound.refusal(game, count)):
            return refusal
    return None


def _who_carries_out(table: Table, rule: RuleText) -> fitting.CarriedProgram | None:
    """The rule's program as the marks of its passages know it."""
    is_on = may_carry_program(rule.played) and not rule.switched_off
    source = program_in(rule.played) if is_on else ""
    declared = declared_in(source) if source else None
    if not declared:
        return None
    around = frozenset(hook.of for hook in declared.hooks)
    carries = tuple(words for _, words in carried_in(source))
    return fitting.CarriedProgram(declared.problem is None, around, carries)


def _looked_up(rules: Iterable[RuleText], rule: RuleText) -> list[Columns]:
    """The columns of the rule's tables that programs of these rules look up."""
    names = {name_key(name) for name in (rule.title, rule.known_as, rule.number) if name}
    return [
        columns
        for program in programs_of(rules)
        if program.declared.problem is None
        for title, columns in looked_up_in(program.source)
        if name_key(title) in names
    ]


read_programs(_who_carries_out)
read_tables(_looked_up)
