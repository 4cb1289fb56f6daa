"""Offers, pacts and alliances as the contest's page shows them to one viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from aceofspades.rules.contest import cards_told
from aceofspades.secrecy import matrix as disclosure
from aceofspades.secrecy.secrets import Pledge, Sight
from aceofspades.web.estimated_worth import worths_of_alliances


@dataclass(frozen=True, slots=True)
class Bargain:
    """An offer as one who may see it sees it: who makes it (None while unnamed), to whom, what
    changes hands; `lacks` are the cards that the viewer has too few of."""

    code: str
    by: str | None
    to: list[str]
    gives: str
    takes: str
    at: datetime
    end: str
    anonymous: bool
    accepted_by: str | None
    mine: bool
    for_me: bool
    lacks: str


def bargains(sight: Sight) -> list[Bargain]:
    """The offers that the viewer may see, those still open first, at most 20."""
    hand = sight.own_hand() or {}
    return [_bargain(sight, offer, hand) for offer in sight.affairs.offers]


def _bargain(sight: Sight, offer: Mapping[str, Any], hand: Mapping[str, int]) -> Bargain:
    own = sight.own
    mine = own is not None and offer["by_pk"] == own.pk
    for_me = own is not None and own.player.name in offer["to"]
    pays = offer["gives"] if mine else offer["takes"]
    short = {suit: count - hand.get(suit, 0) for suit, count in pays.items()}
    is_open = not offer["end"] and not sight.state.is_reckoned
    return Bargain(
        code=offer["code"],
        by=sight.named(offer["by"], disclosure.OFFERER, hidden=offer["anonymous"]),
        to=sight.receivers(offer["by"], offer["to"], hidden=offer["anonymous"]),
        gives=cards_told(offer["gives"]),
        takes=cards_told(offer["takes"]),
        at=offer["at"],
        end=offer["end"] or ("" if is_open else "lapsed"),
        anonymous=offer["anonymous"],
        accepted_by=sight.named(
            offer["accepted_by"], disclosure.ACCEPTOR, hidden=offer["accepted_anonymously"]
        ),
        mine=mine,
        for_me=for_me,
        lacks=_told({suit: count for suit, count in short.items() if count > 0})
        if is_open and (mine or for_me)
        else "",
    )


@dataclass(frozen=True, slots=True)
class Pact:
    """An alliance yet to be agreed, and whether it waits for the viewer."""

    code: str
    others: list[str]
    waits_for: list[str]
    mine: bool
    waits_for_me: bool


def pacts(sight: Sight) -> list[Pact]:
    """The alliances yet to be agreed that the viewer may see; none once all is reckoned."""
    if sight.state.is_reckoned:
        return []
    return [_pact(sight, pledge) for pledge in sight.promises()]


def _pact(sight: Sight, pledge: Pledge) -> Pact:
    missing = [name for name in pledge.members if name not in pledge.agreed]
    return Pact(
        code=pledge.code,
        others=[name for name in pledge.members if not sight.is_viewer(name)],
        waits_for=[name for name in missing if not sight.is_viewer(name)],
        mine=any(map(sight.is_viewer, pledge.members)),
        waits_for_me=any(map(sight.is_viewer, missing)),
    )


@dataclass(frozen=True, slots=True)
class League:
    """An alliance: size and total worth for everybody, members for who may know them (225, 230).

    `worth` is None until it has been counted.
    """

    number: int
    size: int
    worth: float | None
    members: list[str] | None
    mine: bool
    others: list[str]


def memberships(sight: Sight) -> list[tuple[int, list[str]]]:
    """The alliances that the viewer is in, each with its other members."""
    return [
        (number, [name for name in names if not sight.is_viewer(name)])
        for number, names in sight.leagues.items()
        if any(map(sight.is_viewer, names))
    ]


def leagues(sight: Sight) -> list[League]:
    """The alliances in the order of their numbers."""
    held = sight.hands if sight.may(disclosure.HAND_SUITS) else None
    worths = worths_of_alliances(sight.state, sight.leagues, held)
    return [
        _league(sight, number, names, worths.get(number)) for number, names in sight.leagues.items()
    ]


def _league(sight: Sight, number: int, names: list[str], worth: float | None) -> League:
    members = names if sight.may_know_members(number, names) else None
    others = [name for name in members or () if not sight.is_viewer(name)]
    is_mine = len(others) < len(members or ())
    return League(number, len(names), worth, members, is_mine, others)


def _told(cards: Mapping[str, int]) -> str:
    return cards_told(cards) if cards else ""
