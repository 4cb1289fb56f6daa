"""Downloads of a game: its rulebook, and what is made while it is sent: its record, its ledger; of
one that the viewer hosts more, and of one that its operator has published all."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models.fields.json import KeyTransform
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from nomic.engine.directory import open_postings
from nomic.engine.subgames import rulemakers
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.record.game_file import in_order
from nomic.rulebook.formats.values import (
    OF_SITE,
    Brought,
    BroughtRule,
    Category,
    EarlierText,
    PastChange,
)
from nomic.rulebook.formats.writing import as_json, as_markdown, as_zip
from nomic.rulebook.limits import CLASS_RULE, IMMUTABLE
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.text_cache import BEGINS, committed_rules
from nomic.web.game_context import GamePage, open_game
from nomic.web.hosting.host import is_host
from nomic.web.proof.receipts import all_acts, receipt
from nomic.web.proof.streaming import as_file, sent, the_file
from nomic.web.record_shapes import Entry, OpenedEntry

_AT_ONCE = 500  # rows that one query reads
_LEDGER = ("entry", "at", "holder", "asset", "amount")
_RULEBOOKS = {
    "zip": (as_zip, "application/zip"),
    "md": (as_markdown, "text/markdown; charset=utf-8"),
    "json": (as_json, "application/json; charset=utf-8"),
}


@require_safe
@never_cache
def rulebook_file(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The rulebook in a shape in which it would come in: YAML in a zip, Markdown or JSON."""
    game = open_game(request, slug).game
    if kind not in _RULEBOOKS:
        raise Http404(f"A rulebook is told as {', '.join(_RULEBOOKS)}, and not as {kind[:20]}.")
    return rulebook_as(game, kind)


def rulebook_as(game: Game, kind: str) -> HttpResponse:
    """The file of the rulebook in one of these shapes."""
    write, content_type = _RULEBOOKS[kind]
    answer = HttpResponse(write(rulebook_of(game)), content_type=content_type)
    return as_file(answer, f"{game.slug}-rules.{kind}")


@require_safe
@never_cache
def record_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The public record, an entry of JSON a line."""
    return record_as_file(open_game(request, slug).game)


def record_as_file(game: Game) -> StreamingHttpResponse:
    """The public record as a file, an entry of JSON a line."""
    lines = map(_line, _public_entries(game))
    return sent(lines, f"{game.slug}-record.jsonl", "application/x-ndjson")


@require_safe
@never_cache
def ledger_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The public postings as CSV."""
    return ledger_as_file(open_game(request, slug).game)


def ledger_as_file(game: Game) -> StreamingHttpResponse:
    """The public postings as a CSV file."""
    return sent(ledger_lines(game), f"{game.slug}-ledger.csv", "text/csv")


@require_safe
@never_cache
def whole_game(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The file of a game that its operator has published."""
    return the_file(open_game(request, slug).game)


@require_safe
@never_cache
@login_required
def running_game(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The running game as its host may see it: what is public, and the host's own sealed acts."""
    game_page = open_game(request, slug)
    if not is_host(game_page):
        raise PermissionDenied("Only the host of this game takes it along while it is played.")
    return running_game_as_file(game_page)


def running_game_as_file(game_page: GamePage) -> StreamingHttpResponse:
    """The running game as a file, with the sealed acts of the host whose page that is."""
    game, player = game_page.game, game_page.player
    acts = all_acts(game, player) if player is not None else ()
    own_receipts = (receipt(game, act) for act in acts if act.sealed is not None)
    lines = running_lines(game, own_receipts)
    return sent(lines, f"{game.slug}-{game.last_entry}.jsonl", "application/x-ndjson")


def is_brought(rule: Rule) -> bool:
    """Whether it came in from elsewhere, right after the game had begun."""
    return rule.by_people and rule.enacted_in == BEGINS + 1


def rulebook_of(game: Game) -> Brought:
    """The public rules as they would come in elsewhere: what was told of them before this game, and
    after it what happened here. The same few queries however many there are."""
    rules = list(game.rules.filter(visibility="public"))
    versions: dict[int, list[RuleVersion]] = {}
    for version in RuleVersion.objects.filter(rule__in=rules).order_by("number"):
        versions.setdefault(version.rule_id, []).append(version)
    entries = {version.enacted_in for history in versions.values() for version in history}
    entries |= {rule.repealed_in for rule in rules if rule.repealed_in}
    traces: dict[int, list[str]] = {}
    for rulemaker in rulemakers():
        for trace in rulemaker.traces(game, entries):
            traces.setdefault(trace.entry, []).append(trace.text)
    moments = game.entries.filter(seq__in=entries).values_list("seq", "at")
    days_and_causes = {
        seq: (iso(at)[:10], ", ".join([*traces.get(seq, ()), f"entry {seq}"]))
        for seq, at in moments
    }
    names = {rule.pk: rule.number or rule.title for rule in rules if rule.repealed_in is None}
    brought = _brought(game)
    by_pk = sorted((rule for rule in rules if is_brought(rule)), key=lambda rule: rule.pk)
    came = dict(zip((rule.pk for rule in by_pk), (*brought.repealed, *brought.rules), strict=False))
    is_classed = committed_rules(game).known(CLASS_RULE) is not None
    pairs = []
    for rule in rules:
        came_class = came[rule.pk].rule_class if is_classed and rule.pk in came else None
        exported = _exported_rule(
            rule, versions.get(rule.pk, []), days_and_causes, names, came_class
        )
        if came.get(rule.pk) == exported:  # nothing of it was changed since it came
            exported = came[rule.pk]
        elif rule.origin:
            exported = replace(exported, category=OF_SITE)
        pairs.append((rule, exported))
    return Brought(
        tuple(exported for rule, exported in pairs if rule.repealed_in is None),
        tuple(exported for rule, exported in pairs if rule.repealed_in is not None),
        categories=brought.categories,
        index=brought.index,
    )


def _brought(game: Game) -> Brought:
    """The rulebook as it came in from elsewhere; nothing where none did."""
    inputs = game.entries.filter(seq=BEGINS + 1).values_list("inputs", flat=True).first() or {}
    return Brought.of(inputs) if "rules" in inputs else Brought()


def categories_of(game: Game) -> tuple[Category, ...]:
    """What came in from elsewhere with the categories of rules, and with all of them."""
    entry = game.entries.filter(seq=BEGINS + 1)
    facts = entry.values_list(KeyTransform("categories", "inputs"), flat=True).first()
    return tuple(Category(**category) for category in facts or ())


def _exported_rule(
    rule: Rule,
    versions: list[RuleVersion],
    days_and_causes: dict[int, tuple[str, str]],
    names: dict[int, str],
    came_class: str | None,
) -> BroughtRule:
    origin = rule.told or {}
    before = BroughtRule.of(
        {"number": rule.number, "title": rule.title, "text": rule.text, **origin}
    )
    history, earlier = list(before.history), list(before.versions)

    def note(entry: int, change: str) -> None:
        day, by = days_and_causes[entry]
        history.append(PastChange(day, change, by))

    if versions and not is_brought(rule):
        note(versions[0].enacted_in, "enactment")
    for old, new in pairwise(versions):
        if old.rule_class != new.rule_class:
            note(new.enacted_in, f"transmutation (is {new.rule_class})")
        if old.text != new.text:
            note(new.enacted_in, "amendment")
        elif old.title != new.title:
            note(new.enacted_in, f"retitling (was {old.title})")
        earlier.append(EarlierText(days_and_causes[new.enacted_in][0], old.title, old.text))
    if rule.repealed_in and rule.repealed_in != rule.enacted_in:
        note(rule.repealed_in, "repeal")
    return BroughtRule(
        number=rule.number,
        title=rule.title,
        text=rule.text,
        power=rule.shown_power,
        category=before.category,
        parent=names.get(rule.parent_id or 0, ""),
        history=tuple(history),
        annotations=before.annotations,
        versions=tuple(earlier),
        more=before.more,
        rule_class=rule.shown_class if came_class is None else _class_now(rule, came_class),
        markup=before.markup,
    )


def _class_now(rule: Rule, came_class: str) -> str:
    """The class of a rule that came in as of another, as it was written unless it has changed."""
    is_as_it_came = (came_class.casefold() == IMMUTABLE) == (rule.rule_class == IMMUTABLE)
    return came_class if is_as_it_came else rule.rule_class


def _public_entries(game: Game) -> Iterator[dict[str, Any]]:
    """The entries of the public record as the API tells them."""
    rows = game.entries.filter(seq__lte=game.last_entry).order_by("seq")
    return (Entry.from_orm(entry).dict() for entry in in_order(rows))


def running_lines(game: Game, own_receipts: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The running game as one who hosts it may see it: a head, the public record, what was opened
    of the sealed books, the `own` receipts of who asks, and an end. No secret of the dice, and of
    what others keep sealed not even how much it is."""
    yield _line(
        {
            "format": "nomic running game 1",
            "slug": game.slug,
            "title": game.title,
            "identity": game.identity,
            "preset": game.preset,
            "entries": game.last_entry,
        }
    )
    for entry in _public_entries(game):
        yield _line({"entry": entry})
    opened = game.sealed_entries.filter(opened_in__lte=game.last_entry)
    for sealed in in_order(opened.order_by("seq")):
        yield _line({"opened": OpenedEntry.from_orm(sealed).dict()})
    for own_receipt in own_receipts:
        yield _line({"own": own_receipt})
    yield _line({"end": {"entries": game.last_entry, "hash": game.record_head}})


def _line(content: object) -> str:
    return json.dumps(content, sort_keys=True, ensure_ascii=False) + "\n"


def ledger_lines(game: Game) -> Iterator[str]:
    """The public postings as CSV, in the order of the record: who got or lost how much of what."""
    yield _csv(_LEDGER)
    moments: dict[int, str] = {}
    rows = open_postings(game).select_related("holder", "asset").order_by("told_in", "pk")
    for posting in rows.iterator(chunk_size=_AT_ONCE):
        seq = posting.told_in
        if seq not in moments:
            next_entries = game.entries.filter(seq__gte=seq).order_by("seq")[:_AT_ONCE]
            moments = {number: iso(at) for number, at in next_entries.values_list("seq", "at")}
        amount = posting.amount
        yield _csv((seq, moments.get(seq, ""), posting.holder.name, posting.asset.name, amount))


def _csv(row: Iterable[object]) -> str:
    buffer = io.StringIO()
    # So written that no spreadsheet takes a cell for a formula.
    cells = (
        f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell for cell in row
    )
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()
