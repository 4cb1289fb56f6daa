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
        why = _why_lost(fall, own, strengths, stronger)
        return heads.result(LOST, False, why, cull=fall[0], by=fall[1])
    if own <= 0:
        return heads.result(LOST, False, f"Lost: its Strength is {signed(own)}, with {scoring}.")
    return heads.result(WON, True, f"Won: its Strength is {own}, with {scoring}.")


def _why_lost(fall: Fall, strength: int, strengths: Mapping[int, int], stronger: str) -> str:
    """By which link a proposal of that strength is Lost, and to which other proposal."""
    link, other = fall
    if link == DEPENDENCY:
        return f"Lost: depends on {other}, which is Lost."
    theirs = strengths[other]
    lost = f"Lost: conflicts with {other}, which has"
    if theirs > strength:
        return f"{lost} Strength {theirs} against {strength}."
    return f"{lost} the same Strength {strength} and the {stronger} number."
