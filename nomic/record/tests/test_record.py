"""The two chains: what they promise, and that the database refuses everything else."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from nomic.engine.outcomes import Outcome
from nomic.engine.tests.tiny import SCRIPTS
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from nomic.record import game_file
from nomic.record.canonical import canonical_json
from nomic.record.chain import as_stored, entry_hash, genesis
from nomic.record.game_file import both_books, in_order
from nomic.record.models import Entry, SealedEntry
from tests.kit import Take, at_the_table, examples

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
WEEK = timedelta(days=7)
BOOKS = {"record_entry": Entry, "record_sealedentry": SealedEntry}
_REFUSED = "does not continue the (record|sealed book)|one_(sealed_)?entry_a_number|_seq_check"


@pytest.fixture
def played(game: Game, player: Player, act: Take) -> Game:
    """Two weeks, an action, and two whispers in the second."""
    advance(game.slug, MONDAY)
    act(player, "tiny.whisper", words="plugh")
    act(player, "games.leave")
    act(player.user, "games.join", name=player.name)
    act(player, "tiny.whisper", words="xyzzy")
    advance(game.slug, MONDAY + WEEK)
    game.refresh_from_db()
    return game


def sha(content: dict[str, Any]) -> str:
    """The hash of an object as docs/record-format.md tells it: of these, whose keys are plain and
    whose numbers are whole, RFC 8785 makes what the standard library makes."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def by_hand(entry: Entry, identity: str) -> str:
    """The hash as docs/record-format.md tells it, without the program's own code."""
    moment = "%Y-%m-%dT%H:%M:%S.%fZ"
    content = {
        "actor": entry.actor.name if entry.actor else None,
        "anchors": entry.anchors,
        "effects": entry.effects,
        "inputs": entry.inputs,
        "name": entry.name,
        "outcome": entry.outcome,
        "recorded_at": entry.recorded_at.strftime(moment),
        "rule": entry.rule,
        "saw": entry.saw,
        "nonce": entry.nonce,
        "text": entry.text,
    }
    return sha(
        {
            "at": entry.at.strftime(moment),
            "content": sha(content),
            "game": identity,
            "kind": entry.kind,
            "prev_hash": entry.prev_hash,
            "seq": entry.seq,
            "subgame": entry.name.partition(".")[0],
        }
    )


def test_entries_of_a_subgame_are_those_whose_names_begin_with_its(played: Game) -> None:
    names = [entry.name for entry in played.entries.of_subgame("tiny")]
    assert names == [each.name for each in played.entries.all() if each.name.startswith("tiny.")]
    assert names
    assert not played.entries.of_subgame("tin").exists()


def test_the_public_chain_can_be_verified_by_hand(played: Game) -> None:
    previous = hashlib.sha256(f"nomic record of {played.identity}".encode()).hexdigest()
    entries = list(played.entries.select_related("actor").order_by("seq"))
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    for entry in entries:
        assert entry.prev_hash == previous
        assert entry.hash == by_hand(entry, played.identity)
        previous = entry.hash
    assert (played.record_head, played.last_entry) == (previous, len(entries))


def test_each_sealed_book_is_a_chain_as_well(played: Game) -> None:
    ends: dict[str, tuple[int, str]] = {}
    for entry in played.sealed_entries.select_related("actor").order_by("seq"):
        first = 0, genesis(played.identity, f"sealed book {entry.book}")
        number, previous = ends.get(entry.book, first)
        assert (entry.number, entry.prev_hash) == (number + 1, previous)
        assert entry.hash == entry_hash(entry)
        ends[entry.book] = number + 1, entry.hash
    assert set(ends) >= {"tiny", "dice"}


def test_each_event_anchors_the_book_of_its_subgame_and_nothing_else_does(played: Game) -> None:
    hashes = dict(played.sealed_entries.values_list("hash", "seq"))
    places = []
    for entry in played.entries.order_by("seq"):
        own = [entry.name.partition(".")[0]] if entry.kind == "event" else []
        assert list(entry.anchors) == own
        places += [hashes[head] for head in entry.anchors.values()]
    assert places == sorted(set(places))


def test_the_anchors_differ_also_where_nobody_whispered(game: Game) -> None:
    advance(game.slug, MONDAY + 5 * WEEK)
    heads = [
        head
        for anchors in game.entries.filter(kind="event").values_list("anchors", flat=True)
        for head in anchors.values()
    ]
    assert len(heads) == len(set(heads)) == 12


def test_a_private_act_leaves_no_trace_outside_the_sealed_book(
    game: Game, player: Player, act: Take
) -> None:
    game.refresh_from_db()
    before = {
        "entries": list(game.entries.values_list()),
        "last": (game.last_entry, game.record_head, game.last_at, game.wakes_at),
    }
    receipt = act(player, "tiny.whisper", words="xyzzy")
    assert isinstance(receipt.entry, SealedEntry)
    game.refresh_from_db()
    assert before == {
        "entries": list(game.entries.values_list()),
        "last": (game.last_entry, game.record_head, game.last_at, game.wakes_at),
    }
    advance(game.slug, MONDAY)
    shown = json.dumps(list(game.entries.values()), default=str)
    assert "xyzzy" not in shown
    assert "whisper" not in shown


def test_the_salt_of_a_sealed_entry_keeps_it_from_being_guessed(played: Game) -> None:
    salts = list(played.sealed_entries.values_list("salt", flat=True))
    assert len(set(salts)) == len(salts)
    assert all(len(bytes.fromhex(salt)) == 32 for salt in salts)


def test_an_outcome_is_kept_as_it_will_be_read(game: Game, monkeypatch: Any) -> None:
    odd = {10: "ten", 2: ("a", "tuple"), "é": None}
    monkeypatch.setitem(SCRIPTS, "odd", lambda table: Outcome("odd", odd))
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", MONDAY - WEEK / 7, "odd")
    advance(game.slug, MONDAY - WEEK / 7)
    entry = game.entries.get(name="tiny.scripted")
    assert entry.outcome == {"10": "ten", "2": ["a", "tuple"], "é": None}
    assert entry.hash == entry_hash(entry)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=8,
)


@settings(max_examples=examples(50), deadline=None)
@given(st.dictionaries(st.text(st.characters(codec="utf-8")), plain))
def test_the_canonical_form_depends_on_the_values_alone(content: dict[str, Any]) -> None:
    backwards = dict(reversed(content.items()))
    stored = as_stored(content)
    assert canonical_json(stored) == canonical_json(as_stored(backwards))
    assert json.loads(canonical_json(stored)) == stored
    assert b" " not in canonical_json({"a": [1, {"b": None}]})


# Around the ORM

Sql = Callable[..., None]


@pytest.fixture
def sql() -> Sql:
    def run(statement: str, *params: object) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, params)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    return run


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record_entry SET text = 'otherwise' WHERE seq = 1",
        "UPDATE record_entry SET key = NULL",
        "DELETE FROM record_entry WHERE seq = (SELECT max(seq) FROM record_entry)",
        "TRUNCATE record_entry CASCADE",
        "UPDATE record_sealedentry SET text = 'otherwise'",
        "UPDATE record_sealedentry SET opened_in = NULL",
        "UPDATE record_sealedentry SET opened_in = 1, text = 'otherwise'",
        "DELETE FROM record_sealedentry",
        "TRUNCATE record_sealedentry",
        "UPDATE games_game SET last_entry = last_entry - 1",
        "UPDATE games_game SET record_head = repeat('0', 64)",
        "UPDATE games_game SET last_at = last_at - interval '1 day'",
        "UPDATE games_game SET sealed_count = 0",
        "UPDATE games_game SET sealed_head = repeat('0', 64)",
        "UPDATE games_game SET identity = 'another'",
        "DELETE FROM games_game",
    ],
)
def test_the_past_is_not_rewritten(played: Game, sql: Sql, statement: str) -> None:
    before = [list(book.values_list()) for book in (played.entries, played.sealed_entries)]
    with pytest.raises(DatabaseError):
        sql(statement)
    assert before == [list(book.values_list()) for book in (played.entries, played.sealed_entries)]
    assert Game.objects.get(pk=played.pk).record_head == played.record_head


def test_a_sealed_entry_is_opened_once(played: Game, sql: Sql) -> None:
    opening = "UPDATE record_sealedentry SET opened_in = %s WHERE name = 'tiny.whisper'"
    sql(opening, played.last_entry)
    with pytest.raises(DatabaseError, match="only be opened, once"):
        sql(opening, played.last_entry)


def forged(game: Game, **wrong: Any) -> Entry:
    """The entry that would come next, but for what is wrong with it."""
    facts = {
        "seq": game.last_entry + 1,
        "at": game.last_at,
        "prev_hash": game.record_head,
        "recorded_at": datetime.now(UTC),
        "kind": "system",
        "name": "forged",
        "text": "Nothing happened.",
        "hash": "f" * 64,
    }
    return Entry(game=game, **{**facts, **wrong})


@pytest.mark.parametrize(
    "wrong",
    [
        {"seq": 2},
        {"seq": 100},
        {"seq": 0},
        {"prev_hash": "0" * 64},
        {"prev_hash": ""},
        {"at": MONDAY - WEEK},
    ],
)
def test_an_entry_that_does_not_continue_the_chain_is_refused(
    played: Game, wrong: dict[str, Any]
) -> None:
    with pytest.raises(DatabaseError, match=_REFUSED), transaction.atomic():
        forged(played, **wrong).save()


def test_an_entry_that_continues_it_is_taken_once(played: Game) -> None:
    forged(played).save()
    with pytest.raises(DatabaseError), transaction.atomic():
        forged(played).save()


@pytest.mark.parametrize(
    "wrong", [{"seq": 1}, {"seq": 99}, {"number": 0}, {"number": 99}, {"prev_hash": "0" * 64}]
)
def test_a_sealed_entry_that_does_not_continue_its_book_is_refused(
    played: Game, wrong: dict[str, Any]
) -> None:
    last, head = played.sealed_books["tiny"]
    facts = {
        "seq": played.sealed_count + 1,
        "after": played.last_entry,
        "at": played.last_at,
        "book": "tiny",
        "number": last + 1,
        "prev_hash": head,
        "recorded_at": datetime.now(UTC),
        "name": "forged",
        "salt": "0" * 64,
        "hash": "f" * 64,
    }
    with pytest.raises(DatabaseError, match=_REFUSED), transaction.atomic():
        SealedEntry(game=played, **{**facts, **wrong}).save()


@pytest.mark.parametrize("book", ["record_entry", "record_sealedentry"])
def test_an_entry_that_collides_and_is_not_inserted_moves_no_book(played: Game, book: str) -> None:
    """It carries the id of an entry that is there, and the number that comes next."""
    ends = ("last_entry", "last_at", "record_head", "sealed_count", "sealed_head")
    before = Game.objects.values_list(*ends).get(pk=played.pk)
    columns = [field.column for field in BOOKS[book]._meta.concrete_fields]
    put = {"seq": "seq + 1", "prev_hash": "hash", "hash": "repeat('f', 64)"}
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {book} ({', '.join(columns)})"
            f" SELECT {', '.join(put.get(column, column) for column in columns)} FROM {book}"
            " WHERE game_id = %s ORDER BY seq DESC LIMIT 1 ON CONFLICT DO NOTHING",
            [played.pk],
        )
        assert cursor.rowcount == 0
    assert Game.objects.values_list(*ends).get(pk=played.pk) == before


@pytest.mark.parametrize("at_once", [1, 2, 3, 500])
def test_a_long_record_is_read_some_entries_at_a_time(
    game: Game, player: Player, rival: Player, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_file, "_AT_ONCE", at_once)
    written = list(game.entries.order_by("seq"))
    assert len(written) == 3
    assert list(in_order(game.entries.order_by("seq"))) == written
    assert list(both_books(Game.objects.get(pk=game.pk))) == written


_TOLD_OF_BOTH = (
    "seq at recorded_at actor name inputs outcome text rule key effects saw nonce prev_hash hash"
)


@pytest.mark.parametrize(
    ("book", "more"),
    [
        (Entry, "kind anchors"),
        (SealedEntry, "after book number salt opened_in"),
    ],
)
def test_a_file_tells_these_fields_of_an_entry_and_no_others(book: Any, more: str) -> None:
    now = datetime(2022, 8, 3, tzinfo=UTC)
    told = game_file._line(book(at=now, recorded_at=now))
    assert told.keys() == {*_TOLD_OF_BOTH.split(), *more.split()}
