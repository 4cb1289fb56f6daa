"""The contest in small, for a game's home."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from aceofspades.secrecy.seen import SeenOffer
from aceofspades.secrecy.view import View
from nomic.web.game_page import GamePage

_SHOWN = 3
_MOST_OFFERS = 20


@dataclass(frozen=True, slots=True)
class Panel:
    """How many play, how many cards the viewer holds, and what waits for them: the first of the
    offers that were made to them, regulations to vote on by number, how many pacts.

    `due` is the Moment of Reckoning at its game moment, `due_wall` at the wall's, None where time
    stands still.
    """

    template: str
    contestants: int
    deck: int
    cards: int | None
    is_reckoned: bool
    may_join: bool
    bids: list[SeenOffer]
    more_bids: int
    ballots: list[int]
    pacts: int
    due: datetime | None
    due_wall: datetime | None

    @property
    def waits(self) -> bool:
        """Whether anything waits for the viewer."""
        return bool(self.bids or self.ballots or self.pacts)


def panel(game_page: GamePage) -> Panel | None:
    """The contest as the game's home shows it; None while there is none."""
    view = View(game_page.table, game_page.player)
    state, own = view.state, view.own
    if state.found is None or not state.is_on:
        return None
    plays = own is not None and not state.is_reckoned
    bids = _offers_to(view) if plays else []
    due = None if state.is_reckoned else state.reckoning_due
    clock = game_page.game.clock
    runs = due is not None and clock.rate and not game_page.game.stuck_at
    return Panel(
        template="aceofspades/_panel.html",
        contestants=len(state.contestants),
        deck=state.counts.get(state.deck.pk, 0),
        cards=state.counts.get(own.player.holder.pk, 0) if own else None,
        is_reckoned=state.is_reckoned,
        may_join=own is None and not view.is_contestmaster and not state.is_reckoned,
        bids=bids[:_SHOWN],
        more_bids=len(bids[_SHOWN:]),
        ballots=_to_vote_on(view) if plays else [],
        pacts=_pacts_for(view) if plays else 0,
        due=due,
        due_wall=clock.wall(due) if due is not None and runs else None,
    )


def _offers_to(view: View) -> list[SeenOffer]:
    offers = view.offers(_MOST_OFFERS, only_open=True)
    return [each for each in offers if any(map(view.is_viewer, each.to))]


def _to_vote_on(view: View) -> list[int]:
    """The regulations that the viewer has yet to vote on, by number."""
    up = view.state.up_for_vote
    return [each.regulation_number for each in up if each.number not in view.own_votes]


def _pacts_for(view: View) -> int:
    """How many pacts wait for the viewer's word."""
    names = [set(each.members) - set(each.agreed) for each in view.pacts]
    return sum(any(map(view.is_viewer, missing)) for missing in names)
