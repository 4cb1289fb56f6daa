"""Heads: signed by the site's key, checked by anybody, kept by the acts of those who saw them."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from django.conf import LazySettings
from django.core.management import call_command
from django.db.transaction import atomic, set_rollback

from nomic.engine.outcomes import Refused
from nomic.engine.restored import let_go_on
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.infrastructure.paths import ROOT
from nomic.operations.setup import advance
from nomic.record.heads import Head, is_of, read_head, statement
from nomic.record.keys import has_signed, head_of, known_keys, signed_head, signer
from nomic.record.models import SealedEntry, SiteKey

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
ELSEWHERE = "f" * 64


def sign_with(settings: LazySettings, secret: str) -> None:
    settings.SIGNING_KEY = secret


def test_anybody_checks_a_head_with_the_public_key_alone(game: Game, player: Player) -> None:
    head = head_of(game)
    said = {
        "says": "nomic receipt 1",
        "game": game.identity,
        "book": "record",
        "number": game.last_entry,
        "hash": game.record_head,
        "content": None,
        "key": head.key,
    }
    words = json.dumps(said, separators=(",", ":"), sort_keys=True).encode()
    [key] = known_keys()
    assert head.key == hashlib.sha256(bytes.fromhex(key.public)).hexdigest()[:16]
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public))
    public.verify(bytes.fromhex(head.signature), words)


def test_a_head_is_read_as_it_was_written_and_nothing_else_is(game: Game) -> None:
    head = head_of(game)
    assert read_head(f" {head}\n") == head
    assert read_head(f"3:{ELSEWHERE}") == Head(3, ELSEWHERE)
    cut, wide = str(head)[:-1], f"{head}0"
    for text in ("", "3", f"0:{ELSEWHERE}", f"3:{ELSEWHERE.upper()}", cut, wide, "9" * 10_000):
        assert read_head(text) is None, text


def test_a_changed_head_is_signed_by_nobody(game: Game, player: Player) -> None:
    head = head_of(game)
    assert has_signed(game, head)
    assert is_of(game, head)
    for other in (
        Head(head.number, ELSEWHERE, head.key, head.signature),
        Head(head.number + 1, head.hash, head.key, head.signature),
        Head(head.number, head.hash, "0" * 16, head.signature),
        Head(head.number, head.hash, head.key, "0" * 128),
    ):
        assert not has_signed(game, other)
    earlier = Head(1, game.entries.get(seq=1).hash)
    assert is_of(game, earlier)
    assert not is_of(game, Head(1, ELSEWHERE))


def test_what_an_old_key_has_signed_stays_signed(game: Game, settings: LazySettings) -> None:
    old = head_of(game)
    known_keys()
    sign_with(settings, "another secret")
    new = head_of(game)
    assert (new.number, new.hash) == (old.number, old.hash)
    assert new.key != old.key
    out = StringIO()
    call_command("signing-key", stdout=out)
    lines = out.getvalue().splitlines()
    assert [line.split()[1] for line in lines] == [old.key, new.key]
    assert [line.endswith("in use") for line in lines] == [False, True]
    assert "another secret" not in out.getvalue()
    assert has_signed(game, old)
    assert has_signed(game, new)


def test_a_key_is_written_down_before_it_first_signs(game: Game, settings: LazySettings) -> None:
    sign_with(settings, "a secret of this afternoon")
    before = wall_now()
    head = head_of(game)
    [key] = [key for key in SiteKey.objects.all() if key.name == head.key]
    assert before <= key.begun_at <= wall_now()
    sign_with(settings, "that of the next day")
    assert has_signed(game, head)


def test_a_key_whose_row_was_undone_is_written_down_when_it_signs_again(
    game: Game, settings: LazySettings
) -> None:
    sign_with(settings, "a secret of this afternoon")
    with atomic():
        head = head_of(game)
        set_rollback(True)
    assert not SiteKey.objects.filter(public=signer().public).exists()
    assert head_of(game) == head
    assert SiteKey.objects.filter(public=signer().public).exists()


def test_no_key_is_shown_by_what_shows_the_signer(settings: LazySettings) -> None:
    sign_with(settings, "another secret")
    assert "another" not in f"{vars(signer())!r}"


def whispered(game: Game) -> SealedEntry:
    return game.sealed_entries.get(name="tiny.whisper")


@pytest.fixture
def payer(game: Game, player: Player, rival: Player) -> Player:
    """A player who can pay three coins, one at a time."""
    advance(game.slug, MONDAY + timedelta(weeks=2))
    game.refresh_from_db()
    return player


def acted(payer: Player, saw: Head | None) -> Any:
    """What the entry of an act keeps, whose actor had seen that."""
    paid = {"coins": 1, "to": "Madrid"}
    return take(payer.game.slug, payer, "tiny.pay", paid, saw=saw).entry.saw


def test_an_act_keeps_the_head_that_its_actor_had_seen(game: Game, payer: Player) -> None:
    head = head_of(game)
    assert acted(payer, None) is None
    assert acted(payer, head) == [head.number, head.hash]


def test_an_act_keeps_a_head_of_another_history_if_the_site_has_signed_it(
    game: Game, payer: Player
) -> None:
    forked = signed_head(game, 2, ELSEWHERE)
    kept = [2, ELSEWHERE, forked.key, forked.signature]
    assert acted(payer, forked) == kept
    assert acted(payer, Head(2, ELSEWHERE)) is None


def test_an_act_that_names_a_head_beyond_the_last_is_refused_and_the_game_held(
    game: Game, payer: Player
) -> None:
    last = game.entries.count()
    with pytest.raises(Refused, match=rf"restored from a backup. Entries {last + 1} to 900"):
        acted(payer, signed_head(game, 900, ELSEWHERE))
    assert game.entries.count() == last
    with pytest.raises(Refused, match="restored from a backup"):
        acted(payer, None)
    let_go_on(game.slug, "the disk broke")
    assert acted(payer, signed_head(game, 900, ELSEWHERE)) is None


def test_what_the_actor_of_a_private_act_saw_is_sealed(game: Game, player: Player) -> None:
    game.refresh_from_db()
    head = head_of(game)
    take(game.slug, player, "tiny.whisper", {"words": "plugh"}, saw=head)
    assert whispered(game).saw == [head.number, head.hash]


def test_the_documents_vector_is_what_a_key_signs() -> None:
    document = (ROOT / "docs" / "record-format.md").read_text()
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = key.public_key().public_bytes_raw().hex()
    assert f"`{public}`" in document
    words = statement("table", "record", 1, "0" * 64, SiteKey(public=public).name)
    signature = key.sign(words).hex()
    assert f"`{signature[:64]}`\n`{signature[64:]}`" in document
