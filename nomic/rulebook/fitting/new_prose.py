"""Passages that a vote has put into rules by which no part of the program plays. Pure.

Nothing carries such a passage out, whatever it says, so it waits for who keeps it by hand.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from nomic.kept import kept
from nomic.rulebook.fitting.marks import Mark, Marks
from nomic.rulebook.passages import Kind, Settled, fingerprint, passages_of

type Places = Callable[[], Collection[int]]

_SENTENCE = re.compile(r"[.!?][\"'”’)*_=]*$")


def with_new_prose(
    marks: Marks,
    text: str,
    began_as: str,
    settled: Mapping[str, Settled],
    read: Places,
    *,
    headings: bool = True,
) -> Marks:
    """The marks of that text, with what waits in it: what does not stand in the text with which the
    game `began`, and nothing carries out. Of `read` rows, those of tables that programs read, the
    programs claim that they carry them out. Without `headings` those that head something say
    nothing."""
    new = _new(text, began_as, headings)
    free = {at: key for at, key in new.items() if marks.passages[at].mark is Mark.PEOPLE}
    if not free:
        return marks
    found = list(marks.passages)
    free_passages = (found[at].passage for at in free)
    has_rows = any(each is not None and each.kind is Kind.ROW for each in free_passages)
    claimed = read() if has_rows else ()
    for at, key in free.items():
        if at in claimed:
            found[at] = replace(found[at], mark=Mark.CLAIMED)
            continue
        ended = settled.get(key)
        mark = Mark.PEOPLE if ended else Mark.UNFITTED
        found[at] = replace(found[at], key=key, mark=mark, settled=ended)
    return replace(marks, passages=tuple(found))


@kept(0.01)
def _new(text: str, began_as: str, headings: bool) -> dict[int, str]:
    """The keys of what is new, by its place among the passages."""
    if text == began_as:
        return {}
    passages = passages_of(text)
    had = {fingerprint(each.text) for each in passages_of(began_as)}
    texts = (at for at, each in enumerate(passages) if each.kind is not Kind.HEADING)
    last = max(texts, default=-1)
    keys = {
        at: fingerprint(each.text)
        for at, each in enumerate(passages)
        # A heading says something only if it reads like a sentence, or heads nothing.
        if headings or each.kind is not Kind.HEADING or at >= last or _SENTENCE.search(each.text)
    }
    return {at: key for at, key in keys.items() if key not in had}
