"""A verifier in another language, written from docs/record-format.md alone, agrees."""

from __future__ import annotations

import pytest

from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT
from tests.tampering.forging import undone
from tests.tampering.games import GAMES
from tests.tampering.javascript import evaluate, verified
from tests.tampering.rows import EXPORT, HEAD, TABLE
from tests.tampering.tools import exported

DOCUMENT = (ROOT / "docs/record-format.md").read_text("utf-8")
WRITTEN = r'{"b":[1.0,-0,1e21,0.000001,1e-7],"a":"é\n","\ud83d\ude00":null,"\uffe5":2}'
AFTER = "6c93f1243db4688791a43a7ccef08dc5cd804cf1258885b8bd2661f19b06bcf9"
ROLL = f"""{{ seat: 3, count: 7, after: "{AFTER}" }}"""
VECTORS = f"""[
  canonical({WRITTEN}), hash({WRITTEN}), beforeFirst("table"),
  thrown(Uint8Array.from({{ length: 32 }}, (_, i) => i), "table", ["", 4], {ROLL}, 52),
]"""


def test_it_agrees_on_the_test_vectors_of_the_document() -> None:
    written, digest, before, value = evaluate(VECTORS)
    assert f"`{WRITTEN}`" in DOCUMENT
    for vector in (written, digest, before, AFTER):
        assert f"`{vector}`" in DOCUMENT
    assert f"the value is {value}." in DOCUMENT


def check(game: Game) -> None:
    """It agrees with the game, and notices all that must be noticed in a file."""
    own = exported(game)
    tampered = {}
    for row in TABLE:
        with undone():
            if row.noticed_by & {EXPORT, HEAD} and row.change(Game.objects.get(pk=game.pk)):
                heads = () if EXPORT in row.noticed_by else (game.record_head,)
                tampered[row.what] = exported(Game.objects.get(pk=game.pk)), *heads
    honest, with_a_head, *found = verified((own,), (own, game.record_head), *tampered.values())
    assert honest == with_a_head
    assert isinstance(honest, dict), honest
    assert (honest["entries"], honest["sealed"]) == (game.last_entry, game.sealed_count)
    said = dict(zip(tampered, found, strict=True))
    assert [what for what, wrong in said.items() if not isinstance(wrong, str)] == []


@pytest.mark.thorough
@pytest.mark.parametrize("which", ["a visit"])
def test_it_agrees_with_a_game_and_notices_what_was_changed(game: Game) -> None:
    check(game)


@pytest.mark.slow
@pytest.mark.parametrize("which", GAMES)
def test_it_agrees_with_games_of_all_presets(game: Game) -> None:
    check(game)
