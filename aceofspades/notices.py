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
    told = entry.outcome
    opens_a_vote = (
        entry.name == PutUpForVote.name
        or (entry.name == Propose.name and told.get("up_for_vote"))
        or (entry.name == DECISION and "proposal" in told and "effective" not in told)
    )
    if entry.name == RECKONING and "seed" in told:
        url = reverse("aceofspades", args=[table.game.slug])
        yield Concern(NoticeKind.RECKONING, entry.text, url)
    elif entry.name == NEXT_FINALIST and "semigenius" in told:
        url = reverse("aceofspades", args=[table.game.slug])
        yield Concern(NoticeKind.RESULT, entry.text, url)
    elif told.get("verdict") or opens_a_vote:
        kind = NoticeKind.RESULT if told.get("verdict") else NoticeKind.VOTE
        url = reverse("aceofspades_proposal", args=[table.game.slug, told["proposal"]])
        to = frozenset(each.player_id for each in state_of(table).contestants)
        yield Concern(kind, entry.text, url, to)
