"""Rolls that depend on each other, saved together; and what nobody sees of private ones."""

from contextlib import suppress

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from nomic.dice.models import Master, Roll
from nomic.dice.proof import check_all
from nomic.dice.seeds import period_seed, roll
from nomic.games.models import Game
from tests.kit import at_the_table

DEAL = "the deal"


@pytest.fixture
def committed(game: Game) -> Game:
    """A game that has committed to private dice, with and without a purpose."""
    with at_the_table(game) as table:
        table.dice.open_period(private=True)
        table.dice.open_period(private=True, purpose=DEAL)
    return game


def rolls(game: Game) -> list[Roll]:
    return list(Roll.objects.filter(period__game=game).order_by("pk"))


def test_each_roll_may_depend_on_those_before_and_one_statement_saves_them(committed: Game) -> None:
    with at_the_table(committed) as table:
        left, drawn = list(range(100)), []
        with table.dice.several(private=True, purpose=DEAL) as choose:
            choose("the first of all", ["?"])  # reads the period and its seed
            with CaptureQueriesContext(connection) as rolling:
                for turn in range(100):
                    drawn.append(choose(f"card {turn + 1}", left))
                    left = [card for card in left if card != drawn[-1]]
        assert len(rolling) == 0
        assert Roll.objects.filter(entry=table.seq).count() == 101
    assert sorted(drawn) == list(range(100))
    assert [made.label for made in rolls(committed)[:2]] == ["the first of all", "card 1"]
    assert [made.option for made in rolls(committed)[1:]] == drawn
    assert len({tuple(made.options) for made in rolls(committed)}) == 101


def test_they_are_the_rolls_that_choose_makes_one_by_one(committed: Game) -> None:
    with at_the_table(committed) as table, table.dice.several() as choose:
        together = [choose(f"throw {n}", list("abcdef")) for n in range(30)]
    made = Roll.objects.filter(period__game=committed)
    master = bytes(Master.objects.get(game=committed).key)
    seed = period_seed(master, 1)
    alone = ["abcdef"[roll(seed, each.words(committed.identity), 6)] for each in made]
    assert [each.count for each in made] == list(range(30))
    assert together == alone
    assert len(set(together)) > 1


def test_one_for_each_label_is_rolled_with_public_dice_in_one_statement(committed: Game) -> None:
    options = {"the giver's": ["wheat", "sheep"], "the taker's": ["stone", "wood", "brick"]}
    with at_the_table(committed) as table:
        with CaptureQueriesContext(connection) as rolling:
            chosen = table.dice.choose_each(options)
        assert sum("INSERT" in each["sql"] for each in rolling) == 1
    made = rolls(committed)
    assert {each.label: each.option for each in made} == chosen
    assert {each.label: each.options for each in made} == options
    assert not any(each.period.private for each in made)


def test_where_the_block_raises_nothing_is_rolled(committed: Game) -> None:
    with at_the_table(committed) as table:
        with suppress(LookupError), table.dice.several(private=True) as choose:
            choose("a card", ["red", "black"])
            raise LookupError
        with pytest.raises(RuntimeError, match="within the block"):
            choose("another card", ["red", "black"])
        with table.dice.several(private=True):
            pass
    assert rolls(committed) == []


def test_the_rules_of_a_single_roll_hold(committed: Game) -> None:
    with at_the_table(committed) as table:
        with pytest.raises(ValueError, match="something to choose"), table.dice.several() as choose:
            choose("nothing", [])
        with (
            pytest.raises(IntegrityError, match="one_roll_a_label"),
            transaction.atomic(),
            table.dice.several() as choose,
        ):
            assert {choose("twice", [1, 2]), choose("twice", [1, 2])} <= {1, 2}
    assert rolls(committed) == []


def test_they_are_verified_like_any_others(committed: Game) -> None:
    with (
        at_the_table(committed) as table,
        table.dice.several(private=True, purpose=DEAL) as choose,
    ):
        for n in range(7):
            choose(f"card {n}", ["red"] * n + ["mauve"])
    [before] = [each for each in check_all(committed) if each.period.purpose]
    assert (before.is_published, before.wrong) == (False, "")
    assert "roll" not in str(before)
    with at_the_table(committed) as table:
        table.dice.close_period(private=True, purpose=DEAL)
    [after] = [each for each in check_all(committed) if each.period.purpose]
    assert (after.wrong, after.rolls) == ("", 7)
    assert not [each for each in check_all(committed) if each.wrong]
