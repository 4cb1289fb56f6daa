"""Rows as plain values without database ids, to compare two games by."""

from collections.abc import Collection, Sequence
from typing import Any

from django.apps import apps
from django.db.models import Case, Sum, When

from nomic.games.models import Game, Player, way_to_the_game
from nomic.rulebook.models import Rule

_KNOWN_BY: dict[type, Sequence[str]] = {Player: ("name",), Rule: ("title", "enacted_in")}


def plain_rows(model: Any, game: Game, *columns: str) -> list[list[Any]]:
    """The rows of that model in the game, in an order that does not depend on database ids.

    Without `columns` a row stands as all that it says; what it refers to, as what tells that from
    others of its kind.
    """
    rows = model._base_manager.filter(**{way_to_the_game(model): game}).order_by()
    cells = rows.values_list(*(columns or columns_of(model)))
    return sorted(([as_plain(cell) for cell in row] for row in cells), key=repr)


def as_plain(cell: Any) -> Any:
    """The value of a column as JSON can hold it."""
    if cell is None or isinstance(cell, bool | int | str | list | dict):
        return cell
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)


def rows_of(app: str, game: Game) -> dict[str, list[list[Any]]]:
    """All rows of that app's models in the game, by the model."""
    return {str(model._meta.model_name): plain_rows(model, game) for model in models_of(app)}


def have_same_tables(app: str, first: Game, second: Game) -> bool:
    """Whether `rows_of` is the same of both games. However many rows there are, none is read."""
    return all(have_same_rows(model, first, second) for model in models_of(app))


def have_same_rows(model: Any, first: Game, second: Game, *columns: str) -> bool:
    """Whether `plain_rows` is the same of both games. However many rows there are, none is read."""
    way = way_to_the_game(model)
    rows = model._base_manager.filter(**{f"{way}__in": (first, second)}).order_by()
    # Each row of the one counts up, each of the other down: the same rows come to nothing.
    surplus = Sum(Case(When(**{way: first}, then=1), default=-1))
    rows = rows.values(*(columns or columns_of(model))).annotate(surplus=surplus)
    return not rows.exclude(surplus=0).exists()


def models_of(app: str) -> list[Any]:
    """The models of that app whose rows follow from the record; of one that is
    `beside_the_record` none tells."""
    return [
        model
        for model in apps.get_models()
        if model._meta.app_label == app and not getattr(model, "beside_the_record", False)
    ]


def columns_of(model: Any, allowed: Collection[str] = ()) -> list[str]:
    """The fields by which rows of that model are told without database ids: lookups, as `values`
    takes them; perhaps of the `allowed` fields alone."""
    lookups = []
    for field in model._meta.concrete_fields:
        if allowed and field.name not in allowed:
            continue
        if not field.is_relation:
            lookups += [] if field.primary_key else [field.name]
        elif field.related_model is not Game and not any(
            related.one_to_one and related.related_model is Game
            for related in field.related_model._meta.concrete_fields
        ):
            lookups += [f"{field.name}__{column}" for column in known_by(field.related_model)]
    return lookups


def known_by(model: Any) -> Sequence[str]:
    """The lookups whose values tell a row of that model from others of its game."""
    if model in _KNOWN_BY:
        return _KNOWN_BY[model]
    constraints = model._meta.total_unique_constraints
    key = model._meta.pk.name
    unique = [constraint.fields for constraint in constraints if key not in constraint.fields]
    unique += [(field.name,) for field in model._meta.concrete_fields if field.one_to_one]
    return columns_of(model, unique[0] if unique else ())
