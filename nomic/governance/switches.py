"""Setting the switches that a game's rules declare, and the report of how they stand."""

from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Turn, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.rule_switches import RuleSwitch, rule_switches
from nomic.engine.subgames import all_switches, rulebook_keeper, switch_key
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import KeptCorrection, is_so
from nomic.governance.models import Motion
from nomic.governance.motions import doer
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.rulebook.declared import GAME, LONGEST
from nomic.rulebook.tables import TableBroken

SET_SWITCH = "games.set_switch"
_MOST_REPORTED = 1_000  # rows of a report, which its entry keeps


def keeper_of_switch(table: Table, switch: RuleSwitch) -> str:
    """The office that sets it: that of its table, by the name that it has in the game, else the
    rulebook's keeper."""
    wanted = switch.declared.keeper
    key = wanted.casefold()
    named = (office for office in table.directory.offices if office.casefold() == key)
    return next(named, wanted) or rulebook_keeper(table.game)


class RuleSwitchField(TextChoice):
    """A switch that a rule in force declares, by name."""

    noun = "switch"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [switch.name for switch in rule_switches(table).by_key.values()]

    def to_python(self, value: Any) -> str:
        """As its table spells it."""
        typed = str(super().to_python(value))
        key = switch_key(typed)
        return next((name for name in self.words if switch_key(name) == key), typed)


class SubjectField(TextChoice):
    """Whose switch it is: a player or a thing; nobody's for one of the game."""

    noun = "player or thing"
    names_players = True

    def options(self, table: Table, player: Player | None) -> list[str]:
        switches = rule_switches(table).by_key.values()
        subjects = (subject for switch in switches for subject in switch.subjects(table))
        return [subject for subject in dict.fromkeys(subjects) if subject]


@action
class SetDeclaredSwitch(KeptCorrection):
    """Set a switch that a table of the rules declares. The office that keeps it does this, at once
    where the table says so, and else by a correction, which waits for objections."""

    name = SET_SWITCH
    title = "Set a switch"
    sentence = "Let the {switch} of {of} be {value}, because {reason}"
    button = "Set it"

    class Form(ActionForm):
        switch = RuleSwitchField()
        of = SubjectField(required=False, label="Whose, if not the game’s")
        value = Text(longest=LONGEST)
        reason = Text(longest=300)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(rule_switches(table).by_key)

    def is_everybodys(self, table: Table) -> bool:
        offices = table.directory.offices
        switches = rule_switches(table).by_key.values()
        return any(not offices.get(keeper_of_switch(table, switch)) for switch in switches)

    def keeper(self, table: Table, inputs: Inputs) -> str | None:
        switch = _named(table, inputs)
        return keeper_of_switch(table, switch) if switch else None

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        terms, switch = super().terms(table, player, inputs), _named(table, inputs)
        at_once = switch is not None and switch.declared.at_once
        return None if at_once and terms is not BY_SUPPORT else terms

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        switch = _named(table, inputs)
        if switch is None:
            return None
        refusal = self.not_theirs(table, player, inputs, f"the switch {switch.name}")
        if refusal or not {"of", "value"} <= inputs.keys():
            return refusal
        of, value, reason = inputs["of"] or "", inputs["value"], inputs.get("reason")
        if of not in switch.subjects(table):
            return Refusal("no_subject", switch.no_subject(of), switch.rule.title)
        if refusal := switch.refusal(table, of, value):
            return refusal
        subject, before = f"{of}'s {switch.name}" if of else switch.name, switch.value(table, of)
        if switch.is_at(table, of, value):
            return is_so(self, subject, before)

        def says(now: str) -> str:
            return f"{doer(player)} sets {subject} from {before} to {now}: {reason}"

        return Effects(Turn(switch, of, value, says))

    def intent(self, inputs: Inputs) -> str:
        return super().intent({**inputs, "of": inputs["of"] or "the game"})

    def lapse(self, table: Table, motion: Motion) -> str:
        """Also where it was set otherwise meanwhile."""
        switch = _named(table, motion.inputs)
        settings = table.game.switch_settings.filter(entry__gt=motion.entry)
        if switch and settings.filter(switch=switch.key, of=motion.inputs["of"] or "").exists():
            return f"The {switch.name} has been set since that was announced."
        return super().lapse(table, motion)


def _named(table: Table, inputs: Inputs) -> RuleSwitch | None:
    return rule_switches(table).by_key.get(switch_key(inputs.get("switch") or ""))


def switches_set(table: Table, keepers: Collection[str]) -> list[dict[str, str]]:
    """Where the switches that these offices keep are not at their default, as rows of a report."""
    rows = (
        {"switch": switch.name, "of": of or table.ledger.agora.name, "value": value}
        for switch in rule_switches(table).by_key.values()
        if keeper_of_switch(table, switch) in keepers
        for of, value in switch.held(table).items()
        if value != switch.declared.default
    )
    return list(islice(rows, _MOST_REPORTED))


def switches_held(table: Table) -> Iterable[dict[str, Any]]:
    """Each switch that the rules declare, and how it stands with everybody and everything, as plain
    values: numbers where it has these."""
    for switch in rule_switches(table).by_key.values():
        declared = switch.declared
        read = str if declared.values else int
        least_and_most = {"least": declared.least, "most": declared.most}
        yield {
            "name": switch.name,
            "of": declared.of,
            "values": [*declared.values] if declared.values else least_and_most,
            "default": read(declared.default),
            "keeper": keeper_of_switch(table, switch) or None,
            "at_once": declared.at_once,
            "rule": switch.rule.title,
            "held": {
                subject or table.ledger.agora.name: read(value)
                for subject, value in switch.held(table).items()
            },
        }


def built_in_switches_held(table: Table) -> Iterable[dict[str, Any]]:
    """Each switch that the program keeps in this game, and how it stands, as plain values in words;
    without one whose rule's table cannot be read."""
    for switch in all_switches(table):
        if isinstance(switch, RuleSwitch):
            continue
        with suppress(TableBroken):
            held = {
                subject or table.ledger.agora.name: switch.value(table, subject)
                for subject in switch.subjects(table)
            }
            if held:
                of = switch.of or GAME
                yield {
                    **dict.fromkeys(("values", "default", "keeper", "rule")),
                    "name": switch.name,
                    "of": of,
                    "at_once": False,
                    "held": held,
                }
