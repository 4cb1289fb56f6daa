"""Acts of a game's host for it, on the record: no power in what is played."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model

from nomic.engine.actions import Action, HostAction, Inputs, action
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice
from nomic.engine.table import Table
from nomic.games.models import CLOSED, JOINED_BY, SEEN_BY, Game, JoinedBy, Player, SeenBy
from nomic.games.presets import DEMONSTRATION
from nomic.games.readings import played_by
from nomic.games.refusal import Refusal
from nomic.standard.clockwork import let_time_stand_still
from nomic.standard.models import Motion
from nomic.standard.motions import BySupport, announced, end_all

OPEN_TO, HAND_OVER, CHOOSE_HOST, CLOSE = (
    "games.open_to",
    "games.hand_over",
    "games.choose_host",
    "games.close",
)


_ONLY_THE_SITE = Refusal(
    "demonstration",
    "The demonstration has no host and stays open to everybody. Start a game of your own to host.",
)


class _InHostedGames(Action):
    """Possible where players run the game: not in the demonstration, in which guests play. What a
    record tells of one that they ran before the sixth readings is replayed."""

    def applies(self, table: Table) -> bool:
        was_run = table.is_replayed and not played_by(table.game, 6)
        return was_run or table.game.preset != DEMONSTRATION

    def absence(self, table: Table) -> Refusal:
        return _ONLY_THE_SITE


class _HostOnly(_InHostedGames, HostAction):
    """An act that players do as hosts."""


@action
class OpenTo(_HostOnly):
    """Say who sees the game and who may join it. Those who play already stay."""

    name = OPEN_TO
    title = "Say who sees the game and who joins it"
    sentence = "Let it be seen by {seen_by} and joined by {joined_by}"
    button = "Set"

    class Form(ActionForm):
        seen_by = TextChoice(*SeenBy.values, label="Seen by")
        joined_by = TextChoice(*JoinedBy.values, label="Joined by")

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        game = table.game
        if (data.get("seen_by"), data.get("joined_by")) == (game.seen_by, game.joined_by):
            return Refusal("so_already", "It is so already.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        seen_by, joined_by = SeenBy(data["seen_by"]), JoinedBy(data["joined_by"])
        _set(table, {SEEN_BY: seen_by.value, JOINED_BY: joined_by.value})
        return (
            f"By the host's word, the game is seen by {seen_by.label} and joined by"
            f" {joined_by.label}."
        )


@action
class HandOver(_HostOnly):
    """Let another player be the game's host, or nobody. A host needs no seat in the game."""

    name = HAND_OVER
    title = "Hand the game over"
    sentence = "Let the game's host be {player}"
    button = "Hand over"
    confirm = "You are not the host of the game any more after that. Hand it over?"

    class Form(ActionForm):
        player = PlayerField(required=False, label="Player, or nobody")

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if data.get("player"):
            return _no_host(table, data["player"])
        if "player" in data and table.game.host_id is None and not table.is_replayed:
            return Refusal("no_host", "The game has no host. Name the player who is to be it.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        chosen = data["player"]
        _host(table, table.seat(chosen) if chosen else None)
        return f"The host hands the game over: {chosen or 'nobody'} is its host now."


@action
class ChooseHost(_InHostedGames, BySupport):
    """Let a player be the game's host from now on. They announce it themselves, so nobody becomes
    host against their will. More than half of the other players have to support it: so a game can
    go on whose host has left."""

    name = CHOOSE_HOST
    title = "Choose a host"
    sentence = "Let the game's host be {player}"
    button = "Announce"

    class Form(ActionForm):
        player = PlayerField(label="Player")

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """The name of the candidate."""
        return {motion.inputs["player"]}

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        if "player" not in data:
            return None
        chosen = data["player"]
        may_have_been = table.is_replayed and not played_by(table.game, 6)
        if chosen != player.name and not may_have_been:
            sentence = f"Announce it for yourself. {chosen} can announce it for themselves."
            return Refusal("themselves", sentence, self.rule)
        return announced(table, self.name, player=chosen) or _no_host(table, chosen)

    def hindrance(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        """None: whose account is gone by then leaves the game without a host. A record that is
        replayed knows of no accounts, and comes to the same end."""
        return None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str:
        _host(table, table.seat(data["player"]))
        return f"By the players' support {data['player']} is the game's host now."


@action
class Close(_HostOnly):
    """Close the game for good. Its time stands still and nobody acts in it any more; everything
    can still be read."""

    name = CLOSE
    urgent = True
    stops_time = True
    title = "Close the game"
    sentence = "Close the game, because {reason}"
    confirm = "The game is over after that, for everybody and for good. Close it?"

    class Form(ActionForm):
        reason = Text(longest=300)

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        let_time_stand_still(table)
        _set(table, {CLOSED: True})
        return f"The host closes the game: {data['reason']}"


def _set(table: Table, settings: dict[str, Any]) -> None:
    table.game.settings = {**table.game.settings, **settings}
    table.game.save(update_fields=["settings"])


def _no_host(table: Table, name: str) -> Refusal | None:
    """Why that player cannot be the host, told only where it is played: a record names nobody's
    account."""
    if table.is_replayed:
        return None
    seat = table.game.players.filter(name=name, active=True).first()
    if seat is None or seat.user_id is None:
        sentence = f"Nobody of this site plays as {name} now. A host is a player with an account."
        return Refusal("no_account", sentence)
    if seat.user_id == table.game.host_id:
        return Refusal("so_already", f"{name} is the host already.")
    if get_user_model().objects.filter(pk=seat.user_id, guest__isnull=False).exists():
        sentence = f"{name} is a guest. They can be the host once they have made an account."
        return Refusal("guest", sentence)
    hosted = Game.objects.filter(host_id=seat.user_id, scratch=False)
    if hosted.exclude(settings__contains={CLOSED: True}).count() >= settings.HOSTED_GAMES:
        sentence = (
            f"{name} hosts {settings.HOSTED_GAMES} open games, and that is the most. They have to"
            " close one or hand one over first."
        )
        return Refusal("hosts_enough", sentence)
    return None


def _host(table: Table, player: Player | None) -> None:
    table.game.host_id = player.user_id if player else None
    table.game.save(update_fields=["host"])
    end_all(table, f"{player or 'Nobody'} is the game's host now.", CHOOSE_HOST)
