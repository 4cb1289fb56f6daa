"""Moments: what has come out since a player last looked, each told once, as a card on the game's
home: a law of their own, the end of a race. Each subgame registers its own."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter

from django.http import HttpRequest

from nomic.games.models import Game
from nomic.web.game_context import GamePage

_PUT_AWAY = "moments put away"  # in a session: their entries, by the game's slug
_FRESH = 300  # entries, after which nobody is told any more
_PLACES, _MOST_PLACED = 3, 6  # of a podium, and who stand on it

type Find = Callable[[GamePage, int], Iterable[tuple[int, object]]]

_MOMENTS: defaultdict[str, list[tuple[str, Find]]] = defaultdict(list)


@dataclass(frozen=True, slots=True)
class Moment:
    """What came out in that entry: of which subgame, or a `win`; the card's template, and what it
    is drawn of."""

    entry: int
    kind: str
    template: str
    matter: object


def register_moment(subgame: str, template: str, find: Find) -> None:
    """Tell by a card of that template what `find` returns: of a viewer's page and an entry, the
    entries after that one in which something of its sort came out for them, the newest first, each
    with what the card is drawn of. It is asked up to the first that they have not put away."""
    _MOMENTS[subgame].append((template, find))


def untold(game_page: GamePage) -> list[Moment]:
    """The moments that the viewer, who has a seat, has not seen: of the newest entries, since they
    came to the game, without what they have put away."""
    game, player = game_page.game, game_page.player
    if player is None or not player.active:
        return []
    away = game_page.request.session.get(_PUT_AWAY, {}).get(game.slug, ())
    since = max(game.last_entry - _FRESH, 0)
    newest = []
    for subgame in game_page.subgames:
        for template, find in _MOMENTS.get(subgame.name, ()):
            unseen = (found for found in find(game_page, since) if found[0] not in away)
            # What came out in one entry is put away together.
            for entry, matters in islice(groupby(unseen, key=itemgetter(0)), 1):
                newest += [Moment(entry, subgame.name, template, matter) for _, matter in matters]
    if newest:
        entries = game.entries.filter(seq__in=[moment.entry for moment in newest])
        witnessed_entries = set(
            entries.filter(at__gte=player.joined_at).values_list("seq", flat=True)
        )
        newest = [moment for moment in newest if moment.entry in witnessed_entries]
    newest += [
        Moment(win.entry, "win", "web/home/_won.html", win)
        for win in game_page.newest_won[:1]
        if win.entry > since and win.entry not in away and win.at >= player.joined_at
    ]
    return sorted(newest, key=lambda moment: -moment.entry)


@dataclass(frozen=True, slots=True)
class Placed:
    """Somebody on a podium: their place, from 1, and what brought them there."""

    place: int
    name: str
    caption: str


def podium(scores: Mapping[str, float], caption: Callable[[float], str]) -> list[Placed]:
    """The best three places by these scores, the best first; those with the same score share one,
    and nobody stands there with nothing."""
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    standing = [
        Placed(1 + sum(other > score for other in scores.values()), name, caption(score))
        for name, score in ranked[:_MOST_PLACED]
        if score > 0
    ]
    return [placed for placed in standing if placed.place <= _PLACES]


def put_away(request: HttpRequest, game: Game, entry: int) -> None:
    """Tell whoever asks no more of what came out in that entry of the game."""
    away = request.session.get(_PUT_AWAY, {})
    fresh = [number for number in away.get(game.slug, ()) if number > game.last_entry - _FRESH]
    if entry <= game.last_entry:
        request.session[_PUT_AWAY] = {**away, game.slug: sorted({*fresh, entry})}
