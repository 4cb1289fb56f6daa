"""Which titles of rules the eye takes for one another."""

import re
import unicodedata
from functools import lru_cache

from nomic.play.table import Table
from nomic.rulebook.in_force import RuleText

# What Unicode has as letters and marks and fonts draw as nothing; an emoji in a title may need one.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def same_looking(table: Table, title: str, of: RuleText | None = None) -> RuleText | None:
    """The public rule, other than `of`, whose title differs from this one in form only.

    Width, composition, case and what is drawn as nothing do not count.
    """
    seen = _seen(title)
    others = (rule for rule in table.rules.public if of is None or rule.pk != of.pk)
    return next((rule for rule in others if _seen(rule.title) == seen), None)


@lru_cache(maxsize=4096)
def _seen(title: str) -> str:
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", title)).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())
