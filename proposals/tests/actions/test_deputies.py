"""What the office that keeps the proposals is late with, another player does as its deputy."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.models import Proposal
from tests.kit import WEDNESDAY, Take

OFFICER = "the officer"
SPOONS = "Enact a new rule titled “Spoons” and the following text: { Nice. }"
REMARK = "Everybody is to be nice."
WEEK = timedelta(days=7)
LATE = timedelta(days=3)  # a day to announce it, and two until a deputy does
CHAIR = "Assessor"


@pytest.fixture
def game(db: None) -> Game:
    """One in which there is a rule on offices and who is late with what they owe."""
    return new_game("table", "agora-proposals", pace="manual", start=WEDNESDAY, offices="host")[0]


@pytest.fixture
def officer(game: Game, player: Player, rival: Player, newcomer: Player, act: Take) -> Player:
    """Who keeps the proposals, and counts by hand."""
    act(None, "games.appoint", office=CHAIR, player=newcomer.name)
    act(newcomer, "proposals.keep_by_hand", keeper=OFFICER, duty="counting")
    return newcomer


@pytest.fixture
def newcomer(game: Game) -> Player:
    from tests.kit import seat

    return seat(game, "snail")


def the() -> Proposal:
    return Proposal.objects.get(number=1)


def voted_on(game: Game, players: list[Player], act: Take, body: str) -> None:
    act(players[0], "proposals.submit", body=body)
    for voter in players:
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + WEEK)


def why_not(act: Take, who: Player, name: str, **inputs: object) -> str:
    with pytest.raises(Refused) as refused:
        act(who, name, **inputs)
    return refused.value.refusal.sentence


def test_a_result_that_is_late_is_told_and_announced_by_a_deputy(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    voted_on(game, [player, rival, officer], act, SPOONS)
    announce = {"proposal": 1, "outcome": "ADOPTED"}
    advance(game.slug, WEDNESDAY + WEEK + timedelta(days=1))
    told = game.entries.filter(outcome__has_key="breach").get()
    assert told.text.endswith(
        f"The {CHAIR}, snail, let a day after the vote go by without announcing the result of"
        " Proposal 1."
    )
    assert "nothing of it is so late now" in why_not(act, rival, "proposals.announce", **announce)
    advance(game.slug, WEDNESDAY + WEEK + LATE)
    entry = act(rival, "proposals.announce", **announce).entry
    assert entry.text.startswith(
        f"Madrid acts as deputy of the {CHAIR}. Madrid announces the result. Proposal 1: "
    )
    assert entry.outcome["deputy_for"] == CHAIR
    assert (the().passed, the().status) == (True, "Historical")
    assert game.entries.filter(outcome__has_key="breach").count() == 1
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_a_deputy_who_announces_otherwise_waits_for_objections_as_the_officer_does(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    voted_on(game, [player, rival, officer], act, SPOONS)
    advance(game.slug, WEDNESDAY + WEEK + LATE)
    otherwise = {"proposal": 1, "outcome": "REJECTED", "reason": "two are one"}
    said = act(rival, "proposals.announce", **otherwise).entry.text
    assert said.startswith(f"Madrid acts as deputy of the {CHAIR}. Madrid announces Motion 1: ")
    assert "unless a player objects" in said
    advance(game.slug, WEDNESDAY + WEEK + LATE + timedelta(days=1))
    done = game.entries.filter(name="games.motion").get()
    assert f"Madrid acts as deputy of the {CHAIR}." in done.text
    assert the().passed is False


def test_a_deputys_announcement_ends_when_the_office_is_vacant_by_then(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    voted_on(game, [player, rival, officer], act, SPOONS)
    advance(game.slug, WEDNESDAY + WEEK + LATE)
    otherwise = {"proposal": 1, "outcome": "REJECTED", "reason": "two are one"}
    act(rival, "proposals.announce", **otherwise)
    act(officer, "games.resign_office", office=CHAIR)
    assert the().passed is True  # the system counts
    advance(game.slug, WEDNESDAY + WEEK + LATE + timedelta(days=1))
    assert game.motions.get().end == "failed"
    assert game.motions.get().note == "The result is announced already."


def test_a_sentence_is_carried_out_by_a_deputy_when_it_is_late(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", keeper="the system", duty="counting")
    voted_on(game, [player, rival, officer], act, REMARK)
    done = {"proposal": 1, "place": 1, "entry": 0, "note": "It is a wish."}
    assert "Only the" in why_not(act, rival, "proposals.carry_out", **done)
    advance(game.slug, WEDNESDAY + 2 * WEEK + LATE)
    said = act(rival, "proposals.carry_out", **done).entry.text
    assert said.startswith(f"Madrid acts as deputy of the {CHAIR}. Madrid announces Motion 1: ")
    advance(game.slug, WEDNESDAY + 2 * WEEK + LATE + timedelta(days=1))
    assert the().errands.get().done_in is not None
    assert replay(Game.objects.get(pk=game.pk))[1] is None
