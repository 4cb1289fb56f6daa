"""Forgeries that fit together in every other way: docs/verify.py must notice each."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nomic.dice.models import Period, Roll
from nomic.games.models import Game
from nomic.record.models import SealedEntry
from nomic.web.api.tests.test_record_format import run
from nomic.web.proof.receipts import all_acts, receipt
from tests.tampering.forging import hash_anew, save, sql, undone
from tests.tampering.test_the_nine_attacks import each_value, shown
from tests.tampering.tools import audit, verify_address, verify_file

VISIT = pytest.mark.parametrize("which", ["a visit"])


def opened_bribe(game: Game) -> SealedEntry:
    found = game.sealed_entries.filter(name="settlers.bribe", opened_in__isnull=False).last()
    assert found is not None
    return found


def missed_by_nobody(game: Game, sentence: str) -> None:
    hash_anew(game)
    forgery = Game.objects.get(pk=game.pk)
    assert sentence in verify_address(forgery)
    assert sentence in verify_file(forgery)


@pytest.mark.thorough
@VISIT
def test_a_private_act_of_another_history_or_day_is_missed_once_it_is_open(game: Game) -> None:
    with undone():
        bribe = opened_bribe(game)
        bribe.saw = [2, "f" * 64]
        save(bribe)
        missed_by_nobody(game, "its actor had seen another entry 2")
    bribe = opened_bribe(game)
    bribe.at -= timedelta(days=30)
    save(bribe)
    missed_by_nobody(game, "is older than the one before it")


@pytest.mark.thorough
@VISIT
def test_dice_have_the_seat_that_acts_and_each_seed_is_told(game: Game) -> None:
    with undone():
        roll = Roll.objects.filter(period__game=game, seat=0, period__private=False).last()
        assert roll is not None
        roll.seat = 2
        entry = game.entries.get(seq=roll.entry)
        for each in entry.effects:
            if each.get("roll") == roll.label:
                each["seat"] = 2
        save(roll, entry)
        missed_by_nobody(game, "nobody has another seat")
    period = Period.objects.filter(game=game, purpose="", closed_in__isnull=False).last()
    assert period is not None
    entry = game.entries.get(seq=period.closed_in)
    entry.effects = [each for each in entry.effects if "seed" not in each]
    period.seed = None
    save(period, entry)
    missed_by_nobody(game, "was never published")


@VISIT
def test_what_is_shown_has_no_balance_that_no_entry_tells(game: Game) -> None:
    def richer(answer: Any) -> Any:
        if isinstance(answer, dict) and isinstance(own := answer.get("Murphy"), dict):
            own["gold"] = 100
        return answer

    assert "('Murphy', 'gold')" in shown(richer)


@pytest.mark.thorough
@pytest.mark.parametrize("which", ["a secret vote"])
def test_no_vote_is_taken_away(game: Game) -> None:
    assert sql("DELETE FROM proposals_vote WHERE player_id IS NOT NULL", game)
    forgery = Game.objects.get(pk=game.pk)
    assert audit(forgery)
    assert "vote on proposal p1 is not shown" in verify_address(forgery)


@VISIT
def test_a_receipt_that_the_site_did_not_sign_proves_nothing(game: Game, tmp_path: Path) -> None:
    acts = (receipt(game, act) for each in game.players.all() for act in all_acts(game, each))
    made_up = next(each for each in acts if "entry" in each)

    def of_a_stranger(value: dict[str, Any]) -> None:
        if "says" in value:
            value |= {"hash": "0" * 64, "key": "0" * 16}

    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(each_value(made_up, of_a_stranger)), "utf-8")
    assert "which no key that counts has signed, is of another" in verify_address(
        game, "--receipt", str(path)
    )


@VISIT
def test_a_sealed_entry_has_a_name_that_tells_nothing_of_its_place(game: Game) -> None:
    bribe = opened_bribe(game)
    name = bribe.content_hash
    bribe.number, bribe.prev_hash = 900, "0" * 64
    assert bribe.content_hash == name != bribe.hash


@pytest.mark.thorough
@VISIT
def test_what_cannot_be_read_is_told_in_a_sentence(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    path.write_text("[" * 20_000, "utf-8")
    address = f"https://nomic.example/api/v1/games/{game.slug}"
    assert "cannot be read" in run(bytes, "--receipt", str(path), of=address)
    for head in ("1:2:3", "one:2f5a"):
        assert f"{head} is no head" in verify_address(game, "--head", head)
