"""A month of what the players of Agora do, by the API: they come, propose, vote, hold offices, call
cases, announce intents, publish, report, fine, make contracts, act for others, and nobody runs the
game for them."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from nomic.documents.rulebook import RULEBOOK as DOCUMENTS
from nomic.documents.rulebook import UNDOUBTED
from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.rulebook.shipped import texts_in
from nomic.web.api.tests.conftest import Program
from nomic.web.tokens import make_token
from proposals.models import Proposal
from tests.kit import WEDNESDAY, user_of

SHIPPED = ((DOCUMENTS / UNDOUBTED, "documents", "Undoubted Reports"),)
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

Enact a new rule titled “Fines” with the following text:
{
The Arbitor fines players in blots, each of which its owner expunges for a week.

```python
currency("blot", "blots")

@action("fine", "Fine {player} {blots} blots, because {reason}")
def fine(me: Player, player: Player, blots: int, reason: str):
    if me != office("Arbitor"):
        refuse("The Arbitor fines players.")
    give(player, blots, "blot")
    say(f"{player} is fined {blots}: {reason}")
```
}
"""


def laws() -> str:
    """A proposal's text that adopts laws which are shipped, and have no place in the preset."""
    texts = ((title, texts_in(folder, origin)[title]) for folder, origin, title in SHIPPED)
    return "\n".join(
        f"Enact a new rule titled “{title}” with the following text:\n{{\n{text}\n}}\n"
        for title, text in texts
    )


@pytest.fixture
def game() -> Game:
    return new_game("agora", "agora", pace="manual", start=WEDNESDAY)[0]


@pytest.fixture
def programs(game: Game) -> dict[str, Program]:
    """A program for each of five users, who have come to the game by it."""
    return programs_of(game)


def programs_of(game: Game) -> dict[str, Program]:
    """A program for each of the cast in that game."""
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


def holds(program: Program, name: str) -> dict[str, int]:
    """How much that player has of each public asset."""
    held: dict[str, int] = program.json("balances")[name]
    return held


def later(game: Game, length: timedelta) -> None:
    game.refresh_from_db()
    advance(game.slug, game.last_at + length)


def proven(game: Game) -> None:
    """Nothing is wrong with the game's record, and a replay agrees with it."""
    assert [finding for finding in audit(game) if finding.wrong] == []
    game.refresh_from_db()
    assert replay(game)[1] is None


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
    number = Proposal.objects.get(game=game).handle
    done(snail, "proposals.submit", title="Laws", body=laws())
    law = Proposal.objects.get(game=game, title="Laws").handle
    for program in programs.values():
        done(program, "proposals.vote", proposal=law, choice="FOR")
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
    assert {it["outcome"] for it in murphy.json("proposals")} == {"adopted"}
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

    # A fine, which an officer levies by the program of a rule, and nobody else.
    fine = {"player": "juan", "blots": 2, "reason": "their report is late"}
    assert madrid.act("rule.fines.fine", **fine).status_code == 409
    done(murphy, "rule.fines.fine", **fine)
    assert holds(gaelan, "juan")["blot"] == 2

    # A report in the officer's own words, which becomes true as nobody doubts it.
    has = holds(gaelan, "Madrid").get("dollary", 0)
    text = f"As we count.\n\n| Player | Dollaries |\n| --- | --- |\n| Madrid | {has + 3} |"
    published = done(juan, "documents.publish", kind="Statement", title="Ours", text=text)
    document = published["outcome"]["document"]
    done(juan, "reports.publish_document", report="horsened", document=document)
    later(game, 8 * DAY)
    assert game.entries.filter(name="reports.undoubted").exists()
    assert holds(gaelan, "Madrid")["dollary"] == has + 3

    # What an officer owes and is late with, a deputy does who has said so.
    done(juan, "reports.keep_by_hand", report="horsened", keeper="the officer")
    later(game, 8 * DAY)
    assert madrid.act("reports.publish", report="horsened").status_code == 409
    done(madrid, "games.deputise", office="Horsened")
    later(game, 3 * DAY)
    deputised = done(madrid, "reports.publish", report="horsened")
    assert deputised["outcome"]["deputy_for"] == "Horsened"

    proven(game)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_vote_on_a_condition_is_resolved_by_its_officer() -> None:
    own = new_game("moved", "nomic", pace="manual", start=WEDNESDAY, offices="open", law="agora")[0]
    programs = programs_of(own)
    murphy, snail, madrid = (programs[name] for name in ("Murphy", "snail", "Madrid"))
    done(snail, "games.take_office", office="Assessor")
    done(madrid, "proposals.submit", title="Amity", body="Enact a rule titled “Amity”: {Be nice.}")
    amity = Proposal.objects.get(game=own).handle
    choices = {
        "Murphy": "ENDORSE Madrid",
        "snail": "PRESENT",
        "Madrid": "FOR",
        "juan": "CONDITIONAL AGAINST if Madrid owns a blot, else FOR",
    }
    for voter, choice in choices.items():
        done(programs[voter], "proposals.vote", proposal=amity, choice=choice)
    resolved = {"voter": "juan", "word": "FOR", "reason": "Madrid owns none."}
    done(snail, "proposals.resolve_vote", proposal=amity, **resolved)
    later(own, 8 * DAY)
    assert {it["outcome"] for it in murphy.json("proposals")} == {"adopted"}
    assert "Be nice." in {rule["text"].strip() for rule in murphy.json("rules")}
    proven(own)
