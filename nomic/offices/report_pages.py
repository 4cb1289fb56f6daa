"""A report on the officer's desk: as it would be now, and as it was published, in four formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from nomic.offices.access import DeskPage, open_desk
from nomic.offices.desk import address
from nomic.offices.duties import reports
from nomic.offices.site import office
from nomic.record.models import Entry
from nomic.rulebook.tables import TableBroken
from nomic.standard.doubts import unanswered
from nomic.standard.reports import Facts, Report, publications
from nomic.web.paging import number_of

NOW = "now"
_RECENT, _EDITIONS = 6, 30


@dataclass(frozen=True, slots=True)
class Paper:
    """A report's matter, of now or of the entry that published it; `broken` is why it has none."""

    report: Report
    of: str
    facts: Facts | None
    text: str = ""
    broken: str = ""

    @property
    def html(self) -> SafeString:
        # Made by the report's own class, which answers for its safety.
        return mark_safe(self.report.html(self.facts)) if self.facts else SafeString("")  # noqa: S308


@require_safe
def paper(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The report `of` now or of an entry that published it; with `format`, only its matter."""
    game_page = open_desk(request, slug)
    report = next((each for each in reports(game_page) if each.name == name), None)
    if report is None:
        raise Http404(f"You make no report “{name[:60]}” in this game.")
    found = _paper(game_page, report, request.GET.get("of", NOW))
    matter = _FORMATS.get(request.GET.get("format", ""))
    if matter and found.facts is not None:
        return matter(found, found.facts)
    editions = list(_editions(game_page, name).only("seq", "at", "name")[:_EDITIONS])
    context = {
        **office.each_context(request),
        "title": report.title,
        "game_page": game_page,
        "paper": found,
        "of": found.of,
        "formats": list(_FORMATS),
        "recent": editions[:_RECENT],
        "older": editions[_RECENT:],
        "publish": address(game_page, "reports.publish", report=name),
        "doubts": [
            (doubt, address(game_page, "reports.answer", doubt=doubt.seq))
            for doubt in unanswered(game_page.game, [name])
        ],
    }
    return render(request, "offices/paper.html", context)


def _paper(game_page: DeskPage, report: Report, of: str) -> Paper:
    if of == NOW:
        return _of_now(game_page, report)
    entry = _editions(game_page, report.name).filter(seq=number_of(of) or 0).first()
    if entry is None:
        raise Http404(f"Entry {of[:20]} did not publish this report.")
    return Paper(report, of, entry.outcome["facts"], entry.outcome["text"])


def _of_now(game_page: DeskPage, report: Report) -> Paper:
    try:
        facts = report.facts(game_page.table)
    except TableBroken as error:
        return Paper(report, NOW, None, broken=str(error))
    return Paper(report, NOW, facts, report.text(facts))


def _editions(game_page: DeskPage, name: str) -> QuerySet[Entry]:
    return publications(game_page.game).filter(outcome__report=name)


def _as_text(paper: Paper, facts: Facts) -> HttpResponse:
    return HttpResponse(paper.text, content_type="text/plain; charset=utf-8")


def _as_html(paper: Paper, facts: Facts) -> HttpResponse:
    head = "<!doctype html><html lang=en><meta charset=utf-8>"
    page = f"{head}<title>{{}}</title>{{}}"
    return HttpResponse(format_html(page, paper.report.title, paper.html))


def _as_json(paper: Paper, facts: Facts) -> HttpResponse:
    return JsonResponse({"report": paper.report.name, "of": paper.of, **facts})


def _as_csv(paper: Paper, facts: Facts) -> HttpResponse:
    answer = HttpResponse(paper.report.csv(facts), content_type="text/csv; charset=utf-8")
    name = f"{paper.report.name}-{paper.of}.csv"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


_FORMATS: dict[str, Callable[[Paper, Facts], HttpResponse]] = {
    "text": _as_text,
    "html": _as_html,
    "json": _as_json,
    "csv": _as_csv,
}
