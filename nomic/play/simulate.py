"""Playing a game at random, legally and illegally, for years of its time.

What people would try in years, some of it nonsense: every action, with inputs that fit, that do
not and that are none. Everything must end in a receipt or a refusal, and the books must balance
after each week. The same seed plays the same game.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any

from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Pace, Player
from nomic.play.actions import Action, all_actions, legality, offers
from nomic.play.audit import audit
from nomic.play.outcomes import Malformed, Receipt, Refused, UnknownAction
from nomic.play.setup import advance, new_game, seat_practice_players
from nomic.play.table import glance
from nomic.play.take import take

BEGINS = datetime(2022, 8, 1, tzinfo=UTC)  # a Monday
_MOMENTS_A_WEEK = 5  # at which somebody may act
_READINESS = 0.3  # how likely one player does at one of them
_NOT_AT_RANDOM = {"rulebook.amend"}  # random prose for rules would only switch the game off
_OFTEN = {"proposals.vote"}
_SELDOM = {
    "proposals.comment",
    "games.leave",
    "games.pause",
    "games.resign_office",
    "ledger.correct",
}
_HIGHEST = 30
_NONSENSE: tuple[Any, ...] = (
    *(None, "", " ", 0, -1, 4, 10**30, 2.5, True, [], {}, ["Alexia"], {"horse": "Alexia"}),
    *("no such thing", "0", "-1", "１", "🐎" * 900, "Alexia\0", "'; DROP TABLE games_game; --"),
)


class SimulationFailed(Exception):
    """The game did what no game may do; the text says what, and after which move."""


@dataclass
class Tally:
    """What happened in a simulation. `refused` counts by the refusal's code."""

    weeks: int = 0
    events: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    malformed: int = 0
    unknown: int = 0
    repeated: int = 0

    @property
    def moves(self) -> int:
        """How often somebody tried something."""
        tried = self.taken.total() + self.refused.total()
        return tried + self.malformed + self.unknown + self.repeated


class Simulation:
    """A game of manual pace among practice players, moved by chance and audited each week.

    Raises SimulationFailed at the first thing that is wrong.
    """

    def __init__(self, slug: str, preset: str, *, players: int, seed: int) -> None:
        self.slug = slug
        self.tally = Tally()
        self._random = Random(f"{preset} {players} {seed}")  # noqa: S311 - to be repeated
        self._last: tuple[Player, str, dict[str, Any], str] | None = None
        key = hashlib.sha256(f"simulation {preset} {seed}".encode()).digest()
        game, made = new_game(slug, preset, pace=Pace.MANUAL, start=BEGINS, dice_key=key)
        if not made:
            raise SimulationFailed(f"There is a game “{slug}” already; a simulation needs its own.")
        seat_practice_players(slug, players)
        self.game_id = game.pk

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return Game.objects.get(pk=self.game_id)

    def play(self, weeks: int) -> Tally:
        """Play that many weeks."""
        for _ in range(weeks):
            self._week()
        return self.tally

    def _week(self) -> None:
        now = self.game.now(wall_now())
        end = next_week(now)
        players = list(Player.objects.filter(game_id=self.game_id).order_by("pk"))
        moments = sorted(self._random.random() for _ in range(_MOMENTS_A_WEEK))
        for moment in moments:
            self._pass_time(now + (end - now) * moment)
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

    def _pass_time(self, to: datetime) -> None:
        if self.game.paused_at:
            if self._random.random() < 0.7:
                return  # whoever acts next finds a game that is paused
            take(self.slug, None, "games.resume")
        self.tally.events += advance(self.slug, to)

    def _move(self, player: Player) -> None:
        player.refresh_from_db()
        if not player.active:
            return self._try(player, "games.join", {"name": player.name})
        chance = self._random.random()
        if chance < 0.05 and self._last:
            return self._again(*self._last)
        if chance < 0.07:
            return self._try(player, "horses.fly", {})
        game = self.game
        action = self._legal_kind(game, player) if chance < 0.6 else self._any_kind()
        if action is None:
            return None
        inputs = self._inputs(game, player, action)
        if chance > 0.85:
            inputs = self._spoilt(inputs)
        return self._try(player, action.name, inputs)

    def _try(self, player: Player, name: str, inputs: dict[str, Any]) -> None:
        key = f"{self.tally.moves}"
        typed = self._random.random() < 0.5
        before = self.game.last_entry
        try:
            take(self.slug, player, name, inputs, key, typed=typed)
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
            return
        if self.game.last_entry != before:
            raise SimulationFailed(f"{player}'s {name} with {inputs!r} failed and left an entry.")

    def _again(self, player: Player, name: str, inputs: dict[str, Any], key: str) -> None:
        receipt: Receipt = take(self.slug, player, name, inputs, key)
        if not receipt.repeated:
            raise SimulationFailed(f"{player}'s {name} happened a second time by one key.")
        self.tally.repeated += 1

    # Choosing

    def _legal_kind(self, game: Game, player: Player) -> Action | None:
        """An action that the game offers the player now; which inputs fit is another matter."""
        allowed = [offer.action for offer in offers(glance(game), player) if offer.refusal is None]
        return self._weighed([action for action in allowed if self._is_played(action)])

    def _any_kind(self) -> Action | None:
        return self._weighed([action for action in all_actions() if self._is_played(action)])

    @staticmethod
    def _is_played(action: Action) -> bool:
        return action.name not in _NOT_AT_RANDOM

    def _weighed(self, actions: list[Action]) -> Action | None:
        if not actions:
            return None
        weights = [
            1 if action.name in _SELDOM else 100 if action.name in _OFTEN else 20
            for action in actions
        ]
        return self._random.choices(actions, weights)[0]

    def _inputs(self, game: Game, player: Player, action: Action) -> dict[str, Any]:
        """Well-formed inputs, of a few tries the first that is legal."""
        table = glance(game)
        schema = action.Form(table, player).schema()
        inputs: dict[str, Any] = {}
        for _ in range(3):
            inputs = {
                name: self._value(shape)
                for name, shape in schema["properties"].items()
                if name in schema["required"] or self._random.random() < 0.2
            }
            with suppress(Malformed):
                chosen = action.Form(table, player, inputs).inputs()
                if legality(action, table, player, chosen) is None:
                    break
        return inputs

    def _value(self, shape: dict[str, Any]) -> Any:
        for listed in ("enum", "examples"):
            if listed in shape:
                return self._random.choice(shape[listed]) if shape[listed] else "nothing"
        kind = shape["type"] if isinstance(shape["type"], str) else shape["type"][0]
        if kind == "array":
            return [self._value(shape["items"]) for _ in range(self._random.randint(0, 2))]
        if kind == "boolean":
            return self._random.random() < 0.7
        if kind in ("integer", "number"):
            low, high = shape.get("minimum", 1), shape.get("maximum", _HIGHEST)
            return self._random.randint(low, min(int(high), low + 9))
        return self._random.choice(["For the record.", "Żółty koń 7", "x", "two\nlines"])

    def _spoilt(self, inputs: dict[str, Any]) -> dict[str, Any]:
        names = [*inputs, "colour"]
        spoilt = dict(inputs)
        name = self._random.choice(names)
        if self._random.random() < 0.2:
            spoilt.pop(name, None)
        else:
            spoilt[name] = self._random.choice(_NONSENSE)
        return spoilt


def history(game: Game) -> Iterator[tuple[Any, ...]]:
    """What happened, without the wall's time: the same for the same seed."""
    yield from game.entries.order_by("seq").values_list(
        "seq", "at", "kind", "name", "actor__name", "inputs", "outcome", "text"
    )
