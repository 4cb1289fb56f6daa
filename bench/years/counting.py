"""Counting which of a year's changes went by themselves, and which people had to make: by comparing
the rules before and after each adoption with what the Rulekeepor has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from bench.years.values import YearRule, words
from nomic.games.wording import enumerated

_ALIKE = 0.8  # how much of two texts is the same in one that was written down otherwise
_FEWEST_WORDS = 8  # of which the likeness of two texts tells something

type Rulebook = Mapping[int, YearRule]  # the rules in force in the game, by their keys there


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


def touched(before: Rulebook, after: Rulebook, by: int) -> Iterator[Touch]:
    """The rules that are otherwise after an adoption than before it."""
    for pk in sorted(before.keys() | after.keys()):
        was, now = before.get(pk), after.get(pk)
        if was is None or now is None or was.differs(now):
            yield Touch(pk, was, by)


def most_like(rule: YearRule, candidates: Iterable[YearRule]) -> YearRule | None:
    """Which of these new rules is that one, which has got its number elsewhere: of its title and
    text, else of its text, else of its title."""
    several = list(candidates)
    looks = (
        lambda each: each.differs(rule) in ([], ["power"]),
        lambda each: words(each.text) == words(rule.text),
        lambda each: each.title.casefold() == rule.title.casefold(),
    )
    for look in looks:
        found = [each for each in several if look(each)]
        if len(found) == 1:
            return found[0]
    return None


def recorded_in_other_words(touch: Touch, here: YearRule, theirs: YearRule, adopted: str) -> bool:
    """Whether what an adoption brought stands word by word in the text that was `adopted`, and the
    Rulekeepor has nearly the same in words that do not."""
    if touch.before is None or here.differs(theirs) != ["text"]:
        return False
    brought, recorded = (_brought(touch.before, each) for each in (here, theirs))
    own, other = (" ".join(pieces).split() for pieces in (brought, recorded))
    is_alike = SequenceMatcher(None, own, other, autojunk=False).ratio() >= _ALIKE
    is_adopted = [all(piece in words(adopted) for piece in each) for each in (brought, recorded)]
    return len(own) >= _FEWEST_WORDS and is_alike and is_adopted == [True, False]


def _brought(before: YearRule, after: YearRule) -> list[str]:
    """The words of a rule that were not in it before, piece by piece."""
    old, new = words(before.text).split(" "), words(after.text).split(" ")
    pieces = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [" ".join(new[start:end]) for kind, _, _, start, end in pieces if kind != "equal"]


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
    elif "text" in parts:  # from a little before the first sign that differs
        own, other = words(here.text), words(theirs.text)
        least = min(len(own), len(other))
        at = next((place for place in range(least) if own[place] != other[place]), least)
        begin = max(own.rfind(" ", 0, at) - 20, 0)
        more = f": “…{own[begin : at + 60]}…” for “…{other[begin : at + 60]}…”"
    return f"It has another {enumerated(parts)} here{more}."
