"""What happens on the track, by example (The Horses Run, Motivating Horses, Horse Multiplier)."""

from dataclasses import replace

import pytest

from horses.rules.charts import Charts
from horses.rules.race import (
    Crossing,
    Field,
    Horse,
    HorseMove,
    Track,
    cross,
    has_lowest,
    run,
    started_anew,
    step,
)

CHARTS = Charts.as_shipped()
PULL = CHARTS.pull_steps


def field_with(**horses: tuple[int, int | None]) -> Field:
    """The field at the start of a race, but for these positions and places."""
    field = started_anew(CHARTS.track, CHARTS.pulls)
    for name, (position, place) in horses.items():
        field = field.with_horse(Horse(name, position, place, field[name].pulls))
    return field


def positions(field: Field) -> dict[str, int]:
    return {name: field[name].position for name in field.names if field[name].position}


def places(field: Field) -> dict[str, int | None]:
    return {name: field[name].place for name in field.names if field[name].place}


def test_a_race_starts_with_everyone_at_the_start_and_running():
    field = field_with()
    assert len(field.names) == 8
    assert positions(field) == places(field) == {}
    assert field["Fargo"].pulls == {"Alexia", "Destructor"}


def test_the_galloper_moves_and_then_its_pulls_by_the_alphabet():
    result = run(field_with(), "Fargo", 2, PULL)
    assert result.moves == (
        HorseMove("Fargo", 0, 2),
        HorseMove("Alexia", 0, 1),
        HorseMove("Destructor", 0, 1),
    )
    assert result.galloped == 2
    assert positions(result.field) == {"Fargo": 2, "Alexia": 1, "Destructor": 1}
    assert (result.crossed, result.race_ended) == ((), False)


@pytest.mark.parametrize(
    ("position", "by", "times", "after"),
    [(15, 1, 3, 16), (16, 1, 2, 16), (1, -1, 2, 0), (0, -1, 2, 0), (7, -1, 2, 5)],
)
def test_a_step_that_would_leave_the_track_cannot_happen(position, by, times, after):
    moves, field = step(field_with(Sugar=(position, None)), "Sugar", by, times)
    assert field["Sugar"].position == after
    assert moves == (() if after == position else (HorseMove("Sugar", position, after),))


def test_a_horse_beyond_an_end_that_was_moved_can_still_step_towards_it():
    field = replace(field_with(Sugar=(14, None)), track=Track(2, 10))
    assert step(field, "Sugar", 1)[0] == ()
    assert step(field, "Sugar", -1, 2)[0] == (HorseMove("Sugar", 14, 12),)
    assert step(field, "Fargo", 1)[0] == (HorseMove("Fargo", 0, 1),)
    assert step(field, "Fargo", -1)[0] == ()


def test_a_horse_that_is_its_own_pull_takes_that_step_after_its_gallop():
    result = run(field_with().with_pull("Nacho", "Nacho"), "Nacho", 1, PULL)
    assert [move.horse for move in result.moves] == ["Nacho", "Baxter", "Cannon", "Nacho"]
    assert result.galloped == 1


def test_a_galloper_at_the_finish_stays_and_its_pulls_move():
    result = run(field_with(Rubert=(16, 1)), "Rubert", 3, PULL)
    assert result.moves == (HorseMove("Alexia", 0, 1), HorseMove("Cannon", 0, 1))
    assert result.galloped == 0
    assert result.crossed == ()


def test_horses_at_the_finish_cross_by_the_alphabet_not_by_who_came_first():
    result = run(field_with(Sugar=(16, None), Alexia=(15, None)), "Alexia", 1, PULL)
    assert result.crossed == (Crossing("Alexia", 1), Crossing("Sugar", 2))
    assert not result.race_ended


def test_the_third_place_ends_the_race_and_nobody_crosses_after_it():
    field = field_with(
        Nacho=(16, 1), Baxter=(16, None), Cannon=(16, None), Rubert=(16, None), Sugar=(16, None)
    )
    result = run(field, "Alexia", 1, PULL)
    assert result.crossed == (Crossing("Baxter", 2), Crossing("Cannon", 3))
    assert result.race_ended
    assert places(result.field) == {"Nacho": 1, "Baxter": 2, "Cannon": 3}
    assert result.field["Rubert"].running


def test_a_place_that_is_free_is_given_before_a_later_one():
    crossed, field = cross(field_with(Fargo=(16, 2), Alexia=(16, None), Baxter=(16, None)))
    assert crossed == (Crossing("Alexia", 1), Crossing("Baxter", 3))
    assert places(field) == {"Alexia": 1, "Baxter": 3, "Fargo": 2}


def test_all_eight_at_the_finish_give_three_places():
    crossed, _ = cross(field_with(**dict.fromkeys(CHARTS.names, (16, None))))
    assert [crossing.horse for crossing in crossed] == ["Alexia", "Baxter", "Cannon"]


def test_the_lowest_position_may_be_shared():
    field = field_with(Alexia=(3, None))
    assert has_lowest(field, "Sugar")
    assert not has_lowest(field, "Alexia")


@pytest.mark.parametrize(
    ("horse", "multiplier"),
    [
        (Horse("Alexia", 16, 1), 5),
        (Horse("Baxter", 16, 2), 4),
        (Horse("Cannon", 16, 3), 4),
        (Horse("Rubert", 16, 1), 9),
        (Horse("Sugar", 16, 3), 7),
        (Horse("Fargo", 12), 1),
        (Horse("Fargo", 16), 1),
        (Horse("Fargo", 11), 0),
        (Horse("Nacho", 0), 0),
    ],
)
def test_the_multiplier_goes_by_place_and_else_by_position(horse, multiplier):
    assert CHARTS.multiplier(horse) == multiplier
