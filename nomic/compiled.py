"""Queries and inserts whose SQL is compiled once in a process, and sent with other values each
time.

The ORM takes longer to compile a statement than PostgreSQL to answer it. What acts and events send
again and again is said in the ORM's words here all the same, and compiled when it is first sent.
"""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections, router, transaction
from django.db.models import Model, QuerySet, Value
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.sql import InsertQuery

type _Make = Callable[[Sequence[Any]], Any]


class _Given(Value):
    """The place of a value that is given with each sending, by its name."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


class _CompiledSQL(NamedTuple):
    model: Any
    sql: str
    params: list[Any]  # values, and `_Given` where one is filled in
    make: _Make  # what a row is given as

    def send(self, given: dict[str, Any]) -> list[Any]:
        params = [given[p.value] if isinstance(p, _Given) else p for p in self.params]
        using = connections[router.db_for_read(self.model)]
        return [self.make(row) for row in _rows(self.sql, params, using)]


class CompiledQuery[Row]:
    """Rows of a query of the ORM, narrowed down by the values of fields: as `filter` does, where
    each value is a key, a number, a text or a moment, and none is None. Where an object is given
    that a field refers to, the rows refer to this very one.

    `build` returns the query; values that it takes are given by name with each sending as well.
    Its rows are objects, tuples or single values, and nothing is prefetched: TypeError for others.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self._build = build
        self._statements: dict[tuple[Any, ...], _CompiledSQL] = {}

    def all(self, **given: Any) -> list[Row]:
        """The rows with these values, in the query's order."""
        return self._send(given)

    def some(self, most: int, /, **given: Any) -> list[Row]:
        """So many of the rows with these values at most, the first in the query's order."""
        return self._send(given, most)

    def first(self, **given: Any) -> Row | None:
        """The first row with these values, in the query's order; None where there is none."""
        found = self._send(given, most=1)
        return found[0] if found else None

    def get(self, **given: Any) -> Row:
        """The first row with these values; raises the model's DoesNotExist.

        Unlike the ORM's `get` it does not notice a second one.
        """
        found = self.first(**given)
        if found is None:
            model = self._statement(given, most=1).model
            raise model.DoesNotExist(f"{model.__name__} matching query does not exist.")
        return found

    def _send(self, given: dict[str, Any], most: int | None = None) -> list[Row]:
        objects = {name: value for name, value in given.items() if isinstance(value, Model)}
        keys = {name: value.pk for name, value in objects.items()}
        found: list[Row] = self._statement(given, most).send(given | keys)
        for row in found if objects else ():
            for name, value in objects.items():
                setattr(row, name, value)
        return found

    def _statement(self, given: dict[str, Any], most: int | None) -> _CompiledSQL:
        if None in given.values():
            raise ValueError("No row has a field equal to None.")
        named = most, *given
        if named not in self._statements:
            values = {name: _Given(name) for name in given}
            own = [values.pop(name) for name in signature(self._build).parameters]
            rows: Any = self._build(*own)
            rows = rows.filter(**values) if values else rows
            rows = rows[:most]
            compiler = rows.query.get_compiler(connection=connection)
            sql, params = compiler.as_sql()
            make = _converting(compiler, _maker(rows, compiler))
            self._statements[named] = _CompiledSQL(rows.model, sql, list(params), make)
        return self._statements[named]


def _maker(rows: Any, compiler: Any) -> _Make:
    """The function that makes of a row what the query gives: an object of its model with all that
    was selected with it, a tuple, or a single value. Raises TypeError for rows of any other kind,
    and for those with prefetched relations."""
    fetch_mode = rows._fetch_mode
    if rows._prefetch_related_lookups or fetch_mode.track_peers:
        raise TypeError("Only what the query itself selects is read.")
    if rows._iterable_class is FlatValuesListIterable:
        return lambda row: row[0]
    if rows._iterable_class is ValuesListIterable:
        return tuple
    if rows._iterable_class is not ModelIterable:
        raise TypeError("Rows are given as objects, tuples or single values alone.")
    info, select = compiler.klass_info, compiler.select
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, *_ in select[first:last]]
    related = get_related_populators(info, select, DEFAULT_DB_ALIAS, fetch_mode)
    others = list((compiler.annotation_col_map or {}).items())

    def make(row: Sequence[Any]) -> Any:
        values = row[first:last]
        found = info["model"].from_db(DEFAULT_DB_ALIAS, names, values, fetch_mode=fetch_mode)
        for each in related:
            each.populate(row, found)
        for name, at in others:
            setattr(found, name, row[at])
        return found

    return make


def _converting(compiler: Any, make: _Make) -> _Make:
    """Make it of a row whose values are what the fields have in Python."""
    converters = list(compiler.get_converters([each[0] for each in compiler.select]).items())
    if not converters:
        return make

    def convert(row: Sequence[Any]) -> Any:
        values = list(row)
        for at, (functions, column) in converters:
            for function in functions:
                values[at] = function(values[at], column, connection)
        return make(values)

    return convert


def _rows(sql: str, params: Any, using: Any = connection) -> list[tuple[Any, ...]]:
    with using.cursor() as cursor:
        cursor.execute(sql, params)
        returns = cursor.rownumber is not None  # `description` makes an object of each column
        found: list[tuple[Any, ...]] = cursor.fetchall() if returns else []
    return found


# Writing

type _Fields = tuple[Any, ...]

_INSERTS: dict[type[Model], tuple[str, _Fields]] = {}
_UPDATES: dict[tuple[Any, ...], tuple[str, _Fields]] = {}


def write(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Send a statement that writes, and return the rows that it returns, if it says RETURNING;
    where it fails, its transaction can only be rolled back."""
    with transaction.mark_for_rollback_on_error():
        return _rows(sql, params)


def insert[Row: Model](row: Row) -> Row:
    """Save a new row of plain values, whose key the database chooses, and return it.

    Raises ValueError for one that has a key already. An expression is a mistake in the program:
    TypeError in a model's first row, and what the database says in a later one.
    """
    if row.pk is not None:
        raise ValueError(f"This {type(row).__name__} has a key already: {row.pk}.")
    model = type(row)
    if model not in _INSERTS:
        meta = model._meta
        fields = tuple(field for field in meta.concrete_fields if field is not meta.auto_field)
        if any(hasattr(value, "as_sql") for value in _values(row, fields, is_new=True)):
            raise TypeError("Only plain values are inserted, and no expressions.")
        query: Any = InsertQuery(model)
        query.insert_values(fields, [row])
        compiler = query.get_compiler(connection=connection)
        compiler.returning_fields = [meta.pk]
        ((sql, _),) = compiler.as_sql()
        _INSERTS[model] = sql, fields
    sql, fields = _INSERTS[model]
    ((row.pk,),) = write(sql, _values(row, fields, is_new=True))
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return row


def update(row: Model, *names: str) -> None:
    """Save these fields of a row; `save(update_fields=names)` does the same.

    Raises the model's NotUpdated where the row is no more.
    """
    model: Any = type(row)
    known = model, *names
    if known not in _UPDATES:
        quote = connection.ops.quote_name
        fields = tuple(model._meta.get_field(name) for name in names)
        table, key = quote(model._meta.db_table), quote(model._meta.pk.column)
        changes = ", ".join(f"{quote(field.column)} = %s" for field in fields)
        sql = f"UPDATE {table} SET {changes} WHERE {key} = %s RETURNING {key}"  # noqa: S608
        _UPDATES[known] = sql, fields
    sql, fields = _UPDATES[known]
    with transaction.mark_for_rollback_on_error():
        if not _rows(sql, [*_values(row, fields, is_new=False), row.pk]):
            raise model.NotUpdated(f"There is no {model.__name__} {row.pk} to be saved.")


def _values(row: Model, fields: _Fields, *, is_new: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, is_new), connection) for field in fields]
