"""A month of what the players of Agora do, by the API: they come, propose, vote, hold offices, call
cases, announce intents, publish, make contracts, and nobody runs the game for them."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.web.api.tests.conftest import Program
from nomic.web.tokens import make_token
from proposals.models import Proposal
from tests.kit import WEDNESDAY, user_of

DAY, WEEK = timedelta(days=1), timedelta(days=7)
NAMES = ("Murphy", "snail", "Gaelan", "Madrid", "juan")
TITLES = """\
Enact a new rule titled “Titles” with the following text:
{
A player is honoured by a title, which the players keep as a switch.

| Switch | Of | Values | Default | Kept by |
| --- | --- | --- | --- | --- |
| Title | player | plain, Bard, Sage | plain | the Arbitor |
}

Enact a new rule titled “Charters” with the following text:
{
A contract is made without objection.

| Act | Who | How | Days | Within | Done by |
| --- | --- | --- | --- | --- | --- |
| Make a contract | players | without objection | 4 | 14 | announcer |

| Election of | Called by | How | Candidates | Voting | Count | On a tie | Without candidates |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Horsened | players | at once | 2 | 3 | plurality | nobody | nobody |
}
"""


@pytest.fixture
def game() -> Game:
    return new_game("agora", "agora", pace="manual", start=WEDNESDAY)[0]


@pytest.fixture
def programs(game: Game) -> dict[str, Program]:
    """A program for each of five users, who have come to the game by it."""
    programs = {}
    for name in NAMES:
        programs[name] = Program(game, make_token(user_of(name), "plays Agora")[1])
        done(programs[name], "games.join", name=name)
    return programs


def done(program: Program, action: str, /, **inputs: Any) -> dict[str, Any]:
    """The answer to an act that is done."""
    response = program.act(action, **inputs)
    assert response.status_code in (200, 201), response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


def later(game: Game, length: timedelta) -> None:
    game.refresh_from_db()
    advance(game.slug, game.last_at + length)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_month_is_played_by_programs_and_nobody_else(
    game: Game, programs: dict[str, Program]
) -> None:
    murphy, snail, gaelan, madrid, juan = (programs[name] for name in NAMES)

    # Offices, and a proposal that is voted on by its officers and by whom others trust.
    done(murphy, "games.take_office", office="Arbitor")
    done(snail, "games.take_office", office="Assessor")
    done(gaelan, "proposals.submit", title="Titles and charters", body=TITLES)
    number = str(Proposal.objects.get(game=game).pk)
    done(murphy, "proposals.vote", proposal=number, choice="FOR")
    done(snail, "proposals.vote", proposal=number, choice="FOR")
    done(madrid, "proposals.vote", proposal=number, choice="ENDORSE Murphy")

    # A pledge, a contract that pays its parties, and a report.
    pledge = {"kind": "Pledge", "title": "I vote FOR titles", "text": "Each month, *once*."}
    done(juan, "documents.publish", **pledge)
    done(juan, "contracts.make", title="A pool", text="We share what we win.")
    done(madrid, "contracts.enter", contract=2)
    done(madrid, "contracts.leave", contract=2)

    # A dispute: called, judged, and its judgement opened again by support.
    done(gaelan, "cases.call", statement="A pledge binds whoever has made it.")
    judge = gaelan.json("cases/1")["judge"]
    if judge is None:
        later(game, 8 * DAY)
        judge = gaelan.json("cases/1")["judge"]
    done(programs[judge], "cases.judge", case=1, verdict="FALSE", reasons="No rule says so.")
    assert gaelan.json("cases/1")["verdict"] == "FALSE"

    # An intent: announced, supported by nobody but objected to by none, and done.
    later(game, WEEK)
    assert murphy.json("proposals")[0]["outcome"] == "adopted"
    done(madrid, "games.let_act", player="juan", act="documents.publish")
    behalf = {
        "kind": "Essay",
        "title": "On titles",
        "text": "They adorn.",
        "on_behalf_of": "Madrid",
    }
    done(juan, "behalf.documents.publish", **behalf)
    assert juan.json("documents/3")["author"] == "Madrid"
    charter = {"title": "A charter", "text": "We keep the peace."}
    announced = done(gaelan, "announce.contracts.make", **charter)["outcome"]["motion"]
    assert gaelan.act("games.carry_out", motion=announced).status_code == 409
    later(game, 5 * DAY)
    done(gaelan, "games.carry_out", motion=announced)
    assert juan.json("contracts/4")["parties"] == ["Gaelan"]

    # A title, which an officer gives and nobody objects to.
    title = {"switch": "Title", "of": "Gaelan", "value": "Bard", "reason": "a good proposal"}
    done(murphy, "games.set_switch", **title)
    later(game, WEEK)
    switches = {switch["name"]: switch["held"] for switch in juan.json("switches")}
    assert switches["Title"]["Gaelan"] == "Bard"

    # An office by ballot.
    done(madrid, "games.call_election", office="Horsened")
    done(juan, "games.be_candidate", election=1)
    done(madrid, "games.be_candidate", election=1)
    later(game, 3 * DAY)
    for voter, first in ((murphy, "juan"), (snail, "juan"), (gaelan, "Madrid")):
        done(voter, "games.vote_in_election", election=1, first=first)
    later(game, 3 * DAY)
    offices = {office["office"]: office["holder"] for office in juan.json()["offices"]}
    assert offices["Horsened"] == "juan"

    assert [finding for finding in audit(game) if finding.wrong] == []
    game.refresh_from_db()
    assert replay(game)[1] is None
