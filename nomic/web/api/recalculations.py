"""Recalculations: asking for a past that goes otherwise, and the reports that were made."""

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Status

from nomic.games.refusal import Refusal
from nomic.governance.models import Recalculation
from nomic.governance.powers import OFFICES_AND_CORRECTIONS
from nomic.governance.recalculation.revision import CannotRecalculate, Revision, ask, progress
from nomic.web.api import shapes
from nomic.web.api.messages import sent
from nomic.web.api.rooms import (
    ANY_READ,
    GAME,
    PerCaller,
    reading,
    room,
    sends,
    the_game,
    the_game_for,
    the_token,
)

router = room("recalculations")
_ANSWERS = {202: shapes.RecalculationLine, 409: shapes.Refused, **ANY_READ}


@router.get(f"{GAME}/recalculations", response=reading(list[shapes.RecalculationLine]))
def recalculations(request: HttpRequest, slug: str) -> list[Recalculation]:
    """The recalculations that players have asked for, the newest first: the site keeps fifty."""
    rows = the_game(request, slug).recalculations.select_related("by")
    return list(rows.defer("report"))


@router.get(f"{GAME}/recalculations/{{int:number}}", response=reading(shapes.Recalculation))
def recalculation(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """One of them: how many of how many acts are played while it is made, and then its report, of
    which `ratifiable` is the text that `games.ratify` and `games.record_report` take."""
    rows = the_game(request, slug).recalculations.select_related("by")
    asked = rows.filter(pk=number).first()
    if asked is None:
        raise Http404("There is no such recalculation. GET …/recalculations lists them.")
    line = {
        name: getattr(asked, name)
        for name in ("pk", "by", "asked_at", "revision", "hash", "awaits")
    }
    return {
        **line,
        "refusal": asked.refusal,
        "progress": progress(asked),
        "report": asked.report,
    }


@router.post(
    f"{GAME}/recalculations",
    response=_ANSWERS,
    auth=the_token,
    throttle=PerCaller(),
    openapi_extra=sends(shapes.Revision),
)
def recalculate(request: HttpRequest, slug: str) -> Status[Any]:
    """Ask for a recalculation: `{"strike": 12}`, `{"change": 12, "inputs": {…}}` or `{"insert":
    {"name": …, "actor": …, "inputs": {…}}, "after": 12}`.

    202 with its number, at whose address the report will be; 409 with the reason where that past
    cannot be played, or the caller is no player of the game.
    """
    game, player = the_game_for(request, slug)
    revision: Any = sent(request, shapes.Revision)  # type: ignore[arg-type]
    if player is None or not player.active:
        sentence = "Only players of the game ask for a recalculation. Join it first."
        return Status(409, Refusal("no_player", sentence, OFFICES_AND_CORRECTIONS))
    try:
        asked = ask(game, player, Revision.of(revision.model_dump()))
    except CannotRecalculate as error:
        return Status(409, Refusal("cannot_recalculate", str(error), OFFICES_AND_CORRECTIONS))
    return Status(202, asked)
