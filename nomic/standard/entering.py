"""Entering into the rulebook what people carry out by hand, in a game whose rules people keep: by
its keeper, on the record, with its cause."""

from typing import Any

from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Change, Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Text
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import listed
from nomic.rulebook.book import Rulebook
from nomic.rulebook.errors import RuleExists
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.limits import (
    LONGEST_NUMBER,
    LONGEST_TEXT,
    LONGEST_TITLE,
    BadRule,
    check_text,
    checked_number,
    checked_power,
    checked_title,
)
from nomic.standard.corrections import KeptCorrection, RuleField
from nomic.standard.motions import doer
from nomic.standard.powers import OFFICES_AND_CORRECTIONS

ENTER, ENTER_REPEAL = "rulebook.enter", "rulebook.enter_repeal"
_LONGEST_REASON = 300


class _Enters(KeptCorrection):
    def applies(self, table: Table) -> bool:
        return table.rules.shares_titles

    def named(self, table: Table, data: Inputs) -> RuleText | None:
        """The rule that the inputs name, if they do."""
        return table.rules.find_rule(data["rule"]) if data.get("rule") else None

    def verdict(self, table: Table, player: Player | None, data: Inputs) -> Refusal | Effects:
        refusal = self.not_theirs(table, player, data, "What people have made of the rules")
        rule = None if refusal else self.named(table, data)
        if rule is not None and not rule.by_people:
            sentence = f"“{rule.title}” is played by the program: propose to change it."
            return Refusal("not_peoples", sentence, rule.title)
        return refusal or super().verdict(table, player, data)


@action
class Enter(_Enters):
    """Enter how a rule reads by what people have carried out: its text, title, number or power, as
    far as given. Without a rule, it is a new one."""

    name = ENTER
    title = "Enter a change that was carried out by hand"
    sentence = (
        "Enter of {rule} the number {number}, title {title}, power {power} and text {text}, because"
        " {reason}"
    )
    button = "Enter it"

    class Form(ActionForm):
        rule = RuleField(required=False, label="Rule, or none for a new one")
        number = Text(longest=LONGEST_NUMBER, required=False)
        title = Text(longest=LONGEST_TITLE, required=False)
        power = Text(longest=LONGEST_NUMBER, required=False)
        text = Text(lines=True, longest=LONGEST_TEXT, required=False)
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        if not self.Form.base_fields.keys() <= data.keys():
            return None
        rule = self.named(table, data)
        try:
            if data["title"]:
                checked_title(data["title"])
            checked_power(data["power"])
            if number := checked_number(data["number"]):
                table.rules.check_free(number, rule)
            if data["text"]:
                check_text(text := _whole(data["text"]))
                if why := table.rules.too_much(text, rule):
                    raise BadRule(why)
        except (BadRule, RuleExists) as wrong:
            return Refusal("bad_rule", str(wrong), OFFICES_AND_CORRECTIONS)
        if rule is None and not (data["title"] and data["text"]):
            sentence = "A new rule has a title and a text: give both, or name the rule."
            return Refusal("no_text", sentence, OFFICES_AND_CORRECTIONS)
        if rule is not None and not _changed(rule, data):
            sentence = f"“{rule.title}” has all of that already."
            return Refusal("so_already", sentence, OFFICES_AND_CORRECTIONS)
        return Effects(Then(lambda at: self._enter(at.rules, rule, f"{doer(player)} enters", data)))

    def _enter(self, rules: Rulebook, rule: RuleText | None, said: str, data: Inputs) -> Outcome:
        if rule is None:
            facts = {name: data[name] for name in ("number", "power")}
            rule = rules.enact(data["title"], _whole(data["text"]), **facts)
            number = f" {rule.number}" if rule.number else ""
            said += f" a new rule{number} “{rule.title}”"
        else:
            changed = _changed(rule, data)
            if {"text", "title"} & changed.keys():
                text, title = changed.get("text", rule.text), changed.get("title", "")
                rules.amend(rule.pk, text, new_title=title)
            if "number" in changed:
                rules.renumber(rule.pk, changed["number"])
            if "power" in changed:
                rules.set_power(rule.pk, changed["power"])
            said += f" the {listed(list(changed))} of “{rule.title}”"
        if "python" in data["text"]:  # nobody has voted for what looks like a program in it
            rules.switch_program(rule.pk, on=False)
        now = rules.by_pk(rule.pk)
        figures = {"rule": now.title, "number": now.number, "version": now.version}
        return Outcome(f"{said}: {data['reason']}", figures)


@action
class EnterRepeal(_Enters):
    """Enter that a rule is in force no longer, by what people have carried out."""

    name = ENTER_REPEAL
    title = "Enter that a rule is in force no longer"
    sentence = "Enter that {rule} is in force no longer, because {reason}"
    button = "Enter it"

    class Form(ActionForm):
        rule = RuleField()
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        rule, reason = self.named(table, data), data.get("reason")
        if rule is None:
            return None
        return Effects(
            Change(Rulebook.repeal, rule.pk),
            say=f"{doer(player)} enters that “{rule.title}” is in force no longer: {reason}",
            figures={"rule": rule.title, "number": rule.number},
        )


def _whole(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n") + "\n"


def _changed(rule: RuleText, data: Inputs) -> dict[str, Any]:
    """The new values of the rule that differ from its own, by their names in the form."""
    found: dict[str, Any] = {}
    if data["number"] and data["number"] != rule.number:
        found["number"] = data["number"]
    if data["title"] and data["title"] != rule.title:
        found["title"] = data["title"]
    if data["power"] and checked_power(data["power"]) != rule.power:
        found["power"] = data["power"]
    if data["text"] and _whole(data["text"]) != _whole(rule.text):
        found["text"] = _whole(data["text"])
    return found
