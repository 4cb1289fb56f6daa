"""Runs blocks one after another in the interpreter, within their budgets. No Django here.

A block is read, written anew (`writing.py`) and loaded once; then its function `mark` is called.
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

from aceofspades.starlark import budgets
from aceofspades.starlark.budgets import MOST_CALLS, MOST_STEPS, STEPS_AT_ONCE, BlockWrong, Place
from aceofspades.starlark.reading import place_of, read
from aceofspades.starlark.writing import write

type Number = int | float

_PRELUDE = Path(__file__).with_name("prelude.star")
_LIMITS = ("MOST_ELEMENTS", "MOST_LETTERS", "LARGEST", "MOST_KEY", "MOST_LEVELS")
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
_FORGET = """
load("before", before = "hands")
hands = before
worth = {name: 0 for name in before}
"""
_WORTHS = """
load("before", "worth")
worth.values()
"""


class Block:
    """A block that has been loaded: `module` for the interpreter, `places` by the lines of it."""

    def __init__(self, source: str) -> None:
        """BlockWrong if it cannot be read or has no function `mark`."""
        tree = read(source)
        _check_mark([each for each in tree.body if getattr(each, "name", "") == "mark"])
        written = write(tree)
        self.places = written.places
        self.module = _module("block", written.source, self.places, prelude=_prelude())


def _check_mark(found: Sequence[ast.stmt]) -> None:
    if len(found) != 1:
        place = place_of(found[1]) if found else None
        raise BlockWrong("The block has to define mark(hands, worth, alliances), once", place)
    function = found[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    least = len(given.args) - len(given.defaults)
    most = MOST_CALLS if given.vararg else len(given.args)
    if not least <= 3 <= most or None in given.kw_defaults:
        raise BlockWrong(
            "The function mark has to take hands, worth, alliances", place_of(function)
        )


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
        self._begin = _module("layout", _LAY_OUT, (), given, prelude=_prelude())
        self._before = self._begin
        self._late = late

    def mark(self, block: Block) -> list[str]:
        """Let the block mark; returns whose worth it leaves undefined, which is 0 for the next.

        BlockWrong if it fails as a whole: then nothing has changed for the next.
        """
        rounds = 0
        late = False

        def enough() -> bool:
            nonlocal rounds, late
            rounds += 1
            late = self._late()
            return late or rounds > MOST_STEPS // STEPS_AT_ONCE

        options = starlark.EvalOptions(check_cancelled=enough, max_callstack_size=MOST_CALLS)
        module = starlark.Module()
        loads = {"before": self._before, "layout": self._begin, "block": block.module}
        try:
            undefined = _evaluated(module, "mark", _MARK, options, prelude=_prelude(), **loads)
        except starlark.StarlarkError as wrong:
            if late:
                raise BlockWrong("The site's time for it was up", tripped=True) from None
            raise _told(wrong, block.places) from None
        self._before = module.freeze()
        return list(undefined)

    def forget(self) -> None:
        """Let all worths be 0 for the next."""
        self._before = _module("forget", _FORGET, (), before=self._before)

    def worths(self) -> list[Number]:
        """The worths by now, in the order of the hands."""
        module = starlark.Module()
        options = starlark.EvalOptions()
        return list(_evaluated(module, "worths", _WORTHS, options, before=self._before))


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


def _told(wrong: starlark.StarlarkError, places: Sequence[Place]) -> BlockWrong:
    """The interpreter's complaint as a sentence with the place of the block that it comes from."""
    text = str(wrong)
    said = text.rpartition("\nerror: ")[2] if "\nerror: " in text else text
    said = _SPAN.split(said)[0].strip().removeprefix("error: ").removeprefix("fail: ")
    said = _OURS.sub("", said)
    if said == "Evaluation cancelled":
        said = f"It takes more than {MOST_STEPS:,} steps"
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
