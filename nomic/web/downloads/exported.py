"""The content of a game's downloads for everybody: its rulebook, its record, its ledger."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from nomic.engine.directory import open_postings
from nomic.engine.subgames import all_subgames, voting_on_rules
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.record.game_file import in_order
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.outside.values import Brought, BroughtRule, Change, Earlier
from nomic.web.api import shapes
from nomic.web.history import is_brought

_AT_ONCE = 500  # rows that one query reads
_LEDGER = ("entry", "at", "holder", "asset", "amount")


def rulebook_of(game: Game) -> Brought:
    """The public rules as they would come in elsewhere: what was told of them before this game, and
    after it what happened here. The same few queries however many there are."""
    rules = list(game.rules.filter(visibility="public"))
    versions: dict[int, list[RuleVersion]] = {}
    for each in RuleVersion.objects.filter(rule__in=rules).order_by("number"):
        versions.setdefault(each.rule_id, []).append(each)
    entries = {each.enacted_in for those in versions.values() for each in those}
    entries |= {rule.repealed_in for rule in rules if rule.repealed_in}
    traces: dict[int, list[str]] = {}
    for subgame in voting_on_rules(all_subgames()):
        for trace in subgame.traces(game, entries):
            traces.setdefault(trace.entry, []).append(trace.text)
    moments = game.entries.filter(seq__in=entries).values_list("seq", "at")
    # The day of each of these entries, and what led to it.
    causes = {
        seq: (iso(at)[:10], ", ".join([*traces.get(seq, ()), f"entry {seq}"]))
        for seq, at in moments
    }
    names = {rule.pk: rule.number or rule.title for rule in rules if rule.repealed_in is None}
    told = [(rule, _as_told(rule, versions.get(rule.pk, []), causes, names)) for rule in rules]
    return Brought(
        tuple(one for rule, one in told if rule.repealed_in is None),
        tuple(one for rule, one in told if rule.repealed_in is not None),
    )


def _as_told(
    rule: Rule,
    versions: list[RuleVersion],
    causes: dict[int, tuple[str, str]],
    names: dict[int, str],
) -> BroughtRule:
    told = rule.told or {}
    before = BroughtRule.of({"number": rule.number, "title": rule.title, "text": rule.text, **told})
    history, earlier = list(before.history), list(before.versions)
    if not is_brought(rule):
        history += [Change(*_at(versions[0], causes, "enactment"))] if versions else []
    for was, now in pairwise(versions):
        what = "amendment" if was.text != now.text else f"retitling (was {was.title})"
        history.append(Change(*_at(now, causes, what)))
        earlier.append(Earlier(causes[now.enacted_in][0], was.title, was.text))
    if rule.repealed_in and rule.repealed_in != rule.enacted_in:
        day, by = causes[rule.repealed_in]
        history.append(Change(day, "repeal", by))
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
    )


def _at(
    version: RuleVersion, causes: dict[int, tuple[str, str]], what: str
) -> tuple[str, str, str]:
    day, by = causes[version.enacted_in]
    return day, what, by


def record_lines(game: Game) -> Iterator[str]:
    """The public record, an entry a line, as the API tells it."""
    rows = game.entries.filter(seq__lte=game.last_entry).select_related("actor").order_by("seq")
    for entry in in_order(rows):
        yield _line(_told(entry))


def running_lines(game: Game, own: Iterable[dict[str, Any]]) -> Iterator[str]:
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
    rows = game.entries.filter(seq__lte=game.last_entry).select_related("actor").order_by("seq")
    for entry in in_order(rows):
        yield _line({"entry": _told(entry)})
    opened = game.sealed_entries.filter(opened_in__lte=game.last_entry).select_related("actor")
    for sealed in in_order(opened.order_by("seq")):
        yield _line({"opened": shapes.OpenedEntry.from_orm(sealed).dict()})
    for receipt in own:
        yield _line({"own": receipt})
    yield _line({"end": {"entries": game.last_entry, "hash": game.record_head}})


def _told(entry: object) -> dict[str, Any]:
    told = shapes.Entry.from_orm(entry).dict()
    return {name: value for name, value in told.items() if name not in ("sealed", "receipt")}


def _line(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False) + "\n"


def ledger_lines(game: Game) -> Iterator[str]:
    """The public postings as CSV, in the order of the record: who got or lost how much of what."""
    yield _csv(_LEDGER)
    moments: dict[int, str] = {}
    rows = open_postings(game).select_related("holder", "asset").order_by("told_in", "pk")
    for posting in rows.iterator(chunk_size=_AT_ONCE):
        seq = posting.told_in
        if seq not in moments:
            some = game.entries.filter(seq__gte=seq).order_by("seq")[:_AT_ONCE]
            moments = {number: iso(at) for number, at in some.values_list("seq", "at")}
        amount = posting.amount
        yield _csv((seq, moments.get(seq, ""), posting.holder.name, posting.asset.name, amount))


def _csv(row: Iterable[object]) -> str:
    into = io.StringIO()
    # So written that no spreadsheet takes a cell for a formula.
    cells = (f"'{one}" if isinstance(one, str) and one[:1] in "=+-@\t\r" else one for one in row)
    csv.writer(into, lineterminator="\n").writerow(cells)
    return into.getvalue()
