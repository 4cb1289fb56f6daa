"""What holds for every deck, harvest and cost that the rules allow."""

from collections import Counter

from hypothesis import assume, given
from hypothesis import strategies as st

from nomic.rulebook.tables import TableBroken
from settlers.rulebook import shipped_texts
from settlers.rules.charts import Charts
from settlers.rules.isle import (
    RESOURCES,
    Bonus,
    Deck,
    Settler,
    choices_for,
    draw,
    harvest,
    missing,
    paid_for,
)
from settlers.rules.legality import build_refusal, harvest_refusal

CHARTS = Charts.as_shipped()
TITLE = "The Dice Deck"
decks = st.dictionaries(st.integers(0, 15), st.integers(0, 6), min_size=1, max_size=6)


def amended(cards: dict[int, int], remade_at: int) -> Deck:
    """The whole deck that a text with these tables makes; TableBroken where none can be played."""
    rows = "\n".join(f"| {number} | {count} |" for number, count in cards.items())
    text = (
        f"| RESULT | CARDS |\n| --- | --- |\n{rows}\n\n"
        f"| DECK | CARDS |\n| --- | --- |\n| Made whole when left | {remade_at} |"
    )
    charts = Charts.of({**shipped_texts(), TITLE: text})
    return Deck(charts.deck, charts.deck, charts.remade_at)


@given(decks, st.integers(0, 12), st.dictionaries(st.integers(0, 15), st.integers(0, 4)))
def test_a_production_ends_with_any_deck_that_a_vote_can_make_however_unlucky(
    cards, remade_at, left
):
    """The unluckiest chance draws the first number again as long as there is one."""
    try:
        whole = amended(cards, remade_at)
    except TableBroken:
        assume(False)
    deck = Deck(left, whole.whole, whole.remade_at)
    drawn: list[int] = []

    def unlucky(label: str, offered: list[int]) -> int:
        assert len(drawn) <= sum(left.values()) + 2 * sum(cards.values())
        drawn.append(drawn[0] if drawn and drawn[0] in offered else offered[0])
        return drawn[-1]

    result = draw(deck, unlucky)
    assert result.first != result.second
    assert list(result.drawn) == drawn


@given(st.lists(st.randoms(use_true_random=False), min_size=1, max_size=30))
def test_cards_are_neither_made_nor_lost_until_the_deck_is_made_whole(chances):
    deck = Deck(CHARTS.deck, CHARTS.deck, CHARTS.remade_at)
    for chance in chances:
        before = Counter(deck.cards)
        drawn = draw(deck, lambda _, cards, chance=chance: chance.choice(cards))
        deck = drawn.deck
        if not drawn.remade:
            assert Counter(deck.cards) + Counter(drawn.drawn) == before
        assert not Counter(deck.cards) - Counter(CHARTS.deck)
        assert len(deck.cards) > CHARTS.remade_at
        assert len(set(deck.cards)) > 1
        assert drawn.first != drawn.second
        assert set(drawn.drawn[1:-1]) <= {drawn.first}


held = st.permutations(sorted(CHARTS.yields)).map(lambda n: dict(zip(RESOURCES, n, strict=False)))
settlements = st.lists(st.sampled_from(["Farm", "Quarry", "Church", "Cone"]), max_size=6)


@given(held, settlements, st.permutations(sorted(CHARTS.deck)), st.data())
def test_a_harvest_gains_at_most_two_yields_and_a_bonus_for_each_building(
    domains, settlement, numbers, data
):
    settler = Settler("Josh", domains=domains, buildings=tuple(settlement))
    bonuses = [
        Bonus(name, data.draw(st.sampled_from(sorted(CHARTS.buildings[name].bonus))))
        for name in settlement
        if CHARTS.buildings[name].bonus
    ]
    results = (numbers[0], numbers[1])
    assert harvest_refusal(settler, results, CHARTS, None, bonuses) is None
    crop = harvest(settler, results, CHARTS, None, bonuses)
    assert len(crop.from_domains) <= 2
    assert sum(crop.from_domains.values()) == sum(
        CHARTS.yields[number] for number in domains.values() if number in results
    )
    assert sum(crop.from_buildings.values()) == len(bonuses)
    assert Counter(crop.from_domains) + Counter(crop.from_buildings) == Counter(crop.gained)


@given(
    st.sampled_from(sorted(CHARTS.buildings)),
    st.dictionaries(st.sampled_from(RESOURCES), st.integers(0, 11)),
)
def test_a_building_can_be_built_exactly_when_one_way_to_pay_it_is_there(name, stockpile):
    settler, building = Settler("Josh", stockpile=stockpile), CHARTS.buildings[name]
    ways = choices_for(building) or ("",)
    payable = [way for way in ways if not missing(stockpile, paid_for(building, way or None))]
    assert (build_refusal(settler, name, None, CHARTS.buildings) is None) == bool(payable)
    for way in ways:
        assert (build_refusal(settler, name, way, CHARTS.buildings) is None) == (way in payable)
