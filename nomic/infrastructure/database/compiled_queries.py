"""Queries and inserts whose SQL is composed once in a process, and sent with other values each
time.

The ORM takes longer to compose a statement than PostgreSQL to answer it. What acts and events send
again and again is said in the ORM's words here all the same, and composed when it is first sent.
Rows become objects by `Model.from_db`; nomic/infrastructure/tests/test_compiled_queries.py says
which versions of Django and psycopg this was tried with.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from inspect import signature
from itertools import accumulate, batched, chain
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections, router, transaction
from django.db.models import F, Func, Model, Q, QuerySet, Value
from django.db.models.lookups import Exact
from psycopg import adapters

_AT_ONCE = 1000  # rows that are written in one statement, which takes 65,535 values at most
_LENGTH = re.compile(r"\(.*?\)")
_JSON = adapters.types["jsonb"]
_READERS: dict[int, Callable[[Any], Any]] = {  # by types of PostgreSQL that Django leaves as text
    _JSON.oid: json.loads,
    _JSON.array_oid: lambda documents: [
        document and json.loads(document) for document in documents
    ],
}


class _Given(Value):
    """The place of a value that is given with each sending, by its name."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


class _IsAmong(Exact):
    def get_rhs_op(self, connection: Any, rhs: str) -> str:
        return f"= ANY({rhs})"


def among(field: str | Func, values: Any) -> Q:
    """Whether the field has one of the values that are given, as a list; `field__in` would be
    composed anew for each number of them."""
    return Q(_IsAmong(F(field) if isinstance(field, str) else field, values))


@dataclass(slots=True)
class _Statement:
    model: type[Model]
    sql: str
    params: Sequence[Any]  # values, and `_Given` where one is filled in
    readers: dict[int, Callable[[Any], Any]] | None = None  # known once it was sent


class CompiledValues[Row]:
    """Tuples of a query of the ORM, narrowed down by the values of fields: as `filter` does, where
    each value is a key, a number, a text or a moment, and none is None.

    `build` returns the query, made by `values_list`; values that it takes are given by name with
    each sending as well. JSON is read; a field's own way to read its values is not asked.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self._build = build
        self._statements: dict[tuple[Any, ...], _Statement] = {}

    def all(self, **values: Any) -> list[Row]:
        """The rows with these values, in the query's order."""
        return self._send(values)

    def some(self, limit: int, /, **values: Any) -> list[Row]:
        """So many of the rows with these values at most, the first in the query's order."""
        return self._send(values, limit)

    def first(self, **values: Any) -> Row | None:
        """The first row with these values, in the query's order; None where there is none."""
        rows = self._send(values, limit=1)
        return rows[0] if rows else None

    def get(self, **values: Any) -> Row:
        """The first row with these values; raises the model's DoesNotExist.

        Unlike the ORM's `get` it does not notice a second one.
        """
        row = self.first(**values)
        if row is None:
            model: Any = self._statement(values, limit=1).model
            raise model.DoesNotExist(f"{model.__name__} matching query does not exist.")
        return row

    def _send(self, values: Mapping[str, Any], limit: int | None = None) -> list[Row]:
        statement = self._statement(values, limit)
        params = [
            values[param.value] if isinstance(param, _Given) else param
            for param in statement.params
        ]
        with connections[router.db_for_read(statement.model)].cursor() as cursor:
            cursor.execute(statement.sql, params)
            if statement.readers is None:
                codes = enumerate(column.type_code for column in cursor.description)
                statement.readers = {at: _READERS[code] for at, code in codes if code in _READERS}
            rows: list[Any] = cursor.fetchall()
        if statement.readers:
            rows = [_read(row, statement.readers) for row in rows]
        return rows

    def _statement(self, named_values: Mapping[str, Any], limit: int | None) -> _Statement:
        if None in named_values.values():
            raise ValueError("No row has a field equal to None.")
        shape = limit, *named_values
        if shape not in self._statements:
            places = {name: _Given(name) for name in named_values}
            build_places = [places.pop(name) for name in signature(self._build).parameters]
            rows = self._build(*build_places)
            rows = self._columns(rows.filter(**places) if places else rows)[:limit]
            self._statements[shape] = _Statement(rows.model, *rows.query.sql_with_params())
        return self._statements[shape]

    def _columns(self, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        return rows


class _Part(NamedTuple):
    """One of the objects that a row tells of: who refers to it, and where its columns stand."""

    path: str  # from the row's own object, whose path is empty
    ahead: str  # of its fields' names, as the query says them
    model: Any
    names: list[str]  # of the fields that are read
    columns: slice
    key: int  # the column of its primary key: null only where no row was joined


def _parts(model: Any, paths: Iterable[str], without: Collection[str]) -> Iterator[_Part]:
    start = 0
    for path in paths:
        ahead, kind = f"{path}__" if path else "", model
        for name in path.split("__") if path else ():
            kind = kind._meta.get_field(name).related_model
        fields = [
            field for field in kind._meta.concrete_fields if ahead + field.name not in without
        ]
        names, key = [field.attname for field in fields], start + fields.index(kind._meta.pk)
        columns = slice(start, start + len(names))
        yield _Part(path, ahead, kind, names, columns, key)
        start = columns.stop


class CompiledQuery[Row: Model](CompiledValues[Row]):
    """Objects of a query of the ORM, narrowed down in the same way. Where an object is given that a
    field refers to, the rows refer to this very one.

    What is read is said here, and not by the query's `select_related`, `defer` or
    `prefetch_related`: the fields of its model and of those that are `related`, all but some that
    it does `without`, and what the query has `annotated`.
    """

    def __init__(
        self,
        build: Callable[..., QuerySet[Any, Row]],
        *related: str,
        without: Iterable[str] = (),
        annotated: Iterable[str] = (),
    ) -> None:
        super().__init__(build)
        steps = (accumulate(path.split("__"), "{}__{}".format) for path in related)
        self._paths = sorted({"", *chain.from_iterable(steps)})  # an object before its own
        self._without, self._annotated = frozenset(without), tuple(annotated)
        self._parts: list[_Part] = []

    def _send(self, values: Mapping[str, Any], limit: int | None = None) -> list[Row]:
        objects = {name: related for name, related in values.items() if isinstance(related, Model)}
        keys = {name: related.pk for name, related in objects.items()}
        rows = [self._object(raw_row) for raw_row in super()._send({**values, **keys}, limit)]
        for name, related in objects.items() if rows else ():
            field = rows[0]._meta.get_field(name)
            for row in rows:
                _refer(row, field, related)
        return rows

    def _columns(self, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        self._parts = list(_parts(rows.model, self._paths, self._without))
        columns = (part.ahead + name for part in self._parts for name in part.names)
        return rows.values_list(*columns, *self._annotated)

    def _object(self, row: Any) -> Row:
        objects: dict[str, Any] = {}
        for path, _, model, names, columns, key in self._parts:
            owner, _, name = path.rpartition("__")
            if row[key] is None:
                if owner in objects:  # so that nobody asks the database for it
                    _refer(objects[owner], objects[owner]._meta.get_field(name), None)
                continue
            objects[path] = model.from_db(DEFAULT_DB_ALIAS, names, row[columns])
            if path:
                _refer(objects[owner], objects[owner]._meta.get_field(name), objects[path])
        root: Row = objects[""]
        if self._annotated:
            for name, annotation in zip(self._annotated, row[columns.stop :], strict=True):
                setattr(root, name, annotation)
        return root


def _read(row: Sequence[Any], readers: Mapping[int, Callable[[Any], Any]]) -> tuple[Any, ...]:
    values = list(row)
    for place, reader in readers.items():
        if values[place] is not None:
            values[place] = reader(values[place])
    return tuple(values)


def _refer(row: Model, field: Any, related: Any) -> None:
    """Let the row know the object that this field of it refers to, as its columns say already."""
    field.set_cached_value(row, related)
    if field.one_to_one and related is not None:
        field.remote_field.set_cached_value(related, row)


def read(model: type[Model], sql: str, params: Any) -> list[tuple[Any, ...]]:
    """The rows that a statement finds, sent where the model is read."""
    return _rows(sql, params, connections[router.db_for_read(model)])


def _rows(sql: str, params: Any, using: Any = connection) -> list[tuple[Any, ...]]:
    with using.cursor() as cursor:
        cursor.execute(sql, params)
        returns = cursor.rownumber is not None  # `description` makes an object of each column
        rows: list[tuple[Any, ...]] = cursor.fetchall() if returns else []
    return rows


# Writing


def write(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Send a statement that writes, and return the rows that it returns, if it says RETURNING;
    where it fails, its transaction can only be rolled back."""
    with _or_else_undone():
        return _rows(sql, params)


def insert[Row: Model](row: Row) -> Row:
    """Save a new row as `insert_together` does, and return it."""
    insert_together([row])
    return row


def insert_together(*several: Sequence[Model]) -> None:
    """Save new rows of plain values, whose keys the database chooses, of some models, those of each
    in their order: in one statement if they are no more than a thousand of each. PostgreSQL chooses
    of which model the first are; what triggers check after the statement finds all of them.

    Raises ValueError for a row that has a key already, and ProgrammingError for an expression.
    """
    inserts, values, last = [], [], []
    for rows in several:
        for batch in batched(rows[:-_AT_ONCE], _AT_ONCE):
            insert_together(batch)
        last.append(rows[-_AT_ONCE:])
        for row in last[-1]:
            if row.pk is not None:
                raise ValueError(f"This {type(row).__name__} has a key already: {row.pk}.")
        sql, place, fields = _insertion(type(rows[0]))
        inserts.append(sql.format(", ".join([place] * len(last[-1]))))
        values += [cell for row in last[-1] for cell in _values(row, fields, is_new=True)]
    if not inserts:
        return
    parts = ", ".join(f"r{place} (id) AS ({sql})" for place, sql in enumerate(inserts))
    keys = ", ".join(f"ARRAY(SELECT id FROM r{place} ORDER BY id)" for place in range(len(inserts)))  # noqa: S608
    (new_keys,) = write(f"WITH {parts} SELECT {keys}", values)
    for rows, row_keys in zip(last, new_keys, strict=True):
        for row, key in zip(rows, row_keys, strict=True):
            row.pk, row._state.adding, row._state.db = key, False, DEFAULT_DB_ALIAS


def update(row: Model, *names: str) -> None:
    """Save these fields of a row, as `update_several` does; `save(update_fields=names)` does the
    same."""
    update_several([row], *names)


def update_several(rows: Sequence[Model], *names: str) -> None:
    """Save these fields of several rows of a model, a thousand in one statement.

    Raises the model's NotUpdated where one of the rows is no more.
    """
    model: Any = type(rows[0])
    sql, place, fields = _changes(model, *names)
    for batch in batched(rows, _AT_ONCE):
        values = [cell for row in batch for cell in (row.pk, *_values(row, fields, is_new=False))]
        with _or_else_undone():
            if len(_rows(sql.format(", ".join([place] * len(batch))), values)) < len(batch):
                raise model.NotUpdated(
                    f"One {model.__name__} of {len(batch)} is not there any more."
                )


@contextmanager
def _or_else_undone() -> Iterator[None]:
    """Let the transaction be rolled back where this fails, be the error caught or not."""
    try:
        yield
    except Exception:
        if connection.in_atomic_block:
            transaction.set_rollback(True)
        raise


@cache
def _insertion(model: type[Model]) -> tuple[str, str, list[Any]]:
    """The statement around the rows that are inserted, the place of one of them, and its fields."""
    meta = model._meta
    fields = [field for field in meta.concrete_fields if not field.primary_key]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    sql = f'INSERT INTO "{meta.db_table}" ({columns}) VALUES {{}} RETURNING "{meta.pk.column}"'  # noqa: S608
    return sql, f"({', '.join(['%s'] * len(fields))})", fields


@cache
def _changes(model: type[Model], *names: str) -> tuple[str, str, list[Any]]:
    """The statement around the rows that are given, the place of one of them, and its fields."""
    meta = model._meta
    fields: list[Any] = [meta.get_field(name) for name in names]
    columns = [f'"{field.column}"' for field in fields]
    # A cast to a type with a length would cut a text to it; without, a longer one is refused.
    kinds = [_LENGTH.sub("", column.rel_db_type(connection)) for column in (meta.pk, *fields)]
    settings = ", ".join(f"{column} = given.{column}" for column in columns)
    sql = (  # of names in the models, and of nothing that anybody sends
        f'UPDATE "{meta.db_table}" SET {settings}'  # noqa: S608
        f" FROM (VALUES {{}}) AS given (key, {', '.join(columns)})"
        f' WHERE "{meta.db_table}"."{meta.pk.column}" = given.key RETURNING given.key'
    )
    return sql, f"({', '.join(f'%s::{kind}' for kind in kinds)})", fields


def _values(row: Model, fields: list[Any], *, is_new: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, is_new), connection) for field in fields]
