"""Proposals as others look them up: by who made them, and by their words."""

from django.db.models import QuerySet
from django.urls import reverse

from nomic.engine.subgames import Deed
from nomic.games.models import Game, Player
from nomic.games.search import Hit, marked, matching
from proposals.models import Proposal, Status, Version


def deeds_of(player: Player, most: int) -> list[Deed]:
    """The player's newest proposals, and how they fared."""
    made = player.proposals.select_related("game").order_by("-serial")[:most]
    return [Deed(str(each), _url(each), _came_to(each)) for each in made]


def hits(games: QuerySet[Game], words: str, most: int) -> list[Hit]:
    """The versions of proposals that say these words, each proposal once."""
    versions = Version.objects.filter(proposal__game__in=games)
    versions = versions.select_related("proposal__game")
    found = matching(versions, ("title", "body"), words, 2 * most)
    best = {each.proposal_id: each for each in reversed(found)}
    once = [each for each in found if best[each.proposal_id] is each]
    return [
        Hit(
            each.proposal.game.slug,
            each.proposal.game.title,
            str(each.proposal),
            _url(each.proposal),
            marked(each.excerpt),  # type: ignore[attr-defined]
        )
        for each in once[:most]
    ]


def _url(proposal: Proposal) -> str:
    return reverse("proposal", args=[proposal.game.slug, proposal.handle])


def _came_to(proposal: Proposal) -> str:
    if proposal.status == Status.PENDING:
        return "waits to be voted on"
    if proposal.status == Status.OPEN:
        return "is being voted on"
    return "adopted" if proposal.passed else "not adopted"
