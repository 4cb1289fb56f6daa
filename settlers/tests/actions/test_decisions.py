"""What programs of rules decide of the isle: what Domains bring, what Buildings cost."""

import pytest
from django.test import Client

from nomic.engine.programs.descriptions import added
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from settlers.tests.asking import held, refusal
from tests.kit import Take, user_of

RULE = "Visitors"
Two = tuple[Player, Player]


def decide(game: Game, what: str, body: str, takes: str) -> None:
    """Let a rule's program decide that from now on."""
    text = game.rules.get(title=RULE).text.partition("\n```python")[0]
    program = f'@decide("settlers.{what}")\ndef it({takes}):\n    return {body}'
    change = {"rule": RULE, "text": f"{text}\n```python\n{program}\n```\n", "reason": "a test"}
    take(game.slug, None, "rulebook.amend", change)
    game.refresh_from_db()


def failures(game: Game) -> list[str]:
    found = added(glance(game), game.rules.get(title=RULE).pk)
    assert found is not None
    return [each.what for each in found.failures]


def is_sound(game: Game) -> None:
    game.refresh_from_db()
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_what_a_harvest_brings(game: Game, produced: Two, act: Take, client: Client) -> None:
    murphy, madrid = produced
    before = held(game, murphy)
    decide(game, "yield", '{"wood": len(player), "brick": sum(crop.values())}', "player, crop")
    client.force_login(user_of(murphy))
    assert client.get(f"/g/{game.slug}/settlers/").status_code == 200
    entry = act(murphy, "settlers.harvest").entry
    assert entry.outcome["from_domains"]["wood"] == 6
    assert held(game, murphy).get("wood", 0) == before.get("wood", 0) + 6
    decide(game, "yield", '{"gold": 1}', "player, crop")
    entry = act(madrid, "settlers.harvest").entry
    assert "gold" not in entry.outcome["from_domains"]
    assert failures(game) == ["it decides settlers.yield"]
    is_sound(game)


@pytest.mark.parametrize("worth", ['{"gold": 1}', '{"wood": -1}', '{"wood": "1"}', "[]", "None"])
def test_a_cost_that_cannot_be_is_the_rules_own(
    game: Game, produced: Two, act: Take, worth: str
) -> None:
    decide(game, "cost", worth, "player, building, cost")
    assert refusal(produced[0], "build", building="Church").code == "too_little"


@pytest.mark.thorough
def test_what_a_building_costs(game: Game, produced: Two, act: Take, client: Client) -> None:
    murphy = produced[0]
    decide(game, "yield", '{"wood": 3}', "player, crop")
    act(murphy, "settlers.harvest")
    had = held(game, murphy)["wood"]
    assert refusal(murphy, "build", building="Church").code == "too_little"
    cost = '{"wood": 2} if building == "Church" else cost'
    decide(game, "cost", cost, "player, building, cost")
    client.force_login(user_of(murphy))
    assert "2 wood" in client.get(f"/g/{game.slug}/settlers/").content.decode()
    act(murphy, "settlers.build", building="Church", other="")
    assert held(game, murphy)["wood"] == had - 2
    assert failures(game) == []
    is_sound(game)
