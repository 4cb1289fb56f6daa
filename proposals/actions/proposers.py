"""Who may submit proposals, where a program of a rule says so."""

from __future__ import annotations

from nomic.engine.programs.decisions import Decision, decided, publish
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from proposals.state.reading import MAIN

PROPOSERS = publish(
    Decision(
        "proposals.proposers",
        "list[Player]",
        "Which of the players may submit proposals: at least one of them.",
        {"players": "list[Player]"},
        lambda table, chosen: bool(chosen) and {*map(str, chosen)} <= {*table.directory.players},
    )
)


def not_a_proposer(table: Table, player: Player) -> Refusal | None:
    """Why that player submits nothing, where a program says who does."""
    players = table.directory.players
    chosen = decided(table, PROPOSERS, players, players=players)
    if chosen is players or player.name in chosen:
        return None
    some = f"{', '.join(chosen[:5])}{' and others' if len(chosen) > 5 else ''}"
    return Refusal("not_a_proposer", f"By a rule's program, {some} may submit proposals now.", MAIN)
