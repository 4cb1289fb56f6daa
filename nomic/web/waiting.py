"""Tasks that wait for a player, by their deadlines, each with the buttons that do it."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.http import HttpRequest
from django.urls import reverse

from nomic.engine.subgames import QuickAct, Waiting
from nomic.games.models import CLOSED, Player
from nomic.web.game_page import GamePage, act_url

_MOST_GAMES = 30
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Button:
    """A quick act with a key of its own, so that two of one page count as two."""

    act: QuickAct
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))


@dataclass(frozen=True, slots=True)
class Item:
    """Something that waits in a game. `wall` is its deadline's wall moment, None where time stands
    still."""

    game_page: GamePage
    waiting: Waiting
    wall: datetime | None
    buttons: list[Button]


def waiting_in(game_page: GamePage) -> list[Item]:
    """The tasks that wait in that game; none for who has no seat."""
    found: list[Waiting] = []
    if game_page.player is not None and game_page.seated:
        for subgame in game_page.subgames:
            found += subgame.waiting(game_page.table, game_page.player)
        found += _duties(game_page, game_page.player)
    clock = game_page.game.clock
    return [
        Item(
            game_page=game_page,
            waiting=each,
            wall=clock.wall(each.due) if each.due and clock.rate else None,
            buttons=[Button(act) for act in each.acts],
        )
        for each in sorted(found, key=lambda each: each.due or _LAST)
    ]


def waiting_everywhere(request: HttpRequest) -> list[Item]:
    """The tasks that wait in the games in which the viewer has a seat, the most pressing first."""
    if not request.user.is_authenticated:
        return []
    seats = Player.objects.filter(user_id=request.user.pk, active=True, game__scratch=False)
    seats = seats.exclude(game__settings__contains={CLOSED: True})
    newest = seats.select_related("game", "holder").order_by("-pk")[:_MOST_GAMES]
    found = [item for seat in newest for item in waiting_in(GamePage(request, seat.game, seat))]
    return sorted(found, key=lambda item: item.wall or _LAST)


def _duties(game_page: GamePage, player: Player) -> Iterator[Waiting]:
    """The duties of the viewer's offices."""
    offices = game_page.table.directory.offices
    for desk in game_page.desks:
        office = desk.office_in(game_page.game)
        if offices.get(office) != player.name:
            continue
        for duty in desk.duties(game_page.table):
            url = reverse("game", args=[game_page.game.slug]) + "#offices"
            if duty.action:
                slug = game_page.game.slug
                url = act_url(slug, duty.action, **duty.inputs, back=game_page.path)
            yield Waiting(f"As {office}: {duty.title}", url, duty.due)
