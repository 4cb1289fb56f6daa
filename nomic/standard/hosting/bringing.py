"""Taking back the rules with which a game that lived elsewhere has moved in."""

from nomic.engine.actions import HostAction, Inputs, action
from nomic.engine.forms import ActionForm
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.text_cache import BEGINS

TAKE_RULES_BACK = "games.take_rules_back"


@action
class TakeRulesBack(HostAction):
    """Let none of the rules be in force with which the game moved in, as long as no vote has been
    closed here. Those that the program plays by stay."""

    name = TAKE_RULES_BACK
    title = "Take back the rules that were brought"
    sentence = "Take back the rules that were brought"
    button = "Take them back"
    confirm = "None of the rules that were brought is in force after that. Take them back?"

    class Form(ActionForm):
        pass

    def applies(self, table: Table) -> bool:
        return table.rules.shares_titles and any(_brought(table))

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if any(each.has_decided(table) for each in in_play(table.game)):
            sentence = "A vote has been closed here: the rules are the players’ own now."
            return Refusal("decided", sentence)
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        gone = 0
        while found := next(iter(_brought(table)), None):
            gone += len(table.rules.repeal(found.pk))
        rules = "1 rule that was" if gone == 1 else f"{gone:,} rules that were"
        return f"The host takes back the {rules} brought."


def _brought(table: Table) -> list[RuleText]:
    """The rules in force that came in right after the game had begun."""
    return [rule for rule in table.rules.public if rule.by_people and rule.enacted_in == BEGINS + 1]
