"""A rulebook that lived elsewhere, as its files tell it; docs/moving-in.md has their shapes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

FORMAT = "nomic rulebook 1"


@dataclass(frozen=True, slots=True)
class PastChange:
    """A change of a rule before it came here, as its keeper told it.

    `date` is ISO 8601 where it is known to the day, else words ("around 1994-04-07"). `source` is
    the entry as the file had it, in JSON, "" where these words are all that it had.
    """

    date: str
    change: str
    agent: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A judgement or remark that was kept with a rule; `date` and `source` as for a change."""

    date: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class EarlierText:
    """A text that a rule had before, until the change of that `date`."""

    date: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BroughtRule:
    """A rule from elsewhere, its text exactly as it was.

    `number` and `power` are as written, "" for none. `parent` is the number, else the title, of the
    rule under which it stands. `versions` are the earlier texts, the oldest first. `more` is what
    else its file has of it, in JSON.
    """

    number: str
    title: str
    text: str
    power: str = ""
    category: str = ""
    parent: str = ""
    history: tuple[PastChange, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    versions: tuple[EarlierText, ...] = ()
    more: str = ""

    @property
    def name(self) -> str:
        """The rule as a sentence calls it, by its number, if it has one, and its title."""
        number = f" {self.number}" if self.number else ""
        return f"rule{number} “{self.title}”"

    def facts(self) -> dict[str, Any]:
        """The rule as plain values, those that are empty left out."""
        facts = asdict(self)
        for name in _LISTS:
            facts[name] = [
                {field: words for field, words in entry.items() if words} for entry in facts[name]
            ]
        return {name: fact for name, fact in facts.items() if fact or name in _ALWAYS}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """The rule of which `facts` gave out these."""
        lists = {
            name: tuple(kind(**{"date": "", **entry}) for entry in facts.get(name, ()))
            for name, kind in _LISTS.items()
        }
        return cls(**{**facts, **lists})


_LISTS: dict[str, type[Any]] = {
    "history": PastChange,
    "annotations": Annotation,
    "versions": EarlierText,
}
_ALWAYS = ("number", "title", "text")


@dataclass(frozen=True, slots=True)
class Brought:
    """A rulebook as far as it was understood.

    `faults` are sentences that say where something cannot be understood: a rulebook with a fault
    comes in not at all. `notes` say what comes in otherwise than one might think.
    """

    rules: tuple[BroughtRule, ...] = ()
    repealed: tuple[BroughtRule, ...] = ()
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The rules in JSON of our own schema."""
        return {
            "format": FORMAT,
            "rules": [rule.facts() for rule in self.rules],
            "repealed": [rule.facts() for rule in self.repealed],
        }


def compact(fact: object) -> str:
    """The JSON in which `source` and `more` are kept."""
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":"), default=float)
