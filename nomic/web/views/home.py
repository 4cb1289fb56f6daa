"""A game's home: its state, what may I do now, what happened since I was last here."""

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, JSONObject
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from nomic.engine.programs.views import drawings
from nomic.games.models import Pace
from nomic.ledger.models import Asset, AssetKind, Balance, Holder, HolderKind
from nomic.standard.bots import MARK
from nomic.web.action_forms import choices
from nomic.web.game_page import GamePage, nothing_new, open_game
from nomic.web.hosting.host import host_name
from nomic.web.newcomers.filling import being_filled
from nomic.web.paging import number_of
from nomic.web.panels import panels
from nomic.web.powers import anything, powers
from nomic.web.waiting import waiting_in

SHOWN = 6
_BEST = 8
_A_YEAR = 365 * 86_400


@require_safe
def home(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    if (unchanged := nothing_new(request)) is not None:
        return unchanged
    game_page = open_game(request, slug)
    if game_page.game.pace == Pace.MANUAL and (filling := being_filled(slug)):
        return render(request, "web/newcomers/filling.html", {"filling": filling})
    if request.headers.get("HX-Target") == "filling":
        return HttpResponseClientRefresh()
    since = _since(request, game_page)
    newest = game_page.game.entries.select_related("actor").defer("inputs", "outcome")
    along = {"wins": _wins(game_page), **anything(game_page.game)}
    entries = list(newest.annotate(**along).order_by("-seq")[:SHOWN])
    told: Any = entries[0]  # every game has begun with one
    may = choices(game_page)  # first: with what the viewer owns it reads what standings need
    standings = standings_of(game_page)
    response = game_page.draw_live(
        "web/home/home.html",
        since=since,
        entries=entries,
        unseen=max(game_page.game.last_entry - since, 0) if since else 0,
        waiting=waiting_in(game_page),
        panels=panels(game_page),
        drawings=drawings(game_page.table),
        choices=may,
        currencies=currencies_of(game_page),
        standings=standings,
        has_bots=any(row["name"].endswith(MARK) for row in standings),
        wins=told.wins,
        host=host_name(game_page.game),
        powers=powers(game_page, has_motions=told.has_motions, has_doubts=told.has_doubts),
    )
    if request.user.is_authenticated:  # its pictures may have what is for the viewer's eyes
        add_never_cache_headers(response)
    if not game_page.is_live:
        response.set_cookie(
            "seen",
            str(game_page.game.last_entry),
            max_age=_A_YEAR,
            path=request.path,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response


def _since(request: HttpRequest, game_page: GamePage) -> int:
    """The last entry that this browser has been shown here; 0 at a first visit."""
    told = number_of(request.GET.get("since") or request.COOKIES.get("seen"))
    return min(told or 0, game_page.game.last_entry)


def _wins(game_page: GamePage) -> ArraySubquery:
    """The newest wins of the game, read along with something that is read anyway.

    It is the same for every row, so the database works it out once.
    """
    columns = {"player": F("player__name"), "how": F("how"), "entry": F("entry")}
    newest = game_page.game.wins.order_by("-entry", "-pk")
    return ArraySubquery(newest.values(told=JSONObject(**columns))[:_BEST])


def currencies_of(game_page: GamePage) -> list[Any]:
    """The public currencies of the game, the score first."""
    found = game_page.table.ledger.public_assets(AssetKind.CURRENCY)
    return sorted(found, key=lambda asset: (asset.name != "points", asset.name))


def _held(asset: Asset) -> QuerySet[Any]:
    """How much of the asset the holder of an outer query has."""
    return Balance.objects.filter(holder=OuterRef("pk"), asset=asset).values("amount")[:1]


def standings_of(game_page: GamePage) -> list[dict[str, Any]]:
    """The players with the most points, each with what they have of every currency."""
    currencies = currencies_of(game_page)
    held = {f"held_{asset.pk}": Coalesce(Subquery(_held(asset)), Value(0)) for asset in currencies}
    order = [f"-{name}" for name in held]
    holders = (
        Holder.objects.filter(game=game_page.game, kind=HolderKind.PLAYER, player__active=True)
        .annotate(**held)
        .order_by(*order, "name")[:_BEST]
    )
    return [
        {"name": holder.name, "held": [getattr(holder, name) for name in held]}
        for holder in holders
    ]
