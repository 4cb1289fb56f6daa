"""Which office does what the rules leave to the officer who keeps the proposals.

An edition has one office for all of it. A game that lived elsewhere may have several of its own:
Agora's Promotor distributes, its Assessor counts, its Rulekeepor keeps the rules.
"""

from nomic.games.models import Game
from proposals.rules import EDITIONS

NUMBERS, DISTRIBUTION, CLOCK = "numbers", "distribution", "clock"
COUNTING, RULEBOOK = "counting", "rulebook"
DUTIES = {
    NUMBERS: "gives proposals their numbers",
    DISTRIBUTION: "distributes proposals",
    CLOCK: "turns the Clock",
    COUNTING: "counts votes, and corrects who voted what",
    RULEBOOK: "keeps the rulebook, and carries out what is left to be done by hand",
}
OFFICES = "proposals.offices"  # of a game's settings: by duty, the office to which it was given
CHAIRMAN = "Chairman"


def officer_of(game: Game, duty: str = "") -> str:
    """The name in that game of the office that keeps its proposals, or that does one duty of it."""
    offices: dict[str, str] = game.setting(OFFICES, {})
    if duty in offices:
        return offices[duty]
    return EDITIONS[game.edition].officer if game.edition in EDITIONS else CHAIRMAN


def officers_of(game: Game) -> set[str]:
    """The names of all offices that do any of it."""
    return {officer_of(game, duty) for duty in ("", *DUTIES)}
