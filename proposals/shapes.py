"""Shapes of the API's answers on the proposals, as the OpenAPI document tells them."""

from typing import Literal, NotRequired, TypedDict

ToldStatus = Literal["Pending", "Open", "Historical"]
ToldSuccess = Literal["Undecided", "Won", "Lost", "Discarded"]
ProposalShape = TypedDict(
    "ProposalShape",
    {
        "number": int | None,
        "id": str,
        "title": str,
        "author": str,
        "status": ToldStatus,
        "closes_at": str | None,
        "closes_wall": str | None,
        "outcome": Literal["adopted", "rejected", "failed quorum"] | None,
        "success": ToldSuccess,
        "passed": bool | None,
        "strength": int | None,
        "stamina": int | None,
        "for": int | None,
        "against": int | None,
        "conflicts": list[int | str],
        "dependencies": list[int | str],
        "reasons": list[str],
        "awaits_since": NotRequired[str],
        "index": NotRequired[float],
        "class": NotRequired[str],
        "coauthors": NotRequired[list[str]],
        "present": NotRequired[int | None],
        "ballots": NotRequired[int | None],
        "for_strength": NotRequired[int | None],
        "against_strength": NotRequired[int | None],
        "ratio": NotRequired[str | None],
        "quorum": NotRequired[int | None],
        "popularity": NotRequired[float | None],
    },
)
ProposalShape.__doc__ = """A proposal as the list has it; `awaits_since` while votes are counted.
    Its `status` is Pending until the vote begins and Historical once that has ended. Until it has a
    `number` its `id` names it.

    The vote on an open one `closes_at` that moment of the game, which is `closes_wall` for
    everybody, null where time stands still; both are null of others, and where somebody has to end
    the vote.

    Under an adoption index also the index, the class and the co-authors, and of the votes so far
    what stands above a resolved proposal: `for_strength` and `against_strength` are sums of voting
    strengths, `ratio` is F/A, “12/6”, `quorum` in ballots, `popularity` (FOR − AGAINST)/ballots by
    heads. They are null before the vote, and while nobody may see the votes.
    """


class VersionShape(TypedDict):
    """A text that it has had, and the entry that made it so."""

    number: int
    title: str
    entry: int


class ChangeShape(TypedDict):
    """A change that a body asks for; one that is not `parsed` is made by hand."""

    verb: str
    target: str
    parsed: bool
    sentence: str


class ShiftShape(TypedDict):
    """What a holder has of an asset before and after."""

    holder: str
    asset: str
    before: int
    after: int


class EffectShape(TypedDict):
    """What a change would do, or did: the rule that it touches, or the balances. `old` and `new`
    are the words that it replaces or adds, else the lines that differ."""

    sentence: str
    done: bool
    rule: str
    old: str
    new: str
    shifts: list[ShiftShape]


class ComingShape(TypedDict):
    """What a program would let happen by itself, and when next: ISO 8601 in UTC."""

    name: str
    due: str


class FaultShape(TypedDict):
    """What is wrong with the program of a rule; where in its text, as far as that is known."""

    rule: str
    sentence: str
    line: int | None
    column: int | None


class PartShape(TypedDict):
    """One of several things that a sentence asks for, in words, and by whom it is carried out."""

    part: str
    by: str
    why: NotRequired[str]


class ExecutorShape(TypedDict):
    """A sentence, and by whom it is carried out: program, officer, nobody where it is left undone,
    or remark: by nobody, either. `why` is told where the program would do it and cannot. Of a
    sentence that is not carried out by one alone there are the `parts`."""

    sentence: str
    by: str
    why: NotRequired[str]
    parts: NotRequired[list[PartShape]]


class MeetingShape(TypedDict):
    """A rule that another proposal changes as well, which is open or waits for its vote, and the
    words of it that it is about, "" where it is about all of it; `together` says what would come of
    both, "" where that was not tried."""

    proposal: int | str
    rule: str
    passage: str
    together: str


class UnitShape(TypedDict):
    """What a sentence counts or names: the passage that its author has confirmed, in which rule."""

    sentence: str
    passage: str
    rule: str


class PreviewShape(TypedDict):
    """What the changes would do if it passed now; of a Historical one, what they did. With `busy`
    it is not told yet, and without `worked_out` not all of it: `warnings` say why, as that it took
    too long just now."""

    changes: list[EffectShape]
    more: int
    consequences: list[str]
    figures: list[list[str]]
    warnings: list[str]
    worked_out: bool
    executors: list[ExecutorShape]
    units: list[UnitShape]
    meets: list[MeetingShape]
    unplayed: list[str]
    claimed: list[str]
    next_adoption: str | None
    adds: dict[str, list[str | ComingShape]]
    errors: list[FaultShape]
    costs: list[str]
    unreadable: str
    busy: str


class WholeProposalShape(ProposalShape):
    """A proposal with its text, and its votes as far as the caller may see them."""

    body: str
    remarks: list[str]
    versions: list[VersionShape]
    changes: list[ChangeShape]
    preview: PreviewShape
    votes: dict[str, str]
