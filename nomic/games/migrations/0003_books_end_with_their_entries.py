"""Where both books of a game end is written by their entries alone."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_a_seat_a_likeness"),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name="game",
            trigger=pgtrigger.compiler.Trigger(
                name="only_by_entries",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nIF OLD.identity <> NEW.identity\n   OR pg_trigger_depth() < 2\n  AND (OLD.last_entry, OLD.last_at, OLD.record_head, OLD.sealed_count, OLD.sealed_head)\n      IS DISTINCT FROM\n      (NEW.last_entry, NEW.last_at, NEW.record_head, NEW.sealed_count, NEW.sealed_head)\nTHEN\n  RAISE EXCEPTION 'the ends of both books are kept by their entries and cannot be written'\n    USING ERRCODE = 'check_violation';\nEND IF;\nRETURN NEW;\n",
                    hash="aec62d5281b9893241fc352a431802c32878e75d",
                    operation='UPDATE OF "identity", "last_entry", "last_at", "record_head", "sealed_count", "sealed_head"',
                    pgid="pgtrigger_only_by_entries_b8e2a",
                    table="games_game",
                    when="BEFORE",
                ),
            ),
        ),
    ]
