"""The rule texts that a game of races starts with, as files beside this one. No Django here."""

from functools import cache
from pathlib import Path
from types import MappingProxyType

from nomic.rulebook.shipped import shipped_rules

RULEBOOK = Path(__file__).parent


@cache
def shipped_texts() -> MappingProxyType[str, str]:
    """The text of each shipped rule by its title, in the files' order."""
    return MappingProxyType({rule.title: rule.text for rule in shipped_rules(RULEBOOK, "horses")})
