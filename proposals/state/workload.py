"""The work that waits for the officer who keeps the proposals."""

from django.db.models import Count, Q, QuerySet

from nomic.games.models import Game
from nomic.governance.motions import made_by_officers
from nomic.infrastructure.database.compiled_queries import CompiledQuery, CompiledValues
from nomic.record.models import Entry
from proposals.models import Errand, Proposal, Status

MOST = 20
_LONG = ("body", "effects", "figures", "reasons", "prepared")
_UNREAD = [f"proposal__{name}" for name in _LONG]  # each errand would bring them along
CITES = ", change "  # stands in every text by which a correction names its sentence
_NO_CORRECTIONS = ("proposals.", "reports.", "games.")


def corrections(game: Game) -> QuerySet[Entry]:
    """The officers' entries that can have carried something out."""
    return made_by_officers(game, but=_NO_CORRECTIONS)


def undone(game: Game) -> QuerySet[Errand]:
    """The errands that nobody has done yet in that game, oldest first, each with its proposal."""
    waiting = Errand.objects.filter(proposal__game=game, done_in__isnull=True)
    waiting = waiting.select_related("proposal__game").defer(*_UNREAD)
    return waiting.order_by("made_in", "proposal", "place")


_UNDONE = CompiledQuery(undone, "proposal__game", without=_UNREAD)


def first_undone(game: Game, limit: int) -> list[Errand]:
    """The first so many of them."""
    return _UNDONE.some(limit, game=game.pk)


def waiting_by_hand(game: Game) -> int:
    """How many errands nobody has done yet in that game."""
    return Errand.objects.filter(proposal__game=game, done_in__isnull=True).count()


def unnumbered(game: Game) -> QuerySet[Proposal]:
    """The Pending and Open proposals that have no number yet, in order of submission."""
    without = game.proposals.filter(number=None).exclude(status=Status.HISTORICAL)
    return without.select_related("author").order_by("serial")


_COUNTS = {
    "pending": Count("pk", filter=Q(status=Status.PENDING)),
    "open": Count("pk", filter=Q(status=Status.OPEN, awaits_since=None)),
    "awaiting": Count("pk", filter=Q(awaits_since__isnull=False)),
    "unnumbered": Count("pk", filter=Q(number=None) & ~Q(status=Status.HISTORICAL)),
    "passed": Count("pk", filter=Q(passed=True)),
}
_COUNTED = CompiledValues(
    lambda: Proposal.objects.order_by().values("game").annotate(**_COUNTS).values_list(*_COUNTS)
)


def counts_of(game: Game) -> dict[str, int]:
    """How many proposals are `pending`, `open` to votes, or `awaiting` that their results are
    announced, how many of all these are `unnumbered`, and how many have ever `passed`."""
    counted = _COUNTED.first(game=game.pk) or [0] * len(_COUNTS)
    return dict(zip(_COUNTS, counted, strict=True))
