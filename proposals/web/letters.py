"""Letters on votes: the decision, and ballots: the proposal's text, what it would change, and a
link by which its reader votes without signing in.

The link is signed for one person and one proposal. Looked at, it shows the ballot; only sending the
ballot votes. It opens nothing else, and whoever has the letter has it.
"""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.engine.outcomes import Busy, Malformed, NoticeKind, Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.notices.mail import absolute, adds_to_letters, shortened
from nomic.notices.models import Notice
from nomic.quotas.holds import locked_out
from nomic.quotas.models import UsageKind
from nomic.rulebook.rendering.markdown import render as render_text
from proposals.events.opening import ends_of_votes
from proposals.models import Proposal, Status, Vote
from proposals.rules.words import ENDORSE
from proposals.state.reading import state_of
from proposals.state.results import results_of
from proposals.web.change_summaries import change_summaries
from proposals.web.results import text_of
from proposals.web.voting import VOTE, otherwise, words_of

_SALT = "proposals.ballot"
_GOOD_FOR = 30 * 86_400  # seconds
_MOST = 6  # proposals in a letter that a vote closes


class BallotLink(NamedTuple):
    """The user who may vote by a letter's link, their seat, and the proposal."""

    user: User
    game: Game
    seat: Player
    proposal: Proposal


@adds_to_letters
def ballots_of(user: User, notice: Notice) -> str:
    """The proposal of a vote that has opened, or those whose vote closes then and on which the user
    has not voted, as a letter has them; "" for any other notice."""
    paragraphs = []
    table = glance(notice.game)
    for proposal in _proposals_to_vote_on(user, notice):
        paragraphs += [f"{proposal}", shortened(proposal.body)]
        if due := ends_of_votes(table, [proposal]).get(proposal.pk):
            paragraphs.append(f"Voting on it closes on {notice.game.clock.told(due)}.")
        if effects := change_summaries([proposal]).get(proposal.pk):
            paragraphs.append(f"What it would change: {effects}.")
        paragraphs.append(f"Vote without signing in: {absolute(link_of(user, proposal))}")
    return "\n\n".join(paragraphs)


def _proposals_to_vote_on(user: User, notice: Notice) -> list[Proposal]:
    if notice.kind == NoticeKind.CLOSING and notice.game.edition:
        voted = Vote.objects.final().filter(proposal__game=notice.game, player__user=user)
        done = set(voted.values_list("proposal_id", flat=True))
        open_ones, clock = state_of(glance(notice.game)).open, notice.game.clock
        unvoted = [proposal for proposal in open_ones if proposal.pk not in done]
        if notice.until is not None and clock.rate:
            # All close together where none has a moment of its own.
            closes = {
                proposal.pk: clock.wall(proposal.closes_at)
                for proposal in unvoted
                if proposal.closes_at
            }
            unvoted = [
                proposal
                for proposal in unvoted
                if (closes.get(proposal.pk) or notice.until) <= notice.until
            ]
        return unvoted[:_MOST]
    if notice.kind != NoticeKind.VOTE:
        return []
    try:
        place = resolve(notice.url)
    except Resolver404:
        return []
    if place.url_name != "proposal":
        return []
    handle = place.kwargs["handle"]
    state = state_of(glance(notice.game))
    proposal = state.find(int(handle) if handle.isdecimal() else handle)
    return [proposal] if proposal is not None and proposal.status == Status.OPEN else []


@adds_to_letters
def results_of_vote(user: User, notice: Notice) -> str:
    """The report of a vote's results, as a letter has it; "" for any other notice."""
    if notice.kind != NoticeKind.RESULT or notice.entry is None:
        return ""
    results = results_of(notice.game, notice.entry) if notice.game.edition else None
    return shortened(text_of(results)) if results else ""


def link_of(user: User, proposal: Proposal) -> str:
    """The path of that user's ballot on this site, signed."""
    token = signing.dumps([user.pk, proposal.pk], salt=_SALT)
    return reverse("ballot", args=[token])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def ballot(request: HttpRequest, token: str) -> HttpResponse:
    """The ballot of a letter: looked at, it asks; sent, it votes. 404 for a link that is none, or
    is of somebody who does not play any more."""
    opened = _ballot_of(token)
    table = glance(opened.game)
    refusal, status, voted = "", 200, ""
    if request.method == "POST":
        choice = request.POST.get("choice", "")
        inputs = {"proposal": opened.proposal.handle, "choice": choice}
        try:
            take(opened.game.slug, opened.user, VOTE, inputs)
            voted = choice
        except (Refused, Malformed) as refused:
            refusal, status = str(refused), 409
        except Busy as busy:
            refusal, status = str(busy), 503
    elif opened.proposal.status != Status.OPEN:
        refusal = f"The vote on {opened.proposal.label} is over."
    context = {
        "game": opened.game,
        "seat": opened.seat,
        "proposal": opened.proposal,
        "text": render_text(opened.proposal.body),
        "effects": change_summaries([opened.proposal]).get(opened.proposal.pk),
        # Whom one endorses is chosen on the site.
        "words": [
            word
            for word in words_of(state_of(table), opened.seat, opened.proposal)
            if word != ENDORSE
        ],
        "otherwise": otherwise(state_of(table), opened.proposal),
        "refusal": refusal,
        "voted": voted,
    }
    return render(request, "proposals/ballot.html", context, status=status)


def _ballot_of(token: str) -> BallotLink:
    """Whose ballot it is, on what; raises Http404."""
    try:
        user_pk, proposal_pk = signing.loads(token, salt=_SALT, max_age=_GOOD_FOR)
    except signing.BadSignature:
        raise Http404("This link opens no ballot. Sign in to vote.") from None
    user = User.objects.filter(pk=user_pk, is_active=True).first()
    # A replay's own game is never shown.
    proposal = Proposal.objects.filter(pk=proposal_pk, game__scratch=False).first()
    if user is None or proposal is None or locked_out(UsageKind.USER, user.pk):
        raise Http404("This link opens no ballot any more.")
    game = proposal.game
    seat = game.players.filter(user=user, active=True).first()
    if seat is None:
        raise Http404("This link is of somebody who does not play any more.")
    return BallotLink(user, game, seat, proposal)
