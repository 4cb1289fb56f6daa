"""How a change with a text is written, so that it is read as it is meant."""

from contextlib import suppress

from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes


def new_text(head: str, text: str) -> str:
    """The instruction with that text in braces, or, where it has some that fit no others, with a
    sign before each of its lines."""
    body = f"{head}\n{{\n{text}\n}}"
    with suppress(Unreadable):
        changes = read_changes(body).changes
        if len(changes) == 1 and getattr(changes[0], "text", "").split() == text.split():
            return body
    return "\n".join([head, *(f"> {line}" if line else ">" for line in text.split("\n"))])
