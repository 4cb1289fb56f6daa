"""Immutable rules stay as they are, whatever a proposal says."""

from __future__ import annotations

import pytest

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.rulebook.models import RuleClass
from proposals.models import Proposal
from proposals.web.preview.preview import preview
from tests.kit import WEDNESDAY, at_the_table, seat

BODIES = {
    "another text": "Amend the rule “Order” to read: {{ Disorder. }}",
    "more text": "Append to the rule “Order”: {{ Disorder. }}",
    "no rule": "Repeal the rule “Order”.",
    "no rule by its number": "Repeal rule 101.",
    "another title": "Retitle the rule “Order” to “Disorder”.",
    "another number": "Renumber the rule “Order” to 7.",
}


@pytest.fixture
def ordered(db: None) -> tuple[Game, Player]:
    game = new_game("table", "blognomic", pace="manual", start=WEDNESDAY)[0]
    murphy = seat(game, "Murphy")
    with at_the_table(game) as table:
        table.rules.enact("Order", "Kept.\n", number="101", rule_class=RuleClass.IMMUTABLE)
    return Game.objects.get(pk=game.pk), murphy


@pytest.mark.parametrize("which", BODIES)
def test_no_proposal_changes_an_immutable_rule(ordered: tuple[Game, Player], which: str) -> None:
    game, murphy = ordered
    body = BODIES[which].format()
    [foreseen] = preview(game, None, body, {}).changes
    assert not foreseen.done
    assert "The rule “Order” is immutable: " in foreseen.sentence
    take("table", murphy, "proposals.submit", {"body": body})
    take("table", murphy, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    proposal = Proposal.objects.get(game=game)
    assert proposal.passed
    assert "The rule “Order” is immutable: " in str(proposal.effects)
    rule = game.rules.get(number="101")
    assert (rule.title, rule.text, rule.version, rule.repealed_in) == ("Order", "Kept.\n", 1, None)
