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
from nomic.rulebook.edits.parts import WORDS, TextPart

LONGEST_QUOTE = 300  # characters of a sentence that is no change
LONGEST_SAID = 200  # characters of a sentence in what is said of it
_CAPITAL = re.compile(r"\B(?=[A-Z])")  # within a name


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A rule as a proposal names it: by title, by number, or by both."""

    title: str = ""
    number: str = ""

    def __str__(self) -> str:
        if self.title:
            return f"“{self.title}”"
        return f"rule {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change to the game. Its `verb`, by which the record keeps it, is its class's name in
    words: “replace text”."""

    verb: ClassVar[str]
    about: ClassVar[str] = "rule"  # which field says what is changed
    sentence: str = ""
    start: int = 0
    end: int = 0
    group: str = ""

    def __init_subclass__(cls, about: str | None = None) -> None:
        # Called twice, since a dataclass with slots is made anew: the second time without `about`.
        cls.verb = _CAPITAL.sub(" ", cls.__name__).lower()
        cls.about = cls.about if about is None else about

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of its own form, in the order in which its class has them."""
        said = [each.name for each in fields(Change)]
        return {
            each.name: getattr(self, each.name) for each in fields(self) if each.name not in said
        }

    @property
    def target(self) -> str:
        """The rule's title or number, the player, or the switch that is changed."""
        said = getattr(self, self.about, "")
        return str((said.title or said.number) if isinstance(said, RuleRef) else said)


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
class Transfer(Change, about="giver"):
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
    """Words that look like a change and could not be read; `why` says so, and what would be."""

    why: str


@dataclass(frozen=True, slots=True)
class Remark:
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
class Reading:
    """A body, read: changes and remarks in the order in which they stand.

    `unread` are the sentences that are neither instructions nor remarks; where there is one, all
    changes are left to the officer. `reader` is the number of the reader that read it; `warnings`
    say what a change was read to be where its form does not tell for sure. `power` is that of what
    asks for the changes, None where it has none.
    """

    changes: tuple[Change, ...] = ()
    remarks: tuple[Remark, ...] = ()
    unread: tuple[Remark, ...] = ()
    reader: int = 0
    warnings: tuple[str, ...] = ()
    power: Decimal | None = None

    @property
    def by_hand(self) -> tuple[ByHand, ...]:
        """The changes that an officer has to carry out."""
        return tuple(change for change in self.changes if isinstance(change, ByHand))

    @property
    def marked(self) -> tuple[Remark, ...]:
        """The remarks that the author has marked as such."""
        return tuple(each for each in self.remarks if each.kind == "marked")

    def stray(self, remarks: Collection[str]) -> str:
        """Why one of these sentences can be no remark of the body; "" where all can."""
        own = (each for each in self.remarks if each.kind in ("comment", "marked"))
        known = Counter(folded(each.sentence) for each in own)
        said = next(iter(Counter(map(folded, remarks)) - known), None)
        if said is None:
            return ""
        shown = cut(said, LONGEST_SAID)
        if said in known:
            return (
                f"“{shown}” stands in the text {known[said]:,} times, and more often among the"
                " remarks: give each sentence once."
            )
        if any(folded(each.sentence) == said for each in self.changes):
            return (
                f"“{shown}” is an instruction, and no remark: leave it out, or write it as a"
                " comment: [ … ]."
            )
        return f"“{shown}” is no sentence of the text: quote one as it stands."


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


def kept(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The changes as JSON can hold them; what says nothing is left out."""
    return [{"verb": each.verb, **_said(asdict(each))} for each in changes]


def kept_reading(reading: Reading) -> dict[str, Any]:
    """The reading as JSON can hold it."""
    beside = [each for each in (*reading.remarks, *reading.unread) if each.kind != "place"]
    said = [[each.start, each.kind, cut(each.sentence, LONGEST_QUOTE)] for each in beside]
    return {"reader": reading.reader, "changes": kept(reading.changes), "beside": sorted(said)}


def reading_of(told: dict[str, Any]) -> Reading:
    """The reading that `kept_reading` told. Raises KeyError, TypeError where it told none."""
    beside = [
        Remark(sentence, start, start + len(sentence), kind)
        for start, kind, sentence in told["beside"]
    ]
    return Reading(
        changes_of(told["changes"]),
        tuple(each for each in beside if each.kind != "prose"),
        tuple(each for each in beside if each.kind == "prose"),
        told["reader"],
    )


def _said(facts: dict[str, Any]) -> dict[str, Any]:
    told = {name: _said(each) if isinstance(each, dict) else each for name, each in facts.items()}
    return {name: each for name, each in told.items() if each not in ("", {}, ())}


def changes_of(told: Iterable[dict[str, Any]]) -> tuple[Change, ...]:
    """The changes that `kept` told. Raises KeyError, TypeError where it told none."""
    found = []
    for change in told:
        form = _FORMS[change["verb"]]
        facts: dict[str, Any] = {}
        for field in fields(form):
            part = _PARTS.get(field.name)
            if field.name in change:
                given = change[field.name]
                facts[field.name] = part(**given) if part else given
            elif field.default is MISSING:
                facts[field.name] = part() if part else ""
        found.append(form(**facts))
    return tuple(found)
