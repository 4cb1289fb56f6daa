"""B Nomic's Clock: nweeks that begin and end by themselves, at their moments, whatever happens."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.models import AppointmentStatus
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.events.clock import OPENS
from proposals.events.opening import CLOSES, TIMED_OUT
from proposals.models import NweekClock, Proposal
from proposals.state.reading import state_of
from tests.kit import WEDNESDAY, Take, at_the_table, seat

DAY = timedelta(days=1)
NWEEK = 12 * DAY
NDAY_9 = WEDNESDAY + 8 * DAY
THE_END = WEDNESDAY + NWEEK
MONDAY = datetime(2026, 3, 9, tzinfo=UTC)  # when the dice change their seed
SECOND = timedelta(seconds=1)


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


def happened(game: Game, *names: str) -> list[tuple[str, datetime]]:
    """The events of these names, Voting's beginnings and ends if left out, with their moments."""
    events = game.entries.filter(name__in=names or (OPENS, CLOSES)).order_by("seq")
    return list(events.values_list("name", "at"))


def clock(game: Game) -> NweekClock:
    return NweekClock.objects.get(game=game)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def with_length(game: Game, ndays: int | str) -> str:
    """The Clock's text with another length of the nweek."""
    text = str(game.rules.get(title="The Clock", repealed_in=None).text)
    assert "| An nweek | 12 |" in text
    return text.replace("| An nweek | 12 |", f"| An nweek | {ndays} |")


def replacing(title: str, text: str) -> str:
    return f"Replace the text of the rule “{title}” with: {{ {text} }}"


# By themselves


@pytest.mark.thorough
def test_ten_missed_nweeks_happen_once_in_order_each_at_its_own_moment(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, WEDNESDAY + 10 * NWEEK + timedelta(hours=1))
    assert happened(game) == [
        pair
        for begins in (WEDNESDAY + n * NWEEK for n in range(10))
        for pair in ((OPENS, begins + 8 * DAY), (CLOSES, begins + NWEEK))
    ]
    assert (clock(game).nweek, clock(game).began_at) == (11, WEDNESDAY + 10 * NWEEK)
    assert replay(fresh(game))[1] is None


def test_what_has_been_kept_is_not_kept_again(game: Game, player: Player) -> None:
    advance(game.slug, THE_END)
    before = game.entries.count()
    assert catch_up(game.pk) == sweep() == sweep() == 0
    assert game.entries.count() == before


def test_a_vote_at_the_moment_of_the_close_comes_after_it_and_is_refused(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    Game.objects.filter(pk=game.pk).update(anchor_game=THE_END - timedelta(microseconds=1))
    act(player, "proposals.vote", proposal=1, choice="AGAINST")
    Game.objects.filter(pk=game.pk).update(anchor_game=THE_END)
    with pytest.raises(Refused) as refused:
        act(player, "proposals.vote", proposal=1, choice="FOR")
    assert refused.value.refusal.sentence == "The vote on Proposal 1 is over."
    assert Proposal.objects.get().success == "Lost"


# The Clock on and off


def test_while_the_clock_is_off_no_nday_passes_and_ndelay_counts(
    game: Game, player: Player, act: Take
) -> None:
    advance(game.slug, WEDNESDAY + 3 * DAY)
    act(None, "proposals.turn_clock", to="off")
    with pytest.raises(Refused, match="off already"):
        act(None, "proposals.turn_clock", to="off")
    advance(game.slug, WEDNESDAY + 30 * DAY)
    assert happened(game) == []
    nweek = state_of(glance(fresh(game))).clock
    assert nweek is not None
    assert (nweek.nday(fresh(game).anchor_game, DAY, 12), nweek.gone) == (4, 3 * DAY)
    assert nweek.ndelay(fresh(game).anchor_game, DAY) == 28
    act(None, "proposals.turn_clock", to="on")
    advance(game.slug, WEDNESDAY + 39 * DAY)
    assert happened(game) == [(OPENS, WEDNESDAY + 35 * DAY), (CLOSES, WEDNESDAY + 39 * DAY)]


def test_a_clock_that_is_kept_by_hand_stands_at_the_end_of_each_nweek(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    act(None, "proposals.keep_by_hand", keeper="the officer", duty="clock")
    advance(game.slug, WEDNESDAY + 20 * DAY)
    assert happened(game) == [(OPENS, NDAY_9), (CLOSES, THE_END)]
    assert (clock(game).nweek, clock(game).is_on) == (2, False)
    act(None, "proposals.turn_clock", to="on")
    advance(game.slug, WEDNESDAY + 32 * DAY)
    assert happened(game)[2:] == [
        (OPENS, WEDNESDAY + 28 * DAY),
        (CLOSES, WEDNESDAY + 32 * DAY),
    ]
    act(None, "proposals.keep_by_hand", keeper="the system", duty="clock")
    assert clock(game).is_on
    assert replay(fresh(game))[1] is None


def test_a_clock_that_its_rule_turns_off_when_voting_begins_is_turned_on_by_hand(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    text = game.rules.get(title="The Clock").text
    text = text.replace("| When Voting begins | no |", "| When Voting begins | yes |")
    act(None, "rulebook.amend", rule="The Clock", text=text, reason="as was voted")
    act(None, "proposals.keep_by_hand", keeper="the officer", duty="clock")
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, WEDNESDAY + 20 * DAY)
    assert happened(game) == [(OPENS, NDAY_9)]
    act(player, "proposals.vote", proposal=1, choice="FOR")
    act(None, "proposals.turn_clock", to="on")
    advance(game.slug, WEDNESDAY + 24 * DAY)
    assert happened(game)[1:] == [(CLOSES, WEDNESDAY + 24 * DAY)]


# Pauses and outages


def real(preset: str, **more: str) -> Game:
    return new_game("real", preset, pace="real", **more)[0]  # type: ignore[arg-type]


def pause(wall: time_machine.Traveller, lasts: timedelta) -> None:
    take("real", None, "games.pause", {"reason": "holidays"})
    wall.shift(lasts)
    take("real", None, "games.resume")


def test_a_pause_in_the_middle_of_voting_takes_no_day_from_it(
    db: None, wall: time_machine.Traveller
) -> None:
    game = real("b-nomic-2006")
    wall.move_to(NDAY_9 + DAY)
    sweep()
    pause(wall, 30 * DAY)
    wall.move_to(THE_END + 30 * DAY - SECOND)
    sweep()
    assert happened(game) == [(OPENS, NDAY_9)]
    wall.shift(SECOND)
    sweep()
    assert happened(game)[1:] == [(CLOSES, THE_END)]
    assert game.entries.get(name=CLOSES).recorded_at == THE_END + 30 * DAY


def test_the_48_hours_of_a_queue_are_real_ones_and_go_on_in_a_pause(
    db: None, wall: time_machine.Traveller
) -> None:
    game = real("blognomic")
    murphy = seat(game, "Murphy")
    for name in ("Madrid", "juan", "snail", "Jason"):
        seat(game, name)
    for body in ("Spoons are nice.", "Forks are nicer."):
        take("real", murphy, "proposals.submit", {"body": body})
    wall.shift(timedelta(hours=1))
    pause(wall, timedelta(hours=30))
    wall.move_to(WEDNESDAY + timedelta(hours=48) - SECOND)
    sweep()
    assert happened(game, TIMED_OUT) == []
    wall.shift(SECOND)
    sweep()
    first, second = game.entries.filter(name=TIMED_OUT).order_by("seq")
    assert (first.recorded_at, first.at) == (
        WEDNESDAY + timedelta(hours=48),
        WEDNESDAY + timedelta(hours=18),
    )
    assert [each.passed for each in Proposal.objects.order_by("serial")] == [False, False]
    assert second.at >= first.at


def test_an_outage_that_shifts_the_game_costs_nobody_a_day_of_voting(
    db: None, wall: time_machine.Traveller
) -> None:
    game = real("b-nomic-2006", after_outage="shift")
    outage = 5 * DAY + timedelta(hours=1)
    for moment in (MONDAY, NDAY_9 + outage):
        wall.move_to(moment)
        sweep()
    assert happened(game) == [(OPENS, NDAY_9)]
    assert game.entries.filter(name="games.shift").exists()
    for moment in (MONDAY + timedelta(weeks=1) + outage, THE_END + outage - SECOND):
        wall.move_to(moment)
        sweep()
    assert happened(game) == [(OPENS, NDAY_9)]
    wall.shift(SECOND)
    sweep()
    assert happened(game)[1:] == [(CLOSES, THE_END)]


# Votes on the calendar itself


@pytest.mark.thorough
def test_a_vote_for_a_shorter_nweek_ends_the_next_one_at_the_right_moment(
    game: Game, player: Player, act: Take
) -> None:
    text = with_length(game, 10)
    act(player, "proposals.submit", body=replacing("The Clock", text))
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + 60 * DAY)
    assert Proposal.objects.get().passed
    assert happened(game)[1:5] == [
        (CLOSES, THE_END),
        (OPENS, THE_END + 8 * DAY),
        (CLOSES, THE_END + 10 * DAY),
        (OPENS, THE_END + 18 * DAY),
    ]
    assert replay(fresh(game))[1] is None


@pytest.mark.parametrize(
    ("ndays", "now", "ends"), [(11, NDAY_9 + DAY, WEDNESDAY + 11 * DAY), (9, NDAY_9 + 3 * DAY, 0)]
)
def test_a_correction_of_the_nweeks_length_ends_it_then_or_at_once_where_that_is_over(
    game: Game, player: Player, act: Take, ndays: int, now: datetime, ends: datetime
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, now)
    act(None, "rulebook.amend", rule="The Clock", text=with_length(game, ndays), reason="really")
    catch_up(game.pk)
    moment = ends or now
    advance(game.slug, WEDNESDAY + 12 * DAY)
    assert happened(game)[:2] == [(OPENS, NDAY_9), (CLOSES, moment)]
    assert clock(game).began_at == moment


def test_an_nweek_that_is_over_before_its_voting_began_has_both_at_once_in_order(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, WEDNESDAY + 5 * DAY)
    voting = game.rules.get(title="Proposals").text.replace("| Begins | 9 |", "| Begins | 2 |")
    act(None, "proposals.turn_clock", to="off")
    act(None, "rulebook.amend", rule="Proposals", text=voting, reason="really")
    act(None, "rulebook.amend", rule="The Clock", text=with_length(game, 3), reason="really")
    act(None, "proposals.turn_clock", to="on")
    advance(game.slug, WEDNESDAY + 5 * DAY)
    assert happened(game) == [(OPENS, WEDNESDAY + 5 * DAY), (CLOSES, WEDNESDAY + 5 * DAY)]
    assert Proposal.objects.get().status == "Historical"
    assert replay(fresh(game))[1] is None


# The rule itself


@pytest.mark.thorough
def test_the_repeal_of_the_main_rule_turns_the_machinery_off(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Forks", body="Forks are nicer.")
    advance(game.slug, THE_END)
    with at_the_table(game) as table:
        table.rules.repeal("Proposals")
    assert not game.appointments.filter(
        kind__startswith="proposals.", status=AppointmentStatus.WAITING
    ).exists()
    with pytest.raises(Refused, match="not in force"):
        act(player, "proposals.submit", body="Knives.")
    advance(game.slug, THE_END + 3 * NWEEK)
    assert len(happened(game)) == 2


@pytest.mark.thorough
def test_a_main_rule_of_another_title_is_played_on(game: Game, player: Player, act: Take) -> None:
    act(player, "proposals.submit", body="Retitle the rule “Proposals” to “Motions”.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, THE_END)
    assert game.rules.filter(title="Motions", repealed_in=None).exists()
    act(player, "proposals.submit", body="Knives.")
    advance(game.slug, THE_END + 8 * DAY)
    act(player, "proposals.vote", proposal=2, choice="FOR")
    advance(game.slug, THE_END + NWEEK)
    assert Proposal.objects.get(number=2).passed
    assert replay(fresh(game))[1] is None


# Nweeks after one another


def test_being_vested_changes_only_when_an_nweek_begins(
    db: None, subtests: pytest.Subtests
) -> None:
    game = new_game("vested", "b-nomic-5e33", pace="manual", start=WEDNESDAY)[0]
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")

    def vested() -> set[str]:
        return set(game.players.filter(vested=True).values_list("name", flat=True))

    assert vested() == {"Murphy", "Madrid"}
    take("vested", murphy, "proposals.submit", {"body": "Spoons are nice."})
    advance("vested", NDAY_9)
    take("vested", madrid, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    assert vested() == {"Murphy", "Madrid"}
    advance("vested", THE_END - SECOND)
    assert vested() == {"Murphy", "Madrid"}
    advance("vested", THE_END)
    assert vested() == {"Madrid"}
    seat(game, "juan")
    assert vested() == {"Madrid"}
    advance("vested", THE_END + NWEEK)
    assert vested() == set()


def test_one_that_was_left_undecided_harms_nothing_that_depends_on_it(db: None) -> None:
    game = new_game("undecided", "b-nomic-5e33", pace="manual", start=WEDNESDAY)[0]
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
    take("undecided", murphy, "proposals.submit", {"body": "Spoons are nice."})
    advance("undecided", NDAY_9)
    for player, word in ((murphy, "FOR"), (madrid, "AGAINST")):
        take("undecided", player, "proposals.vote", {"proposal": 1, "choice": word})
    advance("undecided", THE_END)
    first = Proposal.objects.get(number=1)
    assert (first.strength, first.success) == (0, "Undecided")
    take("undecided", murphy, "proposals.submit", {"body": "Forks.", "dependencies": [1]})
    advance("undecided", THE_END + 8 * DAY)
    take("undecided", murphy, "proposals.vote", {"proposal": 2, "choice": "FOR"})
    advance("undecided", THE_END + NWEEK)
    assert Proposal.objects.get(number=2).success == "Won"


def test_the_record_says_of_one_proposal_that_it_is_open(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    said = game.entries.get(name=OPENS).text
    assert said == "Voting of nweek 1 begins: Proposal 1 is Open."
