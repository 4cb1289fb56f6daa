"""What a game's record says of harvests and visits is what the slow second implementation reckons.

Played here on purpose, so that each step is there; `test_simulation.py` does the same at random.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest

from nomic.dice.roller import DiceRoller
from nomic.engine.outcomes import Receipt, Refused
from nomic.games.models import Game, Player
from settlers.rulebook import protection_money
from settlers.tests.paper import Paper
from settlers.tests.stage import hours
from settlers.tests.votes import adopt
from tests.kit import Take

pytestmark = pytest.mark.django_db

_PRODUCTIONS = 12
_DICE = ((4, 6), (4, 6), (4, 5))  # the Thug comes, stays, and the Merchant follows


@pytest.fixture(autouse=True)
def visitors_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the dice of the Visitor Arrivals show what `_DICE` has, again and again."""
    choose, shown = DiceRoller.choose_each, cycle(_DICE)

    def fixed(cup: DiceRoller, options: dict[str, list]) -> dict[str, Any]:
        return dict(zip(choose(cup, options), next(shown), strict=True))

    monkeypatch.setattr(DiceRoller, "choose_each", fixed)


Play = Callable[[], Game]


@pytest.fixture
def play(game: Game, officer: Player, player: Player, rival: Player, act: Take) -> Play:
    """Let Murphy and Madrid harvest whatever they can, build, swap, trade and bribe."""
    return lambda: _played(game, player, rival, act)


def _played(game: Game, player: Player, rival: Player, act: Take) -> Game:
    adopt(game, protection_money())
    both = (player, rival)
    for who in both:
        act(who, "settlers.join")
    act(player, "settlers.set_alliance", other="Madrid", listed="on")
    act(rival, "settlers.set_alliance", other="Murphy", listed="on")
    for number in range(_PRODUCTIONS):
        hours(game, 48)
        for who in both:
            _try(act, who, "settlers.harvest", change=_change(number))
        _try(act, player, "settlers.bribe", items={"wheat": number % 4, "brick": 1})
        _try(act, rival, "settlers.bribe", items={"wood": 10**12} if number % 2 else {})
        _try(act, player, "settlers.build", building="Quarry")
        _try(act, rival, "settlers.build", building="Church")
        _try(act, player, "settlers.swap_with_merchant", give="wheat", take="stone")
        _trade(act, player, rival)
    return Game.objects.get(pk=game.pk)


def _change(number: int) -> dict | None:
    if number % 3:
        return None
    return {"swap": {"a": "wheat", "b": ("stone", "wood", "brick")[number // 3 % 3]}}


def _trade(act: Take, one: Player, other: Player) -> None:
    for give, take in (("sheep", "wood"), ("wood", "sheep"), ("brick", "wheat")):
        offered = _try(
            act, one, "settlers.offer_trade", to=other.name, give={give: 1}, take={take: 1}
        )
        if offered is None:
            continue
        number = offered.entry.outcome["offer"]
        if _try(act, other, "settlers.accept_trade", offer=number) is None:
            act(one, "settlers.cancel_trade", offer=number)
            continue
        return


def _try(act: Take, who: Player, name: str, **inputs: Any) -> Receipt | None:
    try:
        return act(who, name, **inputs)
    except Refused:
        return None


def test_every_step_of_a_game_agrees_with_the_slow_isle(play: Play) -> None:
    checked = Paper(play()).follow()
    wanted = {
        "settlers.production": 12,
        "settlers.harvest": 12,
        "changes": 4,
        "visits of the Thug": 6,
        "payments": 1,
        "victims": 2,
    }
    assert {what: checked[what] for what in wanted if checked[what] < wanted[what]} == {}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("where", "wrong"),
    [
        ("settlers.rules.isle.yielded", lambda domains, results, yields: {"wheat": 1}),
        ("settlers.rules.isle.changed", lambda domains, change: dict(domains)),
        ("settlers.rules.thug.bribe_value", lambda bribe, terms: len(bribe) + 1),
    ],
)
def test_a_wrong_rule_is_found(
    play: Play, monkeypatch: pytest.MonkeyPatch, where: str, wrong: Callable
) -> None:
    monkeypatch.setattr(where, wrong)
    game = play()
    with pytest.raises(AssertionError):
        Paper(game).follow()
