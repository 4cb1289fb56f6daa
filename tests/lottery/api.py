"""How the lottery stands, as plain values: what the API answers, and pages and reports show."""

from __future__ import annotations

from typing import TypedDict

from nomic.engine.table import Table
from tests.lottery.models import Draw
from tests.lottery.rules import why_broken
from tests.lottery.state import state_of

_MOST_PAST = 20


class PastDrawShape(TypedDict):
    """A draw that is over, and its prize in florins; nobody wins without tickets."""

    draw: int
    winner: str | None
    prize: int


class LotteryShape(TypedDict):
    """The coming draw; tickets by player, `broken` says what the rule fails to say."""

    draw: int
    pot: int
    tickets: dict[str, int]
    broken: str
    past: list[PastDrawShape]


def lottery_state(table: Table) -> LotteryShape | None:
    """The state of the lottery; None in a game without one. Nothing in it is private."""
    if not Draw.objects.coming(table.game).exists():
        return None
    state = state_of(table)
    past = Draw.objects.filter(game=table.game, drawn_in__isnull=False)
    rows = past.values("number", "winner__name", "prize")[:_MOST_PAST]
    return {
        "draw": state.draw.number,
        "pot": state.pot,
        "tickets": state.tickets,
        "broken": why_broken(state.text),
        "past": [
            {"draw": row["number"], "winner": row["winner__name"], "prize": row["prize"]}
            for row in rows
        ],
    }
