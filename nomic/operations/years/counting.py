"""Counting which of a year's changes went by themselves, and which people had to make: by comparing
the rules before and after each adoption with what the Rulekeepor has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nomic.games.wording import listed
from nomic.operations.years.values import RecordedChange, YearRule, words


@dataclass(frozen=True, slots=True)
class Standing:
    """A rule in force in the game, by its key there."""

    pk: int
    rule: YearRule


type Rulebook = Mapping[int, Standing]


@dataclass(frozen=True, slots=True)
class Misread:
    """A change that the reader made otherwise than the Rulekeepor has it."""

    proposal: int
    rule: str
    why: str


@dataclass(frozen=True, slots=True)
class Touch:
    """A rule that an adoption changed: as it was, None for a new one, and which proposal did it."""

    pk: int
    before: YearRule | None
    by: int


@dataclass
class Count:
    """The changes so far: how many went by themselves, how many by hand, and those that were
    misread."""

    by_itself: int = 0
    by_hand: int = 0
    misread: list[Misread] = field(default_factory=list)


def touched(before: Rulebook, after: Rulebook, by: int) -> Iterable[Touch]:
    """The rules that are otherwise after an adoption than before it."""
    for pk in sorted(before.keys() | after.keys()):
        was, now = before.get(pk), after.get(pk)
        if was is None or now is None or was.rule.differs(now.rule):
            yield Touch(pk, was.rule if was else None, by)


def changed_by(step: RecordedChange, record: Mapping[str, YearRule]) -> list[YearRule]:
    """The rules that a step enacts or changes, beside how the record has them before it."""
    found = []
    for rule in step.rules:
        before = record.get(rule.number)
        if before is None or rule.differs(before):
            found.append(rule)
    return found


def most_like(rule: YearRule, candidates: Iterable[Standing]) -> Standing | None:
    """Which of these new rules is that one, which has got its number elsewhere: of its title and
    text, else of its text, else of its title."""
    several = list(candidates)
    looks = (
        lambda each: each.rule.differs(rule) in ([], ["power"]),
        lambda each: words(each.rule.text) == words(rule.text),
        lambda each: each.rule.title.casefold() == rule.title.casefold(),
    )
    for look in looks:
        found = [each for each in several if look(each)]
        if len(found) == 1:
            return found[0]
    return None


def otherwise(here: YearRule | None, theirs: YearRule | None) -> str:
    """In what the reader's rule is not the Rulekeepor's, as a sentence."""
    if here is None:
        return "It is gone here, and in force there."
    if theirs is None:
        return "It is in force here, and not there."
    parts = here.differs(theirs)
    more = ""
    if parts == ["power"]:
        more = f": {here.power} here, {theirs.power} there"
    elif "text" in parts:
        more = f": {_first_difference(words(here.text), words(theirs.text))}"
    return f"It has another {listed(parts)} here{more}."


def _first_difference(here: str, there: str) -> str:
    least = min(len(here), len(there))
    at = next((place for place in range(least) if here[place] != there[place]), least)
    begin = max(here.rfind(" ", 0, at) - 20, 0)
    return f"“…{here[begin : at + 60]}…” for “…{there[begin : at + 60]}…”"
