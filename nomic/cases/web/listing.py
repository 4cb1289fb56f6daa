"""The docket and the archive of a game's cases in list form: as text in columns, and as CSV."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.cases.models import Case
from nomic.cases.state import state_of
from nomic.cases.web.views import LATE, asked_for, no_cases, words_asked
from nomic.engine.fairness.slow_queries import Late, within
from nomic.games.bounds import SEARCH_SECONDS
from nomic.governance.reports import NONE, Section, aligned, in_csv
from nomic.rulebook.charts import cut
from nomic.web.game_context import open_game
from nomic.web.paging import newest_before, number_asked

_LISTED = 500  # a screen's list is forty; more stand behind `before`
_COLUMNS = ("Case", "Called by", "Barred", "Judge", "Verdict", "Entry", "Statement")
_NOTHING = "No case matches."


@require_safe
def cases_listed(request: HttpRequest, slug: str) -> HttpResponse:
    """The cases that were asked for, open and judged, the newest first, a line each; `before` goes
    on behind a number, as the last line or the header `Link` says where there are more."""
    game_page = open_game(request, slug)
    no_cases(game_page)
    is_csv = request.GET.get("format") == "csv"
    try:
        with within(SEARCH_SECONDS.most):
            rows = asked_for(state_of(game_page.table).cases, words_asked(request))
            cases, older = newest_before(rows, "number", number_asked(request, "before"), _LISTED)
    except Late:
        return HttpResponse(LATE, status=503, content_type="text/plain; charset=utf-8")
    earlier = f"?{urlencode({**request.GET.dict(), 'before': older})}"
    listed = Section("Cases", _COLUMNS, [*map(_line, cases)], _NOTHING)
    if is_csv:
        sheet = in_csv([listed.columns, *listed.rows])
        headers = {"Content-Disposition": f'attachment; filename="{slug}-cases.csv"'}
        if older:
            headers["Link"] = f'<{request.path}{earlier}>; rel="next"'
        return HttpResponse(sheet, content_type="text/csv; charset=utf-8", headers=headers)
    lines = [f"{game_page.game.title}: cases", "", *aligned(listed)]
    if older:
        lines += ["", f"Earlier ones: {earlier}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def _line(case: Case) -> list[int | str]:
    """What the list says of the case."""
    judge = case.judge.name if case.judge else NONE
    entry = case.judged_in or case.entry
    barred = ", ".join(case.barred) or NONE
    statement = cut(case.statement, 300)
    return [case.number, case.caller.name, barred, judge, case.verdict or "open", entry, statement]
