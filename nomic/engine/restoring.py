"""Rows of a game as they are in another past: how the two differ, and making the one as the other.

A recalculation plays the other past in a copy; a ratification makes the game's rows as they are
there. Which rows a model has is known by what tells one from others, as in a digest.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NotRequired, TypedDict

from django.core.exceptions import FieldDoesNotExist
from django.db import connection
from django.db.models import Model, QuerySet

from nomic.engine.models import ProgramState, SwitchSetting
from nomic.engine.plain_words import field_in_words, value_in_words
from nomic.engine.rows import as_plain, columns_of, known_by, models_of
from nomic.engine.subgames import all_subgames
from nomic.games.guards import RATIFYING, EntryNumber
from nomic.games.models import Game, GameOf, Office, Win, way_to_the_game
from nomic.record.canonical import canonical_json

type Row = dict[str, Any]  # plain values by their lookups
type Rows = dict[str, dict[str, Row]]  # by the model's label, and by what tells one from others
THIS_ENTRY = 0  # in place of an entry's number: that in which the row is made so


class RowChange(TypedDict):
    """One row that differs: what tells it from others of its model, and the columns that differ,
    as they are and as they are to be. Without `was` there is none yet, without `to_be` it goes."""

    model: str
    row: Row
    was: NotRequired[Row]
    to_be: NotRequired[Row]


def restorable(hidden: Collection[str] = ()) -> dict[str, type[Model]]:
    """The models whose rows can be made as they are in another past, by their labels, those that
    others refer to first, as in each models.py; none of the `hidden` subgames, and none that is
    `never_recalculated`, since what would have become of it is not for everybody."""
    of_subgames = (
        model
        for subgame in all_subgames()
        if subgame.name not in hidden
        for model in models_of(subgame.name)
        if not getattr(model, "never_recalculated", False)
    )
    # Who has won tells of what was held, in hidden parts too.
    shared = (Office, ProgramState, SwitchSetting, *(() if hidden else (Win,)))
    return {model._meta.label_lower: model for model in (*shared, *of_subgames)}


@cache
def _models() -> dict[str, type[Model]]:
    return restorable()


def rows_by_model(
    game: Game, hidden: Collection[str], number_of: Callable[[int], int] = int
) -> Rows:
    """All these rows of the game. `number_of` tells for an entry of it which one that is in the
    record with which it is compared; `int` leaves them as they are."""
    return {
        label: dict(_keyed(model, game, number_of)) for label, model in restorable(hidden).items()
    }


def row_changes(before: Rows, after: Rows) -> list[RowChange]:
    """What differs between two pasts, each model after those to which it refers."""
    return [change for label in before for change in _changes(label, before[label], after[label])]


def obstacles(game: Game, changes: Iterable[RowChange]) -> Iterator[str]:
    """Why these cannot be made now, a sentence each."""
    for change in changes:
        model, was, to_be = _models().get(change["model"]), change.get("was"), change.get("to_be")
        named = {*change["row"], *(was or ()), *(to_be or ())}
        if model is None or not named <= {*columns_of(model)} or not (was or to_be):
            yield f"There is nothing of the kind “{change['model']}” in this game."
            continue
        stands = _plain_row(model, game, change["row"])
        if was is None and stands is not None:
            yield f"It would be made, and is there already: {_named(change)}."
        elif was is not None and (
            stands is None or any(stands[name] != cell for name, cell in was.items())
        ):
            yield f"It has changed since: {_named(change)}."


def restore(game: Game, changes: Collection[RowChange], entry: int) -> None:
    """Make these so in that entry. None has an obstacle; each row's model is read anew by whoever
    has read it before."""
    with _guards_open():
        _restore(game, changes, entry)


@contextmanager
def _guards_open() -> Iterator[None]:
    """Let rows be changed that are kept as they were written; in a transaction."""
    # The setting is the transaction's: where the block raises, both are undone.
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, 'on', true)", [RATIFYING])
        yield
        cursor.execute("SELECT set_config(%s, '', true)", [RATIFYING])


def _restore(game: Game, changes: Collection[RowChange], entry: int) -> None:
    gone = [change for change in changes if "to_be" not in change]
    for change in reversed(gone):  # what refers to others first
        _find(_models()[change["model"]], game, change["row"]).delete()
    for change in changes:
        model = _models()[change["model"]]
        if "to_be" not in change:
            continue
        if "was" in change:
            row = _find(model, game, change["row"])
        else:
            row = model()
            # A `GameOf` takes the game from the row on which this one hangs, as it is saved.
            if not isinstance(model._meta.get_field("game"), GameOf):
                row.game = game  # type: ignore[attr-defined]
        columns = _attributes(model, game, change["to_be"], entry)
        for name, column in columns.items():
            setattr(row, name, column)
        row.save(update_fields=columns if "was" in change else None)


def described(change: RowChange) -> str:
    """The change as part of a sentence, such as “the bet (race 1, player2,
    horse Alexia, dollaries 3) taken back”."""
    if "to_be" not in change:
        return f"{_named(change)} taken back"
    if "was" not in change:
        return f"{_named(change)} put in"
    was, to_be = change["was"], change["to_be"]
    model = _models()[change["model"]]
    columns = (
        f"{field_in_words(model, name)} {value_in_words(to_be[name])} and not"
        f" {value_in_words(was[name])}"
        for name in to_be
    )
    return f"{_named(change)} with {', '.join(columns)}"


def kind_of(change: RowChange) -> str:
    """What a row of that model is called."""
    model = _models().get(change["model"])
    return str(model._meta.verbose_name) if model else change["model"]


def _keyed(
    model: type[Model], game: Game, number_of: Callable[[int], int]
) -> Iterator[tuple[str, Row]]:
    columns, told_by = columns_of(model), known_by(model)
    numbers = [column for column in columns if _is_entry_number(model, column)]
    rows = model._base_manager.filter(**{way_to_the_game(model): game}).order_by()
    for row in rows.values(*columns):
        plain = {name: as_plain(cell) for name, cell in row.items()}
        for column in numbers:
            if plain[column] is not None:
                plain[column] = number_of(plain[column])
        yield canonical_json({name: plain[name] for name in told_by}).decode(), plain


def _changes(label: str, before: dict[str, Row], after: dict[str, Row]) -> Iterator[RowChange]:
    told_by = known_by(_models()[label])
    for key in sorted({*before, *after}):
        was, to_be = before.get(key), after.get(key)
        if was != to_be:
            yield _change(label, told_by, was, to_be)


def _change(label: str, told_by: Sequence[str], was: Row | None, to_be: Row | None) -> RowChange:
    if was is None or to_be is None:
        row = was if to_be is None else to_be
        assert row is not None
        change: RowChange = {"model": label, "row": {name: row[name] for name in told_by}}
        if was is not None:
            change["was"] = was
        if to_be is not None:
            change["to_be"] = to_be
        return change
    differing = {name.partition("__")[0] for name in was if was[name] != to_be[name]}
    columns = [name for name in was if name.partition("__")[0] in differing]
    return {
        "model": label,
        "row": {name: was[name] for name in told_by},
        "was": {name: was[name] for name in columns},
        "to_be": {name: to_be[name] for name in columns},
    }


def _rows(model: type[Model], game: Game, told_by: Row) -> QuerySet[Any]:
    return model._base_manager.filter(**{way_to_the_game(model): game}, **told_by)


def _find(model: type[Model], game: Game, told_by: Row) -> Any:
    return _rows(model, game, told_by).get()


def _plain_row(model: type[Model], game: Game, told_by: Row) -> Row | None:
    row = _rows(model, game, told_by).values(*columns_of(model)).first()
    return row and {name: as_plain(cell) for name, cell in row.items()}


def _attributes(model: type[Model], game: Game, plain: Row, entry: int) -> dict[str, Any]:
    """The attributes of a row by their fields; a related row is found by what tells it."""
    attributes: dict[str, Any] = {}
    related: dict[str, Row] = {}
    for lookup, plain_cell in plain.items():
        is_this = plain_cell == THIS_ENTRY and _is_entry_number(model, lookup)
        cell = entry if is_this else plain_cell
        name, _, rest = lookup.partition("__")
        if rest:
            related.setdefault(name, {})[rest] = cell
        else:
            field: Any = model._meta.get_field(name)
            attributes[name] = None if cell is None else field.to_python(cell)
    for name, told_by in related.items():
        other: Any = model._meta.get_field(name).related_model
        is_none = all(cell is None for cell in told_by.values())
        attributes[name] = None if is_none else _find(other, game, told_by)
    return attributes


def _is_entry_number(model: type[Model], lookup: str) -> bool:
    field: Any = None
    for name in lookup.split("__"):
        try:
            field = model._meta.get_field(name)
        except FieldDoesNotExist:
            return False
        model = field.related_model or model
    return isinstance(field, EntryNumber)


def _named(change: RowChange) -> str:
    """The row as part of a sentence: as its model's `told` has it, or by what tells it."""
    model, row = _models().get(change["model"]), change["row"]
    if model is None:
        return f"the {change['model']}"
    if told := getattr(model, "told", None):
        return str(told(row))
    words = [
        value_in_words(cell)
        if lookup.endswith("__name")
        else f"{field_in_words(model, lookup)} {value_in_words(cell)}"
        for lookup in known_by(model)
        if (cell := row.get(lookup)) is not None and not _is_entry_number(model, lookup)
    ]
    name = f"the {model._meta.verbose_name}"
    return f"{name} ({', '.join(words)})" if words else name
