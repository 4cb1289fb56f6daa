"""The lottery as a page, and in small on a game's home."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.web.action_forms import choices
from nomic.web.game_context import GamePage, look_for_news, open_game
from tests.lottery.api import lottery_state


@require_safe
def lottery(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    look_for_news(request)
    game_page = open_game(request, slug)
    state = lottery_state(game_page.table)
    if state is None:
        raise Http404("There is no lottery in this game. It begins when its rulebook has the rule.")
    return game_page.draw_live(
        "lottery/page.html",
        lottery=state,
        choices=choices(game_page, "lottery"),
    )


def panel(game_page: GamePage) -> dict[str, Any] | None:
    """The pot and how many tickets are sold; None where there is no lottery."""
    return lottery_state(game_page.table)
