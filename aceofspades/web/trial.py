"""The trial of a drafted regulation on hands: one's own, and some that are made up.

It is counted as at the Moment of Reckoning, but by those regulations alone that the viewer may
read, and on no cards of anybody else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import batched, zip_longest
from typing import Any

from django.core.cache import cache

from aceofspades.actions.drafts import tidy
from aceofspades.rules.marks import (
    Answer,
    Question,
    as_compared,
    marks_each_alone,
    place_in,
    problem_in,
    program_in,
)
from aceofspades.secrecy import reader
from aceofspades.secrecy.view import View
from aceofspades.state.counting import ask
from nomic.engine.programs.sandbox import types_in
from nomic.rulebook.tables import TableBroken
from nomic.web.paging import number_of

OWN = "You"
MADE_UP = ("Alder", "Birch", "Cedar")
MOST_CARDS = 99
_PATIENCE = 30  # seconds in which a viewer has one draft counted, and not another
_FAILS = (
    "It fails {}. {} An error of mark makes every hand worth 0 by Regulation 118; one of mark_hand"
    " would concern that hand alone."
)

type Hand = dict[str, int]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft as written and laid out: a number, a text, the made-up hands and who is allied."""

    number: int | None
    text: str
    hands: dict[str, Hand]
    allied: frozenset[str]


@dataclass(frozen=True, slots=True)
class TrialLine:
    """A hand of the trial, and its worth before the draft, after it and in the end."""

    name: str
    before: float
    after: float
    end: float

    @property
    def gain(self) -> float:
        """By how many Marks the draft raises the worth."""
        return as_compared(self.after - self.before)


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of a trial: `problem` where there can be none, `waits` while it is being counted.

    `errors` are the draft's own sentences, with line and column of its block where they are known;
    `place` is line and column of the text then. `warning` tells of types that do not fit, or of
    hands of others with which it would make every hand worth 0. `warnings` say what no
    regulation would decide any more with it, and what nothing would carry out.
    """

    problem: str = ""
    waits: bool = False
    lines: list[TrialLine] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warning: str = ""
    unread: int = 0
    place: tuple[int, int] | None = None
    warnings: tuple[str, ...] = ()


def attempt(sight: View, drafted: Drafted) -> Trial:
    """Try the draft; nothing of it is kept but the worker's answer."""
    text = tidy(drafted.text)
    problem = _problem(sight, drafted.number, text)
    if problem or drafted.number is None:
        return Trial(problem=problem, place=place_in(text, problem))
    program = program_in(drafted.number, text)
    assert program is not None
    # The programs that the viewer may read, without the one that the draft would replace.
    known = reader.programs(sight.state, sight.readable - {drafted.number})
    # Of the suits that the viewer knows of, their own hand, and those that are made up.
    own = {OWN: own_hand(sight)} if sight.contestant is not None else {}
    hands = {**own, **drafted.hands}
    allied = tuple(name for name in hands if name in drafted.allied)
    leagues = (allied,) if len(allied) > 1 else ()
    before = tuple(each for each in known if each.number < program.number)
    steps = (before, (*before, program), (*known, program))
    probes = {} if marks_each_alone(program.source) else _probes(hands)
    questions = [Question(hands, leagues, step) for step in steps]
    questions += [Question(each, leagues, (*before, program)) for each in probes.values()]
    answers = _ask(sight, questions)
    if answers is None:
        return Trial(waits=True)
    ends = [answer.worths for answer in answers[: len(steps)]]
    error = answers[1].errors.get(program.number)
    found = [answer.errors.get(program.number) for answer in answers[len(steps) :]]
    failed = next(((w, e) for w, e in zip(probes, found, strict=True) if e), None)
    warning = _FAILS.format(*failed) if failed else ""
    # Other Marking Regulations that the viewer may not read.
    others = {each.number for each in sight.state.regulations} - {drafted.number} - sight.readable
    return Trial(
        lines=[TrialLine(name, *(as_compared(worths[name]) for worths in ends)) for name in hands],
        errors=[error] if error else [],
        warning="" if error else str(types_in(program.source) or warning),
        unread=sum(map(sight.state.public_charts.is_marking, others)),
        place=place_in(text, error) if error else None,
    )


def own_hand(sight: View) -> Hand:
    """The viewer's own cards of the suits that are defined; none for who has no hand."""
    held = sight.own_hand() or {}
    return {suit: held.get(suit, 0) for suit in sight.state.charts.suits}


def _problem(sight: View, number: int | None, text: str) -> str:
    """Why the draft cannot be tried, in a sentence; "" where it can."""
    if number is None:
        return "Give it a number first: regulations mark in ascending number."
    try:
        if not sight.state.public_charts.is_marking(number):
            first = sight.state.public_charts.marking_from
            since = f" Those begin with {first}." if first else ""
            return f"Regulation {number} is no Marking Regulation: it marks no hand.{since}"
    except TableBroken as broken:
        return broken.sentence
    return problem_in(text) or ""


def _probes(hands: Mapping[str, Hand]) -> dict[str, dict[str, Hand]]:
    """Hands with which a block of all hands easily fails, by what they are like."""
    suits = list(next(iter(hands.values())))
    probes = {
        "where nobody has a card": {name: dict.fromkeys(suits, 0) for name in hands},
        "where all hands are alike": {name: dict.fromkeys(suits, 1) for name in hands},
    }
    for lacking in batched(suits, len(hands)):
        pairs = zip_longest(hands, lacking)
        description = f"where hands have no {' or no '.join(lacking)}"
        probes[description] = {
            name: {suit: int(suit != lacked) for suit in suits} for name, lacked in pairs
        }
    return probes


def _ask(sight: View, questions: list[Question]) -> list[Answer] | None:
    """The answers, or None while one of them is being counted.

    One draft a viewer at a time, so that nobody keeps the worker from what is due.
    """
    assert sight.viewer is not None
    turn, mine = f"marks:trial:{sight.viewer.pk}", questions[1].fingerprint
    if cache.get_or_set(turn, mine, _PATIENCE) not in (mine, None):
        return None
    answers = [ask(question) for question in questions]
    if any(answer is None for answer in answers):
        return None
    cache.delete(turn)
    return [answer for answer in answers if answer is not None]


def drafted_in(sent: Mapping[str, Any], suits: Iterable[str]) -> Drafted:
    """The draft that a browser sent as `number`, `text`, `hand_NAME_SUIT` and `allied_NAME`.

    What is no number of cards counts as none.
    """
    number = _whole(sent.get("number"), 9_999)
    hands = {
        name: {suit: _whole(sent.get(f"hand_{name}_{suit}"), MOST_CARDS) or 0 for suit in suits}
        for name in MADE_UP
    }
    allied = frozenset(name for name in (OWN, *MADE_UP) if sent.get(f"allied_{name}"))
    return Drafted(number, str(sent.get("text", ""))[:20_000], hands, allied)


def _whole(text: Any, limit: int) -> int | None:
    number = number_of(text)
    return None if number is None else min(number, limit)
