"""Rules as files give them, told or found wanting: each fault is a sentence that says where."""

import codecs
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from nomic.rulebook.formats.accounting import FileContents, account, leaves, signs_left
from nomic.rulebook.formats.heading_words import class_of
from nomic.rulebook.formats.values import (
    Account,
    Annotation,
    Brought,
    BroughtRule,
    Category,
    EarlierText,
    FileChoices,
    Heading,
    PastChange,
    compact,
)
from nomic.rulebook.limits import (
    LONGEST_NUMBER,
    LONGEST_TEXT,
    BadRule,
    check_text,
    checked_number,
    checked_power,
    checked_title,
)
from nomic.rulebook.rendering.wiki import reads_as_wiki

MOST_RULES = 2_000
MOST_REPEALED = 5_000
MOST_FAULTS = 200
_MOST_NOTES = 300  # that are told, of those that are counted
_OF_MARKDOWN = re.compile(r"^#{1,6} \S|\*\*\S|\]\(http|^```|^> ", re.MULTILINE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:T[0-9:.Z+-]+)?", re.ASCII)
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # as JSON writes it
_NO_TEXT = re.compile(r"[\x00-\x08\x0E-\x1F\x7F]")
_BEGINS = ("enactment", "initial", "reenactment")
_WORDS = (
    *("id", "number", "name", "title", "power", "category", "parent", "text", "more"),
    *("rule_class", "markup"),
)
_LONGEST_CLASS = 40
_MOST_PLACES = 20  # that are said of what begins nothing
_TAKEN = "number in the file"  # the field of what has it no more, since another rule has
_MOST_FIELDS = 60  # whose names are offered
_KNOWN = frozenset((*_WORDS, "history", "annotations", "versions"))
_LONGEST_WORDS = 20_000  # characters of an annotation or of what the history tells of a change


class Fault(ValueError):
    """Something cannot be understood; the text says where, and what would be right."""


class Enough(Fault):
    """A bound is met, and nothing behind it is read."""


def as_text(content: bytes, name: str, note: Callable[[str], None]) -> str:
    """The text, its lines ended as in UNIX, which is UTF-8, or UTF-16 where its first bytes say so.

    What is neither is read as Windows-1252, of which Latin-1 is a part, and noted, since its
    letters may be others. Raises Fault where it is no text.
    """
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fault = f"{name}, line {line}: the byte 0x{content[error.start]:02X} is not UTF-8."
        try:
            text = "" if is_wide else content.decode("cp1252")
        except UnicodeDecodeError:
            text = ""
        if not text or _NO_TEXT.search(text):
            raise Fault(f"{fault} Save the file as UTF-8 first.") from None
        note(f"{fault} The file was read as Windows-1252: look at the letters beyond A to Z.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


type Slip = Callable[[Fault], None]  # notes the fault, or raises it


class Findings:
    """The rules, faults and notes found in a rulebook's files while they are read.

    `as_told`: a history that contradicts itself is no fault, since it was kept so. `choices` are
    what its bringer says of it. `contents` is what stands in its files.
    """

    def __init__(self, *, as_told: bool = False, choices: FileChoices | None = None) -> None:
        self._as_told = as_told
        self.choices = choices or FileChoices()
        self.contents = FileContents()
        self.categories: list[Category] = []
        self.headings: list[Heading] = []
        self.index = ""
        self._fields: dict[str, None] = {}
        self.rules: list[BroughtRule] = []
        self._numbered: dict[str, BroughtRule] = {}
        self.repealed: list[BroughtRule] = []
        self.faults: list[str] = []
        self.notes: list[str] = []
        self._notes_untold = 0

    def add(
        self,
        facts: object,
        where: str,
        *,
        repealed: bool = False,
        category: str = "",
        markup: str = "",
        filed: str = "",
        headed: bool = False,
    ) -> None:
        """The rule that these fields tell, or why they tell none; raises Enough where it is one
        more than there may be, or one of its texts is too long. What cannot be understood of one
        that is `repealed` is noted, and it is kept as its file stands; what a text tells of the
        past of one that is `headed` there contradicts nothing."""
        self._check_room(where, repealed=repealed)
        self.contents.rules += 1
        if isinstance(facts, Mapping) and not headed:
            facts = self._with_fields_as_chosen(facts)
        try:
            rule = self._rule(facts, where, category, is_gone=repealed, headed=headed)
        except Enough:
            raise
        except Fault as fault:
            if repealed:
                words = (words for _, words in leaves(facts))
                self.contents.reworded += (line for lines in words for line in lines.split("\n"))
                self.keep_repealed(filed or compact(facts), where, fault)
            else:
                self.fault(str(fault))
            return
        rule = replace(rule, markup=rule.markup or markup, filed=filed)
        if repealed:
            self.repealed.append(rule)
            return
        namesake = self._numbered.setdefault(rule.number.casefold(), rule)
        if rule.number and namesake is not rule:
            rule = self._without_number(rule, namesake, where)
        self.rules.append(rule)

    def _without_number(self, rule: BroughtRule, namesake: BroughtRule, where: str) -> BroughtRule:
        """The rule without the number that another has before it, which is kept with it."""
        self.note(
            f"{where}: “{namesake.title}” has the number {rule.number} before it. “{rule.title}”"
            " comes in without a number."
        )
        more = {**(json.loads(rule.more) if rule.more else {}), _TAKEN: rule.number}
        return replace(rule, number="", more=compact(more), filed="")

    def keep_repealed(self, file: str, where: str, fault: Fault) -> None:
        """Keep a repealed rule of which its fields cannot be understood as its file stands; raises
        Enough."""
        self._check_room(where, repealed=True)
        check_length(len(file), where)
        self.note(f"{fault} The repealed rule is kept as its file stands.")
        name = where.rpartition("/")[2]
        number = name if len(name) <= LONGEST_NUMBER and name.isalnum() else ""
        title = f"Rule {number}" if number else name[:LONGEST_NUMBER]
        self.repealed.append(BroughtRule(number, title, _storable(file), filed=_storable(file)))

    def _check_room(self, where: str, *, repealed: bool) -> None:
        rules, most = (self.repealed, MOST_REPEALED) if repealed else (self.rules, MOST_RULES)
        if len(rules) >= most:
            raise Enough(
                f"{where}: {'repealed ' * repealed}rule {most + 1:,} begins there, and {most:,} are"
                " the most. Nothing behind it was read."
            )

    def _with_fields_as_chosen(self, facts: Mapping[Any, Any]) -> Mapping[Any, Any]:
        """The fields by our names for them, as far as they were said."""
        for name in facts:
            if len(self._fields) < _MOST_FIELDS:
                self._fields[str(name)[:60]] = None
        chosen = {theirs: ours for ours, theirs in self.choices.fields.items() if theirs in facts}
        if not chosen:
            return facts
        taken = {*chosen.values()}
        aside = taken | {"id" for _ in taken & {"number"}} | {"name" for _ in taken & {"title"}}
        renamed = {
            f"{name} in the file" if name in aside and name not in chosen else name: fact
            for name, fact in facts.items()
            if name not in chosen
        }
        return renamed | {ours: facts[theirs] for theirs, ours in chosen.items()}

    def fault(self, sentence: str) -> None:
        """Something that cannot be understood; raises Enough where it is the last that is told."""
        self.faults.append(_storable(sentence))
        if len(self.faults) >= MOST_FAULTS:
            raise Enough(
                f"These are {MOST_FAULTS} faults, which is the most that are told. Nothing behind"
                " the last of them was read."
            )

    def end(self, fault: Fault) -> None:
        """Why nothing behind it was read."""
        self.faults.append(_storable(str(fault)))

    def note(self, sentence: str) -> None:
        """Something that comes in otherwise than one might think."""
        if len(self.notes) < _MOST_NOTES:
            self.notes.append(_storable(sentence))
        else:
            self._notes_untold += 1

    def brought(self) -> Brought:
        """Everything that was found; of a rulebook with faults, the rules without any."""
        faults = list(self.faults)
        names = {name for rule in self.rules for name in (rule.number, rule.title) if name}
        before: set[str] = set()
        for rule in self.rules:
            if rule.parent and rule.parent not in before:
                fault = "comes after it" if rule.parent in names else "is not there"
                faults.append(f"The {rule.name} stands under “{rule.parent}”, which {fault}.")
            before |= {rule.number, rule.title}
        if not faults and not self.rules:
            faults = ["There is no rule in it."]
        if len(faults) > MOST_FAULTS + 1:  # with why reading ended
            beyond = f"And {len(faults) - MOST_FAULTS:,} faults more."
            faults = [*faults[:MOST_FAULTS], beyond]
        notes = list(self.notes)
        if self._notes_untold:
            notes.append(f"And {self._notes_untold:,} lines more of that kind.")
        rules, repealed = self.rules, self.repealed
        if not faults and not any(rule.markup for rule in rules) and not self.contents.texts:
            markup = "wiki" if _is_wiki(rules) else ""
            rules, repealed = (
                [replace(rule, markup=markup) for rule in part] for part in (rules, repealed)
            )
        categories = self._merged_categories()
        places = {heading.place for heading in self.headings}
        for place in [place for place in self.choices.headings if place not in places][
            :_MOST_PLACES
        ]:
            file, _, line = place.rpartition(":")
            notes.append(
                _storable(
                    f"{file}, line {line[:20]}: nothing stands there that could begin a rule."
                )
            )
        if not faults:
            notes += signs_left(self.contents, (*rules, *repealed), categories)
        return Brought(
            tuple(rules),
            tuple(repealed),
            tuple(faults),
            tuple(notes),
            categories,
            Account() if faults else account(self.contents, (*rules, *repealed), categories),
            tuple(self.headings),
            tuple(self._fields),
            self.index,
        )

    # Inside

    def _merged_categories(self) -> tuple[Category, ...]:
        """What is kept with each category, once."""
        merged: dict[str, Category] = {}
        for category in self.categories:
            before = merged.get(category.name, Category(category.name))
            note = "\n\n".join(filter(None, (before.note, category.note)))
            merged[category.name] = Category(category.name, note, before.more or category.more)
        return tuple(category for category in merged.values() if category.note or category.more)

    def _rule(
        self, facts: object, where: str, category: str, *, is_gone: bool, headed: bool
    ) -> BroughtRule:
        """The rule; of one that `is_gone`, what its file lacks is noted. Raises Fault."""

        def slip(fault: Fault) -> None:
            if not is_gone:
                raise fault
            self.note(f"{fault} It is kept as told.")

        if not isinstance(facts, Mapping):
            raise Fault(f"{where}: a rule is a mapping of fields, and this is {_kind(facts)}.")
        number = _word(facts, where, "number", "id")
        self.contents.numbers += bool(number) and not headed
        title = " ".join(_word(facts, where, "title", "name").split())
        called = f"{where} (rule {number})" if number and number not in where else where
        if not title and number and (is_gone or not _has_other_words(facts)):
            title = f"Rule {number}"
            self.note(f"{called}: the {'repealed ' * is_gone}rule has no title.")
        if not title:
            raise Fault(f"{called}: the rule has no title (`title`, or `name`).")
        if facts.get("text") is None and is_gone:
            self.note(f"{called}: the repealed rule has no text.")
        elif facts.get("text") is None:
            raise Fault(f"{called}: the rule has no `text`.")
        text = _word({"text": _joined(facts.get("text"))}, called, "text")
        check_length(len(text), called)
        power = _power(_word(facts, called, "power"))
        try:
            checked = checked_number(number), checked_title(title), checked_power(power)
            check_text(text)
        except BadRule as error:
            raise Fault(f"{called}: {error}") from None
        history = _listed(facts, called, "history", _change, slip)
        try:
            _consistent(history, called, self.note)
        except Fault as fault:
            if self._as_told:
                self.note(f"{fault} It is kept as told.")
            elif not headed:
                slip(fault)
        category = _word(facts, called, "category") or category
        rule = BroughtRule(
            number=checked[0],
            title=checked[1],
            text=text,
            power=power,
            category=category,
            parent=_word(facts, called, "parent"),
            history=tuple(change for change, _ in history),
            annotations=tuple(_listed(facts, called, "annotations", _annotation, slip)),
            versions=tuple(_listed(facts, called, "versions", _earlier, slip)),
            more=_more(facts, called),
            rule_class=_word(facts, called, "rule_class")[:_LONGEST_CLASS] or class_of(category),
            markup="wiki" if facts.get("markup") == "wiki" else "",
        )
        if (written := compact(rule.facts())) != _storable(written) or _NUL.search(written):
            raise Fault(f"{called}: a character cannot be stored there: NUL, or half of one.")
        return rule


def _has_other_words(facts: Mapping[Any, Any]) -> bool:
    """Whether another field than ours has words, of which one may be the title."""
    return any(isinstance(fact, str) and name not in _KNOWN for name, fact in facts.items())


def _storable(sentence: str) -> str:
    """The sentence with a question mark for what is half a character, and none for NUL."""
    return sentence.encode(errors="replace").decode().replace("\0", "")


def check_length(characters: int, where: str) -> None:
    """Raise Enough where a rule's text, present or past, has more of them than one may have."""
    if characters > LONGEST_TEXT:
        raise Enough(
            f"{where}: its text has {characters:,} characters, and {LONGEST_TEXT:,} are the most."
            " Nothing behind it was read."
        )


def _joined(text: object) -> object:
    """Lines that are given as a list, as one text; all else as it is."""
    is_lines = isinstance(text, list) and all(isinstance(line, str) for line in text)
    return "\n".join(text) if is_lines else text  # type: ignore[arg-type]


def _word(facts: Mapping[Any, Any], where: str, *names: str) -> str:
    """The first of these fields that is there, as text; "" for none."""
    for name in names:
        fact = facts.get(name)
        if isinstance(fact, str):
            return fact
        if isinstance(fact, int | Decimal | float) and not isinstance(fact, bool):
            return str(fact)
        if fact is not None:
            raise Fault(f"{where}: `{name}` is text or a number, and this is {_kind(fact)}.")
    return ""


def _power(power: str) -> str:
    """3 for 3.0; what is no such number, as it is."""
    head, dot, tail = power.partition(".")
    return head + (dot + tail).rstrip("0").rstrip(".") if dot and tail.isdecimal() else power


def _listed(
    facts: Mapping[Any, Any],
    where: str,
    name: str,
    of: Callable[[object, str, Slip], Any],
    slip: Slip,
) -> list[Any]:
    parts = facts.get(name)
    if parts is None:
        return []
    if not isinstance(parts, Sequence) or isinstance(parts, str):
        raise Fault(f"{where}: `{name}` is a list, and this is {_kind(parts)}.")
    return [of(part, f"{where}, {name} {at}", slip) for at, part in enumerate(parts, 1)]


def _change(facts: object, where: str, slip: Slip) -> tuple[PastChange, str]:
    """The change as it is told, and its type."""
    if not isinstance(facts, Mapping) or "change" not in facts:
        raise Fault(f"{where}: a change has `date` and `change`, and this is {_kind(facts)}.")
    change = facts["change"]
    if isinstance(change, str):  # our own schema
        past = PastChange(
            _date(facts.get("date"), where, slip),
            change,
            _word(facts, where, "agent"),
            _word(facts, where, "source"),
        )
        return past, change.partition(" ")[0]
    if not isinstance(change, Mapping):
        raise Fault(f"{where}: `change` is a mapping or words, and this is {_kind(change)}.")
    kind = str(change.get("type") or "change")
    details = ", ".join(f"{key} {detail}" for key, detail in change.items() if key != "type")
    past = PastChange(
        _date(facts.get("date"), where, slip),
        f"{kind} ({details})" if details else kind,
        _in_words(
            facts.get("agent", {"proposal": facts["proposal"]} if "proposal" in facts else None)
        ),
        _source(facts, where),
    )
    return past, kind


def _date(moment: object, where: str, slip: Slip) -> str:
    if isinstance(moment, Mapping):
        return _in_words(moment)
    day = "" if moment is None else str(moment)
    if _DAY.fullmatch(day):
        try:
            date.fromisoformat(day[:10])
        except ValueError:
            slip(Fault(f"{where}: {day[:40]} is no day."))
    return day


def _in_words(nested: object) -> str:
    """Nested names and values as words: "ratification document SLR agent proposal 7638"."""
    if isinstance(nested, Mapping):
        return " ".join(f"{name} {_in_words(inner)}" for name, inner in nested.items())
    return "" if nested is None else str(nested)


def _annotation(facts: object, where: str, slip: Slip) -> Annotation:
    if not isinstance(facts, Mapping) or not isinstance(facts.get("text"), str):
        raise Fault(f"{where}: an annotation has a `text`, and this is {_kind(facts)}.")
    if "cfjs" not in facts:
        plain = _date(facts.get("date"), where, slip), facts["text"], _word(facts, where, "source")
        return Annotation(*plain)
    cases = facts["cfjs"]
    if not isinstance(cases, Sequence) or not all(isinstance(case, Mapping) for case in cases):
        raise Fault(f"{where}: `cfjs` is a list of cases with `id` and `called`.")
    numbers = ", ".join(f"CFJ {case.get('id')}" for case in cases)
    called = [_date(case.get("called"), where, slip) for case in cases if case.get("called")]
    text = f"{numbers}: {facts['text'].strip()}" if numbers else facts["text"].strip()
    return Annotation(called[0] if called else "", text, _source(facts, where))


def _earlier(facts: object, where: str, slip: Slip) -> EarlierText:
    if not isinstance(facts, Mapping) or not isinstance(facts.get("text"), str):
        raise Fault(f"{where}: an earlier text has `date`, `title` and `text`.")
    check_length(len(facts["text"]), where)
    return EarlierText(
        _date(facts.get("date"), where, slip), _word(facts, where, "title", "name"), facts["text"]
    )


def _consistent(
    history: list[tuple[PastChange, str]], where: str, note: Callable[[str], None]
) -> None:
    """Note dates that run backwards, as in old histories they do; raises Fault where a rule begins
    that is there, or is changed or repealed before it begins."""
    is_in_force, last = False, ""
    for at, (change, kind) in enumerate(history, 1):
        place = f"{where}, history {at}"
        if kind in _BEGINS and is_in_force:
            raise Fault(f"{place}: {kind} of a rule that is in force then; its history says so.")
        if at > 1 and not is_in_force and kind not in _BEGINS:
            raise Fault(f"{place}: {kind} of a rule that is not in force then.")
        is_in_force = kind != "repeal"
        if _DAY.fullmatch(change.date):
            if change.date[:10] < last:
                note(f"{place}: {change.date} comes after {last}. It is kept as told.")
            last = change.date[:10]


def _is_wiki(rules: list[BroughtRule]) -> bool:
    """Whether rules of which no file says it are of a wiki: it is decided once for all of them."""
    wiki = sum(reads_as_wiki(rule.text) for rule in rules)
    markdown = sum(bool(_OF_MARKDOWN.search(rule.text)) for rule in rules)
    return wiki * 10 >= len(rules) and wiki > markdown


def _more(facts: Mapping[Any, Any], where: str) -> str:
    """Other fields of the file, in JSON; "" for none."""
    unknown = {str(name): fact for name, fact in facts.items() if name not in _KNOWN}
    return _source(unknown, where) if unknown else _word(facts, where, "more")


def _source(fact: object, where: str) -> str:
    try:
        source = compact(fact)
    except TypeError:
        raise Fault(f"{where}: this holds values that are neither text nor numbers.") from None
    if len(source) > _LONGEST_WORDS:
        raise Fault(
            f"{where}: this has {len(source):,} characters; {_LONGEST_WORDS:,} are the most."
        )
    return source


def _kind(fact: object) -> str:
    names = {dict: "a mapping", list: "a list", str: "text", bool: "true or false"}
    return "nothing" if fact is None else names.get(type(fact), "a number")
