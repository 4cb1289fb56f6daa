"""What the ledger's tables have that Django has no words for; its first migration adds it."""

from django.db.migrations import RunSQL


def _key(name: str, column: str, table: str) -> RunSQL:
    """A transfer names its entry by number; the entry may be written after it."""
    return RunSQL(
        f"ALTER TABLE ledger_transfer ADD CONSTRAINT {name}"
        f" FOREIGN KEY (game_id, {column}) REFERENCES {table} (game_id, seq)"
        " DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE ledger_transfer DROP CONSTRAINT {name}",
    )


IN_SQL = (
    _key("a_transfer_has_its_entry", "entry", "record_entry"),
    _key("a_transfer_has_its_sealed_entry", "sealed", "record_sealedentry"),
    # Half of each page is left free, so that a balance which changes stays where the indexes say.
    RunSQL(
        "ALTER TABLE ledger_balance SET (fillfactor = 50)",
        "ALTER TABLE ledger_balance RESET (fillfactor)",
    ),
)
