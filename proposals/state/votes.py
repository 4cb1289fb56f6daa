"""The votes on a proposal as everybody may see them: each as it was cast, the struck ones too."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from proposals.models import Proposal, Vote

MOST_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Cast:
    """A vote. `counted` is the word as which it counts, "" where it does not.

    `struck` is the officer's reason against it. `stands`: it is the voter's last one, at the
    close where there was one; a vote that was struck after it (`struck_since`) was counted.
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
    found: list[Cast] = []
    seen: set[str] = set()
    for voter, word, at, entry, struck, struck_in in rows:
        since = bool(struck_in and proposal.closed_in and struck_in > proposal.closed_in)
        stands = (struck is None or since) and voter not in seen
        if stands:
            seen.add(voter)
        counts = ("" if counted is None else counted.get(voter, "")) if stands else ""
        found.append(Cast(voter, word, at, entry, struck or "", struck_in, stands, counts, since))
    return found
