"""The cases of a game as plain values: what the API answers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from nomic.cases.models import Case, CaseText
from nomic.cases.precedents import Precedent, precedents, read_in
from nomic.cases.shapes import CaseShape, CaseTextShape, MotionShape, WholeCaseShape
from nomic.cases.shown_evidence import seen
from nomic.cases.state import is_on, state_of
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.models import Player
from nomic.rulebook.charts import unless_broken
from nomic.web.paging import fitting

_MOST_TEXTS = 100


def cases_state(table: Table) -> list[CaseShape] | None:
    """All cases of the game, the oldest first, without their texts; None where the game has no rule
    that lets cases be, and none."""
    state = state_of(table)
    dues, read = state.dues(), defaultdict[int, list[Precedent]](list)
    for precedent in precedents(table):
        read[precedent.case].append(precedent)
    cases = state.cases.order_by("number")
    listed = [_line(case, dues, read[case.number]) for case in cases]
    return listed if listed or is_on(table) else None


def whole_case(table: Table, player: Player | None, number: str) -> WholeCaseShape | None:
    """The case of that number as that player may see it, with the first of its texts, or behind a
    point with those from a number on; None where there is none."""
    state = state_of(table)
    number, _, begins = number.partition(".")
    case = state.case_named(number)
    if case is None or (begins and not (begins.isascii() and begins.isdecimal())):
        return None
    first = int(begins[:9] or 1)
    rows = case.texts.filter(number__gte=first).select_related("by").prefetch_related("exhibits")
    texts = fitting(rows.order_by("number")[:_MOST_TEXTS], lambda text: [text.text])
    last = texts[-1].number if texts else first
    is_all = not case.texts.filter(number__gt=last).exists()
    assignments = case.assignments.select_related("judge")
    return {
        **_line(case, state.dues(), read_in(table, case)),
        "texts": [_text(table, player, text) for text in texts],
        "further": None if is_all else f"{case.number}.{last + 1}",
        "judges": [
            {
                "judge": assignment.judge.name,
                "entry": assignment.entry,
                "end": assignment.get_end_display() or None,
                "ended_in": assignment.ended_in,
            }
            for assignment in assignments
        ],
        "consequences": [
            {
                "entry": consequence.deed,
                "attached_by": consequence.player.name,
                "attached_in": consequence.entry,
            }
            for consequence in case.consequences.select_related("player")
        ],
        "motions": _motions(table, case),
    }


def _line(case: Case, dues: Mapping[str, datetime], read: Sequence[Precedent]) -> CaseShape:
    due = None if case.verdict else dues.get(str(case.number))
    return {
        "number": case.number,
        "statement": case.statement,
        "caller": case.caller.name,
        "barred": case.barred,
        "called_at": iso(case.called_at),
        "entry": case.entry,
        "judge": case.judge.name if case.judge else None,
        "due": iso(due) if due else None,
        "verdict": case.verdict or None,
        "judged_in": case.judged_in,
        "open": not case.verdict,
        "passages": [
            {
                "rule": precedent.title,
                "passage": precedent.passage,
                "ended_in": precedent.ended_in,
                "binds": precedent.binds,
                "played_as": precedent.played_as or None,
                "since": precedent.since,
                "until": precedent.until,
            }
            for precedent in read
        ],
        "annotations": [precedent.annotation for precedent in read],
    }


def _text(table: Table, player: Player | None, text: CaseText) -> CaseTextShape:
    return {
        "number": text.number,
        "kind": text.kind,
        "by": text.by.name,
        "text": text.text,
        "verdict": text.verdict or None,
        "entry": text.entry,
        "overturned_by": text.overturned_by or None,
        "overturned_in": text.overturned_in,
        "evidence": [
            {"title": exhibit.title, "passage": exhibit.passage, "url": exhibit.url}
            for exhibit in seen(table, player, text.exhibits.all())
        ],
    }


def _motions(table: Table, case: Case) -> list[MotionShape]:
    """The motions that may open the case again now; none while it is open."""
    state = state_of(table)
    reopenings = unless_broken(lambda: state.reopenings(case), [])
    return [
        {
            "motion": reopening.motion.name,
            "asked_by": reopening.asked_by,
            "missing": reopening.missing,
        }
        for reopening in reopenings
    ]
