"""What bribes are worth follows the subrule's text, whoever amends it."""

from __future__ import annotations

import pytest

from nomic.games.models import Game, Player
from settlers.rulebook import protection_money
from settlers.rules.titles import THUG, VISITORS
from settlers.state.reading import ARRIVAL
from settlers.tests.stage import give, hours, isle_of, visitor_is
from settlers.tests.thug import let_the_dice_show, source, state_for
from settlers.tests.votes import adopt
from tests.kit import Take, at_the_table

pytestmark = pytest.mark.django_db
Two = tuple[Player, Player]


@pytest.fixture
def adopted(game: Game, produced: Two) -> Game:
    """The game after the twin was adopted."""
    adopt(game, protection_money())
    return game


@pytest.mark.parametrize(
    ("change", "bribe", "before", "after"),
    [
        ("replace “| 3 | 2 |” with “| 3 | 5 |”", {"wheat": 3, "wood": 1}, 4, 7),
        ("replace “| 3 | 2 |” with “| 2 | 2 |”", {"wheat": 2}, 1, 3),
        ("replace “| 1 | 1 |” with “| 1 | 0 |”", {"wheat": 2, "wood": 3}, 4, 2),
    ],
)
def test_amending_the_numbers_changes_what_bribes_are_worth(
    adopted: Game, produced: Two, act: Take, change: str, bribe: dict, before: int, after: int
) -> None:
    murphy, _ = produced
    visitor_is(adopted, "Thug")
    act(murphy, "settlers.bribe", items=bribe)
    assert state_for(adopted, murphy)["mine"]["bribe_value"] == before
    adopt(adopted, f"In the rule “Thug”, {change}.")
    assert state_for(adopted, murphy)["mine"]["bribe_value"] == after


def test_the_real_texts_numbers_can_be_amended_in_its_own_sentences(
    game: Game, produced: Two, act: Take
) -> None:
    murphy, _ = produced
    adopt(game, source())
    visitor_is(game, "Thug")
    act(murphy, "settlers.bribe", items={"wheat": 3, "wood": 2})
    assert state_for(game, murphy)["mine"]["bribe_value"] == 4
    adopt(game, "In the rule “Thug”, replace “Add 2 to” with “Add 5 to”.")
    assert state_for(game, murphy)["mine"]["bribe_value"] == 7
    adopt(game, "In the rule “Thug”, replace “at least 3” with “at least 2”.")
    assert state_for(game, murphy)["mine"]["bribe_value"] == 12


def test_a_thug_whose_numbers_cannot_be_read_is_played_as_of_the_version_before(
    adopted: Game, produced: Two, act: Take
) -> None:
    murphy, _ = produced
    with at_the_table(adopted) as table:
        give(table, murphy, wheat=2)
    visitor_is(adopted, "Thug")
    act(murphy, "settlers.bribe", items={"wheat": 1})
    adopt(adopted, "In the rule “Thug”, replace “| 3 | 2 |” with “| three | 2 |”.")
    assert state_for(adopted, murphy)["mine"] == {"bribe": {"wheat": 1}, "bribe_value": 1}
    hours(adopted, 48 + 24)
    adopted.refresh_from_db()
    assert adopted.stuck_at is None
    assert state_for(adopted, murphy)["settlers"]["Murphy"]["stockpile"]["wheat"] == 1


def test_a_thug_of_whose_bribes_no_rule_says_the_worth_takes_none_and_leaves(
    adopted: Game, produced: Two, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    murphy, _ = produced
    with at_the_table(adopted) as table:
        give(table, murphy, wheat=2)
        table.rules.repeal(THUG)
        table.rules.enact(THUG, "He is kind.", parent=table.rules.find(VISITORS))
    visitor_is(adopted, "Thug")
    let_the_dice_show(monkeypatch, 1, 1)
    hours(adopted, 48 + 24)
    adopted.refresh_from_db()
    assert adopted.stuck_at is None
    assert isle_of(adopted).visitor == "None"
    assert "The Thug’s steps are not done" in adopted.entries.filter(name=ARRIVAL).last().text
    assert state_for(adopted, murphy)["settlers"]["Murphy"]["stockpile"]["wheat"] == 2
