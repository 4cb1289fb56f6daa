"""When and how a proposal is decided (Regulations 101, 102, 110 and 112)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aceofspades.models import NeedToKnow, Proposal
from aceofspades.tests import stage
from aceofspades.tests.acts import AGAINST, FOR, again, keep_by_hand, refused, regulation
from nomic.engine.models import Appointment, AppointmentStatus
from nomic.games.models import Game, Player
from nomic.record.models import Entry
from tests.kit import Take, seat

pytestmark = pytest.mark.django_db

UNKEPT = "Not carried out as it reads: in “Regulation 500”, “Nothing more.”."
IN_FORCE = f"Regulation 500 takes effect. {UNKEPT}"
A_DAY = "| VOTE | HOURS |\n| --- | --- |\n| Decided from | 24 |"
NOT_YET = "Neither FOR nor AGAINST has a majority of the contestants on Proposal 1 yet."


@pytest.fixture
def preset() -> str:
    return stage.PRESET


@pytest.fixture
def third(game: Game) -> Player:
    return seat(game, "omd")


@pytest.fixture
def contest(opened: Game, player: Player, rival: Player, third: Player) -> Game:
    """The contest with Murphy, Madrid and omd in it."""
    stage.join(opened, player, rival, third)
    return opened


def proposal() -> Proposal:
    return Proposal.objects.get(number=1)


def told(game: Game) -> list[str]:
    """What the looks at proposals have told, in order."""
    rows = Entry.objects.filter(game=game, name="aceofspades.decision").order_by("seq")
    return list(rows.values_list("text", flat=True))


def test_110_before_72_hours_no_majority_decides(
    contest: Game, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR, rival: FOR, third: FOR})
    stage.hours(contest, 71.99)
    assert proposal().is_up
    assert told(contest) == []


def test_110_exactly_at_72_hours_a_majority_of_for_adopts(
    contest: Game, player: Player, rival: Player
):
    stage.propose(contest, player, text="Nothing more.")
    begun = proposal().up_at
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    entry = contest.entries.get(name="aceofspades.decision")
    assert begun is not None
    assert entry.at == begun + timedelta(hours=72)
    assert entry.text == f"Proposal 1 is adopted: 2 FOR, 0 AGAINST. {IN_FORCE}"
    (unfitted,) = entry.outcome.pop("unfitted")
    assert (unfitted["passage"], unfitted["by"]) == ("Nothing more.", "players")
    assert entry.outcome == {
        "proposal": 1, "regulation": 500, "verdict": "adopted", "for": 2, "against": 0,
        "effective": True,
    }  # fmt: skip
    assert proposal().verdict == "adopted"
    found = regulation(contest, 500)
    assert found is not None
    assert found.text == "Nothing more."


def test_110_a_majority_against_makes_it_fail(contest: Game, player: Player, rival: Player):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: AGAINST, rival: AGAINST})
    stage.hours(contest, 72)
    assert told(contest) == ["Proposal 1 fails: 0 FOR, 2 AGAINST."]
    assert not proposal().is_up
    assert regulation(contest, 500) is None


def test_110_half_is_no_majority(contest: Game, player: Player, rival: Player, third: Player):
    stage.join(contest, seat(contest, "Goethe"))
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR, rival: FOR, third: AGAINST})
    stage.hours(contest, 72)
    assert told(contest) == [NOT_YET]
    assert proposal().is_up


def test_110_the_decisive_vote_after_72_hours_decides_at_once(
    contest: Game, act: Take, player: Player, rival: Player
):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR})
    stage.hours(contest, 100)
    assert told(contest) == [NOT_YET]
    act(rival, "aceofspades.vote", proposal=1, vote=FOR)
    assert told(contest)[1:] == [f"Proposal 1 is adopted: 2 FOR, 0 AGAINST. {IN_FORCE}"]


def test_110_a_vote_at_the_moment_of_the_look_that_is_done_already_decides(
    contest: Game, act: Take, player: Player, rival: Player
):
    stage.propose(contest, player)
    stage.hours(contest, 72)
    assert told(contest) == [NOT_YET]
    act(player, "aceofspades.vote", proposal=1, vote=FOR)
    assert len(told(contest)) == 1
    act(rival, "aceofspades.vote", proposal=1, vote=FOR)
    assert len(told(contest)) == 2
    assert proposal().verdict == "adopted"
    first, second = contest.entries.filter(name="aceofspades.decision").order_by("seq")
    assert first.at == second.at


def test_110_two_proposals_that_one_leaving_decides_are_both_decided(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player, 500)
    stage.propose(contest, rival, 501)
    act(player, "aceofspades.vote", proposal=1, vote=FOR)
    act(player, "aceofspades.vote", proposal=2, vote=AGAINST)
    stage.hours(contest, 73)
    act(third, "aceofspades.leave")
    assert proposal().is_up
    act(rival, "aceofspades.leave")
    assert [each.verdict for each in Proposal.objects.order_by("number")] == ["adopted", "failed"]


@pytest.mark.thorough
def test_102_a_leavers_vote_does_not_count_and_counts_again_on_return(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    stage.join(contest, seat(contest, "Goethe"))
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    act(rival, "aceofspades.leave")
    stage.hours(contest, 72)
    assert told(contest) == [NOT_YET]  # one of three
    act(third, "aceofspades.leave")
    assert proposal().is_up  # one of two
    act(rival, "aceofspades.join")
    assert proposal().verdict == "adopted"  # two of three
    assert (proposal().for_votes, proposal().against_votes) == (2, 0)
    again(contest)


def test_102_a_leaving_that_makes_a_majority_decides_at_once(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR})
    stage.hours(contest, 72)
    act(rival, "aceofspades.leave")
    assert proposal().is_up
    act(third, "games.leave")
    assert proposal().verdict == "adopted"
    assert proposal().for_votes == 1


def test_102_who_joins_later_counts_and_may_vote(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    late = seat(contest, "Goethe")
    stage.join(contest, late)
    stage.hours(contest, 72)
    assert proposal().is_up
    act(late, "aceofspades.vote", proposal=1, vote=FOR)
    assert proposal().verdict == "adopted"


def test_110_no_hour_decides_without_contestants(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player)
    for each in (player, rival, third):
        act(each, "aceofspades.leave")
    stage.hours(contest, 72)
    assert told(contest) == [NOT_YET]
    assert proposal().is_up


def test_235_a_look_that_decides_nothing_tells_no_counts(
    contest: Game, player: Player, rival: Player
):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR, rival: AGAINST})
    stage.hours(contest, 72)
    entry = contest.entries.get(name="aceofspades.decision")
    assert (entry.text, entry.outcome) == (NOT_YET, {})


# Regulation 101: the consent of all


def test_101_an_immutable_regulation_changes_by_the_consent_of_all(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player, 113, "No reports any more.")
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    stage.hours(contest, 80)
    assert told(contest) == [NOT_YET]
    act(third, "aceofspades.vote", proposal=1, vote=FOR)
    assert told(contest)[1] == (
        "Proposal 1 is adopted: 3 FOR, 0 AGAINST."
        " Regulation 113 has a new text by the consent of all."
        " Not carried out as it reads: in “The Contestmaster's report”, “No reports any more.”."
    )
    found = regulation(contest, 113)
    assert found is not None
    assert (found.text, found.rule_class) == ("No reports any more.", "immutable")


def test_101_one_vote_against_makes_an_amendment_fail(
    contest: Game, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player, 113, "No reports any more.")
    stage.vote(contest, proposal(), {player: FOR, rival: FOR, third: AGAINST})
    stage.hours(contest, 72)
    assert proposal().verdict == "failed"


def test_101_other_hours_of_110_are_waited_for_by_what_is_up(
    contest: Game, player: Player, rival: Player, third: Player
):
    """By the consent of all 72 hours become 24; a proposal that is up for vote has them then."""
    stage.propose(contest, player, 110, A_DAY)
    stage.vote(contest, proposal(), {player: FOR, rival: FOR, third: FOR})
    stage.hours(contest, 47)
    stage.propose(contest, rival, 501)
    second = Proposal.objects.get(number=2)
    stage.vote(contest, second, {rival: FOR, third: FOR})
    stage.hours(contest, 25)
    assert proposal().verdict == "adopted"
    second.refresh_from_db()
    assert second.verdict == "adopted"


# Regulation 112: taking effect


def test_112_the_older_regulation_of_that_number_is_repealed(
    contest: Game, player: Player, rival: Player
):
    stage.propose(contest, player, 320, "Nothing is counted here.")
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    assert told(contest) == [
        "Proposal 1 is adopted: 2 FOR, 0 AGAINST. Regulation 320 takes effect, and the older one"
        " of that number is repealed."
        " Not carried out as it reads: in “Regulation 320”, “Nothing is counted here.”."
    ]
    rules = contest.rules.filter(number="320").order_by("pk")
    assert [rule.repealed_in is None for rule in rules] == [False, True]


def test_112_where_the_contestmaster_keeps_the_announcing_it_takes_effect_by_that(
    contest: Game, act: Take, player: Player, rival: Player, master: Player
):
    keep_by_hand(contest, "announce")
    stage.propose(contest, player)
    assert refused(act, master, "announce", proposal=1) == (
        "not_adopted",
        "Proposal 1 is not decided yet, and is not announced.",
        "Regulation 112",
    )
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    assert told(contest) == [
        "Proposal 1 is adopted: 2 FOR, 0 AGAINST. The Contestmaster announces it."
    ]
    assert regulation(contest, 500) is None
    receipt = act(master, "aceofspades.announce", proposal=1)
    assert receipt.entry.text == f"Proposal 1 is adopted. {IN_FORCE}"
    assert regulation(contest, 500) is not None
    assert refused(act, master, "announce", proposal=1) == (
        "announced",
        "Proposal 1 was announced already.",
        "Regulation 112",
    )
    assert refused(act, master, "announce", proposal=9)[0] == "no_proposal"
    assert refused(act, player, "announce", proposal=1)[0] == "not_the_officer"


def test_112_what_failed_is_not_announced(
    contest: Game, act: Take, player: Player, rival: Player, master: Player
):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: AGAINST, rival: AGAINST})
    stage.hours(contest, 72)
    assert refused(act, master, "announce", proposal=1) == (
        "not_adopted",
        "Proposal 1 has failed, and is not announced.",
        "Regulation 112",
    )


def test_112_a_vacant_office_announces_what_waited(
    contest: Game, act: Take, player: Player, rival: Player, master: Player
):
    keep_by_hand(contest, "announce")
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    act(master, "games.resign_office", office="Contestmaster")
    assert told(contest)[-1] == f"Proposal 1 is adopted. {IN_FORCE}"
    assert proposal().effective_in is not None


def test_107_the_proposer_of_a_private_regulation_has_limited_need_to_know(
    contest: Game, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player, 501, "Hush.", visibility="private")
    stage.vote(contest, proposal(), {rival: FOR, third: FOR})
    stage.hours(contest, 72)
    assert told(contest)[0].endswith("Regulation 501 takes effect. It is private.")
    known = NeedToKnow.objects.get()
    assert (known.contestant.player, known.full) == (player, False)


def test_107_a_public_regulation_gives_its_proposer_no_need_to_know(
    contest: Game, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player, 500)
    stage.vote(contest, proposal(), {rival: FOR, third: FOR})
    stage.hours(contest, 72)
    assert told(contest)[0].endswith(IN_FORCE)
    assert not NeedToKnow.objects.exists()


def test_112_a_secret_regulation_takes_effect_and_nobody_knows(
    contest: Game, player: Player, rival: Player, master: Player
):
    stage.propose(contest, master, 501, "Hush.", visibility="secret")
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    assert told(contest)[0].endswith("Regulation 501 takes effect. It is secret.")
    assert not NeedToKnow.objects.exists()
    assert "Hush" not in str(list(contest.entries.values_list("text", "inputs", "outcome")))


def test_110_a_skipped_look_leaves_the_decision_to_the_next_leaving(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    stage.propose(contest, player)
    stage.vote(contest, proposal(), {player: FOR, rival: FOR})
    Appointment.objects.filter(kind="aceofspades.decision").update(
        status=AppointmentStatus.CANCELLED
    )
    stage.hours(contest, 80)
    assert proposal().is_up
    act(third, "aceofspades.leave")
    assert proposal().verdict == "adopted"


def test_looking_costs_the_same_however_many_proposals_are_up(
    contest: Game, act: Take, player: Player
):
    stage.propose(contest, player)
    stage.hours(contest, 73)
    with CaptureQueriesContext(connection) as one:
        act(player, "aceofspades.vote", proposal=1, vote=FOR)
    for number in range(502, 507):
        stage.propose(contest, player, number)
    stage.hours(contest, 73)
    with CaptureQueriesContext(connection) as six:
        act(player, "aceofspades.vote", proposal=3, vote=FOR)
    assert len(one) == len(six)


# What proves all of it


def verdicts() -> list[str]:
    return list(Proposal.objects.order_by("number").values_list("verdict", flat=True))


@pytest.mark.thorough
def test_decisions_of_every_kind_are_proved_by_a_replay(
    contest: Game, act: Take, player: Player, rival: Player, third: Player, master: Player
):
    """Proposals that are public, private and secret, by contestants and the Contestmaster."""
    proposed: list[tuple[Player, int, str, str, dict[Player, str]]] = [
        (player, 500, "Nothing more.", "public", {player: FOR, rival: FOR}),
        (player, 501, "Hush.", "private", {rival: FOR, third: FOR}),
        (master, 502, "Hush, hush.", "secret", {player: FOR, rival: FOR}),
        (player, 503, "No more.", "public", {player: AGAINST, rival: AGAINST}),
        (player, 320, "Nothing is counted here.", "public", {player: FOR, rival: FOR}),
        (player, 114, "No judgement.", "public", {player: FOR, rival: FOR, third: AGAINST}),
        (player, 110, A_DAY, "public", {player: FOR, rival: FOR, third: FOR}),
        (player, 113, "No reports any more.", "public", {player: FOR, rival: FOR}),
        (player, 504, "It waits.", "public", {player: FOR}),
        (rival, 505, "It waits, too.", "public", {player: AGAINST}),
    ]
    for by, number, text, visibility, votes in proposed:
        made = stage.propose(contest, by, number, text, visibility=visibility)
        stage.vote(contest, made, votes)
    stage.hours(contest, 72)
    at_72 = ["adopted"] * 3 + ["failed", "adopted", "failed", "adopted"]
    assert verdicts() == [*at_72, "", "", ""]
    act(third, "aceofspades.vote", proposal=8, vote=FOR)  # at the moment of the look
    stage.vote(contest, stage.propose(contest, rival, 506), {rival: FOR, third: FOR})
    stage.vote(contest, stage.propose(contest, rival, 507), {rival: FOR})
    stage.hours(contest, 24)
    assert verdicts() == [*at_72, "adopted", "", "", "adopted", ""]
    stage.hours(contest, 6)
    act(third, "aceofspades.vote", proposal=12, vote=FOR)
    act(rival, "aceofspades.leave")
    assert verdicts() == [*at_72, "adopted", "", "", "adopted", "adopted"]
    act(third, "games.leave")
    assert verdicts() == [*at_72, "adopted", "adopted", "failed", "adopted", "adopted"]
    again(contest)
