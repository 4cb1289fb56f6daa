"""What the pages of a game have for who is new."""

from django import template

from nomic.web.game_page import GamePage
from nomic.web.newcomers.tour import Tour, tour_of

register = template.Library()


@register.simple_tag
def tour(game_page: GamePage) -> Tour | None:
    """The viewer's first tour; nothing where there is none."""
    return tour_of(game_page)
