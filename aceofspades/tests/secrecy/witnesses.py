"""How one sees that a viewer is told each of the contest's matters, and where it is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aceofspades.tests import canaries
from aceofspades.tests.canaries import of_suit
from tests.kit import figure


@dataclass
class Look:
    """All that one viewer is told at one time: texts by where they stand, the API's answer as it
    is, and what the `View` of them gives."""

    texts: dict[str, str]
    api: dict[str, Any]
    sight: dict[str, Any]

    def says(self, pattern: str, *where: str) -> bool:
        """Whether that stands anywhere there; everywhere if nowhere is named."""
        texts = self.texts.items()
        return any(re.search(pattern, text) for name, text in texts if not where or name in where)

    def proposal(self, number: int) -> dict[str, Any]:
        return next(each for each in self.api["proposals"] if each["number"] == number)

    def offer(self, code: str) -> dict[str, Any]:
        return next((each for each in self.api["offers"] if each["code"] == code), {})


Seen = Callable[[Look], bool]


@dataclass(frozen=True)
class Witness:
    """How one sees that a viewer is told: who is to be told is so at each of these places, who is
    not at none, and then the canary stands nowhere at all."""

    before: Mapping[str, Seen]
    after: Mapping[str, Seen] = field(default_factory=dict)
    canary: str = ""


def _says(pattern: str, *where: str) -> Seen:
    return lambda look: look.says(pattern, *where)


CODES: dict[str, str] = {}  # filled by the stage: chance has drawn them
OPENED = "record/opened"


def _opened(pattern: str) -> dict[str, Seen]:
    return {"opened": _says(pattern, OPENED), "proof": _says(pattern, "proof")}


def _moved(look: Look) -> bool:
    found = [each for each in look.api["transfers"] if each["kind"] == "transferred"]
    return found[0]["cards"] == canaries.MOVED and "at" in found[0]


def _members(look: Look) -> bool:
    return look.api["alliances"][0].get("members") == ["Murphy", "Anna"]


def _known_by(look: Look) -> bool:
    found = {each["number"]: each.get("known_by") for each in look.api["regulations"]}
    return found[340] == {"Fran": "full", "Lim": "limited"}


HAND, DECK = of_suit(canaries.HELD, "Hearts"), of_suit(canaries.IN_THE_DECK, "Hearts")
MOVED = of_suit(canaries.MOVED, "Green")
REMEDIED = of_suit(canaries.REMEDIED, "Black")
WITNESSES: dict[str, Witness] = {
    "DECK_COUNT": Witness(
        {
            "api": lambda look: look.api["deck_count"] > canaries.IN_THE_DECK,
            "page": lambda look: look.says(f"{look.api['deck_count']} cards in the Deck", "page"),
        }
    ),
    "HAND_COUNT": Witness(
        {
            "api": lambda look: look.api["hand_counts"]["Murphy"] > canaries.HELD,
            "page": lambda look: look.says(str(look.api["hand_counts"]["Murphy"]), "page"),
        }
    ),
    "CARDS_DEALT": Witness(
        {
            "api": lambda look: look.api["cards_dealt"]["Murphy"] == 7,
            "page": _says(r'Dealt</th>[\s\S]*?Murphy[\s\S]*?<td class="num">7</td>', "page"),
        }
    ),
    "TRANSFERS": Witness(
        {"api": _moved, "page": _says(rf"transferred[\s\S]{{0,200}}{canaries.MOVED}", "page")}
    ),
    "WHO_KNOWS": Witness(
        {"api": _known_by, "page": _says(r"Fran[\s\S]{0,40}Lim \(limited\)", "page")}
    ),
    "VOTE_COUNTS": Witness(
        {
            "api": lambda look: {"for", "against"} <= look.proposal(1).keys(),
            "sight": lambda look: look.sight["counts"][1] is not None,
        }
    ),
    "ALLIANCE_WORTH": Witness(
        {"api": lambda look: look.api["alliances"][0]["total_worth"] == 73_333},
        {"api": lambda look: "total_worth" in look.api["alliances"][0]},
    ),
    "ALLIANCE_SIZE": Witness({"api": lambda look: look.api["alliances"][0]["size"] == 2}),
    "REGULATION_NUMBER": Witness(
        {
            "api": lambda look: {340, 350} <= {each["number"] for each in look.api["regulations"]},
            "page": _says("regulations/350/", "page"),
            "its page": _says("<h1>Regulation 350</h1>", "regulation 350"),
        }
    ),
    "PUBLIC_TEXT": Witness(
        {
            "api": lambda look: look.proposal(3).get("text") == canaries.PUBLIC,
            "page": _says(canaries.PUBLIC, "proposal 3"),
            "sight": lambda look: canaries.PUBLIC in look.sight["proposed"][3],
        }
    ),
    "PRIVATE_TEXT": Witness(
        {
            "api": _says(canaries.PRIVATE, "api"),
            "page": _says(canaries.PRIVATE, "regulation 340"),
            "sight": lambda look: look.sight["texts"][340] is not None,
        },
        canary=canaries.PRIVATE,
    ),
    "PRIVATE_PROPOSAL": Witness(
        {
            "api": lambda look: look.proposal(1).get("text") == canaries.PROPOSED,
            "page": _says(canaries.PROPOSED, "proposal 1"),
            "sight": lambda look: look.sight["proposed"][1] is not None,
        },
        canary=canaries.PROPOSED,
    ),
    "HAND_SUITS": Witness(
        {
            "page": _says(HAND, "page"),
            "sight": lambda look: look.sight["hands"].get("Murphy", {}).get("Hearts", 0) > 0,
        },
        canary=HAND,
    ),
    "TRANSFERRED_SUITS": Witness(
        {"page, answer or desk": _says(MOVED, "page", "receipt", "desk")},
        _opened(MOVED),
        canary=MOVED,
    ),
    "ALLIANCE_MEMBERS": Witness(
        {
            "api": _members,
            "page": _says(r"Murphy, Anna\s*</td>", "page"),
            "sight": lambda look: look.sight["alliances"] == [["Murphy", "Anna"]],
        },
        canary=r"Murphy, Anna\s*</td>|Murphy and Anna|Alliance of Murphy",
    ),
    "OFFER": Witness(
        {"api": lambda look: bool(look.offer(CODES["offer"]))},
        canary=of_suit(canaries.OFFERED, "Hearts"),
    ),
    "OFFERER": Witness(
        {"api": lambda look: look.offer(CODES["unnamed"]).get("by") == "Murphy"},
        canary="offer (?:Babe|you)[^<]*without (?:their|your) name",
    ),
    "ACCEPTOR": Witness(
        {"api": lambda look: look.offer(CODES["accepted"]).get("accepted_by") == "Murphy"},
        canary="Murphy accept",
    ),
    "PACT": Witness(
        {"sight": lambda look: CODES["pact"] in look.sight["pacts"]},
        {"opened": lambda look: look.says(f"pact {CODES['pact']}", OPENED)},
    ),
    "NOTICE": Witness(
        {
            "page or desk": _says(f"Murphy gives you {canaries.MOVED} Green", "page", "desk"),
            "sight": lambda look: any("gives you" in each for each in look.sight["notices"]),
        },
        _opened(f"Murphy gives Babe {canaries.MOVED} Green"),
        canary=f"gives you {canaries.MOVED}",
    ),
    "SECRET_TEXT": Witness(
        {
            "api": _says(canaries.SECRET, "api"),
            "page": _says(canaries.SECRET, "regulation 350"),
            "sight": lambda look: look.sight["texts"][350] is not None,
            "proposal": _says(canaries.PROPOSED_IN_SECRET, "proposal 2"),
        },
        canary=f"{canaries.SECRET}|{canaries.PROPOSED_IN_SECRET}",
    ),
    "HAND_WORTH": Witness(
        {"desk": _says(figure(31_111), "desk")},
        {
            "api": lambda look: "Murphy" in look.api["reckoning"]["worths"],
            "page": _says("Worth</th>", "page"),
        },
        canary=figure(31_111),
    ),
    "RUNNING_COUNTS": Witness(
        {
            "api": lambda look: (
                (look.proposal(3).get("for"), look.proposal(3).get("against")) == (1, 0)
            ),
            "sight": lambda look: look.sight["counts"][3] == (1, 0),
        }
    ),
    "VOTE": Witness(
        {
            "api": lambda look: (
                look.proposal(3).get("mine") == "FOR"
                or look.proposal(3).get("votes", {}).get("Murphy") == "FOR"
            ),
        },
        {
            "sight": lambda look: (look.sight["votes"][3] or {}).get("Murphy") == "FOR",
            "page": _says("Who voted how", "proposal 3"),
            "api": lambda look: look.proposal(3)["votes"] == {"Murphy": "FOR"},
        },
        canary="Who voted how",
    ),
    "WHO_KNOWS_ELSE": Witness(
        {"api": lambda look: look.offer(CODES["offer"]).get("to") == ["Babe"]}
    ),
    "DECK_SUITS": Witness(
        {
            "page": _says(DECK, "page"),
            "sight": lambda look: look.sight["deck"] is not None,
        },
        {"sight": lambda look: look.sight["deck"] is not None},
        canary=DECK,
    ),
    "TABLED_DETAILS": Witness(
        {
            "desk": _says(REMEDIED, "desk"),
            "its hint": _says(canaries.HINTED, "desk"),
            "sight": lambda look: look.sight["sealed"] is not None,
        },
        {"opened": _says(REMEDIED, OPENED)},
        canary=rf"{REMEDIED}|{canaries.HINTED}",
    ),
}
