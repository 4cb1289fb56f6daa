"""Switching the program of a rule off and on: what it costs the game may be more than it has."""

from typing import Any, ClassVar

from nomic.engine.actions import ANY_OFFICE, STANDSTILL, Action, UrgentAction, action
from nomic.engine.effects import Change, Effects, Then, Verdict
from nomic.engine.fairness.worker_share import go_on_without, is_out_of_breath
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.programs.in_force import programs_of
from nomic.engine.subgames import rulebook_keeper
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.rulebook.book import Rulebook

SWITCH_OFF, SWITCH_ON = "games.switch_off_program", "games.switch_on_program"


class _RuleWithProgram(TextChoice):
    noun = "rule with a program"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [program.rule.title for program in programs_of(table.rules.public)]


class _RuleSwitchedOff(TextChoice):
    noun = "rule whose program is switched off"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [rule.title for rule in table.rules.public if rule.switched_off]


class _Switch(Action):
    """An act of the office that keeps the rulebook, or of the site's operator."""

    office = ANY_OFFICE
    possible_while = STANDSTILL

    on: ClassVar[bool]

    def judge(self, table: Table, player: Player | None, rule: Any, reason: Any) -> Verdict:
        keeper = rulebook_keeper(table.game)
        if player and keeper not in table.directory.held_by(player):
            sentence = f"The program of a rule is switched by the {keeper}, who keeps the rulebook."
            return Refusal("not_your_domain", sentence)
        if rule is None:
            return None
        actor, to = player or "Who runs the game", "on" if self.on else "off"
        return Effects(
            Change(Rulebook.switch_program, table.rules.find_rule(rule).pk, on=self.on),
            *([] if self.on else [Then(lambda at: go_on_without(at.game))]),
            say=f"{actor} switches the program of “{rule}” {to}: {reason}",
        )


@action
class SwitchOffProgram(_Switch, UrgentAction):
    """Let nothing of a rule's program run until the rule is amended, or it is switched on again.
    The rule's text stays in force. What the program would let happen by itself is cancelled."""

    name = SWITCH_OFF
    title = "Switch the program of a rule off"
    sentence = "Switch the program of {rule} off, because {reason}"
    on = False

    class Form(ActionForm):
        rule = _RuleWithProgram()
        reason = Text(longest=300)

    def is_hosts(self, game: Game) -> bool:
        """While the game is set aside since it cannot keep up."""
        return is_out_of_breath(game)


@action
class SwitchOnProgram(_Switch):
    """Let a rule's program run again that was switched off."""

    name = SWITCH_ON
    title = "Switch the program of a rule on"
    sentence = "Switch the program of {rule} on, because {reason}"
    on = True

    class Form(ActionForm):
        rule = _RuleSwitchedOff()
        reason = Text(longest=300)
