"""Proposals as programs read them: the shapes, what they cost, and what each edition asks for."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from nomic.record.models import EntryKind
from nomic.web.tokens import make_token
from proposals.api import executors_of
from proposals.models import Proposal
from proposals.tests.crowd import seat_many, vote_many
from tests.kit import WEDNESDAY, Take, seat

NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
LINE = {
    *("number", "id", "title", "author", "status", "success", "passed", "strength", "stamina"),
    *("for", "against", "conflicts", "dependencies", "reasons", "outcome"),
    *("closes_at", "closes_wall"),
}
WHOLE = LINE | {"body", "remarks", "versions", "changes", "preview", "votes"}
BODY = (
    "Give Murphy 3 points.\n\nEnact a new rule titled “Silver Spoons” and the following text:"
    " { Spoons are silver. }\n\nReplace the text of the rule “Nowhere” with: { Nothing. }\n\n"
    "Take 99 points from Madrid.\n\nSpoons are nice."
)
MOST = 15


@pytest.fixture
def preset() -> str:
    return "b-nomic-5e33"


@pytest.fixture
def told(game: Game, player: Player, rival: Player, act: Take) -> Game:
    """A game with an Open proposal that asks for changes, and a Pending one without a number."""
    act(player, "proposals.submit", title="Spoons", body=BODY, remarks=["Spoons are nice."])
    act(rival, "proposals.submit", body="Forks.", conflicts=[1], dependencies=["p1"])
    advance(game.slug, NDAY_9)
    act(rival, "games.take_office", office=game.offices.get().name)
    act(rival, "proposals.keep_by_hand", keeper="the officer", duty="numbers")
    act(rival, "proposals.submit", body="Knives.")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    act(rival, "proposals.vote", proposal=2, choice="AGAINST")
    return game


def read(path: str, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = Client().get(f"/api/v1/games/table{path}", headers=headers)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def test_every_proposal_is_listed_with_exactly_these_fields(told: Game) -> None:
    listed = read("/proposals")
    assert [set(each) for each in listed] == [LINE] * 3
    assert listed[0] == {
        "number": 1,
        "id": "p1",
        "title": "Spoons",
        "author": "Murphy",
        "status": "Open",
        "closes_at": "2026-03-16T12:00:00.000000Z",
        "closes_wall": None,
        "outcome": None,
        "success": "Undecided",
        "passed": None,
        "strength": 1,
        "stamina": 1,
        "for": 1,
        "against": 0,
        "conflicts": [],
        "dependencies": [],
        "reasons": [],
    }
    assert (listed[1]["conflicts"], listed[1]["dependencies"]) == ([1], [1])
    assert (listed[2]["number"], listed[2]["id"], listed[2]["status"]) == (None, "p3", "Pending")
    assert (listed[2]["strength"], listed[2]["for"]) == (None, None)


def test_when_the_vote_on_each_closes_is_told_of_open_ones(told: Game) -> None:
    ours = {line["title"]: line for line in proposals_of(told)}
    spoons = ours.pop("Spoons")
    together = told.appointments.get(kind="proposals.voting_closes", status="waiting").due
    assert (spoons["closes_at"], spoons["closes_wall"]) == (iso(together), None)
    assert {(line["closes_at"], line["closes_wall"]) for line in ours.values()} == {(None, None)}
    whole = Client().get(f"/api/v1/games/{told.slug}/proposals/p1").json()
    assert whole["closes_at"] == spoons["closes_at"]


def test_a_vote_of_its_own_closes_at_a_moment_for_everybody(db: None) -> None:
    with time_machine.travel(WEDNESDAY, tick=False):
        game = new_game("real", "agora", pace="fast", start=WEDNESDAY)[0]
        take(game.slug, seat(game, "Murphy"), "proposals.submit", {"title": "A", "body": "Oats."})
        [line] = proposals_of(game)
    proposal = Proposal.objects.get()
    assert proposal.closes_at is not None
    wall = game.clock.wall(proposal.closes_at)
    assert wall is not None
    assert (line["closes_at"], line["closes_wall"]) == (iso(proposal.closes_at), iso(wall))


def proposals_of(game: Game) -> list[dict[str, Any]]:
    return list(Client().get(f"/api/v1/games/{game.slug}/proposals").json())


def test_one_proposal_is_told_by_number_and_by_id_with_its_changes_and_votes(told: Game) -> None:
    whole = read("/proposals/1")
    assert set(whole) == WHOLE
    assert read("/proposals/p1") == whole
    assert whole["votes"] == {"Murphy": "FOR"}
    assert [set(each) for each in whole["versions"]] == [{"number", "title", "entry"}]
    assert [set(each) for each in whole["changes"]] == [
        {"verb", "target", "parsed", "sentence"}
    ] * 4
    assert [each["parsed"] for each in whole["changes"]] == [True] * 4
    assert whole["remarks"] == ["Spoons are nice."]
    for wrong in ("4", "p9", "nonsense", "0", "-1", "9" * 400, "p", "%00", "💥"):
        assert Client().get(f"/api/v1/games/table/proposals/{wrong}").status_code == 404


def test_the_preview_says_of_each_change_what_it_would_do(told: Game) -> None:
    preview = read("/proposals/1")["preview"]
    assert [each["done"] for each in preview["changes"]] == [True, True, False, False]
    assert preview["changes"][0]["shifts"] == [
        {"holder": "Murphy", "asset": "points", "before": 0, "after": 3}
    ]
    assert preview["changes"][1]["rule"] == "Silver Spoons"
    assert "Nowhere" in preview["changes"][2]["sentence"]
    by = ["program", "program", "officer", "officer", "remark"]
    assert [each["by"] for each in preview["executors"]] == by
    assert preview["executors"][-1]["sentence"] == "Spoons are nice."
    assert preview["unreadable"] == preview["busy"] == ""


def test_after_the_close_the_preview_says_what_was_done(told: Game) -> None:
    advance(told.slug, THE_END)
    whole = read("/proposals/1")
    assert (whole["status"], whole["success"], whole["passed"]) == ("Historical", "Won", True)
    assert [each["done"] for each in whole["preview"]["changes"]] == [True, True, False, False]
    assert whole["reasons"]
    entry = told.entries.get(name="proposals.voting_closes")
    assert whole["preview"]["executors"] == entry.outcome["results"][0]["executors"]
    assert len(whole["preview"]["executors"]) == 5
    lost = read("/proposals/2")
    assert (lost["passed"], lost["preview"]["changes"]) == (False, [])


def test_what_else_happens_as_a_vote_ends_has_nothing_to_do_with_it(told: Game) -> None:
    advance(told.slug, THE_END)
    with locked_game(pk=told.pk) as game:
        assert game
        table = Table(game, THE_END, wall_now(), locked=True)
        rolled = Outcome("It rains.", {"results": [3, 4]})
        table.write(EntryKind.EVENT, "settlers.production", None, {}, rolled)
    of_an_earlier_version = Proposal.objects.get(passed=True)
    of_an_earlier_version.number = 77  # whose executors no entry tells
    assert {each["by"] for each in executors_of(of_an_earlier_version)} == {"officer"}


def test_who_is_vested_is_told_of_each_player(told: Game) -> None:
    advance(told.slug, THE_END)
    seat(told, "juan")
    vested = {each["name"]: each["vested"] for each in read("")["players"]}
    assert vested == {"Murphy": True, "Madrid": True, "juan": False}


@pytest.mark.parametrize("players", [3, 300])
@pytest.mark.parametrize("path", ["/proposals", "/proposals/1", "/proposals/p3", "", "/actions"])
def test_reading_stays_within_eight_queries(
    told: Game,
    player: Player,
    players: int,
    path: str,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    voters = seat_many(told, players - 2)
    vote_many(list(told.proposals.filter(status="Open")), voters, NDAY_9)
    assert player.user is not None
    token = make_token(player.user, "a program")[1]
    for key in ("", token):
        read(path, key)
        with django_assert_max_num_queries(MOST):
            read(path, key)


@pytest.mark.parametrize(
    ("edition", "more", "words"),
    [
        ("b-nomic-2006", set(), ["FOR", "AGAINST", "ABSTAIN"]),
        ("b-nomic-5e33", set(), ["FOR", "AGAINST"]),
        (
            "agora-proposals",
            {"index", "class", "coauthors"},
            ["FOR", "AGAINST", "PRESENT"],
        ),
        ("blognomic", set(), ["FOR", "AGAINST", "DEFERENTIAL"]),
    ],
)
def test_each_edition_tells_the_shape_of_what_it_asks_for(
    db: None, edition: str, more: set[str], words: list[str]
) -> None:
    game = new_game("table", edition, pace="manual", start=WEDNESDAY)[0]
    user = seat(game, "Murphy").user
    assert user is not None
    found = {each["name"]: each for each in read("/actions", make_token(user, "a program")[1])}
    submit, vote = found["proposals.submit"], found["proposals.vote"]
    assert set(submit["schema"]["properties"]) == {
        *("title", "body", "remarks", "left", "units", "conflicts", "dependencies"),
        *more,
    }
    assert submit["schema"]["required"] == ["body"]
    assert submit["allowed"]
    assert vote["schema"]["properties"]["choice"]["examples"] == words
    assert not vote["allowed"]
    assert vote["refusal"]["sentence"].startswith("No proposal is Open.")
    assert not {name for name in found if name.startswith("proposals.assign")}


def test_the_openapi_document_has_the_proposals(db: None) -> None:
    paths = json.loads(Client().get("/api/openapi.json").content)["paths"]
    for path in ("proposals", "proposals/{item}"):
        assert paths[f"/api/v1/games/{{slug}}/{path}"]["get"]["description"]


def test_a_program_submits_votes_and_reads_the_result(game: Game, player: Player) -> None:
    assert player.user is not None
    token = make_token(player.user, "a program")[1]

    def post(name: str, **inputs: Any) -> Any:
        response = Client().post(
            f"/api/v1/games/table/actions/{name}",
            json.dumps(inputs),
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )
        return response.status_code, json.loads(response.content)

    status, entry = post("proposals.submit", body="Give Murphy 3 points.", conflicts=[])
    assert (status, entry["outcome"]["id"], entry["outcome"]["status"]) == (201, "p1", "Pending")
    advance(game.slug, NDAY_9)
    assert post("proposals.vote", proposal="p1", choice="FOR")[0] == 201
    status, refusal = post("proposals.vote", proposal=1, choice="PRESENT")
    assert (status, refusal["refusal"].keys()) == (409, {"code", "sentence", "rule"})
    advance(game.slug, THE_END)
    assert read("/balances")["Murphy"]["points"] == 3
    assert take("table", player, "proposals.comment", {"proposal": 1, "text": "Ha."}).entry.seq


@pytest.mark.parametrize("preset", ["agora"])
def test_under_an_adoption_index_a_proposal_tells_what_stands_above_it_at_agora(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    about = {"title": "Spoons", "index": "2.0", "class": "Ordinary", "coauthors": ["Madrid"]}
    act(player, "proposals.submit", body="Nothing.", **about)
    act(player, "proposals.submit", body="Less.", title="Forks")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    asked = {"index": 2.0, "class": "Ordinary", "coauthors": ["Madrid"], "quorum": 2}
    votes = {"present": 0, "ballots": 2, "popularity": 0.0}
    weighed = {"for_strength": 3, "against_strength": 3, "ratio": "3/3"}
    first = read("/proposals")[0]
    assert {**asked, **votes, **weighed}.items() <= first.items()
    assert set(first) == LINE | asked.keys() | votes.keys() | weighed.keys()
    assert first["outcome"] is None
    advance(game.slug, WEDNESDAY + timedelta(days=14))
    first, second = read("/proposals")
    assert {**asked, **votes, **weighed, "outcome": "rejected"}.items() <= first.items()
    assert (second["outcome"], second["ballots"]) == ("failed quorum", 0)


def test_who_is_vested_is_told_where_a_rule_makes_players_so(told: Game) -> None:
    assert {each["vested"] for each in read("")["players"]} == {True}
