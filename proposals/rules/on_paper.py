"""Ballots on paper: proposals and their votes, as JSON, counted under an edition's shipped rules.

For communities that vote elsewhere. Needs no game and no database; no Django here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from nomic.games.cases import CaseWrong, Json, check_fields, is_whole, resolve_each, shown
from proposals.rules import (
    EDITIONS,
    Ballot,
    Counts,
    Edition,
    Electorate,
    Result,
    edition_of,
    plain_vote,
)
from proposals.rules.ballots import Standing
from proposals.rules.words import ENDORSE, VETO, listed, word_of

_CASE = ("proposals", "vested", "quorum", "players", "emperor", "strengths")
_COUNTS = ("for", "against", "present")
_LINKS = ("conflicts", "dependencies")
_PROPOSAL = (
    *("number", *_COUNTS, "votes", "strengths", "index", *_LINKS),
    *("status", "ripe", "author", "title"),
)
_STANDINGS: tuple[Standing, ...] = ("Open", "Lost", "Won")
_WORDS = tuple(
    dict.fromkeys([word for edition in EDITIONS.values() for word in edition.words] + [VETO])
)
_MOST = 1_000_000
_MOST_NUMBER = 10**9
_MOST_INDEX = 1_000
_MOST_DECIMALS = 20


def tally(edition: str, source: str) -> str:
    """The results, as JSON, of the case or list of cases in `source`; CaseWrong if it is none.

    `edition` is an edition's name; CaseWrong for another.
    """
    if edition not in EDITIONS:
        raise CaseWrong(f"edition: {shown(edition)} is none; the editions are {listed(EDITIONS)}.")
    chosen = EDITIONS[edition]
    return resolve_each(source, lambda given, where: _results(chosen, given, where))


def _results(edition: Edition[Any], given: Json, where: str) -> dict[str, Json]:
    check_fields(given, _CASE, where, "the case")
    electorate = _electorate(edition, given, where)
    found = edition.tally(_ballots(given, where), electorate, edition.shipped_terms())
    return {
        "results": {str(number): result_as_json(own) for number, own in found.results.items()},
        "passed_in_order": list(found.passed_in_order),
    }


def result_as_json(result: Result) -> dict[str, Json]:
    """A result as JSON can hold it; the popularity is rounded to three decimals."""
    popularity = result.popularity
    return {
        "outcome": result.outcome,
        "passed": result.passed,
        "strength": result.strength,
        "stamina": result.stamina,
        "for": result.votes_for,
        "against": result.votes_against,
        "present": result.present,
        "ballots": result.ballots,
        "popularity": None if popularity is None else round(float(popularity), 3),
        "figures": dict(result.figures),
        "reasons": list(result.reasons),
    }


def _electorate(edition: Edition[Any], given: Mapping[str, Json], where: str) -> Electorate:
    if edition.name == "rule-5e33" and "vested" not in given:
        raise CaseWrong(f"{where}vested: it is missing; this edition asks how many are Vested.")
    if edition.name == "quorum" and "quorum" not in given and "players" not in given:
        raise CaseWrong(f"{where}quorum: it is missing, and so are the players that make it up.")
    least = 1 if edition.name == "quorum" else 0
    emperor = given.get("emperor", "")
    if not isinstance(emperor, str):
        raise CaseWrong(f"{where}emperor: a name belongs here, not {shown(emperor)}.")
    return Electorate(
        players=_people(given.get("players"), f"{where}players"),
        vested=_people(given.get("vested"), f"{where}vested"),
        strengths=_strengths(given.get("strengths", {}), f"{where}strengths"),
        emperor=emperor,
        quorum=_whole(given["quorum"], f"{where}quorum", least) if "quorum" in given else None,
    )


def _people(given: Json, where: str) -> frozenset[str] | int | None:
    """Names, or how many."""
    if given is None:
        return None
    if isinstance(given, list):
        for name in given:
            if not isinstance(name, str):
                raise CaseWrong(f"{where}: {shown(name)} is no name.")
        return frozenset(given)
    return _whole(given, where, or_else=" or a list of names")


def _ballots(given: Mapping[str, Json], where: str) -> list[Ballot]:
    if "proposals" not in given:
        raise CaseWrong(f"{where}proposals: it is missing.")
    proposals = given["proposals"]
    if not isinstance(proposals, list):
        raise CaseWrong(f"{where}proposals: a list belongs here, not {shown(proposals)}.")
    ballots = [_ballot(own, f"{where}proposals[{at}]") for at, own in enumerate(proposals)]
    places: dict[int, int] = {}
    for at, ballot in enumerate(ballots):
        if places.setdefault(ballot.number, at) != at:
            raise CaseWrong(
                f"{where}proposals[{at}].number: {ballot.number} is that of "
                f"proposals[{places[ballot.number]}] already."
            )
    known = frozenset(places)
    for at, ballot in enumerate(ballots):
        for name, links in zip(_LINKS, (ballot.conflicts, ballot.dependencies), strict=True):
            if unknown := links - known:
                raise CaseWrong(
                    f"{where}proposals[{at}].{name}: {min(unknown)} is no number of a proposal "
                    "here."
                )
    return ballots


def _ballot(given: Json, where: str) -> Ballot:
    check_fields(given, _PROPOSAL, f"{where}: ", "a proposal")
    if "number" not in given:
        raise CaseWrong(f"{where}.number: it is missing.")
    number = _whole(given["number"], f"{where}.number", most=_MOST_NUMBER)
    conflicts, dependencies = (
        _links(given.get(name, []), number, f"{where}.{name}") for name in _LINKS
    )
    for name in ("author", "title"):
        if not isinstance(given.get(name, ""), str):
            raise CaseWrong(f"{where}.{name}: a text belongs here, not {shown(given[name])}.")
    ripe = given.get("ripe", False)
    if not isinstance(ripe, bool):
        raise CaseWrong(f"{where}.ripe: true or false belongs here, not {shown(ripe)}.")
    return Ballot(
        number=number,
        votes=_votes(given, where),
        conflicts=conflicts,
        dependencies=dependencies,
        index=_index(given.get("index", 1), f"{where}.index"),
        status=_standing(given.get("status", "Open"), f"{where}.status"),
        ripe=ripe,
        strengths=_strengths(given.get("strengths", {}), f"{where}.strengths"),
        author=given.get("author", ""),
        title=given.get("title", ""),
    )


def _votes(given: Mapping[str, Json], where: str) -> Mapping[str, str] | Counts:
    """The votes by name, or only their counts."""
    if "votes" not in given:
        if given.get("strengths"):
            raise CaseWrong(f"{where}.strengths: they belong to votes by name, and none are here.")
        counts = (_whole(given.get(name, 0), f"{where}.{name}") for name in _COUNTS)
        return Counts(*counts)
    for name in _COUNTS:
        if name in given:
            raise CaseWrong(f"{where}.{name}: the votes stand here by name, so leave it out.")
    votes = given["votes"]
    if not isinstance(votes, dict):
        raise CaseWrong(
            f"{where}.votes: an object with votes by name belongs here, not {shown(votes)}."
        )
    return {voter: _vote(vote, f"{where}.votes.{_cut(voter)}") for voter, vote in votes.items()}


def _vote(given: Json, where: str) -> str:
    vote = plain_vote(given) if isinstance(given, str) else ""
    if word_of(vote) not in _WORDS or (vote == ENDORSE):
        raise CaseWrong(f"{where}: {shown(given)} is no vote; vote {_words()}.")
    return vote


def _words() -> str:
    return listed([f"{word} and a name" if word == ENDORSE else word for word in _WORDS], "or")


def _strengths(given: Json, where: str) -> dict[str, int]:
    if not isinstance(given, dict):
        raise CaseWrong(
            f"{where}: an object with strengths by name belongs here, not {shown(given)}."
        )
    most = _most_strength() if given else 0
    return {name: _whole(own, f"{where}.{_cut(name)}", most=most) for name, own in given.items()}


@cache
def _most_strength() -> int:
    most: int = edition_of("adoption-index").shipped_terms().most_strength
    return most


def _links(given: Json, own: int, where: str) -> frozenset[int]:
    if not isinstance(given, list):
        raise CaseWrong(f"{where}: a list of numbers belongs here, not {shown(given)}.")
    for number in given:
        if not is_whole(number):
            raise CaseWrong(f"{where}: {shown(number)} is no number of a proposal.")
        if number == own:
            raise CaseWrong(f"{where}: {own} is the proposal itself; name others only.")
    return frozenset(given)


def _standing(given: Json, where: str) -> Standing:
    for standing in _STANDINGS:
        if given == standing:
            return standing
    raise CaseWrong(f'{where}: "Open", "Lost" or "Won" belongs here, not {shown(given)}.')


def _index(given: Json, where: str) -> Decimal:
    """An adoption index as its digits stand in the file."""
    number = isinstance(given, int | float) and not isinstance(given, bool)
    if not number or not math.isfinite(given) or not 0 <= given <= _MOST_INDEX:
        raise CaseWrong(
            f"{where}: a number from 0 to {_MOST_INDEX} belongs here, not {shown(given)}."
        )
    index = Decimal(repr(given))
    if -int(index.as_tuple().exponent) > _MOST_DECIMALS:
        raise CaseWrong(f"{where}: {given} has more than {_MOST_DECIMALS} decimals.")
    return index


def _whole(given: Json, where: str, least: int = 0, most: int = _MOST, or_else: str = "") -> int:
    if not is_whole(given) or not least <= given <= most:
        raise CaseWrong(
            f"{where}: a whole number from {least} to {most}{or_else} belongs here, "
            f"not {shown(given)}."
        )
    return int(given)


def _cut(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:59]}…"
