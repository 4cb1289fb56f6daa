"""The fields of cases as the API answers them."""

from typing import TypedDict


class ReadSentenceShape(TypedDict):
    """A sentence of a rule that the judgement reads; `ended_in` is the entry since which the rule
    says it no more, and `binds` whether no later judgement reads it the other way. Since the entry
    `since`, and until that of `until` if it is over, it is played as `played_as` says: a row, or a
    program."""

    rule: str
    passage: str
    ended_in: int | None
    binds: bool
    played_as: str | None
    since: int | None
    until: int | None


class CaseShape(TypedDict):
    """A case: `passages` are the sentences that the standing judgement reads, `annotations` say
    what stands beside them in the rules."""

    number: int
    statement: str
    caller: str
    barred: list[str]
    called_at: str
    entry: int
    judge: str | None
    due: str | None
    verdict: str | None
    judged_in: int | None
    open: bool
    passages: list[ReadSentenceShape]
    annotations: list[str]


class ExhibitShape(TypedDict):
    """A piece of evidence: what it is called, and its page."""

    title: str
    passage: str
    url: str


class CaseTextShape(TypedDict):
    """A text of a case, of one of the kinds “arguments”, “gratuitous” and “judgement”."""

    number: int
    kind: str
    by: str
    text: str
    verdict: str | None
    entry: int
    overturned_by: str | None
    overturned_in: int | None
    evidence: list[ExhibitShape]


class JudgeShape(TypedDict):
    """A judge whom a case has had: since which entry, and how and where that ended."""

    judge: str
    entry: int
    end: str | None
    ended_in: int | None


class MotionShape(TypedDict):
    """A motion that may open the judgement again: who has asked, how many others it needs."""

    motion: str
    asked_by: list[str]
    missing: int


class ConsequenceShape(TypedDict):
    """An entry that followed from the judgement, who attached it to the case, and where."""

    entry: int
    attached_by: str
    attached_in: int


class WholeCaseShape(CaseShape):
    """A case with its texts, the oldest first, its judges, what followed from it, and the motions
    that may open it. Where it has more texts, `further` is the name under which it is asked for
    with the next of them, as “12.41”."""

    texts: list[CaseTextShape]
    further: str | None
    judges: list[JudgeShape]
    consequences: list[ConsequenceShape]
    motions: list[MotionShape]
