"""What Settlers built in a season: told on its page beside who won it."""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, Max

from nomic.games.models import Game
from nomic.games.wording import counted, enumerated
from nomic.rulebook.declared import plural_of
from nomic.web.panels import Highlight, Season
from settlers.actions.settlers import Build

_MOST = 5  # Settlers that are told


def who_built(game: Game, season: Season) -> Iterator[Highlight]:
    """Those who built most in the season, each with what they built and the entry in which they did
    so last; one query."""
    built = game.entries.filter(name=Build.name, seq__range=(season.first, season.last)).order_by()
    by_builder: dict[str, Counter[str]] = {}
    last: dict[str, int] = {}
    rows = built.values_list("actor__name", "outcome__building").annotate(
        seq=Max("seq"), times=Count("pk")
    )
    for name, building, seq, times in rows:
        by_builder.setdefault(name, Counter())[building] += times
        last[name] = max(last.get(name, 0), seq)
    ranked = sorted(by_builder, key=lambda name: (-by_builder[name].total(), name))
    for name in ranked[:_MOST]:
        buildings = [
            counted(times, kind, plural_of(kind)) for kind, times in by_builder[name].most_common()
        ]
        yield Highlight(f"{name} built {enumerated(buildings)}.", last[name])
