"""Rows as plain values without database ids, to compare two games by."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import QuerySet

from nomic.games.models import Game, Player, way_to_the_game
from nomic.rulebook.models import Rule

_KNOWN_BY: dict[type, Sequence[str]] = {Player: ("name",), Rule: ("title", "enacted_in")}


def plain_rows(rows: QuerySet[Any], *columns: str) -> list[list[Any]]:
    """Rows as plain values in an order that does not depend on database ids: for digests.

    Without `columns` a row stands as all that it says; what it refers to, as what tells that from
    others of its kind.
    """
    told = columns or _columns(rows.model)

    def as_plain(cell: Any) -> Any:
        if cell is None or isinstance(cell, bool | int | str | list | dict):
            return cell
        return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)

    values = [[as_plain(cell) for cell in row] for row in rows.order_by().values_list(*told)]
    return sorted(values, key=repr)


def rows_of(app: str, game: Game, *, but: Collection[type] = ()) -> dict[str, list[list[Any]]]:
    """All rows of that app's models in the game, by the model."""
    with connection.cursor() as cursor:
        cursor.execute(_which_has_rows(app), [game.pk] * len(_models(app)))
        has_rows = dict(zip(_models(app), cursor.fetchone(), strict=True))
    return {
        model._meta.model_name or "": (
            plain_rows(_of_the_game(model, game.pk)) if has_rows[model] else []
        )
        for model in _models(app)
        if model not in but
    }


@cache
def _models(app: str) -> list[Any]:
    return list(apps.get_app_config(app).get_models())


@cache
def _which_has_rows(app: str) -> str:
    """The statement that asks of each of the app's models whether a game has rows of it: most have
    none, and each table's own statement costs more to make than to run."""
    rows = [_of_the_game(model, 0).values("pk") for model in _models(app)]
    return f"SELECT {', '.join(f'EXISTS ({each.query.sql_with_params()[0]})' for each in rows)}"


def _of_the_game(model: Any, game: int) -> QuerySet[Any]:
    found: QuerySet[Any] = model._base_manager.filter(**{way_to_the_game(model): game})
    return found


def _columns(model: Any, among: Collection[str] = ()) -> list[str]:
    """The fields by which rows of that model are told without database ids: lookups, as `values`
    takes them; perhaps only these of its fields."""
    found = []
    for field in model._meta.concrete_fields:
        if among and field.name not in among:
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
