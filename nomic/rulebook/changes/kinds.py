"""The changes that a proposal can make, as values and as JSON.

Each carries the author's words for it (`sentence`, white space folded, long texts left out), where
it stands in the body (`start` and `end`, offsets of characters) and the title of its group.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import MISSING, asdict, dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar

from nomic.rulebook.charts import cut
from nomic.rulebook.edits.parts import EACH, WORDS, TextPart

LONGEST_QUOTE = 300  # characters of a sentence that is no change
LONGEST_SAID = 200  # characters of a sentence in what is said of it
_CAPITAL = re.compile(r"\B(?=[A-Z])")  # within a name


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A rule as a proposal names it: by title, by number, or by both; a subrule perhaps with the
    title of the rule above it, its `parent`."""

    title: str = ""
    number: str = ""
    parent: str = ""

    def __str__(self) -> str:
        if self.title:
            return f"“{self.title}”"
        return f"rule {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change to the game. Its `verb`, by which the record keeps it, is its class's name in
    words, “replace text”, where the class does not give another."""

    verb: ClassVar[str]
    about: ClassVar[str] = "rule"  # which field says what is changed
    sentence: str = ""
    start: int = 0
    end: int = 0
    group: str = ""

    def __init_subclass__(cls, about: str | None = None, verb: str = "") -> None:
        # Called twice, since a dataclass with slots is made anew: the second time without these.
        in_words = _CAPITAL.sub(" ", cls.__name__).lower()
        cls.verb = verb or vars(cls).get("verb", in_words)
        cls.about = cls.about if about is None else about

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of its own form, in the order in which its class has them."""
        shared = [field.name for field in fields(Change)]
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in shared
        }

    @property
    def target(self) -> str:
        """The rule's title or number, the player, or the switch that is changed."""
        named = getattr(self, self.about, "")
        return str((named.title or named.number) if isinstance(named, RuleRef) else named)


@dataclass(frozen=True, slots=True)
class Enact(Change, about="title"):
    """A new rule; `number` and `power` are empty where the proposal gives none."""

    title: str
    number: str
    text: str
    power: str = ""


@dataclass(frozen=True, slots=True)
class _OfRule(Change):
    """A change to a rule that is there."""

    rule: RuleRef


@dataclass(frozen=True, slots=True)
class ReplaceText(_OfRule):
    """Another text for a rule."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplacePassage(_OfRule):
    """Another passage for one that stands in a rule; `new` is empty where it is deleted."""

    old: str
    new: str
    part: TextPart = WORDS


@dataclass(frozen=True, slots=True)
class Insert(_OfRule):
    """A text before or after (`where`) a passage; `unit` is what the proposal calls it, if it
    does: a sentence, say."""

    where: str
    anchor: str
    text: str
    unit: str = ""
    part: TextPart = WORDS


@dataclass(frozen=True, slots=True)
class Append(_OfRule):
    """A text for the end of a rule, or of a part of it; `unit` is what the proposal calls it."""

    text: str
    unit: str = ""
    anchor: str = ""
    part: TextPart = WORDS


@dataclass(frozen=True, slots=True)
class AddBullets(_OfRule):
    """Lines, each with its bullet, for the end of a rule's bullet list."""

    text: str


@dataclass(frozen=True, slots=True)
class AddRows(_OfRule):
    """Lines of cells for the end of a rule's table; `table` is empty where none is named."""

    table: str
    rows: str


@dataclass(frozen=True, slots=True)
class ReplaceRow(_OfRule):
    """Another row for the one of a rule's table whose first cell is `cell`, or that `part` counts;
    `row` is empty where it is deleted, `table` where none is named."""

    table: str
    cell: str
    row: str
    part: TextPart = WORDS


@dataclass(frozen=True, slots=True)
class ReplaceThroughout(Change, about="old"):
    """Other words for each instance of some in all rules; the author confirms which rules."""

    old: str
    new: str
    part: TextPart = EACH


@dataclass(frozen=True, slots=True)
class AddSubrule(Change, about="title"):
    """A new rule under another."""

    parent: RuleRef
    title: str
    number: str
    text: str
    power: str = ""


@dataclass(frozen=True, slots=True)
class Repeal(_OfRule):
    """The end of a rule."""


@dataclass(frozen=True, slots=True)
class Retitle(_OfRule):
    """Another title for a rule."""

    title: str


@dataclass(frozen=True, slots=True)
class Renumber(_OfRule):
    """Another number for a rule."""

    number: str


@dataclass(frozen=True, slots=True)
class SetPower(_OfRule):
    """Another power for a rule."""

    power: str


@dataclass(frozen=True, slots=True)
class Transmute(_OfRule):
    """Another class for a rule, mutable or immutable; `rule_class` is empty where it is to have the
    one that it has not."""

    rule_class: str = ""


@dataclass(frozen=True, slots=True)
class Give(Change, about="receiver"):
    """New units of a currency for a player, or for “each player”."""

    receiver: str
    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class Take(Change, about="giver"):
    """Units of a currency taken from a player or from “each player”; all where `amount` is None."""

    giver: str
    amount: int | None
    currency: str


@dataclass(frozen=True, slots=True)
class TransferCurrency(Change, about="giver", verb="transfer"):
    """Units of a currency from one player to another."""

    giver: str
    receiver: str
    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class Destroy(Change, about="owner"):
    """Units of a currency destroyed; all that the owner has where `amount` is None.

    All that anybody has where `owner` is empty too.
    """

    owner: str
    amount: int | None
    currency: str


@dataclass(frozen=True, slots=True)
class SetSwitch(Change, about="switch"):
    """A value for a switch; `of` is empty where it is one of the whole game."""

    switch: str
    of: str
    value: str


@dataclass(frozen=True, slots=True)
class HandOver(Change, about="thing"):
    """A thing of which there is one, for somebody; `giver` is empty where none is named."""

    thing: str
    giver: str
    receiver: str


@dataclass(frozen=True, slots=True)
class ChangeBy(Change, about="switch"):
    """A switch or a balance that is raised by so much, or lowered where `by` is below zero."""

    switch: str
    of: str
    by: int


@dataclass(frozen=True, slots=True)
class Become(Change, about="office"):
    """A player who is to hold an office."""

    who: str
    office: str


@dataclass(frozen=True, slots=True)
class Ratify(Change, about="report"):
    """The report of a recalculation, by its hash, that is to be made so."""

    report: str


@dataclass(frozen=True, slots=True)
class ByHand(Change, about=""):
    """Words that look like a change and could not be read; `why` says so, and what would be. What
    could be read names its `rule`."""

    why: str
    rule: RuleRef = RuleRef()


@dataclass(frozen=True, slots=True)
class BodyRemark:
    """Words that are no instruction.

    `kind` is "comment", "marked" (a remark, as its author says), "header" (what names a proposal,
    above it), "place" (names the rule for the list of changes under it, or joins two of them) or
    "prose", which nobody can be sure of; `sentence` is quoted with white space folded.
    """

    sentence: str
    start: int
    end: int
    kind: str = "prose"
    group: str = ""


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes by which a body was adopted, one of each player, and how many `players` might vote;
    `asked_in` is the entry since which it reads so."""

    votes_for: int
    against: int
    players: int
    asked_in: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A body, read: changes and remarks in the order in which they stand.

    `unread` are the sentences that are neither instructions nor remarks; where there is one, all
    changes are left to the officer. `reader` is the number of the reader that read it; `warnings`
    say what a change was read to be where its form does not tell for sure. `power` is that of what
    asks for the changes, None where it has none, and `votes` are those for it, None before they are
    counted. `misfit` says which brace does not fit, where one
    does not, with its line and column; then all of the body is the officer's.
    """

    changes: tuple[Change, ...] = ()
    remarks: tuple[BodyRemark, ...] = ()
    unread: tuple[BodyRemark, ...] = ()
    reader: int = 0
    warnings: tuple[str, ...] = ()
    power: Decimal | None = None
    votes: Votes | None = None
    misfit: tuple[str, int, int] | None = None

    @property
    def by_hand(self) -> tuple[ByHand, ...]:
        """The changes that an officer has to carry out."""
        return tuple(change for change in self.changes if isinstance(change, ByHand))

    @property
    def marked(self) -> tuple[BodyRemark, ...]:
        """The remarks that the author has marked as such."""
        return tuple(remark for remark in self.remarks if remark.kind == "marked")

    def stray(self, remarks: Collection[str]) -> str:
        """Why one of these sentences can be no remark of the body; "" where all can."""
        quotable = (remark for remark in self.remarks if remark.kind in ("comment", "marked"))
        counts = Counter(folded(remark.sentence) for remark in quotable)
        misquote = next(iter(Counter(map(folded, remarks)) - counts), None)
        if misquote is None:
            return ""
        shown = cut(misquote, LONGEST_SAID)
        if misquote in counts:
            return (
                f"“{shown}” stands in the text {counts[misquote]:,} times, and more often among the"
                " remarks: give each sentence once."
            )
        if any(folded(change.sentence) == misquote for change in self.changes):
            return (
                f"“{shown}” is an instruction, and no remark: leave it out, or write it as a"
                " comment: [ … ]."
            )
        return f"“{shown}” is no sentence of the text: quote one as it stands."


def part_of(change: Change) -> TextPart:
    """The part of a text by which a change finds its place: its words, where it names none."""
    part = getattr(change, "part", WORDS)
    assert isinstance(part, TextPart)
    return part


def folded(sentence: str) -> str:
    """The sentence as two that are equal have it."""
    return " ".join(sentence.split())


# As JSON, as an entry of the record keeps them, and back

_PARTS = {"rule": RuleRef, "parent": RuleRef, "part": TextPart}
_FORMS: dict[str, type[Change]] = {
    form.verb: form
    for form in list(globals().values())
    if isinstance(form, type) and issubclass(form, Change) and form is not Change
}


def changes_to_json(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The changes as JSON can hold them; what says nothing is left out."""
    return [{"verb": change.verb, **_without_empty(asdict(change))} for change in changes]


def reading_to_json(reading: Reading) -> dict[str, Any]:
    """The reading as JSON can hold it."""
    beside = [remark for remark in (*reading.remarks, *reading.unread) if remark.kind != "place"]
    rows = [[remark.start, remark.kind, cut(remark.sentence, LONGEST_QUOTE)] for remark in beside]
    changes = changes_to_json(reading.changes)
    return {"reader": reading.reader, "changes": changes, "beside": sorted(rows)}


def reading_from_json(recorded: dict[str, Any]) -> Reading:
    """The reading that was recorded so. Raises KeyError, TypeError where it is none."""
    beside = [
        BodyRemark(sentence, start, start + len(sentence), kind)
        for start, kind, sentence in recorded["beside"]
    ]
    return Reading(
        changes_from_json(recorded["changes"]),
        tuple(remark for remark in beside if remark.kind != "prose"),
        tuple(remark for remark in beside if remark.kind == "prose"),
        recorded["reader"],
    )


def _without_empty(facts: dict[str, Any]) -> dict[str, Any]:
    inner = {
        name: _without_empty(fact) if isinstance(fact, dict) else fact
        for name, fact in facts.items()
    }
    return {
        name: fact
        for name, fact in inner.items()
        if fact not in ("", {}, ()) and (fact or name not in ("times", "sure"))
    }


def changes_from_json(recorded: Iterable[dict[str, Any]]) -> tuple[Change, ...]:
    """The changes that were recorded so. Raises KeyError, TypeError where they are none."""
    changes = []
    for change in recorded:
        form = _FORMS[change["verb"]]
        facts: dict[str, Any] = {}
        for field in fields(form):
            part = _PARTS.get(field.name)
            if field.name in change:
                fact = change[field.name]
                facts[field.name] = part(**fact) if part else fact
            elif field.default is MISSING:
                facts[field.name] = part() if part else ""
        changes.append(form(**facts))
    return tuple(changes)
