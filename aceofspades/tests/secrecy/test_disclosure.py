"""Every matter of the contest, every eye, before and after: who is told, where they really look.

What is expected stands here by the regulations' own words, and not in the table that is tried.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from aceofspades.models import Proposal
from aceofspades.rules.marks import Answer, Question
from aceofspades.secrecy import matrix as disclosure
from aceofspades.secrecy.matrix import MATRIX, Designation, Matter
from aceofspades.secrecy.view import View
from aceofspades.tests import canaries
from aceofspades.tests.canaries import SEATS, number, of_suit
from aceofspades.tests.reckoned import reckon
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.testing import user_of
from nomic.web.tokens import make_token

pytestmark = pytest.mark.django_db

VIEWERS = ("nobody", "outsider", *SEATS, "operator")
PHASES = ("open", "decided", "reckoned")
NAMES = {id(value): name for name, value in vars(disclosure).items() if isinstance(value, Matter)}

# Who is told before the Moment of Reckoning, by the regulations' words; after it all are (120).
ALL = frozenset(VIEWERS)
TOLD: dict[str, frozenset[str]] = {
    # 104: undesignated is Public; 106: existence and number; 225: these classes are Public.
    "DECK_COUNT": ALL,
    "HAND_COUNT": ALL,
    "CARDS_DEALT": ALL,
    "TRANSFERS": ALL,
    "WHO_KNOWS": ALL,
    "ALLIANCE_WORTH": ALL,
    "ALLIANCE_SIZE": ALL,
    "REGULATION_NUMBER": ALL,
    "PUBLIC_TEXT": ALL,
    # 225: “when a Proposal is no longer Up for Vote”; until then its keeper alone has them (235).
    "VOTE_COUNTS": frozenset({"contestmaster"}),
    # 104, 106, 240: those with need to know, full or limited, and whoever reveals it to them.
    "PRIVATE_TEXT": frozenset({"full", "limited", "contestmaster"}),
    # 107: “initially only the proposer”.
    "PRIVATE_PROPOSAL": frozenset({"own", "contestmaster"}),
    # 230: the contestant only; parties only; members only.
    "HAND_SUITS": frozenset({"own", "contestmaster"}),
    "TRANSFERRED_SUITS": frozenset({"own", "party", "contestmaster"}),
    "ALLIANCE_MEMBERS": frozenset({"own", "ally", "contestmaster"}),
    "PACT": frozenset({"own", "ally", "party", "contestmaster"}),
    # 125: “identified Contestants”; “without revealing eir identity”; “anonymously or not”.
    "OFFER": frozenset({"own", "party", "contestmaster"}),
    "OFFERER": frozenset({"own", "contestmaster"}),
    "ACCEPTOR": frozenset({"own", "contestmaster"}),
    # 104: revealed to those with need to know “and to no others”.
    "NOTICE": frozenset({"party", "contestmaster"}),
    # 104: not revealed “to any Player”; 235: worths, running counts, votes, who else knows what.
    "SECRET_TEXT": frozenset({"contestmaster"}),
    "HAND_WORTH": frozenset({"contestmaster"}),
    "RUNNING_COUNTS": frozenset({"contestmaster"}),
    "VOTE": frozenset({"own", "contestmaster"}),
    "WHO_KNOWS_ELSE": frozenset({"own", "party", "contestmaster"}),
    "DECK_SUITS": frozenset({"contestmaster"}),
    "TABLED_DETAILS": frozenset({"contestmaster"}),
}
ONCE_DECIDED = {"VOTE_COUNTS": ALL}


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


# Where it is told


CODES: dict[str, str] = {}  # filled by the stage: chance has drawn them
OPENED = "record/opened"


def _opened(pattern: str) -> dict[str, Seen]:
    return {"opened": _says(pattern, OPENED), "proof": _says(pattern, "proof")}


def _moved(look: Look) -> bool:
    found = [each for each in look.api["transfers"] if each["kind"] == "transferred"]
    return found[0]["cards"] == canaries.MOVED and "at" in found[0]


def _members(look: Look) -> bool:
    return look.api["alliances"][0].get("members") == ["Murphy", "Alexia"]


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
            "page": _says("Murphy, Alexia</td>", "page"),
            "sight": lambda look: look.sight["alliances"] == [["Murphy", "Alexia"]],
        },
        canary="Murphy, Alexia</td>|Murphy and Alexia|Alliance of Murphy",
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
        {"desk": _says(number(31_111), "desk")},
        {
            "api": lambda look: "Murphy" in look.api["reckoning"]["worths"],
            "page": _says("Worth</th>", "page"),
        },
        canary=number(31_111),
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


# The stage, set and looked at once


WORTH = {"Murphy": 31_111.0, "Alexia": 42_222.0}


def _counted(question: Question) -> Answer:
    """Worths that nobody can mistake; a hand by itself is worth something else."""
    alone = len(question.hands) == 1
    worths = {name: 5.0 if alone else WORTH.get(name, 9.0) for name in question.hands}
    return Answer(worths, {})


@pytest.fixture(scope="module")
def looked(django_db_setup: None, django_db_blocker: Any) -> dict[str, dict[str, Look]]:
    """What every viewer is told at each of the three times. Nothing of it stays in the database."""
    found = {}
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        patch.setattr("aceofspades.secrecy.worths.ask", _counted)
        undone = transaction.atomic()
        undone._from_testcase = True  # as a TestCase does it: acts are durable in it
        with undone:
            game = canaries.a_contest()
            canaries.deal(game)
            CODES.update(canaries.plant(game))
            users = _users(game)
            found["open"] = {who: _look(game, user) for who, user in users.items()}
            canaries.decide(game)
            found["decided"] = {who: _look(game, user) for who, user in users.items()}
            reckon(game)
            found["reckoned"] = {who: _look(game, user) for who, user in users.items()}
            transaction.set_rollback(True)
    for looks in found.values():
        looks["own"].texts["receipt"] = CODES["receipt"]
    return found


def _users(game: Game) -> dict[str, User | None]:
    seats = {who: game.players.get(name=name).user for who, name in SEATS.items()}
    operator = User.objects.create_superuser("operator")
    return {"nobody": None, "outsider": user_of("juan"), **seats, "operator": operator}


def _look(game: Game, user: User | None) -> Look:
    game.refresh_from_db()
    browser = Client()
    headers = {}
    if user is not None:
        browser.force_login(user)
        headers = {"Authorization": f"Bearer {make_token(user, 'a program')[1]}"}

    def read(part: str) -> str:
        found = Client().get(f"/api/v1/games/{game.slug}/{part}", headers=headers)
        assert found.status_code == 200, (part, found.content)
        return found.content.decode()

    texts = {"api": read("aceofspades")}
    texts |= {part: read(part) for part in ("record?limit=500", "rules", "balances")}
    texts[OPENED] = read(f"{OPENED}?limit=500")
    for name, address in _pages(game):
        texts[name] = canaries.without_tokens(browser.get(address).content.decode())
    viewer = game.players.select_related("holder").filter(user=user).first() if user else None
    return Look(texts, json.loads(texts["api"]), _sight(game, viewer))


def _pages(game: Game) -> Iterator[tuple[str, str]]:
    yield "home", reverse("game", args=[game.slug])
    yield "page", reverse("aceofspades", args=[game.slug])
    yield "private", reverse("aceofspades_private", args=[game.slug])
    yield "proof", reverse("aceofspades_proof", args=[game.slug])
    yield "desk", f"/office/g/{game.slug}/"
    for place in (340, 350, 205):
        yield f"regulation {place}", reverse("aceofspades_regulation", args=[game.slug, place])
    for place in (1, 2, 3):
        yield f"proposal {place}", reverse("aceofspades_proposal", args=[game.slug, place])


def _sight(game: Game, viewer: Player | None) -> dict[str, Any]:
    view = View(glance(game), viewer)
    state = view.state
    proposals = {each.number: each for each in Proposal.objects.filter(contest=state.contest)}
    return {
        "hands": view.hands,
        "deck": view.deck_suits,
        "texts": {each.number: view.text(each) for each in state.regulations},
        "proposed": {place: view.proposal_text(each) for place, each in proposals.items()},
        "counts": {place: view.counts(each) for place, each in proposals.items()},
        "votes": {place: view.every_vote.get(place) for place in proposals},
        "alliances": [each.members for each in view.alliances if each.members],
        "pacts": [each.code for each in view.pacts],
        "notices": [each.text for each in (*view.own_notices(20), *view.every_notice())],
        "sealed": list(view.sealed_acts()) or None,
    }


# The table, cell by cell


def is_told(name: str, who: str, when: str) -> bool:
    """Whether the regulations let them be told then."""
    if when == "reckoned":
        return True
    if when == "decided" and name in ONCE_DECIDED:
        return who in ONCE_DECIDED[name]
    return who in TOLD[name]


def test_every_matter_that_there_is_stands_in_the_table_and_in_these_tests():
    matters = [value for value in vars(disclosure).values() if isinstance(value, Matter)]
    assert list(MATRIX) == matters
    assert set(NAMES.values()) == set(TOLD) == set(WITNESSES)


@pytest.mark.parametrize("matter", MATRIX, ids=lambda matter: NAMES[id(matter)].lower())
@pytest.mark.parametrize("when", PHASES)
@pytest.mark.parametrize("who", VIEWERS)
def test_who_is_told_is_who_the_regulations_name(
    who: str, when: str, matter: Matter, looked: dict[str, dict[str, Look]]
):
    name = NAMES[id(matter)]
    witness, look = WITNESSES[name], looked[when][who]
    told = is_told(name, who, when)
    places = witness.after if when == "reckoned" and witness.after else witness.before
    assert {place: seen(look) for place, seen in places.items()} == dict.fromkeys(places, told)
    if not told and witness.canary:
        places_told = [place for place in look.texts if look.says(witness.canary, place)]
        assert places_told == []


@pytest.mark.parametrize("matter", MATRIX, ids=lambda matter: NAMES[id(matter)].lower())
def test_a_matter_is_designated_as_the_regulations_say(matter: Matter):
    """225, 106 and 104 list what is Public, 230 what is Private, 235 what is Secret."""
    name = NAMES[id(matter)]
    public = {name for name in TOLD if TOLD[name] == ALL} | {"VOTE_COUNTS"}
    secret = {
        *("SECRET_TEXT", "HAND_WORTH", "RUNNING_COUNTS", "VOTE", "WHO_KNOWS_ELSE"),
        *("DECK_SUITS", "TABLED_DETAILS"),
    }
    expected = Designation.PUBLIC if name in public else Designation.PRIVATE
    assert matter.designation == (Designation.SECRET if name in secret else expected)
