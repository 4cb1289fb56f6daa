"""Changes to a rule's text that name no more of it than they change. Pure.

Each takes the text and gives the new one, or raises EditFailed with a sentence for those who
wrote the change. `where` is how that sentence names the text: “in the rule “Visitors””.
"""

import re
from collections import deque
from dataclasses import dataclass

from nomic.rulebook.edits.confirmed import places_of
from nomic.rulebook.edits.parts import (
    MARKER,
    WORDS,
    EditFailed,
    StandsNowhere,
    TextPart,
    beginning,
    goes_on,
    lines_of_no_list,
)
from nomic.rulebook.tables import lines_of
from nomic.rulebook.units import Block, BlockKind, blocks_of, closes_fence, fence_of

_BULLET = re.compile(r"(?P<indent>[ \t]*)(?P<sign>\*+|[-+•·–])(?P<gap>[ \t]+)(?P<words>\S.*)")
_BLOCK_BEGINS = re.compile(r"(?:#{1,6}|[*+•-]|\d{1,3}[.)])\s|[|!]|`{3}|~{3}")
_CLINGS = re.compile(r"[,.;:!?)\]}’”%/]|[-'](?=\S)|\((?:s|es)\)")  # begins right behind a word
_HOLDS = re.compile(r"[(\[{“‘/$]\Z|(?<=\S)-\Z")  # ends right before a word


def replace_passage(
    text: str, old: str, new: str, where: str = "in the text", part: TextPart = WORDS
) -> str:
    """`text` with `old`, which must stand in it exactly once, replaced by `new`.

    Or else with that `part` of it replaced. Line breaks count as spaces, and typographic quotes as
    straight ones. Raises EditFailed.
    """
    for start, end in reversed(places_of(text, old, part, where)):
        before, after = text[:start], text[end:]
        behind = new or after
        if text[start].isspace() and before[-1:].isalnum() and behind[:1].isalnum():
            raise EditFailed(f"“{beginning(old)}” takes the space before a word {where}.")
        if text[end - 1].isspace() and (new or before)[-1:].isalnum() and after[:1].isalnum():
            raise EditFailed(f"“{beginning(old)}” takes the space behind a word {where}.")
        if not new.strip():
            if part.unit == "sentence" and _is_all_of_item(text, start, end):
                raise EditFailed(f"The sentence is all of an item {where}: say the list item.")
            head, tail = before.rstrip(), after.lstrip()
            gaps = before[len(head) :], after[: len(after) - len(tail)]
            wider = max(gaps, key=lambda gap: gap.count("\n"))
            if "\n" in gaps[1]:  # what follows keeps its own indentation
                wider = wider.rpartition("\n")[0] + "\n" + gaps[1].rpartition("\n")[2]
            text = head + (wider if head and tail else gaps[1] if head else "") + tail
        elif part.unit == "item" and not MARKER.match(new.strip()):
            marker = MARKER.match(text, start)
            text = before + (marker[0] if marker else "") + new.strip() + after
        elif part.unit:
            text = before + new.strip() + after
        else:
            text = before + new + after
    return text


def stands_in(text: str, words: str, part: TextPart) -> bool:
    """Whether there is an instance of these words, or of that word, in the text."""
    try:
        return bool(places_of(text, words, part, ""))
    except StandsNowhere:
        return False
    except EditFailed:  # it is there, and not as it can be replaced
        return True


def _is_all_of_item(text: str, start: int, end: int) -> bool:
    line = text.rfind("\n", 0, start) + 1
    marker = MARKER.match(text, line)
    return marker is not None and marker.end() == start and text[end : end + 1] in ("", "\n")


def insert(
    text: str,
    side: str,
    anchor: str,
    added: str,
    where: str = "in the text",
    unit: str = "",
    part: TextPart = WORDS,
) -> str:
    """`text` with `added` on one side, "before" or "after", of a passage.

    They are parted as passages of their kind are; a `unit` such as a paragraph only goes where
    such a one begins or ends. Raises EditFailed.
    """
    if not added.strip():
        raise EditFailed("There is nothing to be inserted: write the text behind it, in braces.")
    gap = _gap(added, unit or part.unit)
    added, indent = added.strip(), ""
    if part.unit == "text" and gap != "\n\n":
        _check_beside(text, gap, added, where, next(blocks_of(text), None))
    for start, end in reversed(places_of(text, anchor.strip(), part, where)):
        place = end if side == "after" else start
        if (unit or part.unit) == "item":
            indent, added = _as_item(text, start, added, where)
        around = text[:start].rpartition("\n")[2] + text[end:].partition("\n")[0]
        if gap == " " and _BULLET.match(added) and not around.strip():
            gap = "\n"
        _must_part(text, place, side, gap, f"“{beginning(anchor)}” {where}")
        sides = (added[-1], text[place : place + 1])
        if side == "before":
            sides = (text[:place][-1:], added[0])
        if gap == " " and all(map(str.isalnum, sides)):
            raise EditFailed(
                f"Next to “{beginning(anchor)}” {where} another word begins or ends at once: quote"
                " that, too."
            )
        ahead, behind = (text[:place], added) if side == "after" else (added, text[place:])
        clings = _CLINGS.match(behind) or _HOLDS.search(ahead[-2:])
        between = "" if gap == " " and clings else gap + indent
        piece = between + added if side == "after" else added + between
        text = text[:place] + piece + text[place:]
    return text


def _as_item(text: str, at: int, added: str, where: str) -> tuple[str, str]:
    """The indent of the list item of that place, and `added` with its bullet if it has no sign."""
    beside = _BULLET.match(text, text.rfind("\n", 0, at) + 1)
    if beside is None and not MARKER.match(added):
        raise EditFailed(
            f"The item is to stand beside one that has no bullet {where}: write it with its own"
            " number or sign."
        )
    sign = beside["sign"] + beside["gap"] if beside and not MARKER.match(added) else ""
    return beside["indent"] if beside else "", sign + added


def _must_part(text: str, place: int, side: str, gap: str, named: str) -> None:
    """Raise EditFailed unless a text with that gap can go on that side of a place."""
    rest = text[place:] if side == "after" else text[:place][::-1]
    line, next_line = [*rest.split("\n", 2), ""][:2]
    if gap == " ":
        if text[place - 1 : place + 1].isalnum() and 0 < place < len(text):
            raise EditFailed(f"{named} ends within a word: quote the whole.")
    elif line.strip() or (gap == "\n\n" and next_line.strip()):
        raise EditFailed(
            f"{named} stands within a paragraph, and the text that is added is one of its own:"
            " quote the whole."
        )


def append(
    text: str,
    added: str,
    where: str = "in the text",
    unit: str = "",
    anchor: str = "",
    part: TextPart = WORDS,
) -> str:
    """`text` with `added` at its end, or at the end of a passage or part of it."""
    if not added.strip():
        raise EditFailed("There is nothing to be added: write the text behind it, in braces.")
    if anchor or part.unit:
        end = places_of(text, anchor.strip(), part, where)[-1][1]
        if unit in ("paragraph", "item") or "\n\n" in added.strip():
            raise EditFailed(
                f"It is not clear where a text of several paragraphs goes {where}: insert it"
                " after a passage."
            )
        _check_beside(text, " ", added.strip(), where, None)
        return text[:end] + " " + added.strip() + text[end:]
    if not text.strip():
        return added
    gap = " " if unit == "sentence" else "\n" if unit == "line" else "\n\n"
    _check_beside(text, gap, added.strip(), where, deque(blocks_of(text), maxlen=1)[0])
    last = "\n" if text.endswith("\n") else ""
    return f"{text.rstrip()}{gap}{added.strip(chr(10))}{last}"


def _check_beside(text: str, gap: str, added: str, where: str, block: Block | None) -> None:
    """Raise EditFailed where what is added, so far from the first or last block of a text, would
    not stand as it is written: as a part of a table, say, or of code that is not closed."""
    if gap == " " and _BLOCK_BEGINS.match(added):
        raise EditFailed(
            f"A list, table or code of its own cannot go on with a paragraph {where}: insert it"
            " after a passage."
        )
    if block is None:
        return
    written = text[block.start : block.end].split("\n")
    is_code = block.kind is BlockKind.FENCE
    if is_code and not closes_fence("".join(written[1:][-1:]).strip(), fence_of(written[0])):
        raise EditFailed(f"A block of code is not closed {where}: close it, too.")
    is_item = block.kind is BlockKind.ITEM or any(map(MARKER.match, written))
    goes_on_with_item = is_item and not MARKER.match(added)
    goes_on_with_row = block.kind is BlockKind.ROW and not added.startswith(("|", "!"))
    is_apart = gap == "\n" and not goes_on_with_item and not goes_on_with_row
    if gap != "\n\n" and not is_apart and (is_item or block.kind is not BlockKind.PARAGRAPH):
        raise EditFailed(
            f"A list, table, heading or code stands at that end {where}: insert the text after a"
            " passage, or as a paragraph of its own."
        )


def _gap(added: str, unit: str) -> str:
    """The white space between an added text and its neighbour."""
    if unit in ("line", "item"):
        return "\n"
    if unit == "paragraph" or "\n\n" in added.strip():
        return "\n\n"
    return " "


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
    without a sign are items of their own where none has one. Raises EditFailed.
    """
    lines = lines_of(text)
    bullet_list = _last_list(lines)
    if bullet_list is None:
        raise EditFailed(f"There is no bullet list {where}.")
    added = [line for line in lines_of(bullets) if line.strip()]
    matches = [_BULLET.fullmatch(line) for line in added]
    outermost = min((match["indent"] for match in matches if match), key=len, default="")
    items: list[str] = []
    for line, match in zip(added, matches, strict=True):
        if match:
            indent = match["indent"].removeprefix(outermost)
            items.append(bullet_list.item(indent, match["sign"], match["words"].rstrip()))
        elif not items or not any(matches):
            items.append(bullet_list.item("", bullet_list.sign, line.strip()))
        else:
            items[-1] += f"\n{bullet_list.indent}  {line.strip()}"
    if not items:
        raise EditFailed(f"There are no bullet points to be added {where}.")
    if bullet_list.loose:
        items = [line for bullet in items for line in ("", bullet)]
    return "\n".join([*lines[: bullet_list.end], *items, *lines[bullet_list.end :]])


def _last_list(lines: list[str]) -> _BulletList | None:
    bullets: dict[int, re.Match[str]] = {}
    others = lines_of_no_list("\n".join(lines))
    for number, line in enumerate(lines):
        match = _BULLET.fullmatch(line)
        if (
            match and number not in others and line.strip("-*+ \t")
        ):  # no line of dashes or stars alone, which is a ruler
            bullets[number] = match
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


def _belong(lines: list[str], start: int, end: int, width: int) -> bool:
    """Whether these lines, under an item, are all the item's, or blank."""
    return all(
        not lines[number].strip() or goes_on(lines[number - 1], lines[number], width)
        for number in range(start, end)
    )
