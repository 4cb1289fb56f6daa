"""Races on paper: a field and the runs to resolve, as JSON, by the shipped rule texts.

For communities that run their races elsewhere. Needs no game and no database; no Django here.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, model_validator

from horses.rules.charts import Charts
from horses.rules.race import PLACE_NAMES, Horse, run, started_anew
from horses.rules.race import Field as HorseField
from nomic.games.on_paper import (
    Belongs,
    Json,
    Misfit,
    Otherwise,
    Shape,
    Whole,
    one_of,
    resolve_each,
    shaped,
    shortened,
)

_CHARTS = Charts.as_shipped()
_DISTANCES = _CHARTS.distances
_NO_HORSE = f"{{}} is no horse; the horses are {', '.join(_CHARTS.names)}."


def _pulls(names: list[Json]) -> list[str]:
    for at, name in enumerate(names):
        if not isinstance(name, str) or name not in _CHARTS.names:
            raise ValueError(_NO_HORSE.format(shortened(name)))
        if name in names[:at]:
            raise ValueError(f"{name} stands twice; pulls are a set of horses.")
    return names


Name = Annotated[str, one_of(_CHARTS.names), Otherwise(_NO_HORSE)]
Distance = Annotated[
    int,
    one_of(_DISTANCES),
    Otherwise(f"a distance is one of {', '.join(map(str, _DISTANCES))}, not {{}}."),
]
OneRun = Annotated[
    tuple[Name, Distance],
    Field(strict=False),
    Otherwise('a galloper and a distance, as in ["Fargo", 2], belong here, not {}.'),
]


class HorseGiven(Shape):
    """A horse; what is left out is as when a race starts anew."""

    called: ClassVar[str] = "a horse"
    position: Annotated[int, Whole(_CHARTS.track.start, _CHARTS.track.finish)] = _CHARTS.track.start
    place: Annotated[Annotated[int, one_of(PLACE_NAMES)] | None, Belongs("1, 2, 3 or null")] = None
    pulls: Annotated[list[Json], Belongs("a list of horses"), AfterValidator(_pulls)] = []


class Case(Shape):
    """A field and the runs to resolve on it, each a galloper and a distance in steps."""

    horses: Annotated[dict[Name, HorseGiven], Belongs("an object with the horses by name")]
    runs: Annotated[list[OneRun], Belongs("a list of runs")]

    @model_validator(mode="after")
    def _each_place_is_one_horses(self) -> Case:
        places: dict[int, str] = {}
        for name, horse in self.horses.items():
            if horse.place is not None and places.setdefault(horse.place, name) != name:
                sentence = f"{places[horse.place]} is {PLACE_NAMES[horse.place]} already."
                raise Misfit(sentence, "horses", name, "place")
        return self

    @property
    def field(self) -> HorseField:
        """The horses as given; one that is left out stands at the start with its pulls."""
        field = started_anew(_CHARTS.track, _CHARTS.pulls)
        for name, horse in self.horses.items():
            pulls = horse.pulls if "pulls" in horse.model_fields_set else field[name].pulls
            field = field.with_horse(Horse(name, horse.position, horse.place, frozenset(pulls)))
        return field


def race(source: str) -> str:
    """The result, as JSON, of the case or list of cases in `source`; WrongOnPaper if it is none."""
    return resolve_each(source, lambda case, where: _result(shaped(Case, case, where)))


def _result(case: Case) -> dict[str, Json]:
    """Every run in turn. After a run that ends the race, the race starts anew."""
    field, runs = case.field, []
    for galloper, distance in case.runs:
        resolved = run(field, galloper, distance, _CHARTS.pull_steps)
        runs.append(resolved.to_dict())
        field = resolved.field
        if resolved.race_ended:
            field = started_anew(_CHARTS.track, _CHARTS.pulls)
    final = {
        name: {"position": field[name].position, "place": field[name].place} for name in field.names
    }
    return {"runs": runs, "final": final}
