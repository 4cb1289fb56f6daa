"""The verbs of the ledger, each one transfer, however many holders it moves."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Sum, Value
from django.test.utils import CaptureQueriesContext

from nomic.engine.tests.tiny import COIN, CUP
from nomic.games.models import Game, Player
from nomic.ledger.books import Ledger, ReadOnly
from nomic.ledger.models import Asset, AssetKind, Balance, Holder, HolderKind, Posting, Transfer
from tests.kit import at_the_table


def crowd(game: Game, count: int) -> None:
    """Seat many players without their joining one by one."""
    seats = Player.objects.bulk_create(
        Player(game=game, name=f"one of {count} {n}", joined_at=game.anchor_game)
        for n in range(count)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=seat.name, player=seat) for seat in seats
    )


def books_of(game: Game) -> Ledger:
    game.refresh_from_db()
    return Ledger(game, None)


def total(game: Game, asset: str) -> int:
    rows = Balance.objects.filter(asset__game=game, asset__name=asset)
    return int(rows.aggregate(all=Sum("amount"))["all"] or 0)


def test_what_is_created_comes_out_of_the_mint_and_goes_back(game: Game, player: Player) -> None:
    with at_the_table(game) as table:
        table.ledger.create(player, 7, COIN)
        table.ledger.destroy(player, 3, COIN)
    books = books_of(game)
    assert books.balance(player, COIN) == 4
    assert books.balance(books.department(HolderKind.MINT), COIN) == -4
    assert total(game, COIN) == 0


def test_a_transfer_names_its_entry_its_rule_and_why(
    game: Game, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        table.ledger.rule = "Gifts"
        table.ledger.create(player, 2, COIN)
        table.ledger.transfer(player, rival, 2, COIN, "a present")
        entry = table.seq
    gift = Transfer.objects.get(why="a present")
    assert (gift.entry, gift.rule) == (entry, "Gifts")
    assert dict(gift.postings.values_list("holder__name", "amount")) == {"Murphy": -2, "Madrid": 2}


def test_nothing_is_moved_from_oneself_to_oneself_and_no_debt_is_given(
    game: Game, player: Player, rival: Player
) -> None:
    before = Posting.objects.count()
    with at_the_table(game) as table:
        table.ledger.transfer(player, player, 5, COIN)
        table.ledger.create(player, 0, COIN)
        with pytest.raises(ValueError, match="not negative"):
            table.ledger.transfer(player, rival, -5, COIN)
    assert Posting.objects.count() == before


def test_nobody_spends_what_they_do_not_have(game: Game, player: Player) -> None:
    with at_the_table(game) as table:
        table.ledger.create(player, 2, COIN)
        with pytest.raises(DatabaseError), transaction.atomic():
            table.ledger.destroy(player, 3, COIN)
        assert table.ledger.balance(player, COIN) == 2


@pytest.mark.parametrize(
    ("has", "costs", "sentence"),
    [
        (0, 1, "This costs 1 coin, and Murphy has no coins."),
        (1, 3, "This costs 3 coins, and Murphy has 1 coin."),
    ],
)
def test_who_cannot_pay_reads_what_it_costs_and_what_they_have(
    game: Game, player: Player, has: int, costs: int, sentence: str
) -> None:
    with at_the_table(game) as table:
        table.ledger.create(player, has, COIN)
    refusal = books_of(game).cannot_pay(player, costs, COIN)
    assert refusal is not None
    assert (refusal.code, refusal.sentence) == ("cannot_pay", sentence)
    assert books_of(game).cannot_pay(player, has, COIN) is None


def test_a_unique_thing_has_one_owner_and_passes_from_hand_to_hand(
    game: Game, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        assert table.ledger.owner_of(CUP) is None
        table.ledger.create(player, 1, CUP)
        table.ledger.transfer(player, rival, 1, CUP)
        with pytest.raises(DatabaseError), transaction.atomic():
            table.ledger.create(player, 1, CUP)
    owner = books_of(game).owner_of(CUP)
    assert owner is not None
    assert owner.player == rival
    with at_the_table(game) as table:
        table.ledger.destroy(rival, 1, CUP)
    assert books_of(game).owner_of(CUP) is None


def test_an_asset_is_defined_once(game: Game) -> None:
    with at_the_table(game) as table:
        first = table.ledger.define("wheat", family="crop")
        again = table.ledger.define("wheat", kind=AssetKind.UNIQUE)
    assert (first.pk, again.kind) == (again.pk, AssetKind.CURRENCY)
    with pytest.raises(Asset.DoesNotExist):
        books_of(game).asset("rye")


def test_a_book_that_is_open_to_be_read_takes_no_writing(game: Game, player: Player) -> None:
    books = books_of(game)
    for write in (
        lambda: books.create(player, 1, COIN),
        lambda: books.destroy_all(COIN),
        lambda: books.define("wheat"),
    ):
        with pytest.raises(ReadOnly):
            write()


def test_all_of_it_goes_back_to_the_mint(game: Game, player: Player, rival: Player) -> None:
    with at_the_table(game) as table:
        table.ledger.create(player, 3, COIN)
        table.ledger.create(rival, 4, COIN)
        table.ledger.create(table.ledger.agora, 5, COIN)
    with at_the_table(game) as table:
        table.ledger.destroy_all(COIN)
        table.ledger.destroy_all(COIN)
    assert books_of(game).balances(COIN) == {}


def test_things_are_gathered_from_whoever_has_them(
    game: Game, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        table.ledger.create(player, 3, COIN)
        table.ledger.create(rival, 1, CUP)
        table.ledger.create(table.ledger.lost_and_found, 2, COIN)
        table.ledger.gather(table.ledger.lost_and_found, [COIN, CUP])
    books = books_of(game)
    assert books.balances(COIN) == {"Lost and Found": 5}
    assert books.balances(CUP) == {"Lost and Found": 1}


def test_a_list_is_paid_out_at_once_and_zeros_in_it_cost_nothing(
    game: Game, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        table.ledger.pay_out({player.holder.pk: 4, rival.holder.pk: 0}, COIN, "prizes")
        table.ledger.pay_out({}, COIN)
    assert books_of(game).balances(COIN) == {"Murphy": 4}
    assert Posting.objects.filter(transfer__why="prizes").count() == 2


def test_a_list_is_collected_at_once_back_to_the_mint(
    game: Game, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        table.ledger.create_for_each(game.players.all(), 5, COIN)
        table.ledger.collect({player.holder.pk: 5, rival.holder.pk: 2}, COIN, "tolls")
        table.ledger.collect({player.holder.pk: 0}, COIN, "nothing")
        with pytest.raises(DatabaseError), transaction.atomic():
            table.ledger.collect({player.holder.pk: 1, rival.holder.pk: 1}, COIN)
    assert books_of(game).balances(COIN) == {"Madrid": 3}
    postings = Posting.objects.filter(transfer__why="tolls")
    mint = postings.get(holder__kind=HolderKind.MINT)
    assert (mint.amount, postings.count()) == (7, 3)
    assert not Posting.objects.filter(transfer__why="nothing").exists()


BULK: dict[str, Callable[[Ledger, Game], None]] = {
    "create_for_each": lambda books, game: books.create_for_each(game.players.all(), 2, COIN),
    "create_for_all_active": lambda books, game: books.create_for_all_active(2, COIN),
    "pay_out": lambda books, game: books.pay_out(
        dict(game.holders.filter(kind="player").values_list("pk", Value(3))), COIN
    ),
    "collect": lambda books, game: books.collect(
        dict(game.holders.filter(kind="player").values_list("pk", Value(3))), COIN
    ),
    "destroy_all": lambda books, game: books.destroy_all(COIN),
    "gather": lambda books, game: books.gather(books.agora, [COIN]),
}


@pytest.mark.parametrize("verb", BULK)
def test_a_bulk_verb_takes_as_many_queries_for_300_players_as_for_3(game: Game, verb: str) -> None:
    counts = []
    for players in (3, 297):
        crowd(game, players)
        with at_the_table(game) as table:
            table.ledger.create_for_each(game.players.all(), 5, COIN)
        with (
            at_the_table(game) as table,
            CaptureQueriesContext(
                connection,
            ) as queries,
        ):
            BULK[verb](table.ledger, game)
        counts.append(len(queries))
        assert total(game, COIN) == 0
    assert counts[0] == counts[1] <= 4
