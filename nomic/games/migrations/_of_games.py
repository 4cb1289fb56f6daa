"""Operations by which each row of a game gets the key of its game, and keys to rows of that game."""

from collections.abc import Sequence
from typing import Any

from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.models import CreateModel
from pgtrigger.migrations import AddTrigger

_GAME = {
    "to": "games.game",
    "on_delete": models.DO_NOTHING,
    "db_constraint": False,
    "db_index": False,
    "editable": False,
    "related_name": "+",
}


class AtOnce(Operation):
    """Operations that lead from one state of the models to another. Django makes all models anew
    before and after each operation, which takes most of a migration's time: here it does so once.
    """

    reversible = False

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def deconstruct(self) -> Any:
        return type(self).__name__, [self.operations], {}

    def state_forwards(self, app_label: str, state: Any) -> None:
        vars(state).pop("apps", None)
        for each in self.operations:
            each.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, editor: Any, before: Any, after: Any) -> None:
        for each in self.operations:
            each.database_forwards(app_label, editor, before, after)

    def describe(self) -> str:
        return "; ".join(each.describe() for each in self.operations)


class TablesAtOnce(AtOnce):
    """The same where tables are new: each is made as it stands at the end, and so with all fields,
    constraints and indexes that operations after it add. Its triggers come after all tables."""

    def database_forwards(self, app_label: str, editor: Any, before: Any, after: Any) -> None:
        new = {each.name_lower for each in self.operations if isinstance(each, CreateModel)}
        triggers = [each for each in self.operations if isinstance(each, AddTrigger)]
        others: list[Any] = [each for each in self.operations if each not in triggers]
        tables = [each for each in others if getattr(each, "model_name_lower", "") not in new]
        for each in [*tables, *triggers]:
            each.database_forwards(app_label, editor, before, after)


def game_of(table: str, column: str, others: str, key: str = "id") -> Operation:
    """Let rows of the table have the game of the row of the others that the column refers to.

    The triggers of the table, which may let nothing be changed, rest meanwhile.
    """
    fill = [
        f"ALTER TABLE {table} ADD COLUMN game_id bigint",
        f"ALTER TABLE {table} DISABLE TRIGGER USER",
        f"UPDATE {table} SET game_id = of.game_id FROM {others} of"  # noqa: S608
        f" WHERE of.{key} = {table}.{column}",
        f"ALTER TABLE {table} ENABLE TRIGGER USER",
        f"ALTER TABLE {table} ALTER COLUMN game_id SET NOT NULL",
    ]
    named = migrations.AddField(table.partition("_")[2], "game", models.ForeignKey(**_GAME))
    return migrations.SeparateDatabaseAndState([migrations.RunSQL(fill)], [named])
