"""Letting players vote, in games where not everybody does from the moment of joining."""

from typing import ClassVar

from nomic.engine.actions import Action, HostAction, action
from nomic.engine.effects import Effects, Set, Verdict
from nomic.engine.forms import ActionForm, PlayerField
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.voters import Voters, voters_of
from nomic.standard.motions import BySupport

ACCEPT = "games.accept"


class _Accepts(Action):
    """Let a player vote."""

    title = "Let a player vote"
    sentence = "Let {player} vote"
    button = "Accept"
    by: ClassVar[Voters]
    whose: ClassVar[str]

    class Form(ActionForm):
        player = PlayerField(label="Player")

    def applies(self, table: Table) -> bool:
        return voters_of(table.game) is self.by

    def absence(self, table: Table) -> Refusal:
        sentence = f"In this game there vote: {voters_of(table.game).label}."
        return Refusal("voters_otherwise", sentence)

    def judge(self, table: Table, by: Player | None, player: str | None) -> Verdict:
        if player is None:
            return None
        seat = table.seat(player)
        if seat.accepted:
            return Refusal("so_already", f"{player} may vote already.")
        return Effects(Set(seat, accepted=True), say=f"By {self.whose} {player} may vote.")


@action
class AcceptByHost(_Accepts, HostAction):
    """Let a player vote, on the host's word. Until then they play, and their votes do not count."""

    name = ACCEPT
    by, whose = Voters.HOST, "the host's word"


@action
class AcceptBySupport(_Accepts, BySupport):
    """Let a player vote, by the support of more than half of those who do. Until then they play,
    and their votes do not count."""

    name = "games.accept_by_support"
    button = "Announce"
    outlives_its_maker = True
    once_for = ("player",)
    by, whose = Voters.SUPPORT, "the voters' support"
