"""Keeping the table fit to play at: remarks are hidden, and who only disturbs is removed."""

from nomic.engine.actions import HOST, Action, HostAction, Inputs, action
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.standard.models import Motion, Remark
from nomic.standard.motions import BySupport, announced
from nomic.standard.seats import stand_up

HIDE, REMOVE, TAKE_BACK = "games.hide_remark", "games.remove_player", "games.take_back"
_MOST = 1_000_000_000


@action
class HideRemark(HostAction):
    """Hide a remark of the table's talk. A mark stays in its place, with the reason in the record;
    the text is gone."""

    name = HIDE
    title = "Hide a remark"
    sentence = "Hide remark {remark}, because {reason}"
    while_closed = True
    confirm = "Its text is gone after that, for everybody and for good. Hide it?"

    class Form(ActionForm):
        remark = WholeNumber(1, _MOST)
        reason = Text(longest=300)

    def question(self, table: Table, player: Player | None, data: Inputs) -> str:
        """With what it hides."""
        found = _remark(table.game, data["remark"])
        return f"{found.player} said: “{found.text}” {self.confirm}" if found else self.confirm

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if "remark" not in data or table.is_replayed:
            return None
        found = _remark(table.game, data["remark"])
        if found is None:
            return Refusal("no_remark", f"There is no remark {data['remark']} in this game's talk.")
        if found.hidden_in or found.deleted_at:
            return Refusal("gone", "This remark is gone already.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        found = _remark(table.game, data["remark"])
        if found is not None:
            found.hidden_in, found.text = table.seq, ""
            found.save(update_fields=["hidden_in", "text"])
        said = f"By the host's word, remark {data['remark']} is hidden: {data['reason']}"
        return Outcome(said, {"remark": data["remark"]})


@action
class RemovePlayer(BySupport):
    """Remove a player who only disturbs. The host announces it, or any player where the game has no
    host, and more than half of the other players have to support it. The host can take them back.
    """

    name = REMOVE
    title = "Remove a player"
    sentence = "Remove {player} from the game, because {reason}"
    button = "Announce"

    class Form(ActionForm):
        player = PlayerField()
        reason = Text(longest=300)

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """Whom it is about; who announces it supports it."""
        return {motion.inputs["player"]}

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        game = table.game
        if not table.is_replayed and game.host_id and game.host_id != player.user_id:
            return Refusal("not_the_host", "The game's host alone announces this.", self.rule)
        if "player" not in data:
            return None
        if data["player"] == player.name:
            return Refusal("yourself", "You leave the game by yourself, at any time.")
        return announced(table, self.name, player=data["player"])

    def hindrance(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        """None: that whom it is about has left is told by the form, which knows nobody then."""
        return None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str:
        stand_up(table, table.seat(data["player"]), removed=True)
        return f"By the players' support {data['player']} is removed from the game."


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
    while_paused = True

    class Form(ActionForm):
        player = RemovedField()

    def applies(self, table: Table) -> bool:
        return table.game.players.filter(removed=True).exists()

    def absence(self, table: Table) -> Refusal:
        return Refusal("nobody_removed", "Nobody was removed from this game.")

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        table.game.players.filter(name=data["player"]).update(removed=False)
        return f"By the host's word, {data['player']} may join again."


def _remark(game: Game, number: int) -> Remark | None:
    return game.remarks.filter(number=number).first()
