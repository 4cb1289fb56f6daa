"""Subgames in small, for a game's home; the urls of each subgame register what draws it."""

from collections.abc import Callable

from nomic.web.game_page import GamePage

type Draw = Callable[[GamePage], object]

_PANELS: dict[str, tuple[str, Draw]] = {}


def home_panel(subgame: str, template: str, draw: Draw) -> None:
    """Let the panel of the subgame of that name be that template, with what the function gives for
    the game as `panel`; none where it gives None."""
    _PANELS[subgame] = template, draw


def panels(game_page: GamePage) -> list[tuple[str, object]]:
    """The panels of the subgames that the game plays, in the order of the subgames."""
    known = [_PANELS[each.name] for each in game_page.subgames if each.name in _PANELS]
    drawn = ((template, draw(game_page)) for template, draw in known)
    return [(template, panel) for template, panel in drawn if panel is not None]
