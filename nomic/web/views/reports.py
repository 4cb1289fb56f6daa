"""The officers' reports, as they were published: as a page, as text, as CSV and as JSON."""

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from nomic.engine.outcomes import NoticeKind
from nomic.engine.subgames import Trace, in_play
from nomic.games.bounds import TEXT_KILOBYTES
from nomic.governance.doubts import DoubtStanding, doubts_of
from nomic.governance.reports import (
    Facts,
    Report,
    held_reports,
    newest_publications,
    overdue,
    publications,
    reports_of,
)
from nomic.governance.undoubted import standing_of
from nomic.notices.mail import adds_to_letters, shortened
from nomic.notices.models import Notice
from nomic.record.keys import signed_head
from nomic.record.models import Entry
from nomic.web.game_context import GamePage, open_game
from nomic.web.paging import number_of

_SHOWN = 30
_FORMATS = ("csv", "json", "text")


@require_safe
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    """Which reports there are, and when each was published last."""
    game_page = open_game(request, slug)
    newest = newest_publications(game_page.game)
    entries = publications(game_page.game).filter(seq__in=newest.values())
    by_number = {entry.seq: entry for entry in entries.defer("outcome", "inputs")}
    rows = [
        {
            "report": report,
            "entry": by_number.get(newest.get(report.name, 0)),
            "overdue": next(overdue(game_page.game, report), None),
        }
        for report in reports_of(game_page.game)
    ]
    return game_page.draw("web/reports/reports.html", rows=rows)


@require_safe
def report(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One report as its entry has it (`entry`; the newest if left out), in one of four formats."""
    game_page = open_game(request, slug)
    report = next((report for report in reports_of(game_page.game) if report.name == name), None)
    if report is None:
        raise Http404(f"This game has no report “{name}”.")
    editions = publications(game_page.game, name)
    seq = request.GET.get("entry", "")
    number = number_of(seq)
    entry = (editions if number is None else editions.filter(seq=number)).first()
    if entry is None and seq:
        raise Http404(f"Entry {seq} did not publish this report.")
    form = request.GET.get("format", "")
    if entry is not None and form in _FORMATS:
        facts, text = entry.outcome["facts"], entry.outcome["text"]
        answer = report_response(form, report, facts, text, entry=entry.seq)
        answer.headers["Nomic-Head"] = str(signed_head(game_page.game, entry.seq, entry.hash))
        return answer
    text = entry.outcome["text"] if entry else ""
    table = game_page.table
    doubts = doubts_of(game_page.game, entry.seq) if entry else []
    return game_page.draw(
        "web/reports/report.html",
        report=report,
        office=report.office_in(game_page.game),
        entry=entry,
        html=report.html(entry.outcome["facts"]) if entry else "",
        text=text if len(text) <= TEXT_KILOBYTES.count * 500 else "",  # half of the longest
        deputy=entry.actor if entry and "deputy_for" in entry.outcome else None,
        is_kept_by_hand=report.name in held_reports(game_page.game),
        overdue=list(overdue(game_page.game, report)),
        doubts=[(doubt, _case_about(game_page, doubt)) for doubt in doubts],
        standing=standing_of(table, entry, is_doubted=bool(doubts)) if entry else None,
        behind=_behind(entry) if entry else [],
        editions=list(editions.defer("outcome", "inputs")[:_SHOWN]),
        formats=_FORMATS,
    )


def _case_about(game_page: GamePage, doubt: DoubtStanding) -> str:
    """The address at which that doubt becomes a case; "" where the game has none."""
    report, words = doubt.entry.outcome["entry"], doubt.entry.inputs["what"]
    return game_page.dispute_url(report, f"The report of entry {report} is wrong: {words}")


def _behind(entry: Entry) -> list[Trace]:
    """What stands behind the entry, as the document that it published."""
    game = entry.game
    return [trace for subgame in in_play(game) for trace in subgame.traces_of(game, entry)]


@adds_to_letters
def report_of(user: User, notice: Notice) -> str:
    """A report that was published, as a letter has it; "" for any other notice."""
    if notice.kind != NoticeKind.REPORT:
        return ""
    entry = publications(notice.game).filter(seq=notice.entry or 0).first()
    return shortened(entry.outcome["text"]) if entry else ""


def report_response(
    form: str, report: Report, facts: Facts, text: str, **of: str | int
) -> HttpResponse:
    """The matter of a report as text, html, json or csv; `of` names, by one word, of when it is."""
    if form == "json":
        return JsonResponse({"report": report.name, **of, **facts})
    if form == "csv":
        name = "-".join(map(str, (report.name, *of.values())))
        headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
        kind = "text/csv; charset=utf-8"
        return HttpResponse(report.csv(facts), content_type=kind, headers=headers)
    if form == "html":
        context = {"title": report.title, "html": report.html(facts)}
        return HttpResponse(render_to_string("web/reports/bare.html", context))
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
