"""Making cards and dealing them (115, 117, 123, 210): examples, laws, a slow second reading."""

from collections import Counter
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceofspades.rules.charts import DealTerms, Refill, shipped_charts
from aceofspades.rules.contest import Making, deal, missing, recast
from nomic.dice.seeds import roll

SUITS = ("Mauve", "Red", "Black", "Green", "Hearts")
SHIPPED = shipped_charts().deal_terms
PLAIN = DealTerms(SUITS, {}, None)


def full(each: int) -> dict[str, int]:
    return dict.fromkeys(SUITS, each)


class Chance:
    """Chance that takes the cards that the test says, the last one offered when none is left to
    say, and remembers what it was asked."""

    def __init__(self, *cards: str) -> None:
        self.cards = list(cards)
        self.asked: list[tuple[str, list[str]]] = []

    def __call__(self, label: str, options: list[str]) -> str:
        self.asked.append((label, options))
        card = self.cards.pop(0) if self.cards else options[-1]
        assert card in options
        return card

    @property
    def labels(self) -> list[str]:
        return [label for label, _ in self.asked]


class Seeded:
    """Chance as the program's own dice have it, by a seed that is known."""

    def __init__(self, seed: bytes) -> None:
        self.seed, self.rolls = seed, 0

    def __call__(self, label: str, options: list[str]) -> str:
        self.rolls += 1
        return options[roll(self.seed, ["ace", self.rolls, label], len(options))]


def test_regulation_117_deals_one_card_round_by_round_in_order_of_first_joining():
    chance = Chance("Red", "Black", "Green", "Hearts", "Mauve", "Red")
    dealt = deal(full(9), ["Murphy", "Madrid", "juan"], 2, SHIPPED, chance)
    assert dealt.cards == (
        ("Murphy", "Red"), ("Madrid", "Black"), ("juan", "Green"),
        ("Murphy", "Hearts"), ("Madrid", "Mauve"), ("juan", "Red"),
    )  # fmt: skip
    assert chance.labels == [
        "card 1 to Murphy", "card 1 to Madrid", "card 1 to juan",
        "card 2 to Murphy", "card 2 to Madrid", "card 2 to juan",
    ]  # fmt: skip
    assert dealt.hand_of("Murphy") == {"Red": 1, "Hearts": 1}
    assert dealt.deck == {"Mauve": 8, "Red": 7, "Black": 8, "Green": 8, "Hearts": 8}
    assert (dealt.makings, dealt.made, dealt.owed) == ((), {}, 0)


def test_regulation_117_offers_every_card_in_the_deck_to_chance():
    chance = Chance("Red")
    deal({"Red": 2, "Mauve": 3, "Hearts": 1, "Black": 0}, ["Murphy"], 2, PLAIN, chance)
    first, second = (options for _, options in chance.asked)
    assert first == ["Mauve", "Mauve", "Mauve", "Red", "Red", "Hearts"]
    assert second == ["Mauve", "Mauve", "Mauve", "Red", "Hearts"]


def test_regulation_117_deals_nothing_to_nobody():
    chance = Chance()
    assert deal(full(1), [], 7, PLAIN, chance).cards == ()
    assert deal(full(1), ["Murphy"], 0, PLAIN, chance).cards == ()
    assert chance.asked == []


def test_an_empty_deck_owes_the_cards_that_it_cannot_give():
    dealt = deal({"Red": 3}, ["Murphy", "Madrid"], 3, PLAIN, Chance())
    assert [name for name, _ in dealt.cards] == ["Murphy", "Madrid", "Murphy"]
    assert (dealt.owed, sum(dealt.deck.values())) == (3, 0)


def test_regulation_123_makes_mauve_in_the_deck_as_soon_as_the_last_is_dealt():
    terms = DealTerms(SUITS, {"Mauve": 1}, None)
    chance = Chance("Mauve", "Mauve", "Red")
    dealt = deal({"Mauve": 1, "Red": 1}, ["Murphy"], 3, terms, chance)
    assert dealt.makings == (Making(1, "Mauve", 1), Making(2, "Mauve", 1))
    assert dealt.made == {"Mauve": 2}
    assert chance.asked[1][1] == ["Mauve", "Red"]
    assert dealt.deck == {"Mauve": 1, "Red": 0, "Black": 0, "Green": 0, "Hearts": 0}


def test_regulation_123_makes_what_is_missing_before_the_first_card_too():
    terms = DealTerms(SUITS, {"Mauve": 2}, None)
    dealt = deal({}, ["Murphy"], 1, terms, Chance())
    assert dealt.makings == (Making(0, "Mauve", 2), Making(1, "Mauve", 1))


def test_regulation_123_never_leaves_a_dealer_without_cards():
    terms = DealTerms(SUITS, {"Mauve": 1}, None)
    dealt = deal({}, ["Murphy", "Madrid"], 20, terms, Chance())
    assert dealt.owed == 0
    assert dealt.made == {"Mauve": 41}


def test_regulation_210_refills_a_deck_of_fewer_than_ten_before_the_next_card():
    chance = Chance("Red", "Red")
    dealt = deal(full(2), ["Murphy"], 2, SHIPPED, chance)
    assert [len(options) for _, options in chance.asked] == [10, 29]
    assert dealt.makings == tuple(Making(1, suit, 4) for suit in SUITS)
    assert dealt.made == full(4)
    assert sum(dealt.deck.values()) == 28


def test_regulation_210_waits_with_new_cards_until_another_is_dealt():
    dealt = deal(full(2), ["Murphy"], 1, SHIPPED, Chance("Red"))
    assert dealt.makings == ()
    assert sum(dealt.deck.values()) == 9


TEN = DealTerms(SUITS, {"Mauve": 1}, Refill(10, 4))


def test_regulation_210_refills_a_deck_that_was_too_small_also_if_it_was_topped_up_meanwhile():
    dealt = deal(full(9), ["Murphy"], 1, SHIPPED, Chance(), low=True)
    assert dealt.makings == tuple(Making(0, suit, 4) for suit in SUITS)
    assert not dealt.low
    assert deal(full(2), ["Murphy"], 1, SHIPPED, Chance("Red")).low


def test_regulation_210_counts_the_deck_before_regulation_123_makes_mauve_in_it():
    deck = {"Mauve": 1, "Red": 9}
    dealt = deal(deck, ["Murphy"], 2, TEN, Chance("Mauve", "Red"))
    assert dealt.makings == (Making(1, "Mauve", 1), *(Making(1, suit, 4) for suit in SUITS))
    alone = deal(deck, ["Murphy"], 1, TEN, Chance("Mauve"))
    assert (sum(alone.deck.values()), alone.low) == (10, True)


def test_a_deck_that_no_regulation_refills_any_more_has_nothing_made_in_it():
    for terms in (PLAIN, DealTerms(SUITS, {}, Refill(10, 0))):
        dealt = deal(full(2), ["Murphy"], 3, terms, Chance(), low=True)
        assert (dealt.made, dealt.low) == ({}, False)


def test_regulation_210_makes_as_many_of_each_suit_that_is_defined():
    two = DealTerms(("Mauve", "Gold"), {"Mauve": 1}, Refill(10, 4))
    dealt = deal({"Mauve": 1}, ["Murphy"], 1, two, Chance("Gold"))
    assert dealt.made == {"Mauve": 4, "Gold": 4}


def test_a_refill_that_stays_below_its_bound_is_made_again_before_every_card():
    few = DealTerms(("Mauve",), {}, Refill(10, 4))
    dealt = deal({"Mauve": 1}, ["Murphy"], 4, few, Chance())
    assert [(making.after, making.count) for making in dealt.makings] == [(0, 4), (1, 4), (2, 4)]


def test_dealing_changes_nothing_that_it_was_given():
    deck = full(2)
    deal(deck, ["Murphy"], 5, SHIPPED, Chance())
    assert deck == full(2)


def test_regulation_123_lets_missing_mauve_be_made_in_the_deck():
    assert missing({"Mauve": 1}, {"Mauve": 1}) == {}
    assert missing({"Red": 5}, {"Mauve": 1}) == {"Mauve": 1}
    assert missing({"Mauve": 1}, {"Mauve": 4}) == {"Mauve": 3}
    assert missing({}, {}) == {}


def test_regulation_123_turns_cards_of_undefined_suits_into_mauve():
    holdings = {
        "Murphy": {"Red": 3, "Purple": 2, "Gold": 1},
        "Madrid": {"Red": 1, "Purple": 0},
        "The Deck": {"Gold": 4, "Mauve": 1},
    }
    assert recast(holdings, ["Mauve", "Red"], "Mauve") == {
        "Murphy": {"Purple": 2, "Gold": 1},
        "The Deck": {"Gold": 4},
    }
    assert recast(holdings, ["Mauve", "Red", "Purple", "Gold"], "Mauve") == {}
    assert recast(holdings, ["Red"], "") == {}


# What holds always

decks = st.dictionaries(st.sampled_from(SUITS), st.integers(0, 12))
refills = st.none() | st.builds(Refill, st.integers(0, 30), st.integers(0, 5))
all_terms = st.builds(
    DealTerms,
    st.permutations(SUITS).map(tuple),
    st.just({}) | st.integers(0, 3).map(lambda least: {"Mauve": least}),
    refills,
)
tables = st.lists(st.text(min_size=1, max_size=60), unique=True, max_size=5)
chances = st.binary(min_size=4, max_size=4).map(Seeded)


@given(decks, tables, st.integers(0, 12), all_terms, chances)
def test_cards_are_neither_lost_nor_made_but_for_what_is_said(deck, to, each, terms, chance):
    dealt = deal(deck, to, each, terms, chance)
    after = Counter(dealt.deck) + Counter(suit for _, suit in dealt.cards)
    assert after == Counter(deck) + Counter(dealt.made)
    assert len(dealt.cards) + dealt.owed == each * len(to)
    assert all(count >= 0 for count in dealt.deck.values())
    assert all(dealt.deck[suit] >= count for suit, count in terms.never_without.items())


@given(decks, tables, st.integers(0, 12), all_terms, chances)
def test_labels_are_short_and_differ_within_a_deal(deck, to, each, terms, chance):
    labels = []

    def choose(label, options):
        labels.append(label)
        return chance(label, options)

    deal(deck, to, each, terms, choose)
    assert len(set(labels)) == len(labels)
    assert all(len(label) <= 80 for label in labels)


@given(decks, tables, st.integers(0, 12), all_terms, chances)
def test_hands_differ_by_a_card_at_most_and_the_earlier_has_more(deck, to, each, terms, chance):
    dealt = deal(deck, to, each, terms, chance)
    got = [sum(dealt.hand_of(name).values()) for name in to]
    assert got == sorted(got, reverse=True)
    assert not got or got[0] - got[-1] <= 1


def slowly(deck, to, each, terms, choose, low):
    """The deal once more, from the source's words, on a heap of cards that lie there one by one.

    `sizes` are those that the heap has had since it was last refilled.
    """
    heap = [suit for suit in deck for _ in range(deck[suit])]
    hands = {name: [] for name in to}
    sizes = [-1 if low else len(heap), len(heap)]

    def see_to_mauve():
        for suit, least in terms.never_without.items():
            while heap.count(suit) < least:
                heap.append(suit)

    see_to_mauve()
    for turn in range(each):
        for name in to:
            if terms.refill and min([*sizes, len(heap)]) < terms.refill.below:
                for _ in range(terms.refill.of_each):
                    heap.extend(terms.suits)
                sizes = []
            if heap:
                heap.sort(key=terms.suits.index)
                card = choose(f"card {turn + 1} to {name}", list(heap))
                heap.remove(card)
                sizes.append(len(heap))
                hands[name].append(card)
                see_to_mauve()
    return hands, heap


@given(
    decks, tables, st.integers(0, 12), all_terms, st.binary(min_size=4, max_size=4), st.booleans()
)
def test_a_second_reading_of_the_source_deals_the_same_cards(deck, to, each, terms, seed, low):
    dealt = deal(deck, to, each, terms, Seeded(seed), low=low)
    hands, heap = slowly(deck, to, each, terms, Seeded(seed), low)
    assert {name: [suit for who, suit in dealt.cards if who == name] for name in to} == hands
    assert Counter(heap) == +Counter(dealt.deck)


# Equal probability


def chi_squared(counts: Counter, expected: dict[str, float]) -> float:
    return sum((counts[key] - value) ** 2 / value for key, value in expected.items())


@pytest.mark.parametrize(("place", "after"), [(0, []), (2, ["Red", "Mauve"])])
def test_regulation_117_gives_every_card_in_the_deck_the_same_chance(place, after):
    """The card at that place of a deal; the ones before it are set. With 4 degrees of freedom
    chi-squared exceeds 18.47 once in a thousand; the seeds are fixed."""
    deck = {"Mauve": 2, "Red": 3, "Black": 5, "Green": 4, "Hearts": 6}
    counts: Counter = Counter()
    for number in range(4_000):
        dice, said = Seeded(number.to_bytes(4)), list(after)

        def choose(label, options, dice=dice, said=said):
            return said.pop(0) if said else dice(label, options)

        counts[deal(deck, ["Murphy"], place + 1, PLAIN, choose).cards[place][1]] += 1
    left = Counter(deck) - Counter(after)
    whole = sum(left.values())
    assert chi_squared(counts, {suit: 4_000 * n / whole for suit, n in left.items()}) < 18.47


def test_a_hand_of_seven_is_as_likely_as_drawing_without_replacement_makes_it():
    """The number of Red cards among seven of a hundred is hypergeometric (mean 1.4); with 5
    degrees of freedom chi-squared exceeds 20.52 once in a thousand; the seeds are fixed."""
    games = 1_500
    counts: Counter = Counter()
    for number in range(games):
        hand = deal(full(20), ["Murphy"], 7, SHIPPED, Seeded(number.to_bytes(4))).hand_of("Murphy")
        counts[min(hand.get("Red", 0), 5)] += 1
    chance = [comb(20, red) * comb(80, 7 - red) / comb(100, 7) for red in range(8)]
    expected = {red: games * p for red, p in enumerate([*chance[:5], sum(chance[5:])])}
    assert sum((counts[red] - e) ** 2 / e for red, e in expected.items()) < 20.52
