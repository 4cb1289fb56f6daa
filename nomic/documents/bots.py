"""What simulated players try with documents."""

from collections.abc import Iterable

from nomic.documents.actions.publishing import PUBLISH
from nomic.documents.actions.sealing import SEAL
from nomic.simulation.bots import Act, Bots, Demonstration

_A_PLEDGE = """For this race I pledge:

- I bet on no horse that I own.
- I nudge no horse backwards.

Who finds me breaking this may say so in a proposal, and I vote for it."""
_A_GUIDE = """A horse that is far behind is not lost. Hooves are cheap, and what is nudged twice has
passed the field.

> The slow ones win when the fast ones are helmeted.

I keep my dollaries until the favourites have two jerseys, and bet then."""


class _Shown(Demonstration):
    def beginnings(self) -> Iterable[tuple[str, Act]]:
        """A pledge, some advice, and a guess that is sealed until the race is over."""
        pledge = {"kind": "Pledge", "title": "What I do not do in this race", "text": _A_PLEDGE}
        essay = {"kind": "Essay", "title": "On slow horses", "text": _A_GUIDE}
        guess = {"kind": "Sealed Note", "title": "Who wins", "text": "Rubert, by a nose."}
        yield "Murphy", (PUBLISH, pledge)
        yield "Madrid", (PUBLISH, essay)
        yield "juan", (SEAL, guess)


BOTS = Bots(
    demonstration=_Shown(),
    worth_trying={
        "documents.publish": {
            "kind": ("Essay", "Pledge", "Notice", "Statement"),
            "title": ("On horses", "What I promise", "Come to the table"),
            "text": ("Horses run.\n\nThey run *far*.", "I vote as I said.", "All are welcome."),
        },
        "documents.revise": {
            "document": (1, 2, 3),
            "title": ("On horses", "On ponies"),
            "text": ("Ponies run.", "Horses walk."),
        },
        "documents.withdraw": {"document": (1, 2, 3)},
        "documents.revise_sealed": {"title": ("What I guess",), "text": ("All win.",)},
        "documents.doubt": {"document": (1, 2, 3), "what": ("It is not so.",)},
        "documents.seal": {
            "kind": ("Sealed Note", "Letter"),
            "readers": ("", "Murphy", "player1"),
            "title": ("What I guess",),
            "text": ("Horses win.", "Nobody wins."),
        },
    },
)
