"""The Marking Regulations that are shipped: the public ones, and those to be drawn as secret ones.

What their blocks make of hands is compared with a second reading in plain Python: of 310 to 410
from the source alone, of the library from its prose alone.
"""

from collections.abc import Callable
from statistics import median_low

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aceofspades.rulebook import SECRET_NUMBERS, library, shipped_texts
from aceofspades.rules.marks import Question, mark, problem_in, program_in
from tests.kit import examples

SUITS = ("Mauve", "Red", "Black", "Green", "Hearts")
NAMES = ("Murphy", "Madrid", "juan", "Jason", "snail")
TEXTS = {rule.title: rule.text for rule in library()}

Hands = dict[str, dict[str, int]]
Worth = dict[str, float]
Reading = Callable[[Hands, Worth], Worth]


def marked(texts: list[tuple[int, str]], hands: Hands, allied=(), worth: Worth | None = None):
    """What the blocks of these regulations make of the hands."""
    programs = tuple(program_in(number, text) for number, text in texts)
    assert None not in programs
    question = Question(hands=hands, alliances=tuple(allied), programs=programs, worths=worth or {})
    answer = mark(question)
    assert not answer.errors
    return dict(answer.worths)


def hand(**cards: int) -> dict[str, int]:
    return {suit: cards.get(suit.lower(), 0) for suit in SUITS}


hands_of = st.lists(
    st.fixed_dictionaries({suit: st.integers(0, 7) for suit in SUITS}),
    min_size=1,
    max_size=len(NAMES),
).map(lambda hands: dict(zip(NAMES, hands, strict=False)))


@st.composite
def hands_and_alliances(draw):
    hands = draw(hands_of)
    members = st.lists(st.sampled_from(list(hands)), min_size=2, unique=True).map(tuple)
    return hands, draw(st.lists(members, max_size=4)) if len(hands) > 1 else []


@st.composite
def hands_and_worths(draw):
    hands = draw(hands_of)
    return hands, {name: draw(st.integers(-40, 40)) for name in hands}


def test_every_shipped_block_can_be_run():
    assert {problem_in(text) for text in (*TEXTS.values(), *dict(PUBLIC).values())} == {None}


# Regulations 310 to 410

PUBLIC = [(number, text) for number, text in shipped_texts() if number in (310, 320, 330, 410)]


def slowly(hands: Hands, allied) -> Worth:
    """Regulations 310, 320, 330 and 410 once more, card by card, from the source's words."""
    values = {}
    for contestant, cards in hands.items():
        value = 0
        for suit in cards:
            for _ in range(cards[suit]):
                value = value - 4 if suit == "Mauve" else value + 1
        values[contestant] = value
    lowest = []
    for members in allied:
        found = None
        for member in members:
            if found is None or values[member] < found:
                found = values[member]
        lowest.append((members, found))
    for members, value in lowest:
        for member in members:
            values[member] += value
    return values


@given(hands_and_alliances())
@settings(max_examples=examples(40), deadline=None)
def test_the_public_marks_are_those_of_a_second_reading_of_the_source(stage):
    hands, allied = stage
    assert marked(PUBLIC, hands, allied) == slowly(hands, allied)


def up_to(number: int) -> list[tuple[int, str]]:
    return [(own, text) for own, text in PUBLIC if own <= number]


HANDS = {"Murphy": hand(mauve=1, red=3, hearts=2), "Madrid": hand(black=1), "juan": hand(mauve=2)}


def test_regulation_310_begins_from_nothing():
    assert marked(up_to(310), HANDS, worth={"Murphy": 5, "Madrid": -1, "juan": 9}) == {
        "Murphy": 0,
        "Madrid": 0,
        "juan": 0,
    }


def test_regulation_320_gives_a_mark_for_each_card_that_is_not_mauve():
    assert marked(up_to(320), HANDS) == {"Murphy": 5, "Madrid": 1, "juan": 0}


def test_regulation_330_takes_four_marks_for_each_mauve_card():
    assert marked(up_to(330), HANDS) == {"Murphy": 1, "Madrid": 1, "juan": -8}


def test_regulation_410_finds_the_lowest_worth_of_every_alliance_before_it_adds_any():
    allied = [("Murphy", "Madrid"), ("Madrid", "juan")]
    assert marked(up_to(410), HANDS, allied) == {"Murphy": 2, "Madrid": -6, "juan": -16}


def test_regulation_410_changes_nothing_where_nobody_is_allied():
    assert marked(up_to(410), HANDS) == marked(up_to(330), HANDS)


# The library, from its prose


def total(cards: dict[str, int]) -> int:
    return sum(cards.values())


def plus(worth: Worth, gains: dict[str, int]) -> Worth:
    return {name: value + gains.get(name, 0) for name, value in worth.items()}


def two_by_two(hands: Hands, worth: Worth) -> Worth:
    pairs = {n: sum(cards[suit] // 2 for suit in SUITS[1:]) for n, cards in hands.items()}
    return plus(worth, {name: 2 * count for name, count in pairs.items()})


def the_full_palette(hands: Hands, worth: Worth) -> Worth:
    gains = {}
    for name, cards in hands.items():
        left, gains[name] = dict(cards), 0
        while all(left.values()):
            left = {suit: count - 1 for suit, count in left.items()}
            gains[name] += 7
    return plus(worth, gains)


def the_great_heart(hands: Hands, worth: Worth) -> Worth:
    beaten = {n for n in hands if any(o["Hearts"] > hands[n]["Hearts"] for o in hands.values())}
    return plus(worth, {n: 6 for n in hands if n not in beaten and hands[n]["Hearts"]})


def afraid_of_the_dark(hands: Hands, worth: Worth) -> Worth:
    beaten = {n for n in hands if any(o["Black"] < hands[n]["Black"] for o in hands.values())}
    return plus(worth, dict.fromkeys(set(hands) - beaten, 5))


def three_leaves(hands: Hands, worth: Worth) -> Worth:
    return plus(worth, {n: 9 for n, cards in hands.items() if cards["Green"] == 3})


def the_odd_ones(hands: Hands, worth: Worth) -> Worth:
    return plus(worth, {n: 4 for n, cards in hands.items() if total(cards) % 2 == 1})


def the_peacock(hands: Hands, worth: Worth) -> Worth:
    shown = {n: len({suit for suit in SUITS if cards[suit]}) for n, cards in hands.items()}
    return plus(worth, {n: shown[n] for n in hands if shown[n] >= max(shown.values())})


def over_the_fence(hands: Hands, worth: Worth) -> Worth:
    ring = list(hands)
    beside = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    return plus(worth, {n: sum(hands[n][s] > hands[beside[n]][s] for s in SUITS) for n in ring})


def consolation(hands: Hands, worth: Worth) -> Worth:
    couples = {n: list(zip(range(c["Hearts"]), range(c["Mauve"]), strict=False))
               for n, c in hands.items()}  # fmt: skip
    return plus(worth, {n: 3 * len(found) for n, found in couples.items()})


def the_only_one(hands: Hands, worth: Worth) -> Worth:
    return plus(
        worth,
        {
            n: sum(10 for s in SUITS if hands[n][s] == sum(c[s] for c in hands.values()) > 0)
            for n in hands
        },
    )


def the_long_suit(hands: Hands, worth: Worth) -> Worth:
    long = {n: sorted(cards[suit] for suit in SUITS[1:])[-1] for n, cards in hands.items()}
    return plus(worth, {n: 2 * len(range(3, long[n])) for n in hands})


def the_golden_mean(hands: Hands, worth: Worth) -> Worth:
    middle = median_low([total(cards) for cards in hands.values()])
    return plus(worth, {n: 5 for n, cards in hands.items() if total(cards) == middle})


def the_rear_guard(hands: Hands, worth: Worth) -> Worth:
    last = [n for n in hands if worth[n] <= min(worth.values())]
    return plus(worth, {n: 3 + hands[n]["Green"] for n in last})


def the_roulette_table(hands: Hands, worth: Worth) -> Worth:
    even = [n for n, cards in hands.items() if cards["Red"] == cards["Black"]]
    return plus(worth, {n: 3 * hands[n]["Red"] for n in even})


READINGS: dict[str, Reading] = {
    "Afraid of the Dark": afraid_of_the_dark,
    "Consolation": consolation,
    "Over the Fence": over_the_fence,
    "The Full Palette": the_full_palette,
    "The Golden Mean": the_golden_mean,
    "The Great Heart": the_great_heart,
    "The Long Suit": the_long_suit,
    "The Odd Ones": the_odd_ones,
    "The Only One": the_only_one,
    "The Peacock": the_peacock,
    "The Rear Guard": the_rear_guard,
    "The Roulette Table": the_roulette_table,
    "Three Leaves": three_leaves,
    "Two by Two": two_by_two,
}


def test_the_library_has_more_regulations_than_there_are_secret_numbers():
    assert sorted(READINGS) == [rule.title for rule in library()]
    assert len(library()) >= 2 * len(SECRET_NUMBERS)
    assert not any(rule.number for rule in library())


@pytest.mark.parametrize("title", READINGS)
@given(stage=hands_and_worths())
@settings(max_examples=examples(30), deadline=None)
def test_a_block_does_what_its_prose_says_and_never_lowers_a_hand(title, stage):
    hands, worth = stage
    found = marked([(340, TEXTS[title])], hands, worth=worth)
    assert found == READINGS[title](hands, worth)
    assert all(found[name] >= value for name, value in worth.items())


@pytest.mark.parametrize("title", READINGS)
def test_a_regulation_of_the_library_can_raise_a_hand(title):
    hands = {
        "Murphy": hand(mauve=2, red=2, black=2, green=3, hearts=2),
        "Madrid": hand(red=5, black=1),
        "juan": hand(mauve=3, green=1),
    }
    worth = dict.fromkeys(hands, 0)
    assert sum(marked([(340, TEXTS[title])], hands, worth=worth).values()) > 0


@pytest.mark.parametrize("title", READINGS)
def test_a_regulation_of_the_library_bears_other_suits_and_a_single_hand(title):
    for hands in ({"Murphy": {"Mauve": 2, "Gold": 3}}, {"Murphy": {"Mauve": 0}}):
        found = marked([(340, TEXTS[title])], hands, worth={"Murphy": 0})
        assert found["Murphy"] >= 0


def test_all_that_is_shipped_can_be_marked_at_once():
    drawn = list(zip(SECRET_NUMBERS, TEXTS.values(), strict=False))
    before, after = up_to(330), [PUBLIC[-1]]
    allied = [("Murphy", "juan")]
    worth = marked([*before, *drawn, *after], HANDS, allied)
    expected = slowly(HANDS, [])
    for title in list(TEXTS)[: len(SECRET_NUMBERS)]:
        expected = READINGS[title](HANDS, expected)
    least = min(expected["Murphy"], expected["juan"])
    assert worth == {n: v + (least if n in allied[0] else 0) for n, v in expected.items()}
