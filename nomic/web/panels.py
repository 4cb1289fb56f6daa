"""Panels of subgames for pages of the whole game: themselves in small, for its home, and what was
worth telling of a season, each thing with its entry. The urls of each subgame register it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from nomic.games.models import Game
from nomic.web.game_context import GamePage

type Draw = Callable[[GamePage], object]

_PANELS: dict[str, tuple[str, str, Draw]] = {}


def register_home_panel(subgame: str, template: str, draw: Draw, *, shared: str = "") -> None:
    """Let the panel of the subgame of that name be that template, with what the function gives for
    the game as `panel`; none where it gives None. `shared` draws it in the game's share picture."""
    _PANELS[subgame] = template, shared, draw


def panels(game_page: GamePage) -> list[tuple[str, object]]:
    """The panels of the subgames that the game plays, in the order of the subgames."""
    return [(template, panel) for template, _, panel in _drawn(game_page)]


def first_panel(game_page: GamePage) -> tuple[str, object]:
    """The template and panel of the first subgame that has one; "" and None where none has."""
    drawn = ((template, panel) for template, _, panel in _drawn(game_page))
    return next(drawn, ("", None))


def shared_panel(game_page: GamePage) -> tuple[str, object]:
    """The first of them that stands in a share picture, and the template that draws it there; ""
    for none."""
    return next(((shared, panel) for _, shared, panel in _drawn(game_page) if shared), ("", None))


def _drawn(game_page: GamePage) -> Iterator[tuple[str, str, object]]:
    """The template of each panel, the one that draws it in a share picture, and the panel."""
    for subgame in game_page.subgames:
        if subgame.name in _PANELS:
            template, shared, draw = _PANELS[subgame.name]
            if (panel := draw(game_page)) is not None:
                yield template, shared, panel


@dataclass(frozen=True, slots=True)
class Highlight:
    """A thing worth telling of a season, as a sentence, with its entry."""

    text: str
    entry: int


@dataclass(frozen=True, slots=True)
class Season:
    """The `number`th season of a game: its first and last entry. That which goes on has not ended;
    its last entry is the game's."""

    number: int
    first: int
    last: int
    ended: bool


type Tell = Callable[[Game, Season], Iterable[Highlight]]

_TOLD: dict[str, tuple[str, Tell]] = {}


def register_highlights(subgame: str, title: str, tell: Tell) -> None:
    """Let what that function finds in a season of a game that plays the subgame stand under that
    title."""
    _TOLD[subgame] = title, tell


def seasons_of(game: Game) -> list[Season]:
    """All its seasons, the oldest first: each ends with a victory, the last with the game."""
    ends = list(game.wins.order_by("entry").values_list("entry", flat=True).distinct())
    starts = [1, *(end + 1 for end in ends)]
    seasons = [
        Season(number, first, last, ended=True)
        for number, (first, last) in enumerate(zip(starts, ends, strict=False), 1)
    ]
    if starts[-1] <= game.last_entry:
        seasons.append(Season(len(starts), starts[-1], game.last_entry, ended=game.is_closed))
    return seasons


def highlights(
    game: Game, season: Season, subgames: Iterable[str]
) -> list[tuple[str, list[Highlight]]]:
    """The highlights of the season in those subgames, under the title of each that has any."""
    tellers = [_TOLD[name] for name in subgames if name in _TOLD]
    highlights_by_title = [(title, list(tell(game, season))) for title, tell in tellers]
    return [
        (title, season_highlights)
        for title, season_highlights in highlights_by_title
        if season_highlights
    ]
