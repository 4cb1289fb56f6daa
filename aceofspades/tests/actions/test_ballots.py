"""Proposals and votes (Regulations 101, 102, 106 to 110, 120)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from aceofspades.actions.ballots import CastVote
from aceofspades.models import Proposal, Vote
from aceofspades.tests import stage
from aceofspades.tests.acts import (
    AGAINST,
    FOR,
    RECKONED,
    a_proposal,
    keep_by_hand,
    refused,
)  # fmt: skip
from nomic.engine.models import Appointment, AppointmentStatus
from nomic.engine.outcomes import Malformed
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.games.powers import VOTERS
from nomic.games.refusal import Refusal
from tests.kit import Take, seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def preset() -> str:
    return stage.PRESET


@pytest.fixture
def contest(opened: Game, player: Player, rival: Player) -> Game:
    """The contest with Murphy and Madrid in it."""
    stage.join(opened, player, rival)
    return opened


# Regulation 107: proposing


def test_107_a_contestant_proposes_a_public_regulation(contest: Game, act: Take, player: Player):
    receipt = act(
        player, "aceofspades.propose", number=500, text="Cards are dear.", visibility="public"
    )
    proposal = Proposal.objects.get()
    assert (proposal.number, proposal.regulation_number) == (1, 500)
    assert proposal.text == "Cards are dear."
    assert receipt.entry.text == "Murphy proposes Regulation 500: Proposal 1. It is up for vote."
    assert receipt.entry.inputs["text"] == "Cards are dear."


@pytest.mark.parametrize("number", [200, 999])
def test_107_the_bounds_of_the_number_are_allowed(contest: Game, player: Player, number: int):
    assert stage.propose(contest, player, number).regulation_number == number


@pytest.mark.parametrize("number", [1, 100, 126, 199, 1000, 9999])
def test_107_other_numbers_are_refused(contest: Game, act: Take, player: Player, number: int):
    code, sentence, rule = a_proposal(act, player, number=number)
    assert (code, rule) == ("number_out_of_range", "Regulation 107")
    assert f"Regulation {number} cannot be proposed" in sentence
    assert "from 200 to 999" in sentence


def test_101_an_immutable_number_that_no_regulation_has_is_refused(
    contest: Game, act: Take, player: Player
):
    code, sentence, rule = a_proposal(act, player, number=111)
    assert (code, rule) == ("no_such_regulation", "Regulation 101")
    assert "There is no Regulation 111 to amend" in sentence


def test_107_an_outsider_who_plays_but_is_no_contestant_proposes_nothing(contest: Game, act: Take):
    juan = seat(contest, "juan")
    code, sentence, rule = a_proposal(act, juan)
    assert (code, rule) == ("no_contestant", "Regulation 102")
    assert sentence == "You are not a contestant yet. Join the contest first."


def test_107_a_private_text_stands_in_no_public_entry(contest: Game, act: Take, player: Player):
    receipt = act(
        player, "aceofspades.propose", number=501, text="Hush, dear cards.", visibility="private"
    )
    entry = receipt.entry
    assert entry.text == (
        "Murphy proposes the private Regulation 501: Proposal 1. It is up for vote."
    )
    assert entry.inputs == {"number": 501, "visibility": "private"}
    assert "Hush" not in str(entry.outcome)
    assert Proposal.objects.get().text == "Hush, dear cards."


def test_107_a_contestant_proposes_nothing_secret(contest: Game, act: Take, player: Player):
    code, sentence, rule = a_proposal(act, player, visibility="secret")
    assert (code, rule) == ("not_the_officer", "Regulation 107")
    assert sentence == ("Only the Contestmaster proposes secret regulations; yours can be private.")


@pytest.mark.thorough
def test_107_the_contestmaster_proposes_public_and_secret_ones(contest: Game, master: Player):
    assert stage.propose(contest, master).visibility == "public"
    assert stage.propose(contest, master, 501, visibility="secret").visibility == "secret"
    entry = contest.entries.get(name="aceofspades.propose", inputs__number=501)
    assert "text" not in entry.inputs


def test_107_the_contestmaster_proposes_nothing_private(act: Take, master: Player):
    code, sentence, rule = a_proposal(act, master, visibility="private")
    assert (code, rule) == ("not_private", "Regulation 107")
    assert "public or secret" in sentence


@pytest.mark.parametrize("visibility", ["private", "secret"])
def test_106_what_amends_an_immutable_regulation_is_public(
    contest: Game, act: Take, player: Player, visibility: str, master: Player
):
    actor = player if visibility == "private" else master
    code, sentence, rule = a_proposal(act, actor, number=113, visibility=visibility)
    assert (code, rule) == ("immutable_is_public", "Regulation 106")
    assert "what amends it is public" in sentence


def test_119_a_marking_regulation_with_a_malformed_program_is_refused(
    contest: Game, act: Take, player: Player
):
    text = "Marks.\n\n```python\ndef mark(hands, worth, alliances:\n    return worth\n```\n"
    code, sentence, rule = a_proposal(act, player, number=300, text=text)
    assert (code, rule) == ("program_broken", "Regulation 119")
    assert "line" in sentence
    # Below 300 it marks nothing, and is a text like any other.
    assert stage.propose(contest, player, 299, text).number == 1


def test_119_a_block_of_python_is_a_program(contest: Game, act: Take, player: Player):
    text = "Marks.\n\n```python\ndef mark(hands, worth, alliances):\n    return unknown\n```\n"
    code, sentence, rule = a_proposal(act, player, number=300, text=text)
    assert (code, rule) == ("program_broken", "Regulation 119")
    assert "The name unknown stands for nothing (line 2, column 12)." in sentence


def test_210_a_table_of_its_own_that_cannot_be_read_is_refused(
    contest: Game, act: Take, player: Player
):
    text = (
        "| DECK FILLED | CARDS OF EACH SUIT |\n| --- | --- |\n| When this takes effect | many |\n"
    )
    code, sentence, rule = a_proposal(act, player, number=210, text=text)
    assert (code, rule) == ("table_broken", "Regulation 210")
    assert "many" in sentence
    assert "Mend it" in sentence


def test_107_a_text_has_ten_thousand_characters_and_no_more(
    contest: Game, act: Take, player: Player
):
    stage.propose(contest, player, text="a" * 10_000)
    with pytest.raises(Malformed, match="10000"):
        act(player, "aceofspades.propose", number=500, text="a" * 10_001, visibility="public")


def test_107_the_ends_of_lines_are_those_of_the_site(contest: Game, player: Player):
    assert stage.propose(contest, player, text="One.\r\n\r\nTwo.\r\n").text == "One.\n\nTwo."


# Regulation 108: putting up for vote


def test_108_where_the_contestmaster_keeps_it_a_proposal_waits_for_them(
    contest: Game, act: Take, player: Player, master: Player
):
    keep_by_hand(contest, "put_up_for_vote")
    proposal = stage.propose(contest, player)
    assert not proposal.is_up
    assert refused(act, player, "vote", proposal=1, vote=FOR) == (
        "not_up",
        "Proposal 1 is not up for vote yet. The Contestmaster puts it up.",
        "Regulation 108",
    )
    receipt = act(master, "aceofspades.put_up_for_vote", proposal=1)
    assert receipt.entry.text == "Proposal 1, for Regulation 500, is up for vote."
    assert Proposal.objects.get().is_up
    assert refused(act, master, "put_up_for_vote", proposal=1)[0] == "is_up"


def test_108_what_cannot_be_put_up_is_refused(
    contest: Game, act: Take, player: Player, rival: Player, master: Player
):
    assert refused(act, master, "put_up_for_vote", proposal=7) == (
        "no_proposal",
        "The contest has no Proposal 7.",
        "Regulation 108",
    )
    proposal = stage.propose(contest, player)
    stage.vote(contest, proposal, {player: AGAINST, rival: AGAINST})
    stage.hours(contest, 72)
    assert refused(act, master, "put_up_for_vote", proposal=1) == (
        "decided",
        "Proposal 1 is decided already.",
        "Regulation 108",
    )
    code, sentence, _ = refused(act, player, "put_up_for_vote", proposal=1)
    assert (code, sentence) == ("not_the_officer", "Only the Contestmaster can do this.")


def test_108_a_vacant_office_leaves_nothing_waiting(
    contest: Game, act: Take, player: Player, master: Player
):
    keep_by_hand(contest, "put_up_for_vote", "announce")
    stage.propose(contest, player)
    act(master, "games.resign_office", office="Contestmaster")
    proposal = Proposal.objects.get()
    assert proposal.is_up
    assert contest.entries.latest("seq").name == "aceofspades.decision"


# Regulation 109: voting


def test_109_a_vote_leaves_no_public_trace(contest: Game, act: Take, player: Player):
    stage.propose(contest, player)
    contest.refresh_from_db()
    before = contest.entries.count(), contest.last_entry, contest.next_due, contest.wakes_at
    waiting = list(Appointment.objects.filter(game=contest).values_list("pk", "due", "status"))
    receipt = act(player, "aceofspades.vote", proposal=1, vote=FOR)
    contest.refresh_from_db()
    assert before == (
        contest.entries.count(), contest.last_entry, contest.next_due, contest.wakes_at
    )  # fmt: skip
    assert waiting == list(
        Appointment.objects.filter(game=contest).values_list("pk", "due", "status")
    )
    assert receipt.entry.text == "Murphy votes FOR on Proposal 1."
    assert contest.sealed_entries.filter(name="aceofspades.vote").count() == 1


def test_109_votes_after_the_hours_leave_no_trace_either_while_nothing_is_decided(
    contest: Game, act: Take, player: Player
):
    stage.crowd(contest, 2)
    stage.propose(contest, player)
    stage.hours(contest, 80)
    contest.refresh_from_db()
    before = contest.last_entry, contest.appointments.count()
    act(player, "aceofspades.vote", proposal=1, vote=FOR)
    contest.refresh_from_db()
    assert before == (contest.last_entry, contest.appointments.count())


def test_109_a_second_vote_is_refused(contest: Game, act: Take, player: Player):
    proposal = stage.propose(contest, player)
    stage.vote(contest, proposal, {player: FOR})
    for way in (FOR, AGAINST):
        assert refused(act, player, "vote", proposal=1, vote=way) == (
            "has_voted",
            "You have voted on Proposal 1. A vote stands, and cannot be changed.",
            "Regulation 109",
        )
    assert Vote.objects.get().way == FOR


def test_109_what_one_has_voted_on_is_offered_no_more(contest: Game, player: Player, rival: Player):
    stage.vote(contest, stage.propose(contest, player), {player: FOR})

    def offered(voter: Player) -> list[int]:
        form = CastVote.Form(glance(contest), voter)
        return [*form.fields["proposal"].suggested()]

    assert (offered(player), offered(rival)) == ([], [1])
    refusal = CastVote().verdict(glance(contest), player, {})
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rule) == ("has_voted", "Regulation 109")
    assert not isinstance(CastVote().verdict(glance(contest), rival, {}), Refusal)
    stage.propose(contest, player, 501)
    assert offered(player) == [2]
    assert not isinstance(CastVote().verdict(glance(contest), player, {}), Refusal)


def test_109_who_is_no_contestant_has_no_vote(
    contest: Game, act: Take, player: Player, rival: Player, master: Player, outsider: User
):
    stage.propose(contest, player)
    assert refused(act, master, "vote", proposal=1, vote=FOR) == (
        "is_contestmaster",
        "The Contestmaster may know what is hidden, and is no contestant.",
        "Regulation 102",
    )
    act(rival, "aceofspades.leave")
    assert refused(act, rival, "vote", proposal=1, vote=FOR)[0] == "no_contestant"
    assert refused(act, outsider, "vote", proposal=1, vote=FOR)[0] == "not_a_player"


def test_109_there_has_to_be_such_a_proposal(contest: Game, act: Take, player: Player):
    assert refused(act, player, "vote", proposal=1, vote=FOR) == (
        "no_proposal",
        "The contest has no Proposal 1.",
        "Regulation 109",
    )


def test_109_the_form_says_that_nothing_is_up(contest: Game, player: Player):
    refusal = CastVote().verdict(glance(contest), player, {})
    assert isinstance(refusal, Refusal)
    assert refusal.sentence == "No proposal of the contest is up for vote."


def test_110_after_the_decision_nobody_votes(
    contest: Game, act: Take, player: Player, rival: Player
):
    proposal = stage.propose(contest, player)
    late = seat(contest, "omd")
    stage.vote(contest, proposal, {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    stage.join(contest, late)
    assert refused(act, late, "vote", proposal=1, vote=AGAINST) == (
        "decided",
        "Proposal 1 is decided: it was adopted.",
        "Regulation 110",
    )


@pytest.mark.thorough
def test_120_after_the_reckoning_nothing_of_this_is_possible(
    contest: Game, act: Take, player: Player, master: Player
):
    stage.propose(contest, player)
    stage.days(contest, 70)
    assert a_proposal(act, player) == RECKONED
    assert refused(act, player, "vote", proposal=1, vote=FOR) == RECKONED
    assert refused(act, master, "put_up_for_vote", proposal=1) == RECKONED
    assert refused(act, master, "announce", proposal=1) == RECKONED


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)  # or else a savepoint is counted as well
@pytest.mark.parametrize("count", [3, 300])
def test_an_act_on_a_proposal_costs_at_most_seventeen_queries(
    contest: Game, act: Take, player: Player, rival: Player, master: Player, count: int,
    django_assert_max_num_queries: Any,
):  # fmt: skip
    stage.crowd(contest, count - 2)
    with django_assert_max_num_queries(17):
        act(player, "aceofspades.propose", number=500, text="A.", visibility="public")
    with django_assert_max_num_queries(17):
        act(player, "aceofspades.vote", proposal=1, vote=FOR)
    keep_by_hand(contest, "put_up_for_vote")
    stage.propose(contest, player, 502)
    with django_assert_max_num_queries(17):
        act(master, "aceofspades.put_up_for_vote", proposal=2)
    for number in range(3, 6):
        act(
            master,
            "aceofspades.put_up_for_vote",
            proposal=stage.propose(contest, player, 500 + number).number,
        )
    stage.hours(contest, 73)
    with django_assert_max_num_queries(17):
        act(rival, "aceofspades.vote", proposal=2, vote=FOR)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [3, 300])
def test_an_announcement_costs_no_more_the_more_contestants_there_are(
    contest: Game, act: Take, player: Player, rival: Player, master: Player, count: int,
    django_assert_max_num_queries: Any,
):  # fmt: skip
    """What every part of the game does after a change of the rulebook comes on top of seventeen; so
    does reading the rulebook once after the change before."""
    keep_by_hand(contest, "announce")
    proposals = [stage.propose(contest, player, number) for number in (500, 501, 330)]
    for each in proposals:
        stage.vote(contest, each, {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    stage.crowd(contest, count - 2)
    for each, most in zip(proposals, (35, 39, 41), strict=True):
        with django_assert_max_num_queries(most):
            act(master, "aceofspades.announce", proposal=each.number)


def test_waiting_status_is_what_a_trace_would_be(contest: Game, player: Player):
    """The decision of a proposal waits as one appointment from the moment it is put up."""
    stage.propose(contest, player)
    found = contest.appointments.get(kind="aceofspades.decision")
    assert (found.subject, found.status) == ("1", AppointmentStatus.WAITING)


# Who votes in the game


def test_110_a_majority_is_one_of_the_contestants_who_vote_in_the_game(
    contest: Game, act: Take, player: Player, rival: Player
):
    contest.settings = {**contest.settings, VOTERS: "host"}
    contest.save(update_fields=["settings"])
    Player.objects.filter(pk__in=[player.pk, rival.pk]).update(accepted=True)
    stage.join(contest, *(socks := [seat(contest, f"sock{n}") for n in range(5)]))
    proposal = stage.propose(contest, socks[0])
    code, *_ = refused(act, socks[0], "vote", proposal=proposal.number, vote=FOR)
    assert code == "not_a_voter_yet"
    for voter in (player, rival):
        act(voter, "aceofspades.vote", proposal=proposal.number, vote=AGAINST)
    stage.days(contest, 4)
    proposal.refresh_from_db()
    assert (proposal.verdict, proposal.against_votes) == ("failed", 2)
