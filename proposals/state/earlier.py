"""Why a part of an adopted proposal found nothing to change: who had changed it before."""

from proposals.models import Proposal
from proposals.state.bodies import changes_of

_MOST = 100  # of the proposals that took effect meanwhile


def changed_before(proposal: Proposal) -> dict[int, str]:
    """For the places, from 1, of those changes that found nothing left: a sentence on the proposal
    that took their words away last. A query, where one found nothing."""
    changes = changes_of(proposal)
    if len(changes) != len(proposal.effects):  # read otherwise since
        return {}
    missed = {
        place: _words(change)
        for place, (change, effect) in enumerate(
            zip(changes, proposal.effects, strict=True), start=1
        )
        if _words(change) and (not effect["done"] or effect["before"] == effect["after"])
    }
    if not missed:
        return {}
    others = Proposal.objects.filter(
        game=proposal.game_id,
        passed=True,
        closed_in__lte=proposal.closed_in,
    ).exclude(pk=proposal.pk)
    sentences: dict[int, str] = {}
    for other in others.order_by("-closed_in", "-number").defer("body")[:_MOST]:
        for effect in other.effects if _is_before(other, proposal) else ():
            before, after = effect.get("before", ""), effect.get("after", "")
            for place, words in missed.items():
                if words in before and words not in after:
                    sentences.setdefault(
                        place,
                        f"{other} had changed these words before, so nothing was left to replace.",
                    )
    return sentences


def _words(change: object) -> str:
    """The words that a change looks for: of a row the beginning of it."""
    cell = getattr(change, "cell", "")
    return str(getattr(change, "old", "") or getattr(change, "anchor", "") or cell)


def _is_before(earlier: Proposal, proposal: Proposal) -> bool:
    if earlier.closed_in != proposal.closed_in:
        return True
    return (earlier.number or 0) < (proposal.number or 0)
