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
        quoted = connection.ops.quote_name
        every = connection.introspection.django_table_names(only_existing=True, include_views=False)
        looks = (
            f"SELECT '{table}' WHERE EXISTS (SELECT FROM {quoted(table)})"  # noqa: S608
            for table in sorted(set(every) - set(_OF_THE_MIGRATION))
        )
        found: dict[str, bytes] = {}
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(looks))
            for (table,) in cursor.fetchall():
                with cursor.copy(f"COPY {quoted(table)} TO STDOUT (FORMAT binary)") as copy:
                    found[table] = b"".join(bytes(part) for part in copy)
        return cls(found)

    def write(self) -> None:
        """Put them into the empty tables, past the triggers: they passed them when they came."""
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table, rows in self.tables.items():
                name = connection.ops.quote_name(table)
                with cursor.copy(f"COPY {name} FROM STDIN (FORMAT binary)") as copy:
                    copy.write(rows)
