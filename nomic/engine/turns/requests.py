"""How much of a game's backlog whoever waits for an answer works off, and how long acts take."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import perf_counter

from nomic.engine import watch
from nomic.engine.catch_up import lateness
from nomic.engine.outcomes import Behind, Busy, Malformed, Refused
from nomic.engine.shares.share import is_over_share
from nomic.games.bounds import REQUEST_SECONDS
from nomic.games.models import Game
from nomic.shares import usage

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
