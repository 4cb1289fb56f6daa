"""The isle in small, for a game's home."""

from typing import Any

from nomic.web.game_page import GamePage
from settlers.models import NOBODY
from settlers.rules.isle import describe_items
from settlers.state.reading import state_of
from settlers.web import drawing, page

_DRAWN = 4


def panel(game_page: GamePage) -> dict[str, Any] | None:
    """The isle as the game's home shows it, with the foremost Settlers, and what its last results
    bring the viewer still; None while there is none."""
    state = state_of(game_page.table)
    if not state.is_on:
        return None
    isle = state.isle
    own = state.settler(game_page.player)
    brings = page.gains(state, own) if own else {}
    plots = page.homesteads(state, state.foremost(_DRAWN + 1), own, most=_DRAWN)
    return {
        "production": isle.production,
        "results": state.results,
        "visitor": "" if isle.visitor == NOBODY else isle.visitor,
        "own": own,
        "settled": bool(plots),
        "may_settle": own is None and not state.is_onlooker(game_page.player),
        "gains": describe_items(brings) if brings else "",
        "wide": drawing.isle(plots),
        "narrow": drawing.isle(plots, width=drawing.NARROW),
    }
