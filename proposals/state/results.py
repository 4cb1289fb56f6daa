"""The results of a vote as they were at its close: every vote, the scoring, the reasons; and the
votes on a proposal as everybody may see them.

Results are made from what the closing recorded, so what is done later does not change them; votes
that were struck afterwards are told beside them, by `struck_since`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.record.models import EntryKind
from proposals.models import Errand, Proposal, Strike, Vote
from proposals.rules import EDITIONS
from proposals.rules.each_votes import shown_index

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Struck:
    """A vote that had been struck when the votes were counted."""

    voter: str
    vote: str
    reason: str
    entry: int


@dataclass(frozen=True, slots=True)
class Decided:
    """A proposal with its vote. `votes` has each voter's last vote that was not struck, `counted`
    as what it counted; a vote that counted for nothing is not in there. `figures` are the
    edition's, `body` is empty where the edition's results do not repeat it. `refused` says
    what was left undone and why, `by_hand` are the sentences that were left to the officer."""

    number: int
    title: str
    author: str
    proposal_class: str
    index: str
    coauthors: list[str]
    body: str
    outcome: str
    passed: bool
    strength: int
    stamina: int
    figures: dict[str, Any]
    reasons: list[str]
    votes: dict[str, str]
    counted: dict[str, str]
    struck: list[Struck]
    effects: list[str]
    refused: list[str]
    by_hand: list[str]

    @property
    def named(self) -> str:
        """“12 “Spoons””, or “12” where it has no title."""
        return f"{self.number} “{self.title}”" if self.title else str(self.number)

    @property
    def idle(self) -> list[str]:
        """The voters whose vote counted for nothing, in alphabetical order."""
        return sorted(self.votes.keys() - self.counted.keys())

    def voters(self, word: str) -> list[str]:
        """Those whose vote counted as that word, in order."""
        return sorted(name for name, counted in self.counted.items() if counted == word)


@dataclass(frozen=True, slots=True)
class Results:
    """All that one entry of the record decided. `at` is its game moment, `by` whose act it was.

    `nweek` is the nweek that ended with it, where votes are counted by the nweek.
    """

    game: str
    edition: str
    officer: str
    entry: int
    at: str
    nweek: int | None
    by: str
    proposals: list[Decided]

    @property
    def passed(self) -> list[Decided]:
        """The proposals that passed, in the order of passing."""
        return [proposal for proposal in self.proposals if proposal.passed]

    @property
    def voters(self) -> list[str]:
        """Everybody who voted on any of them, in order."""
        return sorted({name for proposal in self.proposals for name in proposal.votes})


def results_of(game: Game, seq: int) -> Results | None:
    """The results of the vote that entry `seq` decided; None where it decided none.

    Five queries, however many proposals and votes there are.
    """
    decided = decided_in(game, seq)
    if not decided:
        return None
    entry = game.entries.select_related("actor").get(seq=seq)
    edition = EDITIONS[game.edition]
    votes, struck = _votes(decided)
    errands = errands_of(game, seq)
    return Results(
        game=game.title,
        edition=edition.name,
        officer=edition.officer,
        entry=seq,
        at=iso(entry.at),
        nweek=entry.outcome.get("nweek"),
        by=entry.actor.name if entry.actor and entry.kind != EntryKind.EVENT else "",
        proposals=[
            _decided(
                proposal,
                votes=dict(sorted(votes.get(proposal.pk, {}).items())),
                struck=struck.get(proposal.pk, []),
                by_hand=[
                    errand.sentence
                    for errand in errands.get(proposal.number or 0, ())
                    if errand.made_in == seq
                ],
                body="" if edition.period == "nweek" else proposal.body,
            )
            for proposal in decided
        ],
    )


def decided_in(game: Game, seq: int) -> list[Proposal]:
    """The proposals on which entry `seq` decided after a vote, by number."""
    decided = Proposal.objects.filter(game=game, closed_in=seq, strength__isnull=False)
    return list(decided.select_related("author").order_by("number"))


def struck_since(game: Game, seq: int) -> list[Facts]:
    """The entries that struck or corrected votes of these results after they were made, oldest
    first.

    `recount` is what each would have changed.
    """
    struck = Strike.objects.filter(
        vote__proposal__game=game, vote__proposal__closed_in=seq, entry__gt=seq
    )
    set_by_hand = Vote.objects.filter(proposal__game=game, proposal__closed_in=seq, entry__gt=seq)
    # Without `order_by` Django sorts the votes by their usual order within the union, in vain.
    entries = struck.values("entry").union(set_by_hand.order_by().values("entry"))
    return [
        {
            "entry": entry.seq,
            "at": iso(entry.at),
            "text": entry.text,
            "recount": entry.outcome.get("recount", []),
        }
        for entry in game.entries.filter(seq__in=entries).order_by("seq")
    ]


def _votes(
    proposals: Collection[Proposal],
) -> tuple[dict[int, dict[str, str]], dict[int, list[Struck]]]:
    """The last votes that stood at the close, and those struck before it, by proposal (pk)."""
    closed = {proposal.pk: proposal.closed_in or 0 for proposal in proposals}
    votes: dict[int, dict[str, str]] = {}
    struck: dict[int, list[Struck]] = {}
    cast = Vote.objects.filter(proposal__in=list(closed)).order_by("pk")
    rows = cast.exclude(entry__gt=F("proposal__closed_in"))  # set by a correction afterwards
    for proposal, voter, word, reason, entry in rows.values_list(
        "proposal_id", "player__name", "word", "strike__reason", "strike__entry"
    ):
        if entry is not None and entry <= closed[proposal]:
            struck.setdefault(proposal, []).append(Struck(voter, word, reason, entry))
        else:
            votes.setdefault(proposal, {})[voter] = word
    return votes, struck


def errands_of(game: Game, seq: int) -> dict[int, list[Errand]]:
    """The errands of the proposals that passed in that entry, done or not, by the proposal's
    number."""
    errands: dict[int, list[Errand]] = {}
    rows = Errand.objects.filter(proposal__game=game, proposal__closed_in=seq)
    for errand in rows.select_related("proposal").order_by("place"):
        errands.setdefault(errand.proposal.number or 0, []).append(errand)
    return errands


def _decided(proposal: Proposal, **details: Any) -> Decided:
    figures = {name: figure for name, figure in proposal.figures.items() if name != "counted"}
    return Decided(
        number=proposal.number or 0,
        title=proposal.title,
        author=proposal.author.name,
        proposal_class=proposal.proposal_class,
        index=shown_index(proposal.index),
        coauthors=list(proposal.coauthors),
        outcome=proposal.outcome,
        passed=bool(proposal.passed),
        strength=proposal.strength or 0,
        stamina=proposal.stamina or 0,
        figures=figures,
        reasons=list(proposal.reasons),
        counted=dict(sorted(proposal.figures.get("counted", {}).items())),
        effects=[effect["sentence"] for effect in proposal.effects if effect["done"]],
        refused=[effect["sentence"] for effect in proposal.effects if effect.get("refused")],
        **details,
    )


MOST_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Cast:
    """A vote. `counted` is the word as which it counts, "" where it does not.

    `struck` is the officer's reason against it. `stands`: it is the voter's last one, at the
    close where there was one; a vote that was struck after it (`struck_since`) was counted, one
    that a correction set after it (`is_late`) was not.
    """

    voter: str
    word: str
    at: datetime
    entry: int | None
    struck: str
    struck_in: int | None
    stands: bool
    counted: str
    struck_since: bool = False
    is_late: bool = False


def votes_cast(proposal: Proposal, figures: Mapping[str, Any]) -> list[Cast]:
    """The newest votes first, up to `MOST_SHOWN`; none while nobody may see them.

    `figures` are those of the result, which says as what each vote counts. One query.
    """
    if proposal.votes_are_sealed:
        return []
    rows = (
        Vote.objects.filter(proposal=proposal)
        .annotate(voter=F("player__name"), struck=F("strike__reason"), struck_in=F("strike__entry"))
        .order_by("-pk")
        .values_list("voter", "word", "at", "entry", "struck", "struck_in")[:MOST_SHOWN]
    )
    counted = figures.get("counted")
    casts: list[Cast] = []
    settled: set[str] = set()
    for voter, word, at, entry, struck, struck_in in rows:
        since = bool(struck_in and proposal.closed_in and struck_in > proposal.closed_in)
        late = bool(entry and proposal.closed_in and entry > proposal.closed_in)
        stands = (struck is None or since) and voter not in settled and not late
        if stands:
            settled.add(voter)
        counts = ("" if counted is None else counted.get(voter, "")) if stands else ""
        facts = voter, word, at, entry, struck or "", struck_in, stands, counts, since, late
        casts.append(Cast(*facts))
    return casts
