"""A game that began before rolls among numbers were kept in short, and got that meanwhile."""

from __future__ import annotations

import io

import pytest

from nomic.dice.models import Roll
from nomic.engine.take import take
from nomic.engine.tests.tiny import COINS, TINY
from nomic.games.models import Game
from nomic.operations import setup
from nomic.operations.exports import import_game
from nomic.standard.hosting import bounds
from nomic.standard.hosting.bounds import GET_BOUNDS
from tests.kit import WEDNESDAY, seat
from tests.tampering.javascript import verified
from tests.tampering.tools import audit, exported, replay, verify_dice, verify_file, verify_lines

pytestmark = pytest.mark.django_db
_PROGRAM = '```python\n@action("throw", "Throw")\ndef throw(me: Player):\n    roll(6)\n```\n'


@pytest.fixture
def older(db: None) -> Game:
    """One roll is kept as a list, the next one as a number, and both seeds are out."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (setup, bounds):
            patch.setattr(module, "usual_bounds", dict)
        game = setup.new_game("older", TINY, pace="manual", start=WEDNESDAY)[0]
        murphy = seat(game, "Murphy")
        text = game.rules.get(title=COINS).text
        change = {"rule": COINS, "text": f"{text}\n{_PROGRAM}", "reason": "a test"}
        take("older", None, "rulebook.amend", change)
        take("older", murphy, "rule.coins.throw")
    take("older", murphy, "rule.coins.throw")
    setup.advance("older", WEDNESDAY.replace(day=WEDNESDAY.day + 7))
    return Game.objects.get(pk=game.pk)


def test_each_tool_knows_both(older: Game) -> None:
    assert older.entries.filter(name=GET_BOUNDS).count() == 1
    rolls = Roll.objects.filter(period__game=older)
    assert list(rolls.values_list("options", flat=True)) == [[1, 2, 3, 4, 5, 6], 6]
    assert all(each.option in range(1, 7) for each in rolls)
    assert [audit(older), replay(older), verify_dice(older), verify_file(older)] == [""] * 4
    [found] = verified((exported(older), older.record_head))
    assert isinstance(found, dict), found


def test_each_kind_survives_a_file(older: Game) -> None:
    file = io.StringIO(exported(older))
    there = import_game(file, slug="there")
    assert there.record_head == older.record_head
    kept = Roll.objects.filter(period__game=there).values_list("options", flat=True)
    assert list(kept) == [[1, 2, 3, 4, 5, 6], 6]


@pytest.mark.parametrize(
    ("said", "instead"),
    [('"options":6', '"options":7'), ('"options":6', '"options":[1,2,3,4,5,6]')],
)
def test_neither_passes_for_the_other(older: Game, said: str, instead: str) -> None:
    honest = exported(older).replace('"options": 6', '"options":6')
    assert said in honest
    forged = honest.replace(said, instead)
    assert verify_lines(forged)
    [found] = verified((forged,))
    assert isinstance(found, str)
