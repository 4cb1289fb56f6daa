"""The contest in small, for a game's home."""

from typing import Any

from aceofspades.secrecy.view import View
from nomic.web.game_page import GamePage


def panel(game_page: GamePage) -> dict[str, Any] | None:
    """The contest as the game's home shows it: how many play, and how many cards the viewer holds;
    None while there is none.

    `due` is the Moment of Reckoning at its game moment, `due_wall` at the wall's, None where time
    stands still.
    """
    view = View(game_page.table, game_page.player)
    state, own = view.state, view.own
    if not state.is_on:
        return None
    due = None if state.is_reckoned else state.reckoning_due
    return {
        "contestants": len(state.contestants),
        "deck": state.counts.get(state.deck.pk, 0),
        "cards": state.counts.get(own.player.holder.pk, 0) if own else None,
        "is_reckoned": state.is_reckoned,
        "semigenius": [each.player.name for each in state.semigenius],
        "may_join": own is None and not view.is_contestmaster and not state.is_reckoned,
        "due": due,
        "due_wall": None if game_page.game.stuck_at else game_page.wall_of(due),
    }
