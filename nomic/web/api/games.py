"""The games of this site, and the books of each: its record, who owns what, its dice."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Case,
    F,
    Func,
    IntegerField,
    Prefetch,
    QuerySet,
    Subquery,
    TextField,
    When,
)
from django.db.models.functions import Cast, Coalesce
from django.http import HttpRequest, HttpResponse
from ninja import Schema
from ninja.params.functions import Query

from nomic.dice.models import Roll
from nomic.engine.directory import open_holders
from nomic.engine.subgames import find_switch
from nomic.engine.table import Table, glance
from nomic.games.clock import read_moment, wall_now
from nomic.games.models import Game, Player
from nomic.games.powers import offices_of, voters_of
from nomic.governance.breaches import breaches
from nomic.governance.elections import BALLOTS, STANDING, elections_state
from nomic.governance.motion_voting import standings
from nomic.governance.on_behalf import mandates
from nomic.governance.powers import objection_time
from nomic.governance.switches import built_in_switches_held, switches_held
from nomic.ledger.models import Asset, AssetKind, AssetVisibility, Balance, HolderKind
from nomic.web.api import shapes
from nomic.web.api.messages import WrongShape, a_piece, complaint, link_to_next
from nomic.web.api.rooms import (
    AFTER,
    GAME,
    HIGHEST,
    caller_of,
    reading,
    room,
    the_game,
    the_page,
    the_record_of,
)
from nomic.web.demonstration import rests
from nomic.web.views.ledger import balances_at, holder_called, public_assets, statement_lines

MOST = 1000
PERIODS = 200
_MOST_NAMED = 20
MOST_BYTES = 1_000_000
LIMIT: int = Query(MOST, ge=1, description=f"How many at most; {MOST} are the most")

of_games, of_records, of_ledgers, of_dice = map(room, ("games", "record", "ledger", "dice"))


@of_games.get("/games", response=reading(list[shapes.GameLine]))
def games(
    request: HttpRequest,
    response: HttpResponse,
    after: str = Query("", description="Only games whose slug comes after this one"),
    limit: int = LIMIT,
) -> list[dict[str, Any]]:
    """The games of this site, in the order of their slugs; Link names the rest."""
    wall = wall_now()
    shown = Game.objects.seen_by(caller_of(request).user)
    if after.isprintable():
        shown = shown.filter(slug__gt=after)
    limit = min(limit, MOST)
    answer = list(shown.order_by("slug")[: limit + 1])
    if len(answer) > limit:
        link_to_next(request, response, answer[limit - 1].slug)
    return [_line(game, wall) for game in answer[:limit]]


@of_games.get(GAME, response=reading(shapes.Game))
def game(request: HttpRequest, response: HttpResponse, slug: str, after: int = AFTER) -> Any:
    """A game: its clock, its players, its offices, what was announced, and who won it so far."""
    shown = the_game(request, slug)
    wall = wall_now()
    table = glance(shown, wall)
    offices = shown.offices.order_by("name").values_list("name", "holder__name")
    rows = players_told(table, table.game.players.order_by("name"))
    return {
        **_line(shown, wall),
        "next_appointment": next(iter(table.appointments.next(1)), None),
        "players": a_piece(request, response, rows, after),
        "offices": [{"office": name, "holder": holder} for name, holder in offices],
        "seen_by": shown.seen_by.value,
        "joined_by": shown.joined_by.value,
        "voters": voters_of(shown).value,
        "closed": shown.is_closed,
        "offices_by": str(offices_of(shown)),
        "objection_hours": objection_time(table) // timedelta(hours=1),
        "motions": standings(table, None),
        "mandates": [
            {"by": by, "to": agent, "acts": acts}
            for by, lets in mandates(table).items()
            for agent, acts in lets.items()
        ],
        "breaches": breaches(shown),
        "wins": shown.wins.select_related("player"),
    }


def players_told(table: Table, players: QuerySet[Player]) -> list[dict[str, Any]]:
    """These players of the game as the API tells them in few words."""
    has_vested = bool(find_switch("Vested").subjects(table))  # else nobody is told to be
    columns = ("name", "active", "away_until", "vested", "bot")
    is_away = Case(When(away_in=None, then=False), default=True)
    rows = players.values(*columns, away=is_away)
    return [{**row, "vested": row["vested"] if has_vested else None} for row in rows]


def _line(game: Game, wall: datetime) -> dict[str, Any]:
    computed = {"now": game.now(wall), "rests": rests(game)}
    columns = shapes.GameLine.model_fields.keys() - computed.keys()
    return {**{name: getattr(game, name) for name in columns}, **computed}


@of_records.get(f"{GAME}/record", response=reading(shapes.Record))
def record(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only entries after this number"),
    limit: int = LIMIT,
) -> dict[str, Any]:
    """Entries of the record after a number, oldest first.

    A page may end before its limit: where its entries come to about a megabyte. Ask again after
    the last one you got, until it is the `last` that there is; Link names that address.
    """
    game = the_record_of(request, slug)
    entries = game.entries.filter(seq__gt=after, seq__lte=game.last_entry)
    page = list(page_within_bytes(entries.order_by("seq"), min(limit, MOST)))
    if page and page[-1].seq < game.last_entry:
        link_to_next(request, response, page[-1].seq)
    return {"entries": page, "last": game.last_entry}


@of_records.get(f"{GAME}/record/opened", response=reading(shapes.Opened))
def opened(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only sealed entries after this number"),
    limit: int = LIMIT,
    book: str = Query("", description="Of that sealed book; without it the first of all of them"),
) -> dict[str, Any]:
    """Sealed entries that have been opened, in their order, with all that their hashes are of.

    Numbers count in each book by itself: name the book to go on, where Link names the rest.
    """
    game = the_record_of(request, slug)
    entries = game.sealed_entries.filter(opened_in__isnull=False, number__gt=after)
    named = entries.filter(book=book) if book else entries
    ordered = named.order_by("book", "number")
    page = list(page_within_bytes(ordered, min(limit, MOST)))
    if page and book and named.filter(number__gt=page[-1].number).exists():
        link_to_next(request, response, page[-1].number)
    return {"entries": page}


class _Octets(Func):
    function = "octet_length"
    output_field = IntegerField()


def page_within_bytes(entries: QuerySet[Any], limit: int) -> QuerySet[Any]:
    """The first of these, in their order, that a page holds: one at least."""
    # The database adds the sizes up: what the page has no room for is never read.
    size = _Octets("text") + sum(
        _Octets(Cast(F(name), TextField())) for name in ("inputs", "outcome", "effects")
    )
    count = total = 0
    for octets in entries.values_list(size, flat=True)[:limit]:
        total += octets
        if count and total > MOST_BYTES:
            break
        count += 1
    return entries[:count]


@of_ledgers.get(f"{GAME}/balances", response=reading(shapes.Balances))
def balances(request: HttpRequest, response: HttpResponse, slug: str, after: int = AFTER) -> Any:
    """What everybody has: holder, asset, amount.

    Each player has a figure for each public currency, 0 included; a unique thing stands only
    with its owner. “Agora” is the game itself.
    """
    game = the_record_of(request, slug)
    public = Asset.objects.filter(game=game, visibility=AssetVisibility.PUBLIC)
    currencies = list(public.filter(kind=AssetKind.CURRENCY).values_list("name", flat=True))
    holdings: dict[str, dict[str, int]] = {}
    holders = open_holders(game).exclude(kind=HolderKind.MINT)
    for name, kind in holders.values_list("name", "kind"):
        holdings[name] = dict.fromkeys(currencies, 0) if kind == HolderKind.PLAYER else {}
    rows = (
        Balance.objects.filter(asset__in=public, is_mint=False)
        .exclude(amount=0)
        .order_by("holder__name", "asset__name")
    )
    for holder, asset, amount in rows.values_list("holder__name", "asset__name", "amount"):
        holdings.setdefault(holder, {})[asset] = amount
    return a_piece(request, response, holdings, after)


class StatementLine(Schema):
    """A posting in the entry that told of it, and the holder's `balance` of that asset after it,
    where one asset is asked for."""

    entry: int
    at: shapes.Moment | None
    asset: str
    amount: int
    balance: int | None


class Statement(Schema):
    """What a holder has, of what everybody may see, and what they got and lost, the newest
    first."""

    holder: str
    kind: str
    balances: dict[str, int]
    lines: list[StatementLine]


@of_ledgers.get(f"{GAME}/holders/{{name}}", response=reading(Statement))
def statement(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    name: str,
    asset: str = Query("", description="Only postings of this asset"),
    at: str = Query("", description="The balances of this game moment, instead of now"),
    before: int | None = Query(
        None, ge=1, le=HIGHEST, description="Only the first so many lines; Link names the next"
    ),
) -> dict[str, Any]:
    """One holder's statement: a player's, “Agora” for the game itself, or whoever else owns."""
    page = the_page(request, slug)
    holder, assets = holder_called(page.game, name), public_assets(page)
    chosen = next((public for public in assets if public.name == asset), None)
    if asset and chosen is None:
        names = ", ".join(public.name for public in assets[:_MOST_NAMED])
        sentence = f"Nothing public is called “{asset[:60]}” here. There are: {names}."
        raise WrongShape(complaint(sentence, "query", "asset"))
    try:
        moment = read_moment(at) if at else None
    except ValueError as error:
        raise WrongShape(complaint(str(error), "query", "at")) from None
    lines, older = statement_lines(page, holder, chosen, before)
    if older:
        link_to_next(request, response, older, "before")
    return {
        "holder": holder.name,
        "kind": holder.kind,
        "balances": {
            public.name: amount for public, amount in balances_at(page, holder, assets, moment)
        },
        "lines": [
            {
                "entry": line.posting.told_in,  # type: ignore[attr-defined]
                "at": line.entry and line.entry.at,
                "asset": line.posting.asset.name,
                "amount": line.posting.amount,
                "balance": line.balance,
            }
            for line in lines
        ],
    }


@of_games.get(f"{GAME}/elections", response=reading(list[shapes.Election]))
def elections(request: HttpRequest, response: HttpResponse, slug: str, after: int = AFTER) -> Any:
    """The elections of the game's offices, the oldest first, with each ballot."""
    shown = the_game(request, slug)
    rows = shown.elections.order_by("number").select_related("by", "elected")
    rows = rows.prefetch_related(STANDING, BALLOTS)
    return a_piece(request, response, elections_state(rows), after)


@of_ledgers.get(f"{GAME}/switches", response=reading(list[shapes.SwitchHeld]))
def switches(request: HttpRequest, response: HttpResponse, slug: str, after: int = AFTER) -> Any:
    """The switches that the rules in force declare by tables, and then those that the program
    keeps: who and what has which value. That of the game itself stands under its name as a holder
    in the ledger."""
    table = glance(the_record_of(request, slug))
    held = [*switches_held(table), *built_in_switches_held(table)]
    return a_piece(request, response, held, after)


@of_dice.get(f"{GAME}/dice", response=reading(shapes.Dice))
def dice(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only periods opened after this entry"),
    limit: int = Query(
        PERIODS, ge=1, description=f"How many periods at most; {PERIODS} are the most"
    ),
) -> dict[str, Any]:
    """The periods of the dice, oldest first, each with its rolls; a seed once it is published.

    Periods that one entry opened are always given together, be they more than the limit.
    """
    game = the_game(request, slug)
    opened = game.dice_periods.order_by("opened_in", "private", "purpose")
    asked = opened.filter(opened_in__gt=after)
    count = min(limit, PERIODS)
    last = Subquery(asked.values("opened_in")[count - 1 : count])
    upto = Coalesce(last, HIGHEST, output_field=IntegerField())
    visible = Roll.objects.seen_by_all().order_by("sealed", "entry", "label")
    rolls = Prefetch("rolls", visible)
    periods = list(asked.filter(opened_in__lte=upto).prefetch_related(rolls))
    sealed = [roll for period in periods for roll in period.rolls.all() if roll.sealed]
    if sealed:
        # Rolls of private acts name the book and the number there: a number over all books would
        # tell how much is sealed in others.
        rows = game.sealed_entries.filter(seq__in={roll.entry for roll in sealed})
        places = {seq: place for seq, *place in rows.values_list("seq", "book", "number")}
        for roll in sealed:
            vars(roll)["book"], vars(roll)["entry"] = places[roll.entry]
    newest = opened.values_list("opened_in", flat=True).last()
    if periods and newest and periods[-1].opened_in < newest:
        link_to_next(request, response, periods[-1].opened_in)
    return {"game": game.identity, "periods": periods, "last": newest or 0}
