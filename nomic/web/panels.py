"""Subgames in small, for a game's home; the urls of each subgame register what draws it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from nomic.web.game_page import GamePage


class Panel(Protocol):
    """A subgame in small: `template` is shown with it as `panel`."""

    @property
    def template(self) -> str: ...


_PANELS: dict[str, Callable[[GamePage], Panel | None]] = {}


def home_panel(subgame: str, draw: Callable[[GamePage], Panel | None]) -> None:
    """Let that function draw the panel of the subgame of that name; None where it has none."""
    _PANELS[subgame] = draw


def panels(game_page: GamePage) -> list[Panel]:
    """The panels of the subgames that the game plays, in the order of the subgames."""
    draws = [_PANELS[each.name] for each in game_page.subgames if each.name in _PANELS]
    return [panel for draw in draws if (panel := draw(game_page)) is not None]
