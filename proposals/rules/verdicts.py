"""The verdict on a proposal: Won or Lost by its votes, or by another that it is linked with."""

from collections.abc import Mapping

from proposals.rules.ballots import Result
from proposals.rules.links import DEPENDENCY, Fall
from proposals.rules.words import Heads, signed

WON, LOST = "Won", "Lost"
DISCARDED, UNDECIDED = "Discarded", "Undecided"


def judged(heads: Heads, fall: Fall | None, strengths: Mapping[int, int], stronger: str) -> Result:
    """Won or Lost, by its Strength and by its `fall`, if it has one.

    `stronger` says which number prevails between two of the same Strength: "higher" or "lower".
    """
    own, scoring = heads.strength, f"{heads.votes_for} FOR and {heads.against} AGAINST"
    if fall is not None:
        link, other = fall
        why = f"Lost: conflicts with {other}, which has"
        if link == DEPENDENCY:
            why = f"Lost: depends on {other}, which is Lost."
        elif strengths[other] > own:
            why = f"{why} Strength {strengths[other]} against {own}."
        else:
            why = f"{why} the same Strength {own} and the {stronger} number."
        return heads.result(LOST, False, why, cull=link, by=other)
    if own <= 0:
        return heads.result(LOST, False, f"Lost: its Strength is {signed(own)}, with {scoring}.")
    return heads.result(WON, True, f"Won: its Strength is {own}, with {scoring}.")
