"""The tools that must notice a tampering, each as a function: what it finds wrong, or nothing."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from django.core.management import CommandError, call_command
from django.db.transaction import Atomic

from nomic.games.models import Game
from nomic.operations import audit as auditing
from nomic.operations import replay as replaying
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.web.api.tests.test_record_format import run
from nomic.web.proof.receipts import all_acts, receipt
from tests.tampering.forging import undone

Tool = Callable[[Game], str]


def audit(game: Game) -> str:
    found = auditing.audit(game)
    return next((str(finding) for finding in found if finding.wrong), "")


def replay(game: Game) -> str:
    return str(replaying.replay(game)[1] or "")


def verify_dice(game: Game) -> str:
    try:
        call_command("verify-dice", game.slug, stdout=io.StringIO())
    except CommandError as error:
        return str(error)
    return ""


def _within_another(using: str | None = None, savepoint: bool = True, **_: bool) -> Atomic:
    return Atomic(using, savepoint, durable=False)


def verify_address(game: Game, *words: str) -> str:
    """docs/verify.py, of what the API shows; `words` may be heads or receipts. For what a proposal
    would do the game is locked where it is found out anew."""
    with patch("nomic.engine.fairness.locks.transaction.atomic", _within_another):
        return _wrong(run(bytes, *words, of=f"https://nomic.example/api/v1/games/{game.slug}"))


def verify_file(game: Game, *words: str) -> str:
    """docs/verify.py, of the file that the operator gives out."""
    return verify_lines(exported(game), *words)


def exported(game: Game) -> str:
    file = io.StringIO()
    export_game(game, file)
    return file.getvalue()


def verify_lines(lines: str, *words: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.export"
        path.write_text(lines, "utf-8")
        return _wrong(run(bytes, *words, of=str(path)))


def import_lines(lines: str) -> str:
    """What the program itself says of a file, as it plays it again."""
    with undone(), patch("nomic.operations.exports.transaction.atomic", _within_another):
        try:
            import_game(lines.splitlines(), slug="another-place")
        except BadRecording as error:
            return str(error)
    return ""


def kept_receipts(game: Game, folder: Path) -> str:
    """The file in which the players have kept their receipts."""
    path = folder / "receipts.json"
    kept = [receipt(game, act) for player in game.players.all() for act in all_acts(game, player)]
    path.write_text(json.dumps({"receipts": kept}), "utf-8")
    return str(path)


def _wrong(said: str) -> str:
    _, wrong, sentence = said.partition("WRONG: ")
    return wrong + sentence


TOOLS: dict[str, Tool] = {
    "audit": audit,
    "replay": replay,
    "verify-dice": verify_dice,
    "verify URL": verify_address,
    "verify EXPORT": verify_file,
}
