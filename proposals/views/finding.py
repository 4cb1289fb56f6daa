"""What every page of the proposals begins with: the game's proposals, and one of them."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from nomic.play.frame import Frame, open_game
from proposals.models import Proposal
from proposals.state import State, state_of


def open_proposals(request: HttpRequest, slug: str) -> tuple[Frame, State]:
    """The frame and the proposals of the game; Http404 with a sentence where it has none."""
    frame = open_game(request, slug)
    if not any(subgame.name == "proposals" for subgame in frame.subgames):
        raise Http404(
            "No proposals are made in this game. They begin when its rulebook has their rule."
        )
    return frame, state_of(frame.table)


def the_proposal(state: State, handle: str) -> Proposal:
    """The proposal of that number or id; Http404 with a sentence where there is none."""
    try:
        found = state.named(handle)
    except ValueError as error:
        raise Http404(str(error)) from None
    if found is None:
        raise Http404(
            f"This game has no proposal {handle.strip()}. The list has those that it has."
        )
    return found
