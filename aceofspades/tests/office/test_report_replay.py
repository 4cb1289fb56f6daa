"""The weekly report is made of what the record determines, so that a replay makes the same."""

import pytest

from aceofspades.models import Alliance
from aceofspades.tests import stage
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay

pytestmark = pytest.mark.django_db


@pytest.fixture
def preset() -> str:
    return stage.PRESET


def test_a_report_with_an_alliance_is_the_same_whenever_its_worth_is_counted(
    game: Game, player: Player, rival: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.open_the_contest(game)
    stage.join(game, player, rival)
    for one, other in ((player, rival), (rival, player)):
        take(game.slug, one, "aceofspades.ally", {"others": [other.name]})
    assert Alliance.objects.filter(contest__game=game).count() == 1
    worths = iter(({}, {1: 14.0}, {1: 14.0}))
    monkeypatch.setattr(
        "aceofspades.api.worths_of_alliances", lambda *_: next(worths), raising=False
    )
    stage.days(game, 8)
    game.refresh_from_db()
    assert game.entries.filter(outcome__report="contestmaster").exists()
    assert replay(game) == (game.last_entry + 2, None)
