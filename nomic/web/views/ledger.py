"""The ledger: who has what, each holder's statement, and any balance at any past moment."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from nomic.engine.actions import find_action, legality
from nomic.engine.directory import open_holders, open_postings
from nomic.engine.rule_switches import rule_switches
from nomic.games.clock import read_moment
from nomic.games.models import Game
from nomic.games.seating import seat_called
from nomic.governance.switches import SET_SWITCH, keeper_of_switch
from nomic.ledger.models import (
    Asset,
    AssetKind,
    AssetVisibility,
    Balance,
    Holder,
    HolderKind,
    Posting,
)
from nomic.record.models import Entry
from nomic.web.game_context import GamePage, open_game, query_word
from nomic.web.paging import number_asked

A_PAGE = 50


@require_safe
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """Every holder's balances of the public assets, a page of holders at a time."""
    game_page = open_game(request, slug)
    after = query_word(request, "after")
    holders = open_holders(game_page.game).exclude(kind=HolderKind.MINT)
    page_and_next = list(holders.filter(name__gt=after).order_by("name")[: A_PAGE + 1])
    shown = page_and_next[:A_PAGE]
    balances = _balances_now(shown)
    currencies = game_page.table.ledger.public_assets(AssetKind.CURRENCY)
    rows = []
    for holder in shown:
        held = balances.get(holder.pk, {})
        amounts = [held.get(asset, 0) for asset in currencies]
        things = sorted(asset.name for asset in held if asset.kind == AssetKind.UNIQUE)
        rows.append({"holder": holder, "amounts": amounts, "things": things})
    return game_page.draw(
        "web/ledger/ledger.html",
        currencies=currencies,
        switches=rule_switches(game_page.table).by_key,
        rows=rows,
        after=shown[-1].name if len(page_and_next) > A_PAGE else "",
    )


def _balances_now(holders: Iterable[Holder]) -> dict[int, dict[Asset, int]]:
    held: dict[int, dict[Asset, int]] = {}
    public = Balance.objects.filter(
        holder__in=list(holders), asset__visibility=AssetVisibility.PUBLIC
    )
    rows = public.exclude(amount=0).select_related("asset")
    for row in rows:
        held.setdefault(row.holder_id, {})[row.asset] = row.amount
    return held


@require_safe
def switches(request: HttpRequest, slug: str) -> HttpResponse:
    """The switches that rules declare by tables: how each stands, and where it is set."""
    game_page = open_game(request, slug)
    table, act = game_page.table, find_action(SET_SWITCH)
    player = game_page.player if game_page.seated else None
    may_act = player is not None and legality(act, table, player, {}) is None
    name = player.name if player else ""
    rows = []
    for switch in rule_switches(table).by_key.values():
        held = switch.held(table)
        by_value: dict[str, list[str]] = {}
        for subject, value in held.items():
            by_value.setdefault(value, []).append(subject)
        default = switch.declared.default
        others = sorted(by_value.items(), key=lambda standing: standing[0] == default)
        lines = [(value, subjects[:A_PAGE], len(subjects[A_PAGE:])) for value, subjects in others]
        keeper = keeper_of_switch(table, switch)
        # Nobody's switch is set with the players' support, whoever announces it.
        is_theirs = table.directory.offices.get(keeper, "") in ("", name)
        rows.append(
            {
                "switch": switch,
                "keeper": keeper,
                "standing": lines,
                "may_set": is_theirs and may_act,
            }
        )
    return game_page.draw("web/ledger/switches.html", rows=rows, act=act.name)


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A posting as a statement shows it, with the balance after it."""

    posting: Posting
    entry: Entry | None
    balance: int | None

    @property
    def unit(self) -> str:
        """The name of the asset, in the singular or plural as the amount has it."""
        asset = self.posting.asset
        return asset.singular if abs(self.posting.amount) == 1 else asset.plural


@require_safe
def statement(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One holder's postings, newest first, of one asset with a running balance, or of all.

    `at` is a game moment: the balances are then those of that moment.
    """
    game_page = open_game(request, slug)
    holder, assets = holder_called(game_page.game, name), public_assets(game_page)
    if holder.name != name:  # they go by another name now
        return redirect("statement", slug, holder.name)
    chosen = next((asset for asset in assets if asset.name == query_word(request, "asset")), None)
    typed, at, complaint = request.GET.get("at", ""), None, ""
    try:
        at = read_moment(typed) if typed else None
    except ValueError as error:
        complaint = str(error)
    before = number_asked(request, "before")
    lines, older = statement_lines(game_page, holder, chosen, before)
    return game_page.draw(
        "web/ledger/statement.html",
        holder=holder,
        balances=balances_at(game_page, holder, assets, at),
        assets=assets,
        chosen=chosen,
        at=at,
        at_said=typed,
        complaint=complaint,
        lines=lines,
        older=older,
    )


def holder_called(game: Game, name: str) -> Holder:
    """The holder of that name in the game's ledger, or the player who went by it; raises
    Http404."""
    holders = open_holders(game).exclude(kind=HolderKind.MINT)
    # PostgreSQL refuses a text with NUL as an error, where this is a name that nobody has.
    holder = holders.filter(name=name.replace("\0", "")).first()
    if holder is None and (renamed := seat_called(game, name)):
        holder = holders.filter(player=renamed).first()
    if holder is None:
        raise Http404(f"Nobody in this game’s ledger goes by “{name[:60]}”.")
    return holder


def public_assets(game_page: GamePage) -> list[Asset]:
    """What may be owned of which everybody is told: currencies, then unique things."""
    ledger = game_page.table.ledger
    return [*ledger.public_assets(AssetKind.CURRENCY), *ledger.public_assets(AssetKind.UNIQUE)]


def balances_at(
    game_page: GamePage, holder: Holder, assets: list[Asset], at: datetime | None
) -> list[tuple[Asset, int]]:
    """The holder's balances now, or as the record stood at a game moment."""
    if at is None:
        held = _balances_now([holder]).get(holder.pk, {})
        return [(asset, held[asset]) for asset in assets if asset in held]
    last = game_page.game.entries.filter(at__lte=at).order_by("-seq").values_list("seq", flat=True)
    opened = game_page.game.sealed_entries.filter(opened_in__isnull=False, at__lte=at).values("seq")
    sums = dict(
        Posting.objects.filter(
            Q(transfer__entry__lte=last.first() or 0) | Q(transfer__sealed__in=opened),
            holder=holder,
            transfer__game=game_page.game,
        )
        .values_list("asset")
        .annotate(total=Sum("amount"))
    )
    return [(asset, sums[asset.pk]) for asset in assets if sums.get(asset.pk)]


def statement_lines(
    game_page: GamePage, holder: Holder, chosen: Asset | None, before: int | None
) -> tuple[list[StatementLine], int | None]:
    """A page of the statement, and how many lines are older than that.

    `before` is such a number: of lines that all can count, and of nothing else.
    """
    postings = open_postings(game_page.game).filter(holder=holder)
    if chosen is not None:
        postings = postings.filter(asset=chosen)
    last = postings.count() if before is None else before
    first = max(last - A_PAGE, 0)
    oldest_first = postings.select_related("asset", "transfer").order_by("pk")
    shown = list(oldest_first[first:last])[::-1]
    public_entries = game_page.game.entries.filter(seq__in={posting.told_in for posting in shown})
    entries = {entry.seq: entry for entry in public_entries}
    balance: int | None = None
    if chosen is not None and shown:
        balance = postings.filter(pk__lte=shown[0].pk).aggregate(total=Sum("amount"))["total"]
    lines = []
    for posting in shown:
        lines.append(StatementLine(posting, entries.get(posting.told_in), balance))
        balance = None if balance is None else balance - posting.amount
    return lines, first or None
