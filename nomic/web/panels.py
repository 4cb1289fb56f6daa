"""Subgames in small, for a game's home; the urls of each subgame register what draws it."""

from collections.abc import Callable, Iterator

from nomic.web.game_page import GamePage

type Draw = Callable[[GamePage], object]

_PANELS: dict[str, tuple[str, Draw]] = {}
_SHARED: dict[str, str] = {}


def home_panel(subgame: str, template: str, draw: Draw, *, shared: str = "") -> None:
    """Let the panel of the subgame of that name be that template, with what the function gives for
    the game as `panel`; none where it gives None. `shared` draws it in the game's share picture,
    where it is the game's first."""
    _PANELS[subgame] = template, draw
    _SHARED[template] = shared


def panels(game_page: GamePage) -> list[tuple[str, object]]:
    """The panels of the subgames that the game plays, in the order of the subgames."""
    return list(_drawn(game_page))


def first_panel(game_page: GamePage) -> tuple[str, object, str]:
    """The first of them, and the template that draws it in the share picture; "" for none."""
    template, panel = next(_drawn(game_page), ("", None))
    return template, panel, _SHARED.get(template, "")


def _drawn(game_page: GamePage) -> Iterator[tuple[str, object]]:
    known = [_PANELS[each.name] for each in game_page.subgames if each.name in _PANELS]
    drawn = ((template, draw(game_page)) for template, draw in known)
    return ((template, panel) for template, panel in drawn if panel is not None)
