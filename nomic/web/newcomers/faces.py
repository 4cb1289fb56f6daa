"""Faces: of a few parts and a colour, written as the number of each, as “0-3-5-7”."""

from hashlib import sha256
from itertools import count, islice
from typing import Any

from nomic.governance.bots import MARK

_PARTS = (("head", 3), ("look", 4), ("hair", 6))
"""The parts of a face in `static/figures.svg`, the hindmost first, and of how many each is one."""
_COLOURS = 8
_ROBOT = "robot"
_OFFERED = 24


def face_of(name: str) -> str:
    """The face that goes with a player's name, the same on every page; a practice player's is a
    robot's, in the colour of its name."""
    drawn_by = sha256(name.encode()).digest()
    numbers = [drawn_by[place] % many for place, (_, many) in enumerate(_PARTS)]
    parts = [_ROBOT] if name.endswith(MARK) else map(str, numbers)
    return "-".join([*parts, str(drawn_by[-1] % _COLOURS)])


def is_face(written: str) -> bool:
    """Whether that is a face that people may have."""
    numbers = written.split("-")
    bounds = [*(many for _, many in _PARTS), _COLOURS]
    return len(numbers) == len(bounds) and all(
        number in map(str, range(many)) for number, many in zip(numbers, bounds, strict=True)
    )


def offered_faces(name: str) -> list[str]:
    """Faces to choose from, the name's own first, each of its kind once."""
    faces = (face_of(f"{name} {number}" if number else name) for number in count())
    return list(dict.fromkeys(islice(faces, _OFFERED)))


def face_drawing(written: str) -> dict[str, Any]:
    """The parts and the colour of that face's picture."""
    *numbers, silk = written.split("-")
    if numbers == [_ROBOT]:
        return {"parts": (_ROBOT,), "silk": silk}
    parts = tuple(f"{part}-{number}" for (part, _), number in zip(_PARTS, numbers, strict=True))
    return {"parts": parts, "silk": silk}
