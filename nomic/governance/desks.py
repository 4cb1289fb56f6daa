"""Desks of officers, laid by subgames: duties, pictures, and what may be kept by hand.

Subgames register here; the officers' pages, a floor above them, show it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from nomic.engine.forms import TextChoice
from nomic.engine.subgames import OfOffice
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal


@dataclass(frozen=True)
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


MOST_SHOWN = 12  # bars or lines of a picture


def bars(
    title: str,
    unit: str,
    headings: tuple[str, ...],
    rows: Sequence[Any],
    shown: int | None = MOST_SHOWN,
) -> Picture:
    """A bar for each of the first rows, or all, by its first two cells: whose it is, and how long
    it is."""
    drawn = [row[:2] for row in rows[:shown]]
    longest = max((amount for _, amount in drawn), default=0)
    facts = {"bars": drawn, "longest": longest, "unit": unit}
    return Picture(title, "offices/_bars.html", facts, headings, list(rows))


def lines(
    title: str,
    summaries: Sequence[tuple[str, str, str]],
    headings: tuple[str, ...],
    rows: Sequence[Any],
    empty: str,
    total: int = 0,
) -> Picture:
    """A line for each of the first summaries: a name, what there is to say of it, and when or how
    much. `total` is how many there are, where they are only the first of them."""
    keys = ("name", "text", "worth")
    shown = [dict(zip(keys, summary, strict=True)) for summary in summaries[:MOST_SHOWN]]
    left_out = max(total, len(summaries)) - len(shown)
    facts = {"lines": shown, "empty": empty, "left_out": left_out}
    return Picture(title, "offices/_lines.html", facts, headings, list(rows))


class Desk(OfOffice):
    """An office's desk. A query more for each player would be one too many."""

    def duties(self, table: Table) -> Iterable[Duty]:
        """The duties of the officer now."""
        return ()

    def pictures(self, table: Table) -> Iterable[Picture]:
        """The officer's books, drawn, for everybody who sees the desk."""
        return ()

    def private(self, table: Table, viewer: Player) -> Iterable[Picture]:
        """The pictures for the office's holder alone, who is the viewer; never for the operator."""
        return ()


_DESKS: list[Desk] = []


def desk(cls: type[Desk]) -> type[Desk]:
    """Register a desk."""
    _DESKS.append(cls())
    return cls


def all_desks() -> list[Desk]:
    """The desks in the order in which they were registered."""
    return list(_DESKS)


# What an officer keeps by hand


OFFICER, SYSTEM = "the officer", "the system"


class KeeperField(TextChoice):
    """Who keeps a duty from now on."""

    def __init__(self) -> None:
        super().__init__(OFFICER, SYSTEM, label="Who")


def keeping_refusal(
    table: Table, office: str, keeper: str | None, rule: str, *, by_hand: bool
) -> Refusal | None:
    """Why that keeper, where one is chosen, cannot have that office's duty, now kept `by_hand` or
    not."""
    if keeper is None:
        return None
    if keeper == OFFICER and not table.directory.offices.get(office):
        sentence = f"Nobody is the {office}: the system keeps what it can until somebody is."
        return Refusal("vacant", sentence, rule)
    if by_hand == (keeper == OFFICER):
        return Refusal("kept_so", f"{keeper} keeps it already.".capitalize(), rule)
    return None
