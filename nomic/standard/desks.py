"""What a subgame lays on its officers' desks: duties and pictures.

Subgames register here; the officers' pages, a floor above them, show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from nomic.engine.subgames import Kept

if TYPE_CHECKING:
    from nomic.engine.table import Table
    from nomic.games.models import Player


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that an officer ought to do, by the game moment `due` (None: as soon as can be).

    `action` names the action that does it, `inputs` are what its form begins with.
    """

    title: str
    due: datetime | None = None
    rule: str = ""
    action: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of what the office keeps, and the same facts as a table for those who listen."""

    title: str
    template: str
    facts: Mapping[str, Any]
    headings: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Desk(Kept):
    """An office's desk. A query more for each player would be one too many."""

    def duties(self, table: Table) -> Iterable[Duty]:
        """What the officer ought to do now."""
        return ()

    def pictures(self, table: Table) -> Iterable[Picture]:
        """What the officer keeps, drawn, for everybody who sees the desk."""
        return ()

    def private(self, table: Table, viewer: Player) -> Iterable[Picture]:
        """What the holder of the office alone may see, who is the viewer; never the operator."""
        return ()


_DESKS: list[Desk] = []


def desk(cls: type[Desk]) -> type[Desk]:
    """Register a desk."""
    _DESKS.append(cls())
    return cls


def all_desks() -> list[Desk]:
    """The desks in the order in which they were registered."""
    return list(_DESKS)
