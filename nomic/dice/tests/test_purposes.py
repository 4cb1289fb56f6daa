"""Dice of a purpose: sealed by themselves, and opened without showing any others."""

import hashlib
import hmac

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from nomic.dice.models import Master, Period, Roll
from nomic.dice.proof import check_all
from nomic.dice.seeds import period_seed
from nomic.games.models import Game
from tests.kit import at_the_table

NUMBERS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
FEAST, FAIR = "the feast", "the fair"


@pytest.fixture
def sealed(game: Game) -> Game:
    """Two purposes and the private dice of none have rolled, and the feast is over."""
    with at_the_table(game) as table:
        table.dice.open_period(private=True)
        for purpose in (FEAST, FAIR):
            table.dice.open_period(private=True, purpose=purpose)
    with at_the_table(game) as table:
        table.dice.choose("guest", NUMBERS, private=True)
        for purpose in (FEAST, FAIR):
            table.dice.choose("guest", NUMBERS, private=True, purpose=purpose)
    with at_the_table(game) as table:
        table.dice.close_period(private=True, purpose=FEAST)
    return game


def test_a_seed_of_a_purpose_is_what_the_formula_says(sealed: Game) -> None:
    master = bytes(Master.objects.get(game=sealed).key)
    expected = hmac.new(master, b"private seed\n1\nthe feast", hashlib.sha256)
    assert sealed.dice_periods.get(purpose=FEAST).seed == expected.hexdigest()


def test_the_entry_that_opens_a_period_of_a_purpose_tells_its_commitment(sealed: Game) -> None:
    for period in sealed.dice_periods.exclude(purpose=""):
        told = sealed.entries.get(seq=period.opened_in).outcome["committed"]
        assert told[period.purpose] == period.commitment


def test_private_dice_of_no_purpose_are_as_they_always_were() -> None:
    master = bytes(range(32))
    expected = hmac.new(master, b"private seed\n7", hashlib.sha256)
    assert period_seed(master, 7, private=True) == expected.digest()


def test_publishing_the_seed_of_one_purpose_leaves_all_others_secret(sealed: Game) -> None:
    secret = sealed.dice_periods.filter(seed=None, private=True)
    assert sorted(secret.values_list("purpose", flat=True)) == ["", FAIR]
    proofs = {proof.period.purpose: proof for proof in check_all(sealed)}
    assert str(proofs[FEAST]) == (
        "private period 1 of the feast: the seed matches its commitment, and 1 roll its formula"
    )
    assert not proofs[FAIR].is_published
    assert [proof.rolls for proof in check_all(sealed)] == [0, 1, 1, 1]
    assert not [proof for proof in check_all(sealed) if proof.wrong]


def test_a_purpose_can_have_a_second_period_when_its_first_is_closed(sealed: Game) -> None:
    with at_the_table(sealed) as table:
        table.dice.open_period(2, private=True, purpose=FEAST)
        with pytest.raises(DatabaseError, match="one_open_period"), transaction.atomic():
            table.dice.open_period(2, private=True, purpose=FAIR)
        with pytest.raises(DatabaseError, match="one_period_a_number"), transaction.atomic():
            table.dice.open_period(1, private=True, purpose=FEAST)
    assert sealed.dice_periods.filter(purpose=FEAST).count() == 2


def test_dice_of_a_purpose_are_private(sealed: Game) -> None:
    with at_the_table(sealed) as table:
        with pytest.raises(DatabaseError, match="serve_a_purpose"), transaction.atomic():
            table.dice.open_period(purpose=FEAST)
        with pytest.raises(Period.DoesNotExist):
            table.dice.choose("guest", NUMBERS, purpose=FAIR)


def test_each_label_draws_different_options_one_after_the_other(game: Game) -> None:
    with at_the_table(game) as table:
        drawn = table.dice.draw_for_each(["Murphy", "Madrid"], NUMBERS, 5)
        assert table.dice.draw_for_each([], NUMBERS, 5) == {}
    assert list(drawn) == ["Murphy", "Madrid"]
    for label, numbers in drawn.items():
        rolls = Roll.objects.filter(period__game=game, label__startswith=label)
        assert [roll.label for roll in rolls] == [f"{label} {turn}" for turn in range(1, 6)]
        assert [roll.option for roll in rolls] == numbers
        for turn, roll in enumerate(rolls):
            assert roll.options == [each for each in NUMBERS if each not in numbers[:turn]]
    assert drawn["Murphy"] != drawn["Madrid"]
    assert not [proof for proof in check_all(game) if proof.wrong]


@pytest.mark.thorough
def test_two_thousand_draw_in_as_many_queries_as_two(game: Game) -> None:
    costs = []
    for crowd in (2, 2_000):
        with at_the_table(game) as table, CaptureQueriesContext(connection) as asked:
            table.dice.draw_for_each(map(str, range(crowd)), NUMBERS, 5)
        costs.append(len([query for query in asked if "dice_" in query["sql"]]))
    assert costs == [2, 2]
    assert Roll.objects.filter(period__game=game).count() == 5 * 2_002


def test_nobody_draws_more_than_there_is(game: Game) -> None:
    with at_the_table(game) as table, pytest.raises(ValueError, match="3 are to be drawn"):
        table.dice.draw_for_each(["Murphy"], [1, 2], 3)
    with at_the_table(game) as table:
        drawn = table.dice.draw_for_each(["Murphy"], [1, 2], 2)
    assert sorted(drawn["Murphy"]) == [1, 2]
