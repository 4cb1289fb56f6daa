"""Who carries out each sentence of a proposal: the program, an officer by hand, or nobody, since it
is a remark or cannot be done."""

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from nomic.rulebook.changes.forms import LONGEST_QUOTE, ByHand, Reading
from nomic.rulebook.charts import cut
from proposals.events.effects import Effect

PROGRAM, OFFICER, REMARK, NOBODY = "program", "officer", "remark", "nobody"
_LONGEST_WHY = 500  # characters


class Executor(TypedDict):
    """A sentence of a proposal, who carries it out, and why where that is not the program."""

    sentence: str
    by: str
    why: NotRequired[str]


def executors(
    reading: Reading, effects: Iterable[Effect], *, tells_why: bool = True
) -> list[Executor]:
    """Each sentence of a body with who carries it out, in the order in which they stand.

    `effects` are what came of its changes, or would. Of an instruction that asks for several the
    officer has all, if they have one of them; otherwise nobody, if one is left undone. Entries of
    games before the seventh readings do not tell why, nor what is left undone.
    """
    found = {each.start: Executor(sentence=each.sentence, by=OFFICER) for each in reading.unread}
    for effect in effects:
        change, why = effect.change, effect.sentence
        by_program = effect.done and not isinstance(change, ByHand)
        by = NOBODY if effect.refused else PROGRAM if by_program else OFFICER
        if by == NOBODY and not tells_why:
            by = PROGRAM
        told = found.setdefault(change.start, Executor(sentence=change.sentence, by=by))
        if by == OFFICER or (by == NOBODY and told["by"] != OFFICER):
            told["by"] = by
            if tells_why and why:
                told.setdefault("why", cut(why, _LONGEST_WHY))
    for remark in reading.remarks:
        if remark.kind != "place":
            found.setdefault(remark.start, Executor(sentence=remark.sentence, by=REMARK))
    for each in found.values():
        each["sentence"] = cut(each["sentence"], LONGEST_QUOTE)
    return [found[start] for start in sorted(found)]
