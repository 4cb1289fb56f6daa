"""The results that a proposal would have if another edition counted the votes on it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.rulebook.tables import TableBroken
from proposals.api import numbered
from proposals.models import Proposal, Status, Success
from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate, Result
from proposals.rules.edition import Edition
from proposals.state.reading import State
from proposals.state.retally import basis_kept, electorate_of
from proposals.web.finding import open_proposals, proposal_or_404


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
    own_edition: str,
    own_results: Mapping[int, Result] | str,
) -> list[Alternative]:
    """Every edition's results, the own edition's first.

    The own edition's are given, or why there are none. The others count by the tables that games
    of their kind start with, as if the time to vote were over; where the game's own edition does
    not know who is Vested, `electorate` says so.
    """
    broken = own_results if isinstance(own_results, str) else ""
    results = {} if isinstance(own_results, str) else own_results
    answers = [Alternative(EDITIONS[own_edition], True, results, broken)]
    over = [replace(ballot, ripe=True, law=None) for ballot in ballots]
    for edition in EDITIONS.values():
        if edition.name != own_edition:
            tally = edition.tally(over, electorate, edition.shipped_terms())
            answers.append(Alternative(edition, False, tally.results))
    return answers


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
    return [(name, str(figure)) for name, figure in shown if figure is not None]


ASSUMED: dict[str, str] = {
    "adoption-index": "Everybody has the same voting strength, unless this game set another. The"
    " index is the proposal’s own.",
    "quorum": "There is no Emperor, so nobody can veto or be deferred to.",
    "rule-5e33": "Every player is Vested, as in a first nweek.",
}
"""What a game of another edition does not know, and how it is taken."""


def assumed(edition: Edition[Any], game_edition: str) -> str:
    """The assumption by which that edition counts a ballot of the edition `own`; "" for none."""
    if edition.name == game_edition:
        return ""
    if edition.name == "rule-5e33" and EDITIONS[game_edition].period == "nweek":
        return ""
    return ASSUMED.get(edition.name, "")


_MOST = 120
_SHOWN = 60


@require_safe
def what_if(request: HttpRequest, slug: str, handle: str) -> HttpResponse:
    """The ballot with that proposal in it, under every edition side by side."""
    game_page, state = open_proposals(request, slug)
    shown = proposal_or_404(state, handle)
    why_not = why_not_counted(shown)
    return game_page.draw(
        "proposals/what_if.html",
        edition=state.edition,
        proposal=shown,
        why_not=why_not,
        **{} if why_not else side_by_side(state, shown),
    )


def why_not_counted(proposal: Proposal) -> str:
    """Why the votes on that proposal cannot be counted otherwise, as a sentence; "" where they
    can."""
    if proposal.opened_in is None:
        return f"{proposal.label} has not come to the vote, so there is nothing to count."
    if proposal.votes_are_sealed:
        return "The votes are sealed until the vote ends. What they come to is told then."
    return ""


def side_by_side(state: State, subject: Proposal) -> dict[str, Any]:
    """A column for each edition with what it makes of that proposal, and rows of what they make of
    those that were decided with it."""
    # Those that were decided with it, or are Open with it; itself always among them.
    voted_together = state.proposals().filter(status=subject.status, opened_in__isnull=False)
    if subject.status == Status.HISTORICAL:
        voted_together = voted_together.filter(closed_in=subject.closed_in)
    else:
        voted_together = voted_together.filter(secret=False)
    beside = list(
        voted_together.exclude(pk=subject.pk).defer("body", "effects").order_by("serial")[:_MOST]
    )
    together = sorted(
        [subject, *beside],
        # Those that have no number yet come last, as they will when they get one.
        key=lambda proposal: (proposal.number is None, proposal.number, proposal.serial),
    )
    with numbered(together):
        ballots = state.ballots(together)
        own_results: dict[int, Result] | str
        try:  # as they were decided, or as they stand
            if subject.status == Status.HISTORICAL:
                own_results = {proposal.number or 0: recorded(proposal) for proposal in together}
            else:
                own_results = dict(state.count(ballots).results)
        except TableBroken as broken:
            own_results = str(broken)
        editions = alternatives(
            ballots, _electorate(state, subject), state.edition.name, own_results
        )
        columns = [_column(state, alternative, subject) for alternative in editions]
        rows = [
            (proposal, [_column(state, alternative, proposal) for alternative in editions])
            for proposal in together[:_SHOWN]
        ]
    passing = sum(column["success"] == Success.WON for column in columns)
    return {
        "columns": columns,
        "rows": rows if len(rows) > 1 else [],
        "more_rows": len(together) - len(rows),
        "passing": passing,
    }


def recorded(proposal: Proposal) -> Result:
    """The result with which a proposal was decided."""
    figures = proposal.figures
    return Result(
        outcome=proposal.outcome,
        passed=proposal.passed,
        strength=proposal.strength or 0,
        stamina=proposal.stamina or 0,
        votes_for=figures.get("for") or 0,
        votes_against=figures.get("against") or 0,
        present=figures.get("present") or 0,
        ballots=figures.get("ballots") or 0,
        figures=figures,
        reasons=tuple(proposal.reasons),
    )


def _electorate(state: State, shown: Proposal) -> Electorate:
    """Today's players, or those of the close; all Vested where no nweek says who is."""
    electorate = state.electorate_for(shown)
    if shown.closed_in is not None and shown.strength is not None:
        electorate = electorate_of(basis_kept(state.table, shown))
    players = electorate.players
    vested = electorate.vested if state.edition.period == "nweek" else players
    return replace(electorate, vested=vested, emperor="")


def _column(state: State, alternative: Alternative, proposal: Proposal) -> dict[str, Any]:
    """An edition's answer for one proposal, and by what it counts.

    `success` is Won, Lost, Discarded or Undecided, whatever the edition's own word is.
    """
    edition, result = alternative.edition, alternative.results.get(proposal.number or 0)
    return {
        "alternative": alternative,
        "result": result,
        "success": edition.success.get(result.outcome, "") if result else "",
        "figures": counted_by(edition, result) if result else [],
        "assumed": assumed(edition, state.edition.name),
    }
