"""The rulebook: every rule in force with its current text, who carries out what it says, and what
programs of rules may stand beside and add."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja.params.functions import Query

from nomic.engine.coverage import rule_marks
from nomic.engine.programs.descriptions import added_by, hookable_names, switched_off
from nomic.engine.programs.hooks import all_decisions
from nomic.engine.subgames import PassageNote, passage_notes
from nomic.engine.table import Table, glance
from nomic.governance.powers import is_about, unread_rules
from nomic.rulebook.coverage.marks import Mark, as_of
from nomic.rulebook.last_readable import Unread
from nomic.rulebook.models import Rule
from nomic.rulebook.passages import fingerprint
from nomic.web.api import shapes
from nomic.web.api.messages import a_page
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, the_game, the_record_of

router = room("rulebook")


@router.get(
    f"{GAME}/rules",
    response=reading(list[shapes.Rule]),
    by_alias=True,
    exclude_unset=True,
)
def rules(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only rules after so many of them"),
) -> list[dict[str, Any]]:
    """The rules in force, in the order of the rulebook. `parent` is the title of the rule of which
    it is a subrule. Of a rulebook that is too long for one answer, the header Link names the
    address of the rest."""
    game = the_record_of(request, slug)
    table = glance(game)
    in_force = game.rules.filter(repealed_in__isnull=True, visibility="public")
    rows = in_force.select_related("parent")
    unread = unread_rules(table)
    notes = defaultdict[int, list[PassageNote]](list)
    for note in passage_notes(table):
        notes[note.rule].append(note)
    described = (_described(table, rule, unread, notes[rule.pk]) for rule in rows[after:])
    return a_page(request, response, described, after)


def _described(
    table: Table, rule: Rule, unread: Sequence[Unread], notes: Sequence[PassageNote]
) -> dict[str, Any]:
    own_unread = [unread_rule for unread_rule in unread if is_about(table, unread_rule, rule.pk)]
    marks = rule_marks(table, table.rules.find(rule.pk))
    marks = as_of(marks, own_unread[0].text) if own_unread else marks
    passages = []
    for marked in marks.passages:
        by = marked.mark
        if marked.is_unfitted:
            by = Mark.BUILT_IN if marked.parts else Mark.PEOPLE
        elif by is Mark.CLAIMED:
            by = Mark.PROGRAM
        elif by is Mark.UNREAD:
            by = Mark.CLAUSE if marked.is_said else Mark.TABLE
        text = marked.passage.text if marked.passage else ""
        fits = marked.mark not in (Mark.UNFITTED, Mark.UNREAD, Mark.CLAIMED)
        described: dict[str, Any] = {"text": text, "by": str(by), "fits": fits}
        if marked.mark is Mark.CLAIMED:
            described["claimed"] = True
        if not fits:
            described["key"] = marked.key
        if marked.parts:
            described["parts"] = list(marked.parts)
        key = fingerprint(text) if notes else ""
        if own := [note for note in notes if note.key == key and not note.has_ended]:
            described["notes"] = [
                {"label": note.label, "text": note.text, "url": note.url} for note in own
            ]
        passages.append(described)
    parts = (part for marked in marks.gone if marked.is_unfitted for part in marked.parts)
    return {
        **{name: getattr(rule, name) for name in shapes.Rule.model_fields if hasattr(rule, name)},
        "passages": passages,
        "gone": list(dict.fromkeys(parts)),
        "unread": str(own_unread[0]) if own_unread else "",
    }


@router.get(f"{GAME}/machinery", response=reading(shapes.Machinery))
def machinery(request: HttpRequest, slug: str) -> dict[str, Any]:
    """What a program of a rule may run before or after here, and what the programs of the rules in
    force add."""
    table = glance(the_game(request, slug))
    return {
        "hooks": hookable_names(table),
        "decisions": list(all_decisions()),
        "programs": added_by(table),
        "switched_off": switched_off(table),
    }
