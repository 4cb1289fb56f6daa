"""SQL that goes around the program: the database itself refuses a wrong book."""

from collections.abc import Callable, Iterator

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import F

from nomic.engine.tests.tiny import COIN, CUP, TINY
from nomic.games.models import Game, Player
from nomic.ledger.models import Asset, Balance, Holder, Posting, Transfer
from nomic.operations.setup import new_game
from tests.kit import at_the_table, seat

Sql = Callable[..., None]


@pytest.fixture
def sql() -> Sql:
    """Run a statement and whatever the database has put off to the end of the transaction."""

    def run(statement: str, *params: object) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, params)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    return run


@pytest.fixture
def rich(game: Game, player: Player, rival: Player) -> Game:
    """The player has 10 coins and the rival the Cup; the next entry may be written to."""
    with at_the_table(game) as table:
        table.ledger.create(player, 10, COIN)
        table.ledger.create(rival, 1, CUP)
    game.refresh_from_db()
    return game


def open_transfer(game: Game) -> int:
    """A transfer of the entry that comes next, as the program would begin one."""
    return Transfer.objects.create(game=game, entry=game.last_entry + 1).pk


def post(*rows: tuple[int, Holder, Asset, int]) -> None:
    values = ", ".join(
        f"({holder.game_id}, {transfer}, {holder.pk}, {asset.pk}, {amount})"
        for transfer, holder, asset, amount in rows
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)"
            f" VALUES {values}"
        )


def snapshot(game: Game) -> dict[tuple[int, int], int]:
    rows = Balance.objects.filter(holder__game=game).values_list("holder", "asset", "amount")
    return {(holder, asset): amount for holder, asset, amount in rows}


class Cast:
    """The holders and assets that a wrong posting names."""

    def __init__(self, game: Game) -> None:
        self.transfer = open_transfer(game)
        self.murphy = game.holders.get(name="Murphy")
        self.madrid = game.holders.get(name="Madrid")
        self.mint = game.holders.get(kind="mint")
        self.coin = game.assets.get(name=COIN)
        self.cup = game.assets.get(name=CUP)


@pytest.fixture
def cast(rich: Game) -> Iterator[Cast]:
    """The cast before an entry that is never written: all is undone in the end."""
    with transaction.atomic():
        yield Cast(rich)
        transaction.set_rollback(True)


def test_what_balances_is_accepted(cast: Cast) -> None:
    post(
        (cast.transfer, cast.murphy, cast.coin, -4),
        (cast.transfer, cast.madrid, cast.coin, 4),
    )
    held = Balance.objects.get(holder=cast.madrid, asset=cast.coin)
    assert held.amount == 4


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("murphy", "coin", 5)], "does not balance"),
        ([("murphy", "coin", -5), ("madrid", "coin", 4)], "does not balance"),
        ([("murphy", "coin", -1), ("madrid", "cup", 1)], "does not balance"),
        ([("murphy", "coin", -11), ("madrid", "coin", 11)], "no_debts_but_allowed"),
        ([("mint", "cup", -1), ("murphy", "cup", 1)], "a_unique_thing_is_one"),
        (
            [("murphy", "cup", -1), ("madrid", "cup", 1)],
            "no_debts_but_allowed|a_unique_thing_is_one",
        ),
        ([("murphy", "coin", 0)], "a_posting_moves_something"),
        ([("murphy", "coin", 2**63), ("mint", "coin", -(2**63))], "bigint out of range"),
    ],
)
def test_postings_that_do_not_add_up_are_refused(
    rich: Game, cast: Cast, rows: list[tuple[str, str, int]], said: str
) -> None:
    before = snapshot(rich)
    with pytest.raises(DatabaseError, match=said):
        post(
            *(
                (cast.transfer, getattr(cast, holder), getattr(cast, asset), amount)
                for holder, asset, amount in rows
            )
        )
    assert snapshot(rich) == before


def test_two_halves_in_two_statements_are_refused(cast: Cast) -> None:
    with pytest.raises(DatabaseError, match="does not balance"):
        post((cast.transfer, cast.murphy, cast.coin, -1))
    with pytest.raises(DatabaseError, match="does not balance"):
        post((cast.transfer, cast.madrid, cast.coin, 1))


def test_one_transfer_does_not_pay_for_another(rich: Game, cast: Cast) -> None:
    other = open_transfer(rich)
    with pytest.raises(DatabaseError, match="does not balance"):
        post((cast.transfer, cast.murphy, cast.coin, -1), (other, cast.madrid, cast.coin, 1))


def test_nothing_is_posted_into_an_entry_that_is_written_already(rich: Game, cast: Cast) -> None:
    old = Transfer.objects.filter(game=rich).earliest("pk")
    late = Transfer.objects.create(game=rich, entry=1)
    for transfer in (old, late):
        with pytest.raises(DatabaseError, match="written already"):
            post(
                (transfer.pk, cast.murphy, cast.coin, -1), (transfer.pk, cast.madrid, cast.coin, 1)
            )


@pytest.fixture
def stranger(game: Game) -> Holder:
    """A holder of another game."""
    other, _ = new_game("other", TINY, pace="manual", start=game.anchor_game)
    return seat(other, "Murphy").holder


def test_nothing_is_posted_into_another_game(stranger: Holder, cast: Cast) -> None:
    foreign = open_transfer(Game.objects.get(slug="other"))
    with pytest.raises(DatabaseError, match="of another game"):
        post((cast.transfer, cast.murphy, cast.coin, -1), (cast.transfer, stranger, cast.coin, 1))
    with pytest.raises(DatabaseError, match="of another game"):
        post((foreign, cast.murphy, cast.coin, -1), (foreign, cast.madrid, cast.coin, 1))


def test_a_posting_names_the_game_of_its_transfer(stranger: Holder, cast: Cast, sql: Sql) -> None:
    row = (stranger.game_id, cast.transfer, cast.murphy.pk, cast.coin.pk)
    with pytest.raises(DatabaseError, match="of another game"):
        sql(
            "INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)"
            " VALUES (%s, %s, %s, %s, 1), (%s, %s, %s, %s, -1)",
            *(*row, *row),
        )
    assert not Balance.objects.exclude(game=F("holder__game")).exists()


@pytest.mark.parametrize("missing", ["transfer_id", "holder_id", "asset_id"])
def test_nothing_is_posted_to_what_does_not_exist(cast: Cast, sql: Sql, missing: str) -> None:
    row = {
        "game_id": cast.murphy.game_id,
        "transfer_id": cast.transfer,
        "holder_id": cast.murphy.pk,
        "asset_id": cast.coin.pk,
    }
    row[missing] = 999_999_999
    with pytest.raises(DatabaseError):
        sql(
            "INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)"
            " VALUES (%s, %s, %s, %s, 1), (%s, %s, %s, %s, -1)",
            *row.values(),
            *row.values(),
        )


def test_a_transfer_without_an_entry_does_not_reach_the_end_of_its_transaction(
    rich: Game, sql: Sql
) -> None:
    with pytest.raises(DatabaseError, match="a_transfer_has_its_entry"):
        sql(
            "INSERT INTO ledger_transfer (game_id, entry, rule, why) VALUES (%s, %s, '', '')",
            rich.pk,
            rich.last_entry + 1,
        )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_posting SET amount = amount * 2",
        "UPDATE ledger_posting SET amount = amount WHERE false",
        "DELETE FROM ledger_posting",
        "TRUNCATE ledger_posting",
        "UPDATE ledger_transfer SET why = 'otherwise'",
        "DELETE FROM ledger_transfer",
        "TRUNCATE ledger_transfer CASCADE",
        "DELETE FROM ledger_holder",
        "DELETE FROM ledger_asset",
        "TRUNCATE ledger_holder CASCADE",
        "TRUNCATE ledger_asset CASCADE",
        "TRUNCATE games_game CASCADE",
        "UPDATE ledger_balance SET amount = amount + 1",
        "INSERT INTO ledger_balance (game_id, holder_id, asset_id, amount, is_mint, is_unique)"
        " SELECT game_id, holder_id, asset_id + 1000, 5, false, false FROM ledger_balance",
        "DELETE FROM ledger_balance",
        "TRUNCATE ledger_balance",
        "MERGE INTO ledger_balance b USING ledger_holder h ON b.holder_id = h.id"
        " WHEN MATCHED THEN UPDATE SET amount = 0",
        "UPDATE ledger_holder SET kind = 'mint', player_id = NULL WHERE name = 'Murphy'",
        "UPDATE ledger_holder SET kind = 'escrow' WHERE kind = 'mint'",
        "UPDATE ledger_holder SET player_id = (SELECT max(id) FROM games_player)"
        " WHERE name = 'Murphy'",
        "UPDATE ledger_holder SET game_id = game_id + 1",
        "UPDATE ledger_asset SET kind = 'currency' WHERE kind = 'unique'",
        "UPDATE ledger_asset SET mint_id = (SELECT id FROM ledger_holder WHERE name = 'Murphy')",
        "UPDATE ledger_asset SET game_id = game_id + 1",
    ],
)
def test_the_books_are_not_rewritten(rich: Game, sql: Sql, statement: str) -> None:
    before, postings = snapshot(rich), list(Posting.objects.values_list())
    with pytest.raises(DatabaseError):
        sql(statement)
    assert snapshot(rich) == before
    assert list(Posting.objects.values_list()) == postings


def test_a_holder_that_is_no_player_has_no_players_name_tag(rich: Game, sql: Sql) -> None:
    with pytest.raises(DatabaseError, match="players_and_only_they_are_players"):
        sql(
            "INSERT INTO ledger_holder (game_id, kind, name) VALUES (%s, 'player', 'nobody')",
            rich.pk,
        )


def test_the_mint_of_an_asset_is_a_mint_of_its_own_game(rich: Game) -> None:
    other, _ = new_game("other", TINY, pace="manual", start=rich.anchor_game)
    for mint in (rich.holders.get(name="Murphy"), other.holders.get(kind="mint")):
        with pytest.raises(DatabaseError), transaction.atomic():
            Asset.objects.create(
                game=rich, mint=mint, name="wheat", plural="wheat", kind="currency"
            )
