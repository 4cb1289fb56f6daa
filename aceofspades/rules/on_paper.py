"""The marks on paper: hands and regulations as JSON. Needs no game and no database; no Django here.

For communities that hold their contest elsewhere.
"""

from __future__ import annotations

import math
from functools import cache

from aceofspades.rulebook import shipped_texts
from aceofspades.rules.charts import charts_from
from aceofspades.rules.marks import Program, Question, as_compared, mark
from nomic.games.cases import CaseWrong, Json, check_fields, is_whole, resolve_each, shown

MOST_CARDS = 10**12  # of one suit in a hand
HIGHEST_NUMBER = 10**6  # of a regulation
MOST_MARKS = 10**15  # of a hand, to begin with, or so many less than 0
_FIELDS = ("hands", "alliances", "regulations", "worths")


def marks(source: str) -> str:
    """The result, as JSON, of the case or list of cases in `source`; CaseWrong if it is none.

    A case has the hands by contestant, in the order of joining, and the regulations with their
    numbers and blocks; alliances and worths to begin with may follow. The result has the worths
    by contestant, as they are compared, and errors by regulation: sentences that say why it failed.
    """
    return resolve_each(source, _result)


def _result(given: Json, where: str) -> Json:
    check_fields(given, _FIELDS, where, "the case")
    hands = _hands(_needed(given, "hands", where), where)
    question = Question(
        hands=_of_every_suit(hands),
        alliances=_alliances(given.get("alliances", []), hands, where),
        programs=_programs(_needed(given, "regulations", where), where),
        worths=_worths(given.get("worths", {}), hands, where),
    )
    answer = mark(question)
    errors = {str(number): why for number, why in answer.errors.items()}
    worths = {name: as_compared(worth) for name, worth in answer.worths.items()}
    return {"worths": worths, "errors": errors}


def _needed(given: Json, name: str, where: str) -> Json:
    if name not in given:
        raise CaseWrong(f"{where}{name}: it is missing.")
    return given[name]


def _hands(given: Json, where: str) -> dict[str, dict[str, int]]:
    if not isinstance(given, dict):
        raise CaseWrong(
            f"{where}hands: an object with the hands by contestant belongs here, not"
            f" {shown(given)}."
        )
    for name, hand in given.items():
        place = f"{where}hands.{_name(name, f'{where}hands')}"
        if not isinstance(hand, dict):
            raise CaseWrong(
                f"{place}: an object with numbers of cards by suit belongs here, not {shown(hand)}."
            )
        for suit, cards in hand.items():
            if not is_whole(cards) or not 0 <= cards <= MOST_CARDS:
                raise CaseWrong(
                    f"{place}.{_name(suit, place)}: a whole number from 0 to {MOST_CARDS} belongs"
                    f" here, not {shown(cards)}."
                )
            _name(suit, place)
    return given


def _of_every_suit(hands: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """The hands with 0 of each suit that is defined and that they lack.

    Where they have no other suits than Regulation 205 ships, those are defined; otherwise the
    suits that somebody has are.
    """
    if any(suit not in _shipped_suits() for hand in hands.values() for suit in hand):
        return hands
    return {
        name: {suit: hand.get(suit, 0) for suit in _shipped_suits()} for name, hand in hands.items()
    }


@cache
def _shipped_suits() -> tuple[str, ...]:
    return tuple(charts_from(shipped_texts()).suits)


def _name(given: str, where: str) -> str:
    """The name as a sentence has it, cut where it is long."""
    if not given.strip() or any("\ud800" <= letter <= "\udfff" for letter in given):
        raise CaseWrong(f"{where}: {shown(given)} is no name.")
    return shown(given).strip('"')


def _alliances(
    given: Json, hands: dict[str, dict[str, int]], where: str
) -> tuple[tuple[str, ...], ...]:
    if not isinstance(given, list):
        raise CaseWrong(
            f"{where}alliances: a list of lists of contestants belongs here, not {shown(given)}."
        )
    for number, members in enumerate(given, 1):
        place = f"{where}alliances, the {number}."
        if not isinstance(members, list):
            raise CaseWrong(f"{place}: a list of contestants belongs here, not {shown(members)}.")
        for name in members:
            if not isinstance(name, str) or name not in hands:
                raise CaseWrong(f"{place}: {shown(name)} is no contestant with a hand.")
        if len(set(members)) < len(members):
            raise CaseWrong(f"{place}: a contestant stands in it twice.")
    return tuple(tuple(members) for members in given)


def _programs(given: Json, where: str) -> tuple[Program, ...]:
    if not isinstance(given, list):
        raise CaseWrong(
            f"{where}regulations: a list of regulations belongs here, not {shown(given)}."
        )
    found: dict[int, Program] = {}
    for at, regulation in enumerate(given, 1):
        place = f"{where}regulations, the {at}."
        check_fields(regulation, ("number", "python", "starlark"), f"{place}: ", "a regulation")
        number = _needed(regulation, "number", f"{place}: ")
        if not is_whole(number) or not 0 <= number <= HIGHEST_NUMBER:
            raise CaseWrong(
                f"{place}: number: a whole number from 0 to {HIGHEST_NUMBER} belongs here, not"
                f" {shown(number)}."
            )
        if number in found:
            raise CaseWrong(f"{place}: number: {number} stands twice.")
        language = "python" if "python" in regulation else "starlark"
        source = _needed(regulation, language, f"{place}: ")
        if not isinstance(source, str):
            raise CaseWrong(f"{place}: {language}: a text belongs here, not {shown(source)}.")
        found[number] = Program(number, source)
    return tuple(found.values())


def _worths(given: Json, hands: dict[str, dict[str, int]], where: str) -> dict[str, int | float]:
    if not isinstance(given, dict):
        raise CaseWrong(
            f"{where}worths: an object with worths by contestant belongs here, not {shown(given)}."
        )
    for name, worth in given.items():
        if name not in hands:
            raise CaseWrong(f"{where}worths: {shown(name)} is no contestant with a hand.")
        number = is_whole(worth) or (isinstance(worth, float) and math.isfinite(worth))
        if not number or abs(worth) > MOST_MARKS:
            raise CaseWrong(
                f"{where}worths.{_name(name, where)}: a number from -{MOST_MARKS} to {MOST_MARKS}"
                f" belongs here, not {shown(worth)}."
            )
    return given
