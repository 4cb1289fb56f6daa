"""What a passed proposal's list of changes does to the game, one change after the other.

A change that cannot be made changes nothing and says why; the others are made all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from nomic.engine.dry_run import Impossible, Shift, attempt
from nomic.engine.subgames import all_subgames
from nomic.engine.switches import NoSuchSwitch, Switch, find_switch
from nomic.engine.table import Table
from nomic.rulebook.changes import (
    AddBullets,
    AddRows,
    AddSubrule,
    Append,
    ByHand,
    Change,
    ChangeBy,
    Destroy,
    Enact,
    Give,
    HandOver,
    Reading,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
    SetSwitch,
    Take,
    Transfer,
)
from nomic.rulebook.errors import NoSuchRule, RuleExists
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.limits import BadRule
from nomic.rulebook.table_rows import add_rows
from nomic.rulebook.tables import TableBroken
from nomic.rulebook.text_edits import EditFailed, add_bullets, replace_passage
from proposals.events.asset_effects import (
    CannotBe,
    Moved,
    change_by,
    forget,
    give,
    hand_over,
    is_currency,
    set_to,
    take,
    transfer,
)
from proposals.events.look_alikes import look_alike

PROPOSALS = "Proposals"
LONGEST_TEXT = 200_000  # characters of a rule's text that changes can make
_LONGEST_TOLD = 5_000  # characters of what changed in a text that a stored effect keeps
_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_REASONS = (CannotBe, NoSuchRule, NoSuchSwitch, RuleExists, BadRule, EditFailed)


@dataclass(frozen=True, slots=True)
class Effect:
    """What came of one change.

    `sentence` tells it, or why it cannot be done (`refused`: nor by hand). `rule` is the touched
    rule's title after it and `version` its version; `before` and `after` are its whole texts, empty
    where it was not or is not any more, or the values of a switch. `shifts` are moved balances.
    """

    change: Change
    done: bool
    sentence: str
    rule: str = ""
    version: int = 0
    before: str = ""
    after: str = ""
    shifts: tuple[Shift, ...] = ()
    refused: bool = False

    def facts(self) -> dict[str, Any]:
        """The effect as JSON can hold it; of the texts only the lines that changed, cut short."""
        before, after = _changed_lines(self.before, self.after)
        return {
            "verb": self.change.verb,
            "target": self.change.target,
            "sentence": self.sentence,
            "done": self.done,
            "rule": self.rule,
            "version": self.version,
            "before": before,
            "after": after,
            "shifts": [asdict(shift) for shift in self.shifts],
        }


def apply(
    table: Table, reading: Reading, *, enough: Callable[[int], bool] | None = None
) -> list[Effect]:
    """Make the changes at a locked table, in their order; an Effect for each.

    What players can write raises nothing. Where balances or switches follow new rules, the
    subgames are told of the rules first. `enough` ends a dry run: it gets how many were made.
    """
    rule_before = table.ledger.rule
    forget(table)
    effects: list[Effect] = []
    for place, change in enumerate(reading.changes):
        if enough and enough(place):
            break
        effects.append(_effect(table, change))
    if any(effect.shifts for effect in effects):
        for subgame in all_subgames():
            if subgame.is_on(table.game):
                subgame.corrected(table)
    table.ledger.rule = rule_before
    return effects


def _effect(table: Table, change: Change) -> Effect:
    try:
        return _DEEDS[type(change)](table, change)
    except _REASONS as reason:
        return Effect(change, False, str(reason))


# Rules


def _enact(table: Table, change: Enact | AddSubrule) -> Effect:
    parent = _find(table, change.parent) if isinstance(change, AddSubrule) else None
    title, text = " ".join(change.title.split()), _text(change.text)
    _check_length(text)
    _check_title(table, title)
    rule = table.rules.enact(title, text, number=change.number.strip(), parent=parent)
    number = f" {rule.number}" if rule.number else ""
    under = f" as a subrule of “{parent.title}”" if parent else ""
    sentence = f"The rule{number} “{title}” is enacted{under}."
    return Effect(change, True, sentence, title, rule.version, "", text)


def _replace_text(table: Table, change: ReplaceText) -> Effect:
    rule = _find(table, change.rule)
    return _amend(table, change, rule, _text(change.text), "gets a new text")


def _replace_passage(table: Table, change: ReplacePassage) -> Effect:
    rule = _find(table, change.rule)
    text = replace_passage(rule.text, change.old, change.new, _where(rule))
    return _amend(table, change, rule, text, "has one passage replaced")


def _append(table: Table, change: Append) -> Effect:
    rule = _find(table, change.rule)
    added = _text(change.text)
    if not added.strip():
        raise CannotBe("There is nothing to be added: write the text behind it, in braces.")
    text = f"{rule.text.rstrip()}\n\n{added}" if rule.text.strip() else added
    return _amend(table, change, rule, text, "has more text at its end")


def _add_bullets(table: Table, change: AddBullets) -> Effect:
    rule = _find(table, change.rule)
    text = add_bullets(rule.text, change.text, _where(rule))
    return _amend(table, change, rule, text, "has a longer bullet list")


def _add_rows(table: Table, change: AddRows) -> Effect:
    rule = _find(table, change.rule)
    text = add_rows(rule.text, change.table, change.rows, _where(rule), rule.title)
    return _amend(table, change, rule, text, "has a longer table")


def _amend(table: Table, change: Change, rule: RuleText, text: str, told: str) -> Effect:
    if text == rule.text:
        sentence = f"The rule “{rule.title}” reads so already."
        return Effect(change, True, sentence, rule.title, rule.version, text, text)
    _check_length(text)
    version = table.rules.amend(rule.title, text).version
    sentence = f"The rule “{rule.title}” {told}."
    return Effect(change, True, sentence, rule.title, version, rule.text, text)


def _repeal(table: Table, change: Repeal) -> Effect:
    rule, *under = table.rules.repeal(_find(table, change.rule).title)
    shown = [each.title for each in under if each.is_public]
    with_it = f", and with it {_listed(shown)}" if shown else ""
    sentence = f"The rule “{rule.title}” is repealed{with_it}."
    return Effect(change, True, sentence, rule.title, rule.version, rule.text, "")


def _retitle(table: Table, change: Retitle) -> Effect:
    rule, title = _find(table, change.rule), " ".join(change.title.split())
    if title == rule.title:
        sentence = f"The rule “{title}” has this title already."
        return Effect(change, True, sentence, title, rule.version, rule.text, rule.text)
    _check_title(table, title, rule)
    version = table.rules.retitle(rule.title, title).version
    sentence = f"The rule “{rule.title}” is retitled “{title}”."
    return Effect(change, True, sentence, title, version, rule.text, rule.text)


def _renumber(table: Table, change: Renumber) -> Effect:
    rule = _find(table, change.rule)
    number = table.rules.renumber(rule.title, change.number.strip()).number
    sentence = f"The rule “{rule.title}” gets the number {number}."
    if not number:
        sentence = f"The rule “{rule.title}” has no number any more."
    return Effect(change, True, sentence, rule.title, rule.version, rule.text, rule.text)


def _find(table: Table, ref: RuleRef) -> RuleText:
    return table.rules.find_rule(title=" ".join(ref.title.split()), number=ref.number.strip())


def _check_title(table: Table, title: str, of: RuleText | None = None) -> None:
    like = look_alike(table, title, of)
    if like is not None and name_key(like.title) != name_key(title):
        raise CannotBe(f"This title looks like that of the rule “{like.title}”: choose another.")


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise CannotBe(
            f"A rule's text has at most {LONGEST_TEXT:,} characters, and this one would have"
            f" {len(text):,}: put a part of it into another rule."
        )


def _where(rule: RuleText) -> str:
    return f"in the rule “{rule.title}”"


def _text(written: str) -> str:
    """A rule's text as the rulebook keeps it: plain line ends, no blank lines around."""
    lines = written.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines).rstrip() + "\n"


def _listed(titles: list[str]) -> str:
    quoted = [f"“{title}”" for title in titles]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if quoted[1:] else quoted)


# Balances and switches


def _give(table: Table, change: Give) -> Effect:
    return _moved(
        table, change, lambda: give(table, change.receiver, change.amount, change.currency)
    )


def _take(table: Table, change: Take) -> Effect:
    return _moved(table, change, lambda: take(table, change.giver, change.amount, change.currency))


def _destroy(table: Table, change: Destroy) -> Effect:
    return _moved(table, change, lambda: take(table, change.owner, change.amount, change.currency))


def _transfer(table: Table, change: Transfer) -> Effect:
    def move() -> Moved:
        return transfer(table, change.giver, change.receiver, change.amount, change.currency)

    return _moved(table, change, move)


def _hand_over(table: Table, change: HandOver) -> Effect:
    return _moved(
        table, change, lambda: hand_over(table, change.thing, change.giver, change.receiver)
    )


def _change_by(table: Table, change: ChangeBy) -> Effect:
    table.follow_the_rules()
    try:
        switch = find_switch(change.switch)
    except NoSuchSwitch:
        if not is_currency(table, change.switch):
            raise
        return _moved(table, change, lambda: change_by(table, change.of, change.by, change.switch))
    now = _standing(table, switch, change.of)
    if not _WHOLE.fullmatch(now):
        raise CannotBe(f"{switch.name} is “{now[:60]}”, which is no number: set it to a value.")
    return _turned(table, change, switch, change.of, str(int(now) + change.by))


def _standing(table: Table, switch: Switch, of: str) -> str:
    try:
        return switch.value(table, _subject(table, switch, of))
    except TableBroken as broken:
        raise CannotBe(f"A table of the rules cannot be read: {broken}") from broken


def _moved(table: Table, change: Change, move: Callable[[], Moved]) -> Effect:
    table.follow_the_rules()
    table.ledger.rule = PROPOSALS
    sentence, shifts = move()
    return Effect(change, True, sentence, shifts=shifts)


def _set_switch(table: Table, change: SetSwitch) -> Effect:
    table.follow_the_rules()
    try:
        switch = find_switch(change.switch)
    except NoSuchSwitch:
        if not is_currency(table, change.switch):
            raise
        return _moved(table, change, lambda: set_to(table, change.of, change.value, change.switch))
    return _turned(table, change, switch, change.of, change.value)


def _turned(table: Table, change: Change, switch: Switch, of: str, value: str) -> Effect:
    table.ledger.rule = PROPOSALS
    try:
        subject = _subject(table, switch, of)
        before = switch.value(table, subject)
        refusal = switch.refusal(table, subject, value)
        if refusal is not None:
            raise CannotBe(refusal.sentence)
        forget(table)
        with attempt():
            switch.set(table, subject, value)
        after = switch.value(table, subject)
    except TableBroken as broken:
        raise CannotBe(f"A table of the rules cannot be read: {broken}") from broken
    except Impossible as impossible:
        raise CannotBe(f"{switch.name} cannot be “{value[:60]}”.") from impossible
    whose = f"{subject}'s {switch.name}" if subject else f"{switch.name}"
    return Effect(
        change, True, f"{whose} is set from {before} to {after}.", before=before, after=after
    )


def _subject(table: Table, switch: Switch, named: str) -> str:
    """The one whose switch is meant, as the game spells it."""
    subjects = switch.subjects(table)
    if not subjects:
        raise CannotBe(f"Nothing in this game has a switch “{switch.name}” now.")
    key = " ".join(named.casefold().split())
    found = next((each for each in subjects if each.casefold() == key), None)
    if found is not None:
        return found
    if not switch.of:
        raise CannotBe(f"{switch.name} is a switch of the whole game, not of “{named[:60]}”.")
    if not key:
        raise CannotBe(f"{switch.name} is a switch of every {switch.of}: say whose.")
    known = ", ".join(subjects[:20])
    raise CannotBe(f"There is no {switch.of} “{named[:60]}”. Known: {known}.")


def _by_hand(table: Table, change: ByHand) -> Effect:
    return Effect(change, False, change.why)


_DEEDS: dict[type[Change], Callable[[Table, Any], Effect]] = {
    Enact: _enact,
    AddSubrule: _enact,
    ReplaceText: _replace_text,
    ReplacePassage: _replace_passage,
    Append: _append,
    AddBullets: _add_bullets,
    AddRows: _add_rows,
    Repeal: _repeal,
    Retitle: _retitle,
    Renumber: _renumber,
    Give: _give,
    Take: _take,
    Destroy: _destroy,
    Transfer: _transfer,
    HandOver: _hand_over,
    SetSwitch: _set_switch,
    ChangeBy: _change_by,
    ByHand: _by_hand,
}


def _changed_lines(before: str, after: str) -> tuple[str, str]:
    """What is left of both texts without the lines that they share at their beginning and end."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return _short(old[start : len(old) - end]), _short(new[start : len(new) - end])


def _short(lines: list[str]) -> str:
    text = "\n".join(lines)
    return text if len(text) <= _LONGEST_TOLD else text[:_LONGEST_TOLD] + "…"
