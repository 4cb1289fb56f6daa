"""The list of all ways in which somebody who is only a user may try to harm the site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

from bench.benchmarks.shares.stage import Stage

THEMES = (
    "shares",
    "previews",
    "texts",
    "rulebooks",
    "events",
    "reading",
    "outside",
    "crowds",
    "doors",
)


@dataclass(frozen=True, slots=True)
class Way:
    """One way: its theme and name, what is done in words, and how.

    `seconds` for the whole and the quick form are how long an attack goes on that has no end of its
    own; `env` is the site's. After one that is `alone` no other could be tried on the same site.
    """

    theme: str
    name: str
    words: str
    do: Callable[[Stage], None]
    seconds: tuple[float, float] = (12.0, 5.0)
    env: dict[str, str] = field(default_factory=dict)
    alone: bool = False


_WAYS: dict[str, Way] = {}


def way(
    words: str, *, whole: float = 12.0, quick: float = 5.0, alone: bool = False, **env: str
) -> Callable[[Callable[[Stage], None]], Callable[[Stage], None]]:
    """Take a function into the list, under its module's name and its own."""

    def add(do: Callable[[Stage], None]) -> Callable[[Stage], None]:
        theme = do.__module__.rpartition(".")[2]
        name = do.__name__.replace("_", "-")
        _WAYS[name] = Way(theme, name, words, do, (whole, quick), env, alone)
        return do

    return add


def together(chosen: str = "") -> list[list[Way]]:
    """Those ways, in the groups that have a site between them: a theme's, but for what is alone."""
    found: dict[str, list[Way]] = {}
    for each in ways(chosen):
        found.setdefault(each.name if each.alone else f"of {each.theme}", []).append(each)
    return list(found.values())


def ways(chosen: str = "") -> list[Way]:
    """All of them, those of a theme, or the one of that name. Raises KeyError."""
    for theme in THEMES:
        import_module(f"bench.benchmarks.shares.{theme}")
    found = [each for each in _WAYS.values() if chosen in ("", each.theme, each.name)]
    if not found:
        raise KeyError(f"No way is called {chosen}; there are {', '.join(_WAYS)}.")
    return found
