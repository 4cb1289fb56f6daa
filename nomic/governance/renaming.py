"""Another name for a player: all that goes on knows them by it, and the record keeps its words."""

from nomic.engine.actions import CLOSED, STANDSTILL, Action, action, find_action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Text
from nomic.engine.outcomes import UnknownAction
from nomic.engine.table import Table
from nomic.games.models import FormerName, Player
from nomic.games.names import LONGEST_NAME, with_name
from nomic.games.refusal import Refusal
from nomic.governance.acts_by_rows import by_oneself
from nomic.governance.hosting.acts import offer_renamed
from nomic.governance.models import ElectionBallot, Motion
from nomic.governance.on_behalf import mandates_renamed
from nomic.governance.seats import name_refusal

RENAME = by_oneself("games.rename")
MOST = 5  # names that a seat has had before the one by which its player goes


@action
class Rename(Action):
    """Go by another name in this game, everywhere on its pages. The record keeps what it says of
    you, under the name that you had; nobody else can take that one here."""

    name = RENAME
    title = "Change your name"
    sentence = "Go by {name}"
    button = "Change"
    possible_while = (*STANDSTILL, CLOSED)
    for_who_left = True

    class Form(ActionForm):
        name = Text(longest=LONGEST_NAME, label="New name in this game")

    def judge(self, table: Table, player: Player, name: str | None) -> Verdict:
        if name is None:
            return None
        if name == player.name:
            return Refusal("so_already", f"You go by the name {name} here.")
        former = [row.name for row in player.former_names.all()]
        if len(former) >= MOST and name not in former:
            sentence = (
                f"You have had {MOST} other names in this game, and that is the most. You can take"
                f" one of them again: {', '.join(former)}."
            )
            return Refusal("names_enough", sentence)
        return name_refusal(table, name, player) or Effects(
            # To another row than the actor's, whose name is that by which the entry is written.
            Then(lambda at: _take_name(at, at.seat(player.name), name)),
            say=f"{player} goes by the name {name} from now on.",
            figures={"before": player.name},
        )


def _take_name(table: Table, player: Player, name: str) -> None:
    """Let the player go by that name, and what goes on in the game know them by it."""
    former = player.name
    player.former_names.filter(name=name).delete()
    FormerName.objects.create(game=table.game, player=player, name=former, entry=table.seq)
    player.name = player.holder.name = name
    player.save(update_fields=["name"])
    player.holder.save(update_fields=["name"])
    offer_renamed(table, former, name)
    mandates_renamed(table, former, name)
    for motion in table.game.motions.filter(end=""):
        _rename_in(table, motion, former, name)
    ballots = ElectionBallot.objects.filter(game=table.game, election__ended_in=None)
    for ballot in ballots.filter(choices__contains=former):
        ballot.choices = with_name(ballot.choices, former, name)
        ballot.save(update_fields=["choices"])
    table.renamed(player, former)


def _rename_in(table: Table, motion: Motion, former: str, name: str) -> None:
    """Let what was announced name the player anew, in the blanks that hold names."""
    try:
        fields = find_action(motion.action, table).Form.base_fields
    except UnknownAction:  # of a program that is gone; what it announced comes to nothing
        return
    blanks = {blank for blank, field in fields.items() if getattr(field, "names_players", False)}
    for inputs in (motion.inputs, motion.sealed):
        for blank in blanks & inputs.keys():
            inputs[blank] = with_name(inputs[blank], former, name)
    motion.save(update_fields=["inputs", "sealed"])
