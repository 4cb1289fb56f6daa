"""Officers' reports, in the forms in which they are published."""

from collections.abc import Callable
from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse
from ninja.params.functions import Query

from nomic.games.bounds import TEXT_KILOBYTES
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.governance.reports import WEEKLY, Report, newest_publications, published, reports_of
from nomic.record.models import Entry
from nomic.web.api import shapes
from nomic.web.api.messages import a_piece, text_response
from nomic.web.api.rooms import AFTER, GAME, reading, room, the_game

router = room("reports")

Form = Literal["text", "html", "json", "csv"]
_PLAIN: dict[str, tuple[str, Callable[[Report, Entry], str]]] = {
    "text": ("text/plain", lambda report, entry: entry.outcome["text"]),
    "html": ("text/html", lambda report, entry: report.html(entry.outcome["facts"])),
    "csv": ("text/csv", lambda report, entry: report.csv(entry.outcome["facts"])),
}
_ALSO = {
    "responses": {
        200: {"content": {kind: {"schema": {"type": "string"}} for kind, _ in _PLAIN.values()}}
    }
}


@router.get(f"{GAME}/reports", response=reading(list[shapes.ReportLine]))
def reports(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The reports that this game has, and the entry that published the newest of each."""
    game = the_game(request, slug)
    entries = newest_publications(game)
    return [_line(game, report, entries.get(report.name)) for report in reports_of(game)]


@router.get(
    f"{GAME}/reports/{{name}}",
    response=reading(shapes.Report),
    openapi_extra=_ALSO,
)
def report(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    name: str,
    after: int = AFTER,
    form: Form = Query("json", alias="format", description="The form of the report"),
) -> HttpResponse | dict[str, Any]:
    """The newest published report of that name. A published report does not change. Of a long one
    an answer has a piece: some members of each list, some lines of a text."""
    game = the_game(request, slug)
    reports_here = {report.name: report for report in reports_of(game)}
    if name not in reports_here:
        names = ", ".join(reports_here)
        hint = f"This game's reports: {names}." if names else "This game has no reports."
        raise Http404(f"There is no report “{name[:60]}” here. {hint}")
    report = reports_here[name]
    entry = published(game, name)
    if entry is None:
        weekly = game.appointments.waiting().filter(kind=WEEKLY, subject=name)
        due = weekly.values_list("due", flat=True).first()
        when = f" It is due at {iso(due)}." if due else ""
        raise Http404(f"{report.title} has not been published yet.{when}")
    if form == "json":
        facts, text = entry.outcome["facts"], entry.outcome["text"]
        whole = {"facts": facts, "text": text.splitlines(keepends=True)}
        if len(text) <= TEXT_KILOBYTES.count * 1000:
            whole["text"] = [text]
        piece = a_piece(request, response, whole, after)
        text = "".join(piece["text"])
        return {**_line(game, report, entry.seq), "at": entry.at, **piece, "text": text}
    content_type, write = _PLAIN[form]
    answer, text = text_response("", content_type), write(report, entry)
    if form != "html" and len(text) > TEXT_KILOBYTES.count * 1000:
        text = "".join(a_piece(request, answer, text.splitlines(keepends=True), after))
    answer.content = text.encode()
    return answer


def _line(game: Game, report: Report, entry: int | None) -> dict[str, Any]:
    named = {"report": report.name, "title": report.title, "office": report.office_in(game)}
    return {**named, "entry": entry}
