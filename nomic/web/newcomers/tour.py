"""A first tour of the demonstration: what a newcomer tries, ticked off by what the record has.

Nothing is kept of it but that somebody wants to see it no more, in their session.
"""

from dataclasses import dataclass

from nomic.engine.subgames import Step, Way
from nomic.web.game_page import GamePage
from nomic.web.waiting import Button
from nomic.web.welcome import SLUG

DISMISSED = "tour dismissed"


@dataclass(frozen=True, slots=True)
class Tour:
    """The steps in their order."""

    steps: list[Step]

    @property
    def done(self) -> int:
        """How many are done."""
        return sum(step.done for step in self.steps)

    @property
    def next(self) -> Step | None:
        """The first that is not done; None once all are."""
        return next((step for step in self.steps if not step.done), None)

    @property
    def buttons(self) -> list[Button]:
        """What does the next of it at once."""
        ways: tuple[Way, ...] = self.next.ways if self.next else ()
        return [Button(way) for way in ways]


def tour_of(game_page: GamePage) -> Tour | None:
    """The viewer's tour; None outside the demonstration, and where it was dismissed."""
    player = game_page.player
    if game_page.game.slug != SLUG or player is None or not game_page.seated:
        return None
    if game_page.request.session.get(DISMISSED):
        return None
    found = (each.tour(game_page.table, player) for each in game_page.subgames)
    steps = sorted((step for steps in found for step in steps), key=lambda step: step.place)
    return Tour(steps) if steps else None
