"""A vote that makes a rule unreadable passes, and the game goes on as before until it is mended."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.models import AppointmentStatus
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import NweekClock, Proposal
from proposals.rules.terms import CLOCK, EMPEROR, PROPOSALS, VESTED, VOTING
from proposals.state.reading import state_of
from proposals.subgame import THE_ASSEMBLY
from proposals.tests.events.room import Room
from proposals.tests.events.test_mendable import adopt
from proposals.web.preview.preview import preview
from tests.kit import at_the_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("preset", "body", "rule", "words"),
    [
        (
            "agora",
            "In the rule “Voting”, replace “| At least | 3 |” with “| At least | banana |”.",
            VOTING,
            "“banana” under BALLOTS for At least",
        ),
        (
            "blognomic",
            "In the rule “Proposals”, replace “| More than | 1 |” with “| More than | a |”.",
            PROPOSALS,
            "“a” under PLAYERS for More than",
        ),
        (
            "b-nomic-5e33",
            "In the rule “The Clock”, replace “| 12 |” with “| a dozen |”.",
            CLOCK,
            "“a dozen” under NDAYS for An nweek",
        ),
        (
            "agora",
            "Replace the text of the rule “Voting” with: { Vote as ever. }",
            VOTING,
            "QUORUM",
        ),
        (
            "agora",
            "Amend the rule “Voting” by deleting “| QUORUM | BALLOTS |”.",
            VOTING,
            "no table with the columns QUORUM, BALLOTS any more",
        ),
        pytest.param(
            "agora",
            "Amend the rule “Proposals” by deleting “| After submission | 0 |”.",
            PROPOSALS,
            "“DISTRIBUTION” of Proposals cannot be read",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "blognomic",
            "Amend the rule “Proposals” by deleting “| THEN IT NEEDS | VALID VOTES |”.",
            PROPOSALS,
            "no table with the columns THEN IT NEEDS, VALID VOTES any more",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "b-nomic-5e33",
            "In the rule “The Clock”, replace “| When an nweek ends | yes |” with “”.",
            CLOCK,
            "“THE CLOCK TURNS OFF” of The Clock has no row “When an nweek ends” any more",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_the_game_goes_on_as_of_the_version_that_could_be_read(
    room: Room, body: str, rule: str, words: str
) -> None:
    terms = state_of(glance(room.game)).terms
    adopt(room, body)
    assert room.game.rules.get(title=rule).version == 2
    assert room.fresh().state == "running"
    (unread,) = THE_ASSEMBLY.unread(glance(room.fresh()))
    assert (unread.rule, unread.version) == (rule, 1)
    if words != "QUORUM":
        assert words in unread.sentence
    assert state_of(glance(room.fresh())).terms == terms
    adopt(room, "Enact a new rule titled “Forks” and the following text: { Forks are nice. }", 2)
    assert room.game.rules.filter(title="Forks").exists()
    told = [each for each in room.game.entries.all() if f"{unread}" in each.text]
    assert [each.outcome["unread"] for each in told] == [[str(unread)]]
    assert replay(room.fresh())[1] is None


def test_a_proposal_still_needs_the_quorum_whose_heading_is_gone() -> None:
    room = Room("agora")
    adopt(room, "Amend the rule “Voting” by deleting “| QUORUM | BALLOTS |”.")
    room.do(room.murphy, "proposals.submit", body="Enact a new rule titled “Forks”: { Forks. }")
    room.do(room.murphy, "proposals.vote", proposal=2, choice="FOR")
    opened = Proposal.objects.get(number=2).opened_at
    assert opened is not None
    advance("room", opened + timedelta(days=7))
    assert Proposal.objects.get(number=2).outcome == "FAILED QUORUM"


def test_what_is_amended_while_it_cannot_be_read_is_warned_of_again() -> None:
    room = Room("agora")
    adopt(room, "Amend the rule “Voting” by deleting “| QUORUM | BALLOTS |”.")
    body = "In the rule “Voting”, replace “| 7 |” with “| 5 |”."
    said = preview(room.fresh(), None, body, {}).warnings
    assert any("After it “Voting” is played as of version 1: " in each for each in said)
    assert state_of(glance(room.fresh())).terms.voting_days == 7


def test_a_rule_that_is_repealed_and_enacted_anew_has_what_it_says() -> None:
    room = Room("agora")
    with at_the_table(room.fresh()) as table:
        text = table.rules.text(VOTING).replace("| QUORUM | BALLOTS |\n", "")
        table.rules.repeal(VOTING)
        table.rules.enact(VOTING, text)
    state = state_of(glance(room.fresh()))
    assert (state.unread, state.terms.quorum) == ((), 0)


# Off means off


def refused(who: Player, name: str, **inputs: object) -> Refusal:
    """The refusal of an action of that player."""
    with pytest.raises(Refused) as refused:
        take("room", who, name, inputs)
    return refused.value.refusal


def repealed(room: Room, title: str) -> None:
    """Take a rule out of force, whatever votes would make of that."""
    with at_the_table(room.fresh()) as table:
        table.rules.repeal(title)


@pytest.mark.parametrize("preset", ["b-nomic-2006", "b-nomic-5e33"])
def test_without_the_clock_nothing_opens_or_closes_until_it_is_back(room: Room) -> None:
    text = room.game.rules.get(title=CLOCK).text
    room.do(room.murphy, "proposals.submit", body="Forks are nice.")
    advance("room", NweekClock.objects.get().began_at + timedelta(days=3))
    repealed(room, CLOCK)
    advance("room", NweekClock.objects.get().began_at + timedelta(days=60))
    assert Proposal.objects.get().status == "Pending"
    assert not room.fresh().appointments.filter(
        kind__in=("proposals.voting_opens", "proposals.voting_closes"),
        status=AppointmentStatus.WAITING,
    )
    with at_the_table(room.fresh()) as table:
        table.rules.enact(CLOCK, text)
        back = table.now
    advance("room", back + timedelta(days=5, hours=1))
    assert Proposal.objects.get().status == "Open"


@pytest.mark.parametrize("preset", ["agora", "b-nomic-5e33"])
def test_without_voting_nobody_votes(room: Room) -> None:
    repealed(room, VOTING)
    refusal = refused(room.murphy, "proposals.vote", proposal=1, choice="FOR")
    assert (refusal.code, refusal.rule) == ("off", VOTING)


def test_without_vested_players_nothing_is_discarded_and_nobody_ceases_to_be_vested() -> None:
    room = Room("b-nomic-5e33")
    repealed(room, VESTED)
    room.do(room.murphy, "proposals.submit", body="Forks are nice.")
    began = NweekClock.objects.get().began_at
    advance("room", began + timedelta(days=8))
    room.do(room.murphy, "proposals.vote", proposal=1, choice="FOR")
    advance("room", began + timedelta(days=12))
    assert Proposal.objects.get().outcome == "Won"
    assert room.game.players.filter(vested=True).count() == 3


def test_without_the_emperor_nobody_vetoes_or_defers() -> None:
    room = Room("blognomic")
    room.do(room.murphy, "proposals.submit", body="Forks are nice.")
    room.do(room.madrid, "proposals.vote", proposal=1, choice="DEFERENTIAL")
    repealed(room, EMPEROR)
    for word in ("DEFERENTIAL", "VETO"):
        refusal = refused(room.juan, "proposals.vote", proposal=1, choice=word)
        assert refusal.sentence.endswith("vote FOR or AGAINST.")
    assert not state_of(glance(room.fresh())).electorate.throne
