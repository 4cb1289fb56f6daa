"""Where a proposal may be withdrawn: by a rule that says so, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomic.engine.actions import offers
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from proposals.models import Proposal
from proposals.rulebook import shipped_texts
from proposals.rules.terms import names_withdrawal
from proposals.state.reading import MAIN
from tests.kit import Take, Visitor, at_the_table

SEEDS = Path(__file__).parents[4] / "shared/seeds"
A_SENTENCE = " Its Author may withdraw it while it is Pending."


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


def offered(game: Game, player: Player) -> set[str]:
    table = glance(Game.objects.get(pk=game.pk))
    return {offer.action.name for offer in offers(table, player)}


def test_the_refresh_prop_gives_no_withdrawal_and_rule_5e33_does():
    sources = {
        name: SEEDS / name for name in ("001_ae1c2f3baf3300e7.txt", "002_d8f05e8cf8a9c0ff.txt")
    }
    if not all(path.exists() for path in sources.values()):
        pytest.skip("the source documents are not beside this repository")
    assert [names_withdrawal(path.read_text()) for path in sources.values()] == [False, True]


@pytest.mark.parametrize(
    ("edition", "named"),
    [("refresh-2006", False), ("rule-5e33", True), ("adoption-index", True), ("quorum", True)],
)
def test_the_shipped_rules_name_withdrawal_as_their_sources_do(edition: str, named: bool):
    assert any(map(names_withdrawal, shipped_texts(edition).values())) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A Proposal that is withdrawn is Lost.", True),
        ("No proposal can be\nrevised. It may be WITHDRAWN.", True),
        ("A Proposal cannot be withdrawn.", False),
        ("Nobody may not drawl.", False),
        ("Its author may not withdraw it.", False),
    ],
)
def test_a_sentence_that_forbids_withdrawal_does_not_allow_it(text: str, named: bool):
    assert names_withdrawal(text) == named


def test_in_refresh_2006_nothing_is_withdrawn(game: Game, player: Player, act: Take):
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    assert "proposals.revise" in offered(game, player)
    assert "proposals.withdraw" not in offered(game, player)
    with pytest.raises(Refused) as refused:
        act(player, "proposals.withdraw", proposal=1)
    refusal = refused.value.refusal
    assert (refusal.code, refusal.rule) == ("not_provided_for", MAIN)
    assert refusal.sentence.startswith("“Proposals” does not provide for withdrawing a proposal.")
    with at_the_table(game) as table:
        table.rules.repeal(MAIN)
    with pytest.raises(Refused) as refused:
        act(player, "proposals.withdraw", proposal=1)
    assert refused.value.refusal.code == "not_in_force"


def test_in_refresh_2006_no_page_offers_to_withdraw(
    game: Game, player: Player, act: Take, visit: Visitor
):
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    assert Proposal.objects.get(game=game).status == "Pending"
    page = visit(player).get("/g/table/proposals/1/").content.decode()
    assert "Revise…" in page
    assert "Withdraw…" not in page


def test_a_vote_may_bring_withdrawal_and_take_it_away(game: Game, player: Player, act: Take):
    text = glance(game).rules.text(MAIN)
    with at_the_table(game) as table:
        table.rules.amend(MAIN, text + A_SENTENCE)
    act(player, "proposals.submit", body="Nothing.")
    act(player, "proposals.submit", body="Nothing more.")
    act(player, "proposals.withdraw", proposal=1)
    assert Proposal.objects.get(game=game, number=1).outcome == "Withdrawn"
    with at_the_table(game) as table:
        table.rules.amend(MAIN, text)
    with pytest.raises(Refused):
        act(player, "proposals.withdraw", proposal=2)


def test_a_new_game_replays_without_withdrawal(game: Game, player: Player, act: Take):
    act(player, "proposals.submit", body="Nothing.")
    act(player, "proposals.revise", proposal=1, body="Something.")
    assert replay(Game.objects.get(pk=game.pk))[1] is None
