"""When the next proposal could at the earliest be adopted, before a change and after it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.table import glance
from nomic.games.clock import iso
from nomic.operations.setup import advance
from proposals.api import preview_to_dict
from proposals.events.opening import Earliest, earliest
from proposals.models import Proposal
from proposals.state.reading import state_of
from proposals.tests.events.room import Room
from proposals.web.preview.preview import BodyPreview, preview
from tests.kit import WEDNESDAY

DAY = timedelta(days=1)
LONG = (
    "In the rule “Voting”, replace “| From distribution | 7 |” with “| From distribution | {} |”."
)


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


def look(room: Room, body: str) -> BodyPreview:
    return preview(room.fresh(), None, body, {})


def now(room: Room) -> Earliest:
    return earliest(state_of(glance(room.fresh())))


def test_a_vote_of_years_is_warned_of_and_told_in_the_api(room: Room) -> None:
    assert (now(room).due, now(room).wait) == (WEDNESDAY + 7 * DAY, 7 * DAY)
    seen = look(room, LONG.format(1000))
    assert seen.next is not None
    assert seen.next.due == WEDNESDAY + 1000 * DAY
    assert "1000 d from now; as it is, 7 d from now." in seen.warnings[0]
    assert not [each for each in look(room, LONG.format(21)).warnings if "earliest" in each]
    room.do(room.murphy, "proposals.submit", body=LONG.format(22))
    proposal = Proposal.objects.get()
    assert proposal_tells(room, proposal) == (iso(WEDNESDAY + 22 * DAY), True)
    advance("room", WEDNESDAY + DAY)
    assert proposal_tells(room, proposal) == (iso(WEDNESDAY + 23 * DAY), True)


def proposal_tells(room: Room, proposal: Proposal) -> tuple[str | None, bool]:
    told = preview_to_dict(glance(room.fresh()), proposal)
    return told["next_adoption"], any("at the earliest" in each for each in told["warnings"])


def test_figures_of_several_rules_are_one(room: Room) -> None:
    hours = "In the rule “Proposals”, replace “| After submission | 0 |” with"
    seen = look(room, f"{hours} “| After submission | 48 |”.\n\n{LONG.format(20)}")
    assert seen.next is not None
    assert seen.next.wait == 22 * DAY
    assert "22 d from now" in seen.warnings[0]
    assert look(room, "Give Murphy 5 points.").next == now(room)


class TestInAQueue:
    @pytest.fixture
    def preset(self) -> str:
        return "blognomic"

    def test_a_quorum_is_reached_at_once(self, room: Room) -> None:
        assert now(room).wait == timedelta()
        hours = "In the rule “Proposals”, replace “| Decided after | 48 |” with"
        seen = look(room, f"{hours} “| Decided after | 9000 |”.")
        assert seen.next is not None
        assert (seen.next.wait, seen.warnings) == (timedelta(), ())


class TestInNweeks:
    @pytest.fixture
    def preset(self) -> str:
        return "b-nomic-5e33"

    def test_it_is_the_end_of_the_nweek_in_which_it_comes_to_the_vote(self, room: Room) -> None:
        state = state_of(glance(room.fresh()))
        length = timedelta(hours=state.terms.wait)
        assert now(room).due == WEDNESDAY + length
        begins = (state.terms.voting_from_nday - 1) * timedelta(hours=state.terms.nday_hours)
        advance("room", WEDNESDAY + begins)
        assert now(room).due == WEDNESDAY + 2 * length
        assert now(room).at(WEDNESDAY + length).due == WEDNESDAY + 2 * length

    def test_an_nweek_of_years_is_warned_of(self, room: Room) -> None:
        ndays = state_of(glance(room.fresh())).terms.nweek_ndays
        seen = look(
            room,
            f"In the rule “The Clock”, replace “| An nweek | {ndays} |” with “| An nweek | 900 |”.",
        )
        assert seen.next is not None
        assert seen.next.due == WEDNESDAY + 900 * DAY
        assert "After it the next proposal could be adopted on" in seen.warnings[0]
