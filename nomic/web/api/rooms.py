"""The parts that all of the API shares: the gate, the limit, its answers, finding what is named."""

from difflib import get_close_matches
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router
from ninja.params.functions import Query

from nomic.compiled import CompiledQuery
from nomic.engine import watch
from nomic.engine.actions import all_actions
from nomic.etags import tag_of_now, tag_of_the_record
from nomic.games.models import Game, Player
from nomic.shares import usage
from nomic.web.api import shapes
from nomic.web.api.answers import MANY
from nomic.web.api.callers import PerCaller, anybody, caller_of
from nomic.web.game_page import game_known_to, seat_in

GAME = "/games/{slug}"
HIGHEST = 2_147_483_647
_SEEN_BY_ALL = CompiledQuery(lambda: Game.objects.seen_by(None))
AFTER: int = Query(
    0,
    ge=0,
    le=HIGHEST,
    description=f"Of lists of more than {MANY} members those after so many; Link names the next",
)
ANY_READ = {401: shapes.Problem, 403: shapes.Problem, 404: shapes.Problem, 429: shapes.Problem}


def room(*tags: str) -> Router:
    """A router for everybody to read; a token that is shown must be a good one, and is counted."""
    return Router(auth=anybody, throttle=PerCaller(), tags=list(tags))


def reading(shape: Any, *, malformed: bool = False) -> dict[int, Any]:
    """The answers of an address that is read."""
    return {200: shape, **ANY_READ, **({422: shapes.Malformed} if malformed else {})}


def the_game(request: HttpRequest, slug: str) -> Game:
    """The game of that slug, where the caller sees it; raises Http404."""
    caller, game = caller_of(request), None
    if slug.isprintable():
        game = _SEEN_BY_ALL.first(slug=slug)
        if game is None and caller.user is not None:
            game = game_known_to(caller.user, slug)
    if game is None:
        raise no_game(slug)
    watch.refuse_lag(game.pk, game.last_entry)
    caller.game = game
    usage.in_game(game.pk)
    return game


def the_record_of(request: HttpRequest, slug: str) -> Game:
    """The game whose public record alone decides the answer; raises Http404, and Known where
    the caller has that answer already."""
    game = the_game(request, slug)
    caller_of(request).etag = tag_of_the_record(request, game)
    return game


def the_game_for(request: HttpRequest, slug: str) -> tuple[Game, Player | None]:
    """The game of that slug and the caller's seat in it, if any; raises Http404, and Known
    where the caller has what is read already."""
    caller, seat = caller_of(request), None
    if caller.user is not None and slug.isprintable() and (seat := seat_in(slug, caller.user.pk)):
        game = caller.game = seat.game
        usage.in_game(game.pk)
    else:
        game = the_game(request, slug)
    if request.method == "GET":
        caller.etag = tag_of_now(request, game, seat, caller.user and caller.user.pk)
    return game, seat


def no_game(slug: str) -> Http404:
    """The 404 where there is no such game."""
    return Http404(f"There is no game “{slug[:60]}” here. GET /api/v1/games lists them.")


def no_action(slug: str, name: str) -> Http404:
    """The 404 where there is no such action, with the names that come close."""
    close = get_close_matches(name[:80], [action.name for action in all_actions()], n=3)
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    return Http404(
        f"There is no action “{name[:80]}”.{hint} GET /api/v1/games/{slug[:60]}/actions lists them."
    )
