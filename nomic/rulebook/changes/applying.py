"""Changes to the rules, carried out: the one code for a closing vote and for rules on paper."""

import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from nomic.games.confusables import without_unseen
from nomic.games.wording import counted, enumerated
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.changes import kinds
from nomic.rulebook.changes.kinds import LONGEST_SAID, Change, RuleRef, part_of
from nomic.rulebook.charts import cut
from nomic.rulebook.editing import EditableRules
from nomic.rulebook.edits.parts import EditFailed, TextPart
from nomic.rulebook.edits.rows import add_rows, replace_row
from nomic.rulebook.edits.texts import add_bullets, append, insert, replace_passage, stands_in
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.limits import (
    IMMUTABLE,
    LONGEST_TEXT,
    MUTABLE,
    BadRule,
    NoSuchRule,
    RuleExists,
    RuleIsImmutable,
    TooMuch,
    check_text,
)
from nomic.rulebook.tables import lines_of

_UNCONFIRMED = (
    "It counts or names a passage in the rule “{}”, and its author has confirmed none: quote what"
    " is meant, or confirm it."
)
_UNCONFIRMED_RULES = (
    "It means each instance in all rules, and its author has confirmed none: confirm in which."
)
REASONS = (NoSuchRule, RuleExists, BadRule, EditFailed)

_New = kinds.Enact | kinds.AddSubrule
_Status = kinds.Repeal | kinds.Retitle | kinds.Renumber | kinds.SetPower | kinds.Transmute
_Edit = (
    kinds.ReplaceText
    | kinds.ReplacePassage
    | kinds.Insert
    | kinds.Append
    | kinds.AddBullets
    | kinds.AddRows
    | kinds.ReplaceRow
)


@dataclass(frozen=True, slots=True)
class Carried:
    """The result of a change: a sentence, the rule's title and version after it, both whole texts,
    and the keys of the rules that it touches. It `is_idle` where nothing was left to change."""

    sentence: str
    rule: str
    version: int
    before: str
    after: str
    touched: tuple[int, ...]
    is_idle: bool = False


def touched_by(rules: EditableRules, change: Change, *, reads: bool = True) -> tuple[int, ...]:
    """The keys of the rules that a change is about, as they are now: also of one that it names by
    its number, whose title is another. Without reading the rules, words throughout them may be in
    any."""
    if isinstance(change, kinds.ReplaceThroughout):
        meant = _rules_with(rules, change) if reads else rules.public
        return tuple(rule.pk for rule in meant)
    ref = getattr(change, "rule", RuleRef())
    keys = []
    for name in ({"title": " ".join(ref.title.split())}, {"number": ref.number.strip()}):
        with suppress(NoSuchRule):
            keys += [rules.find_rule(**name).pk] if any(name.values()) else []
    return tuple(keys)


def beside_left(touched: Sequence[tuple[int, ...]], left: Sequence[bool]) -> dict[int, int]:
    """The places of changes that were made to a rule of which another is left to the officer, each
    with that one's place. `touched` are the rules of each change, `left` says which are left."""
    first: dict[int, int] = {}
    for place, keys in enumerate(touched):
        first |= {key: place for key in keys if left[place] and key not in first}
    return {
        place: next(first[key] for key in keys if key in first)
        for place, keys in enumerate(touched)
        if not left[place] and any(key in first for key in keys)
    }


def carry(rules: EditableRules, change: Change) -> Carried:
    """Make one change to the rules; raises one of REASONS where it cannot be made."""
    if isinstance(change, _Status):
        return _give_status(rules, change)
    if isinstance(change, _New):
        parent = find(rules, change.parent) if isinstance(change, kinds.AddSubrule) else None
        title, text, power = " ".join(change.title.split()), _text(change.text), change.power
        _check_room(rules, (text, None))
        _check_title(rules, title)
        number = change.number.strip() or rules.next_number()
        rule = rules.enact(title, text, number=number, parent=parent, power=power)
        number = f" {rule.number}" if rule.number else ""
        under = f" as a subrule of “{parent.title}”" if parent else ""
        strong = f" at power {power}" if power else ""
        sentence = f"The rule{number} “{title}” is enacted{under}{strong}."
        return Carried(sentence, title, rule.version, "", text, (rule.pk,))
    if isinstance(change, kinds.ReplaceThroughout):
        return _replace_throughout(rules, change)
    assert isinstance(change, _Edit)
    rule = find(rules, change.rule)
    part = part_of(change)
    if part.counts and not part.passage:
        raise EditFailed(_UNCONFIRMED.format(rule.title))
    rules.gone_through += len(rule.text)  # a game has a bound for all that one event reads so
    text, outcome = _edited(rule, change)
    if text == rule.text:
        sentence = f"The rule “{rule.title}” already has this wording."
        return Carried(sentence, rule.title, rule.version, text, text, (rule.pk,), is_idle=True)
    _check_room(rules, (text, rule))
    version = rules.amend(rule.pk, text).version
    sentence = f"The rule “{rule.title}” {outcome}."
    return Carried(sentence, rule.title, version, rule.text, text, (rule.pk,))


def is_of_rules(change: Change) -> bool:
    """Whether `carry` can make this change."""
    return isinstance(change, _New | _Status | _Edit | kinds.ReplaceThroughout)


def _rules_with(rules: EditableRules, change: kinds.ReplaceThroughout) -> list[RuleText]:
    """The rules in whose texts the words stand that are to be replaced in all."""
    rules.gone_through += sum(len(rule.text) for rule in rules.public)
    each_instance = TextPart(change.part.unit, "each")
    return [rule for rule in rules.public if stands_in(rule.text, change.old, each_instance)]


def rules_meant(rules: EditableRules, change: kinds.ReplaceThroughout) -> tuple[str, int]:
    """In which rules words are replaced throughout, as their author confirms it, and how many these
    are. Raises EditFailed where it cannot be done in one."""
    texts = _throughout(rules, change)
    named = enumerated([f"“{rule.title}”" for rule, _ in texts])
    return f"{counted(len(texts), 'rule')}: {named}", len(texts)


def _throughout(
    rules: EditableRules, change: kinds.ReplaceThroughout
) -> list[tuple[RuleText, str]]:
    """The rules that have the words, each with its text after it."""
    texts: list[tuple[RuleText, str]] = []
    each_instance = TextPart(change.part.unit, "each")
    for rule in _rules_with(rules, change):
        where = f"in the rule “{rule.title}”"
        texts.append(
            (rule, replace_passage(rule.text, change.old, change.new, where, each_instance))
        )
    if not texts:
        raise EditFailed(f"“{cut(change.old, LONGEST_SAID)}” stands in no rule.")
    return texts


def _replace_throughout(rules: EditableRules, change: kinds.ReplaceThroughout) -> Carried:
    """Replace words in all rules that have them, or in none where it cannot be done in one."""
    if not change.part.passage:
        raise EditFailed(_UNCONFIRMED_RULES)
    texts = _throughout(rules, change)
    named = enumerated([f"“{rule.title}”" for rule, _ in texts])
    meant = f"{counted(len(texts), 'rule')}: {named}"
    if kinds.folded(change.part.passage) != kinds.folded(meant):
        raise EditFailed(
            f"Its author confirmed {cut(change.part.passage, LONGEST_SAID)}; it stands in"
            f" {cut(meant, LONGEST_SAID)} now."
        )
    for rule, text in texts:
        if rule.is_immutable:
            raise RuleIsImmutable(rule)
        check_text(text)
    _check_room(rules, *((text, rule) for rule, text in texts))
    for rule, text in texts:
        rules.amend(rule.pk, text)
    before, after = (
        "\n".join(pieces) for pieces in zip(*((r.text, t) for r, t in texts), strict=True)
    )
    done = "replaced" if change.new.strip() else "deleted"
    sentence = f"Each instance of a passage is {done} in {meant}."
    return Carried(sentence, "", 0, before, after, tuple(rule.pk for rule, _ in texts))


def _give_status(rules: EditableRules, change: _Status) -> Carried:
    """Change what a rule is called or how strong it is, or repeal it."""
    rule = find(rules, change.rule)
    title, version, after = rule.title, rule.version, rule.text
    match change:
        case kinds.Repeal():
            shown = [
                f"“{subrule.title}”" for subrule in rules.repeal(rule.pk)[1:] if subrule.is_public
            ]
            with_it = f", and with it {enumerated(shown)}" if shown else ""
            outcome, after = f"is repealed{with_it}", ""
        case kinds.Retitle():
            title, outcome = " ".join(change.title.split()), "has this title already"
            if title != rule.title:
                _check_title(rules, title, rule)
                version = rules.retitle(rule.pk, title).version
                outcome = f"is retitled “{title}”"
        case kinds.Renumber():
            number = rules.renumber(rule.pk, change.number.strip()).number
            outcome = f"gets the number {number}" if number else "has no number any more"
        case kinds.SetPower():
            outcome = f"gets the power {rules.set_power(rule.pk, change.power).power}"
        case kinds.Transmute():
            if not rules.has_classes:
                raise NoSuchRule("None of these rules is said to be immutable or mutable.")
            rule_class = change.rule_class or (MUTABLE if rule.is_immutable else IMMUTABLE)
            if rule_class == rule.rule_class:
                sentence = f"The rule “{rule.title}” is {rule_class} already."
                return Carried(sentence, title, version, after, after, (rule.pk,), is_idle=True)
            version = rules.transmute(rule.pk, rule_class).version
            outcome = f"is transmuted and is {rule_class} now"
    sentence = f"The rule “{rule.title}” {outcome}."
    return Carried(sentence, title, version, rule.text, after, (rule.pk,))


def _edited(rule: RuleText, change: _Edit) -> tuple[str, str]:
    """The rule's new text, and what to say of it."""
    text, where = rule.text, f"in the rule “{rule.title}”"
    match change:
        case kinds.ReplaceText():
            return _text(change.text), "gets a new text"
        case kinds.ReplacePassage():
            text = replace_passage(text, change.old, change.new, where, change.part)
            which = "each instance of a passage" if change.part.which == "each" else "one passage"
            return text, f"has {which} {'replaced' if change.new.strip() else 'deleted'}"
        case kinds.Insert():
            side, anchor, unit, part = change.where, change.anchor, change.unit, change.part
            text = insert(text, side, anchor, change.text, where, unit, part)
            return text, "has a passage inserted"
        case kinds.Append():
            unit, anchor, part = change.unit, change.anchor, change.part
            if anchor or part.unit:
                text = append(text, change.text, where, unit, anchor, part)
                return text, "has more text in one passage"
            return append(text, _text(change.text), where, unit), "has more text at its end"
        case kinds.AddBullets():
            return add_bullets(text, change.text, where), "has a longer bullet list"
        case kinds.AddRows():
            text = add_rows(text, change.table, change.rows, where, rule.title)
            return text, "has a longer table"
        case kinds.ReplaceRow():
            text = replace_row(
                text, change.table, change.cell, change.row, where, rule.title, change.part
            )
            return text, f"has a table's row {'replaced' if change.row else 'deleted'}"


def find(rules: EditableRules, ref: RuleRef) -> RuleText:
    """The rule that a change means; raises NoSuchRule."""
    rule = rules.find_rule(title=" ".join(ref.title.split()), number=ref.number.strip())
    if ref.parent and (rule.parent is None or name_key(rule.parent) != name_key(ref.parent)):
        raise NoSuchRule(f"“{rule.title}” is no subrule of “{ref.parent}”.")
    return rule


def _check_title(rules: EditableRules, title: str, of: RuleText | None = None) -> None:
    """Raise RuleExists where a public rule other than `of` has a title that differs from this one
    in form only: width, composition, case and what is drawn as nothing do not count."""
    public = [] if rules.shares_titles else rules.public
    alike = (
        rule.title
        for rule in public
        if (of is None or rule.pk != of.pk) and _seen(rule.title) == _seen(title)
    )
    like = next(alike, title)
    if name_key(like) != name_key(title):
        raise RuleExists(f"This title looks like that of the rule “{like}”: choose another.")


@memoized(share=0.01)
def _seen(title: str) -> str:
    plain = unicodedata.normalize("NFKC", without_unseen(title)).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())


def _check_room(rules: EditableRules, *texts: tuple[str, RuleText | None]) -> None:
    """Raise BadRule where there is no room for these texts together, of rules or of new ones."""
    longest = max(len(text) for text, _ in texts)
    if longest > LONGEST_TEXT:
        raise BadRule(
            f"A rule's text has at most {LONGEST_TEXT:,} characters, and this one would have"
            f" {longest:,}: put a part of it into another rule."
        )
    if excess := rules.too_much(*texts):
        raise TooMuch(excess)


def _text(written: str) -> str:
    """A rule's text as the rulebook keeps it: plain line ends, no blank lines around."""
    lines = lines_of(written)
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines).rstrip() + "\n"
