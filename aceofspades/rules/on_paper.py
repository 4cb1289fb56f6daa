"""The marks on paper: hands and regulations as JSON. Needs no game and no database; no Django here.

For communities that hold their contest elsewhere.
"""

from __future__ import annotations

import math
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, PlainValidator, model_validator

from aceofspades.rules.charts import shipped_charts
from aceofspades.rules.marks import MarkingProgram, Question, as_compared, mark
from nomic.games.on_paper import (
    Belongs,
    Json,
    Misfit,
    Otherwise,
    Shape,
    Whole,
    is_whole,
    resolve_each,
    shaped,
    shortened,
)

MOST_CARDS = 10**12  # of one suit in a hand
HIGHEST_NUMBER = 10**6  # of a regulation
MOST_MARKS = 10**15  # of a hand, to begin with, or so many less than 0


def _worth(worth: Json) -> Json:
    number = is_whole(worth) or (isinstance(worth, float) and math.isfinite(worth))
    if not number or abs(worth) > MOST_MARKS:
        range_of_marks = f"a number from -{MOST_MARKS} to {MOST_MARKS}"
        raise ValueError(f"{range_of_marks} belongs here, not {shortened(worth)}.")
    return worth


def _programs(regulations: list[RegulationGiven]) -> list[RegulationGiven]:
    numbers = [regulation.number for regulation in regulations]
    for at, number in enumerate(numbers):
        if number in numbers[:at]:
            raise Misfit(f"{number} stands twice.", at, "number")
    return regulations


Name = Annotated[str, Field(pattern=r"\S"), Otherwise("{} is no name.")]
Count = Annotated[int, Whole(0, MOST_CARDS)]
Cards = Annotated[dict[Name, Count], Belongs("an object with numbers of cards by suit")]
Members = Annotated[list[Json], Belongs("a list of contestants")]
Worths = dict[str, Annotated[int | float, PlainValidator(_worth)]]
Source = Annotated[str, Belongs("a text")]


class RegulationGiven(Shape):
    """A regulation that marks, with its block of Python."""

    called: ClassVar[str] = "a regulation"
    number: Annotated[int, Whole(0, HIGHEST_NUMBER)]
    python: Source


class Case(Shape):
    """The hands by contestant in the order of joining, and the regulations that mark them."""

    hands: Annotated[dict[Name, Cards], Belongs("an object with the hands by contestant")]
    alliances: Annotated[list[Members], Belongs("a list of lists of contestants")] = []
    regulations: Annotated[
        list[RegulationGiven], Belongs("a list of regulations"), AfterValidator(_programs)
    ]
    worths: Annotated[Worths, Belongs("an object with worths by contestant")] = {}

    @model_validator(mode="after")
    def _names_contestants(self) -> Case:
        for at, members in enumerate(self.alliances):
            for name in members:
                self._has_a_hand(name, "alliances", at)
            if len(set(members)) < len(members):
                raise Misfit("a contestant stands in it twice.", "alliances", at)
        for name in self.worths:
            self._has_a_hand(name, "worths")
        return self

    def _has_a_hand(self, name: Json, *place: str | int) -> None:
        if not isinstance(name, str) or name not in self.hands:
            raise Misfit(f"{shortened(name)} is no contestant with a hand.", *place)


def marks(source: str) -> str:
    """The result, as JSON, of the case or list of cases in `source`; WrongOnPaper if it is none.

    A case has the hands by contestant, in the order of joining, and the regulations with their
    numbers and blocks; alliances and worths to begin with may follow. The result has the worths
    by contestant, as they are compared, and errors by regulation: sentences that say why it failed.
    """
    return resolve_each(source, lambda case, where: _result(shaped(Case, case, where)))


def _result(case: Case) -> Json:
    # The hands have 0 of each suit that is defined and that they lack. Where they have no other
    # suits than Regulation 205 ships, those are defined; otherwise the suits that somebody has are.
    suits, hands = shipped_charts().suits, case.hands
    if all(suit in suits for hand in hands.values() for suit in hand):
        hands = {name: {suit: hand.get(suit, 0) for suit in suits} for name, hand in hands.items()}
    question = Question(
        hands=hands,
        alliances=tuple(map(tuple, case.alliances)),
        programs=tuple(
            MarkingProgram(regulation.number, regulation.python) for regulation in case.regulations
        ),
        worths=case.worths,
    )
    answer = mark(question)
    errors = {str(number): error for number, error in answer.errors.items()}
    worths = {name: as_compared(worth) for name, worth in answer.worths.items()}
    return {"worths": worths, "errors": errors}
