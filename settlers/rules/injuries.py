"""The sentences of rule texts on the Injured and the Victims, read as prose. No Django here.

The Gift of the Isle may bar the Injured, The Dice Deck may have steps that move them. Only the
forms below are followed; what is said otherwise is for people to keep.
"""

import re

# The two steps of the Production that Protection Money brings.
VICTIMS_ARE_INJURED = "the Victims are the Injured"
NO_VICTIMS = "there are no Victims"

_INJURED = r"(?<![\w-])injured\b"
_VICTIMS = r"(?<![\w-])victims\b"
_HARVEST = r"\bharvest(?:s|ing)?\b"
_UNLESS_INJURED = rf"\bunless\b(?:(?!\b(?:not|no|never)\b).)*{_INJURED}"
_NEVER = r"\b(?:may not|cannot|can not|can't|must not|may never|can never)\b"
_BARS = (
    re.compile(rf"{_HARVEST}.*{_UNLESS_INJURED}"),
    re.compile(rf"^\W*{_UNLESS_INJURED}.*{_HARVEST}"),
    # Between the two no other verb begins: who is Injured may not trade, but may harvest.
    re.compile(rf"{_INJURED}(?:(?!\b(?:may|can)\b).)*{_NEVER}(?:(?!\b(?:may|can)\b).)*{_HARVEST}"),
)
_SENTENCES = re.compile(r"(?<=[.;])\s|\n")
_CLAUSES = re.compile(r"[;,.]|\bthen\b|\band\b(?=\s+(?:set|let|make|empty|clear)\b)")
_BULLET = re.compile(r"\s*[*+-]+\s*(.*)")
_SET = r"^(?:set|let|make)\b(?:(?!\bnot\b).)*"
_STEPS = (
    (VICTIMS_ARE_INJURED, re.compile(rf"{_SET}{_INJURED}.*{_VICTIMS}")),
    (VICTIMS_ARE_INJURED, re.compile(rf"{_SET}{_VICTIMS} (?:become|be) (?:the )?{_INJURED}")),
    (NO_VICTIMS, re.compile(rf"{_SET}{_VICTIMS}.*\b(?:empty|nobody|no one|none|nothing)\b")),
    (NO_VICTIMS, re.compile(rf"^let there be no {_VICTIMS}")),
    (NO_VICTIMS, re.compile(rf"^(?:empty|clear) the {_VICTIMS}")),
)


def bars_the_injured(gift: str) -> bool:
    """Whether a sentence of that text bars the Injured from harvesting: “unless … Injured” or “the
    Injured may not …”."""
    sentences = _SENTENCES.split(_plain(gift))
    return any(form.search(sentence) for sentence in sentences for form in _BARS)


def injury_steps(deck: str) -> tuple[str, ...]:
    """The steps VICTIMS_ARE_INJURED and NO_VICTIMS among that text's bullets, in their order.

    A step that stands there twice counts once, where it stands first.
    """
    bullets = filter(None, map(_BULLET.fullmatch, _plain(deck).splitlines()))
    clauses = [part.strip() for bullet in bullets for part in _CLAUSES.split(bullet[1])]
    steps = (next((step for step, form in _STEPS if form.search(clause)), "") for clause in clauses)
    return tuple(dict.fromkeys(filter(None, steps)))


def _plain(text: str) -> str:
    return text.casefold().replace("’", "'")
