"""The marks: what hands are worth by the blocks of the Marking Regulations (118, 119).

No Django here. The site asks `aceofspades/state/counting.py`, so that no page waits for it and no
web process runs a block.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from aceofspades.rules import marking
from aceofspades.rules.marking import Hands, Number, mark_by
from nomic.engine.programs import sandbox
from nomic.engine.programs.sandbox import Problem, ProgramWrong, Sandbox
from nomic.rulebook.tables import lines_of

SECONDS = 1.0  # after which a program is taken for one that never ends
_DECIMALS = 9
_STARLARK, _PYTHON = "starlark", "python"

_FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[ \t]*+(?P<info>[^\n`]*)$")

_PLACE = re.compile(r"\(line (?P<line>[0-9]{1,9}), column (?P<column>[0-9]{1,9})\)\.$")


@dataclass(frozen=True, slots=True)
class Program:
    """The block of one Marking Regulation; its first line is line `begins` of the text."""

    number: int
    source: str
    begins: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    """Hands and the programs to mark them by: the question of their worths.

    `hands` are in the order of joining; a suit that only some have is 0 for the others. `worths`
    are those before the first program, 0 where none is given. Equal questions have equal
    fingerprints and, within the budgets, equal answers.
    """

    hands: Hands
    alliances: tuple[tuple[str, ...], ...] = ()
    programs: tuple[Program, ...] = ()
    worths: Mapping[str, Number] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the question as JSON, in hexadecimal: of all of it, hands and suits in
        their order, which a program may go by."""
        programs = tuple(sorted(self.programs, key=lambda each: each.number))
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


def program_in(number: int, text: str, *, python: bool = True) -> Program | None:
    """The fenced block of a regulation's text whose language is starlark or python; None without
    one.

    Of several the first counts; `problem_in` lets nobody submit such a text. Not `python` where
    the game began when such a block was prose.
    """
    for begins, source in _blocks(text, python=python):
        return Program(number, source, begins)
    return None


def has_block(text: str, *, python: bool = True) -> bool:
    """Whether the text has a block that marks, be it one that cannot be run."""
    return bool(_blocks(text, python=python))


def problem_in(text: str, *, python: bool = True) -> str | None:
    """Why the text's block cannot be run, in a sentence for its author; None if it can be.

    Also if there is no block or more than one. Line and column count within the block. Nothing of
    it is run.
    """
    blocks = _blocks(text, python=python)
    if not blocks:
        language = _PYTHON if python else _STARLARK
        return (
            f"The text has no block that begins with a line ```{language} and ends with a line ```."
        )
    if len(blocks) > 1:
        return f"The text has {len(blocks)} blocks of a program, where one belongs."
    try:
        marking.check(blocks[0][1])
    except ProgramWrong as wrong:
        return str(wrong)
    return None


def types_in(program: Program) -> str:
    """Which of its types do not fit, in a sentence of advice; nothing if none is found."""
    return str(sandbox.types_in(program.source) or "")


def marks_each_alone(program: Program) -> bool:
    """Whether its function is `mark_hand`, so that an error concerns one hand alone (118). Raises
    ProgramWrong where it cannot be run."""
    return marking.check(program.source)


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
        for program in sorted(question.programs, key=lambda each: each.number) if hands else ():
            found: Mapping[str, Number] = {}
            failed: Iterable[Problem] = ()
            try:
                marked = mark_by(box, program.source, hands, worths, question.alliances, seconds)
            except ProgramWrong as wrong:
                errors[program.number] = str(wrong)
                failed = [wrong.problem]
            else:
                found, hands, failed = marked.worths, marked.hands, marked.failed.values()
                left_out.update(marked.failed)
                without = [name for name in hands if name not in found]
                if without:
                    why = next(map(str, failed), "")
                    errors[program.number] = _undefined(without, why)
            undefined.update(name for name in hands if name not in found)
            worths = {name: 0 if name in left_out else found.get(name, 0) for name in hands}
            steps[program.number] = {name: float(worth) for name, worth in worths.items()}
            tripped += [program.number] * any(each.late for each in failed)
    return Answer(
        {name: 0.0 if name in undefined else float(worth) for name, worth in worths.items()},
        errors,
        tuple(tripped),
        steps,
    )


def as_compared(worth: float) -> float:
    """The worth as Marks are compared: a number of at most nine decimals."""
    return round(worth, _DECIMALS) + 0.0  # which is never the negative zero


def as_told(worth: float) -> Number:
    """The worth as pages and reports write it: a whole number without a point."""
    rounded = as_compared(worth)
    return int(rounded) if rounded.is_integer() else rounded


def _undefined(names: list[str], why: str) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    told = f"It leaves the worth undefined of {', '.join(names[:3])}{more}"
    return f"{told}: {why}" if why else f"{told}."


def _blocks(text: str, *, python: bool = True) -> list[tuple[int, str]]:
    """The fenced blocks of a program, each after the line of the text where it begins."""
    languages = (_STARLARK, _PYTHON) if python else (_STARLARK,)
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
        if opened["info"].strip().lower().split(" ")[0] in languages:
            found.append((number + 1, inside))
    return found
