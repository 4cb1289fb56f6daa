"""Rows as plain values without database ids, to compare two games by."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from django.apps import apps
from django.db.models import Case, Exists, QuerySet, Sum, When

from nomic.compiled import CompiledValues, among
from nomic.games.models import Game, Player, way_to_the_game
from nomic.rulebook.models import Rule

_KNOWN_BY: dict[type, Sequence[str]] = {Player: ("name",), Rule: ("title", "enacted_in")}


class Listing:
    """Rows of all games, each told by these columns.

    Without `columns` a row stands as all that it says; what it refers to, as what tells that from
    others of its kind.
    """

    def __init__(self, rows: Callable[[], QuerySet[Any]], *columns: str) -> None:
        self._rows, self._named = rows, columns
        self._in_one_alone = CompiledValues(self._how_many_more)

    @cached_property
    def model(self) -> Any:
        """The model of the rows."""
        return self._rows().model

    @cached_property
    def way(self) -> str:
        """The lookup by which the rows of a game are found."""
        return way_to_the_game(self.model)

    @property
    def hangs_on(self) -> Any:
        """The model of what the rows name first on the way to their game: Game, or one between."""
        return self.model._meta.get_field(self.way.partition("__")[0]).related_model

    def of(self, game: Game) -> list[Any]:
        """The rows of that game as tuples, in any order."""
        rows = self._rows().filter(**{self.way: game}).order_by()
        return list(rows.values_list(*self._columns))

    def plain(self, game: Game) -> list[list[Any]]:
        """The same as plain values, in an order that does not depend on database ids."""
        return sorted(([_as_plain(cell) for cell in row] for row in self.of(game)), key=repr)

    def are_in(self, games: Any) -> Exists:
        """Whether one of these games has any, as a part of a query."""
        return Exists(self._in(games))

    def differs(self, was: Game, again: Game) -> bool:
        """Whether one of the games has a row that the other has not, or has more often. Nothing is
        read of rows that both have."""
        return self._in_one_alone.first(both=[was.pk, again.pk], was=was.pk) is not None

    @cached_property
    def _columns(self) -> Sequence[str]:
        return self._named or _columns(self.model)

    def _in(self, games: Any) -> QuerySet[Any]:
        return self._rows().filter(among(self.way, games)).order_by()

    def _how_many_more(self, both: Any, was: Any) -> QuerySet[Any, Any]:
        """Of each row, by how many the one game has more of it than the other, unless by none."""
        more = Sum(Case(When(**{self.way: was}, then=1), default=-1))
        rows: QuerySet[Any, Any] = self._in(both).values(*self._columns).annotate(more=more)
        return rows.exclude(more=0).values_list("more")


class Listings:
    """Several of them, by their names."""

    def __init__(self, by_name: Mapping[str, Listing]) -> None:
        self._by_name = by_name
        self._in_all = CompiledValues(lambda games: self._asked(games, by_name))
        self._in_first = CompiledValues(lambda games: self._asked(games, self._first))

    def differing(self, was: Game, again: Game, *, but: Collection[str] = ()) -> list[str]:
        """The names of those, except of these, that are not the same of both games."""
        found = [name for name in self.with_rows(was, again) if name not in but]
        return [name for name in found if self._by_name[name].differs(was, again)]

    def with_rows(self, *games: Game) -> list[str]:
        """The names of those of which one of the games has any: most have none, and each table's
        own statement costs more to make than to run.

        Rows that hang on others of these are looked for only where there are any that do not.
        """
        asked = {"games": [each.pk for each in games], "pk": games[0].pk}
        if not self._first or not any(self._in_first.get(**asked)):
            return []
        found = self._in_all.get(**asked)
        return [name for name, has_rows in zip(self._by_name, found, strict=True) if has_rows]

    @cached_property
    def _first(self) -> list[str]:
        """The names of those whose rows hang on no others of these."""
        models = {each.model for each in self._by_name.values()}
        return [name for name, each in self._by_name.items() if each.hangs_on not in models]

    def _asked(self, games: Any, names: Iterable[str]) -> QuerySet[Any, Any]:
        """Of each of these names, whether one of the games has rows of it."""
        found = (self._by_name[name].are_in(games) for name in names)
        return Game.objects.order_by().values_list(*found)


def _as_plain(cell: Any) -> Any:
    if cell is None or isinstance(cell, bool | int | str | list | dict):
        return cell
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)


def rows_of(app: str, game: Game, *, but: Collection[type] = ()) -> dict[str, list[list[Any]]]:
    """All rows of that app's models in the game, by the model."""
    by_name = _by_name(app)
    left_out = {_name(model) for model in but}
    with_rows = _listings(app).with_rows(game)
    return {
        name: each.plain(game) if name in with_rows else []
        for name, each in by_name.items()
        if name not in left_out
    }


def have_same_rows(app: str, was: Game, again: Game, *, but: Collection[type] = ()) -> bool:
    """Whether `rows_of` is the same of both games; where it is, nothing is read of the rows."""
    return not _listings(app).differing(was, again, but=[_name(model) for model in but])


def _name(model: Any) -> str:
    return model._meta.model_name or ""


@cache
def _listings(app: str) -> Listings:
    return Listings(_by_name(app))


@cache
def _by_name(app: str) -> dict[str, Listing]:
    models = [model for model in apps.get_models() if model._meta.app_label == app]
    return {_name(model): Listing(model._base_manager.all) for model in models}


def _columns(model: Any, only: Collection[str] = ()) -> list[str]:
    """The fields by which rows of that model are told without database ids: lookups, as `values`
    takes them; perhaps only these of its fields."""
    found = []
    for field in model._meta.concrete_fields:
        if only and field.name not in only:
            continue
        if not field.is_relation:
            found += [] if field.primary_key else [field.name]
        elif field.related_model is not Game and not any(
            each.one_to_one and each.related_model is Game
            for each in field.related_model._meta.concrete_fields
        ):
            found += [f"{field.name}__{column}" for column in _known_by(field.related_model)]
    return found


def _known_by(model: Any) -> Sequence[str]:
    """The lookups whose values tell a row of that model from others of its game."""
    if model in _KNOWN_BY:
        return _KNOWN_BY[model]
    known = model._meta.total_unique_constraints
    unique = [each.fields for each in known if model._meta.pk.name not in each.fields]
    unique += [(each.name,) for each in model._meta.concrete_fields if each.one_to_one]
    return _columns(model, unique[0] if unique else ())
