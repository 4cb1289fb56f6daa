"""The moves of transfers, as the effects of their entries tell them."""

from collections.abc import Callable, Iterable
from typing import Any

Posted = tuple[int, str, str, str, str, int]  # transfer, rule, why, holder, asset, amount


def describe_moves(
    posted: Iterable[Posted], is_public: Callable[[str], bool]
) -> list[tuple[bool, dict[str, Any]]]:
    """The transfers of these postings: whether everybody may see each, and what the entry's effects
    tell of it. What one moved in public and in private are two."""
    found: dict[tuple[int, bool], dict[str, Any]] = {}
    seen: dict[str, bool] = {}  # each asset asked for once: a statement may pay thousands
    for transfer, rule, why, holder, asset, amount in posted:
        if asset not in seen:
            seen[asset] = is_public(asset)
        key = transfer, seen[asset]
        if key not in found:
            found[key] = {"moves": [], "rule": rule, "why": why}
        found[key]["moves"].append([holder, asset, amount])
    for effect in found.values():
        effect["moves"].sort()  # a statement that pays many does so in any order
    return [(is_open, effect) for (_, is_open), effect in found.items()]
