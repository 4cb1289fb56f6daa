"""What the Assessor finds of single votes: strengths, quorums, indices, votes on conditions, and
decisions that are made again (Decisions)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal, Status
from proposals.office.desk import duties_of
from proposals.state.reading import state_of
from tests.kit import WEDNESDAY, Take, afterwards

WEEK = timedelta(days=7)
SPOONS = "Enact a new rule titled “Spoons” and the following text: { Nice. }"


@pytest.fixture
def preset() -> str:
    return "nomic"


@pytest.fixture(autouse=True)
@afterwards
def holds_together(game: Game) -> Iterator[None]:
    """Whatever a test does, audit and replay find nothing wrong afterwards."""
    yield
    now = Game.objects.get(pk=game.pk)
    assert [finding for finding in audit(now) if finding.wrong] == []
    assert replay(now)[1] is None


def the(number: int = 1) -> Proposal:
    return Proposal.objects.get(number=number)


def close(game: Game, weeks: int = 1) -> Proposal:
    advance(game.slug, WEDNESDAY + weeks * WEEK)
    return the()


def propose(act: Take, by: Player, **more: object) -> None:
    act(by, "proposals.submit", **{"body": SPOONS, **more})


def vote(act: Take, *choices: tuple[Player, str]) -> None:
    for by, choice in choices:
        act(by, "proposals.vote", proposal=1, choice=choice)


def test_the_officers_figure_for_a_ballot_counts_in_place_of_any_other(
    game: Game, act: Take, officer: Player, player: Player, rival: Player
):
    propose(act, player)
    vote(act, (player, "FOR"), (rival, "AGAINST"), (officer, "AGAINST"))
    strong = {"who": "Murphy", "proposal": 1, "strength": 20, "reason": "Eir stones."}
    act(officer, "proposals.set_ballot_strength", **strong)
    assert close(game).passed
    assert (the().figures["for_strength"], the().figures["against_strength"]) == (20, 6)


def test_a_decision_has_the_quorum_and_the_index_that_the_officer_found(
    game: Game, act: Take, officer: Player, player: Player, rival: Player
):
    propose(act, player)
    vote(act, (player, "FOR"), (officer, "FOR"), (rival, "AGAINST"))
    found = {"proposals": [1], "quorum": 2, "index": "2.125", "reason": "As distributed."}
    act(officer, "proposals.set_decision", **found)
    rejected = close(game)
    assert (rejected.passed, rejected.figures["quorum"]) == (False, 2)
    assert rejected.reasons[0] == "Rejected: F/A is 6/3, which is less than the adoption index" + (
        " 2.125."
    )


def test_present_counts_towards_the_quorum(
    game: Game, act: Take, officer: Player, player: Player, rival: Player
):
    propose(act, player)
    vote(act, (player, "FOR"), (officer, "PRESENT"), (rival, "PRESENT"))
    act(officer, "proposals.set_decision", proposals=[1], quorum=3, reason="As distributed.")
    assert close(game).passed


def test_a_vote_on_a_condition_is_what_the_officer_resolves_it_to_also_for_who_endorses_it(
    game: Game, act: Take, officer: Player, player: Player, rival: Player
):
    propose(act, player)
    vote(act, (player, "CONDITIONAL AGAINST if it rains, else FOR"), (rival, "ENDORSE Murphy"))
    vote(act, (officer, "PRESENT"))
    found = {"proposal": 1, "voter": "Murphy", "word": "FOR", "reason": "It does not rain."}
    act(officer, "proposals.resolve_vote", **found)
    assert close(game).figures["counted"] == {"Murphy": "FOR", "Madrid": "FOR", "snail": "PRESENT"}


def test_a_condition_that_nobody_resolved_is_present_and_said_to_be_so(
    game: Game, act: Take, officer: Player, player: Player, rival: Player
):
    propose(act, player)
    vote(act, (player, "CONDITIONAL FOR if it rains"), (rival, "FOR"), (officer, "FOR"))
    assert "Nobody has resolved the vote of Murphy on a condition: it is PRESENT." in (
        close(game).reasons
    )


def test_a_condition_has_words_and_is_resolved_only_where_there_is_one(
    act: Take, officer: Player, player: Player
):
    propose(act, player)
    with pytest.raises(Refused, match="needs the condition after it"):
        act(player, "proposals.vote", proposal=1, choice="CONDITIONAL")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    found = {"proposal": 1, "voter": "Murphy", "word": "FOR", "reason": "So."}
    with pytest.raises(Refused, match="Murphy has cast no vote on a condition on Proposal 1"):
        act(officer, "proposals.resolve_vote", **found)


@pytest.mark.parametrize(
    ("name", "finding"),
    [
        ("set_ballot_strength", {"who": "Murphy", "proposal": 1, "strength": 20}),
        ("set_decision", {"proposals": [1], "quorum": 2, "index": "2.125"}),
        ("resolve_vote", {"proposal": 1, "voter": "Murphy", "word": "FOR"}),
    ],
)
def test_what_was_found_already_is_not_found_again(
    act: Take, officer: Player, player: Player, name: str, finding: dict[str, object]
):
    propose(act, player)
    vote(act, (player, "CONDITIONAL FOR if it rains"))
    act(officer, f"proposals.{name}", **finding, reason="It rains.")
    with pytest.raises(Refused, match="There is nothing to correct: "):
        act(officer, f"proposals.{name}", **finding, reason="It rains.")


@pytest.mark.thorough
def test_a_decision_that_failed_is_withdrawn_and_made_again(
    game: Game, act: Take, officer: Player, player: Player, rival: Player
):
    act(officer, "proposals.keep_by_hand", keeper="the officer", duty="distribution")
    propose(act, player)
    act(officer, "proposals.distribute", proposal=1)
    vote(act, (player, "FOR"), (rival, "AGAINST"), (officer, "AGAINST"))
    assert close(game).passed is False
    act(officer, "proposals.withdraw_decision", proposal=1, reason="Two votes came too late.")
    assert (the().status, the().passed) == (Status.PENDING, None)
    act(officer, "proposals.distribute", proposal=1)
    vote(act, (player, "FOR"), (rival, "FOR"), (officer, "PRESENT"))
    assert close(game, 2).passed
    assert the().figures["ballots"] == 3


def test_an_open_decision_is_withdrawn_and_its_close_with_it(
    game: Game, act: Take, officer: Player, player: Player
):
    act(officer, "proposals.keep_by_hand", keeper="the officer", duty="distribution")
    propose(act, player)
    act(officer, "proposals.distribute", proposal=1)
    vote(act, (player, "FOR"))
    act(officer, "proposals.withdraw_decision", proposal=1, reason="It was distributed too soon.")
    assert close(game).status == Status.PENDING
    assert not any("close" in duty.title for _, duty in duties_of(state_of(glance(game))))


def test_what_was_adopted_stands(
    game: Game, act: Take, officer: Player, player: Player, rival: Player
):
    propose(act, player)
    vote(act, (player, "FOR"), (rival, "FOR"), (officer, "FOR"))
    assert close(game).passed
    for name, more in (
        ("withdraw_decision", {"proposal": 1}),
        ("set_decision", {"proposals": [1], "quorum": 9}),
        ("set_ballot_strength", {"proposal": 1, "who": "snail", "strength": 0}),
    ):
        with pytest.raises(Refused, match="Proposal 1"):
            act(officer, f"proposals.{name}", reason="No.", **more)


def test_co_authors_may_be_persons_who_do_not_play(act: Take, player: Player):
    propose(act, player, coauthors=["Oerjan", "Bucky"])
    assert the().coauthors == ["Oerjan", "Bucky"]
