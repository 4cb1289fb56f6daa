"""What a preview warns of: rules that the machinery plays by, repealed or without their tables."""

from __future__ import annotations

import pytest

from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.rulebook.tests.changes.test_sources import source
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


@pytest.mark.parametrize("preset", ["b-nomic-2006"])
def test_the_refresh_prop_is_warned_of_nothing_that_it_says_in_its_own_words(
    game: Game, preset: str
) -> None:
    letter = source("001")
    draft = letter[letter.index("{{") : letter.index("\n--\nWonko")]
    seen = preview(game, None, draft.replace("Give Peter 5 points.", ""), {})
    assert (seen.by_hand, seen.unread, seen.unplayed, seen.warnings) == (0, (), (), ())


@pytest.mark.parametrize("preset", ["b-nomic-2006"])
def test_votes_are_seen_where_the_rule_lets_them_be_submitted(game: Game, preset: str) -> None:
    words = (
        "The Voting Period lasts from the beginning of nday 9 of that nweek until its end. Any"
        " Player may submit a Vote on an Open Proposal at any time."
    )
    bare = f"Replace the text of rule 2-2 with:\n{{\n{words}\n}}\n"
    assert "as of version" not in warned(game, bare)
    assert NO_TABLE not in warned(game, bare)
    assert "VOTES ARE SEEN" in warned(game, bare.replace("at any time", "at will"))
