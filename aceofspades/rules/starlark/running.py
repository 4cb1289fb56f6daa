"""Runs blocks one after another in the interpreter, within their budgets. No Django here.

A block is read, written anew (`writing.py`) and loaded once; then its function `mark` is called,
or `mark_hand` for one hand after the other.
Only steps and sizes count, so that the same block ends at the same place on every machine. What
a block sees and gives stays in the interpreter until the last one is through.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import starlark

from aceofspades.rules.starlark import budgets
from aceofspades.rules.starlark.budgets import (
    LEAST_STEPS,
    MOST_CALLS,
    MOST_STEPS,
    STEPS_AT_ONCE,
    BlockWrong,
    Place,
)
from aceofspades.rules.starlark.reading import place_of, read
from aceofspades.rules.starlark.writing import write

type Number = int | float

_PRELUDE = Path(__file__).with_name("prelude.star")
_LIMITS = ("MOST_ELEMENTS", "MOST_LETTERS", "LARGEST", "MOST_KEY", "MOST_LEVELS")
_GIVEN = {
    "mark": ("hands", "worth", "alliances"),
    "mark_hand": ("name", "hands", "worth", "alliances"),
}
_MOST_TOLD = 300  # letters of the interpreter's own words
_OURS = re.compile(r", did you mean `paid_\w+`\?")
_FRAME = re.compile(r"^  \* block:(\d+), in ", re.MULTILINE)
_SPAN = re.compile(r"^ *--> (\w+):(\d+):\d+$", re.MULTILINE)
_LAY_OUT = """
load("prelude", "hands_in_order")
hands = hands_in_order(NAMES, SUITS, COUNTS)
numbers = [float(given) if type(given) == "string" else given for given in WORTHS]
worth = {name: numbers[place] for place, name in enumerate(NAMES)}
alliances = [[NAMES[place] for place in members] for members in ALLIANCES]
"""
_MARK = """
load("prelude", "outcome")
load("before", given = "hands", before = "worth")
load("layout", "alliances")
load("block", "mark")
worth, hands, undefined = outcome(mark, given, before, alliances)
undefined
"""
_MARK_HAND = """
load("prelude", "hand_worth")
load("before", given = "hands", before = "worth")
load("layout", "alliances")
load("block", "mark_hand")
hands = given
worth = {name: hand_worth(mark_hand(name, given, before, alliances)) for name in SOME}
[]
"""
_LET_WORTHS = """
load("before", before = "hands")
hands = before
numbers = [float(given) if type(given) == "string" else given for given in WORTHS]
worth = {name: numbers[place] for place, name in enumerate(before)}
"""
_WORTHS = """
load("before", "worth")
worth.values()
"""


class Block:
    """A block that has been loaded: `module` for the interpreter, `places` by the lines of it.

    `by_hand` where it has `mark_hand` and no `mark`, which is what is asked where both are there.
    """

    def __init__(self, source: str) -> None:
        """BlockWrong if it cannot be read or has no function that marks."""
        tree = read(source)
        functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
        self.by_hand = not any(each.name == "mark" for each in functions)
        _check_marking(functions, "mark_hand" if self.by_hand else "mark")
        written = write(tree)
        self.places = written.places
        self.module = _module("block", written.source, self.places, prelude=_prelude())


def _check_marking(functions: Sequence[ast.FunctionDef], name: str) -> None:
    """BlockWrong unless one function of that name takes what it will be given."""
    found = [each for each in functions if each.name == name]
    if not found:
        ways = " or ".join(f"{name}({', '.join(given)})" for name, given in _GIVEN.items())
        raise BlockWrong(f"The block has to define {ways}, once")
    takes = ", ".join(_GIVEN[name])
    if len(found) > 1:
        raise BlockWrong(f"The block has to define {name}({takes}), once", place_of(found[1]))
    given = found[0].args
    least = len(given.args) - len(given.defaults)
    most = MOST_CALLS if given.vararg else len(given.args)
    if not least <= len(_GIVEN[name]) <= most or None in given.kw_defaults:
        raise BlockWrong(f"The function {name} has to take {takes}", place_of(found[0]))


@lru_cache(maxsize=256)
def block_of(source: str) -> Block:
    """The block, loaded; it keeps nothing of a run, so all runs share it. BlockWrong as Block."""
    return Block(source)


class Room:
    """Where blocks follow each other; it keeps the hands and worths that the next one sees."""

    def __init__(
        self,
        hands: Mapping[str, Mapping[str, int]],
        worths: Mapping[str, Number],
        alliances: Sequence[Sequence[str]],
        late: Callable[[], bool],
    ) -> None:
        """All hands have the same suits. `late` tells whether the safety net has tripped."""
        names = list(hands)
        places = {name: place for place, name in enumerate(names)}
        suits = list(hands[names[0]]) if names else []
        given = {
            "NAMES": names,
            "SUITS": suits,
            "COUNTS": [hands[name][suit] for name in names for suit in suits],
            "WORTHS": [_exact(worths[name]) for name in names],
            "ALLIANCES": [[places[name] for name in members] for members in alliances],
        }
        self._names = names
        self._left_out: set[str] = set()
        self._begin = _module("layout", _LAY_OUT, (), given, prelude=_prelude())
        self._before = self._begin
        self._late = late

    def mark(self, block: Block) -> tuple[list[str], str]:
        """Let the block mark; returns whose worth it leaves undefined, which is 0 for the next, and
        why in a sentence, if that is known. For whom `mark_hand` failed it is 0 from then on.

        BlockWrong if it fails as a whole: then nothing has changed for the next.
        """
        module = starlark.Module()
        module["SOME"] = self._names
        try:
            undefined = self._run(module, block, self._steps(block))
        except BlockWrong as wrong:
            if wrong.tripped or not block.by_hand:
                raise
            return self._mark_apart(block)
        self._before = module.freeze()
        if self._left_out:
            self._let_worths(dict(zip(self._names, self.worths(), strict=True)))
        return list(undefined), ""

    def _mark_apart(self, block: Block) -> tuple[list[str], str]:
        """Let `mark_hand` mark where it fails for some. It changes nothing of what it gets, so that
        no hand's call bears on another's."""
        failed: dict[str, str] = {}
        worths = self._mark_some(block, self._names, failed)
        self._left_out.update(failed)
        self._let_worths(worths)
        return list(failed), next(iter(failed.values()), "")

    def _mark_some(
        self, block: Block, names: Sequence[str], failed: dict[str, str]
    ) -> dict[str, Number]:
        """Their worths, and in `failed` why others have none. What all of them do within the steps
        of one hand, each does by itself; otherwise it is one half after the other."""
        module = starlark.Module()
        module["SOME"] = list(names)
        try:
            self._run(module, block, self._steps(block))
        except BlockWrong as wrong:
            if wrong.tripped:
                raise
            if len(names) == 1:
                failed[names[0]] = str(wrong)
                return {}
        else:
            return dict(zip(names, _worths_of(module.freeze()), strict=True))
        half = len(names) // 2
        first = self._mark_some(block, names[:half], failed)
        return first | self._mark_some(block, names[half:], failed)

    def _steps(self, block: Block) -> int:
        """How many steps a call may take: all hands share what a regulation may."""
        each = max(MOST_STEPS // len(self._names), LEAST_STEPS)
        return each if block.by_hand else MOST_STEPS

    def _run(self, module: starlark.Module, block: Block, steps: int) -> Any:
        """Whose worth the block leaves undefined, within so many steps; BlockWrong if it fails."""
        rounds = 0
        late = False

        def enough() -> bool:
            nonlocal rounds, late
            rounds += 1
            late = self._late()
            return late or rounds > steps // STEPS_AT_ONCE

        options = starlark.EvalOptions(check_cancelled=enough, max_callstack_size=MOST_CALLS)
        loads = {"before": self._before, "layout": self._begin, "block": block.module}
        source = _MARK_HAND if block.by_hand else _MARK
        try:
            return _evaluated(module, "mark", source, options, prelude=_prelude(), **loads)
        except starlark.StarlarkError as wrong:
            if late:
                raise BlockWrong("The site's time for it was up", tripped=True) from None
            raise _told(wrong, block.places, steps) from None

    def forget(self) -> None:
        """Let all worths be 0 for the next."""
        self._let_worths({})

    def _let_worths(self, worths: Mapping[str, Number]) -> None:
        """Let these be the worths for the next; 0 for who has none by it or by an earlier block."""
        told = [0 if name in self._left_out else worths.get(name, 0) for name in self._names]
        given = {"WORTHS": [_exact(worth) for worth in told]}
        self._before = _module("worths", _LET_WORTHS, (), given, before=self._before)

    def worths(self) -> list[Number]:
        """The worths by now, in the order of the hands."""
        return _worths_of(self._before)


def _worths_of(marked: starlark.FrozenModule) -> list[Number]:
    module = starlark.Module()
    return list(_evaluated(module, "worths", _WORTHS, starlark.EvalOptions(), before=marked))


def _exact(number: Number) -> Number | str:
    """A number as the interpreter takes it in to the last bit."""
    return repr(number) if isinstance(number, float) else number


def _module(
    name: str,
    source: str,
    places: Sequence[Place],
    given: Mapping[str, object] | None = None,
    **loads: starlark.FrozenModule,
) -> starlark.FrozenModule:
    """A module that nothing changes any more; BlockWrong if it cannot be loaded."""
    module = starlark.Module()
    for variable, value in (given or {}).items():
        module[variable] = value
    rounds = 0

    def enough() -> bool:
        nonlocal rounds
        rounds += 1
        return rounds > MOST_STEPS // STEPS_AT_ONCE

    options = starlark.EvalOptions(check_cancelled=enough, max_callstack_size=MOST_CALLS)
    try:
        _evaluated(module, name, source, options, **loads)
        return module.freeze()
    except starlark.StarlarkError as wrong:
        raise _told(wrong, places) from None


def _evaluated(
    module: starlark.Module,
    name: str,
    source: str,
    options: starlark.EvalOptions,
    **loads: starlark.FrozenModule,
) -> Any:
    """The value of the last line of the source; StarlarkError if there is none."""
    try:
        tree = starlark.parse(name, source, _dialect())
        loader = starlark.FileLoader(loads.__getitem__)
        return starlark.eval_with(options, module, tree, starlark.Globals.standard(), loader).value
    except BaseException as wrong:
        if type(wrong).__name__ != "PanicException":  # which has no name to catch it by
            raise
        raise starlark.StarlarkError("error: The interpreter could not go on with it") from None


@cache
def _prelude() -> starlark.FrozenModule:
    limits = {name: getattr(budgets, name) for name in _LIMITS}
    return _module("prelude", _PRELUDE.read_text(encoding="utf-8"), (), limits)


@cache
def _dialect() -> starlark.Dialect:
    dialect = starlark.Dialect.standard()
    dialect.enable_load = True
    dialect.enable_keyword_only_arguments = True
    return dialect


def _told(
    wrong: starlark.StarlarkError, places: Sequence[Place], steps: int = MOST_STEPS
) -> BlockWrong:
    """The interpreter's complaint as a sentence with the place of the block that it comes from."""
    text = str(wrong)
    said = text.rpartition("\nerror: ")[2] if "\nerror: " in text else text
    said = _SPAN.split(said)[0].strip().removeprefix("error: ").removeprefix("fail: ")
    said = _OURS.sub("", said)
    if said == "Evaluation cancelled":
        said = f"It takes more than {steps:,} steps"
    elif said == "Starlark call stack overflow":
        said = f"Functions call each other more than about {MOST_CALLS - 4} deep"
    said = " ".join(said.split()).rstrip(".")
    if len(said) > _MOST_TOLD:
        said = f"{said[:_MOST_TOLD]}…"
    return BlockWrong(said[:1].upper() + said[1:], _place(text, places))


def _place(text: str, places: Sequence[Place]) -> Place | None:
    spans = [int(line) for file, line in _SPAN.findall(text)[-1:] if file == "block"]
    lines = spans or [int(line) for line in _FRAME.findall(text)[-1:]]
    if not lines or not 0 < lines[0] <= len(places):
        return None
    return places[lines[0] - 1]
