"""The rows of the database beside those of `migrate`, as bytes that can be put back."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction

_OF_THE_MIGRATION = ("django_content_type", "auth_permission", "django_migrations")


@dataclass(frozen=True)
class Rows:
    """The rows of each table that has any."""

    tables: dict[str, bytes]

    @classmethod
    def read(cls) -> Rows:
        """All rows there are, those of a transaction that goes on included."""
        return cls({table: _read(table) for table in _tables_with_rows()})

    def write(self) -> None:
        """Put them into the empty tables, past the triggers: they passed them when they came."""
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table, rows in self.tables.items():
                name = connection.ops.quote_name(table)
                with cursor.copy(f"COPY {name} FROM STDIN (FORMAT binary)") as copy:
                    copy.write(rows)


def _tables_with_rows() -> list[str]:
    every = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = sorted(set(every) - set(_OF_THE_MIGRATION))
    names = ((table, connection.ops.quote_name(table)) for table in tables)
    each = (f"SELECT '{table}' WHERE EXISTS (SELECT FROM {name})" for table, name in names)  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        return [table for (table,) in cursor.fetchall()]


def _read(table: str) -> bytes:
    name = connection.ops.quote_name(table)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {name} TO STDOUT (FORMAT binary)") as copy,
    ):
        return b"".join(bytes(part) for part in copy)
