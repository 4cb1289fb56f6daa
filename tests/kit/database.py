"""All that is in the database, to tell whether something has changed."""

from django.db import connection

_OF_A_TABLE = """
SELECT {name}, count(*), md5(coalesce(string_agg(md5(r::text), '' ORDER BY md5(r::text)), ''))
  FROM {table} r"""


def all_rows() -> dict[str, tuple[int, str]]:
    """How many rows each table has, and a digest of them."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        statements = (
            _OF_A_TABLE.format(name="'" + name + "'", table=connection.ops.quote_name(name))
            for name in names
        )
        cursor.execute(" UNION ALL ".join(statements))
        return {name: (count, digest) for name, count, digest in cursor.fetchall()}
