"""Shapes of the API's answers on the isle, as the OpenAPI document tells them."""

from typing import NotRequired, TypedDict


class SettlerShape(TypedDict):
    """What everybody may see of a Settler: amounts and Domains by resource."""

    stockpile: dict[str, int]
    domains: dict[str, int | None]
    buildings: list[str]
    ready: bool
    harvested: bool
    traded: bool
    used: list[str]
    alliance: list[str]


class TradeOfferShape(TypedDict):
    """An open trade offer: what is given, and taken for it."""

    number: int
    by: str
    to: str
    give: dict[str, int]
    take: dict[str, int]


class BribeShape(TypedDict):
    """A bribe by resource; its value is null where the rule's numbers cannot be read."""

    bribe: dict[str, int]
    bribe_value: int | None


class IsleShape(TypedDict):
    """The isle; `deck` has the cards that are left, by number."""

    visitor: str
    production: int
    results: list[int]
    deck: dict[str, int]
    injured: list[str]
    victims: list[str]
    settlers: dict[str, SettlerShape]
    offers: list[TradeOfferShape]
    offers_in_all: int
    mine: BribeShape | None
    bribes: NotRequired[dict[str, BribeShape]]
