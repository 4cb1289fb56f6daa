"""The marks: what hands are worth by the blocks of the Marking Regulations (118, 119), which run in
the sandbox.

No Django here. The site asks `aceofspades/state/counting.py`, so that no page waits for it and no
web process runs a block.
"""

import ast
import builtins
import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from nomic.engine.programs import sandbox
from nomic.engine.programs.sandbox import Limits, Problem, ProgramWrong, Sandbox
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.tables import lines_of

type Number = int | float
type Hands = Mapping[str, Mapping[str, int]]

SECONDS = 1.0  # after which a program is taken for one that never ends
_DECIMALS = 9
_PYTHON = "python"

_FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[ \t]*+(?P<info>[^\n`]*)$")

_PLACE = re.compile(r"\(line (?P<line>[0-9]{1,9}), column (?P<column>[0-9]{1,9})\)\.$")
MEMORY = 64 * 2**20  # bytes that a program may use
LARGEST = 10**30  # a worth, or its negative
_LEAST_SHARE = 0.05  # of the seconds, of a few hands among many
_TAKES = {
    "mark": ("hands", "worth", "alliances"),
    "mark_hand": ("name", "hands", "worth", "alliances"),
}
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


@dataclass(frozen=True, slots=True)
class MarkingProgram:
    """The block of one Marking Regulation."""

    number: int
    source: str


@dataclass(frozen=True, slots=True)
class Question:
    """Hands and the programs to mark them by: the question of their worths.

    `hands` are in the order of joining; a suit that only some have is 0 for the others. `worths`
    are those before the first program, 0 where none is given. Equal questions have equal
    fingerprints and, within the budgets, equal answers.
    """

    hands: Hands
    alliances: tuple[tuple[str, ...], ...] = ()
    programs: tuple[MarkingProgram, ...] = ()
    worths: Mapping[str, Number] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the question as JSON, in hexadecimal: of all of it, hands and suits in
        their order, which a program may go by."""
        programs = tuple(sorted(self.programs, key=lambda program: program.number))
        whole = replace(self, programs=programs, worths=dict(sorted(self.worths.items())))
        return hashlib.sha256(QUESTIONS.dump_json(whole)).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer:
    """The worth of each hand in Marks, in the order of the hands.

    `errors` are sentences by the number of the regulation: why it failed, or whose worth it left
    undefined. `tripped` are the numbers of those that the guard of time ended: only they might end
    otherwise on another machine. `steps` are the worths after each program, by the number of its
    regulation, in their order.
    """

    worths: dict[str, float]
    errors: dict[int, str] = field(default_factory=dict)
    tripped: tuple[int, ...] = ()
    steps: dict[int, dict[str, float]] = field(default_factory=dict, compare=False)


# How they go to a worker and back as JSON.
QUESTIONS, ANSWERS = TypeAdapter(Question), TypeAdapter(Answer)


def program_in(number: int, text: str) -> MarkingProgram | None:
    """The fenced block of a regulation's text whose language is python; None without
    one.

    Of several the first counts; `problem_in` lets nobody submit such a text.
    """
    blocks = _blocks(text)
    return MarkingProgram(number, blocks[0][1]) if blocks else None


def has_block(text: str) -> bool:
    """Whether the text has a block that marks, be it one that cannot be run."""
    return bool(_blocks(text))


def problem_in(text: str) -> str | None:
    """Why the text's block cannot be run, in a sentence for its author; None if it can be.

    Also if there is no block or more than one. Line and column count within the block. Nothing of
    it is run.
    """
    blocks = _blocks(text)
    if not blocks:
        return (
            f"The text has no block that begins with a line ```{_PYTHON} and ends with a line ```."
        )
    if len(blocks) > 1:
        return f"The text has {len(blocks)} blocks of a program, where one belongs."
    try:
        marks_each_alone(blocks[0][1])
    except ProgramWrong as wrong:
        return str(wrong)
    return None


def place_in(text: str, error: str) -> tuple[int, int] | None:
    """The line and column of the text at which that error of its block is, both counted from 1.

    None where the sentence names no place.
    """
    told, blocks = _PLACE.search(error), _blocks(text)
    if told is None or not blocks:
        return None
    begins, source = blocks[0]
    line, column = int(told["line"]), int(told["column"])
    lines, inside = lines_of(text)[begins - 1 :], source.split("\n")
    if not 0 < line <= min(len(lines), len(inside)):
        return begins, 1
    # What is indented along with its fence is further to the right in the text.
    return begins + line - 1, column + max(len(lines[line - 1]) - len(inside[line - 1]), 0)


def mark(question: Question, seconds: float = SECONDS) -> Answer:
    """Apply the programs in ascending number, each to all hands at once (Regulations 118 and 119).

    A worth that is undefined once is 0 at the end, and 0 for the program after that; so are all
    where a program of all hands fails. Where one of each hand does so, that hand's worth is 0 for
    all programs after that. Each program may take so many `seconds`.
    """
    suits = list(dict.fromkeys(suit for hand in question.hands.values() for suit in hand))
    hands: Hands = {
        name: {suit: hand.get(suit, 0) for suit in suits} for name, hand in question.hands.items()
    }
    worths: dict[str, Number] = {name: question.worths.get(name, 0) for name in hands}
    undefined: set[str] = set()
    left_out: set[str] = set()
    errors: dict[int, str] = {}
    steps: dict[int, dict[str, float]] = {}
    tripped = []
    with Sandbox() as box:
        for program in sorted(question.programs, key=lambda block: block.number) if hands else ():
            given_worths: Mapping[str, Number] = {}
            failed: Iterable[Problem] = ()
            try:
                marked = mark_by(box, program.source, hands, worths, question.alliances, seconds)
            except ProgramWrong as wrong:
                errors[program.number] = str(wrong)
                failed = [wrong.problem]
            else:
                given_worths, hands, failed = marked.worths, marked.hands, marked.failed.values()
                left_out.update(marked.failed)
                unmarked = [name for name in hands if name not in given_worths]
                if unmarked:
                    cause = next(map(str, failed), "")
                    errors[program.number] = _undefined(unmarked, cause)
            undefined.update(name for name in hands if name not in given_worths)
            worths = {name: 0 if name in left_out else given_worths.get(name, 0) for name in hands}
            steps[program.number] = {name: float(worth) for name, worth in worths.items()}
            tripped += [program.number] * any(problem.late for problem in failed)
    return Answer(
        {name: 0.0 if name in undefined else float(worth) for name, worth in worths.items()},
        errors,
        tuple(tripped),
        steps,
    )


def as_compared(worth: float) -> float:
    """The worth as Marks are compared: a number of at most nine decimals."""
    return round(worth, _DECIMALS) + 0.0  # which is never the negative zero


def as_shown(worth: float) -> Number:
    """The worth as pages and reports write it: a whole number without a point."""
    rounded = as_compared(worth)
    return int(rounded) if rounded.is_integer() else rounded


def _undefined(names: list[str], cause: str) -> str:
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    sentence = f"It leaves the worth undefined of {', '.join(names[:3])}{rest}"
    return f"{sentence}: {cause}" if cause else f"{sentence}."


def _blocks(text: str) -> list[tuple[int, str]]:
    """The fenced blocks of a program, each after the line of the text where it begins."""
    found = []
    lines = iter(enumerate(lines_of(text), 1))
    for number, line in lines:
        opened = _FENCE.match(line)
        if opened is None:
            continue
        fence, indent, inside = opened["fence"], len(opened["indent"]), ""
        for _, each in lines:  # up to the one that closes the fence, or up to the end of the text
            bare, before = each.strip(), len(each) - len(each.lstrip())
            if len(bare) >= len(fence) and set(bare) == {fence[0]} and before < 4:
                break
            inside += f"{each if each[:indent].strip() else each[indent:]}\n"
        if opened["info"].strip().lower().split(" ")[0] == _PYTHON:
            found.append((number + 1, inside))
    return found


# How the program of one regulation marks, in the sandbox


@dataclass(slots=True)
class MarkedHands:
    """The worths that a program gives, and the hands that later ones see.

    `failed` are the hands that a program of each hand gives no worth, and why.
    """

    worths: dict[str, Number]
    hands: Hands
    failed: dict[str, Problem] = field(default_factory=dict)


@memoized(share=0.01)
def marks_each_alone(source: str) -> bool:
    """Whether the block's function is `mark_hand` and not `mark`, so that an error concerns one
    hand alone (118). Raises ProgramWrong where its syntax is wrong, a name is not known or it has
    no function that marks. Nothing of it is run."""
    wrong = sandbox.problem_in(source) or _unknown_name(source)
    if wrong:
        raise ProgramWrong(wrong)
    functions = [
        function
        for function in sandbox.parsed(source).body
        if isinstance(function, ast.FunctionDef)
    ]
    name = "mark" if any(function.name == "mark" for function in functions) else "mark_hand"
    markers = [function for function in functions if function.name == name]
    if not markers:
        ways = " or ".join(f"{way}({', '.join(takes)})" for way, takes in _TAKES.items())
        raise ProgramWrong(Problem(f"The block has to define {ways}, once"))
    takes, parameters = _TAKES[name], markers[-1].args
    place = markers[-1].lineno, markers[-1].col_offset + 1
    if len(markers) > 1:
        sentence = f"The block has to define {name}({', '.join(takes)}), once"
        raise ProgramWrong(Problem(sentence, place))
    required = len(parameters.posonlyargs) + len(parameters.args) - len(parameters.defaults)
    accepted = (
        len(takes) if parameters.vararg else len(parameters.posonlyargs) + len(parameters.args)
    )
    if not required <= len(takes) <= accepted or None in parameters.kw_defaults:
        sentence = f"The function {name} has to take {', '.join(takes)}"
        raise ProgramWrong(Problem(sentence, place))
    return name == "mark_hand"


def _unknown_name(source: str) -> Problem | None:
    """The first name that nothing in the block gives a meaning, nor the language does."""
    defined, loaded = set(dir(builtins)), []
    for node in ast.walk(sandbox.parsed(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            loaded.append(node)
        else:
            names = (str(getattr(node, field, "")) for field in _NAMING)
            defined.update(name.split(".")[0] for name in names)
    unknown = [node for node in loaded if node.id not in defined]
    first = min(unknown, key=lambda node: (node.lineno, node.col_offset), default=None)
    if first is None:
        return None
    return Problem(f"The name {first.id} stands for nothing", (first.lineno, first.col_offset + 1))


def mark_by(
    box: Sandbox,
    source: str,
    hands: Hands,
    worths: Mapping[str, Number],
    alliances: Sequence[Sequence[str]],
    seconds: float,
) -> MarkedHands:
    """The worths and hands that the program makes. Raises ProgramWrong if it fails for all
    hands."""
    inputs: dict[str, object] = {
        "hands": hands,
        "worth": worths,
        "alliances": [list(members) for members in alliances],
        "names": list(hands),
    }
    if not marks_each_alone(source):
        suits = list(next(iter(hands.values())))
        inputs |= {"suits": suits, "largest": LARGEST}
        worths_given, changed = box.run(_MARK, source, inputs, Limits(seconds, MEMORY))
        after = {
            name: {suit: changed[name].get(suit, 0) for suit in hand} if name in changed else hand
            for name, hand in hands.items()
        }
        return MarkedHands(_numbers(worths_given), after)
    marked = MarkedHands({}, hands)
    _mark_some(marked, box, source, inputs, list(hands), seconds)
    return marked


def _mark_some(
    marked: MarkedHands,
    box: Sandbox,
    source: str,
    inputs: Mapping[str, object],
    names: Sequence[str],
    seconds: float,
) -> None:
    """Mark these hands; where that fails, one half of them after the other."""
    share = max(len(names) / len(marked.hands), _LEAST_SHARE)
    limits = Limits(seconds * share, MEMORY)
    try:
        worths = _numbers(box.run(_MARK_HANDS, source, {**inputs, "names": names}, limits))
        marked.worths.update(worths)
        marked.failed.update((name, _TOO_LARGE) for name in names if name not in worths)
    except ProgramWrong as wrong:
        if len(names) == 1:
            marked.failed[names[0]] = wrong.problem
            return
        half = len(names) // 2
        for part in names[:half], names[half:]:
            _mark_some(marked, box, source, inputs, part, seconds)


def _numbers(worths: Mapping[str, Number]) -> dict[str, Number]:
    """Those that are finite, and not larger than a worth may be."""
    return {
        name: worth
        for name, worth in worths.items()
        if (math.isfinite(worth) if isinstance(worth, float) else abs(worth) <= LARGEST)
    }
