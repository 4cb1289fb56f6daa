"""Every matter of the contest, every eye, before and after: who is told, where they really look.

What is expected stands here by the regulations' own words, and not in the table that is tried.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
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
from aceofspades.tests.canaries import SEATS
from aceofspades.tests.reckoned import reckon
from aceofspades.tests.secrecy.witnesses import CODES, OPENED, WITNESSES, Look
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.web.tests.watchers import without_tokens
from nomic.web.tokens import make_token
from tests.kit import user_of

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


# The stage, set and looked at once


WORTH = {"Murphy": 31_111.0, "Anna": 42_222.0}


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
        patch.setattr("aceofspades.secrecy.scoring.ask", _counted)
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
        texts[name] = without_tokens(browser.get(address).content.decode())
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


@pytest.mark.thorough
def test_who_is_told_is_who_the_regulations_name(looked: dict[str, dict[str, Look]]):
    wrong = {
        (when, who, name): found
        for when in PHASES
        for who in VIEWERS
        for name in NAMES.values()
        if (found := _is_wrong(name, who, when, looked[when][who]))
    }
    assert wrong == {}


def _is_wrong(name: str, who: str, when: str, look: Look) -> list[str]:
    """Where that viewer is told what they should not be, or not told what they should be."""
    witness = WITNESSES[name]
    told = is_told(name, who, when)
    places = witness.after if when == "reckoned" and witness.after else witness.before
    wrong = [place for place, seen in places.items() if seen(look) is not told]
    if not told and witness.canary:
        wrong += [place for place in look.texts if look.says(witness.canary, place)]
    return wrong


def test_a_matter_is_designated_as_the_regulations_say():
    """225, 106 and 104 list what is Public, 230 what is Private, 235 what is Secret."""
    public = {name for name in TOLD if TOLD[name] == ALL} | {"VOTE_COUNTS"}
    secret = {
        *("SECRET_TEXT", "HAND_WORTH", "RUNNING_COUNTS", "VOTE", "WHO_KNOWS_ELSE"),
        *("DECK_SUITS", "TABLED_DETAILS"),
    }
    expected = {
        **dict.fromkeys(NAMES.values(), Designation.PRIVATE),
        **dict.fromkeys(public, Designation.PUBLIC),
        **dict.fromkeys(secret, Designation.SECRET),
    }
    assert {NAMES[id(matter)]: matter.designation for matter in MATRIX} == expected
