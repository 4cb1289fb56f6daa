"""What is read at a table: once, until it is forgotten."""

from __future__ import annotations

from contextlib import suppress

from nomic.engine.table import Table, _apart, glance
from nomic.games.models import Game, Player
from nomic.rulebook.models import Visibility
from tests.kit import at_the_table


class Read:
    def __init__(self, table: Table) -> None:
        self.table = table


def test_what_is_read_at_a_table_is_read_once_until_it_is_dropped(game: Game) -> None:
    table = glance(game)
    first = table.once(Read)
    assert table.once(Read) is first
    table.drop(Read)
    assert table.once(Read) is not first


def test_what_an_entry_has_come_to_is_copied_with_all_that_it_collects(game: Game) -> None:
    with at_the_table(game) as table:
        for part in (table.ledger, table.rules, table.dice, table.record):
            twin = vars(_apart(part))
            shared = {name for name, cell in vars(part).items() if twin[name] is cell}
            assert {name for name in shared if hasattr(getattr(part, name), "copy")} == set()


def test_a_book_that_was_named_in_what_is_undone_hides_nothing(game: Game, player: Player) -> None:
    with at_the_table(game) as table:
        with suppress(LookupError), table.tentatively():
            table.hide_in("elsewhere")
            raise LookupError
        table.ledger.define("whisper", visibility=Visibility.PRIVATE)
        table.ledger.create(player, 1, "whisper")
    (hidden,) = game.sealed_entries.filter(name="record.hidden")
    assert hidden.book == "testing"
