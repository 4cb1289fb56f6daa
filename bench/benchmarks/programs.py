"""Programs of rules: an act by one against the built-in act that does the same, many at one act,
one over many players, and many games in which one is due."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from bench import cast
from bench.figures import Figure, median
from bench.size import Size
from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.programs.tests.bodies import FAILS, function
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game

NAME = "programs of rules"
_TARGET = 2.0
_RULE = "Weekly Race Actions"
_KEY = "weekly-race-actions"
_HOOKS = 50
_PLAYERS = 1000
_GAMES = 100
_EVENTS = 20  # that a week's end has at most
_GAIN = """
@action("gain", "Gain dollaries")
def gain(me: Player):
    if me in state:
        refuse("Once a week.")
    state[me] = True
    give(me, 4, "dollary")
    say(f"{me} gains 4 dollaries.")
"""
_HOOK = """
@after("rule.weekly-race-actions.gain")
def hook_{0}(event: Event):
    state["of {0}"] = event.text
"""
_LOCKED = 1000.0  # milliseconds for which no program may hold a game
_WORST = (
    "loops where it is caught",
    "keeps what is doubled",
    "moves to what is doubled",
    "squares",
    "rolls for ever",
    "reads other things for ever",
    "looks for what is not there for ever",
    "looks into others for ever",
)  # of what the tests try
_GO = """
@action("go", "Go")
def go(me: Player):
    pass
"""
_WAGES = """
@every("week")
def wages():
    for player in players():
        give(player, 1, "dollary")
"""


def measure(size: Size) -> list[Figure]:
    """Acts by turns in one game, then the same with hooks; then a week's end in others."""
    count = min(size.actions, _PLAYERS)
    game = _game("programs", count + 1, _GAIN)
    built, ours = _by_turns(game, count)
    hooked = _game("hooked", count + 1, _GAIN + "".join(map(_HOOK.format, range(_HOOKS))))
    _, with_hooks = _by_turns(hooked, min(count, 20))
    players = min(max(size.players), _PLAYERS)
    return [
        Figure(NAME, "an action, against a built-in one", "ms", ours, built, at_most=_TARGET),
        Figure(NAME, f"the same with {_HOOKS} hooks after it", "ms", with_hooks, ours),
        _locked(f"a weekly event over {players:,} players", _week(players)),
        _locked("the longest act, with hostile programs after it", _longest()),
        Figure(NAME, "games with one due at once, kept", "a second", _monday(size)),
    ]


def _locked(case: str, took: float) -> Figure:
    return Figure(NAME, f"{case}, against a second", "ms", took, _LOCKED, at_most=1.0)


def _longest() -> float:
    """How long the slowest of these acts takes, each with hooks after it that do their worst."""
    game, took = _game("hostile", 3, _GO), []
    player = game.players.select_related("holder").earliest("pk")
    for name in _WORST:
        hooks = "".join(
            f'@after("rule.{_KEY}.go")\n{function(f"hook_{n}()", FAILS[name])}' for n in range(3)
        )
        _amend(game, _GO + hooks)
        took.append(_timed(take, game.slug, player, f"rule.{_KEY}.go"))
        assert game.entries.latest("seq").outcome["programs"]["failed"], name
    return max(took)


def _game(slug: str, players: int, program: str, pace: str = "manual") -> Game:
    game = cast.races(slug, pace=pace)
    cast.seat(game, players)
    _amend(game, program)
    game.refresh_from_db()
    return game


def _amend(game: Game, program: str) -> None:
    text = game.rules.get(title=_RULE).text.partition("\n```python")[0]
    text = f"{text}\n```python{program}```\n"
    take(game.slug, None, "rulebook.amend", {"rule": _RULE, "text": text, "reason": "a benchmark"})


def _by_turns(game: Game, count: int) -> tuple[float, float]:
    """Medians in milliseconds of the built-in act and of the program's; the first ones warm up."""
    built, ours = [], []
    for player in game.players.select_related("holder").order_by("pk")[: count + 1]:
        built.append(_timed(take, game.slug, player, "horses.gain_dollaries"))
        ours.append(_timed(take, game.slug, player, "rule.weekly-race-actions.gain"))
    return median(built[1:]), median(ours[1:])


def _week(players: int) -> float:
    """How long the game is locked for the event, in milliseconds."""
    game = _game("wages", players, _WAGES, pace="fast")
    _let_the_week_end(game.slug)
    for _ in range(_EVENTS):
        seconds = _timed(catch_up, game.pk, limit=1)
        newest = game.entries.latest("seq")
        if newest.name == "rule.week":
            assert newest.outcome["programs"]["ran"]
            return seconds
    raise AssertionError("The event did not happen.")


def _monday(size: Size) -> float:
    template = _game("many", 3, _WAGES, pace="fast")
    count = min(size.due_games, _GAMES)
    cast.copies(template, count - 1)
    _let_the_week_end("many")
    seconds = _timed(sweep) / 1000
    ended = Game.objects.filter(slug__startswith="many", entries__name="rule.week")
    assert ended.count() == count
    return count / seconds


def _let_the_week_end(slug: str) -> None:
    wall = wall_now()
    begun = wall - (cast.MONDAY - cast.SUNDAY) - timedelta(hours=1)
    games = Game.objects.filter(slug__startswith=slug)
    games.update(anchor_wall=begun, wakes_at=wall - timedelta(hours=1))


def _timed(what: Callable[..., object], *given: object, **more: object) -> float:
    """How long that takes, in milliseconds."""
    began = time.perf_counter()
    what(*given, **more)
    return (time.perf_counter() - began) * 1000
