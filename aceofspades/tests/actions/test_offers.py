"""Cards are exchanged by offers, at once, and unnamed where that is wished (Regulation 125)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from aceofspades.models import Contestant, Move, Offer
from aceofspades.tests.asking import (
    FOR_ONE,
    answers,
    do,
    everything,
    hands,
    is_sound,
    moved,
    notices,
    offer,
    state_for,
    suits_to_swap,
    why_not,
)
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import (
    contestant,
    crowd,
    days,
    enact,
    give_cards,
    hand_of,
)
from nomic.engine.outcomes import Malformed
from nomic.games.models import Game
from nomic.record.models import Entry, SealedEntry
from tests.kit import WEDNESDAY, seat

pytestmark = pytest.mark.usefixtures("uncounted")

Budget = Callable[[int], AbstractContextManager[Any]]
R125, R120 = "Regulation 125", "Regulation 120"


def test_regulation_125_an_accepted_offer_exchanges_the_cards_of_both_sides_at_once(
    contest: Game, dealt: Three
):
    murphy, madrid, _ = dealt
    code = offer(murphy, madrid)
    before = contest.transfers.count()
    entry = do(madrid, "accept_offer", offer=code).entry
    assert hands(murphy, madrid) == [{"Green": 1}, {"Red": 2}]
    assert contest.transfers.count() == before + 1
    assert isinstance(entry, Entry)
    assert entry.text == "Madrid accepts an offer of Murphy: 2 cards and 1 card change hands."
    assert moved(contest, entry.seq) == [
        ("exchanged", "Murphy", "Madrid", 2),
        ("exchanged", "Madrid", "Murphy", 1),
    ]


def test_regulation_125_nobody_needs_the_cards_before_the_offer_is_accepted(
    contest: Game, dealt: Three
):
    murphy, madrid, _ = dealt
    give_cards(contest, murphy)
    code = offer(murphy, madrid)
    give_cards(contest, murphy, Red=2)
    do(madrid, "accept_offer", offer=code)
    assert hands(murphy, madrid) == [{"Green": 1}, {"Red": 2}]


def test_regulation_125_an_offer_to_several_is_for_who_accepts_first(contest: Game, dealt: Three):
    murphy, madrid, alexia = dealt
    code = offer(murphy, madrid, alexia)
    do(alexia, "accept_offer", offer=code)
    give_cards(contest, murphy, Red=2)
    failed = do(madrid, "accept_offer", offer=code).entry
    assert isinstance(failed, SealedEntry)
    assert hands(murphy, madrid, alexia) == [{"Red": 2}, {"Green": 1}, {"Green": 1, "Red": 2}]
    reason = "nothing changed hands. The offer was accepted before."
    assert notices(murphy)[-1] == f"Madrid accepted your offer {code}, and {reason}"
    assert notices(madrid)[-1] == f"You accepted offer {code}, and {reason}"


def test_regulation_125_a_withdrawn_offer_exchanges_nothing(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    code = offer(murphy, madrid)
    do(murphy, "withdraw_offer", offer=code)
    do(madrid, "accept_offer", offer=code)
    assert hands(murphy, madrid) == [{"Red": 2}, {"Green": 1}]
    assert notices(madrid)[-1].endswith("nothing changed hands. The offer was withdrawn before.")


@pytest.mark.parametrize(
    ("has", "wants", "reason"),
    [
        ({"Red": 1}, {"Green": 1}, "The offerer does not have the cards that they offered."),
        ({"Red": 2}, {"Mauve": 9}, "Who accepted does not have the cards that are wanted."),
        ({}, {}, "Neither side has the cards that it would give."),
    ],
)
def test_regulation_125_a_failure_is_told_to_both_sides_and_to_nobody_else(
    contest: Game, dealt: Three, has: dict[str, int], wants: dict[str, int], reason: str
):
    murphy, madrid, alexia = dealt
    code = offer(murphy, madrid)
    give_cards(contest, murphy, **has)
    give_cards(contest, madrid, **wants)
    public, seen = contest_now(contest).last_entry, answers(contest, alexia)
    entry = do(madrid, "accept_offer", offer=code).entry
    assert isinstance(entry, SealedEntry)
    assert hands(murphy, madrid) == [has, wants]
    assert notices(murphy)[-1].endswith(reason)
    assert notices(madrid)[-1].endswith(reason)
    assert notices(alexia) == []
    assert contest_now(contest).last_entry == public
    assert answers(contest, alexia) == seen
    assert not Offer.objects.get().end  # it can be accepted once there are the cards
    give_cards(contest, murphy, Red=2)
    give_cards(contest, madrid, Green=1)
    assert isinstance(do(madrid, "accept_offer", offer=code).entry, Entry)


def test_regulation_125_an_offerer_who_leaves_exchanges_nothing(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    code = offer(murphy, madrid)
    unnamed = offer(murphy, madrid, anonymous=True)
    do(murphy, "leave")
    for each in (code, unnamed):
        do(madrid, "accept_offer", offer=each)
        assert notices(madrid)[-1].endswith("The offer was withdrawn before.")
    assert hands(murphy, madrid) == [{"Red": 2}, {"Green": 1}]
    told = {each["code"]: each["status"] for each in state_for(contest, madrid)["offers"]}
    assert told == {code: "withdrawn", unnamed: "open"}  # the end of it would tell whose it is


# Refusals


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"to": ["Nobody"]}, "no_contestant", "Nobody: no contestant by that name."),
    ({"to": ["Madrid", "Nobody"]}, "no_contestant", "Nobody: no contestant by that name."),
    ({"to": ["Murphy"]}, "yourself", "An offer is for others than who makes it."),
    ({"gives": {"Spades": 1}}, "no_suit", "There is no suit Spades now."),
    ({"takes": {"Spades": 1}}, "no_suit", "There is no suit Spades now."),
    ({"gives": {}}, "gives_nothing", "Say which cards you would give."),
    ({"takes": {"Green": 0}}, "takes_nothing", "Say which cards you want;"),
    ({"takes": {"Red": 1}}, "same_suit", "An offer is for cards of other suits, not of Red again."),
]


def test_regulation_125_what_is_no_offer_is_refused(dealt: Three):
    murphy, *_ = dealt
    for inputs, code, words in WRONG:
        found, sentence, rule = why_not(murphy, "offer", **{"to": ["Madrid"], **FOR_ONE, **inputs})
        assert (found, rule) == (code, R125)
        assert sentence.startswith(words)


MISSHAPEN: list[tuple[dict[str, Any], str]] = [
    ({"to": []}, "to"),
    ({"to": [3]}, "to"),
    ({"to": {"Madrid": 1}}, "to"),
    ({"to": ["x" * 41]}, "to"),
    ({"to": ["a\x00b"]}, "to"),
    ({"to": [f"p{n}" for n in range(2000)]}, "to"),
    ({"gives": {"Red": 10_001}}, "gives"),
    ({"gives": {"Red": -1}}, "gives"),
    ({"takes": {"Green": "1e3"}}, "takes"),
    ({"takes": None}, "takes"),
]


def test_what_has_not_the_shape_of_an_offer_gets_a_sentence(dealt: Three):
    murphy, *_ = dealt
    for inputs, field in MISSHAPEN:
        with pytest.raises(Malformed) as malformed:
            do(murphy, "offer", **{"to": ["Madrid"], **FOR_ONE, **inputs})
        assert set(malformed.value.errors) == {field}
    with pytest.raises(Malformed):
        do(murphy, "accept_offer", offer="x" * 9)
    with pytest.raises(Malformed):
        do(murphy, "accept_offer", offer="😀")


def test_regulation_125_somebody_who_is_no_contestant_has_no_offers(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    code = offer(murphy, madrid)
    jason = seat(contest, "Jason")
    for name, inputs in (
        ("offer", {"to": ["Madrid"], **FOR_ONE}),
        ("accept_offer", {"offer": code}),
        ("withdraw_offer", {"offer": code}),
    ):
        assert why_not(jason, name, **inputs)[0] == "no_contestant"


def test_regulation_125_others_offers_and_none_are_refused_alike(contest: Game, dealt: Three):
    murphy, madrid, alexia = dealt
    code = offer(murphy, madrid)
    for wrong in (code, "ZZZZ"):
        assert why_not(alexia, "accept_offer", offer=wrong) == (
            "no_such_offer",
            f"No offer {wrong} was made to you.",
            R125,
        )
        for each in (alexia, madrid) if wrong == code else (alexia, madrid, murphy):
            assert why_not(each, "withdraw_offer", offer=wrong) == (
                "no_such_offer",
                f"You have made no offer {wrong}.",
                R125,
            )
    assert why_not(murphy, "accept_offer", offer=code)[0] == "own_offer"


def test_regulation_125_an_offer_that_has_ended_cannot_be_withdrawn(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    accepted, withdrawn = offer(murphy, madrid), offer(murphy, madrid)
    do(madrid, "accept_offer", offer=accepted)
    do(murphy, "withdraw_offer", offer=withdrawn)
    for code, end in ((accepted, "accepted"), (withdrawn, "withdrawn")):
        sentence = f"Your offer {code} was {end} before: it is not open any more."
        assert why_not(murphy, "withdraw_offer", offer=code) == (end, sentence, R125)


@pytest.mark.thorough
def test_regulation_125_repealed_and_after_the_reckoning_nothing_is_offered(
    contest: Game, dealt: Three
):
    murphy, madrid, _ = dealt
    code = offer(murphy, madrid)
    days(contest, 71)
    for who, name, inputs in (
        (murphy, "offer", {"to": ["Madrid"], **FOR_ONE}),
        (madrid, "accept_offer", {"offer": code}),
        (murphy, "withdraw_offer", {"offer": code}),
    ):
        found, _, rule = why_not(who, name, **inputs)
        assert (found, rule) == ("reckoned", R120)


def test_regulation_205_an_offer_of_a_suit_that_is_gone_cannot_be_fulfilled(
    contest: Game, dealt: Three
):
    murphy, madrid, _ = dealt
    code = offer(murphy, madrid)
    enact(contest, 205, "| SUIT | COLOUR |\n|---|---|\n| Mauve | – |\n| Green | green |\n")
    do(madrid, "accept_offer", offer=code)
    assert notices(madrid)[-1].endswith("The offerer does not have the cards that they offered.")
    assert hands(murphy, madrid) == [{"Mauve": 2}, {"Green": 1}]


def test_one_contestant_has_at_most_fifty_offers_open(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    code = offer(murphy, madrid)
    Offer.objects.bulk_create(
        Offer(
            contest=contestant(murphy).contest,
            code=f"X{number}",
            by=contestant(murphy),
            gives={"Red": 1},
            takes={"Green": 1},
            at=WEDNESDAY,
        )
        for number in range(49)
    )
    found, sentence, rule = why_not(murphy, "offer", to=["Madrid"], **FOR_ONE)
    assert (found, rule) == ("too_many", R125)
    assert sentence == "You have 50 open offers. Withdraw one of them first."
    do(murphy, "withdraw_offer", offer=code)
    offer(murphy, madrid)


# Codes, keys, replay, budgets


def test_codes_are_drawn_and_count_nothing(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    codes = [offer(murphy, madrid) for _ in range(5)]
    assert len(set(codes)) == 5
    assert all(len(code) == 4 and not set(code) & set("AEIOUY0123456789") for code in codes)
    assert codes != sorted(codes) or codes != sorted(codes, reverse=True)
    do(madrid, "accept_offer", offer=codes[0].lower())  # as it may be typed
    assert Offer.objects.get(code=codes[0]).end == "accepted"


def test_keys_repeated_give_the_same_receipts_and_no_second_act(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    inputs = {"to": ["Madrid"], **FOR_ONE}
    first, again = (do(murphy, "offer", "offered", **inputs) for _ in range(2))
    assert (again.repeated, again.entry) == (True, first.entry)
    code = Offer.objects.get().code
    first, again = (
        do(madrid, "accept_offer", "accepted", offer=code, anonymous=True) for _ in range(2)
    )
    assert (again.repeated, again.entry, again.private_sentence) == (
        True,
        first.entry,
        first.private_sentence,
    )
    assert (
        not Entry.objects.filter(game=contest)
        .exclude(key=None)
        .filter(key__endswith="accepted")
        .exists()
    )
    failed, again = (do(madrid, "accept_offer", "failed", offer=code) for _ in range(2))
    assert (again.repeated, again.entry) == (True, failed.entry)
    assert hand_of(contest, madrid) == {"Red": 2}
    before = everything(contest)
    do(madrid, "accept_offer", "accepted", offer=code, anonymous=True)
    assert everything(contest) == before


@pytest.mark.thorough
def test_regulation_125_offers_replay_and_the_audit_is_clean(contest: Game, three: Three):
    murphy, madrid, _ = three
    given, taken = suits_to_swap(murphy, madrid)
    swap = {"gives": {given: 1}, "takes": {taken: 1}}
    codes = [offer(murphy, madrid, anonymous=unnamed, **swap) for unnamed in (True, False, False)]
    do(madrid, "accept_offer", offer=codes[0], anonymous=True)
    do(madrid, "accept_offer", offer=codes[0])
    do(madrid, "accept_offer", offer=offer(murphy, madrid, gives={given: 90}, takes={taken: 90}))
    do(murphy, "withdraw_offer", offer=codes[1])
    do(madrid, "accept_offer", offer=codes[1], anonymous=True)
    assert Move.objects.filter(kind="exchanged").count() == 2
    assert is_sound(contest)


@pytest.mark.parametrize("others", [0, 297])
def test_offers_stay_within_their_budget(
    django_assert_max_num_queries: Budget, contest: Game, dealt: Three, others: int
):
    murphy, madrid, _ = dealt
    if others:
        crowd(contest, others)
    names = list(Contestant.objects.exclude(player=murphy).values_list("player__name", flat=True))
    with django_assert_max_num_queries(18):
        do(murphy, "offer", to=names, **FOR_ONE)
    code = Offer.objects.get().code
    with django_assert_max_num_queries(18):
        do(madrid, "accept_offer", offer=code)
    with django_assert_max_num_queries(18):
        do(madrid, "accept_offer", offer=code, anonymous=True)
    code = offer(murphy, madrid)
    with django_assert_max_num_queries(18):
        do(murphy, "withdraw_offer", offer=code)


def contest_now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)
