"""Whom the public part of the contest's record concerns. Who is told something in private hears
that there is something, and reads it on the contest's page."""

from collections.abc import Iterator

from django.urls import reverse

from aceofspades.actions.ballots import Propose, PutUpForVote
from aceofspades.events.decisions import DECISION
from aceofspades.events.scoring import NEXT_FINALIST
from aceofspades.state.reading import RECKONING, state_of
from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """A vote of the contest, its result, the Moment of Reckoning, and who is Semigenius."""
    figures = entry.outcome
    opens_a_vote = (
        entry.name == PutUpForVote.name
        or (entry.name == Propose.name and figures.get("up_for_vote"))
        or (entry.name == DECISION and "proposal" in figures and "effective" not in figures)
    )
    if entry.name == RECKONING and "seed" in figures:
        url = reverse("aceofspades", args=[table.game.slug])
        yield Concern(NoticeKind.RECKONING, entry.text, url)
    elif entry.name == NEXT_FINALIST and "semigenius" in figures:
        url = reverse("aceofspades", args=[table.game.slug])
        yield Concern(NoticeKind.RESULT, entry.text, url)
    elif figures.get("verdict") or opens_a_vote:
        kind = NoticeKind.RESULT if figures.get("verdict") else NoticeKind.VOTE
        url = reverse("aceofspades_proposal", args=[table.game.slug, figures["proposal"]])
        to = frozenset(contestant.player_id for contestant in state_of(table).contestants)
        yield Concern(kind, entry.text, url, to)
