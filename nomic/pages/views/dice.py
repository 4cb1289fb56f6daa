"""The dice: what was committed to, what was published, and every roll checked."""

from dataclasses import dataclass

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from nomic.dice.models import Period, Roll
from nomic.dice.seeds import commitment, roll
from nomic.play.frame import open_game

A_PAGE = 20


@dataclass(frozen=True, slots=True)
class Checked:
    """A period with its rolls; `holds` is None while its seed is secret."""

    period: Period
    rolls: list[tuple[Roll, bool | None]]
    holds: bool | None


@require_safe
def dice(request: HttpRequest, slug: str) -> HttpResponse:
    """The periods of the public dice, newest first, each roll worked out again from its seed."""
    frame = open_game(request, slug)
    periods = Period.objects.filter(game=frame.game, private=False)
    before = request.GET.get("before", "")
    if before.isdecimal() and len(before) < 10:
        periods = periods.filter(number__lt=int(before))
    in_order = Prefetch("rolls", Roll.objects.order_by("pk"))
    found = list(periods.order_by("-number").prefetch_related(in_order)[: A_PAGE + 1])
    shown = [_check(frame.game.identity, period) for period in found[:A_PAGE]]
    context = {
        "frame": frame,
        "periods": shown,
        "older": found[A_PAGE - 1].number if len(found) > A_PAGE else None,
        "newer": bool(before),
    }
    return render(request, "pages/dice.html", context)


def _check(game: str, period: Period) -> Checked:
    """Compare the published seed with its commitment, and each roll with what the seed gives."""
    rolls = list(period.rolls.all())
    if period.seed is None:
        return Checked(period, [(made, None) for made in rolls], None)
    seed = bytes.fromhex(period.seed)
    checked: list[tuple[Roll, bool | None]] = [
        (made, roll(seed, game, made.place, made.label, len(made.options)) == made.value)
        for made in rolls
    ]
    holds = commitment(seed) == period.commitment and all(right for _, right in checked)
    return Checked(period, checked, holds)
