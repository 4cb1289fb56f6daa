"""Finding what an address names; where it names nothing, a 404 says what there is."""

from __future__ import annotations

from difflib import get_close_matches

from django.http import Http404

from nomic.engine.actions import all_actions
from nomic.games.models import Game, Player, SeenBy
from nomic.web.api.callers import Caller


def the_game(caller: Caller, slug: str) -> Game:
    """The game of that slug, where the caller sees it; raises Http404."""
    game = None
    if slug.isprintable():
        game = Game.objects.seen_by(caller.user).filter(slug=slug).first()
    if game is None:
        raise no_game(slug)
    return game


def the_game_for(caller: Caller, slug: str) -> tuple[Game, Player | None]:
    """The game of that slug and the caller's seat in it, if any; raises Http404."""
    if caller.user is not None and slug.isprintable():
        seats = caller.user.seats.select_related("game", "holder")
        seat = seats.filter(game__slug=slug, game__scratch=False).first()
        if seat is not None and (not seat.removed or seat.game.seen_by != SeenBy.LINK):
            return seat.game, seat
    return the_game(caller, slug), None


def no_game(slug: str) -> Http404:
    """What to raise where there is no such game."""
    return Http404(f"There is no game “{slug[:60]}” here. GET /api/v1/games lists them.")


def no_action(slug: str, name: str) -> Http404:
    """What to raise where there is no such action."""
    close = get_close_matches(name[:80], [action.name for action in all_actions()], n=3)
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    return Http404(
        f"There is no action “{name[:80]}”.{hint} GET /api/v1/games/{slug[:60]}/actions lists them."
    )
