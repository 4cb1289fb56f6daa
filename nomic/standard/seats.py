"""Coming to a game and leaving it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Value

from nomic.engine.actions import Action, Inputs, action
from nomic.engine.forms import ActionForm, Text
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.names import LONGEST_NAME, Likeness, validate_player_name
from nomic.games.refusal import Refusal
from nomic.ledger.models import Holder, HolderKind
from nomic.standard.motions import JOIN, settle_all
from nomic.standard.offices import lay_down_all


@action
class Join(Action):
    """Take a seat in the game under a name of one's own; who left comes back by their old name."""

    name = JOIN
    title = "Join the game"
    sentence = "Join as {name}"
    button = "Join"
    seatless = True

    class Form(ActionForm):
        name = Text(longest=LONGEST_NAME, label="Name in this game")

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        name = data.get("name")
        if name is None:
            return None
        if player is not None:
            old = f"You played here as {player.name}. Come back by that name."
            return Refusal("old_name", old) if name != player.name else None
        try:
            validate_player_name(name)
        except ValidationError as error:
            return Refusal("bad_name", " ".join(error.messages))
        alike = table.game.players.alias(like=Likeness("name")).filter(like=Likeness(Value(name)))
        taken = alike.first()
        if taken:
            return Refusal(
                "name_taken", f"There is a player “{taken}” already. Choose another name."
            )
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        seated = self._return(player) if player else self._seat(table, data["name"])
        for subgame in in_play(table.game):
            subgame.joined(table, seated)
        return Outcome(f"{seated} joins the game.", actor=seated)

    def _return(self, player: Player) -> Player:
        player.active, player.left_at = True, None
        player.save(update_fields=["active", "left_at"])
        return player

    def _seat(self, table: Table, name: str) -> Player:
        user: Any = table.visitor
        player = Player.objects.create(game=table.game, user=user, name=name, joined_at=table.now)
        player.holder = Holder.objects.create(
            game=table.game, kind=HolderKind.PLAYER, name=name, player=player
        )
        return player


@action
class Leave(Action):
    """Give up the seat. Its history stays, and the same person may come back to it."""

    name = "games.leave"
    title = "Leave the game"
    sentence = "Leave the game"
    button = "Leave"
    confirm = "You give up your offices and what the rules take from those who leave. Leave?"

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        player.active, player.left_at = False, table.now
        player.save(update_fields=["active", "left_at"])
        table.forget_directory()
        lay_down_all(table, player)
        for subgame in in_play(table.game):
            subgame.left(table, player)
        settle_all(table)
        return f"{player} leaves the game."
