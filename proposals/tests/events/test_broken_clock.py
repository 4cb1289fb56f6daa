"""Turns of the calendar (The Clock) that fail: what sticks, and how the game goes on."""

import pytest

from nomic.engine.catch_up import catch_up
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.events.clock import OPENS
from proposals.events.opening import CLOSES
from proposals.models import Proposal
from proposals.tests.events.test_clock import (  # noqa: F401 - fixtures among them
    DAY,
    NDAY_9,
    NWEEK,
    THE_END,
    clock,
    fresh,
    happened,
    preset,
    replacing,
    with_length,
)
from tests.kit import WEDNESDAY, Take, failing, seat


@pytest.fixture
def stuck(game: Game, player: Player, act: Take) -> Game:
    """A game that is stuck where Voting would begin."""
    act(player, "proposals.submit", body="Spoons are nice.")
    with failing(OPENS):
        advance(game.slug, NDAY_9)
    return fresh(game)


def test_a_beginning_of_voting_that_fails_sticks_and_comes_at_its_moment(
    stuck: Game, player: Player, act: Take
) -> None:
    assert (stuck.state, stuck.stuck_at) == ("stuck", NDAY_9)
    act(None, "games.retry_appointment")
    catch_up(stuck.pk)
    assert happened(stuck) == [(OPENS, NDAY_9)]
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(stuck.slug, THE_END)
    assert Proposal.objects.get().passed
    assert replay(fresh(stuck))[1] is None


def test_a_beginning_of_voting_that_is_skipped_does_not_come_later_in_that_nweek(
    stuck: Game, act: Take
) -> None:
    act(None, "games.skip_appointment", reason="no vote this time")
    advance(stuck.slug, THE_END)
    assert happened(stuck) == [(CLOSES, THE_END)]
    assert Proposal.objects.get().status == "Pending"
    assert replay(fresh(stuck))[1] is None


def test_after_a_close_that_was_skipped_the_vote_goes_on_into_the_next_nweek(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    with failing(CLOSES):
        advance(game.slug, THE_END)
    act(None, "games.skip_appointment", reason="nobody can count this")
    assert fresh(game).state == "running"
    assert (clock(game).nweek, clock(game).voting) == (2, False)
    assert Proposal.objects.get().status == "Open"
    advance(game.slug, THE_END + NWEEK)
    assert happened(game)[1:] == [(OPENS, THE_END + 8 * DAY), (CLOSES, THE_END + NWEEK)]
    assert Proposal.objects.get().passed
    assert replay(fresh(game))[1] is None


def test_a_close_that_is_skipped_leaves_the_vested_players_as_they_are(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game("vested", "b-nomic-5e33", pace="manual", start=WEDNESDAY)[0]
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
    take("vested", murphy, "proposals.submit", {"body": "Spoons are nice."})
    advance("vested", NDAY_9)
    take("vested", madrid, "proposals.vote", {"proposal": 1, "choice": "FOR"})

    def fails(*_: object) -> None:
        raise RuntimeError("the votes cannot be counted")

    with monkeypatch.context() as broken:
        broken.setattr("proposals.events.appointments.close", fails)
        advance("vested", THE_END)
    assert fresh(game).state == "stuck"
    take("vested", None, "games.skip_appointment", {"reason": "nobody can count this"})
    assert (fresh(game).state, clock(game).nweek) == ("running", 2)
    assert set(game.players.filter(vested=True).values_list("name", flat=True)) == {
        "Murphy",
        "Madrid",
    }
    assert Proposal.objects.get().status == "Open"
    advance("vested", THE_END + NWEEK)
    assert happened(game)[1:] == [(OPENS, THE_END + 8 * DAY), (CLOSES, THE_END + NWEEK)]
    assert replay(fresh(game))[1] is None


def test_a_close_that_fails_sticks_and_goes_on_once_mended(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    with failing(CLOSES):
        advance(game.slug, THE_END)
    assert fresh(game).stuck_at == THE_END
    with pytest.raises(Refused, match="stuck"):
        act(player, "proposals.vote", proposal=1, choice="AGAINST")
    act(None, "games.retry_appointment")
    catch_up(game.pk)
    assert fresh(game).state == "running"
    assert happened(game) == [(OPENS, NDAY_9), (CLOSES, THE_END)]
    assert Proposal.objects.get().passed
    assert replay(fresh(game))[1] is None
