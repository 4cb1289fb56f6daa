"""The rule texts that a subgame ships: a Markdown file a rule, with a short head.

The head stands between two lines of `---`; it gives `title`, `source`, and perhaps `name` (what a
game calls it, where the machinery knows it by its title alone), `number`, `parent`, `position`,
`class` (mutable or immutable) and `visibility` (public, private or secret), one a line.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nomic.rulebook.limits import CLASSES

_VISIBILITIES = ("public", "private", "secret")


@dataclass(frozen=True, slots=True)
class ShippedRule:
    """A rule text as its file has it. `origin` is the app that ships it."""

    title: str
    text: str
    name: str = ""
    source: str = ""
    number: str = ""
    parent: str = ""
    position: int = 0
    origin: str = ""
    rule_class: str = "mutable"
    visibility: str = "public"

    def facts(self) -> dict[str, Any]:
        """The rule as plain values, for the record of a game's beginning.

        That it is mutable goes without saying there. BadHead where not everybody may read it:
        that record is public.
        """
        if self.visibility != "public":
            raise BadHead(f"“{self.title}” is hidden: no game can begin with it on the record.")
        recorded = asdict(self)
        del recorded["visibility"], recorded["name"]
        if self.name:
            recorded |= {"title": self.name, "known_as": self.title}
        if self.rule_class == "mutable":
            del recorded["rule_class"]
        return recorded


class BadHead(ValueError):
    """A rule's file lacks its head, or the head its title, or it says what cannot be."""


@cache
def shipped_rules(folder: Path, origin: str) -> tuple[ShippedRule, ...]:
    """The rules in that folder, by the position in their heads and then by file name. Raises
    BadHead."""
    rules = []
    for file in sorted(folder.glob("*.md")):
        before, _, rest = file.read_text(encoding="utf-8").partition("---\n")
        head, ruler, text = rest.partition("\n---\n")
        if before.strip() or not ruler:
            raise BadHead(f"{file.name} does not begin with a head between two lines of ---.")
        lines = (line.partition(":") for line in head.splitlines() if line.strip())
        facts: dict[str, Any] = {name.strip(): fact.strip().strip('"') for name, _, fact in lines}
        if not facts.get("title"):
            raise BadHead(f"{file.name} has no title in its head.")
        facts |= {
            "position": int(facts.get("position", "0")),
            "rule_class": facts.pop("class", "mutable"),
        }
        rule = ShippedRule(text=text.strip() + "\n", origin=origin, **facts)
        if rule.rule_class not in CLASSES or rule.visibility not in _VISIBILITIES:
            kinds = f"the class “{rule.rule_class}” and “{rule.visibility}”"
            raise BadHead(f"{file.name} is of {kinds} in its head.")
        rules.append(rule)
    return tuple(sorted(rules, key=lambda rule: rule.position))


@cache
def texts_in(folder: Path, origin: str) -> Mapping[str, str]:
    """The text of each rule in that folder by its title, in the same order. Raises BadHead."""
    return MappingProxyType({rule.title: rule.text for rule in shipped_rules(folder, origin)})
