"""What adopted changes of the rules bring, and whom they tell."""

# ruff: noqa: F811 - the fixtures come from another file

from __future__ import annotations

from typing import Any

import pytest

from nomic.engine.subgames import Switch, find_subgame, switch
from nomic.engine.table import Table, glance
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.rulebook.changes.kinds import (
    Change,
    Enact,
    Give,
    Reading,
    Retitle,
    RuleRef,
    SetSwitch,
    TransferCurrency,
)
from proposals.events.effects import apply
from proposals.tests.events.effects.test_effects import DONE, made, preset, visited  # noqa: F401 - fixtures among them
from tests.kit import at_the_table


def races(game: Game) -> tuple[Change, ...]:
    shipped = find_subgame("horses").shipped()
    return tuple(Enact(rule.title, "", rule.text) for rule in shipped)


def test_what_new_rules_bring_is_there_for_the_change_after_them(visited: Game, player: Player):
    *_, given, set_, horse = made(
        visited,
        *races(visited),
        Give("Murphy", 2, "dollaries"),
        SetSwitch("Race Position", "alexia", "3"),
        Give("Murphy", 1, "Sugar"),
    )
    assert given.shifts[0].after == 12
    assert set_.sentence == "Alexia's Race Position is set from 0 to 3."
    assert (set_.before, set_.after) == ("0", "3")
    assert horse.sentence == "1 Sugar goes from Agora to Murphy."
    state = find_subgame("horses").state(glance(visited), None)
    assert state is not None
    assert state["horses"]["Alexia"]["position"] == 3
    assert state["horses"]["Sugar"]["owner"] == "Murphy"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (SetSwitch("Race Position", "Alexia", "17"), "Race Positions go from 0 to 16;"),
        (
            SetSwitch("Race Position", "", "3"),
            "Race Position is a switch of every horse: say whose.",
        ),
        (SetSwitch("Race Position", "Pegasus", "3"), "There is no horse “Pegasus”. Known: Alexia,"),
    ],
)
def test_a_switch_that_cannot_be_set_says_why(visited: Game, change: Change, sentence: str):
    *_, effect = made(visited, *races(visited), change)
    assert not effect.done
    assert effect.sentence.startswith(sentence)


class Overfull(Switch):
    """A switch that says it can be set and cannot: its row has no room for the value."""

    name = "Overfull"

    def subjects(self, table: Table) -> list[str]:
        return [""]

    def value(self, table: Table, subject: str) -> str:
        return table.game.players.earliest("pk").name

    def refusal(self, table: Table, subject: str, value: str) -> None:
        return None

    def set(self, table: Table, subject: str, value: str) -> None:
        table.game.players.update(vested=True)
        table.game.players.filter(name="Murphy").update(name=value * 100)


def test_what_the_database_refuses_is_undone_by_itself(
    visited: Game, player: Player, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("nomic.engine.subgames._SWITCHES", {})
    switch(Overfull)
    refused, given = made(visited, SetSwitch("overfull", "", "x"), Give("Murphy", 1, "points"))
    assert (refused.done, refused.sentence) == (False, "Overfull cannot be “x”.")
    assert given.done
    assert not visited.players.filter(vested=True).exists()


def test_a_horse_that_is_moved_to_the_lost_and_found_is_agora_s_at_once(visited: Game):
    *_, moved = made(
        visited,
        *races(visited),
        Give("Murphy", 1, "Sugar"),
        TransferCurrency("Murphy", "Lost and Found", 1, "Sugar"),
    )
    assert moved.done
    owner = glance(visited).ledger.owner_of("Sugar")
    assert owner is not None
    assert owner.name == "Agora"


def test_the_races_go_on_under_another_title(visited: Game):
    made(visited, *races(visited))
    made(visited, Retitle(RuleRef(title="Horses"), "Ponies"))
    table = glance(Game.objects.get(pk=visited.pk))
    assert find_subgame("horses").is_on(visited)
    assert table.rules.in_force("Horses", "Ponies")
    assert visited.appointments.filter(kind="horses.run", status="waiting").exists()
    set_ = made(visited, SetSwitch("Race Position", "Sugar", "4"))[0]
    assert set_.done


def test_the_subgames_are_told_of_new_rules_once(visited: Game, monkeypatch: pytest.MonkeyPatch):
    told: list[int] = []
    horses = find_subgame("horses")
    follow = type(horses).rules_changed

    def counted(subgame: Any, table: Table) -> None:
        told.append(table.rules.changes)
        follow(subgame, table)

    monkeypatch.setattr(type(horses), "rules_changed", counted)
    with at_the_table(visited) as table:
        apply(table, Reading(changes=(*races(visited), Give("Murphy", 2, "dollaries"))))
        table.follow_the_rules()
    assert told == [7]
    with at_the_table(visited) as table:
        apply(table, Reading(changes=(Give("Murphy", 2, "dollaries"),)))
    assert told == [7]
    assert Game.objects.get(pk=visited.pk).rulebook_at == visited.entries.latest("seq").seq - 1


def test_a_game_that_was_changed_so_passes_its_audit(visited: Game):
    made(visited, *races(visited), *[change for change, *_ in DONE.values()])
    assert [str(found) for found in audit(Game.objects.get(pk=visited.pk)) if found.wrong] == []
