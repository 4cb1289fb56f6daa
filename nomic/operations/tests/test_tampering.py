"""Whoever changes the past behind the program's back, past all triggers, is found out."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from bench.simulate import Simulation
from nomic.games.models import Game
from nomic.operations.audit import audit, audit_guards
from nomic.operations.replay import replay
from nomic.record.chain import entry_hash, genesis

pytestmark = pytest.mark.django_db(transaction=True)

GAME = "(SELECT id FROM games_game WHERE slug = 'honest')"
HELD = f"""holder_id = (SELECT id FROM ledger_holder WHERE game_id = {GAME} AND name = 'player1')
    AND asset_id = (SELECT id FROM ledger_asset WHERE game_id = {GAME} AND name = 'dollary')"""
ALEXIA = f"asset_id = (SELECT id FROM ledger_asset WHERE game_id = {GAME} AND name = 'Alexia')"
AGORA = f"holder_id = (SELECT id FROM ledger_holder WHERE game_id = {GAME} AND kind = 'game')"
OWED = HELD.replace("name = 'player1'", "kind = 'mint'")
SIXTH = f"(SELECT MIN(e.id) FROM record_entry e WHERE e.game_id = {GAME} AND e.seq > 5)"


@pytest.fixture
def game() -> Game:
    simulation = Simulation("honest", "agora-races", players=3, seed=5)
    simulation.play(2)
    while not simulation.game.race_turns.exists():  # what players do is drawn, and may be no turn
        simulation.play(1)
    return simulation.game


def around_the_triggers(*statements: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for sql in statements:
            cursor.execute(sql)
            assert cursor.rowcount, f"nothing was changed by {sql}"
        cursor.execute("SET LOCAL session_replication_role = origin")


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def first_wrong(game: Game) -> str:
    """What the audit finds first; if it finds nothing, what the replay does."""
    game.refresh_from_db()
    wrong = next((str(finding) for finding in audit(game) if finding.wrong), "")
    return wrong or str(replay(game)[1] or "")


TAMPERED = {
    "a balance": (
        [f"UPDATE ledger_balance SET amount = amount + 5 WHERE {HELD}"],
        "every balance is the sum of its postings: player1 has",
    ),
    "the game of a balance": (
        [f"UPDATE ledger_balance SET game_id = game_id + 1 WHERE {HELD}"],
        "a balance names another game than its holder's",
    ),
    "the game of a posting": (
        [
            "UPDATE ledger_posting SET game_id = game_id + 1 WHERE id ="
            f" (SELECT MAX(id) FROM ledger_posting WHERE {HELD})"
        ],
        "names another game",
    ),
    "a balance and its posting": (
        [
            f"UPDATE ledger_balance SET amount = amount + 5 WHERE {HELD}",
            "UPDATE ledger_posting SET amount = amount + 5 WHERE id ="
            f" (SELECT MAX(id) FROM ledger_posting WHERE {HELD})",
        ],
        "transfers balance, each asset by itself: in entry",
    ),
    "both sides of a transfer, and the balances": (
        [
            f"UPDATE ledger_balance SET amount = amount + 5 WHERE {HELD}",
            f"UPDATE ledger_balance SET amount = amount - 5 WHERE {OWED}",
            f"""WITH t AS (INSERT INTO ledger_transfer (game_id, entry, rule, why)
                VALUES ({GAME}, 7, '', 'a present') RETURNING id)
                INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)
                SELECT b.game_id, t.id, b.holder_id, b.asset_id,
                CASE WHEN b.is_mint THEN -5 ELSE 5 END
                FROM t, ledger_balance b WHERE ({HELD}) OR ({OWED})""",
        ],
        "entry 7: ",
    ),
    "a second Alexia": (
        [
            "ALTER TABLE ledger_balance DROP CONSTRAINT a_unique_thing_is_one",
            f"UPDATE ledger_balance SET amount = amount + 1 WHERE {ALEXIA} AND {AGORA}",
            f"UPDATE ledger_balance SET amount = amount - 1 WHERE {ALEXIA} AND is_mint",
            f"""WITH t AS (INSERT INTO ledger_transfer (game_id, entry, rule, why)
                VALUES ({GAME}, 1, '', 'a twin') RETURNING id)
                INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)
                SELECT b.game_id, t.id, b.holder_id, b.asset_id,
                CASE WHEN b.is_mint THEN -1 ELSE 1 END
                FROM t, ledger_balance b WHERE {ALEXIA} AND (is_mint OR {AGORA})""",
        ],
        "a unique thing is one: Agora has 2 Alexia",
    ),
    "a transfer's reason": (
        [f"UPDATE ledger_transfer SET entry = 999999 WHERE game_id = {GAME}"],
        "every transfer has its entry: a transfer names entry 999999",
    ),
    "an announcement": (
        [f"UPDATE record_entry SET text = text || ' Indeed.' WHERE id = {SIXTH}"],
        "entry 6 is not what its hash says",
    ),
    "an entry's inputs": (
        [f"""UPDATE record_entry SET inputs = '{{"horse": "Sugar"}}' WHERE id = {SIXTH}"""],
        "entry 6 is not what its hash says",
    ),
    "an entry that is gone": (
        [
            f"""DELETE FROM record_entry WHERE id = (SELECT MIN(e.id) FROM record_entry e
                WHERE e.game_id = {GAME} AND e.seq > 5 AND NOT EXISTS
                (SELECT 1 FROM ledger_transfer t WHERE t.game_id = {GAME} AND t.entry = e.seq))"""
        ],
        "after entry ",
    ),
    "the last entry, gone": (
        [
            f"""DELETE FROM record_entry WHERE game_id = {GAME}
                AND seq = (SELECT last_entry FROM games_game WHERE slug = 'honest')"""
        ],
        "every transfer has its entry|the record's chain",
    ),
    "a sealed entry": (
        [f"UPDATE record_sealedentry SET at = at + interval '1 s' WHERE game_id = {GAME}"],
        "the sealed book",
    ),
    "the hash by which a sealed entry is known": (
        [f"UPDATE record_sealedentry SET content_hash = repeat('0', 64) WHERE game_id = {GAME}"],
        "is known by another hash",
    ),
    "a roll": (
        [
            """UPDATE dice_roll SET value = (value + 1) % jsonb_array_length(options)
                WHERE id = (SELECT MIN(id) FROM dice_roll)"""
        ],
        "is recorded as",
    ),
    "a roll of a seed that is still secret": (
        ["UPDATE dice_period SET commitment = repeat('0', 64) WHERE closed_in IS NULL"],
        "the seed does not match its commitment",
    ),
    "a published seed": (
        ["UPDATE dice_period SET seed = repeat('0', 64) WHERE closed_in IS NOT NULL"],
        "the published seed is not the one that served",
    ),
    "a horse's position": (
        ["UPDATE horses_runner SET position = position + 1 WHERE name = 'Sugar'"],
        "every entry agrees, but horses runner",
    ),
    "a horse's pulls": (
        ["UPDATE horses_runner SET pulls = '{Sugar}' WHERE name = 'Sugar'"],
        "every entry agrees, but horses runner",
    ),
    "a turn that somebody took": (
        ["DELETE FROM horses_turn WHERE id = (SELECT MAX(id) FROM horses_turn)"],
        "every entry agrees, but horses turn",
    ),
    "a seat": (
        [f"UPDATE games_player SET vested = NOT vested WHERE game_id = {GAME}"],
        "every entry agrees, but players player",
    ),
    "a rule's text": (
        [f"UPDATE rulebook_rule SET text = text || ' Or not.' WHERE game_id = {GAME}"],
        "does not read as its newest version",
    ),
    "a rule's text and its version": (
        [
            f"UPDATE rulebook_rule SET text = text || ' Or not.' WHERE game_id = {GAME}",
            "UPDATE rulebook_ruleversion SET text = text || ' Or not.'",
        ],
        "effects that entries tell are those in the tables: entry 1",
    ),
    "an event, to happen again": (
        [
            f"""UPDATE play_appointment SET status = 'waiting' WHERE id =
                (SELECT MIN(id) FROM play_appointment WHERE status = 'done' AND game_id = {GAME})"""
        ],
        "every event is an appointment kept once",
    ),
    "an appointment that is gone": (
        [f"DELETE FROM play_appointment WHERE status = 'waiting' AND game_id = {GAME}"],
        "every event is an appointment kept once: the game expects",
    ),
}


@pytest.mark.thorough
def test_an_honest_game_is_found_honest_and_every_tampered_one_out(game, subtests):
    assert first_wrong(game) == ""
    for what, (statements, expected) in TAMPERED.items():
        with subtests.test(what), undone():
            around_the_triggers(*statements)
            found = first_wrong(game)
            assert any(words in found for words in expected.split("|")), found
    assert first_wrong(game) == ""


def forge_the_chain(game: Game) -> None:
    """Change an entry and hash everything after it anew, as only a thorough forger would."""
    head = genesis(game.identity)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for entry in game.entries.select_related("actor").order_by("seq"):
            entry.prev_hash = head
            if entry.seq == 6:
                entry.text += " Indeed."
            head = entry.hash = entry_hash(entry)
            entry.save(update_fields=["text", "prev_hash", "hash"])
        cursor.execute("UPDATE games_game SET record_head = %s WHERE id = %s", [head, game.pk])
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_a_record_that_was_forged_whole_passes_the_audit_and_fails_the_replay(game):
    with undone():
        forge_the_chain(game)
        game.refresh_from_db()
        assert not [finding for finding in audit(game) if finding.wrong]
        assert "entry 6: " in str(replay(game)[1])


def test_a_guard_that_was_taken_down_is_missed():
    assert not audit_guards().wrong
    with undone():
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE ledger_posting DISABLE TRIGGER USER")
        assert "missing or disabled" in audit_guards().wrong
