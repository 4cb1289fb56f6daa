"""Pieces of evidence as somebody sees them: what they are called, and their pages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models.functions import Left

from nomic.cases.evidence import ENTRY, named
from nomic.cases.fields import RULE
from nomic.cases.models import Exhibit
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.charts import cut
from nomic.rulebook.passages import words_of
from nomic.web.game_context import address_of, public_rule_url

_SHOWN = 300  # characters of an entry


@dataclass(frozen=True, slots=True)
class SeenExhibit:
    """A piece of evidence as somebody sees it: what it is called, its words, its page; and those of
    a rule as a page quotes them."""

    title: str
    passage: str
    url: str
    quoted: str = ""


def seen(table: Table, viewer: Player | None, rows: Iterable[Exhibit]) -> list[SeenExhibit]:
    """Those of these pieces of evidence that the viewer may see; the entries in one query."""
    exhibits = [*rows]
    numbers = {row.evidence for row in exhibits if row.kind == ENTRY}
    texts: dict[int, str] = {}
    if numbers:
        entries = table.game.entries.filter(seq__in=numbers)
        beginnings = entries.values_list("seq", Left("text", _SHOWN + 1))
        texts = {seq: cut(text, _SHOWN) for seq, text in beginnings}
    visible = (_as_seen(table, viewer, row, texts) for row in exhibits)
    return [exhibit for exhibit in visible if exhibit is not None]


def _as_seen(
    table: Table, viewer: Player | None, row: Exhibit, texts: Mapping[int, str]
) -> SeenExhibit | None:
    slug = table.game.slug
    if row.kind == ENTRY:
        number = row.evidence
        begins = texts.get(number) if number is not None else None
        if begins is None or number is None:
            return None
        return SeenExhibit(f"Entry {number}", begins, address_of("entry", slug, number))
    if row.kind == RULE:
        url = public_rule_url(table, row.name)
        return SeenExhibit(f"Rule “{row.name}”", row.passage, url, words_of(row.passage))
    trace = named(table, viewer, row.kind, row.name)
    return SeenExhibit(trace.text, trace.title, trace.url) if trace else None
