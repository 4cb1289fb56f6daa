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
        why = f"depends on {other}, which is Lost"
        if link != DEPENDENCY:
            theirs = strengths[other]
            has = f"the same Strength {own} and the {stronger} number"
            if theirs > own:
                has = f"Strength {theirs} against {own}"
            why = f"conflicts with {other}, which has {has}"
        return heads.result(LOST, False, f"Lost: {why}.", cull=link, by=other)
    if own <= 0:
        return heads.result(LOST, False, f"Lost: its Strength is {signed(own)}, with {scoring}.")
    return heads.result(WON, True, f"Won: its Strength is {own}, with {scoring}.")
