"""The races that have ended, for programs."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Schema
from ninja.params.functions import Query

from horses.models import Race, Runner
from horses.rules.race import FIRST
from horses.web.races import ended_race
from nomic.web.api.messages import link_to_next
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, the_page

router = room("subgames")
_A_PAGE = 100
_ALL = f"{GAME}/horses/races"


class RaceLine(Schema):
    """A race: the entry in which it ended, null for the running one, and who came in first."""

    number: int
    ended_in: int | None
    first: str | None


class PlacedHorse(Schema):
    """A horse that came in: its place, its owner, “Agora” for the game itself, and what the owner
    was paid for it, empty for nothing."""

    place: int
    horse: str
    owner: str
    prize: str


class PaidPlayer(Schema):
    """What a player gained by a race, and for what."""

    player: str
    gained: str
    reasons: list[str]


class EndedRaceShape(Schema):
    """How a race ended: who came in, who was paid what, who scored or why nobody did, and who had
    the most dollaries. `unlisted` more were paid. The runs are entries of the record."""

    number: int
    entry: int
    podium: list[PlacedHorse]
    paid: list[PaidPlayer]
    unlisted: int
    scored: str
    totals: list[tuple[str, int]]


@router.get(_ALL, response=reading(list[RaceLine]))
def races(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    before: int | None = Query(None, ge=1, le=HIGHEST, description="Only races before this one"),
) -> list[dict[str, Any]]:
    """The races of the game, the newest first; Link names the older ones."""
    rows = Race.objects.filter(game=the_page(request, slug).game).order_by("-number")
    earlier = rows if before is None else rows.filter(number__lt=before)
    page_and_next = list(earlier[: _A_PAGE + 1])
    if not page_and_next and before is None:
        raise Http404("No races are run in this game.")
    if len(page_and_next) > _A_PAGE:
        link_to_next(request, response, page_and_next[_A_PAGE - 1].number, "before")
    winners = Runner.objects.filter(race__in=page_and_next[:_A_PAGE], place=FIRST)
    first_home = dict(winners.values_list("race", "name"))
    return [
        {"number": race.number, "ended_in": race.ended_in, "first": first_home.get(race.pk)}
        for race in page_and_next[:_A_PAGE]
    ]


@router.get(f"{_ALL}/{{int:number}}", response=reading(EndedRaceShape))
def race(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """A race that has ended; GET …/horses tells the running one."""
    page = the_page(request, slug)
    row = Race.objects.filter(game=page.game, number=min(number, HIGHEST)).first()
    entry = page.game.entries.filter(seq=row.ended_in).first() if row else None
    result = ended_race(row, entry, None) if row and entry else None
    if result is None:
        raise Http404(f"No race {number} has come to its end in this game.")
    names = ("number", "entry", "unlisted", "scored", "totals", "paid")
    podium = [
        {
            "place": placed.place,
            "horse": placed.horse,
            "owner": placed.owner or "Agora",
            "prize": placed.prize,
        }
        for placed in result.podium
    ]
    return {**{name: getattr(result, name) for name in names}, "podium": podium}
