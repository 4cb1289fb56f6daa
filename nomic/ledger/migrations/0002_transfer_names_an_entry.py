from django.db import migrations


class Migration(migrations.Migration):
    """A transfer names its entry by number; the entry may be written after it."""

    dependencies = [("ledger", "0001_initial"), ("record", "0001_initial")]

    operations = [
        migrations.RunSQL(
            """
            ALTER TABLE ledger_transfer ADD CONSTRAINT a_transfer_has_its_entry
              FOREIGN KEY (game_id, entry) REFERENCES record_entry (game_id, seq)
              DEFERRABLE INITIALLY DEFERRED
            """,
            "ALTER TABLE ledger_transfer DROP CONSTRAINT a_transfer_has_its_entry",
        )
    ]
