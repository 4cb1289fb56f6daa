"""What the demonstration's votes leave to its officer."""

from collections.abc import Iterator

from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.simulation.bots import Act, Demonstration
from proposals.state.workload import undone


class Votes(Demonstration):
    """The officer does by hand what is prose in adopted proposals."""

    def duties(self, table: Table, officer: Player) -> Iterator[Act]:
        for errand in undone(table.game):
            passage = {"proposal": errand.proposal.handle, "place": errand.place, "entry": 0}
            yield "proposals.carry_out", {**passage, "note": "They were told at the track."}
