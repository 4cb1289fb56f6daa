"""What chance decides: uniform, committed to beforehand, and checked by anybody afterwards."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import given
from hypothesis import strategies as st

from nomic.dice.models import Master, Period, Roll
from nomic.dice.proof import check_all
from nomic.dice.seeds import commitment, period_seed, roll
from nomic.engine.table import glance
from nomic.engine.tests.tiny import TINY
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from tests.kit import at_the_table

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
WEEK = timedelta(days=7)
SEED = bytes(range(32))
HORSES = ["Alexia", "Briar", "Cloud", "Dasher", "Ember", "Fargo", "Gale"]

# The values of chi-square that chance exceeds once in ten thousand times, by degrees of freedom.
UNLIKELY = {1: 15.1, 2: 18.4, 5: 25.7, 6: 27.9, 11: 37.4, 51: 95.4}


def by_hand(seed: str, words: tuple[object, ...], options: int) -> int:
    """A roll as docs/record-format.md tells it, without the program's own code."""
    too_many = 2**256 - 2**256 % options
    for attempt in range(1000):
        message = "\n".join(map(str, (*words, attempt))).encode()
        number = int(hmac.new(bytes.fromhex(seed), message, hashlib.sha256).hexdigest(), 16)
        if number < too_many:
            return number % options
    raise AssertionError("chance is not like that")


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 12, 52])
def test_every_side_comes_up_as_often_as_chance_would_have_it(sides: int) -> None:
    rolls = 200 * sides
    counts = Counter(roll(SEED, ("table", n, "the run"), sides) for n in range(rolls))
    assert set(counts) == set(range(sides))
    square = sum((counts[side] - 200) ** 2 / 200 for side in range(sides))
    assert square < UNLIKELY[sides - 1]


def test_two_labels_of_one_entry_have_nothing_to_do_with_each_other() -> None:
    pairs = Counter(
        (roll(SEED, ("table", n, "horse"), 3), roll(SEED, ("table", n, "distance"), 3))
        for n in range(1800)
    )
    assert sum((pairs[a, b] - 200) ** 2 / 200 for a in range(3) for b in range(3)) < 31.8


@given(
    st.binary(min_size=32, max_size=32),
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.integers(1, 10**6),
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.integers(1, 2**255),
)
def test_a_roll_is_what_the_formula_says(
    seed: bytes, game: str, entry: int, label: str, options: int
) -> None:
    value = roll(seed, (game, entry, label), options)
    assert 0 <= value < options
    assert value == by_hand(seed.hex(), (game, entry, label), options)


def test_the_last_incomplete_run_of_numbers_is_rejected() -> None:
    options = 2**255 + 1  # nearly every second number must be drawn again
    values = [roll(SEED, ("table", n, "wide"), options) for n in range(50)]
    firsts = [
        int.from_bytes(hmac.new(SEED, f"table\n{n}\nwide\n0".encode(), hashlib.sha256).digest())
        for n in range(50)
    ]
    again = [value != first for value, first in zip(values, firsts, strict=True)]
    assert 10 < sum(again) < 40
    assert [value for value, drawn in zip(values, again, strict=True) if not drawn] == [
        first for first in firsts if first < options
    ]


@pytest.mark.thorough
def test_nobody_chooses_from_nothing(game: Game) -> None:
    with pytest.raises(ValueError, match="something to choose from"):
        roll(SEED, ("table", 1, "nothing"), 0)


def test_private_and_public_seeds_of_one_number_differ() -> None:
    assert period_seed(SEED, 1) != period_seed(SEED, 1, private=True)
    assert period_seed(SEED, 1) != period_seed(SEED, 11)


@pytest.fixture
def rolled(game: Game) -> Game:
    """Dice have been rolled in each of three weeks."""
    for week in range(3):
        with at_the_table(game) as table:
            table.dice.choose("horse", HORSES)
            table.dice.choose("distance", [1, 2, 3])
        advance(game.slug, MONDAY + week * WEEK)
    game.refresh_from_db()
    return game


def test_the_commitment_is_on_the_record_before_its_seed_serves(rolled: Game) -> None:
    for period in rolled.dice_periods.all():
        entry = rolled.entries.get(seq=period.opened_in)
        assert period.commitment in entry.text
        assert all(roll.entry > entry.seq for roll in period.rolls.all())


def test_a_published_seed_is_on_the_record_and_matches_its_commitment(rolled: Game) -> None:
    published = rolled.dice_periods.filter(seed__isnull=False)
    assert published.count() == 3
    for period in published:
        assert period.seed is not None
        assert period.closed_in is not None
        assert period.seed in rolled.entries.get(seq=period.closed_in).text
        assert hashlib.sha256(bytes.fromhex(period.seed)).hexdigest() == period.commitment


def test_every_roll_can_be_checked_by_hand_once_its_seed_is_published(rolled: Game) -> None:
    rolls = Roll.objects.filter(period__game=rolled, period__seed__isnull=False)
    assert rolls.count() == 6
    for each in rolls:
        assert each.period.seed is not None
        told = rolled.identity, "", each.period.number, each.seat, each.count, each.after
        options = HORSES if each.label == "horse" else [1, 2, 3]
        assert each.options == (HORSES if each.label == "horse" else 3)
        value = by_hand(each.period.seed, told, len(options))
        assert each.value == value
        assert each.option == options[value]


def test_the_seed_of_the_open_week_is_nowhere_to_be_read(rolled: Game) -> None:
    master = bytes(Master.objects.get(game=rolled).key)
    secret = period_seed(master, 4).hex()
    assert rolled.dice_periods.get(seed__isnull=True).commitment == commitment(
        bytes.fromhex(secret)
    )
    shown = str(list(rolled.entries.values_list())) + str(list(Period.objects.values_list()))
    assert secret not in shown
    assert master.hex() not in shown


def test_two_games_with_dice_of_their_own_roll_differently(rolled: Game) -> None:
    other, _ = new_game("other", TINY, pace="manual", start=rolled.anchor_game)
    ours, theirs = rolled.dice_periods.get(number=1), other.dice_periods.get(number=1)
    assert ours.commitment != theirs.commitment


def test_the_proof_finds_all_in_order(rolled: Game) -> None:
    proofs = list(check_all(rolled))
    assert [proof.wrong for proof in proofs] == ["", "", "", ""]
    assert [proof.is_published for proof in proofs] == [True, True, True, False]


def test_a_label_serves_once_an_entry(game: Game) -> None:
    with at_the_table(game) as table:
        table.dice.choose("horse", HORSES)
        with pytest.raises(DatabaseError), transaction.atomic():
            table.dice.choose("horse", HORSES)


def test_who_only_looks_does_not_roll(game: Game) -> None:
    with pytest.raises(RuntimeError):
        glance(game).dice.choose("horse", HORSES)
    with pytest.raises(RuntimeError):
        glance(game).appointments.make("tiny.scripted", MONDAY)
    assert not Roll.objects.filter(period__game=game).exists()


# Around the ORM

Sql = Callable[..., None]


@pytest.fixture
def sql() -> Sql:
    def run(statement: str, *params: object) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, params)

    return run


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE dice_roll SET value = 0",
        "UPDATE dice_roll SET options = '[]'",
        "DELETE FROM dice_roll",
        "TRUNCATE dice_roll",
        "UPDATE dice_master SET key = '\\x00'",
        "DELETE FROM dice_master",
        "TRUNCATE dice_master",
        "DELETE FROM dice_period",
        "TRUNCATE dice_period CASCADE",
        "UPDATE dice_period SET commitment = repeat('0', 64)",
        "UPDATE dice_period SET seed = repeat('0', 64) WHERE seed IS NULL",
        "UPDATE dice_period SET seed = 'no seed' WHERE seed IS NULL",
        "UPDATE dice_period SET closed_in = 1 WHERE seed IS NULL",
        "UPDATE dice_period SET seed = NULL, closed_in = NULL WHERE number = 1",
        "UPDATE dice_period SET seed = repeat('0', 64) WHERE number = 1",
        "UPDATE dice_period SET opened_in = 1 WHERE number = 3",
        "INSERT INTO dice_period"
        " (game_id, number, private, purpose, commitment, opened_in, seed, closed_in)"
        " SELECT game_id, 99, false, '', commitment, 1, repeat('0', 64), 2 FROM dice_period"
        " WHERE number = 1",
        "INSERT INTO dice_period (game_id, number, private, purpose, commitment, opened_in)"
        " SELECT game_id, 99, false, '', commitment, 1 FROM dice_period WHERE number = 1",
        "INSERT INTO dice_period (game_id, number, private, purpose, commitment, opened_in)"
        " SELECT game_id, 99, false, 'the feast', commitment, 1 FROM dice_period WHERE number = 1",
    ],
)
def test_chance_is_not_mended_afterwards(rolled: Game, sql: Sql, statement: str) -> None:
    before = [list(model.objects.values_list()) for model in (Period, Roll)]
    with pytest.raises(DatabaseError):
        sql(statement)
    assert [list(model.objects.values_list()) for model in (Period, Roll)] == before


def test_a_seed_that_matches_is_published_once(rolled: Game, sql: Sql) -> None:
    seed = period_seed(bytes(Master.objects.get(game=rolled).key), 4).hex()
    publish = "UPDATE dice_period SET seed = %s, closed_in = %s WHERE number = 4"
    sql(publish, seed, rolled.last_entry)
    with pytest.raises(DatabaseError, match="published, once"):
        sql(publish, seed, rolled.last_entry)


def test_a_proof_names_the_roll_that_does_not_fit(rolled: Game, sql: Sql) -> None:
    sql("ALTER TABLE dice_roll DISABLE TRIGGER USER")
    sql("UPDATE dice_roll SET value = mod(value + 1, 3) WHERE label = 'distance' AND entry < 4")
    first = next(iter(check_all(rolled)))
    assert "the roll “distance” of entry 2 is recorded as" in first.wrong
