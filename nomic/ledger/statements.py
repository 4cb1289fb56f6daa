"""The SQL by which the ledger is read and written: one statement whatever the number of holders."""

TRANSFER = """
WITH t AS (
  INSERT INTO ledger_transfer (game_id, entry, sealed, rule, why)
  VALUES (%s, %s, %s, %s, %s) RETURNING id, game_id
)
INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)
"""
BULK = """
, q (holder_id, amount) AS ({amounts}),
moved AS (SELECT holder_id, amount FROM q WHERE amount <> 0)
INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)
SELECT t.game_id, t.id, moved.holder_id, %s, moved.amount FROM t, moved
UNION ALL
SELECT t.game_id, t.id, %s, %s, -total
  FROM t, (SELECT SUM(amount) AS total FROM moved) s WHERE total <> 0
"""
POSTED = """
RETURNING (SELECT h.name FROM ledger_holder h WHERE h.id = holder_id),
          (SELECT a.name FROM ledger_asset a WHERE a.id = asset_id), amount
"""
POSTED_OF_ONE_ASSET = """
RETURNING (SELECT h.name FROM ledger_holder h WHERE h.id = holder_id), %s::text, amount
"""
MOVED = """
SELECT COALESCE(t.entry, t.sealed), t.sealed IS NOT NULL, t.id, t.rule, t.why,
       a.visibility = 'public', h.name, a.name, p.amount
  FROM ledger_transfer t
  JOIN ledger_posting p ON p.transfer_id = t.id
  JOIN ledger_holder h ON h.id = p.holder_id
  JOIN ledger_asset a ON a.id = p.asset_id
 WHERE t.game_id = %s
 ORDER BY t.id, p.id
"""
AMOUNT_OF_ALL_ACTIVE = """
SELECT h.id, %s::bigint
  FROM games_player p
  JOIN ledger_holder h ON h.player_id = p.id
 WHERE p.game_id = %s AND p.active
"""
