"""The play of the Ace of Spades: the book, votes, cards, offers (Agora, March 2002).

Pure values and functions. Every number that a regulation's table holds comes in from `charts.py`;
chance comes in as a function that chooses. Refusals name the regulation that they come from.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from aceofspades.rules.charts import Charts, DealTerms
from nomic.games.refusal import Refusal, first_refusal
from nomic.games.wording import enumerated

type Cards = Mapping[str, int]
type Choose = Callable[[str, list[str]], str]

ALLIANCES = "Regulation 220"
OFFERS = "Regulation 125"
FEES = "Regulation 245"
PROPOSALS = "Regulation 107"


# The book (Regulations 101 and 107)


def number_refusal(number: int, charts: Charts, in_force: Collection[int]) -> Refusal | None:
    """Why no proposal may have that number.

    `in_force` are the numbers of the regulations in force. A mutable regulation may be new or
    replace another; an immutable one may only be amended, by the consent of all.
    """
    immutable, proposable = charts.immutable, charts.proposable
    if immutable is not None and number in immutable:
        if number in in_force:
            return None
        only = f"of {_numbers(immutable)} only those that exist can be proposed anew."
        sentence = f"There is no Regulation {number} to amend: {only}"
        return Refusal("no_such_regulation", sentence, charts.where("immutable"))
    if proposable is None:
        which = "which numbers a mutable regulation may be proposed with"
        return Refusal("nothing_proposable", f"No regulation says any more {which}.", PROPOSALS)
    if number in proposable:
        return None
    amendable = "" if immutable is None else f", or one of {_numbers(immutable)} to amend it"
    choose = f"choose a number from {proposable[0]} to {proposable[-1]}{amendable}"
    sentence = f"Regulation {number} cannot be proposed: {choose}."
    return Refusal("number_out_of_range", sentence, charts.where("proposable"))


def needs_consent_of_all(number: int, charts: Charts) -> bool:
    """Whether a regulation of that number is immutable (Regulation 101)."""
    return charts.immutable is not None and number in charts.immutable


def _numbers(numbers: range) -> str:
    return f"Regulations {numbers[0]} to {numbers[-1]}"


# Votes and tabled acts (Regulations 101, 110, 114 and 250)


def verdict(
    for_: int, against: int, contestants: int, needs_all: bool = False
) -> Literal["adopted", "failed"] | None:
    """The decision by the votes of current contestants; None while they decide nothing (110).

    With `needs_all` (Regulation 101) nothing but FOR from everybody adopts, and one AGAINST fails,
    since it cannot be taken back.
    """
    if needs_all:
        if against:
            return "failed"
        return "adopted" if 0 < contestants <= for_ else None
    if 2 * for_ > contestants:
        return "adopted"
    return "failed" if 2 * against > contestants else None


# The deck and the deal (Regulations 117, 123 and 210)


@dataclass(frozen=True, slots=True)
class Making:
    """Cards of a suit that were made in the deck when `after` cards of the deal had been dealt."""

    after: int
    suit: str
    count: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: who was dealt which suit, in order, what was made on the way, and the deck after it.

    `owed` counts the cards that could not be dealt since the deck was empty. `low` says whether the
    deck has been too small since it was last refilled, however many cards it has after the deal.
    """

    cards: tuple[tuple[str, str], ...]
    makings: tuple[Making, ...]
    deck: Cards
    owed: int
    low: bool = False

    @property
    def made(self) -> dict[str, int]:
        """How many cards of each suit were made in the deck, in all."""
        total: dict[str, int] = {}
        for making in self.makings:
            total[making.suit] = total.get(making.suit, 0) + making.count
        return total

    def hand_of(self, contestant: str) -> dict[str, int]:
        """The cards that were dealt to that contestant."""
        return dict(Counter(suit for name, suit in self.cards if name == contestant))


def deal(
    deck: Cards,
    to: Sequence[str],
    each: int,
    terms: DealTerms,
    choose: Choose,
    *,
    low: bool = False,
) -> Dealt:
    """Deal `each` cards to everybody, one card at a time around (Regulation 117).

    `to` are different names in the order of first joining. `choose` takes a label and all cards in
    the deck by suit, as many times as there are of it, and returns the one that is dealt. Before a
    card is dealt, a deck that has been of too few since the last time is refilled, and one that is;
    Mauve is made whenever it is missing. `low` tells that it has been so before this deal.
    """
    left = {suit: deck.get(suit, 0) for suit in [*terms.suits, *sorted(set(deck) - {*terms.suits})]}
    cards: list[tuple[str, str]] = []
    makings: list[Making] = []

    def make(new: Cards) -> None:
        for suit, count in new.items():
            left[suit] += count
            makings.append(Making(len(cards), suit, count))

    each_new = terms.refill.of_each if terms.refill else 0
    refill = dict.fromkeys(terms.suits, each_new) if each_new else {}
    low = low or is_low(left, terms)
    make(missing(left, terms.never_without))
    for turn in range(1, each + 1):
        for name in to:
            if low or is_low(left, terms):
                make(refill)
                low = False
            in_deck = [suit for suit, count in left.items() for _ in range(count)]
            if not in_deck:
                continue
            card = choose(f"card {turn} to {name}", in_deck)
            left[card] -= 1
            cards.append((name, card))
            low = is_low(left, terms)
            make(missing(left, terms.never_without))
    return Dealt(tuple(cards), tuple(makings), left, each * len(to) - len(cards), low)


def missing(cards: Cards, wanted: Cards) -> dict[str, int]:
    """The wanted cards that are not there, by suit: to be made in the deck, of the suit that it is
    never without (Regulation 123), or to be had by who gives them."""
    lacking = {suit: count - cards.get(suit, 0) for suit, count in wanted.items()}
    return {suit: count for suit, count in lacking.items() if count > 0}


def recast[Owner](
    holdings: Mapping[Owner, Cards], defined: Collection[str], into: str
) -> dict[Owner, dict[str, int]]:
    """The cards of suits that are not defined (any more), by their holders (Regulation 123).

    They all turn into cards of the suit `into`; where that is "", nothing turns.
    """
    undefined = {
        holder: {suit: count for suit, count in cards.items() if count and suit not in defined}
        for holder, cards in holdings.items()
        if into
    }
    return {holder: cards for holder, cards in undefined.items() if cards}


def is_low(deck: Cards, terms: DealTerms) -> bool:
    """Whether that deck is one of too few cards (Regulation 210)."""
    return terms.refill is not None and terms.refill.is_for(sum(deck.values()))


# Fees and offers (Regulations 125 and 245)


@dataclass(frozen=True, slots=True)
class Offer:
    """Cards for cards of other suits, from one contestant to some others (Regulation 125). Its
    `end` is `accepted` or `withdrawn`."""

    by: str
    to: frozenset[str]
    gives: Cards
    takes: Cards
    end: str = ""


def offer_refusal(
    offer: Offer, contestants: Collection[str], suits: Collection[str]
) -> Refusal | None:
    """Why that offer cannot be made. Nobody needs to have the cards before it is accepted.

    An offer is an exchange, so neither side is empty; what is a gift is given (Regulation 116).
    """
    strangers = sorted(offer.to - set(contestants))
    unknown = [suit for suit in (*offer.gives, *offer.takes) if suit not in suits]
    both = [suit for suit in offer.gives if suit in offer.takes]
    counts = (*offer.gives.values(), *offer.takes.values())
    return first_refusal(
        OFFERS,
        (not offer.to, "nobody", "Name a contestant for whom the offer is."),
        (offer.by in offer.to, "yourself", "An offer is for others than who makes it."),
        (strangers, "no_contestant", f"{enumerated(strangers)}: no contestant by that name."),
        (unknown, "no_suit", f"There is no suit {enumerated(unknown)} now."),
        (any(n < 1 for n in counts), "no_number", "Cards are counted from 1 up."),
        (not offer.gives, "gives_nothing", "Say which cards you would give."),
        (
            not offer.takes,
            "takes_nothing",
            "Say which cards you want; cards are given away by a transfer.",
        ),
        (
            both,
            "same_suit",
            f"An offer is for cards of other suits, not of {enumerated(both)} again.",
        ),
    )


def cannot_be_fulfilled(offer: Offer, by_hand: Cards, acceptor_hand: Cards) -> Refusal | None:
    """Why an acceptance has no effect; this is told to all parties, and names none of them (125).

    The first of the regulation's conditions that fails is the reason.
    """
    offerer = not missing(by_hand, offer.gives)
    acceptor = not missing(acceptor_hand, offer.takes)
    return first_refusal(
        OFFERS,
        (offer.end == "accepted", "accepted", "The offer was accepted before."),
        (offer.end == "withdrawn", "withdrawn", "The offer was withdrawn before."),
        (not (offerer or acceptor), "both_short", "Neither side has the cards that it would give."),
        (not offerer, "offerer_short", "The offerer does not have the cards that they offered."),
        (not acceptor, "acceptor_short", "Who accepted does not have the cards that are wanted."),
    )


def fee_of(charts: Charts) -> dict[str, int]:
    """The cards that it costs to read a secret regulation (245); none where that part is off."""
    return dict.fromkeys(charts.suits, charts.fee) if charts.fee else {}


def cannot_pay_fee(hand: Cards, charts: Charts) -> Refusal | None:
    """Why that hand cannot pay the fee for a secret regulation (Regulation 245)."""
    if charts.fee is None:
        sentence = "No regulation says any more what it costs to read a secret one."
        return Refusal("no_fee", sentence, FEES)
    lacking = missing(hand, fee_of(charts))
    if not lacking:
        return None
    fee, lack = describe_cards(fee_of(charts)), describe_cards(lacking)
    return Refusal("cannot_pay", f"The fee is {fee}: you lack {lack}.", charts.where("fee"))


def describe_cards(cards: Cards) -> str:
    """Cards in words: “2 Red and 1 Mauve”, or “no cards”."""
    return enumerated([f"{count} {suit}" for suit, count in cards.items() if count]) or "no cards"


# Alliances (Regulation 220)


def agreed(members: Collection[object], agreeing: Collection[object]) -> bool:
    """Whether an alliance is formed: two or more contestants, and every one of them agrees."""
    return len(set(members)) > 1 and set(members) <= set(agreeing)


def alliance_refusal(
    by: str, members: Collection[str], contestants: Collection[str]
) -> Refusal | None:
    """Why `by` cannot agree to an alliance of these members."""
    strangers = sorted(set(members) - set(contestants))
    return first_refusal(
        ALLIANCES,
        (strangers, "no_contestant", f"{enumerated(strangers)}: no contestant by that name."),
        (by not in members, "not_a_member", "You agree only to an alliance that you are in."),
        (len(set(members)) < 2, "too_few", "An alliance has two members or more: name another."),
    )


def standing(alliances: Iterable[Collection[object]]) -> list[int]:
    """The places of those alliances, in their order, that still are alliances of their own.

    One with fewer than two members is over, and so is one with the same members as an older one.
    """
    oldest: dict[frozenset[object], int] = {}
    for place, members in enumerate(alliances):
        if len(set(members)) > 1:
            oldest.setdefault(frozenset(members), place)
    return list(oldest.values())


# The Reckoning (Regulations 120 and 999)


def finalists(worths: Mapping[str, float]) -> tuple[str, ...]:
    """Who has the highest worth, in the given order, if that is positive; else nobody (120)."""
    best = max(worths.values(), default=0)
    return tuple(name for name, worth in worths.items() if worth == best) if best > 0 else ()


def tied(worths: Mapping[str, float]) -> tuple[str, ...]:
    """Those who share the highest worth, be it positive or not, where two or more do (999)."""
    best = max(worths.values(), default=0)
    names = tuple(name for name, worth in worths.items() if worth == best)
    return names if len(names) > 1 else ()
