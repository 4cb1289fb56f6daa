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
