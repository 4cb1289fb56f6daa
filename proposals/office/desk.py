"""What the desk of the officer who keeps the proposals shows: duties, turnout, and the books."""

from collections.abc import Iterable

from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.standard.desks import Desk, Duty, Picture, desk
from proposals.actions.chair import CHAIRMAN, officer_of
from proposals.models import Proposal
from proposals.office.duties import duties
from proposals.state.reading import state_of

_SHOWN = 12


@desk
class ChairmansDesk(Desk):
    """The desk of the office that keeps the proposals, by whatever name (Proposals)."""

    subgame = "proposals"
    office = CHAIRMAN

    def office_in(self, game: Game) -> str:
        return officer_of(game)

    def duties(self, table: Table) -> Iterable[Duty]:
        return duties(state_of(table))

    def pictures(self, table: Table) -> Iterable[Picture]:
        state = state_of(table)
        counted = state.proposals().filter(strength__isnull=False).defer("body", "effects")
        last = list(counted.order_by("-closed_in", "-number")[:_SHOWN])[::-1]
        yield _turnout(last)
        yield _strengths(last)


def _turnout(last: list[Proposal]) -> Picture:
    """How many voted on each of the last decided proposals, against the players of that time."""
    heads = [
        (_named(each), each.figures.get("ballots", 0), each.figures.get("players") or 0)
        for each in last
    ]
    bars = [
        {
            "name": name,
            "amount": f"{count} of {players}",
            "width": 100 * count // max(players, count, 1),
            "whole": True,
        }
        for name, count, players in heads
    ]
    return Picture(
        "Turnout of the last votes: voters, of the active players of that time",
        "offices/_spans.html",
        {"bars": bars, "empty": _NOTHING_YET},
        ("Proposal", "Voters", "Active players"),
        heads,
    )


def _strengths(last: list[Proposal]) -> Picture:
    """FOR less AGAINST by heads, to the right of the middle where it is positive."""
    strengths = {_named(each): each.strength or 0 for each in last}
    spread = max([1, *map(abs, strengths.values())])
    bars = [
        {
            "name": name,
            "amount": f"{strength:+d}".replace("-", "−") if strength else "0",
            "x": 50 + min(0, 50 * strength // spread),
            "width": abs(50 * strength) // spread,
            "below": strength < 0,
        }
        for name, strength in strengths.items()
    ]
    figures = [(each.figures.get("for", 0), each.figures.get("against", 0)) for each in last]
    rows = [
        (_named(each), *own, each.strength, each.outcome)
        for each, own in zip(last, figures, strict=True)
    ]
    return Picture(
        "Strengths of the last votes: FOR less AGAINST, by heads",
        "offices/_spans.html",
        {"bars": bars, "empty": _NOTHING_YET},
        ("Proposal", "FOR", "AGAINST", "Strength", "Outcome"),
        rows,
    )


_NOTHING_YET = "No vote has been counted yet. The last ones stand here."


def _named(proposal: Proposal) -> str:
    return f"{proposal.handle} {proposal.title}".strip()
