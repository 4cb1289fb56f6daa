"""Many connections exchange and ally at one moment: each card moves once, each act counts once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from aceofspades.models import Alliance, Notice, Offer, Pact
from aceofspades.tests.asking import do, hands, is_sound, suits_to_swap
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import hand_of
from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.record.models import Entry
from tests.kit import again_while_busy, all_at_once, take_away_the_lock

CROWD = 6

Swap = tuple[str, str]


@pytest.fixture
def swap(transactional_db: None, contest: Game, three: Three) -> Swap:
    """A suit that Murphy has and another that Madrid has, each as it was dealt."""
    murphy, madrid, _ = three
    return suits_to_swap(murphy, madrid)


@pytest.fixture
def code(swap: Swap, three: Three) -> str:
    """Murphy's offer to Madrid of a card for a card."""
    murphy, _, _ = three
    return offered(murphy, "Madrid", swap)


def offered(by: Player, to: str, swap: Swap) -> str:
    given, taken = swap
    do(by, "offer", to=[to], gives={given: 1}, takes={taken: 1})
    return Offer.objects.latest("pk").code


def sent(player: Player, name: str, key: str = "", **inputs: Any) -> Callable[[], Receipt]:
    return again_while_busy(lambda: take("table", player.user, f"aceofspades.{name}", inputs, key))


def exchanges(ends: list[Any]) -> int:
    """How many acceptances exchanged cards; all others are told in private that theirs failed."""
    assert all(isinstance(end, Receipt | Refused) for end in ends), ends
    entries = [end.entry for end in ends if isinstance(end, Receipt)]
    return sum(isinstance(entry, Entry) for entry in entries)


def after(hand: dict[str, int], gone: str, come: str) -> dict[str, int]:
    """That hand with a card of one suit gone and one of another come."""
    changed = {**hand, gone: hand[gone] - 1}
    changed[come] = changed.get(come, 0) + 1
    return {suit: n for suit, n in changed.items() if n}


def test_regulation_125_an_offer_that_is_accepted_many_times_at_once_is_done_once(
    contest: Game, three: Three, swap: Swap, code: str
):
    murphy, madrid, _ = three
    mine, theirs = hands(murphy, madrid)
    ends = all_at_once(*[sent(madrid, "accept_offer", offer=code)] * CROWD)
    assert exchanges(ends) == 1
    assert hand_of(contest, murphy) == after(mine, *swap)
    assert hand_of(contest, madrid) == after(theirs, *reversed(swap))
    failed = Notice.objects.filter(text__endswith="The offer was accepted before.")
    assert failed.count() == 2 * (CROWD - 1)
    assert is_sound(contest)


def test_with_the_lock_taken_away_that_goes_wrong(
    three: Three, code: str, monkeypatch: pytest.MonkeyPatch
):
    _, madrid, _ = three
    take_away_the_lock(monkeypatch, CROWD)
    ends = all_at_once(*[sent(madrid, "accept_offer", offer=code)] * CROWD)
    assert not all(isinstance(end, Receipt | Refused) for end in ends)


def test_regulation_125_an_offer_that_is_accepted_and_withdrawn_at_once_is_one_of_both(
    contest: Game, three: Three, swap: Swap, code: str
):
    murphy, madrid, _ = three
    mine, theirs = hands(murphy, madrid)
    accept = sent(madrid, "accept_offer", offer=code, anonymous=True)
    ends = all_at_once(*[accept, sent(murphy, "withdraw_offer", offer=code)] * 3)
    is_done = exchanges(ends) == 1
    assert Offer.objects.get().end == ("accepted" if is_done else "withdrawn")
    assert (hands(murphy, madrid) != [mine, theirs]) == is_done
    withdrawn = [end for end in ends[1::2] if isinstance(end, Receipt)]
    assert len(withdrawn) == (0 if is_done else 1)
    assert is_sound(contest)


def test_regulation_125_two_who_accept_each_others_offers_at_once_have_cards_for_it(
    contest: Game, three: Three, swap: Swap, code: str
):
    murphy, madrid, _ = three
    back = offered(madrid, "Murphy", (swap[1], swap[0]))
    total = sum(sum(hand.values()) for hand in hands(murphy, madrid))
    ends = all_at_once(
        sent(madrid, "accept_offer", offer=code), sent(murphy, "accept_offer", offer=back)
    )
    assert exchanges(ends) in (1, 2)
    assert sum(sum(hand.values()) for hand in hands(murphy, madrid)) == total
    assert is_sound(contest)


def test_regulation_116_a_hand_that_many_connections_give_away_at_once_is_given_once(
    contest: Game, three: Three, swap: Swap
):
    murphy, _, alexia = three
    mine, theirs = hands(murphy, alexia)
    ends = all_at_once(*[sent(murphy, "transfer", to="Alexia", cards=mine)] * CROWD)
    assert exchanges(ends) == 1
    assert hand_of(contest, murphy) == {}
    received = {suit: mine.get(suit, 0) + theirs.get(suit, 0) for suit in {**mine, **theirs}}
    assert hand_of(contest, alexia) == received
    assert is_sound(contest)


def test_a_key_sent_many_times_at_once_is_one_exchange_and_equal_receipts(
    contest: Game, three: Three, swap: Swap, code: str
):
    _, madrid, _ = three
    accept = sent(madrid, "accept_offer", "once", offer=code, anonymous=True)
    ends = all_at_once(*[accept] * CROWD)
    assert len({end.entry.pk for end in ends}) == len({end.private_sentence for end in ends}) == 1
    assert exchanges(ends) == CROWD
    assert sum(end.repeated for end in ends) == CROWD - 1
    assert contest.entries.filter(name="aceofspades.accept_offer").count() == 1


def test_regulation_220_those_who_agree_to_each_other_at_once_are_one_alliance(
    contest: Game, three: Three, swap: Swap
):
    others = {each: [str(other) for other in three if other is not each] for each in three}
    ends = all_at_once(*[sent(each, "ally", others=others[each]) for each in three] * 2)
    assert all(isinstance(end, Receipt | Refused) for end in ends), ends
    assert Pact.objects.count() == Alliance.objects.count() == 1
    assert Alliance.objects.get().members.count() == 3
    assert is_sound(contest)


def test_regulation_220_with_the_lock_taken_away_that_goes_wrong(
    contest: Game, three: Three, swap: Swap, monkeypatch: pytest.MonkeyPatch
):
    others = {each: [str(other) for other in three if other is not each] for each in three}
    take_away_the_lock(monkeypatch, 3)
    ends = all_at_once(*[sent(each, "ally", others=others[each]) for each in three])
    assert not all(isinstance(end, Receipt | Refused) for end in ends)
