"""Tasks that wait for a player, by their deadlines."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import HttpRequest

from nomic.engine.subgames import Waiting
from nomic.games.models import CLOSED, Player
from nomic.governance.hosting.acts import offered_to
from nomic.web.game_context import GamePage, act_url, address_of

_MOST_GAMES = 30
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Item:
    """Something that waits in a game. `wall` is its deadline's wall moment, None where time stands
    still."""

    game_page: GamePage
    waiting: Waiting
    wall: datetime | None


def waiting_in(game_page: GamePage) -> list[Item]:
    """The tasks that wait in that game, the duties of the viewer's offices among them; none for who
    has no seat."""
    game, table, player = game_page.game, game_page.table, game_page.player
    if player is None or not game_page.seated:
        return []
    tasks: list[Waiting] = []
    if offered_to(game) == player.name:
        tasks.append(
            Waiting("You are asked to host this game", address_of("host", game.slug), None)
        )
    tasks += [task for subgame in game_page.subgames for task in subgame.waiting(table, player)]
    for desk in game_page.desks:
        office = desk.office_in(game)
        if table.directory.offices.get(office) != player.name:
            continue
        for duty in desk.duties(table):
            url = address_of("game", game.slug) + "#offices"
            if duty.action:
                url = act_url(game.slug, duty.action, **duty.inputs, back=game_page.path)
            tasks.append(Waiting(f"As {office}: {duty.title}", url, duty.due))
    in_order = sorted(tasks, key=lambda task: task.due or _LAST)
    return [Item(game_page, task, game_page.wall_of(task.due)) for task in in_order]


def waiting_everywhere(request: HttpRequest) -> list[Item]:
    """The tasks that wait in the games in which the viewer has a seat, the most pressing first."""
    if not request.user.is_authenticated:
        return []
    seats = Player.objects.filter(user_id=request.user.pk, active=True, game__scratch=False)
    seats = seats.exclude(game__settings__contains={CLOSED: True})
    newest = seats.select_related("game", "holder").order_by("-pk")[:_MOST_GAMES]
    items = [
        waiting_item
        for seat in newest
        for waiting_item in waiting_in(GamePage(request, seat.game, seat))
    ]
    return sorted(items, key=lambda waiting_item: waiting_item.wall or _LAST)
