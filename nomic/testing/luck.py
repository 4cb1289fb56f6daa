"""Dice for tests that compare two games."""

import pytest

from nomic.engine.table import Table
from nomic.games.seating import number_of


def roll_after_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rolls come after no hash, so that games whose sealed books differ have the same luck."""

    def whose(table: Table) -> tuple[int, str]:
        return number_of(table.actor) if table.actor else 0, ""

    monkeypatch.setattr(Table, "whose_dice", whose)
