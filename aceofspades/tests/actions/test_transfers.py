"""A hand's cards are given away: how many is public, which is between the two (116, 225, 230)."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.auth.models import User

from aceofspades.models import Contestant
from aceofspades.tests.asking import (
    answers,
    do,
    hands,
    is_sound,
    moved,
    notices,
    pages,
    state_for,
    why_not,
)
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import crowd, days, deck_of, enact, give_cards, hand_of
from nomic.engine.actions import find_action
from nomic.engine.outcomes import Malformed
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.record.models import Entry, SealedEntry
from tests.kit import seat

pytestmark = pytest.mark.usefixtures("uncounted")

Budget = Callable[[int], AbstractContextManager[Any]]
R116, R120 = "Regulation 116", "Regulation 120"


@pytest.fixture
def dealt(contest: Game, three: Three) -> Three:
    """Murphy has three Red and two Mauve, Madrid one Green, Alexia nothing."""
    murphy, madrid, alexia = three
    give_cards(contest, murphy, Red=3, Mauve=2)
    give_cards(contest, madrid, Green=1)
    give_cards(contest, alexia)
    return three


def test_regulation_116_a_contestant_gives_cards_of_several_suits_away(dealt: Three):
    murphy, madrid, _ = dealt
    do(murphy, "transfer", to="Madrid", cards={"Red": 2, "Mauve": 1})
    assert hands(murphy, madrid) == [{"Mauve": 1, "Red": 1}, {"Mauve": 1, "Red": 2, "Green": 1}]


def test_a_gift_to_oneself_is_refused_by_the_regulation_and_offered_to_nobody(dealt: Three):
    murphy, *_ = dealt
    sentence = "You cannot give cards to yourself: name somebody else."
    assert why_not(murphy, "transfer", to="Murphy", cards={"Red": 1}) == (
        "yourself",
        sentence,
        R116,
    )
    shape = find_action("aceofspades.transfer").Form(glance(murphy.game), murphy).fields["to"]
    assert shape.schema()["enum"] == ["Alexia", "Madrid", "The Deck"]


def test_regulation_116_cards_can_be_given_to_the_deck(contest: Game, dealt: Three):
    murphy, *_ = dealt
    before = deck_of(contest)
    entry = do(murphy, "transfer", to="The Deck", cards={"Red": 3}).entry
    assert deck_of(contest)["Red"] == before["Red"] + 3
    assert hand_of(contest, murphy) == {"Mauve": 2}
    assert entry.text == "Murphy gives 3 cards to The Deck."


def test_regulation_116_any_player_can_be_given_cards(contest: Game, dealt: Three):
    murphy, *_ = dealt
    jason = seat(contest, "Jason")
    do(murphy, "transfer", to="Jason", cards={"Red": 1})
    assert hand_of(contest, jason) == {"Red": 1}
    assert not Contestant.objects.filter(player=jason).exists()


def test_regulation_225_the_number_and_time_of_a_transfer_are_public(contest: Game, dealt: Three):
    murphy, *_ = dealt
    entry = do(murphy, "transfer", to="Madrid", cards={"Red": 2, "Mauve": 1}).entry
    assert isinstance(entry, Entry)
    assert entry.text == "Murphy gives 3 cards to Madrid."
    assert moved(contest, entry.seq) == [("transferred", "Murphy", "Madrid", 3)]
    told = state_for(contest, None)
    assert told["transfers"][-1] == {
        "entry": entry.seq,
        "at": told["transfers"][-1]["at"],
        "kind": "transferred",
        "cards": 3,
        "from": "Murphy",
        "to": "Madrid",
    }
    assert told["hand_counts"] == {"Murphy": 2, "Madrid": 4, "Alexia": 0}


@pytest.mark.thorough
def test_regulation_230_the_suits_of_a_transfer_are_in_nothing_public(
    contest: Game, dealt: Three, outsider: User
):
    murphy, _, alexia = dealt
    before = Game.objects.get(pk=contest.pk).last_entry
    receipt = do(murphy, "transfer", to="Madrid", cards={"Red": 2, "Mauve": 1})
    entry = receipt.entry
    assert isinstance(entry, Entry)
    assert entry.inputs == {"to": "Madrid"}
    assert set(entry.outcome) == {"cards", "part"}
    for viewer in (None, outsider):
        found = answers(contest, viewer)
        last = json.dumps([each for each in found["record"]["entries"] if each["seq"] == entry.seq])
        assert "Madrid" in last
        for told in (last, json.dumps(found["balances"]), json.dumps(found["dice"])):
            assert "Red" not in told
            assert "Mauve" not in told
        assert "Red card" not in json.dumps(found["record"])
        assert "2 Red" not in pages(contest, viewer, before)
    assert state_for(contest, alexia)["mine"]["hand"]["Red"] == 0
    assert "2 Red" not in pages(contest, alexia, before)


def test_regulation_230_both_parties_know_the_suits_and_nobody_else_is_told(
    contest: Game, dealt: Three
):
    murphy, madrid, alexia = dealt
    receipt = do(murphy, "transfer", to="Madrid", cards={"Red": 2, "Mauve": 1})
    assert receipt.private_sentence == "Murphy gives Madrid 1 Mauve and 2 Red."
    assert notices(madrid)[-1] == "Murphy gives you 1 Mauve and 2 Red."
    assert notices(murphy) == notices(alexia) == []
    assert state_for(contest, madrid)["mine"]["hand"]["Red"] == 2


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"to": "Madrid", "cards": {"Red": 4}}, "not_held", "You have 3 Red, and cannot give 4"),
    ({"to": "Madrid", "cards": {"Green": 1}}, "not_held", "You have no Green, and cannot"),
    (
        {"to": "Madrid", "cards": {"Red": 4, "Green": 1, "Mauve": 2}},
        "not_held",
        "You have 3 Red and no Green, and cannot give 4 Red and 1 Green.",
    ),
    ({"to": "Madrid", "cards": {}}, "gives_nothing", "Say which cards you give"),
    ({"to": "Madrid", "cards": {"Red": 0}}, "gives_nothing", "Say which cards you give"),
    ({"to": "Madrid", "cards": {"Spades": 1}}, "no_suit", "There is no suit Spades now."),
]


def test_regulation_116_what_cannot_be_given_is_refused(dealt: Three):
    murphy, *_ = dealt
    for inputs, code, words in WRONG:
        found, sentence, rule = why_not(murphy, "transfer", **inputs)
        assert (found, rule) == (code, R116)
        assert sentence.startswith(words)


def test_regulation_116_an_empty_hand_gives_nothing(dealt: Three):
    *_, alexia = dealt
    found = why_not(alexia, "transfer", to="Madrid", cards={"Red": 1})
    assert found == ("empty_hand", "You have no cards to give away.", R116)


def test_regulation_116_players_give_cards_who_are_no_contestants(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    jason = seat(contest, "Jason")
    assert why_not(jason, "transfer", to="Madrid", cards={"Red": 1})[0] == "empty_hand"
    do(murphy, "transfer", to="Jason", cards={"Red": 2})
    entry = do(jason, "transfer", to="Madrid", cards={"Red": 1}).entry
    assert entry.text == "Jason gives 1 card to Madrid."
    assert hands(jason, madrid) == [{"Red": 1}, {"Red": 1, "Green": 1}]
    assert notices(madrid) == ["Jason gives you 1 Red."]
    do(madrid, "leave")
    do(madrid, "transfer", to="The Deck", cards={"Green": 1})
    assert hands(madrid) == [{"Red": 1}]


@pytest.mark.thorough
def test_regulation_116_transfers_replay_and_the_audit_is_clean_be_it_the_contestmaster_who_gives(
    contest: Game, master: Player, three: Three
) -> None:
    murphy = three[0]
    suit = next(suit for suit in hand_of(contest, murphy) if suit != "Mauve")
    do(murphy, "transfer", to="Madrid", cards={suit: 1})
    do(murphy, "transfer", to="The Deck", cards={"Mauve": 1})
    do(murphy, "transfer", to="snail", cards={"Mauve": 1})
    do(master, "transfer", to="The Deck", cards={"Mauve": 1})
    assert hand_of(contest, master) == {}
    assert is_sound(contest)


@pytest.mark.thorough
def test_regulation_120_nothing_is_given_after_the_reckoning(contest: Game, dealt: Three):
    murphy, *_ = dealt
    days(contest, 71)
    found, _, rule = why_not(murphy, "transfer", to="Madrid", cards={"Red": 1})
    assert (found, rule) == ("reckoned", R120)


def test_regulation_205_a_card_of_a_suit_that_is_gone_is_mauve_and_given_as_such(
    contest: Game, dealt: Three
):
    murphy, *_ = dealt
    enact(contest, 205, "| SUIT | COLOUR |\n|---|---|\n| Mauve | – |\n| Blue | blue |\n")
    assert hand_of(contest, murphy) == {"Mauve": 5}
    assert why_not(murphy, "transfer", to="Madrid", cards={"Red": 1})[0] == "no_suit"
    do(murphy, "transfer", to="Madrid", cards={"Mauve": 5})


MISSHAPEN: list[tuple[dict[str, Any], str]] = [
    ({"to": "Nobody", "cards": {"Red": 1}}, "to"),
    ({"to": "", "cards": {"Red": 1}}, "to"),
    ({"cards": {"Red": 1}}, "to"),
    ({"to": "Madrid"}, "cards"),
    ({"to": "Madrid", "cards": {"Red": -1}}, "cards"),
    ({"to": "Madrid", "cards": {"Red": 1.5}}, "cards"),
    ({"to": "Madrid", "cards": {"Red": True}}, "cards"),
    ({"to": "Madrid", "cards": {"Red": "many"}}, "cards"),
    ({"to": "Madrid", "cards": {"Red": 10**9}}, "cards"),
    ({"to": "Madrid", "cards": {"Red": "9" * 5000}}, "cards"),
    ({"to": "Madrid", "cards": {"Red": 1, "red": 1}}, "cards"),
    ({"to": "Madrid", "cards": {"x" * 300: 1}}, "cards"),
    ({"to": "Madrid", "cards": {"\x00": 1}}, "cards"),
    ({"to": "Madrid", "cards": {f"s{n}": 1 for n in range(500)}}, "cards"),
    ({"to": "Madrid", "cards": ["Red"]}, "cards"),
    ({"to": "Madrid", "cards": "a pile"}, "cards"),
    ({"to": "Madrid", "cards": "1 Red and 2 Red"}, "cards"),
]


def test_what_has_not_the_shape_of_a_transfer_gets_a_sentence(dealt: Three):
    murphy, *_ = dealt
    for inputs, field in MISSHAPEN:
        with pytest.raises(Malformed) as malformed:
            do(murphy, "transfer", **inputs)
        assert set(malformed.value.errors) == {field}
        assert all(said.endswith(".") for said in malformed.value.errors[field])


def test_cards_can_be_told_in_words(contest: Game, dealt: Three):
    murphy, *_ = dealt
    for cards in ("1 Red and 1 Mauve", "1 red.", "1 Mauve cards; 1 RED"):
        do(murphy, "transfer", to="Madrid", cards=cards)
    assert hand_of(contest, murphy) == {}


def test_a_key_repeated_gives_the_same_receipt_and_no_second_transfer(contest: Game, dealt: Three):
    murphy, *_ = dealt
    first = do(murphy, "transfer", "once", to="Madrid", cards={"Red": 1})
    again = do(murphy, "transfer", "once", to="Madrid", cards={"Red": 1})
    assert again.repeated
    assert (again.entry, again.private_sentence) == (first.entry, first.private_sentence)
    assert hand_of(contest, murphy) == {"Red": 2, "Mauve": 2}
    assert SealedEntry.objects.filter(game=contest, key__endswith="/once").count() == 1
    assert not Entry.objects.filter(game=contest, key__endswith="/once").exists()


@pytest.mark.parametrize("others", [0, 297])
def test_a_transfer_stays_within_its_budget(
    django_assert_max_num_queries: Budget, contest: Game, dealt: Three, others: int
):
    murphy, *_ = dealt
    seat_many(contest, others)
    with django_assert_max_num_queries(16):
        do(murphy, "transfer", to="Madrid", cards={"Red": 1, "Mauve": 1})


def seat_many(game: Game, count: int) -> list[Player]:
    return crowd(game, count) if count else []
