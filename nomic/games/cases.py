"""Cases on paper: what the tools that need no game read, as JSON, and how they say what is wrong.

For `manage.py race` and its like: a file has one case or a list of cases.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

type Json = Any
_LONGEST_SHOWN = 60


class CaseWrong(Exception):
    """What was given is no case; `str()` is a sentence that names the field."""


def read_cases(file: str) -> str:
    """The text of that file, of standard input for "-"; CaseWrong where there is none."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CaseWrong(f"The file {file} is not text in UTF-8.") from None
    except OSError as wrong:
        raise CaseWrong(f"The file {file} cannot be read: {wrong.strerror}.") from None
    except ValueError as wrong:  # a name with a null character
        raise CaseWrong(f"The file {shown(file)} cannot be read: {wrong}.") from None


def resolve_each(source: str, resolve: Callable[[Json, str], Json]) -> str:
    """The result, as JSON, of the case or list of cases in `source`; CaseWrong if it is none.

    `resolve` takes a case and the words that its fields' names have to begin with.
    """
    given = _parsed(source)
    if isinstance(given, list):
        result = [resolve(case, f"case {number}: ") for number, case in enumerate(given, 1)]
    else:
        result = resolve(given, "")
    return json.dumps(result, indent=2, ensure_ascii=False)


def _parsed(source: str) -> Json:
    try:
        return json.loads(source, object_pairs_hook=_without_repeats)
    except RecursionError:
        raise CaseWrong("The JSON is nested too deeply for a case.") from None
    except ValueError as wrong:
        raise CaseWrong(f"This is not JSON: {wrong}.") from None


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise CaseWrong(f"{shown(key)} stands twice in one object.")
        found[key] = value
    return found


def check_fields(given: Json, known: Iterable[str], where: str, what: str) -> None:
    """CaseWrong unless it is an object with no other fields than the known ones."""
    names = ", ".join(known)
    if not isinstance(given, dict):
        raise CaseWrong(f"{where}{what} has to be an object with {names}, not {shown(given)}.")
    for name in given:
        if name not in known:
            raise CaseWrong(f"{where}{shown(name)} is no field of {what}; it has {names}.")


def is_whole(given: Json) -> bool:
    """Whether JSON gave a whole number; true and false are none."""
    return isinstance(given, int) and not isinstance(given, bool)


def shown(given: Json) -> str:
    """A value as JSON shows it, cut where it is long."""
    if isinstance(given, dict):
        return "an object"
    if isinstance(given, list):
        return "a list"
    if is_whole(given) and abs(given) >= 10**12:
        return "a huge number"
    text = json.dumps(given, ensure_ascii=True)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}…"
