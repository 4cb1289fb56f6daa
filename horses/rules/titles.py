"""The titles of the seven rules of the races, and amounts in words."""

from nomic.games.wording import counted

HORSES = "Horses"
RUN = "The Horses Run"
VICTORY = "Horse Victory"
MULTIPLIER = "Horse Multiplier"
ACTIONS = "Weekly Race Actions"
MOTIVATING = "Motivating Horses"
POWERS = "Horse Powers"
TITLES = (HORSES, RUN, VICTORY, MULTIPLIER, ACTIONS, MOTIVATING, POWERS)


def as_dollaries(number: int | None) -> str:
    """“1 dollary”, “3 dollaries”."""
    return counted(number or 0, "dollary", "dollaries")


def as_hooves(number: int | None) -> str:
    """“1 hoof”, “3 hooves”."""
    return counted(number or 0, "hoof", "hooves")


def as_steps(number: int | None) -> str:
    """“1 step”, “3 steps”."""
    return counted(number or 0, "step")
