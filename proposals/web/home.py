"""The vote as a game's home shows it: what is Open, my missing votes first, and what comes next;
and the closest votes of a season."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Case, F, Min, When

from nomic.games.models import Game
from nomic.web.game_context import GamePage
from nomic.web.panels import Highlight, Season
from proposals.api import viewer_votes
from proposals.events.clock import OPENS
from proposals.events.opening import CLOSES, DISTRIBUTED, TIMED_OUT
from proposals.models import Proposal, Status, Success
from proposals.rules.words import ABSTAIN, AGAINST, FOR, PRESENT, neither_of
from proposals.state.agenda import Ahead, ahead_at
from proposals.state.reading import final_votes, state_of
from proposals.web import drawing
from proposals.web.lists import ListedProposal

SHOWN = 4


def panel(game_page: GamePage) -> dict[str, Any]:
    """The panel of a game that has proposals. Six queries, however many proposals are open.

    `unvoted` counts Open proposals that the viewer has not voted on, `more` those that are not
    shown, `awaiting` those whose results the officer has yet to announce. In a game that is over
    there is nothing of these.
    """
    state = state_of(game_page.table)
    if game_page.game.is_closed:
        return {"rows": []}
    counts = state.counts
    mine = viewer_votes(game_page.player) if game_page.seated and counts["open"] else {}
    # The first of the Open proposals: those without the viewer's vote, then what closes first.
    are_open = state.proposals().filter(status=Status.OPEN, awaits_since=None)
    voted_on = Case(When(pk__in=list(mine), then=1), default=0)
    order = voted_on, F("closes_at").asc(nulls_last=True), "serial"
    first = are_open.defer("body", "effects").order_by(*order)[:SHOWN]
    shown = list(first) if counts["open"] else []
    votes = final_votes(shown) if shown else {}
    rows = [
        ListedProposal(
            proposal=proposal,
            bar=None if proposal.secret else _bar(game_page, proposal, votes.get(proposal.pk, {})),
            ahead=_ahead(game_page, "closes", proposal.closes_at),
            slip=None,
            summary="",
            mine=mine.get(proposal.pk, ""),
        )
        for proposal in shown
    ]
    return {
        "open": counts["open"],
        "awaiting": counts["awaiting"],
        "pending": counts["pending"],
        "rows": rows,
        "more": counts["open"] - len(rows),
        "unvoted": counts["open"] - len(mine) if game_page.seated else 0,
        "officer": state.edition.officer,
        "opens": _coming(game_page, "opens", OPENS, DISTRIBUTED) if counts["pending"] else None,
        "closes": _coming(game_page, "closes", CLOSES, TIMED_OUT) if counts["open"] else None,
    }


def _coming(game_page: GamePage, event: str, *kinds: str) -> Ahead | None:
    """What the next appointment of these kinds brings."""
    waiting = game_page.game.appointments.waiting().filter(kind__in=kinds)
    return _ahead(game_page, event, waiting.aggregate(due=Min("due"))["due"])


def _bar(game_page: GamePage, proposal: Proposal, votes: dict[str, str]) -> drawing.VoteBar:
    """The votes by heads. Whom an ENDORSE follows is the tally's to find out, so it has no side."""
    players = set(game_page.table.directory.players)
    state = state_of(game_page.table)
    meant = state.vocabulary_for(proposal)
    cast = Counter(meant.get(word, word) for voter, word in votes.items() if voter in players)
    sides = cast[FOR], cast[AGAINST], cast[PRESENT] + cast[ABSTAIN]
    elsewhere = cast.total() - sum(sides)
    return drawing.VoteBar(
        *sides, voters=max(len(players) - elsewhere, 0), neither=neither_of(state.edition.words)
    )


def _ahead(game_page: GamePage, event: str, due: datetime | None) -> Ahead | None:
    return ahead_at(game_page.game.clock, event, due) if due else None


_MOST_CLOSE = 3
_MOST_VOTES = 500  # the newest of a season that are compared


def closest_votes(game: Game, season: Season) -> Iterator[Highlight]:
    """The votes of the season in which the fewest heads made the difference; one query."""
    closed = Proposal.objects.filter(
        game=game, status=Status.HISTORICAL, closed_in__range=(season.first, season.last)
    ).exclude(success=Success.UNDECIDED)
    closed = closed.order_by("-closed_in").defer("body", "effects", "reasons", "prepared")
    margins = []
    for proposal in closed[:_MOST_VOTES]:
        votes_for, against = proposal.figures.get("for"), proposal.figures.get("against")
        if isinstance(votes_for, int) and isinstance(against, int) and votes_for and against:
            margins.append((abs(votes_for - against), -votes_for - against, proposal))
    for _, _, proposal in sorted(margins, key=lambda margin: margin[:2])[:_MOST_CLOSE]:
        won = "was adopted" if proposal.success == Success.WON else "failed"
        title = f" “{proposal.title}”" if proposal.title else ""
        score = f"{proposal.figures['for']} to {proposal.figures['against']}"
        sentence = f"{proposal.label}{title} {won} by {score}."
        yield Highlight(sentence, proposal.closed_in or 0)
