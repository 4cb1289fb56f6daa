"""Loading beforehand, by a process that serves nobody yet."""

import gc

from django.urls import reverse

from nomic.rulebook.changes.reading import read_changes


def warm_up() -> None:
    """Load what the first request or event would wait for, and a game be locked meanwhile: all
    addresses with the pages behind them, which the address of an entry asks for (a second of a
    processor), and the grammar by which instructions are read. It stays until the process ends: the
    garbage collector is told never to look through it again, which took a fifth of a second each
    time that many objects had been made."""
    reverse("lobby")
    read_changes("Repeal rule 4.")
    gc.collect()
    gc.freeze()
