"""Who plays along: players who only disturb are removed, their remarks hidden, and others are let
vote."""

from typing import Any, ClassVar

from nomic.engine.actions import (
    CLOSED,
    HOST,
    PAUSED,
    STANDSTILL,
    Action,
    HostAction,
    Inputs,
    action,
)
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.powers import Voters, voters_of
from nomic.games.refusal import Refusal
from nomic.governance.models import Motion, Remark
from nomic.governance.motions import BySupport
from nomic.governance.seats import stand_up

HIDE, REMOVE, TAKE_BACK = "games.hide_remark", "games.remove_player", "games.take_back"
ACCEPT = "games.accept"
_MOST = 1_000_000_000


@action
class HideRemark(HostAction):
    """Hide a remark of the table's talk. A mark stays in its place, with the reason in the record;
    the text is gone."""

    name = HIDE
    title = "Hide a remark"
    sentence = "Hide remark {remark}, because {reason}"
    possible_while = (*STANDSTILL, CLOSED)
    confirm = "Its text is gone after that, for everybody and for good. Hide it?"

    class Form(ActionForm):
        remark = WholeNumber(1, _MOST)
        reason = Text(longest=300)

    def question(self, table: Table, player: Player | None, inputs: Inputs) -> str:
        """With what it hides."""
        remark = _remark(table.game, inputs["remark"])
        return f"{remark.player} said: “{remark.text}” {self.confirm}" if remark else self.confirm

    def judge(self, table: Table, player: Any, remark: int | None, reason: Any) -> Verdict:
        target = _remark(table.game, remark) if remark else None
        if remark and not target and not table.is_replayed:
            return Refusal("no_remark", f"There is no remark {remark} in this game's talk.")
        if target and (target.hidden_in or target.deleted_at) and not table.is_replayed:
            return Refusal("gone", "This remark is gone already.")
        return Effects(
            *([Set(target, hidden_in=table.seq, text="")] if target else ()),
            say=f"By the host's word, remark {remark} is hidden: {reason}",
            figures={"remark": remark},
        )


@action
class RemovePlayer(BySupport):
    """Remove a player who only disturbs. The host announces it, or any player where the game has no
    host, and more than half of the other players have to support it. The host can take them back.
    """

    name = REMOVE
    title = "Remove a player"
    sentence = "Remove {player} from the game, because {reason}"
    button = "Announce"
    outlives_its_maker = True
    once_for = ("player",)

    class Form(ActionForm):
        player = PlayerField()
        reason = Text(longest=300)

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """Whom it is about; who announces it supports it."""
        return {motion.inputs["player"]}

    def judge(self, table: Table, by: Player, player: Any) -> Effects:
        return Effects(
            Then(lambda at: stand_up(at, at.seat(player), removed=True)),
            say=f"By the players' support {player} is removed from the game.",
        )

    def limit(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | None:
        """Also for who may not announce it: the game may have another host when it is done."""
        game = table.game
        if player and not table.is_replayed and game.host_id not in (None, player.user_id):
            return Refusal("not_the_host", "The game's host alone announces this.", self.rule)
        if player and inputs.get("player") == player.name:
            return Refusal("yourself", "You leave the game by yourself, at any time.")
        return super().limit(table, player, inputs)


class RemovedField(TextChoice):
    """Somebody who was removed, by name."""

    noun = "removed player"

    def options(self, table: Table, player: Player | None) -> list[str]:
        removed = table.game.players.filter(removed=True).order_by("name")
        return list(removed.values_list("name", flat=True))


@action
class TakeBack(Action):
    """Let somebody who was removed join again."""

    name = TAKE_BACK
    title = "Take a removed player back"
    sentence = "Let {player} join again"
    button = "Take back"
    office = HOST
    possible_while = (PAUSED,)

    class Form(ActionForm):
        player = RemovedField()

    def absence(self, table: Table) -> Refusal | None:
        nobody = Refusal("nobody_removed", "Nobody was removed from this game.")
        return None if table.game.players.filter(removed=True).exists() else nobody

    def judge(self, table: Table, by: Player | None, player: str | None) -> Verdict:
        if player is None:
            return None
        say = f"By the host's word, {player} may join again."
        return Effects(Set(table.seat(player), removed=False), say=say)


def _remark(game: Game, number: int) -> Remark | None:
    return game.remarks.filter(number=number).first()


# Letting players vote, in games where not everybody does from the moment of joining


class _Accepts(Action):
    """Let a player vote."""

    title = "Let a player vote"
    sentence = "Let {player} vote"
    button = "Accept"
    by: ClassVar[Voters]
    whose: ClassVar[str]

    class Form(ActionForm):
        player = PlayerField(label="Player")

    def absence(self, table: Table) -> Refusal | None:
        voters = voters_of(table.game)
        sentence = f"In this game there vote: {voters.label}."
        return None if voters is self.by else Refusal("voters_otherwise", sentence)

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
