"""Changes to a rule's text that name no more of it than they change. Pure.

Each takes the text and gives the new one, or raises EditFailed with a sentence for those who
wrote the change. `where` is how that sentence names the text: “in the rule “Visitors””.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans({**dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‘’‚‛′", "'")})
_QUOTED = 60  # characters of a passage that a sentence quotes
_BULLET = re.compile(r"(?P<indent>[ \t]*)(?P<sign>\*+|[-+•·–])(?P<gap>[ \t]+)(?P<words>\S.*)")
_HARD_WRAPPED = 100  # characters; a text with longer lines is not broken by hand


class EditFailed(ValueError):
    """A change cannot be made to a text; the sentence says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class PassageNotFound(EditFailed):
    """The passage that is to be replaced does not stand in the text."""


class PassageTwice(EditFailed):
    """The passage that is to be replaced stands in the text more than once."""


class NoBulletList(EditFailed):
    """There is no bullet list to add to, or nothing to add."""


def replace_passage(text: str, old: str, new: str, where: str = "in the text") -> str:
    """`text` with `old`, which must stand in it exactly once, replaced by `new`.

    Line breaks count as spaces, and typographic quotes as straight ones. Raises PassageNotFound,
    PassageTwice.
    """
    folded, wanted = _folded(text), _folded(old.strip())
    start = folded.find(wanted) if wanted else -1
    shown = f"The passage “{_beginning(old)}”"
    if start < 0:
        raise PassageNotFound(f"{shown} stands nowhere {where}.")
    if folded.find(wanted, start + 1) >= 0:
        times = max(folded.count(wanted), 2)
        often = "twice" if times == 2 else f"{times} times"
        raise PassageTwice(f"{shown} stands {often} {where}: quote more of it.")
    places = _Places(text)
    before = text[: places.original(start)]
    after = text[places.original(start + len(wanted) - 1) + 1 :]
    new = new.strip()
    return before + new + after if new else _joined(before, after)


class _Places:
    """From places in a folded text to those in the original."""

    def __init__(self, text: str) -> None:
        self._folded, self._shift = [0], [0]
        for run in _SPACES.finditer(text):
            longer = len(run[0]) - 1
            if longer:
                self._folded.append(run.start() - self._shift[-1] + 1)
                self._shift.append(self._shift[-1] + longer)

    def original(self, place: int) -> int:
        return place + self._shift[bisect_right(self._folded, place) - 1]


def _folded(text: str) -> str:
    return straight(_SPACES.sub(" ", text))


def straight(text: str) -> str:
    """The text with straight quotes for typographic ones, at the same places."""
    return text.translate(_QUOTES)


def _beginning(passage: str) -> str:
    words = " ".join(passage.split())
    return words if len(words) <= _QUOTED else words[:_QUOTED].rstrip() + "…"


def _joined(before: str, after: str) -> str:
    """Both sides of a passage that was taken out, parted by the wider of the gaps around it."""
    left, right = before.rstrip(), after.lstrip()
    gaps = before[len(left) :], after[: len(after) - len(right)]
    if not left or not right:
        return left + (gaps[1] if left else "") + right
    return left + max(gaps, key=lambda gap: gap.count("\n")) + right


# Bullet lists


@dataclass(frozen=True, slots=True)
class _BulletList:
    """The last bullet list of a text: how its items begin, whether blank lines part them, and
    the line after its last item."""

    indent: str
    sign: str
    gap: str
    loose: bool
    end: int

    def item(self, indent: str, sign: str, words: str) -> str:
        """A bullet in this list's own style; more signs or a wider indent stand a level lower."""
        if len(sign) > 1 and self.sign != "*":
            indent, sign = indent + "  " * (len(sign) - 1), self.sign
        elif len(sign) == 1:
            sign = self.sign
        return f"{self.indent}{indent}{sign}{self.gap}{words}"


def add_bullets(text: str, bullets: str, where: str = "in the text") -> str:
    """`text` with more items at the end of its bullet list, the last one if it has several.

    Each item begins with the list's own sign, whichever `bullets` have; lines of `bullets`
    without a sign are items of their own where none has one. Raises NoBulletList.
    """
    lines = _lines(text)
    found = _last_list(lines)
    if found is None:
        raise NoBulletList(f"There is no bullet list {where}.")
    items = _items(bullets, found)
    if not items:
        raise NoBulletList(f"There are no bullet points to be added {where}.")
    if found.loose:
        items = [line for item in items for line in ("", item)]
    return "\n".join([*lines[: found.end], *items, *lines[found.end :]])


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _items(bullets: str, found: _BulletList) -> list[str]:
    lines = [line for line in _lines(bullets) if line.strip()]
    matches = [_BULLET.fullmatch(line) for line in lines]
    least = min((match["indent"] for match in matches if match), key=len, default="")
    written: list[str] = []
    for line, match in zip(lines, matches, strict=True):
        if match:
            indent = match["indent"].removeprefix(least)
            written.append(found.item(indent, match["sign"], match["words"].rstrip()))
        elif not written or not any(matches):
            written.append(found.item("", found.sign, line.strip()))
        else:
            written[-1] += f"\n{found.indent}  {line.strip()}"
    return written


def _last_list(lines: list[str]) -> _BulletList | None:
    bullets = {number: match for number, line in enumerate(lines) if (match := _bullet(line))}
    if not bullets:
        return None
    width = max(map(len, lines))
    first, last, loose = max(bullets), max(bullets), False
    for number in sorted(bullets, reverse=True)[1:]:
        if not _belong(lines, number + 1, first, width):
            break
        loose = loose or any(not line.strip() for line in lines[number:first])
        first = number
    end = last + 1
    while end < len(lines) and lines[end].strip() and _belong(lines, end, end + 1, width):
        end += 1
    top = min((bullets[n] for n in bullets if n >= first), key=lambda b: len(b["indent"]))
    return _BulletList(top["indent"], top["sign"][0], top["gap"], loose, end)


def _bullet(line: str) -> re.Match[str] | None:
    """A line that begins an item; not a line of dashes or stars alone, which is a ruler."""
    return _BULLET.fullmatch(line) if line.strip("-*+ \t") else None


def _belong(lines: list[str], start: int, end: int, width: int) -> bool:
    """Whether these lines, under an item, are all the item's, or blank."""
    return all(
        not lines[number].strip() or _goes_on(lines[number - 1], lines[number], width)
        for number in range(start, end)
    )


def _goes_on(above: str, line: str, width: int) -> bool:
    """Whether a line under an item is still the item's: indented, or broken off by hand.

    It is broken by hand where it begins with a small letter, or where its first word had no
    room in the line above.
    """
    if line[0] in " \t":
        return True
    first = line.split()[0]
    is_wrapped = width <= _HARD_WRAPPED and len(above) + 1 + len(first) > width
    return bool(above.strip()) and (first[0].islower() or is_wrapped)
