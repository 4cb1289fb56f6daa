"""Canonical JSON as RFC 8785 has it: the bytes that are hashed and signed."""

from typing import Any

import rfc8785


def canonical_json(content: Any) -> bytes:
    """The canonical form of what JSON can hold, each name in it a text.

    Raises CanonicalizationError where it has none: for halves of characters, and for numbers that
    not every language can hold; UnicodeEncodeError for half a character in a name.
    """
    return rfc8785.dumps(content)


def no_number(word: str) -> None:
    """Raise ValueError for a word such as NaN, which `json.loads` takes for a number."""
    raise ValueError(f"{word} is not a number of JSON")
