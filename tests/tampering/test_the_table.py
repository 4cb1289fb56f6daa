"""The table of tampering: whatever is changed, every tool that must notice it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.record.keys import head_of
from nomic.web.proof.witness import judge_all, keep
from tests.tampering.forging import undone
from tests.tampering.games import GAMES
from tests.tampering.rows import HEAD, RECEIPT, REPLAY, TABLE
from tests.tampering.tools import (
    TOOLS,
    exported,
    import_lines,
    kept_receipts,
    verify_address,
    verify_file,
    verify_lines,
)


def noticed(tool: str, game: Game, kept: dict[str, tuple[str, str]]) -> bool:
    """Whether that tool finds anything wrong; with what was kept of before, in either source."""
    if tool in kept:
        return bool(verify_address(game, *kept[tool]) and verify_file(game, *kept[tool]))
    return bool(TOOLS[tool](game))


def unnoticed(game: Game, folder: Path, without: set[str]) -> str:
    """The cells of the table that fail, a line each: what was changed, and the tool that noticed
    nothing."""
    failing = []
    kept = {
        HEAD: ("--head", game.record_head),
        RECEIPT: ("--receipt", kept_receipts(game, folder)),
    }
    for row in TABLE:
        with undone():
            if row.change(Game.objects.get(pk=game.pk)):
                now = Game.objects.get(pk=game.pk)
                tools = sorted(row.noticed_by - without)
                file = exported(now)
                if verify_lines(file) and not import_lines(file):
                    failing.append(f"{row.what}: an import")
                failing += [f"{row.what}: {each}" for each in tools if not noticed(each, now, kept)]
    return "\n".join(failing)


def complaints(game: Game) -> dict[str, str]:
    """What the tools say of the game as it was played."""
    return {name: found for name, tool in TOOLS.items() if (found := tool(game))}


@pytest.mark.slow
@pytest.mark.parametrize("which", ["a visit"])
def test_what_was_changed_is_noticed_by_each_tool_that_must(game: Game, tmp_path: Path) -> None:
    assert complaints(game) == {}
    assert unnoticed(game, tmp_path, {REPLAY}) == ""


@pytest.mark.parametrize("which", ["a visit"])
def test_an_act_that_is_dropped_is_missed_by_its_receipt_and_by_who_has_seen_its_head(
    game: Game, tmp_path: Path
) -> None:
    player = game.players.get(name="Murphy")
    take(game.slug, player, "games.leave")
    acted = Game.objects.get(pk=game.pk)
    kept = "--receipt", kept_receipts(acted, tmp_path)
    assert verify_address(acted, *kept) == verify_file(acted, *kept) == ""
    (row,) = [each for each in TABLE if each.what == "the last entry dropped, and the game told so"]
    with undone():
        assert row.change(Game.objects.get(pk=game.pk))
        forgery = Game.objects.get(pk=game.pk)
        assert verify_address(forgery) == verify_file(forgery) == ""
        for verify in (verify_address, verify_file):
            assert "is of another history" in verify(forgery, *kept)
    keep(acted, player, judge_all(acted, str(head_of(acted))))
    assert verify_address(acted) == ""
    assert row.change(Game.objects.get(pk=game.pk))
    assert "is of another history" in verify_address(Game.objects.get(pk=game.pk))


@pytest.mark.slow
@pytest.mark.parametrize("which", GAMES)
def test_in_games_of_every_preset_as_well(game: Game, tmp_path: Path) -> None:
    assert complaints(game) == {}
    assert unnoticed(game, tmp_path, set()) == ""
