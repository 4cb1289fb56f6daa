"""Calendars that no table tells any more: what sticks, and how the game goes on."""

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
from tests.kit import WEDNESDAY, Take, seat


@pytest.fixture
def broken(game: Game, player: Player, act: Take) -> Game:
    """A game whose players broke the Clock's table by a vote."""
    act(player, "proposals.submit", body=replacing("The Clock", with_length(game, "many")))
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, THE_END)
    act(player, "proposals.submit", title="Forks", body="Forks are nicer.")
    return fresh(game)


@pytest.mark.usefixtures("third_readings")
def test_a_clock_that_a_vote_broke_sticks_for_all_to_see_when_voting_is_due(
    broken: Game,
) -> None:
    assert Proposal.objects.get(number=1).passed
    assert broken.state == "running"
    advance(broken.slug, THE_END + 8 * DAY)
    stuck = fresh(broken)
    assert (stuck.state, stuck.stuck_at) == ("stuck", THE_END + 8 * DAY)
    assert "“many” under NDAYS for An nweek" in stuck.stuck_error


@pytest.mark.thorough
@pytest.mark.usefixtures("third_readings")
def test_an_officer_mends_the_clock_and_voting_begins_at_its_moment(
    broken: Game, player: Player, act: Take
) -> None:
    advance(broken.slug, THE_END + 8 * DAY)
    mended = broken.rules.get(title="The Clock").text.replace("many", "10")
    act(None, "rulebook.amend", rule="The Clock", text=mended, reason="ten was meant")
    if fresh(broken).state == "stuck":
        act(None, "games.retry_appointment")
    catch_up(broken.pk)
    assert happened(broken)[2:] == [(OPENS, THE_END + 8 * DAY)]
    act(player, "proposals.vote", proposal=2, choice="FOR")
    advance(broken.slug, THE_END + 10 * DAY)
    assert Proposal.objects.get(number=2).passed
    assert replay(fresh(broken))[1] is None


@pytest.mark.usefixtures("third_readings")
def test_a_beginning_of_voting_that_is_skipped_does_not_come_later_in_that_nweek(
    broken: Game, act: Take
) -> None:
    advance(broken.slug, THE_END + 8 * DAY)
    act(None, "games.skip_appointment", reason="no vote this time")
    mended = broken.rules.get(title="The Clock").text.replace("many", "12")
    act(None, "rulebook.amend", rule="The Clock", text=mended, reason="twelve was meant")
    advance(broken.slug, THE_END + NWEEK)
    assert happened(broken)[2:] == [(CLOSES, THE_END + NWEEK)]
    assert Proposal.objects.get(number=2).status == "Pending"
    assert replay(fresh(broken))[1] is None


@pytest.mark.usefixtures("third_readings")
def test_after_a_close_that_was_skipped_the_vote_goes_on_into_the_next_nweek(
    game: Game, player: Player, act: Take
) -> None:
    good = game.rules.get(title="The Clock").text
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    act(None, "rulebook.amend", rule="The Clock", text=with_length(game, "many"), reason="a slip")
    advance(game.slug, THE_END)
    act(None, "games.skip_appointment", reason="nobody can count this")
    assert (fresh(game).state, clock(game).nweek, clock(game).voting) == ("running", 1, True)
    act(None, "rulebook.amend", rule="The Clock", text=good, reason="mended")
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


@pytest.mark.usefixtures("third_readings")
def test_a_table_that_an_officer_broke_sticks_at_the_close_and_goes_on_once_mended(
    game: Game, player: Player, act: Take
) -> None:
    good = game.rules.get(title="The Clock").text
    broken = with_length(game, "many")
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    act(None, "rulebook.amend", rule="The Clock", text=broken, reason="a slip")
    advance(game.slug, THE_END)
    assert fresh(game).stuck_at == THE_END
    with pytest.raises(Refused, match="stuck"):
        act(player, "proposals.vote", proposal=1, choice="AGAINST")
    act(None, "rulebook.amend", rule="The Clock", text=good, reason="mended")
    if fresh(game).state == "stuck":
        act(None, "games.retry_appointment")
    catch_up(game.pk)
    assert fresh(game).state == "running"
    assert happened(game) == [(OPENS, NDAY_9), (CLOSES, THE_END)]
    assert Proposal.objects.get().passed
    assert replay(fresh(game))[1] is None
