"""What proposals do with single things, whole stocks and differences, and how far they can go."""

from __future__ import annotations

import pytest

from nomic.games.models import Game, Player
from nomic.ledger.models import AssetKind
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.limits import LONGEST_TEXT
from proposals.events.asset_effects import MOST_HELD
from proposals.events.effects import Effect, apply
from proposals.tests.events.effects.test_effects import points, preset, rules, visited
from tests.kit import at_the_table

__all__ = ["preset", "visited"]


def passed(game: Game, body: str) -> list[Effect]:
    """What comes of a proposal's words, made in one entry."""
    with at_the_table(game) as table:
        return apply(table, read_changes(body))


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("Increase Murphy's points by 4.", [7, 0]),
        ("Decrease Murphy's points by 3.", [0, 0]),
        ("Set Murphy's points to 10.", [10, 0]),
        ("Set Murphy's points to 1.", [1, 0]),
        ("Set Murphy's points to 0.", [0, 0]),
        ("Set each player's points to 2.", [2, 2]),
        ("Increase each player's points by 1.", [4, 1]),
        ("Take all points from Murphy.", [0, 0]),
        ("Take all points from each player.", [0, 0]),
        ("Destroy all points.", [0, 0]),
        ("Increase Murphy's points by 1. Madrid gains 5 points.", [4, 5]),
    ],
)
def test_balances_move_as_the_words_say(
    visited: Game, player: Player, rival: Player, body: str, after: list[int]
):
    body = body.replace("Murphy", player.name).replace("Madrid", rival.name)
    effects = passed(visited, body)
    assert all(effect.done and effect.shifts for effect in effects), effects
    assert points(visited, player, rival) == after


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("Decrease Murphy's points by 4.", "and cannot lose 4 points."),
        ("Take 3 points from each player.", "has no points, and cannot lose 3 points."),
        ("Set Murphy's points to many.", "is no balance: write a whole number"),
        ("Set Murphy's points to 9999999999.", "is set to a whole number from 0 to"),
        ("Set Murphy's weather to fair.", "The program keeps no switch “weather”"),
        ("Increase Murphy's weather by 1.", "The program keeps no switch “weather”"),
        ("Set Nobody's points to 3.", "There is no player “Nobody”"),
        ("Set the points to 3.", "It does not say whose points"),
        ("Give Points to Murphy.", "It does not say how many points"),
        ("Destroy all horses.", "This game has no “horses”"),
    ],
)
def test_what_cannot_be_done_says_why_and_moves_nothing(
    visited: Game, player: Player, rival: Player, body: str, why: str
):
    (effect,) = passed(visited, body.replace("Murphy", player.name))
    assert not effect.done
    assert why in effect.sentence
    assert points(visited, player, rival) == [3, 0]


def test_a_single_thing_is_given_by_agora_and_then_only_transferred(
    visited: Game, player: Player, rival: Player
):
    with at_the_table(visited) as table:
        table.ledger.define("Alexia", kind=AssetKind.UNIQUE, indestructible=True)
        table.ledger.create(table.ledger.agora, 1, "Alexia")
    one, two = player.name, rival.name
    given, again, moved, gone = passed(
        visited,
        f"Give Alexia to {one}. Give the horse Alexia to {two}. "
        f"Transfer Alexia from {one} to {two}. "
        "Destroy all Alexia.",
    )
    assert [shift.after for shift in given.shifts] == [0, 1]
    assert not again.done
    assert f"{one} has it: transfer it" in again.sentence
    assert [(shift.before, shift.after) for shift in moved.shifts] == [(1, 0), (0, 1)]
    assert (gone.done, "indestructible" in gone.sentence) == (False, True)


def test_a_text_is_added_as_a_paragraph_of_its_own(visited: Game):
    (effect,) = passed(visited, "Add “Seals may come.” to the end of the rule “Visitors”.")
    assert effect.sentence == "The rule “Visitors” has more text at its end."
    assert rules(visited).text("Visitors").endswith("| 1 | Trader |\n\nSeals may come.\n")


def test_a_passage_is_inserted_where_the_other_stands_once(visited: Game):
    good, bad = passed(
        visited,
        "In the rule “Visitors”, after “Who”, insert “often”. "
        "In the rule “Visitors”, after “nowhere”, insert “b”.",
    )
    assert rules(visited).text("Visitors").startswith("Who often comes.")
    assert good.done
    assert bad.sentence == "The passage “nowhere” stands nowhere in the rule “Visitors”."


def test_a_rule_is_at_most_so_long(visited: Game):
    fits = "x" * (LONGEST_TEXT - 1)
    enacted, longer, replaced = passed(
        visited,
        f"Enact a rule titled “Long” with the text: {{{fits}}}\n"
        "Append the following to the rule “Long”: { more }\n"
        f"Replace the text of the rule “Visitors” with: {{{fits}xx}}",
    )
    assert enacted.done
    assert not replaced.done
    assert longer.sentence.startswith("A rule's text has at most 200,000 characters")
    assert rules(visited).text("Long") == fits + "\n"


def test_a_thousand_changes_add_no_more_than_they_hold(visited: Game):
    body = "In the rule “Visitors”, replace “Who” with “Who Who”.\n" * 3 + "".join(
        f"In the rule “Visitors”, after “{'comes' if n == 0 else f'w{n - 1}.'}”, insert “w{n}.”.\n"
        for n in range(60)
    )
    before = len(rules(visited).text("Visitors"))
    effects = passed(visited, body)
    assert [effect.done for effect in effects[:3]] == [True, False, False]
    assert len(rules(visited).text("Visitors")) <= before + len(body)


def test_no_balance_grows_beyond_what_a_number_holds(visited: Game, player: Player, rival: Player):
    with at_the_table(visited) as table:
        table.ledger.create(player, MOST_HELD - 3, "points")
    one, each, other = passed(
        visited,
        f"Give {player.name} 1 point. Give each player 1 point. Give {rival.name} 1 point.",
    )
    assert one.sentence == each.sentence
    assert one.sentence.startswith("Nobody has more than 1,000,000,000,000,000 of anything")
    assert other.done


@pytest.mark.parametrize(
    ("title", "why"),
    [
        ("Vis\u202eitors", "one line of visible characters"),
        ("Vis\u200bitors", "one line of visible characters"),
        ("VISITORS", "is in force already"),
        ("Ｖisitors", "looks like that of the rule “Visitors”"),
        ("Visi\ufe0ftors", "looks like that of the rule “Visitors”"),
    ],
)
def test_a_title_that_cannot_be_told_apart_is_refused(visited: Game, title: str, why: str):
    (effect,) = passed(visited, f"Enact a rule titled “{title}” with the text: {{a}}")
    assert not effect.done
    assert why in effect.sentence
