"""Acts of a game's host for it, on the record: no power in what is played."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model

from nomic.engine.actions import STANDSTILL, Action, HostAction, Inputs, TimeStopper, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice
from nomic.engine.table import Table
from nomic.games.models import CLOSED, JOINED_BY, SEEN_BY, Game, JoinedBy, Player, SeenBy
from nomic.games.presets import DEMONSTRATION
from nomic.games.refusal import Refusal
from nomic.governance.clockwork import let_time_stand_still
from nomic.governance.models import Motion
from nomic.governance.motions import BySupport, end_all

OPEN_TO, HAND_OVER = "games.open_to", "games.hand_over"
TAKE_OVER, DECLINE_OFFER = "games.take_over", "games.decline_offer"
WITHDRAW_OFFER = "games.withdraw_offer"
CHOOSE_HOST, CLOSE = "games.choose_host", "games.close"

_OFFERED_TO = "host_offered_to"  # of a game's settings: a player's name
_NO_OFFER = Refusal(
    "not_offered",
    "This game is not offered to anybody. Its host offers it by “Hand the game over”.",
)

_ONLY_THE_SITE = Refusal(
    "demonstration",
    "The demonstration has no host and stays open to everybody. Start a game of your own to host.",
)


class _InHostedGames(Action):
    """Possible where players run the game: not in the demonstration, in which guests play."""

    def absence(self, table: Table) -> Refusal | None:
        return _ONLY_THE_SITE if table.game.preset == DEMONSTRATION else None


class HostOnly(_InHostedGames, HostAction):
    """An act that players do as hosts."""


@action
class OpenTo(HostOnly):
    """Say who sees the game and who may join it. Those who play already stay."""

    name = OPEN_TO
    title = "Say who sees the game and who joins it"
    sentence = "Let it be seen by {seen_by} and joined by {joined_by}"
    button = "Set"

    class Form(ActionForm):
        seen_by = TextChoice(*SeenBy.values, label="Seen by")
        joined_by = TextChoice(*JoinedBy.values, label="Joined by")

    def judge(self, table: Table, player: Any, seen_by: Any, joined_by: Any) -> Verdict:
        game = table.game
        if not (seen_by and joined_by):
            return None
        access = f"seen by {SeenBy(seen_by).label} and joined by {JoinedBy(joined_by).label}"
        if (seen_by, joined_by) == (game.seen_by, game.joined_by):
            return Refusal("so_already", f"The game is {access} now. Choose another setting.")
        return Effects(
            _settings(game, {SEEN_BY: seen_by, JOINED_BY: joined_by}),
            say=f"By the host's word, the game is {access}.",
        )


def offered_to(game: Game) -> str:
    """The name of the player to whom the host offers the game; "" for nobody."""
    return str(game.setting(_OFFERED_TO, ""))


def offer_renamed(table: Table, former: str, name: str) -> None:
    """Let the offer of the game be to that player still, who goes by another name."""
    if offered_to(table.game) == former:
        table.game.settings = {**table.game.settings, _OFFERED_TO: name}
        table.game.save(update_fields=["settings"])


@action
class HandOver(HostOnly):
    """Offer the game to another player, who is its host once they take it over; or let nobody be
    its host from now on. A host needs no seat in the game."""

    name = HAND_OVER
    title = "Hand the game over"
    sentence = "Hand the game over to {player}"
    button = "Hand over"

    class Form(ActionForm):
        player = PlayerField(required=False, label="Player, or nobody")

    def question(self, table: Table, player: Any, inputs: Inputs) -> str:
        return (
            "A player whom you name is the host as soon as they take the game over; until then you"
            " are. Where you name nobody, nobody is the host any more. Hand it over?"
        )

    def judge(self, table: Table, by: Player | None, **inputs: Any) -> Verdict:
        if "player" not in inputs:
            return None
        chosen = inputs["player"]
        if not chosen and table.game.host_id is None and not table.is_replayed:
            return Refusal("no_host", "The game has no host. Name the player who is to be it.")
        if not chosen:
            return _hosted(table, None, "The host hands the game over: nobody is its host now.")
        if chosen == offered_to(table.game):
            return Refusal("so_already", f"The game is offered to {chosen} already.")
        before = offered_to(table.game)
        no_more = f", and to {before} no more" if before else ""
        return _no_host(table, chosen) or Effects(
            _settings(table.game, {_OFFERED_TO: chosen}),
            say=f"The host offers the game to {chosen}{no_more}. They are its host once they take"
            " it over.",
            figures={"offered_before": before} if before else {},
        )


@action
class WithdrawOffer(HostOnly):
    """Offer the game to nobody any more."""

    name = WITHDRAW_OFFER
    title = "Withdraw the offer of the game"
    sentence = "Withdraw the offer of the game"

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or (None if offered_to(table.game) else _NO_OFFER)

    def judge(self, table: Table, by: Player | None) -> Effects:
        before = offered_to(table.game)
        return Effects(
            _settings(table.game, {_OFFERED_TO: ""}),
            say=f"The host keeps the game, and offers it to {before} no more.",
            figures={"offered_before": before},
        )


class _Answer(_InHostedGames):
    """An act of the player to whom the game is offered."""

    possible_while = STANDSTILL

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or (None if offered_to(table.game) else _NO_OFFER)

    def not_theirs(self, table: Table, player: Player) -> Refusal | None:
        """Why that player does not answer it; None if they do."""
        offered = offered_to(table.game)
        to_another = Refusal("not_to_you", f"The game is offered to {offered}.")
        return to_another if player.name != offered else None


@action
class TakeOver(_Answer):
    """Be the game's host from now on, as its host offers you."""

    name = TAKE_OVER
    title = "Take the game over"
    sentence = "Take the game over, and be its host"
    button = "Take it over"

    def judge(self, table: Table, player: Player) -> Verdict:
        refusal = self.not_theirs(table, player) or _no_host(table, player.name)
        return refusal or _hosted(
            table, player.name, f"{player} takes the game over, and is its host now."
        )


@action
class DeclineOffer(_Answer):
    """Do not become the game's host: it is offered to you no more."""

    name = DECLINE_OFFER
    title = "Decline the offer of the game"
    sentence = "Decline the offer of the game"
    button = "Decline"

    def judge(self, table: Table, player: Player) -> Verdict:
        return self.not_theirs(table, player) or Effects(
            _settings(table.game, {_OFFERED_TO: ""}),
            say=f"{player} does not take the game over: its host stays who it is.",
        )


@action
class ChooseHost(_InHostedGames, BySupport):
    """Let a player be the game's host from now on. They announce it themselves, so nobody becomes
    host against their will. More than half of the other players have to support it: so a game can
    go on whose host has left."""

    name = CHOOSE_HOST
    title = "Choose a host"
    sentence = "Let the game's host be {player}"
    button = "Announce"
    outlives_its_maker = True
    once_for = ("player",)

    class Form(ActionForm):
        player = PlayerField(label="Player")

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """The name of the candidate."""
        return {motion.inputs["player"]}

    def judge(self, table: Table, by: Player, player: str | None) -> Verdict:
        if player is None:
            return None
        if player != by.name:
            sentence = f"Announce it for yourself. {player} can announce it for themselves."
            return Refusal("themselves", sentence, self.rule)
        return _hosted(table, player, f"By the players' support {player} is the game's host now.")

    def limit(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | None:
        """Also that they cannot be it. Whose account is gone when it is carried out leaves the game
        without a host: a record that is replayed knows of no accounts, and comes to the same end.
        """
        chosen = inputs.get("player")
        return super().limit(table, player, inputs) or (chosen and _no_host(table, chosen)) or None


@action
class Close(HostOnly, TimeStopper):
    """Close the game for good. Its time stands still and nobody acts in it any more; everything
    can still be read."""

    name = CLOSE
    title = "Close the game"
    sentence = "Close the game, because {reason}"
    confirm = "The game is over after that, for everybody and for good. Close it?"

    class Form(ActionForm):
        reason = Text(longest=300)

    def judge(self, table: Table, player: Player | None, reason: str | None) -> Effects:
        return Effects(
            Then(let_time_stand_still),
            _settings(table.game, {CLOSED: True}),
            say=f"The host closes the game: {reason}",
        )


def _settings(game: Game, new: dict[str, Any]) -> Set:
    return Set(game, settings={**game.settings, **new})


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
    if table.is_locked:
        # Whoever takes over two games at once, or starts one meanwhile, has each of them counted.
        get_user_model().objects.select_for_update(no_key=True).get(pk=seat.user_id)
    if Game.objects.hosted_by(seat.user_id).count() >= settings.HOSTED_GAMES:
        sentence = (
            f"{name} hosts {settings.HOSTED_GAMES} open games, and that is the most. They have to"
            " close one or hand one over first."
        )
        return Refusal("hosts_enough", sentence)
    return None


def _hosted(table: Table, name: str | None, say: str) -> Effects:
    """That player, or nobody, is the game's host, which is said so."""
    reason = f"{name or 'Nobody'} is the game's host now."
    game = table.game
    settings_after = {**game.settings, _OFFERED_TO: ""} if offered_to(game) else game.settings
    return Effects(
        Set(game, host=table.seat(name).user if name else None, settings=settings_after),
        Then(lambda at: end_all(at, reason, CHOOSE_HOST)),
        say=say,
    )
