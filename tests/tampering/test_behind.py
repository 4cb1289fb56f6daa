"""A game that was behind, and was paused before all that was due: its record stands every check."""

from __future__ import annotations

from datetime import timedelta

import time_machine

from nomic.engine.take import take
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, seat
from tests.tampering.javascript import verified
from tests.tampering.tools import TOOLS, exported, import_lines


def test_a_clock_that_was_set_back_since_the_game_was_behind_stands_every_check(db: None) -> None:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        game = new_game("table", "agora-races", pace="real")[0]
        seat(game, "Murphy")
        wall.shift(timedelta(days=20))
        take("table", None, "games.pause", {"reason": "it costs too much"})
        entry = game.entries.get(name="games.shift")
        late = wall_behind(entry.inputs)
        assert entry.inputs["behind"] is True
        assert entry.inputs["to"] == iso(entry.at)
        assert entry.at + late == WEDNESDAY + timedelta(days=20)
        game = Game.objects.get(pk=game.pk)
        file = exported(game)
        assert {name: tool(game) for name, tool in TOOLS.items()} == dict.fromkeys(TOOLS, "")
        assert import_lines(file) == ""
        (told,) = verified((file,))
        assert isinstance(told, dict), told
        assert told["entries"] == game.last_entry


def wall_behind(inputs: dict[str, int]) -> timedelta:
    return timedelta(seconds=inputs["seconds"], microseconds=inputs["microseconds"])
