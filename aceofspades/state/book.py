"""Regulations as the contest has them: their numbers, and who knows which."""

import re
from dataclasses import dataclass, field

from aceofspades.models import Contestant, NeedToKnow
from nomic.rulebook.in_force import RuleText

_CALLED = re.compile(r"Regulation ([0-9]{1,4})\b")


@dataclass(frozen=True, slots=True)
class Knower:
    """A contestant who has need to know for a private regulation; `full` may pass it on."""

    name: str
    full: bool


@dataclass(frozen=True, slots=True)
class RegulationInBook:
    """A regulation in force. Its number is everybody's to know; the text is for view.py to show,
    unless it is public. `enacted_in` is the entry in which it took effect."""

    pk: int
    number: int
    rule_class: str
    visibility: str
    text: str = field(repr=False)
    enacted_in: int = 0

    @property
    def title(self) -> str:
        """The title of its rule in the rulebook."""
        return f"Regulation {self.number}"

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.visibility == "public"

    @property
    def is_immutable(self) -> bool:
        """Whether only the consent of all changes it."""
        return self.rule_class == "immutable"


def number_of(rule: RuleText) -> int | None:
    """The number by which the contest has that rule: what it was first called says it. Another
    number or title that the game gives it later makes it no other regulation."""
    called = _CALLED.match(rule.known_as) or _CALLED.match(rule.title)
    return int(called[1]) if called else None


def know(regulation: int, contestant: Contestant, entry: int, *, full: bool) -> None:
    """Let the contestant have need to know for the regulation of that key; full stays full."""
    row = NeedToKnow(regulation_id=regulation, contestant=contestant, full=full, entry=entry)
    if full:
        NeedToKnow.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["regulation", "contestant"],
            update_fields=["full", "entry"],
        )
    else:
        NeedToKnow.objects.bulk_create([row], ignore_conflicts=True)
