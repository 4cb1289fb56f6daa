"""A rulebook that lived elsewhere, as its files tell it; docs/moving-in.md has their shapes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

FORMAT = "nomic rulebook 1"
OF_SITE = "Played by the program"
"""The category in which rules go out that the site has brought itself."""
_KINDS = {
    ending: kind
    for kind, endings in {
        "wiki": ("wiki", "mediawiki", "mw"),
        "markdown": ("md", "markdown"),
        "rst": ("rst", "rest"),
        "plain": ("txt", "text"),
        "org": ("org",),
        "asciidoc": ("adoc", "asciidoc", "asc"),
        "html": ("html", "htm", "xhtml"),
        "csv": ("csv",),
        "json": ("json",),
        "yaml": ("yaml", "yml"),
    }.items()
    for ending in endings
}
FIELDS = ("number", "title", "text", "power", "rule_class", "category", "parent")
"""The fields of a rule that a file may call otherwise."""
HEADING_KINDS = ("rule", "category", "text")
"""What a heading may be said to be."""


def kind_of(name: str) -> str:
    """What a file is by the ending of its name: "wiki", "markdown", "rst", "plain", "org",
    "asciidoc", "html", "csv", "json" or "yaml"; "" where it says nothing."""
    return _KINDS.get(name.rpartition(".")[2].casefold(), "") if "." in name else ""


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

    `number`, `power` and `rule_class` (mutable or immutable) are as written, "" for none. `parent`
    is the number, else the title, of the rule under which it stands. `versions` are the earlier
    texts, the oldest first. `markup` is "wiki" where its text is MediaWiki's. `more` is what else
    its file has of it, in JSON; `filed` is the whole file, where it was one of YAML.
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
    rule_class: str = ""
    markup: str = ""
    filed: str = field(default="", compare=False)

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
class Category:
    """What is kept with a category of rules: a text below its heading, and in JSON what else the
    index has of it. The unnamed one is the whole rulebook, whose text stands before its rules."""

    name: str
    note: str = ""
    more: str = ""

    def facts(self) -> dict[str, Any]:
        """The category as plain values, those that are empty left out."""
        return {"name": self.name} | {
            field: words for field, words in asdict(self).items() if words
        }


@dataclass(frozen=True, slots=True)
class FileChoices:
    """What who brings a rulebook says of it.

    `headings` has of a heading, by the name of its file, a colon and its line, which of
    HEADING_KINDS it is; "text" is of the rule above it. `fields` has of our FIELDS of a rule which
    one of the files' it is.
    """

    headings: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a file, and as what it was taken: "rule", "category", "text", "history" or
    "annotations". `place` is as in `FileChoices`."""

    place: str
    words: str
    taken: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many of a kind stand in the files, and how many of them came."""

    kind: str
    stands: int
    came: int

    @property
    def missing(self) -> int:
        """How many of them did not come."""
        return self.stands - self.came


@dataclass(frozen=True, slots=True)
class Account:
    """What came, counted against what stands in the files; `lines` are sentences that name each
    line of them that did not come, the first so many of `missing`."""

    counts: tuple[Count, ...] = ()
    lines: tuple[str, ...] = ()
    missing: int = 0

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """The account of which `asdict` made these."""
        counts = tuple(Count(**count) for count in facts["counts"])
        return cls(counts, tuple(facts["lines"]), facts["missing"])


@dataclass(frozen=True, slots=True)
class Brought:
    """A rulebook as far as it was understood.

    `faults` are sentences that say where something cannot be understood: a rulebook with a fault
    comes in not at all. `notes` say what comes in otherwise than one might think. `headings` are
    those that may be said to be something else, `fields` the names of the fields in its files,
    `index` the file of YAML that had its categories.
    """

    rules: tuple[BroughtRule, ...] = ()
    repealed: tuple[BroughtRule, ...] = ()
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    account: Account = field(default=Account(), compare=False)
    headings: tuple[Heading, ...] = field(default=(), compare=False)
    fields: tuple[str, ...] = field(default=(), compare=False)
    index: str = field(default="", compare=False)

    def facts(self) -> dict[str, Any]:
        """The rules in JSON of our own schema."""
        facts: dict[str, Any] = {
            "format": FORMAT,
            "rules": [rule.facts() for rule in self.rules],
            "repealed": [rule.facts() for rule in self.repealed],
        }
        if self.categories:
            facts["categories"] = [category.facts() for category in self.categories]
        return facts | ({"index": self.index} if self.index else {})

    def remarks(self) -> dict[str, Any]:
        """What is said of the rules and of their files, as plain values."""
        return {
            "notes": list(self.notes),
            "faults": list(self.faults),
            "accounting": asdict(self.account),
            "headings": [asdict(heading) for heading in self.headings],
            "fields": list(self.fields),
        }

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """The rulebook of which `facts`, perhaps with `remarks`, gave out these."""
        rules, repealed = (
            tuple(map(BroughtRule.of, facts[part])) for part in ("rules", "repealed")
        )
        return cls(
            rules,
            repealed,
            faults=tuple(facts.get("faults", ())),
            notes=tuple(facts.get("notes", ())),
            categories=tuple(Category(**category) for category in facts.get("categories", ())),
            account=Account.of(facts["accounting"]) if "accounting" in facts else Account(),
            headings=tuple(Heading(**heading) for heading in facts.get("headings", ())),
            fields=tuple(facts.get("fields", ())),
            index=facts.get("index", ""),
        )


def compact(fact: object) -> str:
    """The JSON in which `source` and `more` are kept."""
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":"), default=float)
