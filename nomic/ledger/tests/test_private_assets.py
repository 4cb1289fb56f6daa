"""Assets of which no list tells before they are disclosed, and the decks that they lie in."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from nomic.engine.directory import OPEN_TRANSFERS, open_holders, open_postings
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.engine.tests.tiny import COIN
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.ledger.books import Indestructible, Ledger, ReadOnly
from nomic.ledger.models import Asset, AssetKind, AssetVisibility, Balance, HolderKind, Transfer
from nomic.ledger.tests.test_books import books_of, crowd
from tests.kit import at_the_table

RED, BLACK = "Red card", "Black card"
PRIVATE = AssetVisibility.PRIVATE


@pytest.fixture
def dealt(game: Game, player: Player, rival: Player) -> Game:
    """Two suits, of which the Deck, the player and the rival have some."""
    with at_the_table(game) as table:
        for suit in (RED, BLACK):
            table.ledger.define(
                suit, f"{suit}s", family="card", visibility=PRIVATE, officer="Keeper"
            )
        deck = table.ledger.deck("The Deck")
        table.ledger.move_several([(None, deck, 20, RED), (None, deck, 20, BLACK)])
        table.ledger.move_several(
            [(deck, player, 3, RED), (deck, player, 1, BLACK), (deck, rival, 2, RED)], "dealt"
        )
    return Game.objects.get(pk=game.pk)


def test_an_asset_is_private_from_its_definition(dealt: Game) -> None:
    card = dealt.assets.get(name=RED)
    assert (card.visibility, card.officer, card.family) == ("private", "Keeper", "card")
    assert RED not in [asset.name for asset in books_of(dealt).public_assets()]
    with at_the_table(dealt) as table:
        assert table.ledger.define(RED, "red things").visibility == "private"


def test_a_deck_is_made_once_and_departments_are_not_taken_for_it(dealt: Game) -> None:
    with at_the_table(dealt) as table:
        books = table.ledger
        assert books.deck("The Deck") == books.deck("The Deck")
        other = books.deck("The Discard")
        assert books.deck("The Deck") != other
        for kind, name in (("game", "Agora"), ("mint", "Mint")):
            assert books.department(HolderKind(kind)).name == name
        assert books.lost_and_found.name == "Lost and Found"
    assert dealt.holders.filter(kind=HolderKind.DECK).count() == 2
    assert books_of(dealt).deck("The Deck").kind == HolderKind.DECK


def test_nobody_else_s_name_is_a_deck_s(dealt: Game, player: Player) -> None:
    with at_the_table(dealt) as table:
        for name in (player.name, "Agora"):
            with pytest.raises(ValueError, match="already"):
                table.ledger.deck(name)
    with pytest.raises(ReadOnly):
        books_of(dealt).deck("Another")


def test_every_verb_works_with_a_deck(dealt: Game, player: Player) -> None:
    with at_the_table(dealt) as table:
        books = table.ledger
        deck = books.deck("The Deck")
        books.pay_out({deck.pk: 4, player.holder.pk: 1}, RED)
        books.collect({deck.pk: 2}, RED)
        books.transfer(player, deck, 1, BLACK)
        books.gather(deck, [RED])
        assert books.holdings(deck)[RED] == 23
        assert books.holdings(deck)[BLACK] == 20
        with pytest.raises(DatabaseError), transaction.atomic():
            books.transfer(deck, player, 21, BLACK)


def test_what_is_fixed_or_indestructible_is_so_in_private_too(game: Game, player: Player) -> None:
    with at_the_table(game) as table:
        books = table.ledger
        books.define("Mauve card", visibility=PRIVATE, indestructible=True, fixed=True)
        books.create(player, 1, "Mauve card")
        with pytest.raises(Indestructible):
            books.destroy(player, 1, "Mauve card")
        refusal = books.cannot_transfer(player, 1, "Mauve card")
        assert refusal is not None
        assert refusal.code == "fixed"


def test_a_card_is_read_in_all_hands_at_once(dealt: Game, player: Player, rival: Player) -> None:
    crowd(dealt, 60)
    books = books_of(dealt)
    deck = books.deck("The Deck")
    with CaptureQueriesContext(connection) as queries:
        held = books.balances(RED)
    assert len(queries) == 1
    assert held == {player.name: 3, rival.name: 2, deck.name: 15}
    assert books.balances(BLACK) == {player.name: 1, deck.name: 19}
    assert books.balances(COIN) == {}


def test_no_list_has_the_deck_or_its_cards_before_they_are_disclosed(dealt: Game) -> None:
    assert "The Deck" not in [holder.name for holder in open_holders(dealt)]
    assert not open_postings(dealt).filter(asset__family="card").exists()
    assert not Transfer.objects.filter(OPEN_TRANSFERS, game=dealt, why="dealt").exists()
    with at_the_table(dealt) as table:
        table.ledger.disclose([RED])
        assert [asset.name for asset in table.ledger.public_assets() if asset.family] == [RED]
    assert "The Deck" in [holder.name for holder in open_holders(dealt)]
    assert set(open_postings(dealt).values_list("asset__name", flat=True)) == {RED}
    assert Transfer.objects.filter(OPEN_TRANSFERS, game=dealt, why="dealt").exists()


def test_a_transfer_of_both_kinds_shows_its_public_side_only(dealt: Game, player: Player) -> None:
    with at_the_table(dealt) as table:
        deck = table.ledger.deck("The Deck")
        table.ledger.move_several([(None, player, 5, COIN), (deck, player, 1, RED)], "a bonus")
        table.ledger.pay_out({}, RED, "nothing")
    shown = open_postings(dealt).filter(transfer__why="a bonus")
    assert set(shown.values_list("asset__name", flat=True)) == {COIN}
    assert Transfer.objects.filter(OPEN_TRANSFERS, why="a bonus").exists()
    assert not Transfer.objects.filter(OPEN_TRANSFERS, why="nothing").exists()


def test_what_a_sealed_act_moved_is_seen_when_both_are_open(dealt: Game, player: Player) -> None:
    def seen() -> list[int]:
        rows = open_postings(dealt).filter(transfer__why="in secret", holder=player.holder)
        return list(rows.values_list("told_in", flat=True))

    with locked_game(pk=dealt.pk) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        deck = table.ledger.deck("The Deck")
        table.go_private()
        table.ledger.transfer(deck, player, 1, RED, "in secret")
        table.seal("testing.draw", player, {}, Outcome("Murphy draws."))
    assert seen() == []
    with at_the_table(dealt) as table:
        table.ledger.disclose([RED])
    assert seen() == []
    with at_the_table(dealt) as table:
        table.open_sealed(dealt.sealed_entries.filter(name="testing.draw"))
        opened_in = table.seq
    assert seen() == [opened_in]


def test_disclosing_is_one_statement_and_no_private_act(dealt: Game) -> None:
    with at_the_table(dealt) as table:
        with CaptureQueriesContext(connection) as queries:
            table.ledger.disclose([RED, BLACK, COIN])
        assert len(queries) == 1
    with pytest.raises(ReadOnly):
        Ledger(dealt, None).disclose([RED])
    books = Ledger(dealt, dealt.last_entry + 1)
    books.belong_to_sealed(dealt.sealed_count + 1)
    with pytest.raises(RuntimeError, match="cannot disclose"):
        books.disclose([RED])


def test_the_database_keeps_public_what_is_public(dealt: Game) -> None:
    with pytest.raises(DatabaseError, match="public for good"), transaction.atomic():
        dealt.assets.filter(name=COIN).update(visibility=PRIVATE)
    dealt.assets.filter(name=RED).update(visibility=AssetVisibility.PUBLIC)
    with pytest.raises(DatabaseError, match="public for good"), transaction.atomic():
        dealt.assets.filter(name=RED).update(visibility=PRIVATE)
    assert Asset.objects.get(game=dealt, name=RED).visibility == "public"


def test_the_database_lets_no_deck_owe_cards_or_hold_two_of_one_thing(dealt: Game) -> None:
    with at_the_table(dealt) as table:
        books = table.ledger
        deck, other = books.deck("The Deck"), books.deck("The Discard")
        books.define("The Joker", kind=AssetKind.UNIQUE, visibility=PRIVATE)
        books.create(deck, 1, "The Joker")
        with pytest.raises(DatabaseError, match="a_unique_thing_is_one"), transaction.atomic():
            books.create(other, 1, "The Joker")
        with (
            pytest.raises(DatabaseError, match="no_debts_but_allowed"),
            transaction.atomic(),
        ):
            books.transfer(other, deck, 1, RED)
    assert Balance.objects.get(holder=deck, asset__name="The Joker").amount == 1
