"""How a vote stands, in words: what it needs and has, for who does not know the figures."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from nomic.games.wording import counted


def verdict(figures: Mapping[str, Any], ballots: int, *, is_over: bool) -> str:
    """The sentence on a vote of an edition that weighs FOR against AGAINST by an index; "" of
    others, whose own reasons are words."""
    if "for_strength" not in figures or "adoption_index" not in figures:
        return ""
    for_it, against = figures["for_strength"], figures["against_strength"]
    index, quorum = str(figures["adoption_index"]), figures.get("quorum") or 0
    passes, fails = ("it passed", "it failed") if is_over else ("it would pass", "it would fail")
    if ballots < quorum:
        if is_over:
            return f"Only {counted(ballots, 'ballot')} of the {quorum} that it needed: it failed."
        return f"{counted(quorum - ballots, 'more ballot')} needed, or it fails."
    if for_it <= against:
        return f"Not more FOR than AGAINST: {fails}."
    needed = Fraction(index)
    if for_it < needed * against:
        return f"More FOR than AGAINST, but not {_times(index)} as much: {fails}."
    if needed > 1 and against:
        return f"FOR is at least {_times(index)} AGAINST: {passes}."
    return f"More FOR than AGAINST: {passes}."


def _times(index: str) -> str:
    return f"{index.removesuffix('.0')} times"
