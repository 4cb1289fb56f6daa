"""The tests' kit: the cast, fixtures that are kept, visitors, the browser, races."""

from nomic.testing.cast import WEDNESDAY, Take, seat, user_of
from nomic.testing.examples import examples
from nomic.testing.games import (
    an_earlier_version,
    at_the_table,
    open_at_real_pace,
    put_in_office,
    stamped,
)
from nomic.testing.races import again_while_busy, all_at_once, take_away_the_lock
from nomic.testing.steps import afterwards, around, if_asked
from nomic.testing.visitors import Visitor, sign_in_client, tight

__all__ = [
    "WEDNESDAY",
    "Take",
    "Visitor",
    "afterwards",
    "again_while_busy",
    "all_at_once",
    "an_earlier_version",
    "around",
    "at_the_table",
    "examples",
    "if_asked",
    "open_at_real_pace",
    "put_in_office",
    "seat",
    "sign_in_client",
    "stamped",
    "take_away_the_lock",
    "tight",
    "user_of",
]
