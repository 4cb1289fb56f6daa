"""Coming to a game and leaving it, taking offices and resigning them."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Value

from nomic.games.models import Office, Player
from nomic.games.names import LONGEST_NAME, Likeness, validate_player_name
from nomic.games.refusal import Refusal
from nomic.ledger.models import Holder, HolderKind
from nomic.play.actions import Action, Inputs, action
from nomic.play.forms import ActionForm, Text, TextChoice
from nomic.play.outcomes import Outcome
from nomic.play.subgames import in_play, office_refusal
from nomic.play.table import Table


class OfficeField(TextChoice):
    """An office of the game by name."""

    noun = "office"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return list(table.directory.offices)


@action
class Join(Action):
    """Take a seat in the game under a name of one's own; who left comes back by their old name."""

    name = "games.join"
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
        player.offices.update(holder=None)
        table.look_up_again()
        for subgame in in_play(table.game):
            subgame.left(table, player)
        return f"{player} leaves the game."


class _OfficeAction(Action):
    """Possible while time stands still: a game that nobody could unstick needs an officer."""

    while_stuck = True
    while_paused = True

    class Form(ActionForm):
        office = OfficeField()

    def applies(self, table: Table) -> bool:
        return bool(table.directory.offices)


@action
class TakeOffice(_OfficeAction):
    """Take a vacant office; until somebody does, the system performs its duties."""

    name = "games.take_office"
    title = "Take an office"
    sentence = "Take the office of {office}"
    button = "Take it"

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        offices, chosen = table.directory.offices, data.get("office")
        if all(offices.values()):
            return Refusal("no_vacancy", "Every office is held. An office is taken when vacant.")
        if holder := offices.get(chosen or ""):
            return Refusal("office_held", f"{holder} holds the office of {chosen}.")
        return office_refusal(table, chosen, player) if chosen else None

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        _give_office(table, data["office"], player)
        return f"{player} takes the office of {data['office']}."


@action
class ResignOffice(_OfficeAction):
    """Resign an office that one holds."""

    name = "games.resign_office"
    title = "Resign an office"
    sentence = "Resign as {office}"
    button = "Resign"
    confirm = "The office becomes vacant, and anybody may take it. Resign?"

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        held = table.directory.held_by(player)
        if not held:
            return Refusal("no_office", "You hold no office.")
        if data.get("office") not in (None, *held):
            return Refusal("not_yours", f"You are not the {data['office']}, but {', '.join(held)}.")
        return None

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        _give_office(table, data["office"], None)
        return f"{player} resigns as {data['office']}."


def _give_office(table: Table, office: str, holder: Player | None) -> None:
    Office.objects.filter(game=table.game, name=office).update(holder=holder)
    table.look_up_again()
    for subgame in in_play(table.game):
        subgame.office_changed(table, office)
