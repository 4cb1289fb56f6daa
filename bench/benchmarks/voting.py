"""Opening and closing a voting period that is full: every player votes on every proposal.

The tally alone is what the rules cost; the rest of the close is reading the ballots and writing
what came of them.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection

from bench.benchmarks.weekly import Counted, timed
from bench.figures import Figure
from bench.size import Size
from nomic.engine.catch_up import catch_up
from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.operations.setup import new_game
from proposals.models import Proposal
from proposals.rules import EDITIONS
from proposals.state.reading import state_of
from proposals.tests.crowd import seat_many, submit_many, vote_many

NAME = "a voting period"
_VOTERS = 50
_BEGINS = datetime(2006, 12, 4, tzinfo=UTC)
_OPENS, _CLOSES = _BEGINS + timedelta(days=8), _BEGINS + timedelta(days=12)


def measure(size: Size) -> list[Figure]:
    """At each number of proposals: the opening, the close, the tally alone, the queries."""
    figures: list[Figure] = []
    counted: dict[int, tuple[int, int]] = {}
    for number in size.ballots:
        opening, closing, tally = _period(number)
        counted[number] = opening[1], closing[1]
        case = f"{number:,} proposals, {number * _VOTERS:,} votes"
        figures += [
            Figure(NAME, f"opening, {case}", "ms", opening[0]),
            Figure(NAME, f"close, {case}, against its tally alone", "ms", closing[0], tally),
        ]
    fewest, most = min(counted), max(counted)
    for place, what in enumerate(("opening", "close")):
        case = f"queries of the {what} at {most:,} proposals, against {fewest:,}"
        ours, against = counted[most][place], counted[fewest][place]
        figures.append(Figure(NAME, case, "queries", ours, against, at_most=1.0))
    return figures


def _period(number: int) -> tuple[Counted, Counted, float]:
    game = new_game(f"voting-{number}", "b-nomic-2006", pace="manual", start=_BEGINS)[0]
    voters = seat_many(game, _VOTERS)
    proposals = submit_many(game, voters[0], number)
    opening = _until(game, _OPENS, "proposals.voting_opens")
    vote_many(proposals, voters, _OPENS)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    state = state_of(glance(Game.objects.get(pk=game.pk)))
    ballots, electorate, terms = state.ballots(state.open), state.electorate, state.terms
    edition = EDITIONS[game.edition]
    tally, _ = timed(lambda: edition.tally(ballots, electorate, terms))
    closing = _until(game, _CLOSES, "proposals.voting_closes")
    assert Proposal.objects.filter(game=game, status="Historical").count() == number
    return opening, closing, tally


def _until(game: Game, moment: datetime, name: str) -> Counted:
    """Move time on; milliseconds and queries of the event of that name."""
    Game.objects.filter(pk=game.pk).update(anchor_game=moment, wakes_at=None)
    while not game.entries.filter(name=name).exists():
        took = timed(lambda: catch_up(game.pk, limit=1))
    return took
