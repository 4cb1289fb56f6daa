"""Who is paid what when a race ends (Horse Victory)."""

from hypothesis import given
from hypothesis import strategies as st

from horses.rules.charts import Charts
from horses.rules.payouts import (
    DOLLARY,
    FOR_BET,
    FOR_OUTFIT,
    FOR_PLACE,
    Holdings,
    Payout,
    payouts,
    victor,
)
from horses.rules.race import Field, Horse, started_anew

CHARTS = Charts.as_shipped()
NAMES = CHARTS.names


def finished() -> Field:
    """Rubert, Alexia and Fargo have crossed; Sugar is in the home stretch, the others are far."""
    field = started_anew(CHARTS.track, CHARTS.pulls)
    for name, at, place in (
        ("Rubert", 16, 1),
        ("Alexia", 16, 2),
        ("Fargo", 16, 3),
        ("Sugar", 12, None),
    ):
        field = field.with_horse(Horse(name, at, place))
    return field


def paid(books: Holdings, field: Field | None = None) -> tuple[Payout, ...]:
    field = field or finished()
    multipliers = {name: CHARTS.multiplier(horse) for name, horse in field.horses.items()}
    return payouts(field, multipliers, CHARTS.victory, books)


def test_all_is_paid_in_the_order_of_the_rule():
    books = Holdings(
        owners={"Rubert": "snail", "Fargo": "Murphy", "Baxter": "juan"},
        outfits={("snail", "Sugar"), ("juan", "Alexia"), ("Murphy", "Alexia")},
        bets={
            ("snail", "Sugar"): 2,
            ("snail", "Alexia"): 1,
            ("Murphy", "Rubert"): 3,
            ("juan", "Baxter"): 3,
        },
    )
    assert paid(books) == (
        Payout("snail", DOLLARY, 50, "Rubert came first", FOR_PLACE),
        Payout("Murphy", DOLLARY, 15, "Fargo came third", FOR_PLACE),
        Payout("Murphy", DOLLARY, 5, "jersey and helmet for Alexia", FOR_OUTFIT),
        Payout("juan", DOLLARY, 5, "jersey and helmet for Alexia", FOR_OUTFIT),
        Payout("snail", DOLLARY, 5, "jersey and helmet for Sugar", FOR_OUTFIT),
        Payout("snail", DOLLARY, 4, "4 times the bets on Alexia", FOR_BET),
        Payout("Murphy", DOLLARY, 27, "9 times the bets on Rubert", FOR_BET),
        Payout("snail", DOLLARY, 2, "1 times the bets on Sugar", FOR_BET),
    )


def test_horses_of_agora_pay_nobody():
    assert paid(Holdings({}, (), {})) == ()


def test_the_victor_is_the_one_with_the_most_dollaries():
    assert victor({"snail": 7, "Murphy": 9}) == "Murphy"
    assert victor({"snail": 7, "Murphy": 7, "juan": 3}) is None
    assert victor({"snail": 0}) == "snail"
    assert victor({}) is None


players = st.sampled_from(("snail", "Murphy", "juan", "Madrid"))
outfits = st.sets(st.tuples(players, st.sampled_from(NAMES)))
bets = st.dictionaries(st.tuples(players, st.sampled_from(NAMES)), st.integers(1, 30))


@given(st.dictionaries(st.sampled_from(NAMES), players), outfits, bets)
def test_each_is_paid_for_what_it_is_and_for_nothing_else(owners, worn, staked):
    result = paid(Holdings(owners, worn, staked))
    field = finished()
    expected = sum(CHARTS.victory.prizes[field[name].place] for name in owners if field[name].place)
    expected += len(worn) * CHARTS.victory.outfit
    expected += sum(CHARTS.multiplier(field[horse]) * n for (_, horse), n in staked.items())
    assert sum(payout.amount for payout in result) == expected
    assert all(payout.amount > 0 for payout in result)
