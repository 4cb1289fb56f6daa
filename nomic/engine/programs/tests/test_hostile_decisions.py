"""Hostile programs that decide: nothing of what they return counts, and the rules' own words do."""

from datetime import timedelta

import pytest

from horses.rulebook import shipped_texts
from horses.rules.charts import Charts
from nomic.engine.programs.tests.bodies import AT_THE_MARGIN, FAILS, ODD, REFUSES, function
from nomic.engine.programs.tests.test_decisions import amend, dollaries, is_sound
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import Take, seat

DECIDES = '@decide("horses.gain")'
HEAD = "go(player: Player)"
GAIN = int(Charts.of(shipped_texts()).gain)


def programs() -> dict[str, str]:
    """A hostile program that decides what a gain is, by its name."""
    bodies = {**FAILS, **ODD, **REFUSES}.items()
    found = {name: f"{DECIDES}\n{function(HEAD, body)}" for name, body in bodies}
    return found | {
        name: f"{body}\n{DECIDES}\n{function(HEAD, 'return 1')}"
        for name, body in AT_THE_MARGIN.items()
    }


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def gainers(game: Game) -> list[Player]:
    """Each of them gains once a week."""
    return [seat(game, name) for name in ("Murphy", "Madrid", *(f"p{n}" for n in range(28)))]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "each", [pytest.param(16, marks=pytest.mark.brief), pytest.param(1, marks=pytest.mark.slow)]
)
def test_what_is_hostile_decides_nothing(
    game: Game, gainers: list[Player], act: Take, each: int
) -> None:
    found, week = {}, game.last_at
    for number, (name, program) in enumerate(list(programs().items())[::each]):
        player = gainers[number % len(gainers)]
        if number and player is gainers[0]:
            week += timedelta(weeks=1)
            advance(game.slug, week)
        amend(game, program)
        before = dollaries(player)
        entry = act(player, "horses.gain_dollaries").entry
        failed = entry.outcome.get("programs", {}).get("failed", [])
        told = [each["what"] for each in failed]
        # One that returns nothing leaves it to the rule, and has not failed.
        is_told = told in ([], ["go decides horses.gain"])
        if not is_told or dollaries(player) != before + GAIN:
            found[name] = f"{told}, {dollaries(player) - before}"
    assert found == {}
    is_sound(game)
