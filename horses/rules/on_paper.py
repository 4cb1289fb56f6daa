"""Races on paper: a field and the runs to resolve, as JSON, by the shipped rule texts.

For communities that run their races elsewhere. Needs no game and no database; no Django here.
"""

from __future__ import annotations

from dataclasses import dataclass

from horses.rules.charts import Charts, shipped_charts
from horses.rules.race import PLACE_NAMES, Field, Horse, Run, run, started_anew
from nomic.games.cases import CaseWrong, Json, check_fields, is_whole, resolve_each, shown


@dataclass(frozen=True, slots=True)
class Case:
    """A field and the runs to resolve on it, each a galloper and a distance in steps."""

    field: Field
    runs: tuple[tuple[str, int], ...]


def race(source: str) -> str:
    """The result, as JSON, of the case or list of cases in `source`; CaseWrong if it is none."""
    charts = shipped_charts()
    return resolve_each(source, lambda given, where: _result(_case(given, charts, where), charts))


def _result(case: Case, charts: Charts) -> dict[str, Json]:
    """Every run in turn. After a run that ends the race, the race starts anew."""
    field, runs = case.field, []
    for galloper, distance in case.runs:
        resolved = run(field, galloper, distance, charts.motivating.pull_steps)
        runs.append(run_as_json(resolved))
        field = resolved.field
        if resolved.race_ended:
            field = started_anew(charts.track, charts.pulls)
    final = {
        name: {"position": field[name].position, "place": field[name].place} for name in field.names
    }
    return {"runs": runs, "final": final}


def run_as_json(resolved: Run) -> dict[str, Json]:
    """Moves as [horse, from, to], the gallop one and each pull one; crossings as [horse, place]."""
    return {
        "moves": [[move.horse, move.before, move.after] for move in resolved.moves],
        "crossed": [[crossing.horse, crossing.place] for crossing in resolved.crossed],
        "race_ended": resolved.race_ended,
    }


def _case(given: Json, charts: Charts, where: str) -> Case:
    check_fields(given, ("horses", "runs"), where, "the case")
    for name in ("horses", "runs"):
        if name not in given:
            raise CaseWrong(f"{where}{name}: it is missing.")
    return Case(_field(given["horses"], charts, where), _runs(given["runs"], charts, where))


def _field(given: Json, charts: Charts, where: str) -> Field:
    """The horses as given; one that is left out stands at the start with the pulls of the table."""
    if not isinstance(given, dict):
        raise CaseWrong(
            f"{where}horses: an object with the horses by name belongs here, not {shown(given)}."
        )
    field = started_anew(charts.track, charts.pulls)
    places: dict[int, str] = {}
    for name, own in given.items():
        horse = _horse(
            _name(name, charts, f"{where}horses"), own, field, charts, f"{where}horses.{name}"
        )
        if horse.place is not None and places.setdefault(horse.place, name) != name:
            raise CaseWrong(
                f"{where}horses.{name}.place: {places[horse.place]} is "
                f"{PLACE_NAMES[horse.place]} already."
            )
        field = field.with_horse(horse)
    return field


def _horse(name: str, given: Json, field: Field, charts: Charts, where: str) -> Horse:
    check_fields(given, ("position", "place", "pulls"), f"{where}: ", "a horse")
    own, track = field[name], charts.track
    position, place = given.get("position", own.position), given.get("place")
    if not is_whole(position) or not track.start <= position <= track.finish:
        raise CaseWrong(
            f"{where}.position: a whole number from {track.start} to {track.finish} belongs here, "
            f"not {shown(position)}."
        )
    if place is not None and (not is_whole(place) or place not in PLACE_NAMES):
        raise CaseWrong(f"{where}.place: 1, 2, 3 or null belongs here, not {shown(place)}.")
    pulls = own.pulls
    if "pulls" in given:
        pulls = _pulls(given["pulls"], charts, f"{where}.pulls")
    return Horse(name, position, place, pulls)


def _pulls(given: Json, charts: Charts, where: str) -> frozenset[str]:
    if not isinstance(given, list):
        raise CaseWrong(f"{where}: a list of horses belongs here, not {shown(given)}.")
    names = [_name(name, charts, where) for name in given]
    for name in names:
        if names.count(name) > 1:
            raise CaseWrong(f"{where}: {name} stands twice; pulls are a set of horses.")
    return frozenset(names)


def _runs(given: Json, charts: Charts, where: str) -> tuple[tuple[str, int], ...]:
    if not isinstance(given, list):
        raise CaseWrong(f"{where}runs: a list of runs belongs here, not {shown(given)}.")
    runs = []
    for number, one in enumerate(given):
        place = f"{where}runs[{number}]"
        if not isinstance(one, list) or len(one) != 2:
            raise CaseWrong(
                f'{place}: a galloper and a distance, as in ["Fargo", 2], belong here, '
                f"not {shown(one)}."
            )
        galloper, distance = one
        if not is_whole(distance) or distance not in charts.motivating.distances:
            choices = ", ".join(map(str, charts.motivating.distances))
            raise CaseWrong(f"{place}[1]: a distance is one of {choices}, not {shown(distance)}.")
        runs.append((_name(galloper, charts, f"{place}[0]"), distance))
    return tuple(runs)


def _name(given: Json, charts: Charts, where: str) -> str:
    if not isinstance(given, str) or given not in charts.names:
        raise CaseWrong(
            f"{where}: {shown(given)} is no horse; the horses are {', '.join(charts.names)}."
        )
    return given
