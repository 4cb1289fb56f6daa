"""A report on the officer's desk: as it would be now, and as it was published, in four formats."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from nomic.offices.access import DeskFrame, open_desk
from nomic.offices.desk import address
from nomic.offices.duties import reports
from nomic.play.doubts import unanswered
from nomic.play.reports import Facts, Report
from nomic.record.models import Entry
from nomic.rulebook.tables import TableBroken

NOW = "now"
_PUBLISHING = ("reports.weekly", "reports.publish")
_RECENT, _EDITIONS = 6, 30


@require_safe
def paper(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The report `of` now or of an entry that published it; with `format`, only its matter."""
    from nomic.offices.urls import office

    frame = open_desk(request, slug)
    report = next((each for each in reports(frame) if each.name == name), None)
    if report is None:
        raise Http404(f"You make no report “{name[:60]}” in this game.")
    of = request.GET.get("of", NOW)
    facts, broken = _facts(frame, report, of)
    matter = _FORMATS.get(request.GET.get("format", ""))
    if matter and facts is not None:
        return matter(report, facts, of)
    editions = list(_editions(frame, name).only("seq", "at", "name")[:_EDITIONS])
    context = {
        **office.each_context(request),
        "title": report.title,
        "frame": frame,
        "report": report,
        "of": of,
        "broken": broken,
        "text": report.text(facts) if facts else "",
        # Made by the report's own class, which answers for its safety.
        "html": mark_safe(report.html(facts)) if facts else "",  # noqa: S308
        "formats": list(_FORMATS),
        "recent": editions[:_RECENT],
        "older": editions[_RECENT:],
        "publish": address(frame, "reports.publish", report=name),
        "doubts": [
            (doubt, address(frame, "reports.answer", doubt=doubt.seq))
            for doubt in unanswered(frame.game, [name])
        ],
    }
    return render(request, "offices/paper.html", context)


def _facts(frame: DeskFrame, report: Report, of: str) -> tuple[Facts | None, str]:
    """The facts, or why there are none: a table of the rules that cannot be read."""
    if of != NOW:
        published = _editions(frame, report.name).filter(seq=int(of) if of.isdecimal() else 0)
        entry = published.first() if len(of) < 10 else None
        if entry is None:
            raise Http404(f"Entry {of[:20]} did not publish this report.")
        return entry.outcome["facts"], ""
    try:
        return report.facts(frame.table), ""
    except TableBroken as error:
        return None, str(error)


def _editions(frame: DeskFrame, name: str) -> QuerySet[Entry]:
    entries = frame.game.entries.filter(name__in=_PUBLISHING, outcome__report=name)
    return entries.exclude(outcome__facts=None).order_by("-seq")


def _as_text(report: Report, facts: Facts, of: str) -> HttpResponse:
    return HttpResponse(report.text(facts), content_type="text/plain; charset=utf-8")


def _as_html(report: Report, facts: Facts, of: str) -> HttpResponse:
    page = f"<!doctype html><meta charset=utf-8><title>{report.title}</title>{report.html(facts)}"
    return HttpResponse(page)


def _as_json(report: Report, facts: Facts, of: str) -> HttpResponse:
    return JsonResponse({"report": report.name, "of": of, **facts})


def _as_csv(report: Report, facts: Facts, of: str) -> HttpResponse:
    answer = HttpResponse(report.csv(facts), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{report.name}-{of}.csv"'
    return answer


_FORMATS: dict[str, Callable[[Report, Facts, str], HttpResponse]] = {
    "text": _as_text,
    "html": _as_html,
    "json": _as_json,
    "csv": _as_csv,
}
