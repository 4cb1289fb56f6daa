"""Players who are away: nobody waits for them, and nothing of theirs is lost."""

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.absence import AWAY, BACK, RETURN, SILENCE
from nomic.governance.models import Motion
from nomic.notices.fan_out import spread
from nomic.notices.models import Choices, Delivery, Notice
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.models import Proposal
from proposals.state.reading import state_of
from tests.kit import WEDNESDAY, Take, seat, user_of, write_anew

DAY = timedelta(days=1)


@pytest.fixture
def game(db: None) -> Game:
    """A game that votes by a simple majority, whose silent players are away after ten days."""
    return new_game(
        *("table", "nomic"), law="majority", pace="manual", start=WEDNESDAY, offices="support",
        silent_days=10,
    )[0]  # fmt: skip


@pytest.fixture
def players(game: Game) -> list[Player]:
    """Murphy, Madrid, Jason and snail, seated in this order."""
    return [seat(game, name) for name in ("Murphy", "Madrid", "Jason", "snail")]


def refusal_of(act: Take, *args: object, **inputs: object) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **inputs)
    return refused.value.refusal.sentence


def again(player: Player) -> Player:
    return Player.objects.get(pk=player.pk)


def test_nobody_waits_for_who_is_away(act: Take, game: Game, players: list[Player]) -> None:
    murphy, madrid, jason, snail = players
    act(jason, AWAY, until="2026-03-20")
    act(snail, AWAY)
    assert again(jason).away_until is not None
    standing = act(murphy, "games.stand", office="Chair").entry.outcome["motion"]
    act(madrid, "games.support", motion=standing)
    advance(game.slug, to=WEDNESDAY + timedelta(minutes=1))
    assert game.offices.get(name="Chair").holder == murphy, "one of the one other who is here"
    assert all(not finding.wrong for finding in audit(game))
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_support_given_before_going_counts_with_who_gave_it(
    act: Take, game: Game, players: list[Player]
) -> None:
    murphy, madrid, jason, _ = players
    standing = act(murphy, "games.stand", office="Chair").entry.outcome["motion"]
    act(jason, "games.support", motion=standing)
    act(jason, AWAY)
    assert Motion.objects.get(number=standing).end == "", "one of three is no majority"
    act(madrid, AWAY)
    advance(game.slug, to=WEDNESDAY + timedelta(minutes=1))
    assert Motion.objects.get(number=standing).end == "", "one of two is no majority either"


def test_who_acts_is_back(act: Take, game: Game, players: list[Player]) -> None:
    murphy, madrid, *_ = players
    act(madrid, AWAY, until="2026-03-20")
    assert game.appointments.waiting().filter(kind=RETURN).exists()
    standing = act(murphy, "games.stand", office="Chair").entry.outcome["motion"]
    entry = act(madrid, "games.support", motion=standing).entry
    assert entry.text.endswith("Madrid is back.")
    assert not again(madrid).is_away
    assert not game.appointments.waiting().filter(kind=RETURN).exists()
    assert refusal_of(act, madrid, BACK) == "You are not away."


def test_who_is_refused_stays_away(act: Take, game: Game, players: list[Player]) -> None:
    madrid = players[1]
    act(madrid, AWAY)
    refusal_of(act, madrid, "games.support", motion=77)
    assert again(madrid).is_away


def test_the_day_comes(act: Take, game: Game, players: list[Player]) -> None:
    madrid = players[1]
    act(madrid, AWAY, until="2026-03-06")
    advance(game.slug, to=WEDNESDAY + 3 * DAY)
    assert not again(madrid).is_away
    assert game.entries.get(name=RETURN).text == "Madrid is back: they were away until this day."
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.parametrize("day", ["2026-03-04", "2020-01-01", "2028-01-01"])
def test_a_day_that_is_none_to_come_is_refused(act: Take, players: list[Player], day: str) -> None:
    assert "Name a later day" in refusal_of(act, players[0], AWAY, until=day)


def test_everybody_is_counted_where_all_are_away(
    act: Take, game: Game, players: list[Player]
) -> None:
    proposed = act(players[0], "proposals.submit", title="Rest", body="We rest.").entry
    for player in players:
        act(player, AWAY)
    electorate = state_of(glance(game)).electorate
    assert electorate.headcount == len(players)
    assert proposed.seq


def test_silence_is_noticed_and_told_once(act: Take, game: Game, players: list[Player]) -> None:
    murphy, *_, snail = players
    for name in ("Madrid", "Jason"):
        user = user_of(name)
        user.email = f"{name.casefold()}@nomic.example"
        user.save()
        Choices.objects.create(user=user, mail=True)
    advance(game.slug, to=WEDNESDAY + 9 * DAY)
    act(murphy, "proposals.submit", title="Rest", body="We rest.")
    act(snail, "proposals.submit", title="Rest more", body="We rest more.")
    advance(game.slug, to=WEDNESDAY + 12 * DAY)
    assert {player.name for player in game.players.exclude(away_in=None)} == {"Madrid", "Jason"}
    entry = game.entries.get(name=SILENCE)
    assert entry.text == "Jason and Madrid are away: silent for 10 days."
    spread(entry.recorded_at)
    told = Notice.objects.filter(kind="away")
    assert {notice.user.username for notice in told} == {"Jason", "Madrid"}
    assert Delivery.objects.filter(notice__in=told).count() == 2
    act(murphy, "games.stand", office="Chair")
    spread(entry.recorded_at)
    assert not Delivery.objects.exclude(notice__in=told).filter(notice__user__username="Madrid")
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_without_the_rule_nobody_is_away_by_silence(
    act: Take, game: Game, players: list[Player]
) -> None:
    write_anew(game, "Absence", "| Silent for | 10 |", "| Silent for | 300 |")
    advance(game.slug, to=WEDNESDAY + 30 * DAY)
    assert not game.players.exclude(away_in=None).exists()


def test_who_leaves_is_away_no_more(act: Take, game: Game, players: list[Player]) -> None:
    act(players[0], AWAY, until="2026-03-20")
    act(players[0], "games.leave")
    assert not again(players[0]).is_away
    assert not game.appointments.waiting().filter(kind=RETURN).exists()


def test_no_quorum_waits_for_who_is_away_and_their_votes_stay(
    act: Take, game: Game, players: list[Player]
) -> None:
    murphy, madrid, jason, snail = players
    for title in ("Rest", "Rest more"):
        act(murphy, "proposals.submit", title=title, body="@remark We rest.")
    advance(game.slug, to=WEDNESDAY + timedelta(minutes=1))
    first, second = Proposal.objects.order_by("serial")
    act(madrid, "proposals.vote", proposal=first.handle, choice="AGAINST")
    for player in (madrid, jason, snail):
        act(player, AWAY)
    for proposal in (first, second):
        act(murphy, "proposals.vote", proposal=proposal.handle, choice="FOR")
    advance(game.slug, to=WEDNESDAY + 8 * DAY)
    figures = {each.title: each.figures for each in Proposal.objects.all()}
    assert figures["Rest"]["against"] == 1, "a vote given before stays"
    assert figures["Rest"]["quorum"] == 2, "of Murphy and Madrid, who has voted"
    assert figures["Rest more"]["quorum"] == 1
    assert all(not finding.wrong for finding in audit(game))
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_the_host_pauses_and_resumes_unless_a_rule_asks_for_support(
    act: Take, game: Game, players: list[Player]
) -> None:
    murphy, madrid, jason, _ = players
    Game.objects.filter(pk=game.pk).update(host=murphy.user)
    host = murphy.user
    assert act(host, "games.host_pause", reason="a feast").entry.text == (
        "The host pauses the game: a feast"
    )
    act(madrid, AWAY)  # a pause is when people go on holiday
    act(host, "games.host_resume")
    write_anew(
        game, "Absence", "| A pause by the host | the host's word |",
        "| A pause by the host | support |",
    )  # fmt: skip
    assert "takes support" in refusal_of(act, host, "games.host_pause", reason="a feast")
    announced = act(madrid, "games.pause_together", reason="a feast").entry.outcome["motion"]
    for player in (murphy, jason):
        act(player, "games.support", motion=announced)
    assert Game.objects.get(pk=game.pk).paused_at is not None
