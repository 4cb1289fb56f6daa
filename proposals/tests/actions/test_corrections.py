"""What the officer who keeps the proposals corrects waits for objections, and follows a vote."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.actions.manual_changes import cited_by
from proposals.models import Errand
from proposals.state.reading import state_of
from tests.kit import WEDNESDAY, Take, seat

WORDS = "The Assessor shall word the rule “Voting” anew, so that it is merry."


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


@pytest.fixture
def game(db: None, preset: str) -> Game:
    return new_game("table", preset, pace="manual", start=WEDNESDAY, offices="support")[0]


@pytest.fixture
def players(game: Game) -> list[Player]:
    return [seat(game, name) for name in ("Murphy", "Madrid", "Jason", "snail")]


@pytest.fixture
def office(game: Game) -> str:
    return game.offices.earliest("pk").name


@pytest.fixture
def officer(game: Game, players: list[Player], office: str, act: Take) -> Player:
    """snail, who keeps the proposals by the players' support."""
    act(players[3], "games.stand", office=office)
    for each in players[:2]:
        act(each, "games.support", motion=1)
    return players[3]


def hours(game: Game, number: float) -> None:
    game.refresh_from_db()
    advance(game.slug, game.anchor_game + timedelta(hours=number))


def refused(act: Take, actor: Player, name: str, **inputs: object) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.code


@pytest.fixture
def left(game: Game, officer: Player, players: list[Player], act: Take) -> Errand:
    """A sentence of a passed proposal that is left to the officer."""
    act(players[0], "proposals.submit", title="Moods", body="Be merry.")
    for voter in players:
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    hours(game, 24 * 8)
    return Errand.objects.get()


@pytest.mark.thorough
def test_a_text_that_a_vote_left_to_the_officer_is_written_by_them_when_nobody_objects(
    game: Game, officer: Player, players: list[Player], left: Errand, act: Take
) -> None:
    change = {"rule": "Voting", "text": "Be merry."}
    assert refused(act, officer, "rulebook.amend", **change, reason="as voted") == "not_adopted"
    cites = {**change, "reason": "Proposal 1, change 1: “Be merry.”"}
    announced = act(officer, "rulebook.amend", **cites).entry.seq
    about = {"proposal": 1, "place": left.place, "note": ""}
    assert cited_by([left]) == {}
    assert refused(act, officer, "proposals.carry_out", **about, entry=announced) == "no_correction"
    hours(game, 24)
    made = game.entries.filter(name="games.motion", outcome__end="done").latest("seq").seq
    assert cited_by([left]) == {left.pk: made}
    assert glance(Game.objects.get()).rules.text("Voting") == "Be merry.\n"
    act(officer, "proposals.carry_out", **about, entry=made)
    again = {"rule": "Voting", "text": "Be merrier.", "reason": cites["reason"]}
    assert refused(act, officer, "rulebook.amend", **again) == "not_adopted"
    assert replay(Game.objects.get())[1] is None


@pytest.mark.thorough
def test_an_officer_gives_themselves_no_mandate_against_an_objection(
    game: Game, officer: Player, players: list[Player], left: Errand, act: Take
) -> None:
    said = ["Be glad.", "Be kind.", "Be brave."]
    more = {"title": "More", "body": "Be glad. Be kind.\n\nBe\nbrave.", "remarks": said}
    act(players[0], "proposals.submit", **more)
    for voter in players:
        act(voter, "proposals.vote", proposal=2, choice="FOR")
    hours(game, 24 * 8)
    taken = {"proposal": 2, "reason": "as voted"}
    for words in ("e", "Be", "glad. Be", "Be glad. Be"):
        assert refused(act, officer, "proposals.take_up", **taken, words=words) == "not_whole"
    said = act(officer, "proposals.take_up", **taken, words="Be glad. Be kind.").entry
    act(players[0], "games.object", motion=said.outcome["motion"])
    act(officer, "proposals.take_up", **taken, words="Be brave.")
    hours(game, 24)
    assert Errand.objects.filter(proposal__number=2).get().sentence == "Be brave."
    assert replay(Game.objects.get())[1] is None


@pytest.mark.thorough
def test_an_adopted_change_is_not_dropped_against_an_objection(
    game: Game, officer: Player, players: list[Player], left: Errand, act: Take
) -> None:
    about = {"proposal": 1, "place": left.place, "entry": 0, "note": "We are."}
    said = act(officer, "proposals.carry_out", **about).entry
    act(players[0], "games.object", motion=said.outcome["motion"])
    hours(game, 24)
    assert Errand.objects.get().done_in is None
    act(players[0], "games.support", motion=said.outcome["motion"])
    assert Errand.objects.get().done_in == Game.objects.get().last_entry
    assert replay(Game.objects.get())[1] is None


def test_what_a_sentence_lets_be_done_by_hand_is_done_without_a_day_of_objection(
    game: Game, officer: Player, left: Errand, act: Take
) -> None:
    about = {"proposal": 1, "place": left.place}
    vague = {**about, "entry": 0, "done": True, "note": ""}
    assert refused(act, officer, "proposals.carry_out", **vague) == "no_reason"
    both = {**vague, "entry": 3, "note": "We are."}
    assert refused(act, officer, "proposals.carry_out", **both) == "both"
    said = act(officer, "proposals.carry_out", **{**both, "entry": 0}).entry
    assert said.text == (
        "snail states that was done by hand: “Be merry.” of Proposal 1 “Moods”. We are."
    )
    assert Errand.objects.get().done_in == said.seq
    assert replay(Game.objects.get())[1] is None


def test_a_change_that_a_vote_asks_for_is_not_done_beside_what_is_kept(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    body = "Amend the rule “No Such Rule” to read:\n\n{\nNothing.\n}\n"
    act(players[0], "proposals.submit", title="Moods", body=body)
    for voter in players:
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    hours(game, 24 * 8)
    about = {"proposal": 1, "place": Errand.objects.get().place, "entry": 0, "note": "It is."}
    assert refused(act, officer, "proposals.carry_out", **about, done=True) == "no_correction"


def test_a_citation_of_another_sentence_carries_nothing(
    game: Game, officer: Player, left: Errand, act: Take
) -> None:
    for reason in ("Proposal 1, change 12: “Be merry.”", "Proposal 11, change 1", "Proposal 1"):
        change = {"rule": "Voting", "text": "Be merry.", "reason": reason}
        assert refused(act, officer, "rulebook.amend", **change) == "not_adopted"


def test_points_are_the_officers_and_a_player_who_is_not_it_corrects_none(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    move = {"amount": 5, "asset": "points", "giver": "Mint", "reason": "a slip"}
    assert refused(act, players[0], "ledger.correct", **move, receiver="Murphy") == (
        "not_your_domain"
    )
    act(officer, "ledger.correct", **move, receiver="snail")
    act(players[0], "games.object", motion=2)
    hours(game, 30)
    assert glance(game).ledger.balance(officer, "points") == 0


@pytest.mark.thorough
def test_a_voting_strength_waits_and_a_struck_vote_may_be_decided_meanwhile(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    act(players[0], "proposals.submit", title="Moods", body="Be merry.")
    for voter in players:
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    act(officer, "proposals.set_strength", who="Murphy", strength=7, reason="a ribbon")
    struck = {"proposal": 1, "voter": "Murphy", "reason": "it was not theirs"}
    act(officer, "proposals.strike_vote", **struck)
    assert state_of(glance(game)).electorate.strengths == {}
    hours(game, 24)
    game.refresh_from_db()
    assert state_of(glance(game)).electorate.strengths == {"Murphy": 7}
    assert "strikes the vote FOR of Murphy" in game.entries.latest("seq").text
    act(players[0], "proposals.vote", proposal=1, choice="FOR")
    hours(game, 24 * 7 - 30)
    act(officer, "proposals.strike_vote", **struck)
    hours(game, 24)
    last = game.entries.filter(name="games.motion").latest("seq")
    assert (last.outcome["end"], last.outcome["recount"]) == ("done", [])
    assert replay(Game.objects.get())[1] is None


@pytest.mark.thorough
def test_only_the_vote_that_stood_when_it_was_announced_is_struck(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    act(players[0], "proposals.submit", title="Moods", body="Be merry.")
    struck = {"proposal": 1, "voter": "Murphy", "reason": "it was not theirs"}
    for choice in ("FOR", "AGAINST"):
        act(players[0], "proposals.vote", proposal=1, choice=choice)
    for _ in range(2):
        act(officer, "proposals.strike_vote", **struck)
    hours(game, 24)
    act(officer, "proposals.strike_vote", **struck)
    act(players[0], "proposals.vote", proposal=1, choice="AGAINST")
    hours(game, 24)
    ends = game.motions.filter(number__gt=1).order_by("number").values_list("end", flat=True)
    assert list(ends) == ["done", "failed", "failed"]
    assert "does not stand any more" in game.motions.latest("number").note
    assert replay(Game.objects.get())[1] is None
