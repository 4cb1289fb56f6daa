"""The rule texts that an isle starts with, as files beside this one. No Django here."""

from functools import cache
from pathlib import Path
from types import MappingProxyType

from nomic.rulebook.shipped import shipped_rules

RULEBOOK = Path(__file__).parent
THUG = RULEBOOK / "thug"


@cache
def shipped_texts() -> MappingProxyType[str, str]:
    """The text of each rule that an isle starts with, by its title, in the files' order."""
    return MappingProxyType({rule.title: rule.text for rule in shipped_rules(RULEBOOK, "settlers")})


@cache
def thug_text() -> str:
    """The Thug's rule in our own words, which no isle starts with: what the tool plays by."""
    (rule,) = shipped_rules(THUG, "settlers")
    return rule.text


@cache
def protection_money() -> str:
    """A proposal in our own words that brings the Thug to an isle, as Protection Money did."""
    told = (RULEBOOK / "protection_money.txt").read_text(encoding="utf-8")
    return told.replace("THE TEXT", thug_text().strip())
