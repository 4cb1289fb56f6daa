"""Changes of the rules that practice players propose, and people who have no idea of their own yet:
a TOML file a subgame, written beforehand."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nomic.engine.programs.gallery import enacting, gallery
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.rulebook.book import Rulebook


@dataclass(frozen=True, slots=True)
class Shelved:
    """A change that fits wherever what it changes reads as it did when it was written.

    It replaces the passage `replace` of the `rule` `by` another, or enacts a rule of the title
    `enact` with this `text` or with that of the gallery for one currency (its names for one and for
    several), or repeals the rule `repeal`, or has another `body`. `why` is its author's reason.
    """

    title: str
    why: str
    rule: str = ""
    replace: str = ""
    by: str = ""
    enact: str = ""
    text: str = ""
    currency: tuple[str, ...] = ()
    repeal: str = ""
    body: str = ""

    def fits(self, rules: Rulebook) -> bool:
        """Whether it changes those rules, and all that it names is there once."""
        if self.enact:
            return not rules.in_force(self.enact)
        if self.repeal:
            return rules.in_force(self.repeal)
        if self.rule:
            return rules.in_force(self.rule) and rules.text(self.rule).count(self.replace) == 1
        return True

    def as_proposed(self) -> str:
        """The proposal's body."""
        said = self.body.strip()
        if self.enact and self.currency:
            piece = next(each for each in gallery() if each.title == self.enact)
            said = piece.as_proposed([(self.currency[0], self.currency[1])])
        elif self.enact:
            said = enacting(self.enact, f"{self.text.strip()}\n")
        elif self.repeal:
            said = f"Repeal the rule “{self.repeal}”."
        elif self.rule:
            said = f"In the rule “{self.rule}”, replace “{self.replace}” with “{self.by}”."
        return f"[{self.why}]\n\n{said}\n"


@cache
def read_shelf(path: Path) -> tuple[Shelved, ...]:
    """The changes of that file, in its order."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))["changes"]
    return tuple(Shelved(**{**each, "currency": tuple(each.get("currency", ()))}) for each in told)


def shelves(table: Table) -> list[Shelved]:
    """The changes on the shelves of the subgames in play that fit the rules as they read now."""
    paths = (each.shelf() for each in in_play(table.game))
    shelved = (change for path in paths if path for change in read_shelf(path))
    return [change for change in shelved if change.fits(table.rules)]
