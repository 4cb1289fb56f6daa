"""Offers, pacts and alliances as the contest's page shows them to one viewer."""

from collections.abc import Collection
from typing import Any

from aceofspades.api import alliances_to_dicts
from aceofspades.rules.contest import describe_cards, missing
from aceofspades.secrecy.view import View

MOST_OFFERS = 20


def offers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """The offers that the viewer may see, those still open first, and whether there are more. Each
    tells what it is to the viewer: `lacks` are the cards that they have too few of."""
    hand = view.own_hand() or {}
    found, shown, plays = view.offers(MOST_OFFERS + 1), [], view.own is not None
    for offer in found[:MOST_OFFERS]:
        mine = plays and offer.by is not None and view.is_viewer(offer.by)
        for_me = plays and _is_among(view, offer.to)
        is_open = not offer.end and not view.state.is_over
        short = missing(hand, offer.gives if mine else offer.takes)
        shown.append(
            {
                "offer": offer,
                "end": offer.end or ("" if is_open else "lapsed"),
                "mine": mine,
                "for_me": for_me,
                "lacks": describe_cards(short) if short and is_open and (mine or for_me) else "",
            }
        )
    return shown, len(found) > MOST_OFFERS


def pacts(view: View) -> list[dict[str, Any]]:
    """The alliances yet to be agreed that the viewer may see, each with for whom it waits; none
    once all is reckoned."""
    found = []
    for pact in () if view.state.is_over else view.pacts:
        missing = [name for name in pact.members if name not in pact.agreed]
        found.append(
            {
                "code": pact.code,
                "others": _others(view, pact.members),
                "waits_for": _others(view, missing),
                "mine": _is_among(view, pact.members),
                "waits_for_me": _is_among(view, missing),
            }
        )
    return found


def own_alliances(view: View) -> list[tuple[int, list[str]]]:
    """The alliances that the viewer is in, each with its other members."""
    return [
        (each.number, _others(view, each.members or []))
        for each in view.alliances
        if _is_among(view, each.members)
    ]


def alliances(view: View) -> list[dict[str, Any]]:
    """The alliances in the order of their numbers: size and total worth for everybody, members for
    who may know them (225, 230)."""
    return [
        {**each, "mine": _is_among(view, each.get("members"))} for each in alliances_to_dicts(view)
    ]


def _is_among(view: View, names: Collection[str] | None) -> bool:
    return any(map(view.is_viewer, names or ()))


def _others(view: View, names: list[str]) -> list[str]:
    return [name for name in names if not view.is_viewer(name)]
