"""Switches that subgames offer by name, so that a proposal can set them."""

from collections.abc import Sequence
from typing import ClassVar

from nomic.engine.table import Table
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import ChartBroken


class Switch:
    """One thing that has a value, of the whole game or of each of several subjects.

    `name` is what players call it; `of` is what it is a switch of (“horse”, “player”), empty for
    one of the whole game, whose subject is then "". Values are texts, as a proposal has them:
    “3”, “none”, “first”.
    """

    name: ClassVar[str]
    of: ClassVar[str] = ""

    def subjects(self, table: Table) -> Sequence[str]:
        """Those that have this switch now, by name; nothing where the game does not have it."""
        raise NotImplementedError

    def value(self, table: Table, subject: str) -> str:
        """How it stands. Raises TableBroken where a rule's table is needed and cannot be read."""
        raise NotImplementedError

    def refusal(self, table: Table, subject: str, value: str) -> Refusal | None:
        """Why it cannot be set to that; None if it can. A table that cannot be read refuses it."""
        try:
            return self.why_not(table, subject, value.strip())
        except ChartBroken as broken:
            return broken.refusal

    def why_not(self, table: Table, subject: str, value: str) -> Refusal | None:
        """Why it cannot be set to that; None if it can. Raises ChartBroken where a rule's table is
        needed and cannot be read."""
        raise NotImplementedError

    def set(self, table: Table, subject: str, value: str) -> str | None:
        """Set it at a locked table, to a value that is not refused; what else is to be said. `turn`
        calls it."""
        raise NotImplementedError

    def turn(self, table: Table, subject: str, value: str) -> tuple[str, str | None]:
        """Set it, and let the entry that is being made tell so among its effects; how it stands
        then, and what else is to be said."""
        more = self.set(table, subject, value)
        after = self.value(table, subject)
        table.tell(switch=[self.name, subject, after])
        return after, more


class NoSuchSwitch(LookupError):
    """No part of this program offers a switch of that name."""


_SWITCHES: dict[str, Switch] = {}
_NOUNS = frozenset({"switch", "list", "flag", "value"})  # may stand behind a name, or be left out


def switch(cls: type[Switch]) -> type[Switch]:
    """Register the switch under its name, which must be new."""
    key = _key(cls.name)
    if key in _SWITCHES:
        raise ValueError(f"There are two switches named {cls.name}.")
    _SWITCHES[key] = cls()
    return cls


def find_switch(name: str) -> Switch:
    """The switch of that name, in whatever case; raises NoSuchSwitch with a sentence."""
    try:
        return _SWITCHES[_key(name)]
    except KeyError:
        known = ", ".join(each.name for each in all_switches()) or "none"
        raise NoSuchSwitch(
            f"The program keeps no switch “{name[:60]}”. Those that it keeps: {known}."
        ) from None


def all_switches() -> list[Switch]:
    """Every switch, in the order in which the subgames registered them."""
    return list(_SWITCHES.values())


def _key(name: str) -> str:
    words = name.casefold().split()
    words = words[1:] if words[:1] == ["the"] else words
    return " ".join(words[:-1] if words[1:] and words[-1] in _NOUNS else words)
