"""How the first migration of an app makes its tables."""

from typing import Any

from django.db import migrations
from django.db.migrations.operations.fields import AddField
from django.db.migrations.operations.models import AddConstraint, AddIndex

FIRST_VERSION = "0001_first_version"
"""The name of each app's first migration. Versions before 1.0 had none of that name: their
databases are known by it."""

_OF_A_TABLE = (AddField, AddIndex, AddConstraint)


class FirstVersion(migrations.Migration):
    """A migration of new tables alone, each of which is made as it stands at the end.

    Django makes all models anew before and after each operation, which takes nine tenths of a
    migration's time: here it does so once.
    """

    initial = True

    def apply(self, project_state: Any, schema_editor: Any, collect_sql: bool = False) -> Any:
        state = project_state.clone()
        vars(state).pop("apps", None)  # else each operation makes the models that are in it
        for operation in self.operations:
            operation.state_forwards(self.app_label, state)
        for operation in self.operations:
            if not isinstance(operation, _OF_A_TABLE):  # with CREATE TABLE all of it is there
                operation.database_forwards(self.app_label, schema_editor, project_state, state)
        return state
