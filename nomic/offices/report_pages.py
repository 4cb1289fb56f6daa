"""A report on the officer's desk: as it would be now, and as it was published, in four formats."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.governance.doubts import unanswered
from nomic.governance.reports import Facts, Report, publications
from nomic.offices.access import DeskPage, open_desk
from nomic.offices.desk import address
from nomic.offices.duties import reports
from nomic.offices.site import office
from nomic.rulebook.tables import TableBroken
from nomic.web.paging import number_of
from nomic.web.views.reports import report_response

NOW = "now"
_FORMATS = ("text", "html", "json", "csv")
_RECENT, _EDITIONS = 6, 30


@require_safe
def paper(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The report `of` now or of an entry that published it; with `format`, only its matter."""
    game_page = open_desk(request, slug)
    report = next((report for report in reports(game_page) if report.name == name), None)
    if report is None:
        raise Http404(f"You make no report “{name[:60]}” in this game.")
    of = request.GET.get("of", NOW)
    facts, text, broken = _matter(game_page, report, of)
    form = request.GET.get("format", "")
    if form in _FORMATS and facts is not None:
        return report_response(form, report, facts, text, of=of)
    editions = list(publications(game_page.game, name).only("seq", "at", "name")[:_EDITIONS])
    return office.draw(
        request,
        "offices/paper.html",
        report.title,
        game_page=game_page,
        of=of,
        text=text,
        html=report.html(facts) if facts else "",
        broken=broken,
        formats=_FORMATS,
        recent=editions[:_RECENT],
        older=editions[_RECENT:],
        publish=address(game_page, "reports.publish", report=name),
        doubts=[
            (doubt, address(game_page, "reports.answer", doubt=doubt.seq))
            for doubt in unanswered(game_page.game, [name])
        ],
    )


def _matter(game_page: DeskPage, report: Report, of: str) -> tuple[Facts | None, str, str]:
    """The report's facts and text, of now or of the entry that published it, and why it has none;
    Http404 for an entry that did not."""
    if of == NOW:
        try:
            facts = report.all_facts(game_page.table)
        except TableBroken as error:
            return None, "", str(error)
        return facts, report.text(facts), ""
    entry = publications(game_page.game, report.name).filter(seq=number_of(of) or 0).first()
    if entry is None:
        raise Http404(f"Entry {of[:20]} did not publish this report.")
    return entry.outcome["facts"], entry.outcome["text"], ""
