"""What a proposal asks for, in a line: “amends “Horse Multiplier” · each player gains 1 point”."""

from collections.abc import Collection

from nomic.rulebook.changes import forms as kinds
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from proposals.models import Proposal
from proposals.state.bodies import read_of_each

_MOST = 3
_LONGEST = 80  # characters of one change
_NOTHING = "changes nothing by itself"
_SAYINGS = {
    kinds.Enact: "enacts “{0.title}”",
    kinds.AddSubrule: "enacts “{0.title}” under {0.parent}",
    kinds.Repeal: "repeals {0.rule}",
    kinds.Retitle: "retitles {0.rule} “{0.title}”",
    kinds.Renumber: "gives {0.rule} the number {0.number}",
    kinds.SetPower: "sets the power of {0.rule} to {0.power}",
    kinds.Give: "{0.receiver} gains {0.amount:,} {0.currency}",
    kinds.Transfer: "{0.amount:,} {0.currency} from {0.giver} to {0.receiver}",
    kinds.SetSwitch: "sets {0.switch} to {0.value}",
    kinds.Become: "{0.who} becomes {0.office}",
    kinds.Ratify: "ratifies the recalculation {0.report:.16}",
    kinds.ByHand: "for the officer: {0.sentence}",
}


def change_summaries(proposals: Collection[Proposal]) -> dict[int, str]:
    """A line for each proposal, by proposal (pk), "" for one that was not read yet.

    A version is read once, since it never changes; what is known costs no query.
    """
    return read_of_each("summary", proposals, summary)


def summary(body: str, remarks: Collection[str] = ()) -> str:
    """The first changes that a body asks for, each said once."""
    try:
        changes = read_changes(body, remarks).changes
    except Unreadable:
        return "cannot be read"
    said = list(dict.fromkeys(_said(change) for change in changes))
    more = len(said) - _MOST
    parts = [*said[:_MOST], *([f"and {more} more"] if more > 0 else [])]
    return " · ".join(parts) or _NOTHING


def _said(change: kinds.Change) -> str:
    said = " ".join(_words(change).format(change).split())
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1].rstrip()}…"


def _words(change: kinds.Change) -> str:
    """What is said of such a change, with its own facts to be put in."""
    if isinstance(change, kinds.Take) and change.giver:
        lost = "all" if change.amount is None else "{0.amount:,}"
        return f"{{0.giver}} loses {lost} {{0.currency}}"
    if isinstance(change, kinds.SetSwitch) and change.of:
        return "sets {0.switch} of {0.of} to {0.value}"
    amends = isinstance(getattr(change, "rule", None), kinds.RuleRef)
    return _SAYINGS.get(type(change), "amends {0.rule}" if amends else "{0.sentence}")
