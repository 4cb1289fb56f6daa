"""No change of a table of a shipped rule is silent: what it says then is carried out, or it is
warned of and marked, or it says the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from nomic.rulebook.coverage.marks import Mark
from tests.mutations.books import Book, books, of_presets
from tests.mutations.mutants import grids, meaning, mutants, sample

CARRIED_OUT = "carried out"
UNREAD = "played as before, warned of and marked"
UNFITTED = "not carried out as it reads, warned of and marked"
THE_SAME = "says the same"
SILENT = "silent"
NOT_READ = (Mark.UNREAD, Mark.UNFITTED)

# Columns that only name their rows for people: what the program reads stands beside them.
LABELS = frozenset({"DISTANCE"})
# The suit that is always defined is there without a row, and a wrong colour is drawn as none.
ALIKE = frozenset({"Regulation 205"})

_BOOKS = books()


def ends(
    book: Book, mutants_of: Callable[[str], Iterator[tuple[str, str]]]
) -> Iterator[tuple[str, str, str, str]]:
    """How each mutant of the book's tables ends: the rule's title, what was done, the text and the
    end."""
    for title, text in book.texts.items():
        for kind, mutant in mutants_of(text):
            yield title, kind, mutant, end_of(book, title, mutant)


def end_of(book: Book, title: str, mutant: str) -> str:
    """How that text of the rule ends: what is carried out differs from before, and no two texts
    that say different things are carried out alike."""
    text = book.texts[title]
    figures, unread = book.read(title, mutant)
    marks = book.marks(title, mutant, unread)
    if unread:
        assert [each.rule for each in unread] == [title]
        assert unread[0].version == 1
        assert figures == book.at_first
        is_marked = any(mark in NOT_READ for mark in marks) or _has_less(text, mutant)
        return UNREAD if is_marked else SILENT
    if Mark.UNFITTED in marks:
        return UNFITTED
    if figures != book.at_first:
        return CARRIED_OUT
    return THE_SAME if meaning(mutant, LABELS) == meaning(text, LABELS) else SILENT


def _has_less(text: str, mutant: str) -> bool:
    """Whether something is gone and nothing else has come, so that there is nothing to mark: the
    page says of the whole rule as of which version it is played."""
    before, after = Counter(text.split("\n")), Counter(mutant.split("\n"))
    return not after - before


@pytest.mark.parametrize("name", sorted(_BOOKS))
def test_every_shipped_text_is_read_and_lacks_nothing(name: str) -> None:
    book = _BOOKS[name]
    assert book.played(book.texts, lambda title: ())[1] == ()
    for title, text in book.texts.items():
        assert not {*NOT_READ} & {*book.marks(title, text)}


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(_BOOKS))
def test_of_each_table_one_mutant_of_each_kind_is_not_silent(name: str) -> None:
    found = list(ends(_BOOKS[name], sample))
    assert [(title, mutant) for title, _, mutant, end in found if end == SILENT] == []
    lost = {end for _, kind, _, end in found if kind in ("delete table", "delete header line")}
    assert UNREAD in lost <= {UNREAD, THE_SAME}
    of_tables = Counter(title for title, kind, *_ in found if kind == "delete table")
    assert of_tables == {
        t: n for t, text in _BOOKS[name].texts.items() if (n := len([*grids(text)]))
    }


@pytest.mark.slow
def test_of_every_mutant_of_every_table_of_every_preset_none_is_silent() -> None:
    by_book: dict[str, Counter[str]] = {}
    silent = []
    for name, book in _BOOKS.items():
        told: dict[tuple[str, object], tuple[object, str]] = {}
        by_book[name] = Counter()
        for title, _, mutant, end in ends(book, mutants):
            by_book[name][end] += 1
            says = meaning(mutant, LABELS), mutant
            figures = book.read(title, mutant)[0]
            known = told.setdefault((title, figures), says) if end == CARRIED_OUT else says
            if end == SILENT or (known[0] != says[0] and title not in ALIKE):
                silent.append((name, title, mutant, known[1]))
    assert silent == []
    for preset, names in of_presets():
        of_it = sum((by_book[name] for name in names), Counter[str]())
        assert of_it[SILENT] == 0, preset
        assert of_it[UNREAD] > 50, preset
        assert of_it[CARRIED_OUT] > 5, preset
