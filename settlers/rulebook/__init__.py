"""The rule texts that an isle starts with, as files beside this one. No Django here."""

from functools import cache, partial
from pathlib import Path

from nomic.rulebook.shipped import texts_in

RULEBOOK = Path(__file__).parent
THUG = RULEBOOK / "thug"
# The text of each rule that an isle starts with, by its title, in the files' order.
shipped_texts = partial(texts_in, RULEBOOK, "settlers")


def thug_text() -> str:
    """The Thug's rule in our own words, which no isle starts with: what the tool plays by."""
    (text,) = texts_in(THUG, "settlers").values()
    return text


@cache
def protection_money() -> str:
    """A proposal in our own words that brings the Thug to an isle, as Protection Money did."""
    proposal = (RULEBOOK / "protection_money.txt").read_text(encoding="utf-8")
    return proposal.replace("THE TEXT", thug_text().strip())
