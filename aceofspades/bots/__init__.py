"""Tries of simulated contestants: regulations worth a vote, a card or two, the book's numbers.

Nothing here depends on a game: what a player could not know, chance does not know either.
"""

from itertools import pairwise

from aceofspades.bots import practice
from aceofspades.bots.demonstration import Cards
from aceofspades.rulebook import SECRET_NUMBERS, library, shipped_texts
from aceofspades.rules.charts import shipped_charts
from nomic.simulation.bots import OFTEN, SELDOM, WHENEVER_OFFERED, Bots, Habit

_HABITS = {
    "aceofspades.join": Habit(OFTEN),
    "aceofspades.leave": Habit(SELDOM),
    "aceofspades.offer": Habit(OFTEN),
    "aceofspades.accept_offer": Habit(WHENEVER_OFFERED),
    "aceofspades.ally": Habit(OFTEN),
    "aceofspades.agree_pact": Habit(WHENEVER_OFFERED),
    "aceofspades.propose": Habit(tries=10),
    "aceofspades.vote": Habit(WHENEVER_OFFERED, tries=10),
    "aceofspades.table_remedy": Habit(tries=20),
    "aceofspades.grant_ntk": Habit(OFTEN, tries=10),
    "aceofspades.reveal_regulation": Habit(OFTEN, tries=10),
    "aceofspades.transfer": Habit(OFTEN),
    "aceofspades.publish_regulation": Habit(SELDOM),
}

_PROSE = (
    "A contestant who leaves should say goodbye to the others.",
    "Cards are shuffled by hand, and nobody looks.",
)
_FREE = (500, 510, 520, 530, 540)
_REPLACED = (210, 245, 320, 330, 410)
_NUMBERS = (*_FREE, *_REPLACED, *SECRET_NUMBERS)


def _texts() -> list[str]:
    """Marking regulations of the library, and mutable ones as they are shipped."""
    shipped = dict(shipped_texts())
    return [*(rule.text for rule in library()), *(shipped[number] for number in _REPLACED)]


def _cards() -> list[dict[str, int]]:
    """A card of each suit, two of each, and one of each of two."""
    suits = shipped_charts().suits
    pairs = [{first: 1, second: 1} for first, second in pairwise(suits)]
    return [{suit: count} for suit in suits for count in (1, 1, 2)] + pairs


BOTS = Bots(
    practice.practice,
    demonstration=Cards(),
    habits=_HABITS,
    worth_trying={
        "aceofspades.propose": {
            "number": _NUMBERS,
            "text": (*_PROSE, *_texts()),
            "visibility": ("public", "private", "secret"),
        },
        "aceofspades.transfer": {"cards": _cards()},
        "aceofspades.offer": {"gives": _cards(), "takes": _cards()},
        "aceofspades.reveal_regulation": {"regulation": SECRET_NUMBERS},
        "aceofspades.table_remedy": {"cards": _cards(), "regulation": _NUMBERS},
        "aceofspades.write_secret_regulation": {"text": _texts()},
    },
)
