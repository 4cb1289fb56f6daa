"""The same ballot under every edition, side by side. Nothing here knows Django's models."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate, Result
from proposals.rules.edition import Edition


@dataclass(frozen=True, slots=True)
class Alternative:
    """The results of the ballot under one edition; `broken` says why it cannot count it.

    `is_own`: it is the edition of the game.
    """

    edition: Edition[Any]
    is_own: bool
    results: Mapping[int, Result]
    broken: str = ""


def alternatives(
    ballots: Collection[Ballot],
    electorate: Electorate,
    own: str,
    own_results: Mapping[int, Result] | str,
) -> list[Alternative]:
    """Every edition's results, the own edition's first.

    The own edition's are given, or why there are none. The others count by the tables that games
    of their kind start with, as if the time to vote were over; where the game's own edition does
    not know who is Vested, `electorate` says so.
    """
    broken = own_results if isinstance(own_results, str) else ""
    results = {} if isinstance(own_results, str) else own_results
    found = [Alternative(EDITIONS[own], True, results, broken)]
    over = [replace(ballot, ripe=True) for ballot in ballots]
    for edition in EDITIONS.values():
        if edition.name != own:
            tally = edition.tally(over, electorate, edition.shipped_terms())
            found.append(Alternative(edition, False, tally.results))
    return found


def counted_by(edition: Edition[Any], result: Result) -> list[tuple[str, str]]:
    """The figures that decide under that edition, by name."""
    figures = result.figures
    if edition.weighs:
        shown = [
            ("F/A, by voting strength", figures.get("ratio")),
            ("Adoption index", figures.get("adoption_index")),
            ("Ballots", f"{result.ballots}, quorum {figures.get('quorum', '–')}"),
        ]
    elif edition.period != "nweek":
        shown = [
            ("FOR", str(result.votes_for)),
            ("AGAINST", str(result.votes_against)),
            ("Quorum", figures.get("quorum")),
        ]
    else:
        shown = [
            ("Strength", str(result.strength).replace("-", "−")),
            ("FOR", str(result.votes_for)),
            ("AGAINST", str(result.votes_against)),
        ]
        if "Discarded" in edition.success:
            shown[1:1] = [("Stamina", str(result.stamina))]
    return [(name, str(value)) for name, value in shown if value is not None]


ASSUMED: dict[str, str] = {
    "adoption-index": "Everybody has the same voting strength, unless this game set another. The"
    " index is the proposal’s own.",
    "quorum": "There is no Emperor, so nobody can veto or be deferred to.",
    "rule-5e33": "Every player is Vested, as in a first nweek.",
}
"""What a game of another edition does not know, and how it is taken."""


def assumed(edition: Edition[Any], own: str) -> str:
    """The assumption by which that edition counts a ballot of the edition `own`; "" for none."""
    if edition.name == own:
        return ""
    if edition.name == "rule-5e33" and EDITIONS[own].period == "nweek":
        return ""
    return ASSUMED.get(edition.name, "")
