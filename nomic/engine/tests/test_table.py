"""What is read at a table: once, until it is forgotten."""

from __future__ import annotations

from nomic.engine.table import Table, glance
from nomic.games.models import Game


class Read:
    def __init__(self, table: Table) -> None:
        self.table = table


def test_what_is_read_at_a_table_is_read_once_until_it_is_forgotten(game: Game) -> None:
    table = glance(game)
    first = table.once(Read)
    assert table.once(Read) is first
    table.forget(Read)
    assert table.once(Read) is not first
