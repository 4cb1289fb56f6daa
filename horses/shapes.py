"""Shapes of the API's answers on the races, as the OpenAPI document tells them."""

from typing import TypedDict


class HorseShape(TypedDict):
    """A horse in the running race; what a broken table would say is null."""

    owner: str
    cost: int | None
    position: int
    place: int | None
    pulls: list[str]
    multiplier: int | None


class MotivationShape(TypedDict):
    """This week's motivation; `by` is null where the system did it."""

    galloper: str
    distance: int
    by: str | None


class GearShape(TypedDict):
    """The names of the horses for which a player has jerseys and helmets."""

    jerseys: list[str]
    helmets: list[str]


class RacesShape(TypedDict):
    """The running race; bets in dollaries, by player and horse."""

    race: int
    finished_races: int
    horses: dict[str, HorseShape]
    motivation: MotivationShape | None
    gear: dict[str, GearShape]
    bets: dict[str, dict[str, int]]
    weekly_action_used: list[str]
