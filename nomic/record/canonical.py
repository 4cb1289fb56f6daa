"""Canonical JSON as RFC 8785 has it: the bytes that are hashed and signed."""

import json
import re
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import Any

import rfc8785

# A number that the RFC may write otherwise than Python (also in a text): what stands by itself, by
# a name, or in a list. Each of them is found many times as fast as one of several would be.
_OTHERWISE = [re.compile(before + "-?[0-9]+(?:[.e]|[0-9]{15})") for before in ("^", '":', r"[,\[]")]
# What UTF-16 sorts otherwise than Python does.
_WIDE = re.compile(r"[\ud800-\U0010ffff]")
_SAFE = 2**53 - 1


def canonical_json(content: Any) -> bytes:
    """The canonical form of a value that JSON can hold, each name in it a text: the same as
    `rfc8785.dumps` gives, five times as fast where there are many values, since the standard
    library writes most of them as the RFC wants it, and much faster where texts are long.

    Raises CanonicalizationError where a value has no canonical form, UnicodeEncodeError where a
    name has none.
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if (
        "NaN" in text
        or "Infinity" in text
        or tells_numbers_otherwise(text)
        or (not text.isascii() and _WIDE.search(text))
    ):
        parts: list[str] = []
        _write(content, parts.append)
        text = "".join(parts)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise rfc8785.CanonicalizationError("a text has half a character") from error


def _write(content: Any, add: Callable[[str], None]) -> None:
    """The value as the RFC writes it, eight times as fast as `rfc8785.dumps` where texts are long:
    the standard library writes these as the RFC wants it."""
    if isinstance(content, str):
        add(encode_basestring(content))
    elif isinstance(content, dict):
        before = "{"
        for name in sorted(content, key=lambda name: name.encode("utf-16be")):
            add(f"{before}{encode_basestring(name)}:")
            _write(content[name], add)
            before = ","
        add("}" if content else "{}")
    elif isinstance(content, list | tuple):
        before = "["
        for member in content:
            add(before)
            _write(member, add)
            before = ","
        add("]" if content else "[]")
    elif type(content) is int and abs(content) <= _SAFE:
        add(str(content))
    else:
        add(rfc8785.dumps(content).decode())


def tells_numbers_otherwise(text: str) -> bool:
    """Whether this JSON without spaces may have a number that the RFC writes otherwise than Python:
    a fraction, or one of more than fifteen digits."""
    return any(number.search(text) for number in _OTHERWISE)


def no_number(word: str) -> None:
    """Raise ValueError for a word such as NaN, which `json.loads` takes for a number."""
    raise ValueError(f"{word} is not a number of JSON")
