"""All proposals of a game: what is voted on, what waits, and what became of the others."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, Count, Q, When
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.web.action_forms import choices
from nomic.web.game_context import look_for_news
from nomic.web.paging import page_asked
from proposals.api import bound_together, links_of, running_results, viewer_votes
from proposals.models import Proposal, Status
from proposals.rules.ballots import Result
from proposals.rules.words import neither_of
from proposals.state.agenda import Ahead, calendar, duties_by_hand, next_event, voting_terms
from proposals.state.reading import Handle, State
from proposals.web import drawing
from proposals.web.change_summaries import change_summaries, unplayed
from proposals.web.finding import lapsed, open_proposals
from proposals.web.in_words import verdict
from proposals.web.voting import Slip, slips

A_PAGE = 20
_NOT_ALL_DONE = Q(passed=True, effects__contains=[{"done": False}])
_SHOWN = 30


@dataclass(frozen=True, slots=True)
class ListedProposal:
    """A proposal in small. `bar` is None where there is no count of its votes, or nobody may see
    one; `slip` is what the viewer may vote on it, `mine` what they have voted, `links` are handles
    by LinkKind, `verdict` says in words how its vote stands, `unplayed` tells of how many sentences
    that it would put into force nothing carries out."""

    proposal: Proposal
    bar: drawing.VoteBar | None
    ahead: Ahead | None
    slip: Slip | None
    summary: str
    links: Mapping[str, list[Handle]] = field(default_factory=dict)
    remark: str = ""
    unplayed: int = 0
    verdict: str = ""
    mine: str = ""

    @property
    def name(self) -> str:
        """A word for it in the ids of a page."""
        return f"votes-p{self.proposal.serial}"


@require_safe
def proposals(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    look_for_news(request)
    game_page, state = open_proposals(request, slug)
    page = page_asked(request)
    every = state.proposals().defer("body", "effects")
    # All that have to be counted to know how the first stand; on some the vote has ended.
    bound = list(every.filter(pk__in=bound_together(state.game, _SHOWN)).order_by("serial"))
    state.open = bound[:_SHOWN]
    are_open = every.filter(status=Status.OPEN).aggregate(
        count=Count("pk"), voted_on=Count("pk", filter=Q(awaits_since=None))
    )
    over = lapsed(state)
    period = None if over else calendar(state)
    mine = viewer_votes(game_page.player)
    return game_page.draw_live(
        "proposals/page.html",
        edition=state.edition,
        period=period,
        strip=period and drawing.strip(period.nday, period.ndays, period.voting_from),
        **_rows(state, page, bound, None if over else slips(game_page, state.open, mine)),
        more_open=are_open["count"] - len(state.open),
        page=page,
        unvoted=are_open["voted_on"] - len(mine) if game_page.seated else 0,
        facts=[] if over else voting_terms(state),
        rule_url=game_page.rule_url(state.edition.rules[0]),
        kept_by_hand=duties_by_hand(state),
        choices=[] if over else choices(game_page, "proposals"),
        lapsed=over,
    )


def _rows(
    state: State, page: int, bound: list[Proposal], viewer_slips: Mapping[int, Slip] | None
) -> dict[str, Any]:
    """The rows of the Open, the Pending and, on that page of them, the past proposals, and whether
    there are more: a query a kind, however many there are. `own` is what the viewer may vote on the
    Open ones, None while the rule is not in force."""
    every = state.proposals().defer("body", "effects")
    waiting = every.filter(status=Status.PENDING).order_by("serial")
    partly = Case(When(_NOT_ALL_DONE, then=True), default=False)
    over = (
        every.filter(status=Status.HISTORICAL)
        .annotate(is_partly=partly)
        .order_by("-closed_in", "-number", "-serial")
    )
    pending = list(waiting[: _SHOWN + 1])
    past: list[Proposal] = list(over[(page - 1) * A_PAGE : page * A_PAGE + 1])
    shown: dict[str, list[Proposal]] = {
        "open": [proposal for proposal in state.open if proposal.awaits_since is None],
        "awaiting": [proposal for proposal in state.open if proposal.awaits_since],
        "pending": pending[:_SHOWN],
        "past": [*past[:A_PAGE]],
    }
    period = None if viewer_slips is None else calendar(state)
    running = running_results(state, bound)
    foreseen = {} if viewer_slips is None else running
    links = links_of([*state.open, *pending, *past])
    waiting_for_votes = [*shown["open"], *shown["pending"]]
    lines, unkept = change_summaries(waiting_for_votes), unplayed(state.table, waiting_for_votes)
    rows = {
        name: [
            ListedProposal(
                proposal=proposal,
                bar=votes_bar(state, proposal, running.get(proposal.pk)),
                ahead=None if viewer_slips is None else next_event(state, proposal, period),
                slip=viewer_slips.get(proposal.pk) if viewer_slips else None,
                mine=viewer_slips[proposal.pk].mine
                if viewer_slips and proposal.pk in viewer_slips
                else "",
                summary=lines.get(proposal.pk, ""),
                unplayed=unkept.get(proposal.pk, 0),
                links=links[proposal.pk],
                verdict=how_it_stands(proposal, foreseen.get(proposal.pk)),
                remark=figures_of(proposal, foreseen.get(proposal.pk)),
            )
            for proposal in proposals
        ]
        for name, proposals in shown.items()
    }
    older = page + 1 if len(past) > A_PAGE else 0
    return {**rows, "more_pending": len(pending) > _SHOWN, "older": older}


def figures_of(proposal: Proposal, running: Result | None) -> str:
    """The first reason of a result; of a vote that goes on, and of which it is said how it stands,
    the figures alone: there is no outcome yet."""
    reason = next(iter((running or proposal).reasons), "")
    if running is None or proposal.awaits_since or not how_it_stands(proposal, running):
        return reason
    figures = reason.partition(": ")[2]
    return f"{figures[0].upper()}{figures[1:]}" if figures else reason


def how_it_stands(proposal: Proposal, running: Result | None) -> str:
    """How its vote stands or ended, in words; "" where its reasons are words, or are not seen."""
    if running is not None:
        return verdict(running.figures, running.ballots, is_over=False)
    if proposal.status != Status.HISTORICAL:
        return ""
    return verdict(proposal.figures, proposal.figures.get("ballots") or 0, is_over=True)


def votes_bar(state: State, proposal: Proposal, running: Result | None) -> drawing.VoteBar | None:
    """The bar of its votes: as they run, or as they were counted; None where there is no count."""
    in_queue, neither = state.edition.period == "queue", neither_of(state.edition.words)
    if running is not None:
        cast = running.votes_for, running.votes_against, running.present
        electorate = state.electorate_for(proposal)
        voters = electorate.headcount or 0
        quorum = None
        if in_queue:
            quorum = electorate.quorum or state.terms_for(proposal).quorum(voters)
        return drawing.VoteBar(*cast, voters=voters, quorum=quorum, neither=neither)
    figures = proposal.figures
    if proposal.status != Status.HISTORICAL or "for" not in figures:
        return None
    cast = figures["for"], figures["against"], figures.get("present") or 0
    quorum = figures.get("quorum") if in_queue else None
    return drawing.VoteBar(*cast, quorum=quorum, neither=neither)
