"""The share of the workers that each game takes, so that one leaves the others their moments, and
what of it the programs of its rules cost.

A game has a share of a worker's time. What it takes fills a bucket that its share empties:
`busy_until` is when it will be empty. While there is more in it than a burst the game is over its
share, and waits behind all that are not.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from nomic.engine import watch
from nomic.engine.fairness.locks import locked_game
from nomic.engine.schedule import NEXT_DUE
from nomic.engine.table import tell_of_rest
from nomic.games.bounds import GAME_BURST, GAME_PATIENCE, GAME_SHARE
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game
from nomic.games.wording import enumerated
from nomic.infrastructure.contexts import within
from nomic.infrastructure.database.compiled_queries import update

_REMEMBERED = 3.0  # seconds of a worker beyond the burst: what was idle is not held against a game
_MOST_RULES = 30  # that are told apart
_NAMED = 3
_DAY = timedelta(days=1)
_COSTS: ContextVar[dict[str, float] | None] = ContextVar("costs", default=None)


@contextmanager
def counted_by_rule() -> Iterator[dict[str, float]]:
    """The seconds that the programs of each rule take within."""
    costs: dict[str, float] = defaultdict(float)
    with within(_COSTS, costs):
        yield costs


def spend(rule: str, seconds: float) -> None:
    """The program of that rule took so many seconds."""
    costs = _COSTS.get()
    if costs is not None:
        costs[rule] += seconds


def spend_the_rest(rule: str, seconds: float) -> None:
    """Count for that rule, if its program ran, what is left of the seconds that something kept took
    in all: what recording it cost is of its rule too."""
    costs = _COSTS.get()
    if costs is not None and rule in costs:
        costs[rule] += max(seconds - sum(costs.values()), 0.0)


def over_share(wall: datetime) -> Q:
    """The games that have taken more than their share by that wall moment."""
    return Q(busy_until__gt=wall + _paid_in(GAME_BURST.most))


def is_over_share(game: Game, wall: datetime) -> bool:
    """Whether the game has taken more than its share by that wall moment."""
    return game.busy_until is not None and game.busy_until > wall + _paid_in(GAME_BURST.most)


def _paid_in(seconds: float) -> timedelta:
    """How long a game's share takes to pay for so many seconds of a worker."""
    return timedelta(seconds=seconds / GAME_SHARE.most)


def charge(game: Game, wall: datetime, seconds: float, rules: Mapping[str, float]) -> None:
    """Note at the locked game that something was kept in so many seconds, up to that wall moment,
    and what of it the programs of `rules` took. One that cannot keep up is set aside. Saves what is
    due next, too.
    """
    _fill(game, wall, seconds)
    due, changed = game.next_due, ["busy_until", *NEXT_DUE]
    # What it has taken since it has been behind, or since it last came nearer: `since` the game
    # moment at which that began, `spent` seconds, those of each of its `rules`.
    load: dict[str, object] = {}
    if game.rate and due is not None and due <= game.clock.moment(wall):
        load = {"since": iso(due), "spent": 0.0, "rules": {}}
        comes_nearer = game.load and _has_spent_enough(game.load) and not _cannot_keep_up(game)
        if game.load and not comes_nearer:
            costs = dict(game.load["rules"])
            for rule, cost in rules.items():
                costs[rule] = round(costs.get(rule, 0.0) + cost, 3)
            dearest = sorted(costs.items(), key=lambda pair: -pair[1])[:_MOST_RULES]
            spent = round(game.load["spent"] + seconds, 3)
            load = {**game.load, "spent": spent, "rules": dict(dearest)}
    if load != game.load:
        game.load = load
        changed.append("load")
    if load and _cannot_keep_up(game):
        game.set_aside = _sentence_on_load(game)
        changed.append("set_aside")
        tell_of_rest(game, wall)
        transaction.on_commit(lambda: watch.bump_resting(game.pk))
    update(game, *changed)


def charge_for_pages(game_pk: int, seconds: float) -> None:
    """Note that a worker took so many seconds for what pages show of the game. It does not tell
    that the game cannot keep up, since whoever asks decides it. Raises Busy."""
    with locked_game(pk=game_pk) as game:
        if game is not None:
            _fill(game, wall_now(), seconds)
            update(game, "busy_until")


def _fill(game: Game, wall: datetime, seconds: float) -> None:
    full = wall + _paid_in(GAME_BURST.most + _REMEMBERED)
    game.busy_until = min(max(game.busy_until or wall, wall) + _paid_in(seconds), full)


def go_on_without(game: Game) -> None:
    """Let the locked game go on, now that something of it was switched off, if it was set aside
    since it could not keep up."""
    if is_out_of_breath(game):
        _go_on(game)


def let_go_on(game_pk: int) -> None:
    """Let a game that was set aside go on: what is due in it happens, each at its own moment.

    It takes seconds, whatever the game does. Raises Busy.
    """
    with locked_game(pk=game_pk, urgent=True) as game:
        if game is not None and game.set_aside and not game.restored:
            _go_on(game)


def _go_on(game: Game) -> None:
    game.set_aside, game.load = "", {}
    update(game, "set_aside", "load")
    transaction.on_commit(lambda: watch.bump_resting(game.pk))


def is_out_of_breath(game: Game) -> bool:
    """Whether it is set aside since it cannot keep up, and not by anybody's word."""
    return bool(game.set_aside and game.load)


def _has_spent_enough(load: Mapping[str, float]) -> bool:
    return load["spent"] >= GAME_PATIENCE.most


def _cannot_keep_up(game: Game) -> bool:
    """Whether its time would go on more slowly than it does, if a worker did nothing else."""
    return _has_spent_enough(game.load) and _gained(game) / game.rate < timedelta(
        seconds=game.load["spent"]
    )


def _gained(game: Game) -> timedelta:
    """The game time of which all has happened since it has been behind."""
    assert game.next_due is not None
    return game.next_due - datetime.fromisoformat(game.load["since"])


def _sentence_on_load(game: Game) -> str:
    """The sentence by which it is set aside: the rules whose programs cost most, and what."""
    spent, gained = game.load["spent"], _gained(game)

    def cost(seconds: float) -> str:
        if not gained:
            return f"{seconds:.0f} s"
        return f"{seconds * (_DAY / gained):,.3g} s for each day of the game"

    dearest = list(game.load["rules"].items())[:_NAMED]
    programs = [f"the program of “{rule}” takes {cost(seconds)}" for rule, seconds in dearest]
    day = f"{_DAY.total_seconds() / game.rate:,.3g} s"
    last = f" A day of the game lasts {day}." if gained else " That was at one moment of the game."
    causes = enumerated(programs) if programs else f"what happens by itself takes {cost(spent)}"
    return (
        f"The game cannot keep up with its own rules: {causes}.{last} It goes on when such a"
        " program is switched off, or the operator lets it go on."
    )
