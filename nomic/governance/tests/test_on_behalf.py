"""One player does an act on behalf of another, whose act it is."""

from __future__ import annotations

import pytest

from nomic.engine.actions import find_action
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.acts_by_rows import unfit_on_behalf
from nomic.governance.on_behalf import as_done, mandates, principals
from nomic.governance.tests.correcting import KEEPER, TEN, coins, refused
from nomic.governance.tests.test_acts_by_rows import say
from nomic.operations.replay import replay
from tests.kit import Take, at_the_table, put_in_office

LENT = "Any act | players | on behalf of whoever lets them | | |"
PAY = {"coins": 2, "to": "Jason"}


@pytest.fixture
def rich(game: Game, players: list[Player], act: Take) -> Game:
    """Murphy has ten coins, and Madrid none; players may let others act for them."""
    say(game, LENT)
    act(None, "ledger.correct", **TEN)
    return game


def replays(game: Game) -> bool:
    return replay(Game.objects.get(pk=game.pk))[1] is None


def test_who_is_let_does_it_and_it_counts_as_the_others(
    rich: Game, players: list[Player], act: Take
) -> None:
    murphy, madrid, *_ = players
    act(murphy, "games.let_act", player="Madrid", act="Pay coins")
    entry = act(madrid, "behalf.tiny.pay", on_behalf_of="Murphy", **PAY).entry
    assert entry.text == "Madrid on behalf of Murphy: Murphy pays 2 coins to Jason."
    assert entry.actor == madrid
    assert coins(rich, "Murphy") == 8
    by_itself = as_done(entry)
    assert (by_itself.name, by_itself.actor, by_itself.inputs) == ("tiny.pay", murphy, PAY)
    assert replays(rich)


def test_it_is_judged_as_the_others_act(rich: Game, players: list[Player], act: Take) -> None:
    _, madrid, jason, _ = players
    act(madrid, "games.let_act", player="Jason", act="tiny.pay")
    assert refused(act, jason, "behalf.tiny.pay", on_behalf_of="Madrid", **PAY) == "cannot_pay"


def test_nobody_acts_for_who_does_not_let_them_any_more(
    rich: Game, players: list[Player], act: Take
) -> None:
    murphy, madrid, jason, _ = players
    act(murphy, "games.let_act", player="Madrid", act="Pay coins")
    with pytest.raises(Malformed, match="not a player of this game whom you may act for"):
        act(jason, "behalf.tiny.pay", on_behalf_of="Murphy", **PAY)
    act(jason, "games.let_act", player="Murphy", act="Pay coins")
    ended = act(murphy, "games.let_act_no_more", player="Madrid", act="Pay coins").entry
    assert ended.text == "Murphy lets Madrid do “Pay coins” on their behalf no more."
    with pytest.raises(Malformed):
        act(madrid, "behalf.tiny.pay", on_behalf_of="Murphy", **PAY)
    assert mandates(glance(Game.objects.get(pk=rich.pk))) == {"Jason": {"Murphy": ["tiny.pay"]}}


def test_who_leaves_acts_for_nobody(rich: Game, players: list[Player], act: Take) -> None:
    act(players[0], "games.let_act", player="Madrid", act="Pay coins")
    act(players[1], "games.let_act", player="Jason", act="Pay coins")
    act(players[1], "games.leave")
    assert mandates(glance(Game.objects.get(pk=rich.pk))) == {}
    assert replays(rich)


@pytest.mark.parametrize(
    "named", ["Whisper", "Leave the game", "Stand for an office", "Let somebody act for you", "Fly"]
)
def test_what_is_secret_or_somebodys_own_is_let_to_nobody(
    rich: Game, players: list[Player], act: Take, named: str
) -> None:
    with pytest.raises(Malformed, match="is not a deed of this game that others may do for you"):
        act(players[0], "games.let_act", player="Madrid", act=named)


@pytest.mark.parametrize(
    "act", ["documents.open", "documents.seal", "cases.judge", "cases.recuse", "proposals.vote"]
)
def test_nobody_opens_seals_judges_or_votes_for_others(act: str) -> None:
    assert unfit_on_behalf(find_action(act))


def test_a_rule_lets_players_act_for_who_holds_an_office(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    say(game, "Pay coins | players | on behalf of the Keeper | | |")
    act(None, "ledger.correct", **{**TEN, "receiver": "snail"})
    act(players[0], "behalf.tiny.pay", on_behalf_of="snail", **PAY)
    assert coins(game, "snail") == 8
    act(keeper, "games.resign_office", office=KEEPER)
    with pytest.raises(Malformed):
        act(players[0], "behalf.tiny.pay", on_behalf_of="snail", **PAY)


def test_officers_for_whom_a_rule_lets_players_act_are_not_those_with_a_dignity_alone(
    rich: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    with at_the_table(rich) as table:
        table.office("Emperor")
    put_in_office(rich, "Emperor", players[0])
    say(rich, "Pay coins | players | on behalf of officers | | |")
    assert [*principals(glance(rich), players[1], "tiny.pay")] == ["snail"]


def test_without_a_row_nobody_lets_others_act(game: Game, players: list[Player], act: Take) -> None:
    assert refused(act, players[0], "games.let_act") == "not_in_force"


def test_a_game_keeps_so_many_mandates_and_no_more(
    rich: Game, players: list[Player], act: Take
) -> None:
    others = {f"P{number}": {"Murphy": ["tiny.pay"] * 50} for number in range(10)}
    Game.objects.filter(pk=rich.pk).update(settings={**rich.settings, "mandates": others})
    with pytest.raises(Refused, match="let others do 500 acts already"):
        act(players[0], "games.let_act", player="Madrid", act="Pay coins")
