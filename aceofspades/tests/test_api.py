"""The contest as programs read it and act in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from aceofspades.state.reading import state_of
from aceofspades.tests import canaries
from aceofspades.tests.asking import everything
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon
from aceofspades.tests.stage import crowd, days, enact, give_cards, join
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.tests.shares import share_of
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, Take, Visitor, seat

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uncounted")]

CONTEST = {
    *("contestants", "deck_count", "hand_counts", "cards_dealt", "transfers", "regulations"),
    *("proposals", "alliances", "offers", "tabled", "mine", "reckoning"),
}
ACTS = {
    *("join", "leave", "propose", "put_up_for_vote", "vote", "announce", "transfer", "offer"),
    *("accept_offer", "withdraw_offer", "ally", "leave_alliance", "reveal_regulation", "grant_ntk"),
    *("request_judgement", "judge", "table_remedy", "object", "support", "hint"),
    *("publish_regulation", "agree_pact", "decline_pact", "write_secret_regulation"),
    *("withdraw_act", "keep_by_hand"),
}


@pytest.fixture
def dealt() -> Game:
    game = canaries.a_contest()
    canaries.deal(game)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def planted(dealt: Game) -> dict[str, str]:
    """The codes, after all happened that is private."""
    return canaries.plant(dealt)


def key_of(game: Game, name: str) -> str:
    user = game.players.select_related("user").get(name=name).user
    assert user is not None
    return make_token(user, "a program")[1]


def read(path: str = "/aceofspades", key: str = "", game: str = "table") -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    response = Client().get(f"/api/v1/games/{game}{path}", headers=headers)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def test_the_contest_is_told_with_exactly_these_fields(dealt: Game, planted: dict[str, str]):
    told = read()
    assert set(told) == CONTEST
    assert told["contestants"] == list(canaries.CONTESTANTS)
    assert list(told["hand_counts"]) == list(told["cards_dealt"]) == told["contestants"]
    assert (told["mine"], told["offers"]) == (None, [])
    assert told["reckoning"].keys() == {"due", "done"}
    assert told["alliances"] == [{"number": 1, "size": 2, "total_worth": None}]
    assert {frozenset(each) for each in told["transfers"] if each["kind"] == "exchanged"} == {
        frozenset({"entry", "at", "kind", "cards", "from"}),
        frozenset({"entry", "at", "kind", "cards", "to"}),
    }
    mine = read(key=key_of(dealt, "Murphy"))
    assert set(mine["mine"]) == {"hand", "known_worth"}
    assert list(mine["mine"]["hand"]) == ["Mauve", "Red", "Black", "Green", "Hearts"]
    assert {each["code"] for each in mine["offers"]} == {
        planted[name] for name in ("offer", "unnamed", "accepted")
    }
    assert {frozenset(each) for each in mine["offers"]} == {
        frozenset({"code", "gives", "takes", "to", "at", "status", "by", *more})
        for more in ((), ("accepted_by",))
    }


def test_what_is_not_for_the_caller_is_absent_and_not_blanked(dealt: Game, planted: dict[str, str]):
    book = {each["number"]: each for each in read()["regulations"]}
    assert list(book) == sorted(book)
    assert set(book[101]) == {"number", "class", "visibility", "text"}
    assert book[350] == {"number": 350, "class": "mutable", "visibility": "secret"}
    assert book[340] == {
        "number": 340,
        "class": "mutable",
        "visibility": "private",
        "known_by": {"Fran": "full", "Lim": "limited"},
    }
    hidden = read()["proposals"][0]
    assert set(hidden) == {"number", "regulation", "visibility", "by", "status", "decided_from"}
    own = read(key=key_of(dealt, "Murphy"))["proposals"][0]
    assert set(own) == {*hidden, "text", "mine", "warnings"}
    master = read(key=key_of(dealt, "snail"))["proposals"][0]
    assert set(master) == {*hidden, "text", "for", "against", "votes", "warnings"}
    assert master["votes"] == {"Murphy": "FOR", "Babe": "AGAINST"}


def test_all_hands_and_the_deck_are_told_as_the_page_shows_them_and_not_sooner(
    contest: Game, three: Three, master: Player, visit: Visitor
):
    give_cards(contest, three[0], Red=3)
    assert not {"hands", "deck"} & (read(key=key_of(contest, "Murphy")).keys() | read().keys())
    before = read(key=key_of(contest, "snail"))
    assert before["hands"]["Murphy"]["Red"] == 3
    reckon(contest)
    told, page = read(), visit().get("/g/table/aceofspades/").content.decode()
    assert list(told["hands"]) == told["contestants"]
    assert told["hands"]["Murphy"]["Red"] == 3
    assert '<th scope="col">Hand</th>' in page
    hands = {name: sum(hand.values()) for name, hand in told["hands"].items()}
    assert hands == told["hand_counts"]
    assert sum(told["deck"].values()) == told["deck_count"]


def test_a_hint_is_told_with_its_regulation(contest: Game, master: Player, act: Take):
    enact(contest, 700, "Hearts are worth more.", "secret")
    act(master, "aceofspades.hint", regulation=700, hint="It likes Hearts.")
    days(contest, 4)
    book = {regulation["number"]: regulation for regulation in read()["regulations"]}
    assert book[700]["hints"] == ["It likes Hearts."]
    assert "text" not in book[700]


def test_a_game_without_a_contest_has_none(db: None):
    new_game("races", "agora-races", pace="manual", start=WEDNESDAY)
    response = Client().get("/api/v1/games/races/aceofspades")
    assert response.status_code == 404
    assert "“The Ace of Spades” is not played in this game." in response.text


def test_every_action_tells_its_shape_and_whether_it_is_legal(dealt: Game, planted: dict[str, str]):
    found: dict[str, Any] = {}
    for name in ("Murphy", "snail"):
        told = read("/actions", key_of(dealt, name))
        found |= {each["name"].partition(".")[2]: each for each in told if "aceof" in each["name"]}
    assert found.keys() == ACTS
    for each in found.values():
        assert each["schema"]["type"] == "object"
        assert each["refusal"] is None or set(each["refusal"]) == {"code", "sentence", "rule"}
        assert each["allowed"] is (each["refusal"] is None)
    mine = {each["name"]: each for each in read("/actions", key_of(dealt, "Babe"))}
    offers = mine["aceofspades.accept_offer"]["schema"]["properties"]["offer"]["examples"]
    assert set(offers) == {planted["offer"], planted["unnamed"]}
    rival = {each["name"]: each for each in read("/actions", key_of(dealt, "Madrid"))}
    assert "examples" not in rival["aceofspades.accept_offer"]["schema"]["properties"]["offer"]


@pytest.mark.thorough
def test_a_program_proposes_votes_gives_and_allies(dealt: Game):
    acts: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("Murphy", "propose", {"number": 500, "text": "A.", "visibility": "private"}),
        ("Murphy", "vote", {"proposal": 1, "vote": "FOR"}),
        ("Murphy", "transfer", {"to": "The Deck", "cards": {"Green": 2}}),
        ("Murphy", "offer", {"to": ["Babe"], "gives": {"Green": 1}, "takes": {"Black": 1}}),
        ("Murphy", "ally", {"others": ["Anna"]}),
        ("Fran", "reveal_regulation", {"regulation": 350}),
        ("Fran", "grant_ntk", {"regulation": 350, "to": "Lim", "kind": "limited"}),
        ("Madrid", "request_judgement", {"text": "Is it so?"}),
        ("snail", "judge", {"request": 1, "judgement": "Yes."}),
        ("snail", "hint", {"regulation": 340, "hint": "It sings."}),
        ("Lim", "object", {"act": 1}),
        ("Lim", "leave", {}),
    )
    for name, action, inputs in acts:
        status, said = canaries.post(dealt, name, action, **inputs)
        assert status == 201, (action, said)
        entry = json.loads(said)
        assert (entry["name"], entry["actor"]) == (f"aceofspades.{action}", name)
        assert (entry["seq"] is None) == (action in ("vote", "offer", "ally"))


WRONG: tuple[Any, ...] = (
    *(None, True, [], {}, "", "x" * 20_000, -1, 0, 10**30, 1.5, "\0", "Ω☃𝄞", ["Murphy"]),
    *({"Red": -1}, {"Red": 10**30}, {"Red": True}, {"": 1}, {"Gold": 1}, [[1]], "BCDF", 999),
)
GOOD: dict[str, dict[str, Any]] = {
    "propose": {"number": 500, "text": "A.", "visibility": "public"},
    "vote": {"proposal": 1, "vote": "FOR"},
    "transfer": {"to": "Babe", "cards": {"Green": 1}},
    "offer": {"to": ["Babe"], "gives": {"Green": 1}, "takes": {"Black": 1}},
    "accept_offer": {"offer": "BCDF", "anonymous": False},
    "withdraw_offer": {"offer": "BCDF"},
    "ally": {"others": ["Babe"]},
    "agree_pact": {"pact": "BCDF"},
    "decline_pact": {"pact": "BCDF"},
    "leave_alliance": {"alliance": 1},
    "reveal_regulation": {"regulation": 350},
    "grant_ntk": {"regulation": 350, "to": "Babe", "kind": "full"},
    "object": {"act": 1},
    "support": {"act": 1},
    "put_up_for_vote": {"proposal": 1},
    "announce": {"proposal": 1},
    "keep_by_hand": {"keeper": "the officer", "duty": "announcing"},
    "judge": {"request": 1, "judgement": "Yes."},
    "table_remedy": {"request": 1, "kind": "destroy", "giver": "Babe", "cards": {"Red": 1}},
    "hint": {"regulation": 350, "hint": "It sings."},
    "publish_regulation": {"regulation": 350},
    "withdraw_act": {"act": 1},
    "write_secret_regulation": {"regulation": 350, "text": "A."},
}
WORDS = {("propose", "text"), ("judge", "judgement"), ("hint", "hint"), ("offer", "anonymous")}
BY_MASTER = {
    *("put_up_for_vote", "announce", "judge", "table_remedy", "hint", "publish_regulation"),
    *("write_secret_regulation", "withdraw_act", "keep_by_hand"),
}


def may_be(action: str, field: str, value: object) -> bool:
    """Whether that is as good as what the field asks for: a text is any text."""
    is_text = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return (action, field) in WORDS and is_text and str(value).strip("\0 ") != ""


@pytest.mark.thorough
@pytest.mark.parametrize("share", share_of(4))
@pytest.mark.parametrize("action", GOOD)
def test_what_is_malformed_is_told_in_a_sentence_and_changes_nothing(
    action: str, share: int, dealt: Game
):
    """Each field is sent a quarter of what is wrong, beginning with another; or all of it."""
    who = "snail" if action in BY_MASTER else "Murphy"
    key = key_of(dealt, who)
    headers = {"Authorization": f"Bearer {key}"}
    before = everything(dealt)
    first = list(GOOD).index(action)
    tries: list[Any] = [
        {**GOOD[action], name: value}
        for place, name in enumerate(GOOD[action], first)
        for value in WRONG[place % share :: share]
        if not may_be(action, name, value)
    ]
    for name in GOOD[action]:
        if name != "anonymous":
            tries.append({field: value for field, value in GOOD[action].items() if field != name})
    tries += [{**GOOD[action], "more": 1}, [], None, "words", 5]
    address = f"/api/v1/games/table/actions/aceofspades.{action}"
    for inputs in tries:
        answer = Client().post(
            address, json.dumps(inputs), content_type="application/json", headers=headers
        )
        if answer.status_code == 201 and _is_as_good(action, inputs):
            continue
        assert answer.status_code in (400, 409, 422), (inputs, answer.content)
        found = json.loads(answer.content)
        assert found.get("sentence") or found.get("detail"), (inputs, found)
    if action not in ("propose", "transfer", "offer", "ally"):
        assert everything(dealt) == before


def _is_as_good(action: str, inputs: Any) -> bool:
    """A name written alone is a list of it, and a number written in words is a number."""
    return action in ("propose", "transfer", "offer", "ally") and isinstance(inputs, dict)


@pytest.mark.thorough
def test_other_games_things_are_unknown_here(dealt: Game, planted: dict[str, str]):
    here = canaries.a_contest("here")
    join(here, here.players.get(name="Babe"))
    before = everything(here), everything(dealt)
    for name, inputs in (
        ("accept_offer", {"offer": planted["offer"]}),
        ("agree_pact", {"pact": planted["pact"]}),
        ("vote", {"proposal": 1, "vote": "FOR"}),
        ("leave_alliance", {"alliance": 1}),
        ("object", {"act": 1}),
    ):
        status, said = canaries.post(here, "Babe", name, **inputs)
        assert status == 409, said
    assert (everything(here), everything(dealt)) == before


def test_nobody_acts_without_a_token_or_a_seat(dealt: Game):
    before = everything(dealt)
    assert canaries.post(dealt, None, "join")[0] == 401
    assert canaries.post(dealt, "Murphy", "join")[0] == 409
    assert everything(dealt) == before


@pytest.mark.thorough
@pytest.mark.parametrize("others", [3, 300])
def test_reading_costs_as_little_with_many_as_with_few(
    others: int, dealt: Game, django_assert_max_num_queries: DjangoAssertNumQueries
):
    canaries.plant(dealt)
    if others > len(canaries.CONTESTANTS):
        crowd(dealt, others - len(canaries.CONTESTANTS))
        assert len(state_of(glance(Game.objects.get(pk=dealt.pk))).contestants) == others
    seat(dealt, "Kelly")
    for name in ("", "Murphy", "snail", "Kelly"):
        key = key_of(dealt, name) if name else ""
        for path, most in (("/aceofspades", 19), ("", 9), ("/record?limit=5", 9)):
            read(path, key)
            with django_assert_max_num_queries(most):
                read(path, key)


@pytest.mark.thorough
def test_the_openapi_document_has_the_contest(db: None):
    paths = json.loads(Client().get("/api/openapi.json").content)["paths"]
    found = paths["/api/v1/games/{slug}/aceofspades"]["get"]
    assert found["summary"] == "The Ace of Spades"
    assert "where the caller may have it" in found["description"]
