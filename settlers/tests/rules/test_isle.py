"""What happens on the isle, by examples: The Gift of the Isle, and The Dice Deck."""

import pytest

from settlers.rules.charts import Charts
from settlers.rules.isle import (
    RESOURCES,
    Bonus,
    Deck,
    Settler,
    Shift,
    Swap,
    changed,
    choices_for,
    describe_items,
    draw,
    harvest,
    has_free_change,
    has_won,
    missing,
    paid_for,
)

CHARTS = Charts.as_shipped()
DOMAINS = {"wheat": 6, "sheep": 2, "stone": 12, "wood": 8, "brick": 5}


def settler(**facts) -> Settler:
    return Settler("Josh", **{"domains": DOMAINS, **facts})


class Hand:
    """Chance that draws what the test says, and remembers what it was asked."""

    def __init__(self, *cards: int) -> None:
        self.cards = list(cards)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, label: str, cards: list[int]) -> int:
        self.asked.append((label, len(cards)))
        card = self.cards.pop(0)
        assert card in cards
        return card


def deck(left: dict[int, int] | None = None) -> Deck:
    return Deck(left or CHARTS.deck, CHARTS.deck, CHARTS.remade_at)


# The Dice Deck


def test_two_results_leave_the_deck():
    drawn = draw(deck(), Hand(7, 12))
    assert (drawn.first, drawn.second, drawn.drawn, drawn.remade) == (7, 12, (7, 12), False)
    assert len(drawn.deck.cards) == 34
    assert drawn.deck.cards.count(7) == 5
    assert 12 not in drawn.deck.cards


def test_the_second_is_drawn_again_until_it_differs_and_all_of_them_are_out():
    hand = Hand(7, 7, 7, 7, 4)
    drawn = draw(deck(), hand)
    assert (drawn.first, drawn.second, drawn.drawn) == (7, 4, (7, 7, 7, 7, 4))
    assert len(drawn.deck.cards) == 31
    assert hand.asked == [
        ("first result", 36),
        ("second result", 35),
        ("second result, again", 34),
        ("second result, again 2", 33),
        ("second result, again 3", 32),
    ]


def test_chance_is_offered_every_card_in_order():
    offered = []

    def choose(label: str, cards: list[int]) -> int:
        offered.append(cards)
        return cards[0]

    draw(deck({2: 1, 7: 4, 9: 4}), choose)
    assert offered == [[2, 7, 7, 7, 7, 9, 9, 9, 9], [7, 7, 7, 7, 9, 9, 9, 9]]


@pytest.mark.parametrize(
    ("left", "cards", "remains"),
    [
        ({7: 5, 8: 4}, (7, 8), 7),
        ({7: 5, 8: 3}, (7, 8), 36),
        ({7: 4, 8: 3}, (7, 12), 35),
        ({6: 1, 7: 9}, (6, 2), 35),
        ({6: 1, 7: 1, 8: 8}, (6, 7), 36),
    ],
    ids=["seven left", "six left", "six left between", "all equal between", "all equal"],
)
def test_the_deck_is_made_whole_when_six_or_only_equal_cards_are_left(left, cards, remains):
    drawn = draw(deck(left), Hand(*cards))
    assert (drawn.first, drawn.second) == cards
    assert len(drawn.deck.cards) == remains
    assert drawn.remade == (remains != 7)


def test_a_deck_that_a_vote_has_left_spent_is_made_whole_before_the_first_draw():
    hand = Hand(7, 8)
    drawn = draw(deck({2: 1, 3: 1}), hand)
    assert hand.asked[0] == ("first result", 36)
    assert drawn.remade


# Harvesting


def test_domains_of_both_results_bring_what_the_yields_have():
    crop = harvest(settler(), (2, 8), CHARTS)
    assert crop.from_domains == crop.gained == {"sheep": 5, "wood": 1}
    assert crop.from_buildings == {}
    assert crop.domains == DOMAINS


def test_the_change_comes_after_the_gain():
    crop = harvest(settler(), (2, 12), CHARTS, Shift("sheep", 3))
    assert crop.gained == {"sheep": 5, "stone": 5}
    assert crop.domains == {**DOMAINS, "sheep": 3}
    crop = harvest(settler(), (2, 11), CHARTS, Swap("sheep", "wheat"))
    assert crop.gained == {"sheep": 5}
    assert crop.domains == {**DOMAINS, "sheep": 6, "wheat": 2}


def test_empty_domains_bring_nothing_and_can_be_filled_by_a_swap():
    empty = {**DOMAINS, "sheep": None}
    crop = harvest(settler(domains=empty), (2, 6), CHARTS, Swap("wheat", "sheep"))
    assert crop.gained == {"wheat": 1}
    assert crop.domains == {**DOMAINS, "wheat": None, "sheep": 6}


def test_every_building_of_the_settlement_gives_its_own_bonus():
    owner = settler(buildings=("Farm", "Quarry", "Farm"))
    bonuses = [Bonus("Farm", "sheep"), Bonus("Quarry"), Bonus("Farm", "wheat")]
    crop = harvest(owner, (12, 6), CHARTS, None, bonuses)
    assert crop.from_buildings == {"sheep": 1, "stone": 1, "wheat": 1}
    assert crop.gained == {"wheat": 2, "sheep": 1, "stone": 6}


def test_a_number_that_a_vote_took_out_of_the_yields_brings_nothing():
    crop = harvest(settler(domains={**DOMAINS, "wheat": 7}), (7, 8), CHARTS)
    assert crop.gained == {"wood": 1}


def test_no_change_leaves_the_domains_as_they_are_and_is_a_copy():
    after = changed(DOMAINS, None)
    assert after == DOMAINS
    assert after is not DOMAINS


def test_only_a_church_frees_the_change():
    assert has_free_change(settler(buildings=("Farm", "Church")), CHARTS)
    assert not has_free_change(settler(buildings=("Farm", "Cone")), CHARTS)


# Buildings


def test_what_buildings_cost():
    farm, quarry, church, cone = CHARTS.buildings.values()
    assert paid_for(farm) == {"wood": 2, "sheep": 1, "wheat": 1}
    assert paid_for(quarry) == {"brick": 2, "wood": 1}
    assert paid_for(church) == {"stone": 2}
    assert paid_for(cone, "brick") == {"stone": 5, "brick": 5}
    assert choices_for(cone) == ("wheat", "sheep", "wood", "brick")
    assert choices_for(farm) == ()


@pytest.mark.parametrize("other", [None, "stone", "gold"])
def test_a_cone_is_never_sold_for_half_its_price(other):
    with pytest.raises(ValueError, match="one other resource"):
        paid_for(CHARTS.buildings["Cone"], other)


@pytest.mark.parametrize(("cones", "won"), [(0, False), (3, False), (4, True), (5, True)])
def test_four_cones_are_a_victory(cones, won):
    assert has_won(["Farm", "Church", *["Cone"] * cones], CHARTS.victory) is won


# Items


def test_items_are_told_and_counted():
    assert describe_items({"brick": 1200, "wood": 2, "sheep": 0}) == "2 wood and 1,200 brick"
    assert describe_items({}) == "nothing"
    assert missing({"wood": 2}, {"wood": 3, "brick": 1, "sheep": 0}) == {"wood": 1, "brick": 1}
    assert RESOURCES == ("wheat", "sheep", "stone", "wood", "brick")
