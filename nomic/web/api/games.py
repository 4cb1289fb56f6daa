"""The games of this site, and one of them."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja.params.functions import Query

from nomic.engine.subgames import find_switch
from nomic.engine.table import glance
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.games.offices import offices_of
from nomic.games.voters import voters_of
from nomic.standard.powers import objection_time
from nomic.standard.standing import standings
from nomic.web.api import shapes
from nomic.web.api.answers import a_piece
from nomic.web.api.callers import caller_of
from nomic.web.api.rooms import AFTER, GAME, reading, room, the_game

MOST = 1000

router = room("games")


@router.get("/games", response=reading(list[shapes.GameLine], malformed=True))
def games(
    request: HttpRequest,
    after: str = Query("", description="Only games whose slug comes after this one"),
    limit: int = Query(MOST, ge=1, description=f"How many at most; {MOST} are the most"),
) -> list[dict[str, Any]]:
    """The games of this site, in the order of their slugs."""
    wall = wall_now()
    shown = Game.objects.seen_by(caller_of(request).user)
    if after.isprintable():
        shown = shown.filter(slug__gt=after)
    return [_line(game, wall) for game in shown.order_by("slug")[: min(limit, MOST)]]


@router.get(GAME, response=reading(shapes.Game))
def game(request: HttpRequest, response: HttpResponse, slug: str, after: int = AFTER) -> Any:
    """A game: its clock, its players, its offices, what was announced, and who won it so far."""
    shown = the_game(request, slug)
    wall = wall_now()
    table = glance(shown, wall)
    offices = shown.offices.order_by("name").values_list("name", "holder__name")
    has_vested = bool(find_switch("Vested").subjects(table))  # else nobody is told to be
    players = table.game.players.order_by("name").values("name", "active", "vested", "bot")
    told = [{**each, "vested": each["vested"] if has_vested else None} for each in players]
    return {
        **_line(shown, wall),
        "next_appointment": next(iter(table.appointments.next(1)), None),
        "players": a_piece(request, response, told, after),
        "offices": [{"office": name, "holder": holder} for name, holder in offices],
        "seen_by": shown.seen_by.value,
        "joined_by": shown.joined_by.value,
        "voters": voters_of(shown).value,
        "closed": shown.is_closed,
        "offices_by": str(offices_of(shown)),
        "objection_hours": objection_time(table) // timedelta(hours=1),
        "motions": standings(table, None),
        "wins": shown.wins.select_related("player"),
    }


def _line(game: Game, wall: datetime) -> dict[str, Any]:
    told = {name: getattr(game, name) for name in shapes.GameLine.model_fields if name != "now"}
    return {**told, "now": game.now(wall)}
