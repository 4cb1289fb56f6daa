"""The difference of two texts as a page shows it: what changed, with a little around it."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from nomic.rulebook.differences import Line, differences, render_differences

_AROUND = 2  # unchanged lines shown before and after a changed one
_MOST_LINES = 150  # of one change


@dataclass(frozen=True, slots=True)
class ChangedPassage:
    """Changed lines with a few around them, and how many unchanged ones are left out before."""

    html: SafeString
    skipped: int = 0


def changed_passages(before: str, after: str) -> tuple[tuple[ChangedPassage, ...], int]:
    """The difference of two texts in pieces, and how many changed lines are left out at the end."""
    lines = differences(before, after) if before != after else []
    changed = [place for place, line in enumerate(lines) if line.kind != "same"]
    near = sorted(
        {
            place
            for each in changed[:_MOST_LINES]
            for place in range(max(each - _AROUND, 0), min(each + _AROUND + 1, len(lines)))
        }
    )
    passages: list[ChangedPassage] = []
    piece: list[Line] = []
    skipped, last = 0, -1
    for place in near:
        if place != last + 1:
            if piece:
                passages.append(ChangedPassage(render_differences(piece), skipped))
            piece, skipped = [], place - last - 1
        piece.append(lines[place])
        last = place
    if piece:
        passages.append(ChangedPassage(render_differences(piece), skipped))
    return tuple(passages), max(len(changed) - _MOST_LINES, 0)
