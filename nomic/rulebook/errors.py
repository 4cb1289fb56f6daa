"""Why a rulebook cannot be changed in the way that was asked for."""

from nomic.rulebook.in_force import RuleText
from nomic.rulebook.limits import BadRule


class NoSuchRule(LookupError):
    """No rule of that title or number is in force, or it is not clear which is meant."""


class RuleExists(ValueError):
    """A rule of that title or number is in force already."""


class TooMuch(BadRule):
    """The rulebook has no room for a text: it would grow beyond a bound of its game."""


class RuleIsImmutable(BadRule):
    """An immutable rule, or one with such a rule under it, was to be changed."""

    def __init__(self, rule: RuleText) -> None:
        which = "The rule" if rule.is_immutable else "A rule under"
        super().__init__(
            f"{which} “{rule.title}” is immutable: no proposal and no correction changes it,"
            " but only that way which the rules themselves have for it."
        )


class RuleIsHidden(BadRule):
    """A rule that not everybody may read was to get another text or title."""

    def __init__(self) -> None:
        super().__init__("A hidden rule is not amended: repeal it, and enact another.")
