"""The contest in small, for a game's home."""

from typing import Any

from django.db.models import F, OuterRef, QuerySet, Value
from django.db.models.functions import JSONObject

from aceofspades.events.finalists import TITLE
from aceofspades.models import Contestant
from aceofspades.secrecy.view import View
from aceofspades.web.page import MOST_LISTED, first_of, tables
from nomic.games.wins import told_as_won
from nomic.web.game_page import GamePage


@told_as_won
def who_is_semigenius(game: OuterRef) -> QuerySet[Any]:
    """Those who got the title (121), the newest first."""
    how = Value(f"is {TITLE} of the Ace of Spades")
    columns = {"entry": F("semigenius_in"), "at": F("semigenius_at")}
    chosen = Contestant.objects.filter(contest__game=game, semigenius_in__isnull=False)
    told = JSONObject(player=F("player__name"), how=how, **columns)
    return chosen.order_by("-semigenius_in").values(told=told)


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
    hand = own.player.holder.pk if own else None
    first = first_of(view)
    are_all = len(first) < MOST_LISTED
    drawn = tables(state, first, rows=1)  # before the counts: it reads most of what is held
    held = state.counts_of(state.deck.pk, *([hand] if hand else []))
    return {
        "contestants": len(first) if are_all else len(state.names),
        "deck": held[state.deck.pk],
        "cards": held[hand] if hand else None,
        "tables": drawn,
        "is_reckoned": state.is_reckoned,
        "semigenius": [each.player.name for each in state.semigenius],
        "may_join": own is None and not view.is_contestmaster and not state.is_over,
        "due": due,
        "due_wall": None if game_page.game.stuck_at else game_page.wall_of(due),
    }
