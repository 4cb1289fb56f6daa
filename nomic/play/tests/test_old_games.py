"""Games that earlier versions recorded go on by the readings with which they began.

Their files lie beside this repository, one of each kind of game.
"""

from pathlib import Path

import pytest
from django.core.management import call_command

from nomic.games.readings import READINGS
from nomic.play.exports import import_game

EXPORTS = Path(__file__).parents[4] / "shared/exports"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "name",
    [
        "ace-of-spades", "agora", "agora-races", "b-nomic-2006", "b-nomic-5e33", "blognomic",
        "demo", pytest.param("demonstration", marks=pytest.mark.slow), "multa",
    ],
)  # fmt: skip
def test_every_entry_of_an_old_game_comes_out_with_its_own_hash(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = EXPORTS / f"{name}.export"
    if not file.exists():
        pytest.skip("the exports are not beside this repository")
    with file.open(encoding="utf-8") as lines:
        game = import_game(lines, slug="old")
    assert game.setting(READINGS) is None
    for command in ("audit", "replay", "verify-dice"):
        call_command(command, "old")
    assert "old" in capsys.readouterr().out
