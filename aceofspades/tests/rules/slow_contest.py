"""The Reckoning a second time, slowly: hands to worths, worths to Finalists, in plain Python.

Each marking regulation is known by its text, and read by what its prose says: 310 to 410 here, the
library's in test_library.py. Nothing runs a block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aceofspades.rulebook import library, shipped_texts
from aceofspades.tests.rules.test_library import READINGS

Hands = dict[str, dict[str, int]]
Worths = dict[str, float]

_LIBRARY = {rule.text.strip(): READINGS[rule.title] for rule in library()}
_SHIPPED = {text.strip(): number for number, text in shipped_texts()}
_MARKING_FROM = 300


def slow_worths(
    hands: Hands, alliances: Sequence[Sequence[str]], texts: Mapping[int, str]
) -> Worths:
    """What the regulations in force make of these hands, in ascending number."""
    worths: Worths = {}
    for name in hands:
        worths[name] = 0
    for number in sorted(texts):
        if number >= _MARKING_FROM and "```python" in texts[number]:
            worths = slow_mark(hands, worths, alliances, texts[number])
    return worths


def slow_mark(
    hands: Hands, worths: Worths, alliances: Sequence[Sequence[str]], text: str
) -> Worths:
    """What one regulation makes of them."""
    text = text.strip()
    if text in _LIBRARY:
        return _LIBRARY[text](hands, worths)
    shipped = _SHIPPED[text]
    after = dict(worths)
    for name in hands:
        for suit in hands[name]:
            for _ in range(hands[name][suit]):
                if shipped == 320 and suit != "Mauve":
                    after[name] = after[name] + 1
                if shipped == 330 and suit == "Mauve":
                    after[name] = after[name] - 4
        if shipped == 310:
            after[name] = 0
    if shipped == 410:
        for members in alliances:
            lowest = min(worths[member] for member in members)
            for member in members:
                after[member] = after[member] + lowest
    return after


def slow_finalists(worths: Worths) -> list[str]:
    """Whoever is worth the most, if that is more than nothing."""
    finalists = []
    for name in worths:
        if worths[name] > 0 and not [rival for rival in worths if worths[rival] > worths[name]]:
            finalists.append(name)
    return finalists


def slow_tie(worths: Worths) -> list[str]:
    """Those who share the highest worth; nobody where one has it alone."""
    highest = [name for name in worths if worths[name] == max(worths.values())]
    return highest if len(highest) >= 2 else []
