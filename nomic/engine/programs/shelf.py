"""The documents that programs read and publish; the room that keeps them puts its shelf here."""

from typing import Protocol

from nomic.engine.table import Table

type Paper = tuple[str, str, str]  # kind, title, text
type Listed = tuple[int, str, str, str]  # number, kind, title, and whose it is


class Shelf(Protocol):
    """A game's documents, as far as everybody sees them. `rule` is the title of the rule whose
    program asks, `number` the number that it has."""

    def listed(self, table: Table, kind: str, most: int) -> list[Listed]:
        """The newest documents of that kind, or of all kinds where it is "", newest first."""

    def text(self, table: Table, number: int) -> str | None:
        """The text of the document of that number; None where there is none."""

    def misfit(self, table: Table, rule: str, number: str, paper: Paper) -> str:
        """Why the rule's program cannot publish that, without a full stop; "" if it can."""

    def publish(self, table: Table, rule: str, paper: Paper) -> str:
        """Publish it in the entry that is being made; what is said of it, as a sentence."""


_SHELVES: list[Shelf] = []


def keep_shelf(shelf: Shelf) -> None:
    """Let programs find documents on that shelf."""
    _SHELVES.append(shelf)


def shelf_of_documents() -> Shelf:
    """The shelf of documents. ValueError where this site keeps none."""
    if not _SHELVES:
        raise ValueError("This site keeps no documents")
    return _SHELVES[0]
