"""Elections of a game's offices: those that are open, and how the others ended."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from nomic.engine.actions import find_action
from nomic.governance.elections import (
    BALLOTS,
    CALL,
    STAND,
    STANDING,
    VOTE,
    WITHDRAW,
    candidates_of,
    has_elections,
    open_elections,
)
from nomic.governance.models import Election
from nomic.web.game_context import GamePage, open_game
from nomic.web.paging import newest_before, number_asked

_SHOWN = 30


@dataclass(frozen=True, slots=True)
class ElectionStanding:
    """An election as the viewer sees it, and what they may do about it, each with its address."""

    election: Election
    candidates: list[str]
    ways: list[tuple[str, str]]


@require_safe
@never_cache
def elections(request: HttpRequest, slug: str) -> HttpResponse:
    """The elections of the game; 404 where it never had any and no rule lets there be some."""
    game_page = open_game(request, slug)
    ended = game_page.game.elections.exclude(ended_in=None).select_related("elected", "by")
    ended = ended.prefetch_related(STANDING, BALLOTS)
    if not has_elections(game_page.table) and not ended.exists():
        raise Http404("No rule of this game lets offices be filled by elections.")
    shown, older = newest_before(ended, "number", number_asked(request, "before"), _SHOWN)
    return game_page.draw(
        "web/elections.html",
        open=[_standing(game_page, election) for election in open_elections(game_page.table)],
        ended=[ElectionStanding(election, _names(election), []) for election in shown],
        older=older,
        call=game_page.way(CALL),
    )


def _names(election: Election) -> list[str]:
    return [candidate.name for candidate in candidates_of(election)]


def _standing(game_page: GamePage, election: Election) -> ElectionStanding:
    acts = (VOTE,) if election.ends else (STAND, WITHDRAW)
    ways = [
        (find_action(name).button, address)
        for name in acts
        if (address := game_page.way(name, election=election.number))
    ]
    return ElectionStanding(election, _names(election), ways)
