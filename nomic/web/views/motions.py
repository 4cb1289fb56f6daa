"""Motions of a game: those that wait for time or support, and what became of the rest."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from nomic.governance.models import Motion, Recalculation
from nomic.governance.motion_voting import most_urgent_first, preview_of, standings
from nomic.governance.motions import WITH_VOICES
from nomic.governance.recalculation.ratification import RATIFY, hash_of
from nomic.web.game_context import open_game
from nomic.web.paging import newest_before, number_asked

SHOWN = 30


@require_safe
@never_cache
def motions(request: HttpRequest, slug: str) -> HttpResponse:
    """A page of the open motions, the most urgent first; and those that have ended, the newest
    first, or those before a number."""
    game_page = open_game(request, slug)
    announced = game_page.game.motions.filter(label=Motion.LABEL).select_related("by__holder")
    ended = announced if game_page.game.is_closed else announced.exclude(end="")
    ended = ended.prefetch_related(WITH_VOICES)
    rows, older = newest_before(ended, "number", number_asked(request, "before"), SHOWN)
    waiting = Paginator(most_urgent_first(game_page.table), SHOWN).get_page(request.GET.get("open"))
    return game_page.draw(
        "web/motions/motions.html",
        waiting=waiting,
        open=standings(game_page.table, game_page.player, waiting.object_list),
        ended=standings(game_page.table, game_page.player, rows),
        older=older,
    )


@require_safe
@never_cache
def motion(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One motion, and while it waits what it would change as things are now."""
    game_page = open_game(request, slug)
    announced = game_page.game.motions.select_related("game", "by__holder")
    announced = announced.prefetch_related(WITH_VOICES)
    motion = announced.filter(label=Motion.LABEL, number=number).first()
    if motion is None:
        raise Http404(f"Nothing was announced here as Motion {number}.")
    return game_page.draw(
        "web/motions/motion.html",
        standing=standings(game_page.table, game_page.player, [motion])[0],
        preview=preview_of(motion, game_page.player),
        recalculation=_recalculation(motion),
    )


def _recalculation(motion: Motion) -> Recalculation | None:
    """The recalculation that the motion is to ratify, while it is kept; None for other motions."""
    if motion.action != RATIFY:
        return None
    return motion.game.recalculations.filter(hash=hash_of(motion.inputs["report"])).first()
