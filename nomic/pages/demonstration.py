"""The demonstration: a fast game with some weeks of races behind it, played through `take()`.

Its players are named as in Agora's Proposal 8822 and share a password that everybody knows, so
it is for one's own machine only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password

from horses.models import Race
from horses.payouts import DOLLARY, HOOF
from horses.state import State, state_of
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.play.actions import find_action, legality
from nomic.play.setup import advance, new_game, set_pace
from nomic.play.table import Table, glance
from nomic.play.take import take

SLUG = "demo"
PLAYERS = ("snail", "Murphy", "Madrid", "juan", "Jason", "ais523")
OFFICER = "snail"
PASSWORD = "horses-run"  # noqa: S105 - printed on the sign-in page of a demonstration
BEGINS = datetime(2022, 8, 8, tzinfo=UTC)
WEEK_LASTS = 240
"""Wall seconds in which a week of the demonstration passes."""

_FAVOURITES = {
    "snail": ("Fargo", "Sugar"),
    "Murphy": ("Alexia", "Nacho"),
    "Madrid": ("Rubert", "Cannon"),
    "juan": ("Baxter", "Fargo"),
    "Jason": ("Nacho", "Destructor"),
    "ais523": ("Sugar", "Rubert"),
}
_MOST_WEEKS = 60
_WEEKS_INTO_THE_RACE = 4
_SEED = 8822

Move = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Welcome:
    """What the sign-in page of a demonstration says."""

    names: tuple[str, ...] = PLAYERS
    password: str = PASSWORD
    officer: str = OFFICER


def welcome() -> Welcome | None:
    """As whom one can sign in; None unless this is a demonstration on one's own machine."""
    if settings.ORIGIN or not Game.objects.filter(slug=SLUG, preset="demo").exists():
        return None
    return Welcome()


def demonstrate() -> Game | None:
    """Fill an empty site with the demonstration; None where games are being played already."""
    if Game.objects.exists():
        return None
    new_game(SLUG, "demo", pace="manual", start=BEGINS, after_outage="shift")
    password = make_password(PASSWORD)
    for name in PLAYERS:
        known = {"password": password}
        user, _ = get_user_model().objects.get_or_create(username=name, defaults=known)
        take(SLUG, user, "games.join", {"name": name})
    take(SLUG, _player(OFFICER), "games.take_office", {"office": "Horsened"})
    _play_until_a_race_is_under_way()
    return set_pace(SLUG, "fast", rate=int(timedelta(days=7).total_seconds()) // WEEK_LASTS)


def _play_until_a_race_is_under_way() -> None:
    """Play weeks until one race has ended and the next has a few runs behind it."""
    chance = random.Random(_SEED)  # noqa: S311 - what the players do, not what the dice say
    for _ in range(_MOST_WEEKS):
        game = Game.objects.get(slug=SLUG)
        race = Race.objects.get(game=game, ended_in=None)
        runs = game.entries.filter(name="horses.run", seq__gt=race.started_in, outcome__ran=True)
        if race.number > 1 and runs.count() >= _WEEKS_INTO_THE_RACE:
            break
        _play_a_week(game, chance)


def _play_a_week(game: Game, chance: random.Random) -> None:
    """Let every player act once, two each other day, and one motivate; then the week ends."""
    start = game.now(wall_now())
    order = list(PLAYERS)
    chance.shuffle(order)
    for number, name in enumerate(order):
        if number % 2 == 0:
            advance(SLUG, start + timedelta(days=number, hours=chance.randrange(6, 20)))
        player = _player(name)
        table = glance(Game.objects.get(slug=SLUG))
        if number == 2:
            take(SLUG, player, "horses.motivate")
        for action, data in _moves(table, player, chance):
            if legality(find_action(action), table, player, data) is None:
                take(SLUG, player, action, data)
                break
    advance(SLUG, next_week(start))


def _moves(table: Table, player: Player, chance: random.Random) -> Iterator[Move]:
    """Moves that make sense for this player, the best first; refused ones are passed over."""
    state = state_of(table)
    own = [name for name in state.names if state.owners.get(name) == player.name]
    hooves = table.ledger.balance(player, HOOF)
    leaders = _leaders(state)
    if not own:
        for horse in (*_FAVOURITES[player.name], *leaders):
            yield "horses.buy", {"horse": horse}
    yield from _powers(own, leaders, chance)
    mine = own[0] if own else leaders[0]
    if hooves >= 3:
        yield "horses.nudge", {"horse": mine, "direction": "forward"}
    if hooves and chance.random() < 0.5:
        yield "horses.get_helmet", {"horse": mine}
        yield "horses.get_jersey", {"horse": leaders[1], "added_pull": mine}
    if table.ledger.balance(player, DOLLARY) > 1:
        stake = min(3, table.ledger.balance(player, DOLLARY))
        yield "horses.bet", {"horse": chance.choice([mine, *leaders[:3]]), "dollaries": stake}
    yield "horses.gain_dollaries", {}


def _powers(own: list[str], leaders: list[str], chance: random.Random) -> Iterator[Move]:
    if "Rubert" in own:
        yield "horses.rubert_power", {"horse": leaders[-1], "dollaries": 1}
    if "Fargo" in own:
        yield "horses.fargo_power", {"horse": leaders[0]}
    if "Sugar" in own and chance.random() < 0.7:
        yield "horses.sugar_power", {"horse": leaders[0]}
        yield "horses.sugar_power", {"horse": "Sugar"}
    if "Nacho" in own and chance.random() < 0.5:
        pull = {"horse": leaders[1], "pulling_horse": leaders[2], "added_pull": leaders[0]}
        yield "horses.nacho_power", pull


def _leaders(state: State) -> list[str]:
    """The horses that still run, the foremost first."""
    running = [runner for runner in state.runners if runner.place is None]
    return [runner.name for runner in sorted(running, key=lambda each: -each.position)]


def _player(name: str) -> Player:
    return Player.objects.select_related("holder").get(game__slug=SLUG, name=name)
