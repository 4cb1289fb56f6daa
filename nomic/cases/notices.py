"""Whom the cases' part of the record concerns, and whose time to judge runs out."""

from collections.abc import Iterator

from django.urls import reverse

from nomic.cases.actions import ASSIGN, FILE, JUDGE
from nomic.cases.models import Case
from nomic.cases.state import WAITS, state_of
from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """Who is to judge a case; and all who had to do with it, when it is judged or opened again."""
    number = entry.outcome.get("case")
    if number is None or not entry.name.startswith("cases."):
        return
    case = Case.objects.filter(game=table.game, number=number).first()
    if case is None:
        return
    url = _page(table, case)
    if entry.name in (ASSIGN, WAITS) and case.judge_id:
        text = f"{case} is yours to judge: “{case.statement}”"
        yield Concern(NoticeKind.CASE, text, url, frozenset({case.judge_id}))
    elif entry.name == JUDGE or (entry.name == FILE and "reopened" in entry.outcome):
        writers = case.texts.values_list("by", flat=True)
        judges = case.assignments.values_list("judge", flat=True)
        to = frozenset({case.caller_id, *writers, *judges}) - {entry.actor_id or 0}
        yield Concern(NoticeKind.CASE, entry.text, url, to)


def deadlines(table: Table) -> Iterator[Concern]:
    """The ends of the judges' terms, each for the judge."""
    dues = state_of(table).dues()
    for case in state_of(table).open.filter(judge__isnull=False):
        due = dues.get(str(case.number))
        if due is not None and case.judge_id:
            text = f"{case} is yours to judge by {due:%d %B at %H:%M} UTC: “{case.statement}”"
            about = f"case/{case.number}/{due:%Y%m%d%H%M%S}"
            to = frozenset({case.judge_id})
            yield Concern(NoticeKind.CASE, text, _page(table, case), to, due, about)


def _page(table: Table, case: Case) -> str:
    return reverse("case", args=[table.game.slug, case.number])
