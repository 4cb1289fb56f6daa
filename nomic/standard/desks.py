"""What a subgame lays on its officers' desks: duties, pictures, and books to leaf through.

Subgames register here; the officers' pages, a floor above them, show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Model, Q

if TYPE_CHECKING:
    from nomic.engine.table import Table
    from nomic.games.models import Game, Player


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


class Desk:
    """An office's desk. A query more for each player would be one too many."""

    office: str

    def office_in(self, game: Game) -> str:
        """What that game calls the office."""
        return self.office

    def is_on(self, game: Game) -> bool:
        """Whether the game has what this office keeps."""
        raise NotImplementedError

    def duties(self, table: Table) -> Iterable[Duty]:
        """What the officer ought to do now."""
        return ()

    def pictures(self, table: Table) -> Iterable[Picture]:
        """What the officer keeps, drawn, for everybody who sees the desk."""
        return ()

    def private(self, table: Table, viewer: Player) -> Iterable[Picture]:
        """What the holder of the office alone may see, who is the viewer; never the operator."""
        return ()


@dataclass(frozen=True)
class Book:
    """Rows of a model that officers may read: listed, searched and filtered, never changed.

    `game` is the path from a row to its game. Only `columns` and `fields` are ever shown, and
    only rows that `public` lets through: what is private is in no book, for no reader.
    """

    model: type[Model]
    title: str
    columns: tuple[str, ...]
    fields: tuple[str, ...]
    game: str = "game"
    order: tuple[str, ...] = ("-pk",)
    search: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    public: Q = field(default_factory=Q)


_DESKS: list[Desk] = []
_BOOKS: list[Book] = []


def desk(cls: type[Desk]) -> type[Desk]:
    """Register a desk."""
    _DESKS.append(cls())
    return cls


def all_desks() -> list[Desk]:
    """The desks in the order in which they were registered."""
    return list(_DESKS)


def lay_out(*books: Book) -> None:
    """Let officers read these books."""
    _BOOKS.extend(books)


def all_books() -> list[Book]:
    """The books that subgames have laid out."""
    return list(_BOOKS)
