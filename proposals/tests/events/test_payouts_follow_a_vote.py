"""A vote on a table of the races changes what the next race pays, with no other hand in it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from nomic.engine.coverage import unfitted
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal
from proposals.tests.site import Site

_WEEK = timedelta(days=7)
_BODY = """[The odds on Fargo are too short.]

In the rule “Horse Multiplier”, replace “| Fargo | 7 | 6 | 5 | 1 | 0 |” with
“| Fargo | 20 | 6 | 5 | 1 | 0 |”.
"""


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def begins() -> datetime:
    """An hour into a week."""
    return datetime.fromisoformat("2026-03-02T01:00:00+00:00")


def finish_a_race(site: Site, to: datetime) -> dict[str, int]:
    """Bet on Fargo, let Fargo win, and tell what everybody was paid for bets."""
    site.do("Murphy", "horses.bet", horse="Fargo", dollaries="3")
    site.do("Madrid", "horses.motivate")
    for horse in ("Fargo", "Nacho", "Rubert"):
        put = {"horse": horse, "position": 16, "reason": "a test of the odds"}
        take(site.game.slug, None, "horses.correct_position", put)
    advance(site.game.slug, to)
    ended = site.game.entries.filter(name="horses.run", outcome__race_ended=True).latest("seq")
    return {
        payout["player"]: payout["amount"]
        for payout in ended.outcome["payouts"]
        if "bet" in payout["reason"]
    }


def test_the_next_race_pays_by_the_table_that_the_vote_amended(
    game: Game, begins: datetime
) -> None:
    site = Site(game, "Murphy", "Madrid", "juan")
    assert finish_a_race(site, begins + _WEEK) == {"Murphy": 3 * 7}

    proposal = site.propose("Murphy", _BODY)
    site.vote(proposal, {"Murphy": "FOR", "Madrid": "FOR", "juan": "PRESENT"})
    advance(game.slug, begins + 2 * _WEEK)
    assert Proposal.objects.get().outcome == "ADOPTED"
    assert not list(unfitted(glance(Game.objects.get(pk=game.pk))))

    assert finish_a_race(site, begins + 3 * _WEEK) == {"Murphy": 3 * 20}
    game = Game.objects.get(pk=game.pk)
    assert replay(game)[1] is None
    assert not [finding for finding in audit(game) if finding.wrong]
