"""Changes to the rules, carried out: the one code for a closing vote and for rules on paper."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nomic.games.wording import listed
from nomic.rulebook.changes import forms
from nomic.rulebook.changes.forms import Change, RuleRef
from nomic.rulebook.editing import EditableRules
from nomic.rulebook.edits.parts import EditFailed
from nomic.rulebook.edits.rows import add_rows
from nomic.rulebook.edits.texts import add_bullets, append, insert, replace_passage
from nomic.rulebook.errors import NoSuchRule, RuleExists, TooMuch
from nomic.rulebook.finding import look_alike
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.limits import BadRule
from nomic.rulebook.tables import lines_of

LONGEST_TEXT = 200_000  # characters of a rule's text that changes can make
REASONS = (NoSuchRule, RuleExists, BadRule, EditFailed)


type Edited = tuple[str, str]  # a rule's new text, and what to say of it


@dataclass(frozen=True, slots=True)
class Carried:
    """The result of a change: a sentence, the rule's title and version after it, and both whole
    texts."""

    sentence: str
    rule: str
    version: int
    before: str
    after: str


def carry(rules: EditableRules, change: Change) -> Carried:
    """Make one change to the rules; raises one of REASONS where it cannot be made."""
    if edit := _EDITS.get(type(change)):
        rule = _find(rules, change.rule)  # type: ignore[attr-defined]
        rules.gone_through += len(rule.text)
        return _amend(rules, rule, *edit(rule, change))
    return _DEEDS[type(change)](rules, change)


def is_of_rules(change: Change) -> bool:
    """Whether `carry` can make this change."""
    return type(change) in _DEEDS or type(change) in _EDITS


def _enact(rules: EditableRules, change: forms.Enact | forms.AddSubrule) -> Carried:
    parent = _find(rules, change.parent) if isinstance(change, forms.AddSubrule) else None
    title, text = " ".join(change.title.split()), _text(change.text)
    _check_length(text)
    _check_room(rules, text)
    _check_title(rules, title)
    rule = rules.enact(title, text, number=change.number.strip(), parent=parent, power=change.power)
    number = f" {rule.number}" if rule.number else ""
    under = f" as a subrule of “{parent.title}”" if parent else ""
    strong = f" at power {change.power}" if change.power else ""
    sentence = f"The rule{number} “{title}” is enacted{under}{strong}."
    return Carried(sentence, title, rule.version, "", text)


def _replace_text(rule: RuleText, change: forms.ReplaceText) -> Edited:
    return _text(change.text), "gets a new text"


def _replace_passage(rule: RuleText, change: forms.ReplacePassage) -> Edited:
    text = replace_passage(rule.text, change.old, change.new, _where(rule), change.part)
    which = "each instance of a passage" if change.part.which == "each" else "one passage"
    return text, f"has {which} replaced"


def _insert(rule: RuleText, change: forms.Insert) -> Edited:
    side, anchor, part = change.where, change.anchor, change.part
    text = insert(rule.text, side, anchor, change.text, _where(rule), change.unit, part)
    return text, "has a passage inserted"


def _append(rule: RuleText, change: forms.Append) -> Edited:
    unit, anchor, part = change.unit, change.anchor, change.part
    if anchor or part.unit:
        text = append(rule.text, change.text, _where(rule), unit, anchor, part)
        return text, "has more text in one passage"
    return append(rule.text, _text(change.text), _where(rule), unit), "has more text at its end"


def _add_bullets(rule: RuleText, change: forms.AddBullets) -> Edited:
    return add_bullets(rule.text, change.text, _where(rule)), "has a longer bullet list"


def _add_rows(rule: RuleText, change: forms.AddRows) -> Edited:
    text = add_rows(rule.text, change.table, change.rows, _where(rule), rule.title)
    return text, "has a longer table"


def _amend(rules: EditableRules, rule: RuleText, text: str, told: str) -> Carried:
    if text == rule.text:
        sentence = f"The rule “{rule.title}” reads so already."
        return Carried(sentence, rule.title, rule.version, text, text)
    _check_length(text)
    _check_room(rules, text, rule)
    version = rules.amend(rule.pk, text).version
    return Carried(f"The rule “{rule.title}” {told}.", rule.title, version, rule.text, text)


def _repeal(rules: EditableRules, change: forms.Repeal) -> Carried:
    rule, *under = rules.repeal(_find(rules, change.rule).pk)
    shown = [f"“{each.title}”" for each in under if each.is_public]
    with_it = f", and with it {listed(shown)}" if shown else ""
    sentence = f"The rule “{rule.title}” is repealed{with_it}."
    return Carried(sentence, rule.title, rule.version, rule.text, "")


def _retitle(rules: EditableRules, change: forms.Retitle) -> Carried:
    rule, title = _find(rules, change.rule), " ".join(change.title.split())
    if title == rule.title:
        sentence = f"The rule “{title}” has this title already."
        return Carried(sentence, title, rule.version, rule.text, rule.text)
    _check_title(rules, title, rule)
    version = rules.retitle(rule.pk, title).version
    sentence = f"The rule “{rule.title}” is retitled “{title}”."
    return Carried(sentence, title, version, rule.text, rule.text)


def _renumber(rules: EditableRules, change: forms.Renumber) -> Carried:
    rule = _find(rules, change.rule)
    number = rules.renumber(rule.pk, change.number.strip()).number
    sentence = f"The rule “{rule.title}” gets the number {number}."
    if not number:
        sentence = f"The rule “{rule.title}” has no number any more."
    return Carried(sentence, rule.title, rule.version, rule.text, rule.text)


def _set_power(rules: EditableRules, change: forms.SetPower) -> Carried:
    rule = _find(rules, change.rule)
    power = rules.set_power(rule.pk, change.power).power
    sentence = f"The rule “{rule.title}” gets the power {power}."
    return Carried(sentence, rule.title, rule.version, rule.text, rule.text)


def _find(rules: EditableRules, ref: RuleRef) -> RuleText:
    return rules.find_rule(title=" ".join(ref.title.split()), number=ref.number.strip())


def _check_title(rules: EditableRules, title: str, of: RuleText | None = None) -> None:
    like = None if rules.shares_titles else look_alike(rules.public, title, of)
    if like is not None and name_key(like.title) != name_key(title):
        raise RuleExists(f"This title looks like that of the rule “{like.title}”: choose another.")


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise BadRule(
            f"A rule's text has at most {LONGEST_TEXT:,} characters, and this one would have"
            f" {len(text):,}: put a part of it into another rule."
        )


def _check_room(rules: EditableRules, text: str, of: RuleText | None = None) -> None:
    if why := rules.too_much(text, of):
        raise TooMuch(why)


def _where(rule: RuleText) -> str:
    return f"in the rule “{rule.title}”"


def _text(written: str) -> str:
    """A rule's text as the rulebook keeps it: plain line ends, no blank lines around."""
    lines = lines_of(written)
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines).rstrip() + "\n"


_DEEDS: dict[type[Change], Callable[[EditableRules, Any], Carried]] = {
    forms.Enact: _enact,
    forms.AddSubrule: _enact,
    forms.Repeal: _repeal,
    forms.Retitle: _retitle,
    forms.Renumber: _renumber,
    forms.SetPower: _set_power,
}
_EDITS: dict[type[Change], Callable[[RuleText, Any], Edited]] = {
    forms.ReplaceText: _replace_text,
    forms.ReplacePassage: _replace_passage,
    forms.Insert: _insert,
    forms.Append: _append,
    forms.AddBullets: _add_bullets,
    forms.AddRows: _add_rows,
}
