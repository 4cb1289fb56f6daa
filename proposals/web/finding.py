"""The beginning of every page of the proposals: the game's proposals, and one of them."""

from typing import Any

from django.db.models import Max
from django.http import Http404, HttpRequest

from nomic.web.game_context import GamePage, open_game
from nomic.web.writing import for_writers
from proposals.models import Proposal
from proposals.state.reading import MAIN, State, of_title, state_of


def open_proposals(request: HttpRequest, slug: str) -> tuple[GamePage, State]:
    """The game's page and the proposals of the game; Http404 with a sentence where it has none.

    Those that were made while the rule was in force stay to be read after it.
    """
    game_page = open_game(request, slug)
    state = state_of(game_page.table)
    if not any(subgame.name == "proposals" for subgame in game_page.subgames) and not (
        game_page.game.edition and state.proposals().exists()
    ):
        raise Http404(
            "No proposals are made in this game. They begin when its rulebook has their rule."
        )
    return game_page, state


for_authors = for_writers("proposal_new", lambda request, slug: open_proposals(request, slug)[0])


def lapsed(state: State) -> dict[str, Any] | None:
    """The rule, where it is not in force or the game `is_over`, so that what there is of proposals
    can only be read.

    With the entry `since` which it is not in force, None where it is not known.
    """
    if state.game.is_closed:
        return {"rule": MAIN, "is_over": True}
    if state.table.rules.in_force(MAIN):
        return None
    repealed = state.game.rules.filter(of_title(MAIN), visibility="public")
    return {"rule": MAIN, **repealed.aggregate(since=Max("repealed_in"))}


def proposal_or_404(state: State, handle: str) -> Proposal:
    """The proposal of that number or id; Http404 with a sentence where there is none."""
    try:
        proposal = state.named(handle)
    except ValueError as error:
        raise Http404(str(error)) from None
    if proposal is None:
        raise Http404(
            f"This game has no proposal {handle.strip()}. The list has those that it has."
        )
    return proposal
