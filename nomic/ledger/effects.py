"""The moves of transfers, as the effects of their entries tell them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Move = tuple[str, str, int]  # holder, asset, amount
Posted = tuple[str, str, Sequence[Move]]  # a transfer: its rule, why, and what it moves


def describe_moves(
    posted: Iterable[Posted], is_public: Callable[[str], bool]
) -> list[tuple[bool, dict[str, Any]]]:
    """These transfers: whether everybody may see each, and what the entry's effects tell of it.
    What one moved in public and in private are two."""
    found = []
    for rule, why, moves in posted:
        assets = {asset for _, asset, _ in moves}
        public = {asset for asset in assets if is_public(asset)}
        for is_open, of in ((True, public), (False, assets - public)):
            if of:  # sorted, since a statement that pays many does so in any order
                told = sorted(move for move in moves if move[1] in of)
                found.append((is_open, {"moves": told, "rule": rule, "why": why}))
    return found
