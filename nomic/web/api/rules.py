"""The rulebook: every rule in force with its current text, who carries out what it says, and what
programs of rules may stand beside and add."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from ninja.params.functions import Query

from nomic.engine.coverage import rule_marks
from nomic.engine.programs.descriptions import (
    added_beside,
    added_by,
    hookable_names,
    switched_off,
)
from nomic.engine.programs.hooks import all_decisions
from nomic.engine.programs.in_force import programs_beside_rules
from nomic.engine.subgames import PassageNote, passage_notes
from nomic.engine.table import Table, glance
from nomic.games.bounds import LIST_LINES
from nomic.games.models import Game
from nomic.governance.powers import is_about, unread_rules
from nomic.rulebook.coverage.marks import Mark, as_of
from nomic.rulebook.last_readable import Unread
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.passages import fingerprint
from nomic.rulebook.rendering.diff import Differences
from nomic.web.api import shapes
from nomic.web.api.messages import a_page, link_to_next
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, the_game, the_page, the_record_of
from nomic.web.game_context import rule_key
from nomic.web.views.rules import history, versions_of

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
        **_columns(rule),
        "passages": passages,
        "gone": list(dict.fromkeys(parts)),
        "unread": str(own_unread[0]) if own_unread else "",
    }


def _columns(rule: Rule) -> dict[str, Any]:
    return {name: getattr(rule, name) for name in shapes.Rule.model_fields if hasattr(rule, name)}


@router.get(
    f"{GAME}/rules/{{name}}",
    response=reading(shapes.WholeRule),
    by_alias=True,
    exclude_unset=True,
)
def rule(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    name: str,
    before: int | None = Query(
        None, ge=1, le=HIGHEST, description="Of its history only versions before this number"
    ),
) -> dict[str, Any]:
    """One rule with its history: by its number, its title in small letters with hyphens, or its
    `key`; of several that go by the same, the one in force."""
    page = the_page(request, slug)
    public_rule, table = _rule_called(page.game, name), page.table
    newest_first = versions_of(public_rule, before)
    versions = list(newest_first[: LIST_LINES.count])
    if versions and versions[-1].number > 1:
        link_to_next(request, response, versions[-1].number, "before")
    changes = history(page, public_rule, versions, whole=before is None)
    subrules = public_rule.subrules.filter(visibility="public", repealed_in=public_rule.repealed_in)
    if public_rule.repealed_in is None:
        description = _described(
            table, public_rule, unread_rules(table), passage_notes(table, [public_rule.pk])
        )
    else:
        description = {**_columns(public_rule), "passages": [], "gone": [], "unread": ""}
    return {
        **description,
        "key": rule_key(public_rule.title, public_rule.pk),
        "repealed_in": public_rule.repealed_in,
        "disclosed_in": public_rule.disclosed_in,
        "subrules": list(subrules.values_list("title", flat=True)),
        "told": public_rule.told or {},
        "history": [
            {
                "verb": change.verb,
                "version": change.version and change.version.number,
                "title": change.version and change.version.title,
                "entry": change.entry,
                "at": change.at,
                "by": [{"text": trace.text, "url": trace.url} for trace in change.by],
            }
            for change in changes
        ],
    }


@router.get(
    f"{GAME}/rules/{{name}}/versions/{{int:number}}",
    response=reading(shapes.RuleVersion),
    by_alias=True,
)
def rule_version(request: HttpRequest, slug: str, name: str, number: int) -> RuleVersion:
    """A version of a rule, whole."""
    return _version(_rule_called(the_game(request, slug), name), number)


@router.get(
    f"{GAME}/rules/{{name}}/differences", response=reading(shapes.Difference), by_alias=True
)
def rule_differences(
    request: HttpRequest,
    slug: str,
    name: str,
    older: int = Query(..., alias="from", ge=1, le=HIGHEST, description="A version's number"),
    newer: int = Query(..., alias="to", ge=1, le=HIGHEST, description="Another one's"),
) -> dict[str, Any]:
    """The difference of two versions of a rule, by line, and within lines by word. Where the texts
    are too long to compare, whole stretches count as replaced."""
    public_rule = _rule_called(the_game(request, slug), name)
    before, after = (_version(public_rule, number).text for number in (older, newer))
    lines = [line for line in Differences().pieces(before, after) if not isinstance(line, int)]
    return {"older": older, "newer": newer, "lines": lines}


def _version(rule: Rule, number: int) -> RuleVersion:
    version = rule.versions.filter(number=number).first()
    if version is None:
        raise Http404(f"“{rule.title}” has had {rule.version} versions: there is no {number}.")
    return version


def _rule_called(game: Game, handle: str) -> Rule:
    """The public rule that goes by that; raises Http404."""
    public = game.rules.filter(visibility="public").select_related("parent")
    in_force_first = public.order_by(F("repealed_in").desc(nulls_first=True), "position")
    names = in_force_first.values_list("pk", "number", "title")
    keys = [
        pk
        for pk, number, title in (names if handle.isprintable() else ())
        if handle in (number, slugify(title))
    ]
    if not keys and (page := handle.rpartition("-")[2]).isdecimal():
        keys = list(public.filter(pk=int(page[:18])).values_list("pk", flat=True))
    if not keys:
        raise Http404(f"No rule goes by “{handle[:60]}” here. GET …/rules lists those in force.")
    return public.get(pk=keys[0])


@router.get(f"{GAME}/machinery", response=reading(shapes.Machinery))
def machinery(request: HttpRequest, slug: str) -> dict[str, Any]:
    """What a program of a rule may run before or after here, and what the programs of the rules in
    force add, and behind them those of contracts."""
    table = glance(the_game(request, slug))
    return {
        "hooks": hookable_names(table),
        "decisions": list(all_decisions()),
        "programs": [*added_by(table), *added_beside(table, programs_beside_rules(table))],
        "switched_off": switched_off(table),
    }
