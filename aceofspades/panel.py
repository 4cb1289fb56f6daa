"""The contest in small, for a game's home."""

from __future__ import annotations

from dataclasses import dataclass

from aceofspades.glimpse import glimpse
from aceofspades.state import state_of
from nomic.play.frame import Frame


@dataclass(frozen=True, slots=True)
class Panel:
    """How many play, and how many cards the viewer holds: nothing that only they may see."""

    template: str
    contestants: int
    deck: int
    cards: int | None
    is_reckoned: bool
    may_join: bool


def panel(frame: Frame) -> Panel | None:
    """The contest as the game's home shows it; None while there is none."""
    state = state_of(frame.table)
    seen = glimpse(state, frame.player)
    if seen is None or not state.is_on:
        return None
    may_join = not (seen.is_contestant or state.is_contestmaster(frame.player))
    return Panel(
        template="aceofspades/_panel.html",
        contestants=seen.contestants,
        deck=seen.deck,
        cards=seen.cards if seen.is_contestant else None,
        is_reckoned=state.is_reckoned,
        may_join=may_join and not state.is_reckoned,
    )
