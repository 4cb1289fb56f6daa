"""The difference of two texts as a page shows it: what changed, with a little around it."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from nomic.rulebook.shown.differences import Differences, Line

_AROUND = 2  # unchanged lines shown before and after a changed one
_MOST_LINES = 150  # of one change


@dataclass(frozen=True, slots=True)
class ChangedPassage:
    """Changed lines with a few around them, and how many unchanged ones are left out before."""

    html: SafeString
    skipped: int = 0


def changed_passages(
    before: str, after: str, page: Differences
) -> tuple[tuple[ChangedPassage, ...], int]:
    """The difference of two texts in pieces, and how many changed lines are left out at the end.
    `page` is what all on the page that shows them have room in."""
    passages: list[ChangedPassage] = []
    lines: list[Line] = []
    skipped = changed = 0
    for piece in page.pieces(before, after, _AROUND) if before != after else ():
        if isinstance(piece, int):
            if lines:
                passages.append(ChangedPassage(page.render(lines), skipped))
            lines, skipped = [], piece
            continue
        changed += piece.kind != "same"
        if changed <= _MOST_LINES:
            lines.append(piece)
    if lines:
        passages.append(ChangedPassage(page.render(lines), skipped))
    return tuple(passages), max(changed - _MOST_LINES, 0)
