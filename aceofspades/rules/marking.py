"""How the program of a Marking Regulation marks the hands, in the sandbox. No Django here."""

import ast
import builtins
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nomic.engine.programs.sandbox import Limits, Problem, ProgramWrong, Sandbox, parsed, problem_in
from nomic.kept import kept

type Number = int | float
type Hands = Mapping[str, Mapping[str, int]]

MEMORY = 64 * 2**20  # bytes that a program may use
LARGEST = 10**30  # a worth, or its negative
_LEAST_SHARE = 0.05  # of the seconds, of a few hands among many
_TAKES = {
    "mark": ("hands", "worth", "alliances"),
    "mark_hand": ("name", "hands", "worth", "alliances"),
}
_FAIL = "fail"  # what Starlark's did, this name does by being nothing: the worth is undefined
_NAMING = ("id", "name", "asname", "arg", "rest")  # where a tree has names that are given
_TOO_LARGE = Problem("The number that mark_hand returns is infinite, or too large")
# What runs in the sandbox has to give back small values only, whatever the program returns.
_MARK = """
def of_type(value):
    return f"of type {type(value).__name__}"

scope, known = {}, set(names)
exec(program, scope)
found, changed = scope["mark"](hands, worth, alliances), {}
if type(found) is tuple and len(found) == 2:
    found, changed = found
if type(changed) is not dict:
    raise TypeError(f"The hands that mark returns are {of_type(changed)}, not a dict")
if type(found) is not dict:
    raise TypeError(f"The function mark returns a value {of_type(found)}, not a dict of worths")
for name, hand in changed.items():
    if name not in known:
        raise ValueError("The function mark returns a hand of somebody who is no contestant")
    if type(hand) is not dict:
        raise TypeError(f"The function mark returns a hand {of_type(hand)}, not a dict")
    for suit, count in hand.items():
        if suit not in suits:
            raise ValueError("The function mark returns a hand with cards of a suit that is none")
        if type(count) is not int or not 0 <= count <= largest:
            raise ValueError("The function mark returns a number of cards that is none")
{name: found[name] for name in names if type(found.get(name)) in (int, float)}, changed
"""
_MARK_HANDS = """
kept = {name: dict(hand) for name, hand in hands.items()}, dict(worth), [list(a) for a in alliances]
found = {}
for name in names:
    scope = {}
    exec(program, scope)
    found[name] = scope["mark_hand"](name, hands, worth, alliances)
    if type(found[name]) not in (int, float):
        kind = type(found[name]).__name__
        raise TypeError(f"The function mark_hand returns no number, but a value of type {kind}")
if (hands, worth, alliances) != kept:
    raise ValueError("The function mark_hand changes what it is given")
found
"""


@dataclass(slots=True)
class Marked:
    """The worths that a program gives, and the hands that later ones see.

    `failed` are the hands that a program of each hand gives no worth, and why.
    """

    worths: dict[str, Number]
    hands: Hands
    failed: dict[str, Problem] = field(default_factory=dict)


@kept(0.01)
def check(source: str) -> bool:
    """Raises ProgramWrong where its syntax is wrong, a name is not known or it has no function that
    marks. Returns whether that is `mark_hand` and not `mark`, so that an error concerns one hand
    alone (118). Nothing of it is run."""
    wrong = problem_in(source) or _unknown_name(source)
    if wrong:
        raise ProgramWrong(wrong)
    functions = [each for each in parsed(source).body if isinstance(each, ast.FunctionDef)]
    name = "mark" if any(each.name == "mark" for each in functions) else "mark_hand"
    found = [each for each in functions if each.name == name]
    if not found:
        ways = " or ".join(f"{way}({', '.join(takes)})" for way, takes in _TAKES.items())
        raise ProgramWrong(Problem(f"The block has to define {ways}, once"))
    takes, given = _TAKES[name], found[-1].args
    place = found[-1].lineno, found[-1].col_offset + 1
    if len(found) > 1:
        what = f"The block has to define {name}({', '.join(takes)}), once"
        raise ProgramWrong(Problem(what, place))
    least = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    most = len(takes) if given.vararg else len(given.posonlyargs) + len(given.args)
    if not least <= len(takes) <= most or None in given.kw_defaults:
        what = f"The function {name} has to take {', '.join(takes)}"
        raise ProgramWrong(Problem(what, place))
    return name == "mark_hand"


def _unknown_name(source: str) -> Problem | None:
    """The first name that nothing in the block gives a meaning, nor the language does."""
    known, asked = {*dir(builtins), _FAIL}, []
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            asked.append(node)
        else:
            given = (str(getattr(node, field, "")) for field in _NAMING)
            known.update(name.split(".")[0] for name in given)
    unknown = [each for each in asked if each.id not in known]
    first = min(unknown, key=lambda each: (each.lineno, each.col_offset), default=None)
    if first is None:
        return None
    return Problem(f"The name {first.id} stands for nothing", (first.lineno, first.col_offset + 1))


def mark_by(
    sandbox: Sandbox,
    source: str,
    hands: Hands,
    worths: Mapping[str, Number],
    alliances: Sequence[Sequence[str]],
    seconds: float,
) -> Marked:
    """The worths and hands that the program makes. Raises ProgramWrong if it fails for all
    hands."""
    given: dict[str, object] = {
        "hands": hands,
        "worth": worths,
        "alliances": [list(members) for members in alliances],
        "names": list(hands),
    }
    if not check(source):
        suits = list(next(iter(hands.values())))
        given |= {"suits": suits, "largest": LARGEST}
        found, changed = sandbox.run(_MARK, source, given, Limits(seconds, MEMORY))
        after = {
            name: {suit: changed[name].get(suit, 0) for suit in hand} if name in changed else hand
            for name, hand in hands.items()
        }
        return Marked(_numbers(found), after)
    marked = Marked({}, hands)
    _mark_some(marked, sandbox, source, given, list(hands), seconds)
    return marked


def _mark_some(
    marked: Marked,
    sandbox: Sandbox,
    source: str,
    given: Mapping[str, object],
    names: Sequence[str],
    seconds: float,
) -> None:
    """Mark these hands; where that fails, one half of them after the other."""
    share = max(len(names) / len(marked.hands), _LEAST_SHARE)
    limits = Limits(seconds * share, MEMORY)
    try:
        found = _numbers(sandbox.run(_MARK_HANDS, source, {**given, "names": names}, limits))
        marked.worths.update(found)
        marked.failed.update((name, _TOO_LARGE) for name in names if name not in found)
    except ProgramWrong as wrong:
        if len(names) == 1:
            marked.failed[names[0]] = wrong.problem
            return
        half = len(names) // 2
        for some in names[:half], names[half:]:
            _mark_some(marked, sandbox, source, given, some, seconds)


def _numbers(found: Mapping[str, Number]) -> dict[str, Number]:
    """Those that are finite, and not larger than a worth may be."""
    return {
        name: worth
        for name, worth in found.items()
        if (math.isfinite(worth) if isinstance(worth, float) else abs(worth) <= LARGEST)
    }
