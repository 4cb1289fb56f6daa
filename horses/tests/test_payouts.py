"""Who is paid what when a race ends."""

from hypothesis import given
from hypothesis import strategies as st

from horses.charts import shipped_charts
from horses.payouts import DOLLARY, POINTS, Books, Payout, payouts
from horses.rules import Field, Horse, started_anew

CHARTS = shipped_charts()
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


def paid(books: Books, field: Field | None = None) -> tuple[Payout, ...]:
    field = field or finished()
    multipliers = {name: CHARTS.multiplier(horse) for name, horse in field.horses.items()}
    return payouts(field, multipliers, CHARTS.victory, books)


def test_all_is_paid_in_the_order_of_the_rule():
    books = Books(
        dollaries={"snail": 1, "Murphy": 0, "juan": 4},
        owners={"Rubert": "snail", "Fargo": "Murphy", "Baxter": "juan"},
        outfits={("snail", "Sugar"), ("juan", "Alexia"), ("Murphy", "Alexia")},
        bets={("snail", "Sugar"): 2, ("Murphy", "Rubert"): 3, ("juan", "Baxter"): 3},
    )
    assert paid(books) == (
        Payout("snail", DOLLARY, 50, "Rubert came first"),
        Payout("Murphy", DOLLARY, 15, "Fargo came third"),
        Payout("Murphy", DOLLARY, 5, "jersey and helmet for Alexia"),
        Payout("juan", DOLLARY, 5, "jersey and helmet for Alexia"),
        Payout("snail", DOLLARY, 5, "jersey and helmet for Sugar"),
        Payout("Murphy", DOLLARY, 27, "9 times the bets on Rubert"),
        Payout("snail", DOLLARY, 2, "1 times the bets on Sugar"),
        Payout("snail", POINTS, 15, "the most dollaries"),
    )


def test_a_tie_for_the_most_dollaries_gives_nobody_points():
    assert paid(Books({"snail": 7, "Murphy": 7, "juan": 3}, {}, (), {})) == ()


def test_the_most_dollaries_are_counted_after_the_prizes():
    books = Books({"snail": 45, "Murphy": 0}, {"Rubert": "Murphy"}, (), {})
    assert paid(books)[-1] == Payout("Murphy", POINTS, 15, "the most dollaries")


def test_a_lone_player_has_the_most():
    assert paid(Books({"snail": 0}, {}, (), {})) == (
        Payout("snail", POINTS, 15, "the most dollaries"),
    )


def test_whoever_has_left_gains_nothing():
    books = Books({"snail": 1}, {"Rubert": "gone"}, {("gone", "Sugar")}, {("gone", "Rubert"): 3})
    assert {payout.player for payout in paid(books)} == {"snail"}


def test_nobody_is_paid_where_there_are_no_players():
    assert paid(Books({}, {}, (), {})) == ()


players = st.sampled_from(("snail", "Murphy", "juan", "Madrid"))
outfits = st.sets(st.tuples(players, st.sampled_from(NAMES)))
bets = st.dictionaries(st.tuples(players, st.sampled_from(NAMES)), st.integers(1, 30))


@given(st.dictionaries(players, st.integers(0, 99)), outfits, bets)
def test_only_players_gain_and_at_most_one_scores(dollaries, worn, staked):
    result = paid(Books(dollaries, {"Alexia": "snail"}, worn, staked))
    assert {payout.player for payout in result} <= dollaries.keys()
    assert all(payout.amount > 0 for payout in result)
    scored = [payout for payout in result if payout.asset == POINTS]
    totals = dict(dollaries)
    for payout in result:
        if payout.asset == DOLLARY:
            totals[payout.player] += payout.amount
    ranking = sorted(totals.values(), reverse=True)
    alone = len(ranking) == 1 or (len(ranking) > 1 and ranking[0] > ranking[1])
    assert len(scored) == int(alone)
    assert all(totals[payout.player] == ranking[0] for payout in scored)
