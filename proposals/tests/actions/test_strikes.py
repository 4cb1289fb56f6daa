"""Votes that the officer strikes, and what would have become of the proposals then."""

from __future__ import annotations

import pytest

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from proposals.models import Proposal
from proposals.state.retally import retally
from proposals.tests.actions.test_chair import (  # noqa: F401 - fixtures among them
    AFTER_A_WEEK,
    NDAY_9,
    THE_END,
    holds_together,
    preset,
    refused,
    the,
    under,
)
from tests.kit import Take, seat


@pytest.mark.thorough
def test_a_struck_vote_does_not_count_and_the_one_before_it_does(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    with refused("^No vote of “Murphy” on Proposal 1 stands.$"):
        act(officer, "proposals.strike_vote", proposal=1, voter="Murphy", reason="a mistake")
    with refused("^This game has no proposal 5.$"):
        act(officer, "proposals.strike_vote", proposal=5, voter="Murphy", reason="a mistake")
    struck = {"proposal": 1, "voter": "Madrid", "reason": "a mistake."}
    said = act(officer, "proposals.strike_vote", **struck).entry.text
    assert said == "snail strikes the vote AGAINST of Madrid on Proposal 1: a mistake."
    for voter in (player, officer):
        act(voter, "proposals.vote", proposal=1, choice="PRESENT")
    advance(game.slug, AFTER_A_WEEK)
    assert the(game).figures["counted"] == {
        "Madrid": "FOR",
        "Murphy": "PRESENT",
        "snail": "PRESENT",
    }
    said = act(officer, "proposals.strike_vote", **struck).entry.text
    assert said.endswith(
        "Counted again: Proposal 1 was ADOPTED and would be FAILED QUORUM: Failed quorum: 2 of 3"
        " ballots."
    )
    with refused("^No vote of “Madrid” on Proposal 1 stands.$"):
        act(officer, "proposals.strike_vote", **struck)


def test_a_vote_that_changes_nothing_says_so_when_it_is_struck_after_the_close(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    juan = seat(game, "juan")
    act(player, "proposals.submit", body="Nothing.")
    for voter in (player, rival, officer, juan):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, AFTER_A_WEEK)
    said = act(officer, "proposals.strike_vote", proposal=1, voter="juan", reason="a mistake")
    assert said.entry.text.endswith("Counted again, every result stays what it was.")
    assert said.entry.outcome["recount"] == []


@pytest.mark.thorough
def test_votes_that_nobody_may_see_are_struck_after_the_close_only(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    text = game.rules.get(title="Voting").text
    sealed = text.replace("While voting lasts | yes", "While voting lasts | no")
    act(None, "rulebook.amend", rule="Voting", text=sealed, reason="as it was voted")
    act(player, "proposals.submit", body="Nothing.")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    for voter in ("Murphy", "nobody"):
        with refused("^Nobody may see yet who voted what on Proposal 1: wait for the close.$"):
            act(officer, "proposals.strike_vote", proposal=1, voter=voter, reason="a mistake")
    advance(game.slug, AFTER_A_WEEK)
    act(officer, "proposals.strike_vote", proposal=1, voter="Murphy", reason="a mistake")


@pytest.mark.thorough
@under("blognomic")
def test_a_strike_lets_the_queue_move(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    seat(game, "juan")
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    for voter, word in ((player, "FOR"), (rival, "FOR"), (rival, "DEFERENTIAL"), (officer, "FOR")):
        act(voter, "proposals.vote", proposal=1, choice=word)
    assert the(game).status == "Open"
    said = act(officer, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a slip").entry
    assert "a slip. Proposal 1 “Spoons”: Reached quorum 3 votes to 0." in said.text
    assert the(game).outcome == "Enacted"
    again = act(officer, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a slip").entry
    assert "was Enacted and would not have been decided then: Not decided yet" in again.text


@under("blognomic")
def test_the_votes_on_a_withdrawn_proposal_were_never_counted(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    act(player, "proposals.withdraw", proposal=1)
    with refused("^The votes on Proposal 1 were never counted: it was withdrawn.$"):
        act(officer, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a slip")


@pytest.mark.thorough
@under("b-nomic-2006")
def test_a_recount_tells_of_every_proposal_that_would_have_fared_otherwise(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    act(player, "proposals.submit", title="Forks", body="Nothing.", conflicts=[1])
    act(player, "proposals.submit", title="Knives", body="Nothing.", dependencies=[1])
    advance(game.slug, NDAY_9)
    for voter, number in ((player, 1), (rival, 1), (officer, 2), (officer, 3)):
        act(voter, "proposals.vote", proposal=number, choice="FOR")
    advance(game.slug, THE_END)
    assert [the(game, serial).outcome for serial in (1, 2, 3)] == ["Won", "Lost", "Won"]
    struck = {"proposal": 1, "voter": "Madrid", "reason": "they had left"}
    recount = act(officer, "proposals.strike_vote", **struck).entry.outcome["recount"]
    assert [(each["number"], each["was"], each["would_be"]) for each in recount] == [
        (1, "Won", "Lost"),
        (2, "Lost", "Won"),
        (3, "Won", "Lost"),
    ]
    assert [the(game, serial).outcome for serial in (1, 2, 3)] == ["Won", "Lost", "Won"]


@pytest.mark.thorough
def test_a_recount_is_among_those_and_by_the_tables_of_that_time(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Nothing.")
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, AFTER_A_WEEK)
    for name in ("juan", "Jason", "ais523"):
        seat(game, name)
    text = game.rules.get(title="Voting").text.replace("| At least | 3 |", "| At least | 6 |")
    act(None, "rulebook.amend", rule="Voting", text=text, reason="as it was voted")
    act(rival, "games.leave")
    assert retally(glance(Game.objects.get(pk=game.pk)), the(game)) == []


@under("b-nomic-5e33")
def test_what_became_of_a_linked_proposal_later_does_not_count_in_a_recount(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.submit", title="Forks", body="Nothing.")
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    Proposal.objects.get(game=game, serial=1).links.create(other=the(game, 2), kind="dependency")
    advance(game.slug, THE_END)
    act(player, "proposals.withdraw", proposal=2)
    said = act(officer, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a slip").entry
    assert said.text.endswith("every result stays what it was.")
    the(game).links.all().delete()
