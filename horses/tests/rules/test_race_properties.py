"""What holds on every track, whatever the field."""

from hypothesis import given
from hypothesis import strategies as st

from horses.rules.charts import Charts
from horses.rules.race import Field, Horse, run, step

CHARTS = Charts.as_shipped()
NAMES = CHARTS.names
TRACK = CHARTS.track


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Any field a race can come to: at most two places taken, by horses at the finish."""
    placed = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=2))
    horses = {}
    for name in NAMES:
        place = placed.index(name) + 1 if name in placed else None
        at = TRACK.finish if place else draw(st.integers(TRACK.start, TRACK.finish))
        horses[name] = Horse(name, at, place, draw(st.frozensets(st.sampled_from(NAMES))))
    return Field(horses, TRACK)


@given(fields(), st.sampled_from(NAMES), st.sampled_from((1, -1)), st.integers(0, 40))
def test_steps_stay_on_the_track_and_add_up(field, name, by, times):
    moves, after = step(field, name, by, times)
    assert TRACK.start <= after[name].position <= TRACK.finish
    moved = after[name].position - field[name].position
    assert moved == by * times or after[name].position in (TRACK.start, TRACK.finish)
    assert [move.after - move.before for move in moves] == ([moved] if moved else [])
    assert all(after[other] == field[other] for other in NAMES if other != name)


@given(fields(), st.sampled_from(NAMES), st.sampled_from(CHARTS.distances))
def test_a_run_only_goes_forward_and_its_moves_tell_all_of_it(field, galloper, distance):
    result = run(field, galloper, distance, CHARTS.pull_steps)
    at = {name: field[name].position for name in NAMES}
    for move in result.moves:
        assert at[move.horse] == move.before < move.after
        at[move.horse] = move.after
    assert at == {name: result.field[name].position for name in NAMES}
    pulled = result.moves[bool(result.galloped) :]
    assert result.galloped == min(distance, TRACK.finish - field[galloper].position)
    assert [move.horse for move in pulled] == sorted({move.horse for move in pulled})
    assert {move.horse for move in pulled} <= field[galloper].pulls


@given(fields(), st.sampled_from(NAMES), st.sampled_from(CHARTS.distances))
def test_after_a_run_nobody_waits_at_the_finish_unless_the_race_ended(field, galloper, distance):
    result = run(field, galloper, distance, CHARTS.pull_steps)
    waiting = [
        horse
        for horse in result.field.horses.values()
        if horse.running and horse.position == TRACK.finish
    ]
    assert not waiting or result.race_ended
    taken = sorted(horse.place for horse in result.field.horses.values() if horse.place)
    assert taken == list(range(1, len(taken) + 1))
    assert result.race_ended == (len(taken) == 3)
    assert [c.horse for c in result.crossed] == sorted(c.horse for c in result.crossed)


@given(fields(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_pulls_are_a_set(field, horse, added):
    once = field.with_pull(horse, added)
    assert once[horse].pulls == field[horse].pulls | {added}
    assert once.with_pull(horse, added) == once
