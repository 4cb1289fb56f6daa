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
    return _PROTECTION_MONEY.replace("THE TEXT", thug_text().strip())


_PROTECTION_MONEY = """\
I find the isle too peaceful. A Thug who wants to be paid would make us think twice.

In the rule “The Gift of the Isle”, replace “known as Harvesting the Crop:” with “known as \
Harvesting the Crop, unless they are Injured:”.

In the rule “The Dice Deck”, add the following bullet points to the end of the bullet list:
* Let the Injured be those who are the Victims
* Let there be no Victims any more

In the rule “Visitors”, add the following rows to the Visitors table:
| 4 || Thug
| 10 || Thug

Add a subrule titled “Thug” to the rule “Visitors” and give it the following text:

{
THE TEXT
}
"""
