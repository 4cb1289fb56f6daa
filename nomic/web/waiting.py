"""Tasks that wait for a player, by their deadlines."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import HttpRequest

from nomic.engine.subgames import Waiting
from nomic.games.models import CLOSED, Player
from nomic.governance import doubts
from nomic.governance.hosting.acts import offered_to
from nomic.governance.reports import reports_of
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

    @property
    def is_overdue(self) -> bool:
        """Whether its deadline is over: an office owes it still."""
        return bool(self.waiting.due and self.waiting.due <= self.game_page.table.now)


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
    held = {office for office, by in table.directory.offices.items() if by == player.name}
    of_game = () if game.is_closed else reports_of(game)
    reports = [report for report in of_game if report.office_in(game) in held]
    at_desks = ((desk.office_in(game), desk) for desk in game_page.desks)
    owed = [(office, desk.duties(table)) for office, desk in at_desks if office in held]
    owed += [
        (report.office_in(game), [duty])
        for duties_of in (doubts.waiting, doubts.duties)
        for report, duty in duties_of(game, reports)
    ]
    for office, duties in owed:
        for duty in duties:
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
