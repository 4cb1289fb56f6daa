"""Tasks that wait for a player, by their deadlines."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from nomic.engine.subgames import QuickAct, Waiting
from nomic.engine.table import Table
from nomic.games.models import CLOSED, Player
from nomic.governance import doubts
from nomic.governance.absence import BACK
from nomic.governance.desks import Duty
from nomic.governance.elections import VOTE, unvoted
from nomic.governance.hosting.acts import offered_to
from nomic.governance.models import Motion
from nomic.governance.motion_voting import unspoken
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


def waiting_in(
    game_page: GamePage, *, has_motions: bool = True, has_doubts: bool = True
) -> list[Item]:
    """The tasks that wait in that game, the duties of the viewer's offices and the motions that
    they have not spoken of among them; none for who has no seat. `has_motions` tells whether any
    are open, `has_doubts` whether a report was ever doubted."""
    game, table, player = game_page.game, game_page.table, game_page.player
    if player is None or not game_page.seated:
        return []
    tasks: list[Waiting] = []
    if offered_to(game) == player.name:
        tasks.append(
            Waiting("You are asked to host this game", address_of("host", game.slug), None)
        )
    tasks += [task for subgame in game_page.subgames for task in subgame.waiting(table, player)]
    tasks += _motions(table, player) if has_motions else ()
    tasks += _elections(table, player)
    for office, duty in _duties(game_page, player, has_doubts=has_doubts):
        url = address_of("game", game.slug) + "#offices"
        if duty.action:
            url = act_url(game.slug, duty.action, **duty.inputs, back=game_page.path)
        tasks.append(Waiting(f"As {office}: {duty.title}", url, duty.due))
    in_order = sorted(tasks, key=lambda task: task.due or _LAST)
    if player.is_away:  # first, since it says what becomes of the others
        acts = (QuickAct("I am back", BACK),)
        since, url = absence_in_words(player), act_url(game.slug, BACK)
        in_order.insert(0, Waiting(f"You are away{since}: nobody waits for you", url, None, acts))
    return [Item(game_page, task, game_page.wall_of(task.due)) for task in in_order]


def absence_in_words(player: Player) -> str:
    """Until when a player is away, as the end of a sentence; "" where nobody knows."""
    return f" until {player.away_until:%-d %B %Y}" if player.away_until else ""


def _duties(game_page: GamePage, player: Player, *, has_doubts: bool) -> Iterator[tuple[str, Duty]]:
    """The duties of the offices that the player holds, each with its office."""
    game, table = game_page.game, game_page.table
    held = {office for office, name in table.directory.offices.items() if name == player.name}
    if not held:
        return
    for desk in game_page.desks:
        if (office := desk.office_in(game)) in held:
            yield from ((office, duty) for duty in desk.duties(table))
    reports = [report for report in reports_of(game) if report.office_in(game) in held]
    for report, duty in doubts.owed(game, reports, has_doubts=has_doubts):
        yield report.office_in(game), duty


def _motions(table: Table, player: Player) -> Iterator[Waiting]:
    """One that waits for the player's voice, with its buttons; or how many there are."""
    standings = unspoken(table, player)
    if len(standings) > 1:
        most_urgent, url = standings[0], address_of("motions", table.game.slug)
        title = f"{len(standings)} motions that you may support or object to"
        yield Waiting(title, url, most_urgent.due)
    elif standings:
        standing, number = standings[0], standings[0].motion.number
        url = address_of("motion", table.game.slug, number)
        acts = tuple(QuickAct(act.button, act.name, {"motion": number}) for act in standing.may)
        title = f"{standing.motion} by {standing.motion.by}: {standing.intent}"
        yield Waiting(title, url, standing.due, acts, standing.backing)


def _elections(table: Table, player: Player) -> Iterator[Waiting]:
    """Each election that waits for the player's ballot."""
    for election in unvoted(table, player):
        title = f"Vote in {election}, of the {election.office}"
        url = act_url(table.game.slug, VOTE, election=election.number)
        yield Waiting(title, url, election.ends)


def waiting_everywhere(request: HttpRequest) -> list[Item]:
    """The tasks that wait in the games in which the viewer has a seat, the most pressing first."""
    if not request.user.is_authenticated:
        return []
    seats = Player.objects.filter(user_id=request.user.pk, active=True, game__scratch=False)
    seats = seats.exclude(game__settings__contains={CLOSED: True})
    motions = Motion.objects.filter(game=OuterRef("game"), label=Motion.LABEL, end="")
    seats = seats.annotate(has_motions=Exists(motions)).select_related("game", "holder")
    newest = seats.order_by("-pk")[:_MOST_GAMES]
    items = [
        waiting_item
        for seat in newest
        for waiting_item in waiting_in(
            GamePage(request, seat.game, seat), has_motions=seat.has_motions
        )
    ]
    return sorted(items, key=lambda waiting_item: waiting_item.wall or _LAST)
