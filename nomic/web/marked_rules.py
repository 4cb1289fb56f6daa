"""A rule's text with a mark for each passage: who carries it out."""

import re
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from nomic.rulebook.fitting.marks import End, Mark, Marked, Marks
from nomic.rulebook.passages import Kind
from nomic.rulebook.shown.markdown import TextPart, render_part
from nomic.standard.unfitted import listed_parts, part_title

_MOST_NOTED = 500  # passages that each have a note; in a longer text, one where the mark changes
_WORD = re.compile(r"\w")
_CLASSES = {
    Mark.PEOPLE: "who is-people",
    Mark.CLAIMED: "who is-claimed",
    Mark.UNREAD: "who unfitted",
    Mark.UNFITTED: "who unfitted",
}
LEGEND = (
    (Mark.BUILT_IN, "the program does it, and was made for this very sentence"),
    (Mark.CLAUSE, "the program does it with the numbers or words that stand here"),
    (Mark.TABLE, "the program plays by what stands in these cells"),
    (Mark.PROGRAM, "a program in this rule does it"),
    (Mark.CLAIMED, "the rule’s program says that it carries this out, which nobody has checked"),
    (Mark.PEOPLE, "players and officers carry it out"),
    (Mark.UNREAD, "the rule cannot be read: the program plays by what it said before"),
    (Mark.UNFITTED, "it is new or was changed, and nothing carries it out by itself"),
)


@dataclass(frozen=True, slots=True)
class MarkedRule:
    """A rule as its page shows it: its text with marks, what these mean, and how many of its
    sentences the program carries out. `gone` is what the program does and no sentence says."""

    text: SafeString
    legend: list[tuple[str, str, str]]
    marks: Marks
    gone: list[str]
    settled: list[tuple[str, str, int, str]]


def marked_rule(text: str, marks: Marks, part: TextPart) -> MarkedRule:
    """That part of the text with its marks."""
    used = {each.mark for each in marks.passages if _is_marked(each)}
    settled = []
    for each in (*marks.passages, *marks.gone):
        if each.settled is None:
            continue
        if each.passage is None:
            quoted = f"What no sentence says any more ({listed_parts(each.parts)})"
        else:
            quoted = f"“{each.passage.said}”"
        how = each.settled
        settled.append((quoted, str(how.end), how.entry, how.reason))
    return MarkedRule(
        text=render_part(text, part, _notes(marks, part)),
        legend=[
            (str(mark), about, _CLASSES.get(mark, "who is-program"))
            for mark, about in LEGEND
            if mark in used
        ],
        marks=marks,
        gone=[listed_parts(each.parts) for each in marks.gone if each.is_unfitted],
        settled=settled,
    )


def _is_marked(marked: Marked) -> bool:
    """A heading that is known says nothing that anybody would carry out."""
    passage = marked.passage
    is_known = marked.mark is Mark.PEOPLE and marked.settled is None
    return passage is not None and not (passage.kind is Kind.HEADING and is_known)


def _notes(marks: Marks, part: TextPart) -> list[tuple[int, str]]:
    """The marks of that part as HTML, each where its passage begins; of a table, its
    head and where another mark begins. At most so many: each takes more than a line of text."""
    notes: list[tuple[int, str]] = []
    before: Marked | None = None
    for marked in marks.passages:
        passage = marked.passage
        assert passage is not None
        is_head = "\n" in passage.text or passage.text.startswith("!")
        is_next_row = before is not None and before.mark is marked.mark and not is_head
        if len(marks.passages) <= _MOST_NOTED and passage.kind is not Kind.ROW:
            before = None
        else:
            before = marked
        if not _is_marked(marked) or is_next_row or not part.start <= passage.start < part.end:
            continue
        skip = passage.text.find("\n") + 1 if passage.kind is Kind.PROGRAM else 0
        found = _WORD.search(passage.text, skip)
        if found is None:
            continue
        is_by_hand = marked.settled is not None and marked.settled.end == End.BY_HAND
        note = format_html(
            '<span class="{}" title="{}"><span class="visually-hidden">(who: </span>{}'
            '<span class="visually-hidden">) </span></span>',
            _CLASSES.get(marked.mark, "who is-program"),
            ", ".join(map(part_title, marked.parts)),
            End.BY_HAND if is_by_hand else marked.mark,
        )
        notes.append((passage.start + found.start(), note))
    return notes[:_MOST_NOTED]
