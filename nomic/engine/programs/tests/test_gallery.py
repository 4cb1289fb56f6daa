"""The gallery: each rule is played as it stands."""

from datetime import UTC, datetime
from typing import Any

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.programs.declarations import declared_in, program_in
from nomic.engine.programs.gallery import Piece, gallery, races
from nomic.engine.programs.hooks import stubs
from nomic.engine.programs.sandbox import problem_in, types_in
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import coins, is_sound
from nomic.engine.programs.views import drawings
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import Take

CURRENCIES = [("coin", "coins"), ("coin", "coins")]
PIECES = {piece.title: piece for piece in gallery()}


def week(game: Game, number: int) -> None:
    advance(game.slug, datetime(2026, 3, 2 + 7 * number, 1, tzinfo=UTC))


@pytest.fixture
def take_up(adopt: Adopt) -> Any:
    def take_up(title: str) -> None:
        adopt(program_in(PIECES[title].for_currencies(CURRENCIES)))

    return take_up


@pytest.mark.parametrize("piece", gallery(), ids=lambda piece: piece.title)
def test_each_is_right_as_it_stands(piece: Piece) -> None:
    program = program_in(piece.for_currencies(CURRENCIES))
    assert declared_in(program).problem is None
    assert declared_in(program)
    assert problem_in(program) is None
    assert types_in(program, stubs()) is None


@pytest.mark.parametrize(("number", "piece"), races().rules, ids=lambda each: str(each)[:4])
def test_each_rule_of_the_races_is_right_as_it_stands(number: str, piece: Piece) -> None:
    program = program_in(piece.text)
    assert number.isdecimal()
    assert declared_in(program).problem is None
    assert declared_in(program)
    assert problem_in(program) is None
    assert types_in(program, stubs()) is None


def test_the_tax(rich: Game, player: Player, act: Take, take_up: Any) -> None:
    act(player, "tiny.pay", coins=8, to="Madrid")
    take_up("The Tax")
    week(rich, 1)
    assert coins(rich) == {"Murphy": 4, "Madrid": 18}
    is_sound(rich)


@pytest.mark.thorough
def test_the_lottery(rich: Game, player: Player, rival: Player, act: Take, take_up: Any) -> None:
    take_up("The Lottery")
    act(player, "rule.coins.ticket")
    act(rival, "rule.coins.ticket")
    assert [bar.name for bar in drawings(glance(rich))[0].bars] == ["Murphy", "Madrid"]
    week(rich, 1)
    assert sorted(coins(rich).values()) == [10, 12]
    week(rich, 2)
    assert (
        rich.entries.filter(name="rule.week")
        .last()
        .text.startswith("“Coins” says: “Nobody who plays has")
    )
    is_sound(rich)


def test_the_market(rich: Game, player: Player, rival: Player, act: Take, take_up: Any) -> None:
    take_up("The Market")
    act(player, "rule.coins.offer", amount=3, price=5)
    assert coins(rich)["Murphy"] == 7
    with pytest.raises(Refused, match="no offer 2"):
        act(rival, "rule.coins.buy", number=2)
    [drawing] = drawings(glance(Game.objects.get(pk=rich.pk)))
    assert drawing.rows == (("1", "Murphy", "3", "5"),)
    act(rival, "rule.coins.buy", number=1)
    assert coins(rich) == {"Murphy": 12, "Madrid": 8}
    act(player, "rule.coins.offer", amount=3, price=5)
    act(player, "rule.coins.buy", number=2)
    assert coins(rich) == {"Murphy": 12, "Madrid": 8}
    is_sound(rich)


@pytest.mark.thorough
def test_the_medal(rich: Game, player: Player, rival: Player, act: Take, take_up: Any) -> None:
    take_up("The Medal")
    for number in range(1, 5):
        act(player, "rule.coins.here")
        if number != 2:
            act(rival, "rule.coins.here")
        with pytest.raises(Refused, match="You have answered this week"):
            act(player, "rule.coins.here")
        week(rich, number)
    assert coins(rich) == {"Murphy": 19, "Madrid": 14}
    is_sound(rich)


def test_tag(rich: Game, player: Player, rival: Player, act: Take, take_up: Any) -> None:
    take_up("Tag")
    act(player, "rule.coins.tag", player="Madrid")
    with pytest.raises(Refused, match="Madrid is it"):
        act(player, "rule.coins.tag", player="Madrid")
    with pytest.raises(Refused, match="Tag somebody else"):
        act(rival, "rule.coins.tag", player="Murphy")
    week(rich, 1)
    assert coins(rich) == {"Murphy": 11, "Madrid": 10}
    is_sound(rich)


@pytest.mark.thorough
def test_the_crown(rich: Game, player: Player, rival: Player, act: Take, take_up: Any) -> None:
    take_up("The Crown")
    act(player, "rule.coins.bid", amount=4)
    with pytest.raises(Refused, match="Bid more than 4"):
        act(rival, "rule.coins.bid", amount=4)
    act(rival, "rule.coins.bid", amount=5)
    assert coins(rich) == {"Murphy": 10, "Madrid": 5}
    with pytest.raises(Refused, match="This costs 99 coins"):
        act(player, "rule.coins.bid", amount=99)
    week(rich, 1)
    [drawing] = drawings(glance(Game.objects.get(pk=rich.pk)))
    assert drawing.rows == (("Madrid", "none"),)
    is_sound(rich)


@pytest.mark.thorough
def test_the_mayor(rich: Game, player: Player, rival: Player, act: Take, take_up: Any) -> None:
    take_up("The Mayor")
    act(player, "rule.coins.elect", player="Madrid")
    act(rival, "rule.coins.elect", player="Madrid")
    with pytest.raises(Refused, match="that is nobody yet"):
        act(rival, "rule.coins.grant", player="Murphy")
    advance(rich.slug, datetime(2026, 4, 1, 1, tzinfo=UTC))
    before = coins(rich)["Murphy"]
    act(rival, "rule.coins.grant", player="Murphy")
    with pytest.raises(Refused, match="Murphy has been granted"):
        act(rival, "rule.coins.grant", player="Murphy")
    assert coins(rich)["Murphy"] == before + 1
    is_sound(rich)
