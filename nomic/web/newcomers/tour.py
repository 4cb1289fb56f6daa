"""A first tour of a game: what a newcomer tries there, ticked off by what the record has.

It is made of what the game has: its subgames, and what programs of its rules let players do.
Nothing is kept of it but that somebody wants to see it no more, in their session, and that a seat
has done all of it, in the cache.
"""

from dataclasses import dataclass

from django.core.cache import cache

from nomic.engine.actions import all_actions
from nomic.engine.programs.in_force import PREFIX
from nomic.engine.subgames import TourStep
from nomic.web.demonstration import SLUG
from nomic.web.game_context import GamePage, act_url, address_of

DISMISSED = "tours dismissed"  # in a session: the slugs of games
_KEPT = 30 * 86_400  # seconds
_LAST = 9  # its place among the steps


@dataclass(frozen=True, slots=True)
class Tour:
    """The steps of a first tour, in their order."""

    steps: list[TourStep]

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)

    @property
    def next(self) -> TourStep | None:
        """The first that is not done; None once all are."""
        return next((step for step in self.steps if not step.done), None)


def tour_of(game_page: GamePage) -> Tour | None:
    """The viewer's tour; None where it was dismissed. The demonstration has it on each of its
    pages, also when all is done; another game at its home until then."""
    player, slug = game_page.player, game_page.game.slug
    if player is None or not game_page.seated:
        return None
    if slug in game_page.request.session.get(DISMISSED, ()):
        return None
    done_key = f"nomic:tour:{player.pk}"
    if slug != SLUG and (game_page.path != address_of("game", slug) or cache.get(done_key)):
        return None
    tours = (subgame.tour(game_page.table, player) for subgame in game_page.subgames)
    steps = sorted((step for steps in tours for step in steps), key=lambda step: step.place)
    # At the end the first act that a rule's program has brought into the game.
    program_acts = (
        act
        for act in all_actions(game_page.table)
        if act.name.startswith(f"{PREFIX}.") and not act.office and not act.absence(game_page.table)
    )
    if act := next(program_acts, None):
        says = f"The players' own rule “{act.rule}” lets you do this."
        url = act_url(slug, act.name, back=game_page.path)
        done = game_page.table.has_done(player, act.name)
        steps.append(TourStep(_LAST, act.title, says, url, done))
    tour = Tour(steps)
    if slug != SLUG and tour.next is None:
        cache.set(done_key, True, _KEPT)
        return None
    return tour if tour.steps else None
