"""The officers' reports, as they were published: as a page, as text, as CSV and as JSON."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from nomic.record.models import Entry
from nomic.standard.reports import (
    Report,
    find_report,
    newest_publications,
    publications,
    reports_of,
)
from nomic.web.game_page import GamePage, open_game
from nomic.web.paging import number_of

_SHOWN = 30


@require_safe
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    """Which reports there are, and when each was published last."""
    game_page = open_game(request, slug)
    newest = newest_publications(game_page.game)
    entries = (
        publications(game_page.game).defer("outcome", "inputs").filter(seq__in=newest.values())
    )
    by_number = {entry.seq: entry for entry in entries}
    rows = [
        {"report": each, "entry": by_number.get(newest.get(each.name, 0))}
        for each in reports_of(game_page.game)
    ]
    return render(request, "web/reports.html", {"game_page": game_page, "rows": rows})


@require_safe
def report(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One report as its entry has it (`entry`; the newest if left out), in one of four formats."""
    game_page = open_game(request, slug)
    found = _find(game_page, name)
    editions = publications(game_page.game).filter(outcome__report=name)
    seq = request.GET.get("entry", "")
    number = number_of(seq)
    entry = (editions if number is None else editions.filter(seq=number)).first()
    if entry is None and seq:
        raise Http404(f"Entry {seq} did not publish this report.")
    if entry is not None and request.GET.get("format") in _FORMATS:
        return _FORMATS[request.GET["format"]](found, entry)
    context = {
        "game_page": game_page,
        "report": found,
        "office": found.office_in(game_page.game),
        "entry": entry,
        # Made by the report's own class, which answers for its safety.
        "html": mark_safe(found.html(entry.outcome["facts"])) if entry else "",  # noqa: S308
        "editions": list(editions.defer("outcome", "inputs")[:_SHOWN]),
        "formats": sorted(_FORMATS),
    }
    return render(request, "web/report.html", context)


def _find(game_page: GamePage, name: str) -> Report:
    try:
        found = find_report(name)
    except KeyError:
        found = None
    if found is None or not found.is_on(game_page.game):
        raise Http404(f"This game has no report “{name}”.")
    return found


def _as_text(found: Report, entry: Entry) -> HttpResponse:
    return HttpResponse(entry.outcome["text"], content_type="text/plain; charset=utf-8")


def _as_csv(found: Report, entry: Entry) -> HttpResponse:
    answer = HttpResponse(found.csv(entry.outcome["facts"]), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{found.name}-{entry.seq}.csv"'
    return answer


def _as_json(found: Report, entry: Entry) -> HttpResponse:
    return JsonResponse({"report": found.name, "entry": entry.seq, **entry.outcome["facts"]})


_FORMATS = {"text": _as_text, "csv": _as_csv, "json": _as_json}
