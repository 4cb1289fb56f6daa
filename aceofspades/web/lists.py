"""What the contest's page shows the beginning of, whole and in pages."""

from __future__ import annotations

import secrets as chance
from collections.abc import Callable
from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from aceofspades.models import Move, Request
from aceofspades.secrecy.secrets import Sight
from aceofspades.web import page as scene
from aceofspades.web.motions import motions
from aceofspades.web.views import open_contest, unkept
from nomic.web.game_page import GamePage

A_PAGE = 100

type Found = tuple[str, int, dict[str, Any]]


@require_safe
def whole_list(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """A page of all contestants, proposals, moves of cards or requests; 404 for anything else."""
    listing = _LISTS.get(what)
    if listing is None:
        raise Http404(f"The contest has no list of {what[:40]}.")
    game_page, sight = open_contest(request, slug)
    asked = request.GET.get("page", "1")
    page = max(int(asked), 1) if asked.isdecimal() and len(asked) < 7 else 1
    title, total, found = listing(game_page, sight, (page - 1) * A_PAGE)
    context = {
        "game_page": game_page,
        "what": what,
        "is_reckoned": sight.state.is_reckoned,
        "title": title,
        "total": total,
        "page": page,
        "before": page - 1,
        "after": page + 1,
        "pages": max(-(-total // A_PAGE), 1),
        "key": chance.token_urlsafe(12),
        **found,
    }
    return unkept(game_page, render(request, "aceofspades/list.html", context))


def _contestants(game_page: GamePage, sight: Sight, first: int) -> Found:
    order = scene.ranked(sight)
    found = {
        "rows": scene.rows(sight, order[first : first + A_PAGE]),
        "sees_hands": scene.may_see_hands(sight),
        "results": scene.results(sight),
    }
    return "Contestants", len(order), found


def _proposals(game_page: GamePage, sight: Sight, first: int) -> Found:
    order = sight.state.proposals[::-1]
    found = {"motions": motions(game_page, sight, order[first : first + A_PAGE])}
    return "Proposals", len(order), found


def _moves(game_page: GamePage, sight: Sight, first: int) -> Found:
    rows = Move.objects.filter(contest=sight.state.contest).order_by("-pk")
    return "Cards on the move", rows.count(), {"moves": rows[first : first + A_PAGE]}


def _requests(game_page: GamePage, sight: Sight, first: int) -> Found:
    rows = Request.objects.filter(contest=sight.state.contest).order_by("-number")
    columns = ("number", "text", "entry", "judgement")
    listed = rows[first : first + A_PAGE].values(*columns, name=F("by__name"))
    found = [{**row, "by": row["name"]} for row in listed]
    return "Requests for judgement", rows.count(), {"requests": found}


_LISTS: dict[str, Callable[[GamePage, Sight, int], Found]] = {
    "contestants": _contestants,
    "proposals": _proposals,
    "moves": _moves,
    "requests": _requests,
}
