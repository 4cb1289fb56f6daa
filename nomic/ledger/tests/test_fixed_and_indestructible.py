"""What is indestructible stays out of the mint, and what is fixed stays with its owner."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from nomic.engine.outcomes import Refused
from nomic.engine.tests.tiny import COIN
from nomic.games.models import Game, Player
from nomic.ledger.books import Indestructible, Ledger
from nomic.ledger.models import AssetKind, HolderKind
from tests.kit import Take, at_the_table

STATUE, SHARD = "the Statue", "shard"


@pytest.fixture
def stony(game: Game, player: Player) -> Game:
    """The player has the Statue, which is one, and three shards; neither can be destroyed."""
    with at_the_table(game) as table:
        table.ledger.define(STATUE, kind=AssetKind.UNIQUE, indestructible=True)
        table.ledger.define(SHARD, "shards", indestructible=True)
        table.ledger.create(player, 1, STATUE)
        table.ledger.create(player, 3, SHARD)
    return game


def test_an_indestructible_asset_is_not_destroyed(stony: Game, player: Player) -> None:
    with at_the_table(stony) as table:
        mint = table.ledger.department(HolderKind.MINT)
        with pytest.raises(Indestructible, match="the Statue is indestructible"):
            table.ledger.destroy(player, 1, STATUE)
        with pytest.raises(Indestructible):
            table.ledger.transfer(player, mint, 1, STATUE)
        with pytest.raises(Indestructible):
            table.ledger.destroy_all(SHARD)
        with pytest.raises(Indestructible):
            table.ledger.collect({player.holder.pk: 1}, SHARD)
        assert table.ledger.balance(player, STATUE) == 1
        assert table.ledger.balance(player, SHARD) == 3


def test_the_database_itself_lets_nothing_indestructible_go_back_to_a_mint(
    stony: Game, player: Player
) -> None:
    with at_the_table(stony) as table:
        mint = table.ledger.department(HolderKind.MINT)
        with pytest.raises(DatabaseError, match="is indestructible"), transaction.atomic():
            table.ledger.gather(mint, [STATUE, SHARD])
        table.ledger.gather(table.ledger.agora, [STATUE, SHARD])
        assert table.ledger.balance(table.ledger.agora, SHARD) == 3


def test_a_correction_to_the_mint_is_refused_for_an_indestructible_asset(
    stony: Game, player: Player, officer: Player, act: Take
) -> None:
    correction = {"amount": 1, "giver": player.name, "reason": "a slip"}
    with pytest.raises(Refused) as refused:
        act(officer, "ledger.correct", asset=STATUE, receiver="Mint", **correction)
    assert refused.value.refusal.sentence == (
        "The asset “the Statue” is indestructible: choose another receiver than the Mint."
    )
    act(officer, "ledger.correct", asset=STATUE, receiver=officer.name, **correction)
    stony.refresh_from_db()
    assert Ledger(stony, None).balance(officer, STATUE) == 1


def test_a_fixed_asset_is_not_transferred_by_its_owner_but_by_a_correction(
    stony: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    with at_the_table(stony) as table:
        table.ledger.create(player, 5, COIN)
    act(player, "tiny.pay", coins=1, to=rival.name)
    stony.assets.filter(name=COIN).update(fixed=True)
    with pytest.raises(Refused) as refused:
        act(player, "tiny.pay", coins=1, to=rival.name)
    assert (refused.value.refusal.code, refused.value.refusal.sentence) == (
        "fixed",
        "The asset “coin” is fixed: its owner cannot transfer it.",
    )
    correction = {"amount": 2, "asset": COIN, "giver": player.name, "receiver": rival.name}
    act(officer, "ledger.correct", **correction, reason="a slip")
    stony.refresh_from_db()
    assert Ledger(stony, None).balance(rival, COIN) == 3


def test_an_owner_cannot_give_more_than_they_have(stony: Game, player: Player) -> None:
    stony.refresh_from_db()
    ledger = Ledger(stony, None)
    assert ledger.cannot_transfer(player, 3, SHARD) is None
    refusal = ledger.cannot_transfer(player, 4, SHARD)
    assert refusal is not None
    assert refusal.sentence == "Murphy has 3 shards, and cannot give away 4 shards."
