"""The Bribe that a Settler tells the Onlooker in private, to be paid to the Thug (Thug)."""

from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal, first_refusal
from settlers.actions.fields import ItemsField
from settlers.actions.settlers import SettlerAction
from settlers.rules.isle import Items, describe_items
from settlers.rules.titles import THUG
from settlers.secrecy import keep_bribe
from settlers.state.reading import State, state_of


@action
class TellBribe(SettlerAction):
    """Paid when the next Visitor arrives; your last bribe counts. Only you and the Onlooker see it.

    It may be more than you have: then what you have is paid, and the bribe is worth nothing.
    """

    name = "settlers.bribe"
    title = "Bribe the Thug"
    sentence = "Tell the Onlooker to pay the Thug {items}"
    also_said = ("(Bribe|Pay) Thug [with] {items}", "Pay {items} to Thug")
    button = "Tell"
    rule = THUG
    private = True

    class Form(ActionForm):
        items = ItemsField(label="Your bribe", own=True)

    def applies(self, table: Table) -> bool:
        return super().applies(table) and state_of(table).visitor_rule(THUG) is not None

    def book(self, table: Table, data: Inputs) -> str:
        visit = state_of(table).visit
        return visit.book if visit else ""

    def judge(self, state: State, player: Player, items: Items | None) -> Verdict:
        has_watched, bribe = player.name in state.isle.watchers, items or {}
        return bribe_refusal(state.is_visited_by(THUG), has_watched) or Effects(
            Then(lambda table: keep_bribe(table, player, bribe)),
            say=f"{player} tells the Onlooker a bribe for the Thug: {describe_items(bribe)}.",
        )


def bribe_refusal(is_here: bool, has_watched: bool) -> Refusal | None:
    """A Bribe may be told while the Visitor is the Thug, by who could not read the others' as the
    Onlooker; it may be more than one has."""
    away = "The Thug is not here. You can offer a bribe while it is the Visitor."
    read = "You were the Onlooker during this visit and could read the other bribes"
    watched = f"{read}: you may tell one in the Thug's next visit."
    return first_refusal(
        THUG, (not is_here, "no_thug", away), (has_watched, "has_watched", watched)
    )
