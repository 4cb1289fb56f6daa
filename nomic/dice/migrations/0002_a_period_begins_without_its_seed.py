"""A period begins without its seed."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("dice", "0001_initial"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="period",
            name="only_revealed",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="period",
            trigger=pgtrigger.compiler.Trigger(
                name="only_revealed",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nIF TG_OP = 'INSERT' THEN\n  IF NEW.seed IS NOT NULL OR NEW.closed_in IS NOT NULL THEN\n    RAISE EXCEPTION 'a period begins without its seed' USING ERRCODE = 'check_violation';\n  END IF;\n  RETURN NEW;\nEND IF;\nIF OLD.seed IS NOT NULL OR NEW.seed IS NULL\n   OR encode(sha256(decode(NEW.seed, 'hex')), 'hex') <> OLD.commitment\n   OR (to_jsonb(OLD) - 'seed' - 'closed_in') <> (to_jsonb(NEW) - 'seed' - 'closed_in') THEN\n  RAISE EXCEPTION 'a seed can only be published, once, and must match its commitment'\n    USING ERRCODE = 'check_violation';\nEND IF;\nRETURN NEW;\n",
                    hash="b8c05cc701d7d9a7855168e28bac55b0c31db640",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_only_revealed_fee86",
                    table="dice_period",
                    when="BEFORE",
                ),
            ),
        ),
    ]
