"""Letting players vote, in games where not everybody does from the moment of joining."""

from typing import Any, ClassVar

from nomic.engine.actions import Action, HostAction, Inputs, action
from nomic.engine.forms import ActionForm, PlayerField
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.voters import Voters, voters_of
from nomic.standard.motions import BySupport, announced

ACCEPT = "games.accept"


class _Accepts(Action):
    """Let a player vote."""

    title = "Let a player vote"
    sentence = "Let {player} vote"
    button = "Accept"
    by: ClassVar[Voters]

    class Form(ActionForm):
        player = PlayerField(label="Player")

    def applies(self, table: Table) -> bool:
        return voters_of(table.game) is self.by

    def absence(self, table: Table) -> Refusal:
        sentence = f"In this game there vote: {voters_of(table.game).label}."
        return Refusal("voters_otherwise", sentence)

    def refusal(self, table: Table, player: Any, data: Inputs) -> Refusal | None:
        chosen = data.get("player")
        if chosen and table.seat(chosen).accepted:
            return Refusal("so_already", f"{chosen} may vote already.")
        return None


def _accept(table: Table, name: str) -> None:
    table.game.players.filter(name=name).update(accepted=True)


@action
class AcceptByHost(_Accepts, HostAction):
    """Let a player vote, on the host's word. Until then they play, and their votes do not count."""

    name = ACCEPT
    by = Voters.HOST

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        _accept(table, data["player"])
        return f"By the host's word {data['player']} may vote."


@action
class AcceptBySupport(_Accepts, BySupport):
    """Let a player vote, by the support of more than half of those who do. Until then they play,
    and their votes do not count."""

    name = "games.accept_by_support"
    button = "Announce"
    by = Voters.SUPPORT

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        chosen = data.get("player")
        waiting = announced(table, self.name, player=chosen) if chosen else None
        return super().refusal(table, player, data) or waiting

    def hindrance(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        """None: the motion is about somebody else, and its maker may have left."""
        return None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str:
        _accept(table, data["player"])
        return f"By the voters' support {data['player']} may vote."
