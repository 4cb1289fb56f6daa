"""Ballots on paper: proposals and their votes, as JSON, counted under an edition's shipped rules.

For communities that vote elsewhere. Needs no game and no database; no Django here.
"""

import math
from dataclasses import fields
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, PlainValidator, WrapValidator, model_validator

from nomic.games import on_paper
from nomic.games.on_paper import Json, WrongOnPaper
from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Counts, Electorate, Result, Standing
from proposals.rules.edition import Edition
from proposals.rules.words import ENDORSE, VETO, names_in_words, plain_vote, word_of

_COUNTS = {"for": "votes_for", "against": "against", "present": "present"}
_WORDS = tuple(
    dict.fromkeys([word for edition in EDITIONS.values() for word in edition.words] + [VETO])
)
_SAID = names_in_words([f"{word} and a name" if word == ENDORSE else word for word in _WORDS], "or")
_MOST = 1_000_000
_MOST_NUMBER = 10**9
_MOST_INDEX = 1_000
_MOST_DECIMALS = 20
_MOST_STRENGTH = EDITIONS["adoption-index"].shipped_terms().most_strength


def _vote(written: str) -> str:
    vote = plain_vote(written)
    if word_of(vote) not in _WORDS or vote == ENDORSE:
        raise ValueError
    return vote


def _index(number: Json) -> Decimal:
    """An adoption index as its digits stand in the file."""
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not math.isfinite(number) or not 0 <= number <= _MOST_INDEX:
        raise ValueError(
            f"a number from 0 to {_MOST_INDEX} belongs here, not {on_paper.shortened(number)}."
        )
    index = Decimal(repr(number))
    if -int(index.as_tuple().exponent) > _MOST_DECIMALS:
        raise ValueError(f"{number} has more than {_MOST_DECIMALS} decimals.")
    return index


def _numbers(numbers: list[Json]) -> list[int]:
    for number in numbers:
        if not on_paper.is_whole(number):
            raise ValueError(f"{on_paper.shortened(number)} is no number of a proposal.")
    return numbers


def _names_or_count(people: Json, count: Any) -> Any:
    if not isinstance(people, list):
        return None if people is None else count(people)
    for name in people:
        if not isinstance(name, str):
            raise ValueError(f"{on_paper.shortened(name)} is no name.")
    return frozenset(people)


Vote = Annotated[str, AfterValidator(_vote), on_paper.Otherwise(f"{{}} is no vote; vote {_SAID}.")]
Count = Annotated[int, on_paper.Whole(0, _MOST)]
Strengths = Annotated[
    dict[str, Annotated[int, on_paper.Whole(0, _MOST_STRENGTH)]],
    on_paper.Belongs("an object with strengths by name"),
]
People = Annotated[
    frozenset[str] | int | None,
    on_paper.Whole(0, _MOST, " or a list of names"),
    WrapValidator(_names_or_count),
]
Links = Annotated[list[Json], on_paper.Belongs("a list of numbers"), AfterValidator(_numbers)]
Words = Annotated[str, on_paper.Belongs("a text")]


class ProposalGiven(on_paper.Shape):
    """A proposal with the votes by name, or with only their counts."""

    called: ClassVar[str] = "a proposal"
    number: Annotated[int, on_paper.Whole(0, _MOST_NUMBER)]
    votes_for: Count = Field(0, alias="for")
    against: Count = 0
    present: Count = 0
    votes: Annotated[dict[str, Vote], on_paper.Belongs("an object with votes by name")] = {}
    strengths: Strengths = {}
    index: Annotated[Decimal, PlainValidator(_index)] = Decimal(1)
    conflicts: Links = []
    dependencies: Links = []
    status: Annotated[Standing, on_paper.Belongs('"Open", "Lost" or "Won"')] = "Open"
    ripe: Annotated[bool, on_paper.Belongs("true or false")] = False
    author: Words = ""
    title: Words = ""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for name, links in self.links.items():
            if self.number in links:
                complaint = f"{self.number} is the proposal itself; name others only."
                raise on_paper.Misfit(complaint, name)
        if not self.is_by_name and self.strengths:
            complaint = "they belong to votes by name, and none are here."
            raise on_paper.Misfit(complaint, "strengths")
        for name, field in _COUNTS.items():
            if self.is_by_name and field in self.model_fields_set:
                raise on_paper.Misfit("the votes stand here by name, so leave it out.", name)
        return self

    @property
    def is_by_name(self) -> bool:
        """Whether it is known who voted what."""
        return "votes" in self.model_fields_set

    @property
    def links(self) -> dict[str, list[int]]:
        """The numbers of the proposals that it names, by kind of link."""
        return {"conflicts": self.conflicts, "dependencies": self.dependencies}

    @property
    def ballot(self) -> Ballot:
        """The proposal as the editions count it."""
        names = (field.name for field in fields(Ballot) if field.name in type(self).model_fields)
        facts = {name: getattr(self, name) for name in names}
        facts |= {name: frozenset(links) for name, links in self.links.items()}
        if not self.is_by_name:
            facts["votes"] = Counts(self.votes_for, self.against, self.present)
        return Ballot(**facts)


class Case(on_paper.Shape):
    """The proposals that are voted on together, and who may vote."""

    proposals: Annotated[list[ProposalGiven], on_paper.Belongs("a list")]
    vested: People = None
    quorum: Count = 0
    players: People = None
    emperor: Annotated[str, on_paper.Belongs("a name")] = ""
    strengths: Strengths = {}

    @model_validator(mode="after")
    def _numbers_fit(self) -> Self:
        places: dict[int, int] = {}
        for at, proposal in enumerate(self.proposals):
            if places.setdefault(proposal.number, at) != at:
                first = f"proposals[{places[proposal.number]}]"
                complaint = f"{proposal.number} is that of {first} already."
                raise on_paper.Misfit(complaint, "proposals", at, "number")
        numbers = frozenset(places)
        for at, proposal in enumerate(self.proposals):
            for name, links in proposal.links.items():
                if unknown := set(links) - numbers:
                    complaint = f"{min(unknown)} is no number of a proposal here."
                    raise on_paper.Misfit(complaint, "proposals", at, name)
        return self


def tally(edition: str, source: str) -> str:
    """The results, as JSON, of the case or list of cases in `source`; WrongOnPaper if it is none.

    `edition` is an edition's name; WrongOnPaper for another.
    """
    if edition not in EDITIONS:
        raise WrongOnPaper(
            f"edition: {on_paper.shortened(edition)} is none;"
            f" the editions are {names_in_words(EDITIONS)}."
        )
    chosen = EDITIONS[edition]
    return on_paper.resolve_each(
        source, lambda case, where: _results(chosen, on_paper.shaped(Case, case, where), where)
    )


def _results(edition: Edition[Any], case: Case, where: str) -> dict[str, Json]:
    # Who may vote: what the edition cannot do without has to be there.
    stated = case.model_fields_set
    if edition.name == "rule-5e33" and "vested" not in stated:
        raise WrongOnPaper(f"{where}vested: it is missing; this edition asks how many are Vested.")
    if edition.name == "quorum" and not stated & {"quorum", "players"}:
        raise WrongOnPaper(f"{where}quorum: it is missing, and so are the players that make it up.")
    if edition.name == "quorum" and "quorum" in stated and not case.quorum:
        raise WrongOnPaper(f"{where}quorum: a whole number from 1 to {_MOST} belongs here, not 0.")
    electorate = Electorate(
        players=case.players,
        vested=case.vested,
        strengths=case.strengths,
        emperor=case.emperor,
        # By Rule 5E33 the Vested make up what a proposal needs, whatever a case says beside.
        quorum=case.quorum if "quorum" in stated and edition.name != "rule-5e33" else None,
    )
    quorum, players = electorate.quorum, electorate.headcount
    if "quorum" in edition.has and quorum is not None and players is not None and quorum > players:
        raise WrongOnPaper(f"{where}quorum: {quorum} is more than there are players, {players}.")
    ballots = [proposal.ballot for proposal in case.proposals]
    counted = edition.tally(ballots, electorate, edition.shipped_terms())
    return {
        "results": {
            str(number): result_as_json(verdict) for number, verdict in counted.results.items()
        },
        "passed_in_order": list(counted.passed_in_order),
    }


def result_as_json(result: Result) -> dict[str, Json]:
    """A result as JSON can hold it; the popularity is rounded to three decimals."""
    return {
        "outcome": result.outcome,
        "passed": result.passed,
        "strength": result.strength,
        "stamina": result.stamina,
        **result.counts,
        "figures": dict(result.figures),
        "reasons": list(result.reasons),
    }
