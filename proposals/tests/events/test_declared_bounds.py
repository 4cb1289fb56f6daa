"""A vote by which programs would declare more than the game lets be is left undone, and told so."""

import pytest

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from proposals.tests.events.test_programs import adopt, with_program
from proposals.web.preview.preview import preview
from tests.kit import Take

TOO_MANY = "A rulebook has at most 3 appointments of programs, and this would be 4."


@pytest.fixture
def preset() -> str:
    return "agora"


def daily(title: str, many: int) -> str:
    heads = (f'@every("day")\ndef f{turn}():\n    pass\n' for turn in range(many))
    return with_program(title, "".join(heads))


@pytest.fixture
def bounded(game: Game) -> Game:
    """Programs of the game's rules may have three appointments."""
    told = {"bound": "program_events", "most": 3, "reason": "a test"}
    take(game.slug, None, "games.set_bound", told)
    game.refresh_from_db()
    return game


def test_what_would_pass_the_bound_is_left_undone_and_the_preview_says_so(
    bounded: Game, player: Player, rival: Player, act: Take
) -> None:
    body = "\n".join([daily("Tides", 2), daily("Winds", 2), daily("Rains", 1)])
    told = preview(bounded, player, body, {})
    assert [each.refused for each in told.changes] == [False, True, False]
    assert told.changes[1].sentence == f"This is left undone: {TOO_MANY}"
    adopt(bounded, (player, rival), act, body)
    bounded.refresh_from_db()
    made = bounded.rules.filter(title__in=("Tides", "Winds", "Rains"), repealed_in=None)
    assert sorted(made.values_list("title", flat=True)) == ["Rains", "Tides"]
    assert bounded.appointments.waiting().filter(kind="rule.day").count() == 3
    assert replay(bounded)[1] is None
