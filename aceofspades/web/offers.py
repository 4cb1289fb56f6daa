"""Offers, pacts and alliances as the contest's page shows them to one viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy.seen import SeenAlliance, SeenOffer, SeenPact
from aceofspades.secrecy.view import View
from aceofspades.secrecy.worths import worths_of_alliances

MOST_OFFERS = 20


@dataclass(frozen=True, slots=True)
class OfferRow:
    """An offer that the viewer may see, and what it is to them: `lacks` are the cards that they
    have too few of."""

    offer: SeenOffer
    end: str
    mine: bool
    for_me: bool
    lacks: str


def offers(view: View) -> tuple[list[OfferRow], bool]:
    """The offers that the viewer may see, those still open first, and whether there are more."""
    hand = view.own_hand() or {}
    found = view.offers(MOST_OFFERS + 1)
    return [_offer(view, each, hand) for each in found[:MOST_OFFERS]], len(found) > MOST_OFFERS


def _offer(view: View, offer: SeenOffer, hand: Mapping[str, int]) -> OfferRow:
    plays = view.own is not None
    mine = plays and offer.by is not None and view.is_viewer(offer.by)
    for_me = plays and any(map(view.is_viewer, offer.to))
    pays = offer.gives if mine else offer.takes
    is_open = not offer.end and not view.state.is_reckoned
    lacks = {suit: count - hand.get(suit, 0) for suit, count in pays.items()}
    short = {suit: count for suit, count in lacks.items() if count > 0}
    return OfferRow(
        offer,
        end=offer.end or ("" if is_open else "lapsed"),
        mine=mine,
        for_me=for_me,
        lacks=describe_cards(short) if short and is_open and (mine or for_me) else "",
    )


@dataclass(frozen=True, slots=True)
class PactRow:
    """An alliance yet to be agreed, and whether it waits for the viewer."""

    code: str
    others: list[str]
    waits_for: list[str]
    mine: bool
    waits_for_me: bool


def pacts(view: View) -> list[PactRow]:
    """The alliances yet to be agreed that the viewer may see; none once all is reckoned."""
    return [] if view.state.is_reckoned else [_pact(view, each) for each in view.pacts]


def _pact(view: View, pact: SeenPact) -> PactRow:
    missing = [name for name in pact.members if name not in pact.agreed]
    return PactRow(
        code=pact.code,
        others=_others(view, pact.members),
        waits_for=_others(view, missing),
        mine=any(map(view.is_viewer, pact.members)),
        waits_for_me=any(map(view.is_viewer, missing)),
    )


@dataclass(frozen=True, slots=True)
class AllianceRow:
    """An alliance: size and total worth for everybody, members for who may know them (225, 230).

    `worth` is None until it has been counted.
    """

    number: int
    size: int
    worth: float | None
    members: list[str] | None
    mine: bool


def own_alliances(view: View) -> list[tuple[int, list[str]]]:
    """The alliances that the viewer is in, each with its other members."""
    return [
        (each.number, _others(view, each.members or []))
        for each in view.alliances
        if _is_in(view, each)
    ]


def alliances(view: View) -> list[AllianceRow]:
    """The alliances in the order of their numbers."""
    worths = worths_of_alliances(view.state)
    return [
        AllianceRow(
            each.number, each.size, worths.get(each.number), each.members, _is_in(view, each)
        )
        for each in view.alliances
    ]


def _is_in(view: View, alliance: SeenAlliance) -> bool:
    return any(map(view.is_viewer, alliance.members or ()))


def _others(view: View, names: list[str]) -> list[str]:
    return [name for name in names if not view.is_viewer(name)]
