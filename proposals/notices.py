"""Whom the proposals' part of the record concerns, and which votes run out."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.urls import reverse

from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.games.powers import voters
from nomic.games.wording import first_of
from nomic.record.models import Entry
from proposals.events.clock import OPENS
from proposals.events.opening import CLOSES, DISTRIBUTED
from proposals.models import Comment, Proposal, Vote
from proposals.state.reading import state_of

_COMMENT = "proposals.comment"
_MAY_OPEN_ONE = frozenset({"proposals.submit", "proposals.distribute", DISTRIBUTED})
_MOST_NAMED = 6


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """A vote that opens, a result, a comment."""
    game, told = table.game, entry.outcome
    if entry.name == OPENS and told.get("proposals"):
        yield Concern(NoticeKind.VOTE, entry.text, _page(game))
    elif entry.name in _MAY_OPEN_ONE and "proposal" in told:
        opened = Proposal.objects.filter(game=game, opened_in=entry.seq)
        for each in opened.only("number", "serial", "title"):
            yield Concern(NoticeKind.VOTE, f"{each} is open to votes.", _page(game, each.handle))
    elif entry.name == _COMMENT:
        said = Comment.objects.select_related("proposal").get(proposal__game=game, entry=entry.seq)
        others = said.proposal.comments.exclude(entry=entry.seq).values_list("player", flat=True)
        to = frozenset({said.proposal.author_id, *others})
        url = _page(game, said.proposal.handle)
        yield Concern(NoticeKind.REPLY, f"{entry.text} “{said.text}”", url, to)
    if results := told.get("results"):
        ends = []
        for each in results:
            why = next(iter(each.get("reasons", ())), "").rstrip(".")
            failed = f"did not pass ({why[:1].lower()}{why[1:200]})" if why else "did not pass"
            ends.append(f"Proposal {each['number']} {'passed' if each['passed'] else failed}")
        url = reverse("proposal_results", args=[game.slug, entry.seq])
        yield Concern(NoticeKind.RESULT, f"Decided: {first_of(ends, _MOST_NAMED)}.", url)


def deadlines(table: Table) -> Iterable[Concern]:
    """The ends of votes, each for those who have not voted on all that end then."""
    state = state_of(table)
    closing: dict[datetime, list[Proposal]] = {}
    together = table.appointments.due(CLOSES)
    for each in state.open:
        if (due := each.closes_at or together) is not None:
            closing.setdefault(due, []).append(each)
    if not closing:
        return
    voted = set(
        Vote.objects.final().filter(proposal__in=state.open).values_list("proposal_id", "player_id")
    )
    may_vote = voters(table.game, table.now)
    players = list(may_vote.filter(active=True).values_list("pk", flat=True))
    for due, proposals in closing.items():
        to = frozenset(
            key for key in players if any((each.pk, key) not in voted for each in proposals)
        )
        named = first_of([each.label for each in proposals], _MOST_NAMED)
        missed = "you have not voted" + (" on all of them" if len(proposals) > 1 else "")
        text = f"Voting on {named} closes on {due:%d %B at %H:%M} UTC, and {missed}."
        about = f"closing/{due:%Y%m%d%H%M%S}"
        yield Concern(NoticeKind.CLOSING, text, _page(table.game), to, due, about)


def _page(game: Game, *handle: object) -> str:
    return reverse("proposal" if handle else "proposals", args=[game.slug, *handle])
