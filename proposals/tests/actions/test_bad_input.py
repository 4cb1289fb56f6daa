"""Whatever is sent to the proposals' actions: a sentence that says what is wrong, and no change."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.rows import rows_of
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, Take, seat

DAY = timedelta(days=1)
SUBMITTED: dict[str, tuple[dict[str, Any], str]] = {
    "no body": ({}, "Fill this in"),
    "an empty body": ({"body": " "}, "Fill this in"),
    "a megabyte": ({"body": "x" * 1_000_000}, "at most 200000 characters"),
    "a number for a body": ({"body": 3}, "must be a text"),
    "a body that is nothing": ({"body": None}, "must be a text"),
    "control characters": ({"body": "Spoons\x00 are nice."}, "cannot be kept"),
    "text that is turned round": ({"body": "Spoons \u202e are nice."}, "invisible"),
    "a thousand braces": ({"body": "{" * 1000 + "x" + "}" * 1000}, "deep"),
    "a long title": ({"body": "x", "title": "x" * 200}, "at most 120 characters"),
    "a title of two lines": ({"body": "x", "title": "one\ntwo"}, "one line"),
    "links that are no list": ({"body": "x", "conflicts": 1}, "must be a list"),
    "a link to what is none": ({"body": "x", "conflicts": ["spoons"]}, "names no proposal"),
    "a link to nothing": ({"body": "x", "conflicts": [[]]}, "names no proposal"),
    "a link to an object": ({"body": "x", "dependencies": [{"number": 1}]}, "names no proposal"),
    "a link to yes": ({"body": "x", "conflicts": [True]}, "names no proposal"),
    "a negative link": ({"body": "x", "conflicts": [-1]}, "names no proposal"),
    "a fraction of a link": ({"body": "x", "conflicts": [1.5]}, "names no proposal"),
    "a huge link": ({"body": "x", "conflicts": [10**30]}, "names no proposal"),
    "an unknown link": ({"body": "x", "conflicts": [99]}, "no proposal 99"),
    "another game's": ({"body": "x", "dependencies": ["p2"]}, "no proposal p2"),
    "too many links": ({"body": "x", "conflicts": list(range(1, 1002))}, "at most 1000"),
    "an index below its class": (
        {"body": "x", "class": "Democratic", "index": 1.5},
        "is 2.0 at least",
    ),
    "an index below one": ({"body": "x", "index": 0.9}, "is 1.0 at least"),
    "an index that is no number": ({"body": "x", "index": "NaN"}, "in tenths"),
    "an endless index": ({"body": "x", "index": "Infinity"}, "in tenths"),
    "a huge index": ({"body": "x", "index": 1e9}, "in tenths"),
    "a negative index": ({"body": "x", "index": -1}, "in tenths"),
    "a fine index": ({"body": "x", "index": 1.05}, "in tenths"),
    "an index that is true": ({"body": "x", "index": True}, "must be a number"),
    "an unknown class": ({"body": "x", "class": "Royal"}, "not a class"),
    "a stranger as co-author": ({"body": "x", "coauthors": ["Stranger"]}, "no player “Stranger”"),
    "oneself as co-author": ({"body": "x", "coauthors": ["Murphy"]}, "Leave your own name out"),
    "a number as co-author": ({"body": "x", "coauthors": [7]}, "players' names"),
    "what it does not know": ({"body": "x", "quorum": 1}, "no such input"),
}
VOTED: dict[str, tuple[dict[str, Any], str]] = {
    "no choice": ({"proposal": 1}, "Fill this in"),
    "no proposal": ({"choice": "FOR"}, "Fill this in"),
    "an unknown proposal": ({"proposal": 99, "choice": "FOR"}, "no proposal 99"),
    "what is no proposal": ({"proposal": "the first", "choice": "FOR"}, "names no proposal"),
    "a list of them": ({"proposal": [1], "choice": "FOR"}, "must be"),
    "a number for a word": ({"proposal": 1, "choice": 1}, "must be a text"),
    "B Nomic's word": ({"proposal": 1, "choice": "ABSTAIN"}, "FOR, AGAINST, PRESENT"),
    "BlogNomic's word": ({"proposal": 1, "choice": "VETO"}, "FOR, AGAINST, PRESENT"),
    "another word": ({"proposal": 1, "choice": "aye"}, "FOR, AGAINST, PRESENT"),
    "a long word": ({"proposal": 1, "choice": "FOR" * 90}, "at most 200 characters"),
    "an endorsement of nobody": ({"proposal": 1, "choice": "ENDORSE nobody"}, "is none"),
    "an endorsement of oneself": ({"proposal": 1, "choice": "ENDORSE Murphy"}, "no other player"),
    "an endorsement without a name": ({"proposal": 1, "choice": "ENDORSE"}, ""),
}
REVISED: dict[str, tuple[dict[str, Any], str]] = {
    "one that conflicts with itself": (
        {"proposal": 2, "body": "x", "remarks": ["x"], "conflicts": [2]},
        "conflicts with itself",
    ),
    "one that needs itself": (
        {"proposal": 2, "body": "x", "remarks": ["x"], "dependencies": ["p2"]},
        "depends on itself",
    ),
    "one that is Open": ({"proposal": 1, "body": "x", "remarks": ["x"]}, "only a Pending one"),
    "another's": ({"proposal": 3, "body": "x", "remarks": ["x"]}, "is Madrid's"),
    "an unknown one": ({"proposal": 9, "body": "x", "remarks": ["x"]}, "no proposal 9"),
    "one to a thousand braces": ({"proposal": 2, "body": "{" * 1000 + "}" * 1000}, "deep"),
}


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


@pytest.fixture
def told(game: Game, player: Player, rival: Player, act: Take) -> Game:
    """A game with one Open proposal, and another game with more of them."""
    other = new_game("another", "agora-proposals", pace="manual", start=WEDNESDAY)[0]
    stranger = seat(other, "Stranger")
    for _ in range(5):
        take("another", stranger, "proposals.submit", {"body": "Strange."})
    act(player, "proposals.submit", body="Spoons are nice.")
    return game


@pytest.fixture
def pending(told: Game, player: Player, rival: Player, officer: Player, act: Take) -> Game:
    """Also a Pending proposal of the player's, and one of the rival's."""
    act(None, "proposals.keep_by_hand", keeper="the officer", duty="distribution")
    act(player, "proposals.submit", body="Forks are nice.")
    act(rival, "proposals.submit", body="Knives are nice.")
    return told


def send(player: Player, name: str, inputs: dict[str, Any]) -> tuple[int, str]:
    """The status and all sentences of the API's answer."""
    assert player.user is not None
    response = Client().post(
        f"/api/v1/games/table/actions/{name}",
        json.dumps(inputs),
        content_type="application/json",
        headers={"Authorization": f"Bearer {make_token(player.user, 'a program')[1]}"},
    )
    found = json.loads(response.content)
    if response.status_code == 422:
        return 422, " ".join(each["msg"] for each in found["detail"])
    return response.status_code, str(found.get("sentence", found.get("detail", found)))


def state(game: Game) -> Any:
    now = Game.objects.get(pk=game.pk)
    return now.last_entry, now.record_head, now.sealed_count, rows_of("proposals", now)


def check_all(
    game: Game,
    player: Player,
    name: str,
    cases: dict[str, tuple[dict[str, Any], str]],
    subtests: pytest.Subtests,
) -> None:
    """Each is refused through the API with its words, and in `take` as well; nothing changes."""
    before = state(game)
    for what, (inputs, words) in cases.items():
        with subtests.test(what):
            status, said = send(player, name, inputs)
            assert status in (409, 422), (status, said)
            assert said
            assert any(each in said for each in words.split("|")), said
            with pytest.raises((Refused, Malformed)):
                take("table", player, name, inputs, typed=True)
            assert state(game) == before


@pytest.mark.thorough
def test_what_is_no_proposal_is_refused_with_a_sentence(
    told: Game, player: Player, subtests: pytest.Subtests
) -> None:
    check_all(told, player, "proposals.submit", SUBMITTED, subtests)


def test_what_is_no_vote_is_refused_with_a_sentence(
    told: Game, player: Player, subtests: pytest.Subtests
) -> None:
    check_all(told, player, "proposals.vote", VOTED, subtests)


def test_what_is_no_revision_is_refused_with_a_sentence(
    pending: Game, player: Player, subtests: pytest.Subtests
) -> None:
    check_all(pending, player, "proposals.revise", REVISED, subtests)


@pytest.mark.thorough
def test_after_the_close_nobody_votes_revises_or_withdraws(
    told: Game, player: Player, subtests: pytest.Subtests
) -> None:
    advance(told.slug, WEDNESDAY + 7 * DAY)
    over = {"proposal": 1, "choice": "FOR"}
    check_all(told, player, "proposals.vote", {"a vote": (over, "is over")}, subtests)
    late = {"a revision": ({"proposal": 1, "body": "x", "remarks": ["x"]}, "Historical")}
    check_all(told, player, "proposals.revise", late, subtests)
    check_all(
        told, player, "proposals.withdraw", {"late": ({"proposal": 1}, "Historical")}, subtests
    )


def test_hostile_text_is_kept_as_it_is_and_shown_harmless(
    told: Game, player: Player, act: Take
) -> None:
    hostile = "<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>"
    act(player, "proposals.submit", title="<b>Bold</b>", body=hostile)
    act(player, "proposals.comment", proposal=2, text=hostile)
    for address in ("", "2/", "2/what-if/", "2/changes/", "2/revise/"):
        page = Client().get(f"/g/table/proposals/{address}")
        for words in ("<script>alert", "<img src=x", 'href="javascript:', "<b>Bold"):
            assert words not in page.text, address
