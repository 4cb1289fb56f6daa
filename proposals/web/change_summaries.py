"""What a proposal asks for, in a line: “amends “Horse Multiplier” · each player gains 1 point”."""

from __future__ import annotations

from collections.abc import Collection

from nomic.rulebook.changes.forms import (
    AddSubrule,
    ByHand,
    Change,
    Enact,
    Give,
    Ratify,
    Renumber,
    Repeal,
    Retitle,
    RuleRef,
    SetPower,
    SetSwitch,
    Take,
    Transfer,
)
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from proposals.models import Proposal
from proposals.state.bodies import read_of_each

_MOST = 3
_LONGEST = 80  # characters of one change
_NOTHING = "changes nothing by itself"


def change_summaries(proposals: Collection[Proposal]) -> dict[int, str]:
    """A line for each proposal, by proposal (pk), "" for one that was not read yet.

    A version is read once, since it never changes; what is known costs no query.
    """
    return read_of_each("summary", proposals, summary)


def summary(body: str) -> str:
    """The first changes that a body asks for, each said once."""
    try:
        changes = read_changes(body).changes
    except Unreadable:
        return "cannot be read"
    said = list(dict.fromkeys(_said(change) for change in changes))
    more = len(said) - _MOST
    parts = [*said[:_MOST], *([f"and {more} more"] if more > 0 else [])]
    return " · ".join(parts) or _NOTHING


def _said(change: Change) -> str:
    said = " ".join(_words(change).split())
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1].rstrip()}…"


def _words(change: Change) -> str:
    match change:
        case Enact():
            return f"enacts “{change.title}”"
        case AddSubrule():
            return f"enacts “{change.title}” under {change.parent}"
        case Repeal():
            return f"repeals {change.rule}"
        case Retitle():
            return f"retitles {change.rule} “{change.title}”"
        case Renumber():
            return f"gives {change.rule} the number {change.number}"
        case SetPower():
            return f"sets the power of {change.rule} to {change.power}"
        case Give():
            return f"{change.receiver} gains {change.amount:,} {change.currency}"
        case Take() if change.giver:
            lost = "all" if change.amount is None else f"{change.amount:,}"
            return f"{change.giver} loses {lost} {change.currency}"
        case Transfer():
            what = f"{change.amount:,} {change.currency}"
            return f"{what} from {change.giver} to {change.receiver}"
        case SetSwitch():
            of = f" of {change.of}" if change.of else ""
            return f"sets {change.switch}{of} to {change.value}"
        case Ratify():
            return f"ratifies the recalculation {change.report[:16]}"
        case ByHand():
            return f"for the officer: {change.sentence}"
    rule = getattr(change, "rule", None)
    return f"amends {rule}" if isinstance(rule, RuleRef) else change.sentence
