"""Officers' reports, in the forms in which they are published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query

from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.pages.api import shapes
from nomic.pages.api.answers import answer, plain
from nomic.pages.api.found import the_game
from nomic.pages.api.rooms import GAME, reading, room
from nomic.play.reports import HOLD, Report, published, reports_of
from nomic.play.table import glance

router = room("reports")

Form = Literal["text", "html", "json", "csv"]
_PLAIN: dict[str, tuple[str, Callable[[Report, dict[str, Any]], str]]] = {
    "text": ("text/plain", lambda report, facts: report.text(facts)),
    "html": ("text/html", lambda report, facts: report.html(facts)),
    "csv": ("text/csv", lambda report, facts: report.csv(facts)),
}


_ALSO = {
    "responses": {200: {"content": {kind: {"schema": {"type": "string"}} for kind, _ in _PLAIN.values()}}}
}


@router.get(
    f"{GAME}/reports/{{name}}",
    response=reading(shapes.Report, malformed=True),
    openapi_extra=_ALSO,
)
def report(
    request: HttpRequest,
    slug: str,
    name: str,
    form: Form = Query("json", alias="format", description="The form of the report"),
) -> HttpResponse:
    """The newest published report of that name.

    Before the first one is published, what it would say now; a game whose officer looks at
    reports before they are published shows none until then.
    """
    game = the_game(slug)
    which = _report(game, name)
    told = _told(game, which)
    if form == "json":
        return answer(told)
    content_type, write = _PLAIN[form]
    return plain(write(which, told["facts"]), content_type)


def _report(game: Game, name: str) -> Report:
    known = reports_of(game)
    for each in known:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in known)
    there = f"This game's reports: {names}." if names else "This game has no reports."
    raise Http404(f"There is no report “{name[:60]}” here. {there}")


def _told(game: Game, which: Report) -> dict[str, Any]:
    entry = published(game, which.name)
    if entry is None and game.setting(HOLD, False):
        raise Http404(f"{which.title} has not been published yet.")
    table = glance(game)
    facts = entry.outcome["facts"] if entry else which.facts(table)
    return {
        "report": which.name,
        "title": which.title,
        "office": which.office,
        "at": iso(entry.at if entry else table.now),
        "entry": entry.seq if entry else None,
        "facts": facts,
        "text": entry.outcome["text"] if entry else which.text(facts),
    }
