"""What adopted changes do to what players have."""

# ruff: noqa: F811 - the fixtures come from another file

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetKind, AssetVisibility
from nomic.rulebook.changes.kinds import (
    Change,
    Destroy,
    Give,
    Reading,
    Repeal,
    RuleRef,
    Take,
    TransferCurrency,
)
from proposals.events.effects import apply
from proposals.tests.events.effects.test_effects import made, points, preset, visited  # noqa: F401 - fixtures among them
from tests.kit import at_the_table, seat


def test_points_are_given_taken_moved_and_destroyed(visited: Game, player: Player, rival: Player):
    effects = made(
        visited,
        Give("murphy", 5, "Point"),
        TransferCurrency("Murphy", "Madrid", 4, "points"),
        Take("Madrid", 1, "points"),
        Destroy("Murphy", None, "POINTS"),
    )
    assert [effect.sentence for effect in effects] == [
        "Murphy gains 5 points.",
        "4 points go from Murphy to Madrid.",
        "Madrid loses 1 point.",
        "Murphy loses 4 points.",
    ]
    assert points(visited, player, rival) == [0, 3]
    assert effects[1].facts()["shifts"] == [
        {"holder": "Murphy", "asset": "points", "before": 8, "after": 4},
        {"holder": "Madrid", "asset": "points", "before": 0, "after": 4},
    ]
    moved = visited.transfers.filter(entry=Game.objects.get(pk=visited.pk).last_entry)
    assert set(moved.values_list("rule", flat=True)) == {"Proposals"}


def test_each_player_gains_and_loses(visited: Game, player: Player, rival: Player):
    gained, lost, emptied = made(
        visited,
        Give("Each player", 2, "points"),
        Take("every player", 1, "points"),
        Destroy("all players", None, "points"),
    )
    assert [each.sentence for each in (gained, lost, emptied)] == [
        "Each player gains 2 points.",
        "Each player loses 1 point.",
        "Each player loses all points.",
    ]
    assert [(s.holder, s.before, s.after) for s in lost.shifts] == [
        ("Madrid", 2, 1),
        ("Murphy", 5, 4),
    ]
    assert points(visited, player, rival) == [0, 0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "change", [Give("each player", 2, "points"), Take("each player", 1, "points")]
)
def test_each_player_costs_no_query_more_in_a_crowd(visited: Game, change: Change):
    def queries() -> int:
        with at_the_table(visited) as table:
            table.ledger.create_for_each(visited.players.all(), 2, "points")
            with CaptureQueriesContext(connection) as counted:
                (effect,) = apply(table, Reading(changes=(change,)))
        assert effect.done
        return len(counted)

    few = queries()
    for number in range(60):
        seat(visited, f"crowd{number}")
    assert queries() <= few


def test_agora_can_give_and_be_given(visited: Game, player: Player):
    made(visited, TransferCurrency("Murphy", "Agora", 2, "points"))
    back = made(visited, TransferCurrency("the Lost and Found", "Murphy", 1, "points"))
    assert "Lost and Found has no points" in back[0].sentence
    made(visited, TransferCurrency("AGORA", "Murphy", 1, "points"))
    assert points(visited, player) == [2]


def test_who_has_left_is_given_nothing_and_can_be_taken_from(
    visited: Game, act, player: Player, rival: Player
):
    act(player, "games.leave")
    given, taken = made(visited, Give("Murphy", 1, "points"), Take("Murphy", 1, "points"))
    assert given.sentence == "Murphy has left the game, and is given nothing."
    assert taken.done
    assert points(visited, player) == [2]


def test_a_thing_of_which_there_is_one_changes_hands(visited: Game, player: Player, rival: Player):
    with at_the_table(visited) as table:
        table.ledger.define("Crown", kind=AssetKind.UNIQUE, fixed=True, indestructible=True)
    first, again, moved, destroyed, each, two = made(
        visited,
        Give("Murphy", 1, "crown"),
        Give("Madrid", 1, "Crown"),
        TransferCurrency("Murphy", "Madrid", 1, "Crown"),
        Destroy("Madrid", None, "Crown"),
        Give("each player", 1, "Crown"),
        Give("Murphy", 2, "Crown"),
    )
    assert (first.done, moved.done) == (True, True)
    assert again.sentence == "There is only one Crown, and Murphy has it: transfer it."
    assert destroyed.sentence == (
        "Crown is indestructible: transfer it to somebody else, or to Agora."
    )
    assert each.sentence == "There is only one Crown: it cannot be given to each player."
    assert two.sentence == "There is only one Crown."
    assert glance(visited).ledger.balance(rival, "Crown") == 1


def test_what_is_private_is_not_moved_nor_told(visited: Game, player: Player):
    with at_the_table(visited) as table:
        table.ledger.define("bribe", "bribes", visibility=AssetVisibility.PRIVATE)
        table.ledger.create(player, 77, "bribe")
        table.rules.enact("Secrets", "A canary.\n", visibility="private")
    effects = made(
        visited,
        Take("Murphy", 99, "bribes"),
        Repeal(RuleRef(title="Secrets")),
        Give("Murphy", 1, "x"),
    )
    told = json.dumps([effect.facts() for effect in effects])
    assert not any(effect.done for effect in effects)
    assert "77" not in told
    assert "canary" not in told
    assert "bribe" not in effects[2].sentence
