"""Sentences that a body's author marks as remarks: whether they stand in it, and how often."""

from collections import Counter
from collections.abc import Collection, Iterable

from nomic.rulebook.changes.forms import Reading
from nomic.rulebook.charts import cut

LONGEST_SAID = 200  # characters of a sentence in what is said of it


def stray(reading: Reading, remarks: Collection[str]) -> str:
    """Why one of these can be no remark of that body; nothing where all can."""
    known = _counted(e.sentence for e in reading.remarks if e.kind in ("comment", "marked"))
    said = next(iter(_counted(remarks) - known), None)
    if said is None:
        return ""
    if said in known:
        return (
            f"“{cut(said, LONGEST_SAID)}” stands in the text {known[said]:,} times, and more often"
            " among the remarks: give each sentence once."
        )
    if any(folded(each.sentence) == said for each in reading.changes):
        return (
            f"“{cut(said, LONGEST_SAID)}” is an instruction, and no remark: leave it out, or"
            " write it as a comment: [ … ]."
        )
    return f"“{cut(said, LONGEST_SAID)}” is no sentence of the text: quote one as it stands."


def _counted(sentences: Iterable[str]) -> Counter[str]:
    return Counter(map(folded, sentences))


def folded(sentence: str) -> str:
    """The sentence as two that are equal have it."""
    return " ".join(sentence.split())
