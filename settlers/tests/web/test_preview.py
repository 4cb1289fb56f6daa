"""What a harvest would bring is what it brings."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from settlers.models import Settler as Row
from settlers.tests.stage import place, results_are
from settlers.web.page import HarvestPreview, foresee
from tests.kit import Take

NUMBERS = {"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6}
Two = tuple[Player, Player]


def swap(a: str, b: str) -> dict[str, Any]:
    return {"change": {"swap": {"a": a, "b": b}}}


def shift(resource: str, number: int) -> dict[str, Any]:
    return {"change": {"shift": {"resource": resource, "number": number}}}


@pytest.fixture
def murphy(game: Game, produced: Two) -> Player:
    """Murphy, whose Domains and buildings are known, after results of 2 and 6."""
    place(produced[0], domains=NUMBERS, buildings=["Farm", "Quarry", "Farm"])
    results_are(game, 2, 6)
    return produced[0]


def seen(game: Game, player: Player, **sent: Any) -> HarvestPreview:
    """The preview of a harvest with these inputs, of an empty form without any."""
    game.refresh_from_db()
    found = foresee(glance(game), player, sent or None)
    assert found is not None
    return found


def test_an_empty_form_takes_every_bonus_and_changes_nothing(game: Game, murphy: Player) -> None:
    found = seen(game, murphy)
    assert found.gained == "5 wheat, 2 sheep, 1 stone and 1 brick"
    assert list(found.sources) == [
        ("Domain of wheat (2)", "5 wheat"),
        ("Domain of brick (6)", "1 brick"),
        ("Buildings", "2 sheep and 1 stone"),
    ]
    assert not any(domain.changes for domain in found.domains)


@pytest.mark.parametrize(
    "sent",
    [
        {},
        swap("wheat", "wood"),
        shift("brick", 8),
        {"bonuses": [{"building": "Farm", "choice": "wheat"}, {"building": "Quarry"}]},
        {**swap("sheep", "stone"), "bonuses": [{"building": "Farm", "choice": "sheep"}] * 2},
    ],
)
def test_what_is_foreseen_is_what_happens(
    game: Game, murphy: Player, act: Take, sent: dict[str, Any]
) -> None:
    found = seen(game, murphy, **{"change": None, **sent})
    assert found.crop is not None
    outcome = act(murphy, "settlers.harvest", **sent).entry.outcome
    assert {name: amount for name, amount in found.crop.gained.items() if amount} == outcome[
        "gained"
    ]
    after = {domain.resource: domain.after for domain in found.domains}
    assert after == Row.objects.get(player=murphy).domains


@pytest.mark.parametrize(
    "sent",
    [
        swap("wheat", "wheat"),
        shift("wheat", 12),
        shift("wheat", 3),
        shift("wheat", 7),
        {"bonuses": [{"building": "Church", "choice": ""}]},
        {"bonuses": [{"building": "Farm", "choice": "brick"}]},
        {"bonuses": [{"building": "Quarry", "choice": "stone"}] * 2},
    ],
)
def test_what_is_refused_is_refused_beforehand_in_the_same_words(
    game: Game, murphy: Player, act: Take, sent: dict[str, Any]
) -> None:
    found = seen(game, murphy, **sent)
    with pytest.raises(Refused) as refused:
        act(murphy, "settlers.harvest", **sent)
    assert found.crop is None
    assert found.refusal == refused.value.refusal


def test_a_harvest_that_was_done_is_not_foreseen_again(
    game: Game, murphy: Player, act: Take
) -> None:
    act(murphy, "settlers.harvest")
    found = seen(game, murphy)
    assert found.refusal is not None
    assert found.refusal.code == "already_harvested"
    assert [domain.after for domain in found.domains] == list(NUMBERS.values())


def test_who_is_no_settler_foresees_nothing(game: Game, produced: Two, officer: Player) -> None:
    game.refresh_from_db()
    assert foresee(glance(game), officer) is None
    assert foresee(glance(game), None) is None
