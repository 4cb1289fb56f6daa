"""docs/verify.py, run as it stands there, holds an honest game to heads and receipts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomic.engine import actions
from nomic.engine.actions import PrivateAction
from nomic.engine.effects import Effects
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.exports import export_game
from nomic.operations.setup import new_game
from nomic.record.keys import head_of, signed_head, signer
from nomic.web.api.tests.test_record_format import run
from nomic.web.proof.receipts import all_acts, newest_acts, receipt
from tests.kit import Take, around, at_the_table

Receipts = Callable[[list[dict[str, Any]]], str]


class Murmur(PrivateAction):
    """Say something that nobody hears."""

    name = "testing.murmur"
    title = "Murmur"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(say=f"{player} murmurs.")


@pytest.fixture(autouse=True)
@around
def _murmuring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(actions._ACTIONS, Murmur.name, Murmur())


@pytest.fixture
def theirs(game: Game, player: Player, act: Take) -> list[dict[str, Any]]:
    """Murphy's receipts: a murmur, a gain, joining; others act after that."""
    act(player, "horses.gain_dollaries")
    act(player, "testing.murmur")
    return [receipt(game, each) for each in all_acts(game, player)]


@pytest.fixture
def checked(tmp_path: Path) -> Receipts:
    """What the program says of these receipts."""

    def checked(receipts: list[dict[str, Any]]) -> str:
        file = tmp_path / "receipts.json"
        file.write_text(json.dumps({"receipts": receipts}))
        return run(bytes, "--receipt", str(file))

    return checked


def changed(receipts: list[dict[str, Any]], which: int, *way: str | int, to: Any) -> Any:
    """These receipts, one of them with another value in that place."""
    copy = json.loads(json.dumps(receipts))
    place = copy[which]
    for step in way[:-1]:
        place = place[step]
    place[way[-1]] = to
    return copy


def test_receipts_are_read_page_by_page_none_twice_and_none_left_out(
    game: Game, player: Player, act: Take
) -> None:
    for murmur in range(3):
        act(player, "testing.murmur", key=f"murmur-{murmur}")
    act(player, "horses.gain_dollaries")
    act(player, "testing.murmur")
    whole = [act.hash for act in all_acts(game, player)]
    before: int | None = None
    pages: list[list[str]] = []
    while before is not None or not pages:
        acts, before = newest_acts(game, player, before, 1)
        pages.append([act.hash for act in acts])
    assert len(pages) > 1
    assert [each for page in pages for each in page] == whole


def test_receipts_of_this_history_are_verified_sealed_ones_too(
    game: Game, player: Player, act: Take, theirs: list[dict[str, Any]], checked: Receipts
) -> None:
    said = checked(theirs)
    assert "WRONG" not in said
    assert "3 receipts (3 signed by a key that counts), 1 of what is sealed yet" in said
    with at_the_table(game) as table:
        table.open_books(["testing"])
    said = checked(theirs)
    assert "WRONG" not in said
    assert "0 of what is sealed yet" in said


@pytest.mark.thorough
def test_each_thing_that_is_wrong_with_a_receipt_is_found(
    game: Game, player: Player, act: Take, theirs: list[dict[str, Any]], checked: Receipts
) -> None:
    other = new_game("other", "agora-races", pace="manual")[0]
    hashed = ("signed", 0, "said", "hash")
    for wrong, sentence in (
        (changed(theirs, 1, *hashed, to="f" * 64), "is signed wrongly"),
        (
            changed(theirs, 0, "signed", 0, "opens", "text", to="x"),
            "something else than was sealed",
        ),
        (changed(theirs, 1, "entry", "text", to="x"), "another entry than it says"),
        (changed(theirs, 1, "signed", 0, "signature", to="0" * 128), "WRONG"),
        (
            changed(theirs, 1, "signed", 0, "said", "game", to=other.identity),
            "is signed wrongly",
        ),
    ):
        assert sentence in checked(wrong), sentence
    theirs_elsewhere = receipt(other, next(all_acts(game, player)))
    assert "of another game" in checked([theirs_elsewhere])
    unknown = changed(theirs, 1, "signed", 0, "said", "key", to="0" * 16)
    assert "3 receipts (2 signed by a key that counts)" in checked(unknown)


def test_a_private_act_that_an_opening_leaves_out_is_missed(
    game: Game, rival: Player, act: Take, theirs: list[dict[str, Any]], checked: Receipts
) -> None:
    never_sealed = changed(theirs, 0, "signed", 0, "said", "key", to="0" * 16)
    never_sealed = changed(never_sealed, 0, "signed", 0, "said", "hash", to="e" * 64)
    act(rival, "testing.murmur")
    act(rival, "horses.gain_dollaries")
    act(rival, "testing.murmur")
    with at_the_table(game) as table:
        table.open_books(["testing"])
    assert "its act was left out of the opening" in checked(never_sealed)


@pytest.mark.thorough
def test_a_signed_head_is_verified_and_one_of_a_fork_proves_it(
    game: Game, theirs: list[dict[str, Any]], settings: Any, tmp_path: Path
) -> None:
    game.refresh_from_db()
    head = str(head_of(game))
    assert "1 head given (1 of them signed" in run(bytes, "--head", head)
    assert "of another history" in run(bytes, "--head", str(signed_head(game, 2, "f" * 64)))
    assert "is signed wrongly" in run(bytes, "--head", f"{head[:-4]}0000")
    file = tmp_path / "table.export"
    with file.open("w") as out:
        export_game(game, out)
    said = run(bytes, "--head", head, "--key", signer().public, of=str(file))
    assert "1 head given (1 of them signed" in said
    settings.SIGNING_KEY = "another secret"
    assert "1 head given (1 of them signed" in run(bytes, "--head", head)


def test_an_act_of_who_was_told_another_history_proves_it_to_everybody(
    game: Game, player: Player, act: Take
) -> None:
    forked = signed_head(game, 2, "f" * 64)
    take(game.slug, player, "horses.gain_dollaries", saw=forked)
    said = run()
    assert "its actor had seen another entry 2. The site has signed both." in said
