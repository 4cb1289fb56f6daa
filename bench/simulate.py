"""Playing a game at random, legally and illegally, for years of its time: `manage.py simulate`.

What people would try in years, some of it nonsense: every action, with inputs that fit, that do
not and that are none. Everything must end in a receipt or a refusal, and the books must balance
after each week. The same seed plays the same game.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from operator import attrgetter
from random import Random
from time import perf_counter
from typing import Any

from nomic.engine.actions import Action, all_actions, legality
from nomic.engine.catch_up import catch_up
from nomic.engine.outcomes import Malformed, Receipt, Refused, UnknownAction
from nomic.engine.subgames import all_subgames, in_play
from nomic.engine.table import Table, glance
from nomic.engine.take import take
from nomic.games.calendars import next_week
from nomic.games.clock import standing_at, wall_now
from nomic.games.models import Game, Pace, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game, seat_practice_players
from nomic.simulation.bots import OFTEN, SELDOM, Bots, Habit, bots_for

BEGINS = datetime(2022, 8, 1, tzinfo=UTC)  # a Monday
_MOMENTS_A_WEEK = 5  # at which somebody may act
_READINESS = 0.3  # how likely one player does at one of them
_WEEK_OF_THE_BILLS = 1  # so that there is a time before what they bring
_NOT_AT_RANDOM = {
    "rulebook.amend",  # random prose for rules would only switch the game off
    "games.remove_player",  # soon nobody would play
    "games.choose_host",  # nobody is, here
    "games.set_bound",  # the operator's, who does not play
    "games.accept",  # everybody votes here
    "games.accept_by_support",
    "games.bring_balance",  # before the first vote alone, by a host
    "games.bring_office",
    "games.bring_player",
    "games.bring_switch",
    "proposals.bring_duty",
    "games.take_rules_back",
    "games.rename",  # whoever looks on knows players by their names
    "rulebook.enter",
    "rulebook.enter_class",
    "rulebook.enter_repeal",
    "games.switch_off_program",  # soon no program would run
    "games.switch_on_program",
}
_STANDARD = dict.fromkeys(
    ("games.leave", "games.pause", "games.resign_office", "games.ratify", "ledger.correct"),
    Habit(SELDOM),
)
_IDLE = 4  # the weight of an action of a subgame that the game does not play
_SPOILT_FROM = 0.8  # of the chances from 0 to 1 by which a move is chosen
_HIGHEST = 30
_NONSENSE: tuple[Any, ...] = (
    *(None, "", " ", 0, -1, 4, 10**30, 2.5, True, [], {}, ["Alexia"], {"horse": "Alexia"}),
    *("no such thing", "0", "-1", "１", "🐎" * 900, "Alexia\0", "'; DROP TABLE games_game; --"),
)


class SimulationFailed(Exception):
    """The game did what no game may do; the text says what, and after which move."""


@dataclass
class Tally:
    """The moves of a simulation, counted; `taken` by action, `refused` by the refusal's code."""

    weeks: int = 0
    events: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    malformed: int = 0
    unknown: int = 0
    repeated: int = 0

    @property
    def moves(self) -> int:
        """How many acts were tried: taken, refused, malformed, unknown or repeated."""
        tried = self.taken.total() + self.refused.total()
        return tried + self.malformed + self.unknown + self.repeated


class Simulation:
    """A game of manual pace among practice players, moved by chance and audited each week.

    Raises SimulationFailed at the first thing that is wrong.
    """

    def __init__(
        self, slug: str, preset: str, *, players: int, seed: int, moments: int = _MOMENTS_A_WEEK
    ) -> None:
        """`moments` is at how many moments of a week somebody may act."""
        self.slug = slug
        self.tally = Tally()
        self._moments = moments
        self._habits = {**_STANDARD}
        for subgame in all_subgames():
            self._habits |= bots_for(subgame).habits
        self._random = Random(f"{preset} {players} {seed}")
        self._last: tuple[Player, str, dict[str, Any], str] | None = None
        key = hashlib.sha256(f"simulation {preset} {seed}".encode()).digest()
        with standing_at(BEGINS):
            game, made = new_game(slug, preset, pace=Pace.MANUAL, start=BEGINS, dice_key=key)
            if not made:
                said = f"There is a game “{slug}” already; a simulation needs its own."
                raise SimulationFailed(said)
            seat_practice_players(slug, players)
        self.game_id = game.pk

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return Game.objects.get(pk=self.game_id)

    def play(self, weeks: int) -> Tally:
        """Play that many weeks, each with an audit, and return the tally so far. Raises
        SimulationFailed."""
        with standing_at(BEGINS):
            for _ in range(weeks):
                self._week()
        return self.tally

    def _week(self) -> None:
        now = self.game.now(wall_now())
        end = next_week(now)
        players = list(Player.objects.filter(game_id=self.game_id).order_by("pk"))
        if self.tally.weeks == _WEEK_OF_THE_BILLS:
            # The first player brings in what brings the rest of the subgames' machinery into play,
            # and all vote for it.
            active = [player for player in players if player.active]
            played = [bots_for(each) for each in all_subgames() if each.is_on(self.game)]
            for body, bots in product([bill for each in played for bill in each.bills], played):
                proposing = bots.passing(body, None)
                brought = self._try(active[0], *proposing) if proposing else None
                supporting = bots.passing(body, brought.entry.outcome) if brought else None
                if supporting is None:
                    continue
                for player in active:
                    self._try(player, *supporting)
        for moment in sorted(self._random.random() for _ in range(self._moments)):
            if self.game.paused_at and self._random.random() >= 0.7:
                take(self.slug, None, "games.resume")
            if not self.game.paused_at:  # else whoever acts next finds a game that is paused
                self.tally.events += advance(self.slug, now + (end - now) * moment)
            for player in self._random.sample(players, len(players)):
                if self._random.random() < _READINESS:
                    self._move(player)
        if self.game.paused_at:
            take(self.slug, None, "games.resume")
        self.tally.events += advance(self.slug, end)
        self.tally.weeks += 1
        game = self.game
        if game.stuck_at:
            raise SimulationFailed(f"The game is stuck at {game.stuck_at}: {game.stuck_error}")
        for finding in audit(game):
            if finding.wrong:
                raise SimulationFailed(f"After week {self.tally.weeks}: {finding}")

    def _move(self, player: Player) -> None:
        player.refresh_from_db()
        chance = self._random.random()
        if not player.active:
            self._try(player, "games.join", {"name": player.name})
        elif chance < 0.05 and self._last:
            actor, name, inputs, key = self._last
            if not take(self.slug, actor, name, inputs, key).repeated:
                raise SimulationFailed(f"{actor}'s {name} happened a second time by one key.")
            self.tally.repeated += 1
        elif chance < 0.07:
            self._try(player, "games.fly", {})
        else:  # something that is offered, or anything, with inputs that fit or do not
            table = glance(self.game)
            action = self._legal_kind(table, player) if chance < 0.6 else self._any_kind(table.game)
            if action is not None:
                inputs = self._inputs(table, player, action)
                if chance > _SPOILT_FROM:
                    name = self._random.choice([*inputs, "colour"])
                    if self._random.random() < 0.2:
                        inputs.pop(name, None)
                    else:
                        inputs[name] = self._random.choice(_NONSENSE)
                self._try(player, action.name, inputs)

    def _try(self, player: Player, name: str, inputs: dict[str, Any]) -> Receipt | None:
        """The receipt; None where it was not to be."""
        key = f"{self.tally.moves}"
        typed = self._random.random() < 0.5
        if glance(self.game).overdue:  # an action may let something happen at once
            self.tally.events += catch_up(self.game_id)
        before = self.game.last_entry
        try:
            receipt = take(self.slug, player, name, inputs, key, typed=typed)
        except Refused as refused:
            self.tally.refused[refused.refusal.code] += 1
        except Malformed:
            self.tally.malformed += 1
        except UnknownAction:
            self.tally.unknown += 1
        except Exception as error:
            raise SimulationFailed(
                f"{player} tried {name} with {inputs!r}: {type(error).__name__}: {error}"
            ) from error
        else:
            self.tally.taken[name] += 1
            self._last = (player, name, inputs, key)
            return receipt
        if self.game.last_entry != before:
            raise SimulationFailed(f"{player}'s {name} with {inputs!r} failed and left an entry.")
        return None

    # Choosing

    def _legal_kind(self, table: Table, player: Player) -> Action | None:
        """An action that the game offers the player now; which inputs fit is another matter.

        To try one after the other, as the weights have it, is to choose among those that are
        offered by their weights, and most need not be judged.
        """
        left = _played()
        while left:
            action = self._random.choices(left, [self._habit(each).weight for each in left])[0]
            if legality(action, table, player, {}) is None:
                return action
            left.remove(action)
        return None

    def _any_kind(self, game: Game) -> Action:
        """Any action there is, offered or not; of subgames that it does not play a few."""
        known = _played()
        idle = {each.name for each in all_subgames()} - {each.name for each in in_play(game)}
        weights = [
            _IDLE if each.name.partition(".")[0] in idle else min(self._habit(each).weight, OFTEN)
            for each in known
        ]
        return self._random.choices(known, weights)[0]

    def _habit(self, action: Action) -> Habit:
        return self._habits.get(action.name) or Habit()

    def _inputs(self, table: Table, player: Player, action: Action) -> dict[str, Any]:
        """Well-formed inputs, of a few tries the first that is legal."""
        schema = action.Form(table, player).schema()
        app = action.name.partition(".")[0]
        bots = next((bots_for(each) for each in all_subgames() if each.name == app), Bots())
        worth_trying = bots.worth_trying.get(action.name, {})
        inputs: dict[str, Any] = {}
        for _ in range(self._habit(action).tries):
            inputs = self._object(schema)
            for name in sorted(inputs.keys() & worth_trying.keys()):
                inputs[name] = self._random.choice(worth_trying[name])
            with suppress(Malformed):
                chosen = action.Form(table, player, inputs).inputs()
                if legality(action, table, player, chosen) is None:
                    break
        return inputs

    def _object(self, shape: dict[str, Any]) -> dict[str, Any]:
        """An object with all required fields and some of the others."""
        required = shape.get("required", ())
        return {
            name: self._value(inner)
            for name, inner in shape["properties"].items()
            if name in required or self._random.random() < 0.4
        }

    def _value(self, shape: dict[str, Any]) -> Any:
        kind = shape.get("type", "string")
        kind = kind if isinstance(kind, str) else kind[0]
        if kind == "array" and shape.get("examples"):
            some = self._random.sample(shape["examples"], min(len(shape["examples"]), 2))
            return [each for part in some[: self._random.randint(1, 2)] for each in part]
        if kind == "object" and (not shape.get("examples") or self._random.random() < 0.5):
            return self._object(shape)
        for listed in ("enum", "examples"):
            if listed in shape:
                return self._random.choice(shape[listed]) if shape[listed] else "nothing"
        if kind == "array":
            return [self._value(shape["items"]) for _ in range(self._random.randint(0, 2))]
        if kind == "boolean":
            return self._random.random() < 0.7
        if kind in ("integer", "number"):
            low, high = shape.get("minimum", 1), shape.get("maximum", _HIGHEST)
            return self._random.randint(low, min(int(high), low + 9))
        return self._random.choice(["For the record.", "Żółty koń 7", "x", "two\nlines"])


def summary_of(simulation: Simulation, weeks: int) -> Iterator[str]:
    """Play that many weeks and replay them; yields lines that say what came of it. Raises
    SimulationFailed."""
    started = perf_counter()
    tally = simulation.play(weeks)
    played = perf_counter() - started
    agreed, difference = replay(simulation.game)
    if difference:
        raise SimulationFailed(f"{agreed} entries agree in the replay. {difference}")
    yield (
        f"{tally.weeks} weeks, each audited: {tally.moves} moves and {tally.events} events "
        f"in {played:.1f} s."
    )
    yield (
        f"{tally.taken.total()} were taken, {tally.refused.total()} refused, "
        f"{tally.malformed} malformed, {tally.unknown} unknown, {tally.repeated} sent again."
    )
    for title, counted in [("taken", tally.taken), ("refused", tally.refused)]:
        if counted:
            listed = ", ".join(f"{name} {count}" for name, count in counted.most_common())
            yield f"  {title}: {listed}"
    replayed = perf_counter() - started - played
    yield f"{agreed} entries agree with their replay ({replayed:.1f} s)."


def _played() -> list[Action]:
    """The actions that are chosen among, by name: luck does not hang on what was imported first."""
    known = (action for action in all_actions() if action.name not in _NOT_AT_RANDOM)
    return sorted(known, key=attrgetter("name"))
