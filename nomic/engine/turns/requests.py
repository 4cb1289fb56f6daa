"""What becomes of a request in a game that is behind or held back: how much of the backlog it works
off, what is urgent and goes first, and how long acts take."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import perf_counter

from nomic.engine import watch
from nomic.engine.actions import find_action
from nomic.engine.catch_up import lateness, set_back
from nomic.engine.outcomes import Behind, Busy, Malformed, Refused, UnknownAction
from nomic.engine.shares.share import is_over_share
from nomic.engine.table import Table
from nomic.games.bounds import REQUEST_SECONDS
from nomic.games.models import Game
from nomic.games.refusal import Refusal
from nomic.shares import disk, holds, usage
from nomic.shares.models import Kind

_LEAST, _LITTLE = 0.3, 0.05  # seconds
_HOPELESS = timedelta(seconds=5)  # late: sweeps come each second


def patience() -> timedelta:
    """For how long a request works off a backlog or waits for a game; less for one that has waited
    for its turn already, so that its answer is no later."""
    return timedelta(seconds=max(REQUEST_SECONDS.most - usage.waited(), _LEAST))


def wait_for_lock() -> float | None:
    """For how many seconds a request that has waited for its turn waits for a game's lock; None for
    others: as long as anybody."""
    seconds = patience().total_seconds()
    return seconds if seconds < REQUEST_SECONDS.most - _LITTLE else None


def leave_to_a_worker(game: Game, wall: datetime) -> None:
    """Raise Behind where the game has taken more than its share, and is late all the same."""
    late = lateness(game, wall)
    if late > _HOPELESS and is_over_share(game, wall):
        raise Behind(late)


@contextmanager
def measured() -> Iterator[None]:
    """Count how long an act takes, and the code of the refusal in which it ends."""
    begun, refused = perf_counter(), ""
    try:
        yield
    except Refused as error:
        refused = error.refusal.code
        raise
    except (Malformed, Busy) as error:
        refused = type(error).__name__.lower()
        raise
    finally:
        watch.measure(perf_counter() - begun, refused)


def is_urgent(name: str) -> bool:
    """Whether the action of that name is done in a game however far behind it is."""
    try:
        return find_action(name).urgent
    except UnknownAction:
        return False


def settled(table: Table, name: str) -> Table:
    """The locked table at the moment up to which all that is due has happened: nothing is judged
    in a past that is not settled. What is due happens after it. An act that lets time stand still
    sets the clock back to that moment first, and the record says so.
    """
    game, wall = table.game, table.wall
    moment = game.clock.moment(wall)
    if game.paused_at or game.next_due is None or game.next_due > moment:
        return table
    at = max(game.next_due, game.last_at) if game.last_at else game.next_due
    if find_action(name).stops_time and at < moment:
        set_back(game, wall, moment - at, at)
    return Table(game, at, wall, locked=True)


class OverItsShare(Busy):
    """The game may write nothing for so many `seconds`."""

    def __init__(self, sentence: str, seconds: int) -> None:
        Exception.__init__(self, sentence)
        self.seconds = seconds


def refuse_held(game: Game) -> None:
    """Raise Refused where the game is locked out, and OverItsShare where it waits for its share of
    the disk: no act that is not urgent is done then."""
    if sentence := holds.locked_out(Kind.GAME, game.pk):
        raise Refused(Refusal("locked_out", sentence))
    if waits := disk.waits(game.pk, game.host_id):
        why, seconds = waits
        minutes = -(-seconds // 60)
        if seconds < 120:
            wait = f"{seconds} seconds"
        elif minutes < 120:
            wait = f"{minutes} minutes"
        else:
            wait = f"{-(-minutes // 60)} hours"
        raise OverItsShare(f"{why} Nothing was done; try again in {wait}.", seconds)
