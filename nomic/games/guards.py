"""Triggers by which the database itself keeps what must never be lost."""

import pgtrigger


def _refusing(
    name: str, operation: pgtrigger.Operation | pgtrigger.Operations
) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=operation,
        func="""
        RAISE EXCEPTION '% of rows of % is refused: they are kept for good', TG_OP, TG_TABLE_NAME
          USING ERRCODE = 'restrict_violation';
        """,
    )


APPEND_ONLY = _refusing("append_only", pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate)
NEVER_DELETED = _refusing("never_deleted", pgtrigger.Delete | pgtrigger.Truncate)
NEVER_CHANGED = _refusing("never_changed", pgtrigger.Update)

ONLY_BY_ENTRIES = """
IF OLD.identity <> NEW.identity OR OLD.format <> NEW.format
   OR pg_trigger_depth() < 2
  AND (OLD.last_entry, OLD.last_at, OLD.record_head, OLD.last_act, OLD.last_actor,
       OLD.act_of_another, OLD.sealed_count, OLD.sealed_head, OLD.sealed_books)
      IS DISTINCT FROM
      (NEW.last_entry, NEW.last_at, NEW.record_head, NEW.last_act, NEW.last_actor,
       NEW.act_of_another, NEW.sealed_count, NEW.sealed_head, NEW.sealed_books)
THEN
  RAISE EXCEPTION 'the ends of both books are kept by their entries and cannot be written'
    USING ERRCODE = 'check_violation';
END IF;
RETURN NEW;
"""

# The entry in which an office came to its holder.
HELD_SINCE = """
IF TG_OP = 'UPDATE' AND NEW.holder_id IS NOT DISTINCT FROM OLD.holder_id THEN
  NEW.since := OLD.since;
ELSIF NEW.holder_id IS NULL THEN
  NEW.since := NULL;
ELSE
  SELECT last_entry + 1 INTO NEW.since FROM games_game WHERE id = NEW.game_id;
END IF;
RETURN NEW;
"""
