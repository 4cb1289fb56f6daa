"""Words in which people are told of rows, states and their values: what programs call
`against_strength` and `2026-11-30` is “against strength” and “30 November 2026” to them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, get_args, get_type_hints, is_typeddict

from django.db.models import Model

from nomic.engine.subgames import all_subgames
from nomic.games.wording import moment_in_words


def field_in_words(model: type[Model], lookup: str) -> str:
    """The words for what that lookup of the model tells: `race__number` is a race."""
    names = [name for name in lookup.split("__") if name not in ("name", "number")] or [lookup]
    return " ".join(key_in_words(name, is_field=True) for name in names)


def key_in_words(key: str, *, is_field: bool = False) -> str:
    """A key of a state in words, if it is a field's; a name that players gave stays as it is."""
    return key.replace("_", " ") if is_field or key in _keys_of_states() else key


def place_in_words(part: str, keys: Sequence[str]) -> str:
    """Where something stands in the state of a part, by its keys: “The races: bets, bob”. A subgame
    is told by its title, and what it lists by what people call it."""
    named = (subgame for subgame in all_subgames() if part in (subgame.name, subgame.title))
    subgame = next(named, None)
    title = subgame.title if subgame else key_in_words(part)
    words = [key_in_words(key) for key in keys]
    if subgame and words:
        words[0] = subgame.item_called(words[0])
    return f"{title}: {', '.join(words)}" if words else title


def value_in_words(value: Any) -> str:
    """A value of a row or state: moments, lists and mappings as sentences have them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(
            f"{key_in_words(str(key))}: {value_in_words(part)}" for key, part in value.items()
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(value_in_words, value))
    return moment_in_words(value) if isinstance(value, str) else str(value)


@cache
def _keys_of_states() -> frozenset[str]:
    """The keys of the shapes that subgames say their states have."""
    shapes = (get_type_hints(type(subgame).state)["return"] for subgame in all_subgames())
    return frozenset(key for shape in shapes for key in _keys(shape, frozenset()))


def _keys(shape: Any, above: frozenset[Any]) -> Iterator[str]:
    if is_typeddict(shape) and shape not in above:
        for key, inner in get_type_hints(shape).items():
            yield key
            yield from _keys(inner, above | {shape})
    for inner in get_args(shape):
        yield from _keys(inner, above)
