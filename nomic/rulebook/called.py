"""What the sentences of rules call a switch, an office or a currency, though no table declares it:
“Activity is a player switch”, “The Mad Engineer is an office”. People keep it by hand.
"""

import re
from collections.abc import Iterable

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.in_force import RuleText

SWITCH, OFFICE, CURRENCY = "switch", "office", "currency"
KINDS = {SWITCH: "a switch", OFFICE: "an office", CURRENCY: "a currency"}
_NAMED_SO = {
    SWITCH: "switch(?:es)?",
    OFFICE: "offices?",
    CURRENCY: "(?:currency|currencies|assets?)",
}
_LONGEST = 60  # characters of a name
# What is a proposal's or a rule's own may say something of the very text that is read.
_OF_TEXTS = "not|no|never|proposals?|decisions?|rules?|instruments?"
_ITS_KIND = rf"(?:(?!(?:{_OF_TEXTS})\b)[\w-]+,? ){{0,5}}"


def called(rules: Iterable[RuleText], name: str, kind: str) -> RuleText | None:
    """The first public rule with a sentence that begins with the name and calls it so, “Activity is
    a secured player switch”; None where there is none."""
    key = " ".join(name.casefold().split()).removeprefix("the ").removesuffix(f" {kind}")
    if not key or len(key) > _LONGEST:
        return None
    return next((rule for rule in rules if rule.is_public and _calls(rule.text, key, kind)), None)


@memoized(share=0.01)
def _calls(text: str, key: str, kind: str) -> bool:
    singular = key.removesuffix("s") if kind == CURRENCY else key
    plural = "s?" if kind == CURRENCY else ""
    another_name = r"[\w'’ -]{1,60}"
    sentence = re.compile(
        rf"(?:^|[.:;!?] )(?:[*•-] )?(?:the |an? )?(?:{another_name} and )?"
        rf"{re.escape(singular)}{plural}"
        rf"(?: and {another_name})? (?:is|are) (?:an? |the )?{_ITS_KIND}{_NAMED_SO[kind]}\b",
        re.IGNORECASE,
    )
    return any(
        sentence.search(" ".join(paragraph.split()))
        for paragraph in re.split(r"\n\s*\n", text)
        if singular in paragraph.casefold()
    )
