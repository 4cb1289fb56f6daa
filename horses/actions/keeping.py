"""Whether the Horsened sees to it alone that no week ends without a motivation, or the system."""

from horses.actions.turns import RaceAction
from horses.events.starting import BY_HAND, DEPUTISE, is_deputised, keep_the_last_hour
from horses.rules.titles import MOTIVATING
from horses.state import HORSENED, State
from nomic.engine.actions import action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm
from nomic.games.models import Player
from nomic.standard.desks import OFFICER, KeeperField, keeping_refusal


@action
class KeepByHand(RaceAction):
    """Say who motivates the horses in a week's last hour if nobody has: the system, or the
    Horsened alone. If the Horsened does not, the horses do not run."""

    name = "horses.keep_by_hand"
    title = "Keep the motivating by hand, or leave it to the system"
    sentence = "From now on {keeper} motivates the horses if nobody has"
    button = "Decide"
    office = HORSENED
    rule = MOTIVATING

    class Form(ActionForm):
        keeper = KeeperField()

    def judge(self, race: State, player: Player | None, keeper: str | None) -> Verdict:
        game, by_hand = race.table.game, keeper == OFFICER
        settings = {**game.settings, BY_HAND: by_hand, **({} if by_hand else {DEPUTISE: True})}
        who = player.name if player else "The operator, for the Horsened,"
        is_now = not is_deputised(race.table)
        return keeping_refusal(race.table, HORSENED, keeper, MOTIVATING, by_hand=is_now) or Effects(
            Set(game, settings=settings),
            Then(keep_the_last_hour),
            say=f"{who} decides that {keeper} motivates the horses if nobody has.",
        )
