"""What is adopted at one moment takes effect in as many events as it needs, and no otherwise."""

from datetime import timedelta

import pytest

from nomic.engine.models import Appointment
from nomic.engine.table import Table, glance
from nomic.governance.reports import find_report
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.rulebook.changes.kinds import LONGEST_QUOTE
from nomic.rulebook.charts import cut
from proposals.api import executors_of
from proposals.events import adopting
from proposals.events.adopting import TAKES_EFFECT
from proposals.events.closing import QUEUE
from proposals.models import Errand, NweekClock, Proposal
from proposals.tests.events.room import Room
from proposals.tests.events.test_mendable import enacting, law

DAY = timedelta(days=1)
FOUR = [
    f"{enacting(f'Spoons {number}')}\n\n[The spoons are polished {number} times.]"
    f"\n\nTake 99{number} points from Madrid."
    for number in range(4)
]


def close(room: Room, bodies: list[str]) -> None:
    """Let Madrid's vote adopt these, all at the end of one nweek."""
    for body in bodies:
        room.do(room.murphy, "proposals.submit", body=body)
    began = NweekClock.objects.get(game=room.game).began_at
    advance("room", began + 8 * DAY)
    for proposal in Proposal.objects.filter(status="Open"):
        room.do(room.madrid, "proposals.vote", proposal=proposal.number, choice="FOR")
    advance("room", began + 12 * DAY)


def the_end(room: Room) -> list[str]:
    """What happened at the moment at which the vote was over, by name."""
    closing = room.game.entries.get(name="proposals.voting_closes")
    return [each.name for each in room.game.entries.filter(at=closing.at, seq__gte=closing.seq)]


@pytest.fixture
def room(db: None) -> Room:
    return Room("b-nomic-2006")


@pytest.mark.thorough
def test_what_is_too_much_for_one_event_follows_at_the_same_moment(room: Room) -> None:
    room.bound("event_changes", 1)
    close(room, FOUR)
    assert the_end(room)[:3] == ["proposals.voting_closes", TAKES_EFFECT, TAKES_EFFECT]
    assert {f"Spoons {number}" for number in range(4)} <= law(room).keys()
    assert all(each.passed and each.takes_effect is None for each in Proposal.objects.all())
    assert [len(each.effects) for each in Proposal.objects.order_by("serial")] == [2] * 4
    closing, first, *_ = room.game.entries.filter(outcome__has_any_keys=["results", "took_effect"])
    assert [each["changes"] for each in closing.outcome["results"]] == [2, 0, 0, 0]
    assert "It takes effect next, at the same moment." in closing.text
    assert [each["number"] for each in first.outcome["took_effect"]] == [2]
    assert replay(room.fresh())[1] is None


@pytest.mark.parametrize(("most", "events"), [(0, 3), (3, 1), (4, 1), (6, 0), (1_000, 0)])
def test_so_many_changes_are_made_at_once(room: Room, most: int, events: int) -> None:
    room.bound("event_changes", most)
    close(room, FOUR)
    assert the_end(room).count(TAKES_EFFECT) == events
    assert not Proposal.objects.filter(passed=True, effects=[]).exists()


def test_one_that_repeals_the_rule_of_proposals_stops_none_that_was_adopted_with_it(
    room: Room,
) -> None:
    room.bound("event_changes", 0)
    repeal = "Repeal the rule “Proposals”."
    room.bound("tries", 0)
    close(room, [enacting("Forks"), repeal, enacting("Knives")])
    assert {"Forks", "Knives"} <= law(room).keys()
    assert not Proposal.objects.filter(takes_effect__isnull=False).exists()
    assert replay(room.fresh())[1] is None


@pytest.mark.thorough
def test_where_the_event_is_skipped_all_is_left_to_the_officer(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.bound("event_changes", 0)

    def fails(table: Table) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(adopting, "_waiting", fails)
        close(room, FOUR[:3])
    assert room.fresh().state == "stuck"
    assert Proposal.objects.filter(takes_effect__isnull=False).count() == 2
    room.do(None, "games.skip_appointment", reason="It cannot happen")
    assert not Proposal.objects.filter(takes_effect__isnull=False).exists()
    left = Errand.objects.filter(proposal__number__gt=1)
    assert [errand.place for errand in left] == [1, 1]
    assert all("was skipped" in errand.why for errand in left)
    skip = room.game.entries.get(name="games.skip_appointment")
    assert [each["number"] for each in skip.outcome["left"]] == [2, 3]
    those = Proposal.objects.filter(number__gt=1).order_by("number")
    for each, told in zip(those, skip.outcome["left"], strict=True):
        assert executors_of(each) == told["executors"]
        (left,) = told["executors"]
        assert left["sentence"] == errand_of(each)
        assert (left["by"], "was skipped" in left["why"]) == ("officer", True)
    assert room.fresh().state == "running"
    assert replay(room.fresh())[1] is None


def errand_of(proposal: Proposal) -> str:
    return cut(proposal.errands.get().sentence, LONGEST_QUOTE)


@pytest.mark.thorough
def test_a_queue_moves_on_in_another_event(db: None) -> None:
    room = Room("blognomic")
    room.bound("event_changes", 0)
    for number in range(3):
        room.do(room.murphy, "proposals.submit", body=enacting(f"Spoons {number}"))
    for number in (3, 2, 1):
        for voter in (room.murphy, room.madrid, room.juan):
            if Proposal.objects.get(number=number).status == "Open":
                room.do(voter, "proposals.vote", proposal=number, choice="FOR")
    assert {f"Spoons {number}" for number in range(3)} <= law(room).keys()
    assert room.game.entries.filter(name=QUEUE).count() == 2
    assert not Appointment.objects.filter(game=room.game, kind=QUEUE, status="waiting").exists()
    assert replay(room.fresh())[1] is None


def test_sentences_that_the_game_has_no_room_for_are_one_duty(room: Room) -> None:
    room.bound("by_hand", 3)
    body = "\n\n".join(f"Destroy the {number} spoons of nobody." for number in range(3))
    close(room, [body, body, "Destroy all spoons of nobody."])
    counts = [each.errands.count() for each in Proposal.objects.order_by("serial")]
    assert counts == [3, 1, 1]
    folded = Proposal.objects.get(serial=2).errands.get()
    assert folded.why.startswith("3 changes of it are to be carried out by hand. The game has at")
    assert folded.sentence.startswith("Destroy the 0 spoons")
    assert replay(room.fresh())[1] is None


def test_the_weekly_report_lists_the_first_sentences_and_counts_the_rest(room: Room) -> None:
    report = find_report("proposals")
    close(room, ["\n\n".join(f"Destroy the {number} spoons of nobody." for number in range(3))])
    assert len(report.facts(glance(room.fresh()))["errands"]) == 3
    assert "errands_more" not in report.facts(glance(room.fresh()))
    room.bound("listed", 2)
    facts = report.all_facts(glance(room.fresh()))
    assert (len(facts["errands"]), facts["errands_more"]) == (2, 1)
    assert "THE FIRST 2 OF 3" in report.text(facts)
