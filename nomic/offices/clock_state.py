"""The state of a game's clock: what comes next, how late it is, whether anybody keeps it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from nomic.engine import watch
from nomic.engine.events import title_of
from nomic.engine.models import Appointment
from nomic.offices.access import DeskPage
from nomic.web.game_page import Coming

_SHOWN = 6


@dataclass(frozen=True, slots=True)
class ClockState:
    """`late` is by how much wall time the next appointment is overdue; None while it is not.

    `beat` is the wall moment at which a worker last swept. `stuck` is the appointment that could
    not be kept.
    """

    coming: list[Coming]
    late: timedelta | None
    beat: datetime | None
    is_worker_running: bool
    stuck: Appointment | None
    stuck_title: str


def clock_state(game_page: DeskPage) -> ClockState:
    """How the game's clock stands at the page's moment; one query."""
    game, table = game_page.game, game_page.table
    waiting = list(game.appointments.waiting()[:_SHOWN])
    stuck = waiting[0] if game.stuck_at and waiting else None
    is_due = waiting and game.rate and not game.paused_at  # a paused game is late for nothing
    wall = game.clock.wall(waiting[0].due) if is_due else None
    late = game_page.wall - wall if wall else timedelta()
    whole = late - timedelta(microseconds=late.microseconds)
    running = game.state == "running" and game.rate
    coming = []
    for each in waiting:
        if each.hidden:
            continue
        title = title_of(each.kind, table, each.subject)
        comes = game.clock.wall(each.due) if running else None
        coming.append(Coming(title, each.due, comes, each.subject))
    return ClockState(
        coming=coming,
        late=whole if late >= timedelta(seconds=1) else None,
        beat=watch.last_beat(),
        is_worker_running=watch.is_worker_running(game_page.wall),
        stuck=stuck,
        stuck_title=title_of(stuck.kind, table, stuck.subject) if stuck else "",
    )
