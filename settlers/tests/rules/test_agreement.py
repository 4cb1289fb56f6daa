"""The program's isle agrees with the slow one, which was written from the texts alone."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES, Bonus, Change, Deck, Settler, Shift, Swap, draw, harvest
from settlers.rules.legality import harvest_refusal
from settlers.rules.on_paper import bribes
from settlers.rules.thug import collect_bribes
from settlers.rules.titles import THUG
from settlers.tests.rules.slow_isle import (
    NUMBERS,
    TWO_DICE,
    SlowDeck,
    slow_harvest,
    slow_may_change,
    slow_may_take,
    slow_thug,
)
from settlers.tests.rules.test_charts import SOURCES_STEPS
from tests.kit import examples

CHARTS = Charts.as_shipped()


def as_cards(pile: list[int]) -> dict[int, int]:
    return {number: pile.count(number) for number in sorted(set(pile))}


def agree_on_a_production(deck: Deck, slow: SlowDeck, chance: Random) -> Deck:
    """Let both draw with the same chance; the deck after it."""
    seed = chance.randrange(2**32)
    one, other = Random(seed), Random(seed)
    slow.was_made_whole = False
    drawn = draw(deck, lambda _, cards: cards[one.randrange(len(cards))])
    first, second, cards = slow.production(other.randrange)
    assert (drawn.first, drawn.second, list(drawn.drawn)) == (first, second, cards)
    assert drawn.remade == slow.was_made_whole
    assert drawn.deck.cards == sorted(slow.pile)
    return drawn.deck


@pytest.mark.parametrize("seed", range(5))
def test_two_thousand_productions_in_a_row_agree(seed):
    chance = Random(seed)
    deck, slow = Deck(CHARTS.deck, CHARTS.deck, CHARTS.remade_at), SlowDeck(TWO_DICE)
    for _ in range(2_000):
        deck = agree_on_a_production(deck, slow, chance)


@given(
    st.lists(st.sampled_from(TWO_DICE), min_size=7, max_size=40).filter(lambda p: len(set(p)) > 1),
    st.randoms(use_true_random=False),
)
def test_a_production_from_any_deck_agrees(pile, chance):
    deck = Deck(as_cards(pile), CHARTS.deck, CHARTS.remade_at)
    agree_on_a_production(deck, SlowDeck(pile), chance)


resources = st.sampled_from(RESOURCES)
domains = (
    st.permutations([*NUMBERS, None, None])
    .map(lambda order: dict(zip(RESOURCES, order[:5], strict=True)))
)  # fmt: skip
settlements = st.lists(st.sampled_from(["Farm", "Quarry", "Church", "Cone"]), max_size=5)
changes = st.none() | st.lists(resources, min_size=2, max_size=2) | st.tuples(
    resources, st.integers(-1, 14)
).map(list)  # fmt: skip
bonus_lists = st.lists(
    st.tuples(
        st.sampled_from(["Farm", "Quarry", "Church", "Cone", "Mill"]),
        st.sampled_from(["", "sheep", "wheat", "stone"]),
    ).map(list),
    max_size=4,
)
results = st.lists(st.sampled_from(TWO_DICE), min_size=2, max_size=2, unique=True)


def as_change(given_change: list | None) -> Change | None:
    if given_change is None:
        return None
    first, second = given_change
    return Swap(first, second) if isinstance(second, str) else Shift(first, second)


@settings(max_examples=examples(600))
@given(domains, settlements, results, changes, bonus_lists)
def test_a_harvest_agrees_on_what_is_legal_and_on_what_it_brings(
    held, settlement, drawn, change, bonuses
):
    settler = Settler("Josh", domains=held, buildings=tuple(settlement))
    taken = [Bonus(*bonus) for bonus in bonuses]
    refusal = harvest_refusal(settler, tuple(drawn), CHARTS, as_change(change), taken)
    legal = slow_may_change(held, settlement, change) and slow_may_take(settlement, bonuses)
    assert (refusal is None) == legal, refusal
    if legal:
        crop = harvest(settler, tuple(drawn), CHARTS, as_change(change), taken)
        gained, after = slow_harvest(held, drawn, change, bonuses)
        assert dict.fromkeys(RESOURCES, 0) | dict(crop.gained) == gained
        assert crop.domains == after


@settings(max_examples=examples(300))
@given(domains, results, changes)
def test_a_harvest_without_buildings_agrees(held, drawn, change):
    settler = Settler("Josh", domains=held)
    refusal = harvest_refusal(settler, tuple(drawn), CHARTS, as_change(change))
    assert (refusal is None) == slow_may_change(held, [], change), refusal


items = st.dictionaries(resources, st.integers(0, 6))
cases = st.dictionaries(
    st.text(min_size=1, max_size=3).filter(str.strip),
    st.fixed_dictionaries({"stockpile": items, "bribe": items}),
    max_size=8,
).map(lambda own: {"settlers": own})


@settings(max_examples=examples(600))
@given(cases)
def test_the_thug_on_paper_agrees_step_by_step(case):
    assert json.loads(bribes(json.dumps(case))) == slow_thug(case)


@given(cases)
def test_the_thug_by_the_sources_sentences_agrees(case):
    own = case["settlers"]
    visit = collect_bribes(
        {name: settler["stockpile"] for name, settler in own.items()},
        {name: settler["bribe"] for name, settler in own.items()},
        Charts.of({THUG: SOURCES_STEPS}).bribes,
    )
    slow = slow_thug(case)
    assert (visit.values, visit.paid) == (slow["values"], slow["paid"])
    assert list(visit.targets) == slow["targets"]
