"""The games of this site, and one of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja.params.functions import Query

from nomic.engine.table import Table, glance
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game, Win
from nomic.games.offices import offices_of
from nomic.standard.powers import objection_time
from nomic.standard.standing import standings, told
from nomic.web.api import shapes
from nomic.web.api.answers import answer
from nomic.web.api.found import the_game
from nomic.web.api.rooms import GAME, reading, room

MOST = 1000

router = room("games")


@router.get("/games", response=reading(list[shapes.GameLine], malformed=True))
def games(
    request: HttpRequest,
    after: str = Query("", description="Only games whose slug comes after this one"),
    limit: int = Query(MOST, ge=1, description=f"How many at most; {MOST} are the most"),
) -> HttpResponse:
    """The games of this site, in the order of their slugs."""
    wall = wall_now()
    shown = Game.objects.filter(scratch=False)
    if after.isprintable():
        shown = shown.filter(slug__gt=after)
    return answer([_line(game, wall) for game in shown.order_by("slug")[: min(limit, MOST)]])


@router.get(GAME, response=reading(shapes.Game))
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """A game: its clock, its players, its offices, what was announced, and who won it so far."""
    shown = the_game(slug)
    wall = wall_now()
    table = glance(shown, wall)
    players = shown.players.order_by("name").values("name", "active", "vested")
    offices = shown.offices.order_by("name").values_list("name", "holder__name")
    wins = shown.wins.select_related("player")
    return answer(
        {
            **_line(shown, wall),
            "next_appointment": _next(table),
            "players": list(players),
            "offices": [{"office": name, "holder": holder} for name, holder in offices],
            "offices_by": str(offices_of(shown)),
            "objection_hours": objection_time(table) // timedelta(hours=1),
            "motions": [told(each) for each in standings(table, None)],
            "wins": [_win(win) for win in wins],
        }
    )


def _line(game: Game, wall: datetime) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "title": game.title,
        "preset": game.preset,
        "edition": game.edition,
        "pace": game.pace,
        "now": iso(game.now(wall)),
        "state": game.state,
    }


def _win(win: Win) -> dict[str, Any]:
    return {
        "player": win.player.name,
        "how": win.how,
        "rule": win.rule,
        "entry": win.entry,
        "at": iso(win.at),
    }


def _next(table: Table) -> dict[str, str] | None:
    coming = table.appointments.next(1)
    return {"name": coming[0].kind, "due": iso(coming[0].due)} if coming else None
