"""What a preview warns of: rules that the machinery plays by, repealed or without their tables."""

from __future__ import annotations

import pytest

from nomic.engine.table import glance
from nomic.games.models import Game
from proposals.web.preview.preview import preview

NO_TABLE = "has no table any more: what no sentence of it says"
OFF = "what it makes possible would be off."


@pytest.fixture
def preset() -> str:
    return "agora"


def warned(game: Game, body: str) -> str:
    return " ".join(preview(game, None, body, {}).warnings)


def test_a_text_without_its_tables_is_warned_of(game: Game) -> None:
    bare = "Replace the text of the rule “Proposals” with:\n{\nPlayers propose.\n}\n"
    assert f"The text of “Proposals” {NO_TABLE}" in warned(game, bare)
    text = glance(game).rules.text("Proposals")
    assert NO_TABLE not in warned(game, bare.replace("Players propose.", f"{text}\nMore."))


def test_the_repeal_of_a_rule_that_is_played_by_is_warned_of(game: Game) -> None:
    assert f"Without the rule “Horse Victory”, {OFF}" in warned(
        game, "Repeal the rule “Horse Victory”."
    )
    new = "Enact a new rule titled “Silver Spoons” with the following text:\n{\nShine.\n}\n"
    assert OFF not in warned(game, f"{new}Repeal the rule “Silver Spoons”.")
