"""The closest votes of a season."""

from collections.abc import Iterator

from nomic.games.models import Game
from nomic.web.panels import Highlight, Season
from proposals.models import Proposal, Status, Success

_MOST = 3
_MOST_VOTES = 500  # the newest of a season that are compared


def closest_votes(game: Game, season: Season) -> Iterator[Highlight]:
    """The votes of the season in which the fewest heads made the difference; one query."""
    closed = Proposal.objects.filter(
        game=game, status=Status.HISTORICAL, closed_in__range=(season.first, season.last)
    ).exclude(success=Success.UNDECIDED)
    closed = closed.order_by("-closed_in").defer("body", "effects", "reasons", "prepared")
    told = []
    for each in closed[:_MOST_VOTES]:
        votes_for, against = each.figures.get("for"), each.figures.get("against")
        if isinstance(votes_for, int) and isinstance(against, int) and votes_for and against:
            told.append((abs(votes_for - against), -votes_for - against, each))
    for _, _, each in sorted(told, key=lambda one: one[:2])[:_MOST]:
        won = "was adopted" if each.success == Success.WON else "failed"
        title = f" “{each.title}”" if each.title else ""
        said = f"{each.label}{title} {won} by {each.figures['for']} to {each.figures['against']}."
        yield Highlight(said, each.closed_in or 0)
