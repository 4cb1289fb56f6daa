"""Power that binds: a change by less power than the rule on power asks is left undone, and told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.games.models import Game
from nomic.governance.rulebook_keeping import ENTER
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.rulebook.models import Rule
from proposals.models import Errand, Proposal
from proposals.web.preview.preview import preview
from tests.kit import WEDNESDAY, Take, seat

WEEK = timedelta(days=8)
VOTERS = ("snail", "Murphy", "Madrid")


@pytest.fixture
def preset() -> str:
    return "nomic"


@pytest.fixture
def strong(game: Game, act: Take) -> Rule:
    """A rule with the power 3, number 101."""
    players = [seat(game, name) for name in VOTERS]
    act(players[0], "games.take_office", office="Assessor")
    facts = {"number": "101", "title": "The Game", "power": "3", "text": "It is played."}
    act(players[0], ENTER, reason="It was so before.", **facts)
    return Rule.objects.get(game=game, number="101")


def adopted(game: Game, act: Take, body: str, index: str, week: int = 1) -> Proposal:
    players = [game.players.get(name=name) for name in VOTERS]
    act(players[1], "proposals.submit", body=body, index=index)
    proposal = Proposal.objects.latest("serial")
    for each in players:
        act(each, "proposals.vote", proposal=proposal.handle, choice="FOR")
    advance(game.slug, WEDNESDAY + week * WEEK)
    proposal.refresh_from_db()
    assert proposal.passed
    return proposal


CHANGES = {
    "amends it": "Amend Rule 101 by replacing “played” with “over”.",
    "repeals it": "Repeal Rule 101.",
    "retitles it": "Retitle Rule 101 to “Nothing”.",
    "enacts one as strong": "Enact a new power-2.5 rule titled “Forks” with the text: { Nice. }",
    "gives as much": "Change the power of the rule “Spoons” to 2.5.",
}


QUICK = ("amends it", "gives as much")


@pytest.mark.parametrize(
    "asked",
    [pytest.param(each, marks=() if each in QUICK else pytest.mark.thorough) for each in CHANGES],
)
def test_less_power_changes_nothing_of_more_and_is_told_so_before_and_after(
    game: Game, act: Take, strong: Rule, asked: str
):
    weak = {"number": "9", "title": "Spoons", "power": "1", "text": "Nice."}
    act(game.players.get(name="snail"), ENTER, reason="It was so before.", **weak)
    before = list(game.rules.order_by("pk").values_list("title", "text", "power", "repealed_in"))
    act(game.players.get(name="Murphy"), "proposals.submit", body=CHANGES[asked], index="1.0")
    proposal = Proposal.objects.latest("serial")
    told = preview(game, None, proposal.body, {}, proposal, proposal.remarks)
    assert [each.done for each in told.changes] == [False]
    for name in VOTERS:
        act(game.players.get(name=name), "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + WEEK)
    proposal.refresh_from_db()
    after = list(game.rules.order_by("pk").values_list("title", "text", "power", "repealed_in"))
    assert after == before
    assert "and the proposal has 1.0 (“Power”)." in proposal.effects[0]["sentence"]
    assert not Errand.objects.exists()
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_as_much_power_changes_it(game: Game, act: Take, strong: Rule):
    adopted(game, act, CHANGES["amends it"], "3.0")
    strong.refresh_from_db()
    assert strong.text == "It is over.\n"


def test_what_is_not_bound_changes_what_has_more(game: Game, act: Take, strong: Rule):
    adopted(game, act, "Change the power of Rule 101 to 3.5.", "3.0")
    adopted(game, act, "Repeal Rule 101.", "3.0", 2)
    strong.refresh_from_db()
    assert strong.repealed_in


def test_a_new_rule_has_the_power_that_the_table_says_where_the_proposal_says_none(
    game: Game, act: Take, strong: Rule
):
    adopted(game, act, "Enact a new rule titled “Forks” with the text: { Nice. }", "3.0")
    assert Rule.objects.get(game=game, title="Forks").power == 1


def test_a_rule_that_is_enacted_again_has_the_power_with_which_it_was_repealed(
    game: Game, act: Take, strong: Rule
):
    adopted(game, act, "Repeal Rule 101.", "3.0")
    again = "Reenact Rule 101, “The Game”, with the text: { It is on. }"
    adopted(game, act, again, "3.0", 2)
    assert Rule.objects.get(game=game, number="101", repealed_in=None).power == 3


def test_one_that_was_never_there_is_not_enacted_again(game: Game, act: Take, strong: Rule):
    again = "Reenact Rule 99, “The Joke”, with the text: { It is on. }"
    adopted(game, act, again, "3.0")
    assert Errand.objects.get().why.startswith("No rule 99 was repealed here")


def test_without_the_rule_on_power_nothing_is_asked(game: Game, act: Take, strong: Rule):
    adopted(game, act, "Repeal the rule “Power (voting law)”.", "1.0")
    adopted(game, act, "Repeal Rule 101.", "1.0", 2)
    strong.refresh_from_db()
    assert strong.repealed_in
