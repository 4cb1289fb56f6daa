"""Whether the Horsened sees to it alone that no week ends without a motivation, or the system."""

from horses.actions.turns import RaceAction
from horses.events.starting import BY_HAND, DEPUTISE, is_deputised, keep_the_last_hour
from horses.rules.titles import MOTIVATING
from horses.state import HORSENED, State
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.desks import OFFICER, KeeperField, keeping_refusal


@action
class KeepByHand(RaceAction):
    """Say who motivates the horses in a week's last hour if nobody has: the system, or only the
    Horsened, without whom they do not run then."""

    name = "horses.keep_by_hand"
    title = "Keep the motivating by hand, or leave it to the system"
    sentence = "From now on {keeper} motivates the horses if nobody has"
    button = "Decide"
    office = HORSENED
    rule = MOTIVATING

    class Form(ActionForm):
        keeper = KeeperField()

    def why_not(self, state: State, player: Player | None, data: Inputs) -> Refusal | None:
        by_hand = not is_deputised(state.table)
        return keeping_refusal(state.table, HORSENED, data, MOTIVATING, by_hand=by_hand)

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        by_hand = data["keeper"] == OFFICER
        settings = {**table.game.settings, BY_HAND: by_hand}
        table.game.settings = settings if by_hand else {**settings, DEPUTISE: True}
        table.game.save(update_fields=["settings"])
        keep_the_last_hour(table)
        who = player.name if player else "The operator, for the Horsened,"
        return f"{who} decides that {data['keeper']} motivates the horses if nobody has."
