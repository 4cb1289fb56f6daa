"""Who may submit proposals and vote on them, where a program of a rule says so."""

from nomic.engine.programs.decisions import decided, publish
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from proposals.state.reading import MAIN, State

PROPOSERS = publish(
    "proposals.proposers",
    "list[Player]",
    "Which of the players may submit proposals: at least one of them.",
    {"players": "list[Player]"},
    lambda table, chosen: bool(chosen) and {*map(str, chosen)} <= {*table.directory.players},
)


def not_a_proposer(table: Table, player: Player) -> Refusal | None:
    """Why that player submits nothing, where a program says who does."""
    players = table.directory.players
    chosen = decided(table, PROPOSERS, players, players=players)
    if chosen is players or player.name in chosen:
        return None
    said = f"By a rule's program, {_some(chosen)} may submit proposals now."
    return Refusal("not_a_proposer", said, MAIN)


def not_a_voter(state: State, player: Player) -> Refusal | None:
    """Why that player does not vote, where a program says who does."""
    voters = state.electorate.players
    if not isinstance(voters, frozenset) or player.name in voters or not player.active:
        return None
    said = f"By a rule's program, {_some(sorted(voters))} may vote now."
    return Refusal("not_a_voter", said, MAIN)


def _some(names: list[str]) -> str:
    return f"{', '.join(names[:5])}{' and others' if len(names) > 5 else ''}"
