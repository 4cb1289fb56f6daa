"""How long a game's time takes, as an invitation tells it."""

from nomic.games.models import Game, Pace
from nomic.web.templatetags.moments import in_both_times


def test_a_fast_game_tells_its_week_and_its_day_in_the_time_of_everybody() -> None:
    told = in_both_times(Game(pace=Pace.FAST, rate=2016))
    assert told == "Time runs fast here: a week of the game takes 5 min, a day of it 42 s."


def test_a_game_at_the_real_pace_has_one_time() -> None:
    assert in_both_times(Game(pace=Pace.REAL, rate=1)) == ""
