"""Who carries out each sentence of a proposal: the program, an officer by hand, or nobody, since it
is a remark."""

from collections.abc import Iterable
from typing import TypedDict

from nomic.rulebook.changes.forms import ByHand, Reading
from nomic.rulebook.changes.keeping import LONGEST_QUOTE
from nomic.rulebook.charts import cut
from proposals.events.effects import Effect

PROGRAM, OFFICER, REMARK = "program", "officer", "remark"


class Executor(TypedDict):
    """A sentence of a proposal, and who carries it out."""

    sentence: str
    by: str


def executors(reading: Reading, effects: Iterable[Effect]) -> list[Executor]:
    """Each sentence of a body with who carries it out, in the order in which they stand.

    `effects` are what came of its changes, or would. Of an instruction that asks for several the
    officer has all, if they have one of them.
    """
    found = {each.start: (each.sentence, OFFICER) for each in reading.unread}
    for effect in effects:
        change = effect.change
        if isinstance(change, ByHand) or not (effect.done or effect.refused):
            found.setdefault(change.start, (change.sentence, OFFICER))
            found[change.start] = (found[change.start][0], OFFICER)
        else:
            found.setdefault(change.start, (change.sentence, PROGRAM))
    for remark in reading.remarks:
        if remark.kind != "place":
            found.setdefault(remark.start, (remark.sentence, REMARK))
    return [
        Executor(sentence=cut(sentence, LONGEST_QUOTE), by=by)
        for _, (sentence, by) in sorted(found.items())
    ]
