"""Coming to a game and leaving it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Value

from nomic.engine.absence import come_back
from nomic.engine.actions import STANDSTILL, Action, NewcomerAction, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Text
from nomic.engine.outcomes import Outcome
from nomic.engine.rule_switches import forget_settings, rule_switches
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.admission import HOW_TO_COME, REMOVED, may_join
from nomic.games.models import FormerName, Player
from nomic.games.names import (
    LONGEST_NAME,
    Likeness,
    mixes_scripts,
    names_read_as,
    names_several,
    reads_as_any,
    reads_as_one_of,
    validate_player_name,
)
from nomic.games.powers import ACCEPTED, voters_of
from nomic.games.refusal import Refusal
from nomic.governance.elections import forget_candidacies
from nomic.governance.motions import JOIN, settle_all
from nomic.governance.offices import lay_down_all
from nomic.governance.on_behalf import forget_mandates
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.ledger.models import Holder, HolderKind


def name_refusal(table: Table, name: str, player: Player | None = None) -> Refusal | None:
    """Why somebody new cannot join under that name, or that player cannot take it; None if they
    can. Who has a name keeps it: a replay only tells where it would be refused today."""
    try:
        validate_player_name(name)
    except ValidationError as error:
        return Refusal("bad_name", " ".join(error.messages))
    refusal = _misread(table, name, player)
    if table.original is None or refusal is None:
        return refusal
    table.original.tell(f"nobody would come by that name today: {refusal.sentence}")
    others = table.game.players.exclude(pk=player.pk if player else 0)
    alike = others.alias(like=Likeness("name")).filter(like=Likeness(Value(name)))
    return refusal if alike.exists() else None


_READ_AS = CompiledValues(
    lambda name, likenesses: Player.objects.filter(
        reads_as_any("name", name, likenesses)
    ).values_list("name", "pk")
)
_READ_BEFORE = CompiledValues(
    lambda name, likenesses: FormerName.objects.filter(
        reads_as_any("name", name, likenesses)
    ).values_list("name", "player__name", "player")
)


def _misread(table: Table, name: str, player: Player | None) -> Refusal | None:
    """Why the name would be taken for somebody else's or something's; None if it would not."""
    parameters = {"name": name, "likenesses": names_read_as(name), "game": table.game.pk}
    own_key = player.pk if player else None
    for other, seat in _READ_AS.all(**parameters):
        if seat != own_key:
            sentence = f"There is a player “{other}” already. Choose another name."
            return Refusal("name_taken", sentence)
    for other, now, seat in _READ_BEFORE.all(**parameters):
        if seat != own_key:
            sentence = f"{now} was called “{other}” here before. Choose another name."
            return Refusal("name_taken", sentence)
    if mixes_scripts(name):
        return Refusal("bad_name", f"“{name}” mixes letters of several scripts. Keep to one.")
    if names_several(name):
        return Refusal("bad_name", f"“{name}” reads as several names. Choose another one.")
    if lookalike := reads_as_one_of(name, names_of_things(table)):
        sentence = f"“{name}” reads as “{lookalike}”, which is no player here. Choose another name."
        return Refusal("bad_name", sentence)
    return None


def names_of_things(table: Table) -> list[str]:
    """The names of the game's offices and switches, of what can be owned there, and of the game
    itself as an owner."""
    owned = (
        named for asset in table.ledger.public_assets() for named in (asset.name, asset.plural)
    )
    switches = (switch.name for switch in rule_switches(table).by_key.values())
    return [*table.directory.offices, *switches, *owned, table.ledger.agora.name]


def sit_down(table: Table, player: Player | None, name: str, **new: Any) -> Player:
    """Let that player come back, or make a new seat of that name; the subgames are told of it."""
    game = table.game
    if player is None:
        asked = voters_of(game) in ACCEPTED
        accepted = asked and (bool(new.get("bot")) or not game.players.exists())
        player = Player.objects.create(
            game=game, name=name, joined_at=table.now, accepted=accepted, **new
        )
        player.holder = Holder.objects.create(
            game=game, kind=HolderKind.PLAYER, name=name, player=player
        )
    else:
        player.active, player.left_at = True, None
        player.save(update_fields=["active", "left_at"])
    table.drop_directory()
    for subgame in in_play(game):
        subgame.joined(table, player)
    return player


def stand_up(table: Table, player: Player, *, removed: bool = False) -> None:
    """Let the player leave: their offices fall vacant, and the subgames are told of it. Who is
    `removed` does not come back by themselves."""
    if player.is_away:
        come_back(table, player)
    player.active, player.left_at, player.removed = False, table.now, removed
    player.save(update_fields=["active", "left_at", "removed"])
    table.drop_directory()
    lay_down_all(table, player)
    forget_settings(table, player)
    forget_mandates(table, player)
    forget_candidacies(table, player)
    for subgame in in_play(table.game):
        subgame.left(table, player)
    settle_all(table)


@action
class Join(NewcomerAction):
    """Take a seat in the game under a name of your own. If you have left, you come back by your old
    name."""

    name = JOIN
    title = "Join the game"
    sentence = "Join as {name}"

    class Form(ActionForm):
        name = Text(longest=LONGEST_NAME, label="Name in this game")

    def judge(self, table: Table, player: Player | None, name: str | None) -> Verdict:
        visitor: Any = table.visitor
        if player is not None and player.removed:
            return Refusal("removed", REMOVED)
        if player is None and visitor and not (table.is_replayed or may_join(table.game, visitor)):
            return Refusal("not_let_in", HOW_TO_COME[table.game.joined_by])
        if name is None:
            return None
        if player is not None and player.name != name:
            old = f"You played here as {player.name}. Come back by that name."
            return Refusal("old_name", old)

        def join(at: Table) -> Outcome:
            seated = sit_down(at, player, name, user=visitor)
            return Outcome(f"{seated} joins the game.", actor=seated)

        return (None if player else name_refusal(table, name)) or Effects(Then(join))


@action
class Leave(Action):
    """Give up your seat. What you did stays, and you may come back."""

    name = "games.leave"
    title = "Leave the game"
    leaves_away = True
    sentence = "Leave the game"
    also_said = ("Deregister", "(Stop|Cease) playing")
    confirm = "You give up your offices and what the rules take from those who leave. Leave?"
    possible_while = STANDSTILL

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(Then(lambda at: stand_up(at, player)), say=f"{player} leaves the game.")
