"""Operations by which rows that hang on others get the key of their game."""

from django.db import migrations, models

_GAME = {
    "to": "games.game",
    "on_delete": models.DO_NOTHING,
    "db_constraint": False,
    "db_index": False,
    "editable": False,
    "related_name": "+",
}


def game_of(table: str, column: str, others: str, key: str = "id") -> list[object]:
    """Let rows of the table have the game of the row of the others that the column refers to.

    The triggers of the table, which may let nothing be changed, rest meanwhile.
    """
    model = table.partition("_")[2]
    fill = [
        f"ALTER TABLE {table} DISABLE TRIGGER USER",
        f"UPDATE {table} SET game_id = of.game_id FROM {others} of"  # noqa: S608
        f" WHERE of.{key} = {table}.{column}",
        f"ALTER TABLE {table} ENABLE TRIGGER USER",
    ]
    return [
        migrations.AddField(model, "game", models.ForeignKey(**_GAME, null=True)),
        migrations.RunSQL(fill, migrations.RunSQL.noop),
        migrations.AlterField(model, "game", models.ForeignKey(**_GAME)),
    ]
