"""One proposal: its text, what it changes, its votes and links, what was said and became of it."""

import re
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from nomic.governance.motion_voting import MotionStanding, standings
from nomic.governance.motions import open_motions
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.changes.kinds import Change
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.rendering.diff import Differences
from nomic.rulebook.rendering.markdown import ShownPart, part_of, render_part
from nomic.web.game_context import GamePage, look_for_news
from nomic.web.paging import fitting, newest_before, number_asked
from proposals.api import MOST_LINKS, bound_together, links_around, running_results, viewer_votes
from proposals.models import Proposal, Status, Version
from proposals.rules.ballots import Result
from proposals.rules.words import names_in_words
from proposals.state.agenda import calendar, next_event
from proposals.state.earlier import changed_before
from proposals.state.laws import LawFacts, parts_otherwise
from proposals.state.reading import State
from proposals.state.results import MOST_SHOWN, votes_cast
from proposals.web import drawing
from proposals.web.finding import lapsed, open_proposals, proposal_or_404
from proposals.web.lists import figures_of, how_it_stands, votes_bar
from proposals.web.preview.on_paper import on_paper
from proposals.web.preview.told import changed_passages
from proposals.web.voting import Slip, slips

_MOST_COMMENTS = 200
_MOST_CHANGES = 200
_SAID = 300  # characters of a change's own words
_MARKUP = "x" * 300  # about what stands around one of a list
_REMARK = '<span class="who is-remark" title="It changes nothing, says the author">[remark:</span> '
_REMARK_ENDS = '<span class="who is-remark">]</span>'
_LAYOUT = re.compile(r"[\s#>*+-]*")  # of a line: a mark before it would make another line of it


@require_safe
def proposal(request: HttpRequest, slug: str, handle: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    look_for_news(request)
    game_page, state = open_proposals(request, slug)
    shown = proposal_or_404(state, handle)
    over = lapsed(state)
    running = running_result(state, shown)
    cast = votes_cast(shown, running.figures if running else shown.figures)
    me, in_queue = game_page.player, state.edition.period == "queue"
    is_mine = me is not None and me.active and shown.author_id == me.pk
    waits = shown.status == Status.PENDING or (in_queue and shown.status == Status.OPEN)
    return game_page.draw_live(
        "proposals/proposal.html",
        text_is_new=request.GET.get("text") != str(shown.version),
        edition=state.edition,
        proposal=shown,
        ahead=None if over else next_event(state, shown, calendar(state)),
        running=(foreseen := None if over else running),
        bar=votes_bar(state, shown, running),
        verdict=how_it_stands(shown, foreseen),
        figures_so_far=figures_of(shown, foreseen) if foreseen else "",
        partly=shown.passed and any(not effect["done"] for effect in shown.effects),
        foreseen=None if shown.closed_in else on_paper(state.table, shown),
        motions=_motions(game_page, shown),
        slip=None if over else _slip(game_page, shown),
        votes=sorted(
            (vote for vote in cast if vote.stands or vote.struck),
            key=lambda vote: (vote.word, vote.voter),
        ),
        voters=sum(vote.stands for vote in cast),
        struck_since=any(vote.struck_since for vote in cast),
        cast=cast,
        endorse=not game_page.is_live and "endorse" in request.GET,
        more_votes=len(cast) >= MOST_SHOWN,
        may_change=not over and is_mine and waits,
        may_withdraw=state.lets_withdraw,
        may_repeat=not over and is_mine and shown.passed is False,
        lapsed=over,
        bound=_bound(state, shown),
        outcome_rule=game_page.rule_url(state.edition.rules[0]),
        **_text(request, shown),
        **_effects(game_page, shown),
        **_versions(request, shown),
        **_links(shown),
        **_talk(request, shown),
    )


def running_result(state: State, proposal: Proposal) -> Result | None:
    """How an Open proposal would be decided now; None for others and while votes are sealed.

    In editions that decide proposals together, with all that links bind it to; in a queue with
    those before it.
    """
    if proposal.status != Status.OPEN or proposal.votes_are_sealed:
        return None
    together = [proposal]
    if state.edition.period != "each":
        bound = Q(pk__in=bound_together(state.game, to=proposal))
        earlier = Q(status=Status.OPEN, serial__lte=proposal.serial)
        which = earlier if state.edition.period == "queue" else bound
        together = list(state.proposals().filter(which).defer("body", "effects"))
    return running_results(state, together).get(proposal.pk)


def _bound(state: State, proposal: Proposal) -> str:
    """A sentence on what has changed since its vote opened, which does not count for it; "" where
    nothing has, or it is not open."""
    if proposal.status != Status.OPEN or not proposal.law:
        return ""
    now: LawFacts = unless_broken(state.law_now, proposal.law)
    parts = names_in_words(parts_otherwise(proposal.law, now))
    if not parts:
        return ""
    return f"A vote that opens now has other {parts}. This one is held by those that it began with."


def _motions(game_page: GamePage, proposal: Proposal) -> list[MotionStanding]:
    """How the motions stand that are to correct something about it."""
    its_own = [
        motion
        for motion in open_motions(game_page.table)
        if motion.action.startswith("proposals.")
        and motion.inputs.get("proposal") == proposal.handle
    ]
    return standings(game_page.table, game_page.player, its_own)


def _slip(game_page: GamePage, proposal: Proposal) -> Slip | None:
    """The viewer's slip for it; None where the vote is not open."""
    if game_page.player is None or proposal.status != Status.OPEN:
        return None
    mine = viewer_votes(game_page.player)
    return slips(game_page, [proposal], mine, with_players=True).get(proposal.pk)


def _text(request: HttpRequest, proposal: Proposal) -> dict[str, Any]:
    """The body for reading, of a long one a `part`, and the changes that were found in it."""
    part = part_of(proposal.body, number_asked(request, "part") or 1)
    text, changes, unreadable = _read(proposal.body, tuple(proposal.remarks), part)
    units = fitting(proposal.units, lambda unit: (unit["sentence"][:_SAID], unit["passage"]))
    shown = fitting(changes[:_MOST_CHANGES], lambda change: (str(change), change.sentence[:_SAID]))
    remarks = fitting(proposal.remarks, lambda remark: (remark[:_SAID],))
    return {
        "part": part,
        "text": text,
        "changes": shown,
        "more_changes": len(changes) - len(shown),
        "units": units,
        "more_units": len(proposal.units) - len(units),
        "remarks": remarks,
        "more_remarks": len(proposal.remarks) - len(remarks),
        "unreadable": unreadable,
    }


@memoized(share=0.02)
def _read(
    body: str, remarks: tuple[str, ...], part: ShownPart
) -> tuple[SafeString, tuple[Change, ...], str]:
    """That part of a body as HTML, its changes, and why it cannot be read where it cannot."""
    try:
        reading = read_changes(body, remarks)
    except Unreadable as unreadable:
        return render_part(body, part), (), str(unreadable)
    if reading.misfit:
        return render_part(body, part), (), reading.misfit[0]
    marks: list[tuple[int, str]] = []
    for remark in reading.marked[:_MOST_CHANGES]:
        layout = _LAYOUT.match(body, remark.start, remark.end)
        marks += [(layout.end() if layout else remark.start, _REMARK), (remark.end, _REMARK_ENDS)]
    return render_part(body, part, marks), reading.changes, ""


def _effects(game_page: GamePage, proposal: Proposal) -> dict[str, Any]:
    """The recorded effects of a proposal that passed, with the errands of what was left to a hand
    and the differences in texts."""
    if not proposal.passed:
        return {}
    errands = {errand.place: errand for errand in proposal.errands.all()}
    page, earlier = Differences(), changed_before(proposal)
    shown = fitting(
        proposal.effects[:_MOST_CHANGES], lambda effect: (str(effect.get("sentence", "")), _MARKUP)
    )
    effects = []
    for place, effect in enumerate(shown, 1):
        before, after = effect.get("before", ""), effect.get("after", "")
        effects.append(
            {
                "effect": effect,
                "rule_url": game_page.rule_url(effect.get("rule", "")),
                "passages": changed_passages(before, after, page)[0],
                "before_it": earlier.get(place, ""),
                "errand": errands.get(place),
            }
        )
    return {"more_effects": len(proposal.effects) - len(shown), "effects": effects}


def _versions(request: HttpRequest, proposal: Proposal) -> dict[str, Any]:
    """The versions, newest first, and the difference between two (`from`, `to`)."""
    wanted = [request.GET.get(side, "") for side in ("from", "to")]
    versions = proposal.versions.order_by("-number")
    listed = list(versions if any(wanted) else versions.only("number", "title", "entry"))
    numbered = {str(version.number): version for version in listed}
    old, new = map(numbered.get, wanted)
    return {
        "versions": listed,
        "old": old,
        "new": new,
        "differences": Differences().show(_whole(old), _whole(new)) if old and new else "",
    }


def _whole(version: Version) -> str:
    """Title and body as one text, so that a new title shows as a difference too."""
    return f"{version.title}\n\n{version.body}" if version.title else version.body


def _talk(request: HttpRequest, proposal: Proposal) -> dict[str, Any]:
    """The newest comments, or the newest `before` one, in the order in which they were made."""
    every = proposal.comments.select_related("player")
    before = number_asked(request, "before")
    comments, older = newest_before(every, "pk", before, _MOST_COMMENTS)
    shown = fitting(comments, lambda comment: (comment.text, _MARKUP))
    return {
        "comments": shown[::-1],
        "earlier": shown[-1].pk if older or len(shown) < len(comments) else None,
        "talk_before": before,
    }


def _links(proposal: Proposal) -> dict[str, Any]:
    links = links_around(proposal)
    ends = {str(end.handle): end for link in links for end in (link.proposal, link.other)}
    titles = {handle: end.title for handle, end in ends.items()}
    ties = [
        drawing.ListedLink(link.kind, str(link.proposal.handle), str(link.other.handle))
        for link in links[:MOST_LINKS]
    ]
    own_handle = str(proposal.handle)
    return {
        "graph_wide": drawing.graph(own_handle, ties, titles),
        "graph_narrow": drawing.graph(own_handle, ties, titles, width=drawing.NARROW),
        "links": [
            (link, own_handle in (tie.source, tie.target))
            for link, tie in zip(links, ties, strict=False)
        ],
        "more_links": len(links) > MOST_LINKS,
    }
