"""While nobody keeps the proposals the system does what it can; the rest is asked of all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Errand, NweekClock, Proposal
from tests.kit import WEDNESDAY, Take, seat

AFTER_A_WEEK = WEDNESDAY + timedelta(days=7)
BY_HAND = "Set the mood of the isle to merry."
BE_GLAD = "Be glad."
OFFICER = "the officer"


@pytest.fixture
def preset(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "agora-proposals"))


@pytest.fixture(autouse=True)
def holds_together(game: Game) -> Iterator[None]:
    """Whatever a test does, audit and replay find nothing wrong afterwards."""
    yield
    now = Game.objects.get(pk=game.pk)
    assert [finding for finding in audit(now) if finding.wrong] == []
    assert replay(now)[1] is None


def refusal_of(act: Take, actor: object, name: str, **inputs: object) -> str:
    with pytest.raises(Refused) as refused:
        act(actor, name, **inputs)
    return refused.value.refusal.code


@pytest.fixture
def kept_back(game: Game, player: Player, officer: Player, act: Take) -> Game:
    """A game with a proposal that waits for the officer's hand."""
    for duty in ("numbers", "distribution"):
        act(officer, "proposals.keep_by_hand", duty=duty, keeper=OFFICER)
    act(player, "proposals.submit", body="Nothing.")
    return game


@pytest.mark.parametrize("how", ["resigns", "leaves"])
def test_what_waited_for_the_officer_is_done_when_there_is_none(
    how: str, kept_back: Game, officer: Player, act: Take
) -> None:
    advance(kept_back.slug, WEDNESDAY + timedelta(days=2))
    assert Proposal.objects.get(game=kept_back).status == "Pending"
    if how == "resigns":
        act(officer, "games.resign_office", office="Assessor")
    else:
        act(officer, "games.leave")
    advance(kept_back.slug, WEDNESDAY + timedelta(days=2))  # what is due at this moment happens
    proposal = Proposal.objects.get(game=kept_back)
    assert (proposal.number, proposal.status) == (1, "Open")


@pytest.mark.thorough
def test_a_new_officer_finds_the_duties_kept_as_the_last_one_left_them(
    kept_back: Game, player: Player, officer: Player, act: Take
) -> None:
    act(officer, "games.resign_office", office="Assessor")
    assert (
        refusal_of(act, None, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER) == "vacant"
    )
    act(player, "games.take_office", office="Assessor")
    act(officer, "proposals.submit", body="Something.")
    advance(kept_back.slug, AFTER_A_WEEK)
    assert Proposal.objects.get(game=kept_back, serial=2).status == "Pending"


@pytest.mark.parametrize("preset", ["b-nomic-2006"], indirect=True)
def test_a_clock_that_stood_goes_on_when_nobody_could_turn_it_on(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.turn_clock", to="off")
    act(officer, "games.resign_office", office="Administrator")
    assert NweekClock.objects.get(game=game).is_on


@pytest.fixture
def passed(game: Game, player: Player, act: Take) -> Game:
    """A vote has left a sentence to be carried out by hand, and nobody keeps the proposals."""
    rivals = [seat(game, name) for name in ("Madrid", "Jason")]
    act(player, "proposals.submit", body=f"{BY_HAND}\n\n{BE_GLAD}", remarks=[BE_GLAD])
    for each in (player, *rivals):
        act(each, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, AFTER_A_WEEK)
    assert Errand.objects.filter(proposal__game=game, done_in__isnull=True).exists()
    return game


@pytest.mark.thorough
def test_a_sentence_left_to_nobody_is_carried_out_by_the_players_support(
    passed: Game, player: Player, act: Take
) -> None:
    told = {"proposal": 1, "place": 1, "entry": 0, "note": "It is merry."}
    said = act(player, "proposals.carry_out", **told).entry
    assert said.text.startswith("Murphy announces Motion 1: “Change 1 of 1 was carried out")
    assert Errand.objects.get().done_in is None
    madrid, jason = passed.players.get(name="Madrid"), passed.players.get(name="Jason")
    act(madrid, "games.support", motion=1)
    act(jason, "games.support", motion=1)
    assert Errand.objects.get().done_in == Game.objects.get(pk=passed.pk).last_entry
    act(madrid, "proposals.take_up", proposal=1, words=BE_GLAD, reason="it is sad again")


@pytest.mark.thorough
def test_with_an_officer_it_is_theirs_alone(passed: Game, player: Player, act: Take) -> None:
    told = {"proposal": 1, "place": 1, "entry": 0, "note": "It is merry."}
    act(player, "proposals.carry_out", **told)
    officer = passed.players.get(name="Jason")
    act(officer, "games.take_office", office="Assessor")
    madrid = passed.players.get(name="Madrid")
    assert refusal_of(act, madrid, "proposals.carry_out", **told) == "not_the_officer"
    act(madrid, "games.support", motion=1)
    act(officer, "games.support", motion=1)
    assert passed.motions.get().end == "failed"
    act(officer, "proposals.carry_out", **told)
    assert Errand.objects.get().done_in
