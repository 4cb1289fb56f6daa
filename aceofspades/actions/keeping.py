"""What the Contestmaster keeps by hand: putting up for vote, and announcing (108, 112)."""

from aceofspades.actions.members import ContestmasterAction
from aceofspades.events.decisions import ANNOUNCE, PUT_UP, do_what_nobody_keeps
from aceofspades.state.reading import BY_HAND, CONTESTMASTER, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm, TextChoice
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.desks import OFFICER, KeeperField, keeping_refusal

R108 = "Regulation 108"
_DUTIES = {"putting up for vote": PUT_UP, "announcing": ANNOUNCE}


@action
class KeepByHand(ContestmasterAction):
    """Say which duties the Contestmaster keeps by hand, and which the system does at once."""

    name = "aceofspades.keep_by_hand"
    title = "Keep a duty of the contest by hand, or leave it to the system"
    sentence = "From now on {keeper} keeps the {duty}"
    button = "Decide"
    rule = R108

    class Form(ActionForm):
        keeper = KeeperField()
        duty = TextChoice(*_DUTIES, label="Duty")

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if "duty" not in data:
            return None
        by_hand = state_of(table).by_hand(_DUTIES[data["duty"]])
        return keeping_refusal(table, CONTESTMASTER, data.get("keeper"), R108, by_hand=by_hand)

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        duty = _DUTIES[data["duty"]]
        kept = set(table.game.setting(BY_HAND, [])) - {duty}
        kept |= {duty} if data["keeper"] == OFFICER else set()
        table.game.settings = {**table.game.settings, BY_HAND: sorted(kept)}
        table.game.save(update_fields=["settings"])
        do_what_nobody_keeps(table)
        who = player.name if player else "The operator, for the Contestmaster,"
        return f"{who} decides that {data['keeper']} keeps the {data['duty']}."
