"""The dice: what was committed to, what was published, and every roll checked."""

from dataclasses import dataclass

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.dice.models import Period, Roll
from nomic.dice.seeds import commitment, roll
from nomic.games.models import Game
from nomic.web.game_page import open_game
from nomic.web.paging import newest_before, number_asked

A_PAGE = 20
MOST_ROLLS = 300  # of a period that are listed


@dataclass(frozen=True, slots=True)
class Checked:
    """A period with the first of its rolls, and how many more there are.

    `holds` tells of all of them whether they are as committed; None while the seed is secret.
    """

    period: Period
    rolls: list[tuple[Roll, bool | None]]
    more: int
    holds: bool | None


@require_safe
def dice(request: HttpRequest, slug: str) -> HttpResponse:
    """The periods of the dice, newest first, each roll worked out again from its seed.

    The private ones stand apart, and nothing shows of their rolls before their seeds are out.
    """
    game_page = open_game(request, slug)
    before, sealed_before = number_asked(request, "before"), number_asked(request, "sealed")
    periods, older = _part(game_page.game, "number", before, private=False)
    sealed, sealed_older = _part(game_page.game, "pk", sealed_before, private=True)
    return game_page.draw(
        "web/dice.html",
        periods=periods,
        older=older,
        newer=before is not None,
        sealed=sealed,
        sealed_older=sealed_older,
        sealed_newer=sealed_before is not None,
    )


def _part(
    game: Game, by: str, before: int | None, *, private: bool
) -> tuple[list[Checked], int | None]:
    """A page of periods: each published seed is compared with its commitment, and each roll with
    what the seed gives."""
    seen = Prefetch("rolls", Roll.objects.seen_by_all().order_by("pk"))
    periods = Period.objects.filter(game=game, private=private).prefetch_related(seen)
    found, older = newest_before(periods, by, before, A_PAGE)
    checked = []
    for period in found:
        rolls = list(period.rolls.all())
        more = max(len(rolls) - MOST_ROLLS, 0)
        told: list[tuple[Roll, bool | None]]
        if period.seed is None:
            told = [(made, None) for made in rolls[:MOST_ROLLS]]
            checked.append(Checked(period, told, more, None))
            continue
        seed = bytes.fromhex(period.seed)
        told = [
            (made, roll(seed, made.words(game.identity), len(made.among)) == made.value)
            for made in rolls
        ]
        holds = commitment(seed) == period.commitment and all(right for _, right in told)
        checked.append(Checked(period, told[:MOST_ROLLS], more, holds))
    return checked, older
