"""Whom the proposals' part of the record concerns, and which votes run out."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime

from django.urls import reverse

from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.games.powers import voters
from nomic.games.wording import first_of
from nomic.notices.calendar import in_calendars
from nomic.record.models import Entry
from proposals.events.clock import OPENS
from proposals.events.opening import CLOSES, DISTRIBUTED, TIMED_OUT, ends_of_votes
from proposals.models import Comment, Proposal, Vote
from proposals.state.reading import state_of

_COMMENT = "proposals.comment"
_MAY_OPEN_ONE = frozenset({"proposals.submit", "proposals.distribute", DISTRIBUTED})
_MOST_NAMED = 6


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """A vote that opens, a result, a comment."""
    game, figures = table.game, entry.outcome
    if entry.name == OPENS and figures.get("proposals"):
        yield Concern(NoticeKind.VOTE, entry.text, _page(game))
    elif entry.name in _MAY_OPEN_ONE and "proposal" in figures:
        opened = Proposal.objects.filter(game=game, opened_in=entry.seq)
        for proposal in opened.only("number", "serial", "title"):
            text = f"{proposal} is open to votes."
            yield Concern(NoticeKind.VOTE, text, _page(game, proposal.handle))
    elif entry.name == _COMMENT:
        comments = Comment.objects.select_related("proposal")
        comment = comments.get(proposal__game=game, entry=entry.seq)
        before = comment.proposal.comments.exclude(entry=entry.seq)
        speakers = before.values_list("player", flat=True)
        to = frozenset({comment.proposal.author_id, *speakers})
        url = _page(game, comment.proposal.handle)
        yield Concern(NoticeKind.REPLY, f"{entry.text} “{comment.text}”", url, to)
    if results := figures.get("results"):
        ends = []
        numbers = [proposal["number"] for proposal in results[:_MOST_NAMED]]
        decided = Proposal.objects.filter(game=game, number__in=numbers)
        titles = dict(decided.values_list("number", "title"))
        for proposal in results:
            reason = next(iter(proposal.get("reasons", ())), "").rstrip(".")
            why_not = f" ({reason[:1].lower()}{reason[1:200]})" if reason else ""
            outcome = "passed" if proposal["passed"] else f"did not pass{why_not}"
            title = titles.get(proposal["number"], "")
            named = f"Proposal {proposal['number']}" + (f" “{title}”" if title else "")
            ends.append(f"{named} {outcome}")
        url = reverse("proposal_results", args=[game.slug, entry.seq])
        yield Concern(NoticeKind.RESULT, f"Decided: {first_of(ends, _MOST_NAMED)}.", url)


def deadlines(table: Table) -> Iterable[Concern]:
    """The ends of votes, each for those who have not voted on all that end then."""
    state = state_of(table)
    closing: dict[datetime, list[Proposal]] = {}
    ends = ends_of_votes(table, state.open)
    for proposal in state.open:
        if proposal.pk in ends:
            closing.setdefault(ends[proposal.pk], []).append(proposal)
    if not closing:
        return
    voted = set(
        Vote.objects.final().filter(proposal__in=state.open).values_list("proposal_id", "player_id")
    )
    may_vote = voters(table.game, table.now)
    players = list(may_vote.filter(active=True, away_in=None).values_list("pk", flat=True))
    for due, proposals in closing.items():
        to = frozenset(
            key for key in players if any((proposal.pk, key) not in voted for proposal in proposals)
        )
        named = first_of([proposal.label for proposal in proposals], _MOST_NAMED)
        missed = "you have not voted" + (" on all of them" if len(proposals) > 1 else "")
        text = f"Voting on {named} closes on {table.game.clock.told(due)}, and {missed}."
        about = f"closing/{due:%Y%m%d%H%M%S}"
        yield Concern(NoticeKind.CLOSING, text, _page(table.game), to, due, about)


@in_calendars(CLOSES, TIMED_OUT)
def votes_in_calendars(table: Table, subjects: Collection[str]) -> Mapping[str, tuple[str, str]]:
    """Each end of a vote with the number of its proposal and its page; of votes that end together
    with the numbers of all that are open."""
    open_ones = state_of(table).open
    by_serial = {str(proposal.serial): proposal for proposal in open_ones}
    lines = {
        subject: (f"Voting on {proposal} closes", _page(table.game, proposal.handle))
        for subject in subjects
        if (proposal := by_serial.get(subject))
    }
    if "" in subjects and open_ones:
        labels = first_of([proposal.label for proposal in open_ones], _MOST_NAMED)
        lines[""] = f"Voting on {labels} closes", _page(table.game)
    return lines


def _page(game: Game, *handle: object) -> str:
    return reverse("proposal" if handle else "proposals", args=[game.slug, *handle])
