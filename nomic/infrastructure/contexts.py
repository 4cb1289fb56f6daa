"""Values that hold within a block, wherever it calls."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


@contextmanager
def within[Value](variable: ContextVar[Value], setting: Value) -> Iterator[Value]:
    """Let the variable have that value within the block, and then the one that it had before."""
    token = variable.set(setting)
    try:
        yield setting
    finally:
        variable.reset(token)
