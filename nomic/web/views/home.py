"""A game's home: its state, what may I do now, what happened since I was last here."""

from collections.abc import Sequence
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, QuerySet
from django.db.models.functions import JSONObject
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from nomic.engine.events import is_routine
from nomic.engine.programs.views import drawings
from nomic.games.models import Game, Pace, Win
from nomic.governance.bots import MARK
from nomic.infrastructure.database.compiled_queries import CompiledQuery, read
from nomic.ledger.models import AssetKind, Holder
from nomic.record.models import Entry, EntryKind
from nomic.web.action_forms import choices
from nomic.web.demonstration import being_filled
from nomic.web.game_context import GamePage, look_for_news, open_game
from nomic.web.hosting.host import host_name
from nomic.web.moments import put_away, untold
from nomic.web.newcomers.faces import face_of
from nomic.web.paging import number_of
from nomic.web.panels import panels
from nomic.web.powers import power_annotations, powers
from nomic.web.waiting import waiting_in

SHOWN = 6
_READ = 30  # entries of which those are told that people play
_BEST = 8
_A_YEAR = 365 * 86_400


@require_safe
def home(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    look_for_news(request)
    game_page = open_game(request, slug)
    if game_page.game.pace == Pace.MANUAL and (filling := being_filled(slug)):
        return render(request, "web/newcomers/filling.html", {"filling": filling})
    if request.headers.get("HX-Target") == "filling":
        return HttpResponseClientRefresh()
    shown = number_of(request.GET.get("since") or request.COOKIES.get("seen"))
    # The last entry that this browser has been shown here; 0 at a first visit.
    since = min(shown or 0, game_page.game.last_entry)
    newest_entries = _NEWEST.some(_READ, game=game_page.game)
    newest: Any = newest_entries[0]  # every game has begun with one
    entries, routine = _parted(newest_entries)
    may = choices(game_page)  # first: with what the viewer owns it reads what standings need
    standings = standings_of(game_page)
    moments = untold(game_page)
    game_page.told_on_cards = frozenset(moment.entry for moment in moments)
    response = game_page.draw_live(
        "web/home/home.html",
        since=since,
        entries=entries,
        routine=routine,
        unseen=max(game_page.game.last_entry - since, 0) if since else 0,
        moments=moments,
        waiting=waiting_in(game_page, has_motions=newest.has_motions, has_doubts=newest.has_doubts),
        panels=panels(game_page),
        drawings=drawings(game_page.table),
        choices=may,
        standings={
            **standings,
            "has_bots": any(row["name"].endswith(MARK) for row in standings["rows"]),
            "wins": newest.wins,
        },
        host=host_name(game_page.game),
        powers=powers(
            game_page,
            has_motions=newest.has_motions,
            has_doubts=newest.has_doubts,
            has_breaches=newest.has_breaches,
        ),
    )
    if request.user.is_authenticated:  # its pictures may have what is for the viewer's eyes
        add_never_cache_headers(response)
    if not game_page.is_live:
        response.set_cookie(
            "seen",
            str(game_page.game.last_entry),
            max_age=_A_YEAR,
            path=request.path,  # what was seen of one game says nothing of another
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response


@require_POST
def put_away_moments(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the viewer no more of the card whose entry the form names."""
    put_away(request, open_game(request, slug).game, number_of(request.POST.get("entry")) or 0)
    return redirect("game", slug)


def _parted(newest: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The first few of what people did and what changed for them, and what kept the books, the dice
    and the clock since the oldest of these."""
    played = [entry for entry in newest if not _is_routine(entry)][:SHOWN]
    oldest = played[-1].seq if len(played) == SHOWN else 0
    return played, [entry for entry in newest if _is_routine(entry) and entry.seq > oldest]


def _is_routine(entry: Entry) -> bool:
    return entry.kind == EntryKind.SYSTEM or is_routine(entry.name)


def _newest(game: Game) -> QuerySet[Entry]:
    """The entries of the game, the newest first. Its newest wins and what `power_annotations` tells
    are read along: they are the same for every row, so the database works them out once."""
    columns = {"player": F("player__name"), "how": F("how"), "entry": F("entry")}
    wins = Win.objects.filter(game=game).order_by("-entry", "-pk")
    best_wins = ArraySubquery(wins.values(told=JSONObject(**columns))[:_BEST])
    newest = Entry.objects.filter(game=game).order_by("-seq")
    return newest.annotate(wins=best_wins, **power_annotations(game))


_NEWEST = CompiledQuery(
    _newest,
    "actor",
    without=["inputs", "outcome"],
    annotated=["wins", "has_motions", "has_doubts", "has_breaches"],
)


# Arrays are compared by their first amounts, then by their second ones, and so on.
_STANDINGS = """
SELECT h.name, ARRAY(
         SELECT coalesce(b.amount, 0)
           FROM unnest(%(assets)s::bigint[]) WITH ORDINALITY a (id, place)
           LEFT JOIN ledger_balance b ON b.holder_id = h.id AND b.asset_id = a.id
          ORDER BY a.place) AS held
  FROM ledger_holder h JOIN games_player p ON p.id = h.player_id
 WHERE h.game_id = %(game)s AND p.active
 ORDER BY held DESC, h.name LIMIT %(most)s
"""


def standings_of(game_page: GamePage) -> dict[str, Any]:
    """The players with the most points, each with their face and with what they have of every
    public currency, the score first; as values."""
    game, faces = game_page.game, game_page.faces
    public = game_page.table.ledger.public_assets(AssetKind.CURRENCY)
    currencies = sorted(public, key=lambda asset: (asset.name != "points", asset.name))
    values = {"assets": [currency.pk for currency in currencies], "game": game.pk, "most": _BEST}
    rows = read(Holder, _STANDINGS, values)
    return {
        "slug": game.slug,
        "is_demonstration": game_page.is_demonstration,
        "is_closed": game.is_closed,
        "currencies": [currency.plural for currency in currencies],
        "rows": [
            {"name": name, "held": held, "face": faces.get(name) or face_of(name)}
            for name, held in rows
        ],
        "leader": _leader(rows),
    }


def _leader(rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    """The name of who alone has the best score, which is above 0; "" where nobody has."""
    scores = [held[0] for _, held in rows[:2] if held]
    return rows[0][0] if scores and scores[0] > max([0, *scores[1:]]) else ""
