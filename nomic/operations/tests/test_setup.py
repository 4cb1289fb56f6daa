"""Starting games: idempotent by slug, and with a sentence where it cannot be done."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.core.management import CommandError, call_command

from nomic.engine.models import AppointmentStatus
from nomic.engine.tests.tiny import TINY
from nomic.games.models import Game
from nomic.operations.setup import BadSetup, advance, new_game, seat_practice_players, set_pace
from tests.kit import all_at_once, user_of

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
EARLY, LATE = timezone(timedelta(hours=5)), timezone(timedelta(hours=-5))


def test_a_game_begins_with_its_rulebook_its_dice_and_what_is_to_come(game: Game) -> None:
    first = game.entries.get()
    assert (first.seq, first.name, first.at) == (1, "games.begin", WEDNESDAY)
    assert first.outcome["commitment"] == game.dice_periods.get().commitment
    assert list(game.rules.values_list("title", "enacted_in")) == [("Coins", 1)]
    waiting = game.appointments.filter(status=AppointmentStatus.WAITING)
    assert set(waiting.values_list("kind", flat=True)) == {"dice.week", "tiny.week"}


def test_a_slug_that_is_taken_gives_the_game_that_has_it(game: Game) -> None:
    again, is_new = new_game(game.slug, "agora-races", pace="fast")
    assert (again, is_new, again.preset) == (game, False, TINY)


def test_a_game_that_four_start_at_once_is_started_once(transactional_db: None) -> None:
    ends = all_at_once(*[lambda: new_game("same", TINY, pace="manual", start=WEDNESDAY)] * 4)
    assert not [end for end in ends if isinstance(end, Exception)], ends
    assert sorted(is_new for _, is_new in ends) == [False, False, False, True]
    assert Game.objects.get().entries.count() == 1


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"slug": ""}, "A slug has"),
        ({"slug": "UPPER"}, "A slug has"),
        ({"slug": "a\x00b"}, "A slug has"),
        ({"slug": "-a"}, "A slug has"),
        ({"slug": "a" * 41}, "A slug has"),
        ({"slug": "a\n"}, "A slug has"),
        ({"preset": "chess"}, "no preset “chess”"),
        ({"pace": "slow"}, "no pace “slow”"),
        ({"pace": "real", "start": datetime.now(UTC) + timedelta(days=1)}, "in the future"),
        ({"pace": "manual", "start": datetime.max.replace(tzinfo=UTC)}, "year 9000"),
        ({"pace": "manual", "start": datetime(9000, 1, 1, tzinfo=UTC)}, "year 9000"),
        ({"pace": "manual", "start": datetime(1899, 12, 31, tzinfo=UTC)}, "year 1900"),
        ({"pace": "real", "start": datetime.min.replace(tzinfo=EARLY)}, "year 1900"),
    ],
)
def test_a_game_that_cannot_be_started_is_not_and_the_reason_is_said(
    db: None, facts: dict[str, object], said: str
) -> None:
    asked = {"slug": "fine", "preset": TINY, "pace": "manual", **facts}
    slug, preset = asked.pop("slug"), asked.pop("preset")
    with pytest.raises(BadSetup, match=said):
        new_game(slug, preset, **asked)  # type: ignore[arg-type]
    assert not Game.objects.exists()


def test_time_ends_in_the_year_9000(game: Game) -> None:
    with pytest.raises(BadSetup, match="year 9000"):
        advance(game.slug, datetime(9999, 12, 31, tzinfo=UTC))


@pytest.mark.parametrize(
    "to", [datetime.min.replace(tzinfo=EARLY), datetime.max.replace(tzinfo=LATE)]
)
def test_a_moment_outside_the_calendar_is_refused_with_a_sentence(game: Game, to: datetime) -> None:
    with pytest.raises(BadSetup, match="Time begins with the year 1900"):
        advance(game.slug, to)


@pytest.mark.parametrize(
    "moment",
    ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "1899-12-31", "soon", "2026-02-30"],
)
def test_a_command_with_no_moment_of_any_game_says_so(game: Game, moment: str) -> None:
    with pytest.raises(CommandError, match=r"is not a moment|Time begins"):
        call_command("advance", game.slug, "--to", moment)
    with pytest.raises(CommandError, match=r"is not a moment|Time begins"):
        call_command("newgame", "new", "--preset", TINY, "--start", moment)


def test_a_game_has_a_host_where_the_host_fills_its_offices(db: None) -> None:
    landlord = user_of("landlord")
    call_command("newgame", "hosted", "--preset", TINY, "--host", "landlord")
    game = Game.objects.get(slug="hosted")
    assert (game.host, game.settings["offices"]) == (landlord, "host")
    call_command("newgame", "unhosted", "--preset", TINY, "--offices", "host")
    assert Game.objects.get(slug="unhosted").host is None
    with pytest.raises(CommandError, match="There is no user “juan”"):
        call_command("newgame", "third", "--preset", TINY, "--host", "juan")
    asked = ("newgame", "third", "--preset", TINY, "--host", "landlord", "--offices", "support")
    call_command(*asked)
    assert Game.objects.get(slug="third").host == landlord


def test_offices_are_open_in_practice_games_alone(db: None) -> None:
    with pytest.raises(CommandError, match="Open offices are for practice games"):
        call_command("newgame", "new", "--preset", TINY, "--pace", "real", "--offices", "open")
    with pytest.raises(CommandError, match="Open offices are for practice games"):
        call_command("newgame", "new", "--preset", TINY, "--offices", "open")  # real, unless said
    assert not Game.objects.exists()


def test_real_pace_is_for_games_that_begin_with_it(game: Game) -> None:
    with pytest.raises(BadSetup, match="from its start or never"):
        set_pace(game.slug, "real")


def test_practice_players_are_seated_once_and_cannot_sign_in(game: Game) -> None:
    seat_practice_players(game.slug, 3)
    seat_practice_players(game.slug, 3)
    seats = game.players.order_by("name").select_related("user")
    assert [seat.name for seat in seats] == ["player1", "player2", "player3"]
    assert not any(seat.user.has_usable_password() for seat in seats if seat.user)


def test_another_pace_is_told_as_what_time_does_and_not_as_a_setting(game: Game) -> None:
    for pace, told in (
        ("fast", "The game’s time now runs 2,016 times as fast as the clock."),
        ("manual", "Time stands still from now on, until it is set going again or moved by hand."),
    ):
        set_pace(game.slug, pace)
        assert game.entries.latest("seq").text == told
