"""The contest in small, for a game's home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from aceofspades.rules.contest import cards_told
from aceofspades.secrecy import matrix as disclosure
from aceofspades.secrecy.secrets import Sight
from aceofspades.state.reading import state_of
from aceofspades.web.glimpse import Glimpse, Mine, glimpse
from nomic.web.game_page import GamePage

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Bid:
    """An open offer to the viewer: who makes it, None while unnamed, and what changes hands."""

    by: str | None
    gives: str
    takes: str


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
    bids: list[Bid]
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
    state = state_of(game_page.table)
    seen = glimpse(state, game_page.player)
    if seen is None or not state.is_on:
        return None
    mine = Mine() if state.is_reckoned else seen.mine
    sight = Sight(game_page.table, game_page.player)
    may_join = not (seen.is_contestant or state.is_contestmaster(game_page.player))
    return Panel(
        template="aceofspades/_panel.html",
        contestants=seen.contestants,
        deck=seen.deck,
        cards=seen.cards if seen.is_contestant else None,
        is_reckoned=state.is_reckoned,
        may_join=may_join and not state.is_reckoned,
        bids=[_bid(sight, offer) for offer in mine.offers[:_SHOWN]],
        more_bids=max(len(mine.offers) - _SHOWN, 0),
        ballots=mine.ballots,
        pacts=len(mine.pacts),
        due=None if state.is_reckoned else seen.due,
        due_wall=_wall(game_page, seen),
    )


def _bid(sight: Sight, offer: Mapping[str, Any]) -> Bid:
    by = sight.named(offer["by"], disclosure.OFFERER, hidden=offer["anonymous"])
    return Bid(by, cards_told(offer["gives"]), cards_told(offer["takes"]))


def _wall(game_page: GamePage, seen: Glimpse) -> datetime | None:
    clock = game_page.game.clock
    runs = seen.due is not None and clock.rate and not game_page.game.stuck_at
    return clock.wall(seen.due) if seen.due is not None and runs else None
