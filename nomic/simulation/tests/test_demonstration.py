"""The demonstration: there are weeks behind it, all of them played through the one door."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command

from aceofspades.api import contest_state
from aceofspades.bots import demonstration as contest
from aceofspades.events.reckoning import RECKONING
from aceofspades.models import Request
from aceofspades.state.reading import CONTESTMASTER, state_of
from horses.models import Race
from nomic.engine.coverage import unfitted
from nomic.engine.models import AppointmentStatus
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.bots import bots_of
from nomic.operations.setup import advance, set_pace
from nomic.simulation.demonstration import demonstration
from nomic.simulation.demonstration.demonstration import B_NOMIC
from nomic.web.demonstration import OFFICER, OFFICES, PASSWORD, PLAYERS, being_filled
from proposals.state.workload import undone
from settlers.api import isle_state
from settlers.bots.demonstration import SETTLERS, WAITS
from tests.kit import Visitor
from tests.kit.games import roll_after_nothing

_DAYS = 12
"""So soon the contest is to be reckoned here."""


@pytest.mark.thorough
@pytest.mark.django_db
def test_an_empty_site_gets_a_demonstration_once(
    visit: Visitor,
    capsys: pytest.CaptureFixture[str],
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nomic.operations.setup.secrets.token_bytes", lambda count: b"\3" * count)
    assert contest._SCRIPT["reckoning"]["days"] == 120
    monkeypatch.setitem(
        contest._SCRIPT["reckoning"], "days", _DAYS
    )  # each is a day of the isle too
    roll_after_nothing(monkeypatch)
    call_command("demo")
    game = Game.objects.get(slug="demo")
    assert game.pace == "fast"
    people = game.players.filter(bot=False)
    assert set(people.values_list("name", flat=True)) == set(PLAYERS)
    assert bots_of(game).count() == 5
    held = game.offices.exclude(name__in=(CONTESTMASTER, "Arbitor")).values_list(
        "name", "holder__name"
    )
    assert sorted(held) == [(office, OFFICER) for office in sorted(OFFICES)]
    assert game.offices.get(name=CONTESTMASTER).holder is None
    race = Race.objects.get(game=game, ended_in=None)
    assert game.entries.filter(name="horses.run", seq__gt=race.started_in).count() > 2
    assert game.entries.filter(kind="action").count() > 30
    the_isle_is_lived_on(game)
    the_contest_has_something_in_every_room(game)
    the_officer_owes_nothing_old(game)
    a_case_is_judged_and_a_practice_player_has_another_to_judge(game)

    assert being_filled(B_NOMIC)
    demonstration.look_after()
    assert not being_filled(B_NOMIC)
    assert bots_of(Game.objects.get(slug=B_NOMIC)).count() == 5
    game.refresh_from_db()
    last = game.last_entry
    call_command("demo")
    game.refresh_from_db()
    assert game.last_entry == last
    assert "already" in capsys.readouterr().out

    client = visit()
    assert PASSWORD in client.get("/accounts/login/").content.decode()
    assert client.login(username=OFFICER, password=PASSWORD)
    settings.ORIGIN = "https://nomic.example"
    assert PASSWORD not in visit().get("/accounts/login/").content.decode()
    assert not game.rules.filter(title="The Lottery").exists()
    the_contest_comes_to_its_reckoning(game)
    a_rule_with_a_program_was_adopted_meanwhile(game)


def a_rule_with_a_program_was_adopted_meanwhile(game: Game) -> None:
    """A ticket of the lottery is bought, and it is drawn by itself."""
    game.refresh_from_db()
    assert game.last_at is not None
    take("demo", game.players.get(name="Madrid"), "rule.the-lottery.ticket")
    advance("demo", game.last_at + timedelta(days=7))
    says = "“The Lottery” says: “Madrid wins 1 in the lottery.”"
    assert game.entries.filter(text=says).count() == 1


def a_case_is_judged_and_a_practice_player_has_another_to_judge(game: Game) -> None:
    judged, waiting = game.cases.order_by("number")
    assert judged.verdict == "FALSE"
    assert judged.texts.last().readings.count() == 1
    assert waiting.judge.bot
    assert game.offices.get(name="Arbitor").holder is None


def the_isle_is_lived_on(game: Game) -> None:
    """The Thug has come by a vote; there is something to look at, and a harvest to be made."""
    isle = isle_state(glance(game))
    assert isle is not None
    assert isle["settlers"].keys() == set(SETTLERS)
    assert sum(len(settler["buildings"]) for settler in isle["settlers"].values()) > 0
    assert any(any(settler["stockpile"].values()) for settler in isle["settlers"].values())
    assert isle["settlers"]["Murphy"]["alliance"] == ["Madrid"]
    waiting = {name for name, settler in isle["settlers"].items() if not settler["harvested"]}
    assert {WAITS} <= waiting <= {WAITS, *isle["injured"]}
    assert any(offer["to"] == WAITS for offer in isle["offers"])
    assert game.rules.filter(title="Thug", parent__title="Visitors").exists()
    assert game.entries.filter(name="settlers.arrival", outcome__before="Thug").exists()
    assert game.sealed_entries.filter(name="settlers.bribe").exists()
    assert game.entries.filter(name="settlers.accept_trade").exists()


def the_contest_has_something_in_every_room(game: Game) -> None:
    """It is to be reckoned soon, and somebody waits for an answer of whoever looks at it."""
    murphy = game.players.get(name=contest.WAITS)
    told = contest_state(glance(game), murphy)
    assert told is not None
    assert told["contestants"] == [name for name in PLAYERS if name in contest.CONTESTANTS]
    assert told["reckoning"]["done"] is False
    assert told["mine"]["hand"]
    assert {each["kind"] for each in told["transfers"]} >= {"dealt", "transferred", "exchanged"}
    visible = {each["number"]: each for each in told["regulations"]}
    assert "```python" in visible[500]["text"]
    assert visible[510]["visibility"] == "private"
    assert "text" not in visible[510]
    assert visible[510]["known_by"] == {"Jason": "limited"}
    by_status = {each["status"] for each in told["proposals"]}
    assert {"in force", "failed", "up for vote"} <= by_status
    last = told["proposals"][-1]
    assert (last["regulation"], last["status"], "mine" in last) == (200, "up for vote", False)
    assert any(WAITS in each["to"] and each["status"] == "open" for each in told["offers"])
    assert len(told["alliances"]) == 2
    assert sum("members" in each for each in told["alliances"]) == 1
    assert Request.objects.get(contest__game=game).judgement == ""


def the_contest_comes_to_its_reckoning(game: Game) -> None:
    """The vote on the day is won by those who have voted; then it comes on that day."""
    set_pace(game.slug, "manual")
    game.refresh_from_db()
    table = glance(game)
    assert [each.regulation_number for each in state_of(table).up_for_vote] == [200]
    assert RECKONING not in {
        each.kind
        for each in game.appointments.filter(
            due__lt=table.now + timedelta(days=300), status=AppointmentStatus.WAITING
        )
    }
    advance(game.slug, table.now + timedelta(hours=73))
    game.refresh_from_db()
    due = glance(game).appointments.due(RECKONING)
    assert due is not None
    assert due < table.now + timedelta(days=_DAYS + 1)
    advance(game.slug, due)
    game.refresh_from_db()
    told = contest_state(glance(game))
    assert told is not None
    assert told["reckoning"]["worths"].keys() == set(contest.CONTESTANTS)
    assert not game.stuck_at


def the_officer_owes_nothing_old(game: Game) -> None:
    """What the votes left to them is done, so that a newcomer sees a clean table."""
    assert not [each.quoted for each in unfitted(glance(game))]
    assert not undone(game).exists()
    assert game.entries.filter(name="proposals.carry_out").exists()


@pytest.mark.django_db
def test_a_site_with_games_gets_no_demonstration(game: Game) -> None:
    call_command("demo")
    assert not Game.objects.filter(slug="demo").exists()
