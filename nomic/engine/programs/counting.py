"""Counts of what programs cause at one act or event, against the bounds that their game has.

The same is counted wherever the act is played, so a replay meets the same bound at the same place;
seconds are a guard beside that. In the past of a game that had no such bounds nothing is counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from nomic.engine.programs.declarations import Declarations
from nomic.engine.programs.programs import programs_of
from nomic.engine.programs.questions import Done
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.games.bounds import (
    CALLS,
    MOVES,
    PROGRAM_ACTIONS,
    PROGRAM_ASSETS,
    PROGRAM_BYTES,
    PROGRAM_EVENTS,
    PROGRAM_HOOKS,
    PROGRAM_VIEWS,
    QUESTIONS,
    SENTENCES,
    GameBound,
)
from nomic.games.models import Game
from nomic.games.refusal import Refusal
from nomic.rulebook.in_force import RuleText

_A_ROLL = 250  # bytes of an entry, with its hash, its period and its label
_A_MOVE = 60  # beside the names of who has it and of what it is
_A_CALL = 200  # its name in the entry
_LONGEST_NAME = 100  # characters


class Caused:
    """All that the calls at one table have done, as far as it counts."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._calls: Counter[bool] = Counter()
        self._asked: Counter[bool] = Counter()
        self._had: Counter[GameBound] = Counter()
        self._states: dict[str, int] = {}

    def call(self, looks: bool) -> None:
        """Count one more; those that only look by themselves. Raises ProgramWrong."""
        self._calls[looks] = min(self._calls[looks], CALLS.of(self._game)) + 1
        self.must_allow(CALLS, self._calls[looks])

    def ask(self, bound: GameBound, found: int, looks: bool) -> None:
        """Raise ProgramWrong where a call has asked or rolled too much, those before it counted."""
        self.must_allow(bound, found + (self._asked[looks] if bound is QUESTIONS else 0))

    def asked(self, questions: int, looks: bool) -> None:
        """Count the questions of a call that came to its end, or failed where it always does."""
        self._asked[looks] += questions

    def allow(self, done: Done, states: Mapping[str, str]) -> Done:
        """The result of a call, its movements of one asset between the same two summed up as one.
        `states` are those that it has changed. Raises ProgramWrong where that is too much."""
        if MOVES.is_had_by(self._game):
            sums: Counter[tuple[str | None, str | None, str]] = Counter()
            for source, target, amount, asset in done.moves:
                sums[source, target, asset] += amount
            moves = [
                (source, target, amount, asset) for (source, target, asset), amount in sums.items()
            ]
            done = replace(done, moves=moves)
        self.must_allow(MOVES, self._had[MOVES] + len(done.moves))
        self.must_allow(SENTENCES, self._had[SENTENCES] + len(done.said))
        kept = self._states | _sizes(states)
        size = self._had[PROGRAM_BYTES] + _size(done) + sum(kept.values())
        self.must_allow(PROGRAM_BYTES, size)
        return done

    def keep(self, done: Done, states: Mapping[str, str]) -> None:
        """Count what a call came to, which is part of the game now."""
        self._had[MOVES] += len(done.moves)
        self._had[SENTENCES] += len(done.said)
        self._had[PROGRAM_BYTES] += _size(done)
        self._states |= _sizes(states)

    def name(self, what: str) -> str:
        """The name in an entry of something that has run or failed, cut to 100 characters unless
        the game began without that bound."""
        return what[:_LONGEST_NAME] if PROGRAM_BYTES.is_had_by(self._game) else what

    def told_once[Value](self, told: Iterable[Value]) -> list[Value]:
        """The things that an entry tells, each once: one may fail each time that it is called."""
        if not CALLS.is_had_by(self._game):
            return list(told)
        found: list[Value] = []
        found.extend(each for each in told if each not in found)
        return found

    def must_allow(self, bound: GameBound, found: int) -> None:
        """Raise ProgramWrong where so many are more than the game lets be."""
        refusal = bound.refusal(self._game, found)
        if refusal is not None:
            raise ProgramWrong(Problem(refusal.sentence))


def _sizes(states: Mapping[str, str]) -> dict[str, int]:
    return {key: len(state.encode()) for key, state in states.items()}


def size_of(done: Done) -> int:
    """The bytes that a call adds to its entry and to what rules keep in mind."""
    return _size(done) + sum(_sizes(done.states).values())


def _size(done: Done) -> int:
    """The bytes that a call adds to its entry."""
    names = sum(
        _A_MOVE
        + len((source or "").encode())
        + len((target or "").encode())
        + 2 * len(asset.encode())
        for source, target, _, asset in done.moves
    )
    return _A_CALL + done.rolls * _A_ROLL + names + sum(len(each.encode()) for each in done.said)


_DECLARED: dict[GameBound, Callable[[Declarations], int]] = {
    PROGRAM_EVENTS: lambda declared: len(declared.events),
    PROGRAM_ACTIONS: lambda declared: len(declared.actions),
    PROGRAM_HOOKS: lambda declared: len(declared.hooks) + len(declared.decisions),
    PROGRAM_VIEWS: lambda declared: len(declared.views),
    PROGRAM_ASSETS: lambda declared: len(declared.assets),
}
type Counts = dict[GameBound, int]


def declared_by(rules: Iterable[RuleText]) -> Counts:
    """How much of each kind the programs of these rules declare in all."""
    every = [program.declared for program in programs_of(rules)]
    return {bound: sum(map(count, every)) for bound, count in _DECLARED.items()}


def declares_too_much(game: Game, before: Counts, rules: Iterable[RuleText]) -> Refusal | None:
    """Why a game whose programs declared that much `before` cannot have these rules, else None.
    What is there beyond a bound already stays, and cannot grow."""
    for bound, found in declared_by(rules).items():
        if found > before[bound] and (refusal := bound.refusal(game, found)):
            return refusal
    return None
