"""Lists and numbers as sentences have them."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

_A_DAY = len("2026-11-30")
_PARTING = {
    signs: re.compile(rf"([{signs}]\s*(?:and\s+)?|\s+and\s+)", re.IGNORECASE)
    for signs in (",", ",;")
}


def enumerated(words: Sequence[str], last: str = "and") -> str:
    """Words in a row: “a, b and c”; nothing for none."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def parted(text: str, known_names: Iterable[str], signs: Literal[",", ",;"] = ",") -> list[str]:
    """The names in a list with commas, or also semicolons, and an “and”, spelled as the known ones
    are.

    A known name may have commas and an “and” of its own. What is not known stays as it is.
    """
    parting = _PARTING[signs]
    spelled = {name.casefold(): name for name in known_names}
    longest = 1 + 2 * max((len(parting.findall(name)) for name in spelled), default=0)
    parts, names, at = parting.split(text.strip()), [], 0
    while at < len(parts):
        # The longest known name that begins here, else the first part; every second part is what
        # stands between two.
        candidates = parts[at : at + longest]
        name, taken = candidates[0].strip(), 1
        for many in range(len(candidates), 0, -2):
            spelling = " ".join("".join(candidates[:many]).split()).casefold()
            if spelling in spelled:
                name, taken = spelled[spelling], many
                break
        names += [name] if name else []
        at += taken + 1
    return names


def first_of(words: Sequence[str], limit: int) -> str:
    """The first of these words, and how many more there are: “a, b and 3 more”."""
    ending = f" and {len(words) - limit} more" if len(words) > limit else ""
    return ", ".join(words[:limit]) + ending


def one(noun: str) -> str:
    """The noun with its article: “a rule”, “an office”."""
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"


def counted(number: int, singular: str, many: str = "") -> str:
    """A number with its noun: “1 card”, “3 cards”."""
    return f"{number} {singular if number == 1 else many or f'{singular}s'}"


def moment_in_words(text: str) -> str:
    """A day or moment as JSON has it, in words; any other text as it is."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if len(text) == _A_DAY:
        return f"{moment.day} {moment:%B %Y}"
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC" if moment.tzinfo else text


def listed_names(names: str) -> list[str]:
    """The names in a text that has commas between them, each once."""
    parts = (" ".join(name.split()) for name in names.split(","))
    return [*dict.fromkeys(filter(None, parts))]
