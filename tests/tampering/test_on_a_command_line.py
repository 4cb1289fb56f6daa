"""docs/verify.py as somebody runs it: with Python alone, against a site or a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, seat
from tests.tampering.tools import exported


def verify(*words: str) -> tuple[int, str]:
    """What the program exits with, and what it says; no installed package is in its reach."""
    command = [sys.executable, "-I", "-S", str(ROOT / "docs/verify.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_it_exits_1_at_the_first_difference_and_says_what_it_checked(
    live_server: Any, tmp_path: Path
) -> None:
    game = new_game("table", "agora-races", pace="manual", start=WEDNESDAY)[0]
    take(game.slug, seat(game, "Murphy"), "horses.gain_dollaries")
    there = f"{live_server.url}/api/v1/games/{game.slug}"
    head = Game.objects.get(pk=game.pk).record_head
    file = tmp_path / "table.export"
    file.write_text(exported(game), "utf-8")
    for source in (there, str(file)):
        code, said = verify(source, "--head", head)
        assert (code, "Traceback" in said) == (0, False)
        assert said.count("checked:") > 5
        assert "cannot check:" in said
        code, said = verify(source, "--head", "f" * 64)
        assert (code, said.splitlines()[-1].partition(":")[0]) == (1, "WRONG")
    for nothing in (f"{there}s", str(tmp_path / "nothing")):
        code, said = verify(nothing)
        assert (code, said.partition(":")[0]) == (1, "This cannot be read")
    assert verify()[0] == 1
