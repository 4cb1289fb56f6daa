"""The rule texts that games start with, a folder a kind of game. No Django here."""

from functools import cache
from pathlib import Path
from types import MappingProxyType

from nomic.rulebook.shipped import shipped_rules

RULEBOOK = Path(__file__).parent


@cache
def shipped_texts(folder: str) -> MappingProxyType[str, str]:
    """The text of each shipped rule of that folder by its title, in the files' order."""
    rules = shipped_rules(RULEBOOK / folder, "proposals")
    return MappingProxyType({rule.title: rule.text for rule in rules})
