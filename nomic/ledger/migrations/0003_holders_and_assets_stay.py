"""Holders and assets stay what they are; an asset comes from a mint of its own game."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0002_transfer_names_an_entry"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="posting",
            name="keep_balances",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="asset",
            trigger=pgtrigger.compiler.Trigger(
                name="same_asset",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nIF TG_OP = 'UPDATE'\n   AND (OLD.game_id, OLD.mint_id, OLD.kind) IS DISTINCT FROM (NEW.game_id, NEW.mint_id, NEW.kind)\nTHEN\n  RAISE EXCEPTION 'asset % stays what it is', OLD.id USING ERRCODE = 'check_violation';\nEND IF;\nIF NOT EXISTS (\n  SELECT FROM ledger_holder WHERE id = NEW.mint_id AND kind = 'mint' AND game_id = NEW.game_id\n) THEN\n  RAISE EXCEPTION 'asset % does not come from a mint of its game', NEW.name\n    USING ERRCODE = 'check_violation';\nEND IF;\nRETURN NEW;\n",
                    hash="5628b04e807332e6077dde8734f48ef68c896c40",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_same_asset_1ee48",
                    table="ledger_asset",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="holder",
            trigger=pgtrigger.compiler.Trigger(
                name="same_holder",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nIF (OLD.game_id, OLD.kind, OLD.player_id) IS DISTINCT FROM (NEW.game_id, NEW.kind, NEW.player_id)\nTHEN\n  RAISE EXCEPTION 'holder % stays what it is', OLD.id USING ERRCODE = 'check_violation';\nEND IF;\nRETURN NEW;\n",
                    hash="71c384d41f69f0c4f134915039e88c20773b85f7",
                    operation="UPDATE",
                    pgid="pgtrigger_same_holder_2a323",
                    table="ledger_holder",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="posting",
            trigger=pgtrigger.compiler.Trigger(
                name="keep_balances",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE wrong record;",
                    func="\nSELECT transfer_id, asset_id, SUM(amount) AS total INTO wrong\n  FROM new_rows GROUP BY transfer_id, asset_id HAVING SUM(amount) <> 0 LIMIT 1;\nIF FOUND THEN\n  RAISE EXCEPTION 'transfer % does not balance: asset % is off by %',\n    wrong.transfer_id, wrong.asset_id, wrong.total USING ERRCODE = 'check_violation';\nEND IF;\n\nSELECT n.transfer_id, n.holder_id, n.asset_id INTO wrong\n  FROM new_rows n\n  LEFT JOIN ledger_transfer t ON t.id = n.transfer_id\n  LEFT JOIN games_game g ON g.id = t.game_id\n  LEFT JOIN ledger_holder h ON h.id = n.holder_id\n  LEFT JOIN ledger_asset a ON a.id = n.asset_id\n  WHERE g.id IS NULL\n     OR h.game_id IS DISTINCT FROM t.game_id\n     OR a.game_id IS DISTINCT FROM t.game_id\n     OR t.entry <= g.last_entry\n  LIMIT 1;\nIF FOUND THEN\n  RAISE EXCEPTION\n    'asset % of holder % is of another game than transfer %, or its entry is written already',\n    wrong.asset_id, wrong.holder_id, wrong.transfer_id USING ERRCODE = 'check_violation';\nEND IF;\n\nMERGE INTO ledger_balance b\nUSING (\n  SELECT n.holder_id, n.asset_id, SUM(n.amount)::bigint AS amount,\n         h.kind = 'mint' AS is_mint, a.kind = 'unique' AS is_unique\n    FROM new_rows n\n    JOIN ledger_holder h ON h.id = n.holder_id\n    JOIN ledger_asset a ON a.id = n.asset_id\n   GROUP BY n.holder_id, n.asset_id, h.kind, a.kind\n) s ON b.holder_id = s.holder_id AND b.asset_id = s.asset_id\nWHEN MATCHED THEN UPDATE SET amount = b.amount + s.amount\nWHEN NOT MATCHED THEN\n  INSERT (holder_id, asset_id, amount, is_mint, is_unique)\n  VALUES (s.holder_id, s.asset_id, s.amount, s.is_mint, s.is_unique);\nRETURN NULL;\n",
                    hash="be2ff0d788510396d16ac6542e45edd5b26a6ea3",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_keep_balances_22816",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="ledger_posting",
                    when="AFTER",
                ),
            ),
        ),
    ]
