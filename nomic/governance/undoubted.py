"""Reports that become true when nobody doubts them: what they declare, and how that stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Sum

from nomic.engine.subgames import keeper_of
from nomic.engine.table import Table
from nomic.games.refusal import Refusal
from nomic.governance.corrections import CORRECTION
from nomic.governance.recalculation.ratification import (
    RECALCULATION,
    Makes,
    changes_in_words,
    debts_as_sentence,
    made_now,
    make_balances,
    only_balances,
)
from nomic.governance.reports import UNDOUBTED, Report
from nomic.ledger.models import Asset, AssetKind, AssetVisibility, Posting
from nomic.record.models import Entry
from nomic.rulebook.charts import RuleTable
from nomic.rulebook.tables import TableBroken, find_table

WHY = "an undoubted report"
_MOST = 10**9
_PLAYER = "Player"
_PUT_RIGHT = (WHY, RECALCULATION, CORRECTION)  # what may have made already what a report declares

type Balance = tuple[str, str, int, int]  # holder, asset, how much it was, how much is declared


def declared(table: Table, report: Report, text: str, called: str) -> Refusal | list[Balance]:
    """The balances that a text, which is `called` so, declares as that report, where they are
    otherwise than the game has them; or why it cannot be read."""
    balances: list[Balance] = []
    public = Asset.objects.filter(game=table.game, visibility=AssetVisibility.PUBLIC)
    assets = {asset.name: asset for asset in public.filter(kind=AssetKind.CURRENCY)}
    players = set(table.directory.players)
    for column, name in report.balances.items():
        asset = assets.get(name)
        if asset is None or keeper_of(table.game, asset) != report.office_in(table.game):
            continue
        try:
            chart = find_table(text, _PLAYER, column)
            if chart is None:
                continue
            rows = RuleTable(called, (_PLAYER, column), chart.by(_PLAYER))
            figures = {row: rows.whole(row, column, most=_MOST) for row in rows.rows}
        except TableBroken as broken:
            return Refusal("unreadable", f"The table of {called} cannot be read. {broken}")
        if stranger := next((row for row in figures if row not in players), ""):
            sentence = f"{called} names {stranger[:40]}, who does not play here."
            return Refusal("no_such_player", sentence)
        held = table.ledger.balances(name)
        balances += [
            (player, name, held.get(player, 0), amount)
            for player, amount in figures.items()
            if held.get(player, 0) != amount
        ]
    return balances


def still_declared(table: Table, entry: Entry) -> Makes:
    """The changes that the report which this entry published would make now: what was put right
    since is not made again, and what is not there any more is left out."""
    balances: list[tuple[str, str, int, int]] = []
    holders = set(table.directory.holders)
    assets = set(table.game.assets.values_list("name", flat=True))
    for name, asset, before, after in entry.outcome.get("declares", ()):
        holder = table.directory.former.get(name, name)
        if holder not in holders or asset not in assets:
            continue
        since = Posting.objects.filter(
            transfer__game=table.game,
            transfer__entry__gt=entry.seq,
            transfer__why__in=_PUT_RIGHT,
            holder__name=holder,
            asset__name=asset,
        )
        put_right = since.aggregate(sum=Sum("amount"))["sum"] or 0
        if before + put_right != after:
            balances.append((holder, asset, before + put_right, after))
    return only_balances(balances)


def become_true(table: Table, entry: Entry) -> tuple[str, Mapping[str, Any]]:
    """Make true what the report declares that this entry published, in the entry that is being
    made: what is said of it, and the figures of that."""
    makes = still_declared(table, entry)
    declared_now = made_now(table, makes)
    changes = changes_in_words(table, declared_now)
    owed = debts_as_sentence(table, makes)
    if changes:
        make_balances(table, makes, WHY)
    text = f" By it {'; '.join(changes)}.{owed}" if changes else " It changes no balance."
    return text, {
        "entry": entry.seq,
        "report": entry.outcome["report"],
        "made": declared_now["balances"],
    }


@dataclass(frozen=True, slots=True)
class Standing:
    """How a published report stands that could become true: when, whether it was doubted, the entry
    in which it became true, and what it would make, each in words."""

    due: datetime
    is_doubted: bool
    became_true: int | None
    would_make: list[str]


def standing_of(table: Table, entry: Entry, *, is_doubted: bool) -> Standing | None:
    """How the report stands that this entry published; None where no rule lets it become true."""
    due = entry.outcome.get("undoubted")
    if not due:
        return None
    true = table.game.entries.filter(name=UNDOUBTED, outcome__entry=entry.seq)
    became_true = true.values_list("seq", flat=True).first()
    is_open = became_true is None and not is_doubted
    makes = still_declared(table, entry) if is_open else only_balances([])
    words = changes_in_words(table, made_now(table, makes))
    return Standing(datetime.fromisoformat(due), is_doubted, became_true, words)
