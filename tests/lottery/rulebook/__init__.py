"""The rule text that a lottery starts with. No Django here."""

from functools import cache
from pathlib import Path
from types import MappingProxyType

from nomic.rulebook.shipped import shipped_rules

RULEBOOK = Path(__file__).parent


@cache
def shipped_texts() -> MappingProxyType[str, str]:
    """The text of the shipped rule by its title."""
    return MappingProxyType({rule.title: rule.text for rule in shipped_rules(RULEBOOK, "lottery")})
