"""The contest as pages: my hand, what I may do, the book, and how it stands in public; the lists
that its page only begins, and how the Reckoning marked a hand, regulation by regulation (119).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from aceofspades.events.scoring import with_cards
from aceofspades.models import Contestant
from aceofspades.rules.marks import Answer, as_compared, as_shown
from aceofspades.secrecy.scoring import estimated_worth
from aceofspades.secrecy.view import View
from aceofspades.state.counting import ask
from aceofspades.web import drawing, page
from aceofspades.web.proof import as_reckoned, markings
from nomic.games.models import Game
from nomic.record.models import Entry
from nomic.rulebook.last_readable import complaint
from nomic.rulebook.rendering.markdown import render as render_law
from nomic.web.game_context import GamePage, look_for_news, look_for_private_news, open_game
from nomic.web.paging import page_asked

_MOST_NOTICES = 20


@require_safe
def aceofspades(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    look_for_news(request)
    game_page, view = open_contest(request, slug)
    private = _private(game_page, view)
    state = view.state
    first = page.first_of(view)
    beyond = [view.contestant] if view.contestant and view.contestant not in first else []
    return game_page.draw_live(
        "aceofspades/page.html",
        unkept=True,
        **private,
        contest=state.contest,
        is_contestmaster=view.is_contestmaster,
        broken=complaint(state.unread),
        deck=state.counts.get(state.deck.pk, 0),
        deck_suits=page.chips(view, view.deck_suits or {}),
        due=None if state.is_reckoned else state.reckoning_due,
        results=page.results(view),
        **page.page_forms(game_page),
        rows=page.rows(view, [*first, *beyond]),
        total=len(state.names),
        sees_hands=view.sees_hands,
        leagues=page.alliances(view),
        chapters=page.chapters(view),
        story=(story := page.public_story(view)),
        tables=page.tables(state, first, moved=story["moves"]),
        intents=[page.tabled(view, act) for act in state.open_acts[: page.MOST_TABLED]],
    )


@require_safe
def private(request: HttpRequest, slug: str) -> HttpResponse:
    """The parts of the page that only private acts change: offers, pacts, notices, the viewer's
    votes and their hand's worth (204 without a query while nothing does)."""
    look_for_private_news(request)
    game_page, view = open_contest(request, slug)
    shown = _private(game_page, view)
    return game_page.draw("aceofspades/page.html#private", unkept=True, live=True, **shown)


@require_safe
def regulation(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A regulation: its text for who may read it, and for the others who may. 404 for none."""
    game_page, view = open_contest(request, slug)
    chosen = view.state.regulation(number)
    if chosen is None:
        raise Http404(f"No Regulation {number} is in force in this contest.")
    leaf = page.leaf(view, chosen)
    in_force = [rule.number for rule in view.state.regulations]
    place = in_force.index(number)
    past = [draft for draft in view.state.proposals if draft.regulation_number == number]
    return game_page.draw(
        "aceofspades/regulation.html",
        unkept=True,
        leaf=leaf,
        law=render_law(leaf.text) if leaf.text is not None else "",
        rule_url=game_page.rule_url(chosen.title) if chosen.is_public else "",
        before=in_force[place - 1] if place else None,
        after=in_force[place + 1] if place + 1 < len(in_force) else None,
        proposals=past,
        is_reckoned=view.state.is_reckoned,
        is_over=view.state.is_over,
    )


@require_safe
def proposal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A proposal of the contest, its text for who may read it. 404 for none."""
    game_page, view = open_contest(request, slug)
    chosen = view.state.proposal(number)
    if chosen is None:
        raise Http404(f"This contest has no Proposal {number}.")
    motion = page.proposal_rows(game_page, view, [chosen])[0]
    return game_page.draw(
        "aceofspades/proposal.html",
        unkept=True,
        motion=motion,
        law=render_law(motion.text) if motion.text is not None else "",
        votes=view.every_vote.get(number),
        is_reckoned=view.state.is_reckoned,
        is_over=view.state.is_over,
    )


def open_contest(request: HttpRequest, slug: str) -> tuple[GamePage, View]:
    """The game's page and the contest as the viewer may see it; Http404 where there is none."""
    game_page = open_game(request, slug)
    view = View(game_page.table, game_page.player)
    if not view.state.is_on:
        raise Http404("No contest of cards is held in this game.")
    return game_page, view


def _private(game_page: GamePage, view: View) -> dict[str, Any]:
    heard = game_page.private_version
    bargains, more_bargains = page.offers(view)
    up = [proposal for proposal in view.state.proposals if not proposal.verdict]
    past = [proposal for proposal in reversed(view.state.proposals) if proposal.verdict]
    hand = view.own_hand()
    shown: dict[str, Any] = {"hand": hand}
    if hand is not None:
        colours = view.state.public_charts.colours
        shown |= {
            "pictures": [
                ("only-wide", drawing.hand(hand, colours)),
                ("only-narrow", drawing.hand(hand, colours, drawing.NARROW)),
            ],
            "cards": sum(hand.values()),
            "worth": estimated_worth(view),
        }
    # What the hand is worth is yet to come: no act tells of that.
    counting = not view.state.is_reckoned and hand is not None and shown["worth"] is None
    return {
        "contestant": view.contestant,
        "is_reckoned": view.state.is_reckoned,
        "is_over": view.state.is_over,
        **shown,
        "heard": "" if counting else heard,
        "bargains": bargains,
        "more_bargains": more_bargains,
        "pacts": page.pacts(view),
        "allied": page.own_alliances(view),
        "notices": view.own_notices(_MOST_NOTICES),
        "motions": page.proposal_rows(game_page, view, up),
        "past": page.proposal_rows(game_page, view, past[: page.MOST_PAST]),
        "more_past": len(past) > page.MOST_PAST,
        "kept_by_hand": page.kept_by_hand(view),
    }


A_PAGE = 100


# Each list by its name in the address: its title, and what it lists.
_LISTS: dict[str, tuple[str, Callable[[View], Any]]] = {
    "contestants": ("Contestants", page.ranked),
    "proposals": ("Proposals", lambda view: view.state.proposals[::-1]),
    "moves": ("Cards on the move", page.moves),
    "requests": ("Requests for judgement", page.requests),
}


@require_safe
def whole_list(request: HttpRequest, slug: str, listing: str) -> HttpResponse:
    """A page of all contestants, proposals, moves of cards or requests; 404 for anything else."""
    if listing not in _LISTS:
        raise Http404(f"The contest has no list of {listing[:40]}.")
    title, every = _LISTS[listing]
    game_page, view = open_contest(request, slug)
    rows_listed = Paginator(every(view), A_PAGE).get_page(page_asked(request))
    shown: dict[str, Any] = {listing: rows_listed}
    if listing == "proposals":
        shown = {"motions": page.proposal_rows(game_page, view, rows_listed)}
    elif listing == "contestants":
        rows = page.rows(view, rows_listed)
        shown = {"rows": rows, "sees_hands": view.sees_hands, "results": page.results(view)}
    return game_page.draw(
        "aceofspades/list.html",
        unkept=True,
        listing=listing,
        is_reckoned=view.state.is_reckoned,
        is_over=view.state.is_over,
        title=title,
        page=rows_listed,
        **shown,
    )


@require_safe
def marked_hand(request: HttpRequest, slug: str, turn: int) -> HttpResponse:
    """The hand of the contestant who joined as that one. 404 until the hands are marked."""
    game_page, view = open_contest(request, slug)
    hand = marked(game_page.game, view, turn)
    if hand is None:
        raise Http404("No hand of that number has been marked in this contest.")
    steps = hand.steps and [
        {
            **step,
            "gist": page.leaf(view, regulation).gist
            if (regulation := view.state.regulation(step["number"]))
            else "",
            "change": as_shown(step["change"]),
            "after": as_shown(step["after"]),
        }
        for step in hand.steps
    ]
    return game_page.draw(
        "aceofspades/marked.html",
        contestant=hand.contestant,
        chips=page.chips(view, hand.cards),
        extra_chips=page.chips(view, hand.supposed),
        entry=hand.entry,
        worth=as_shown(hand.worth),
        steps=steps,
        differs=hand.differs,
    )


@dataclass(frozen=True, slots=True)
class Marked:
    """A hand as the Reckoning marked it in the `entry`: its cards, those that a tie `supposed`
    beside them, and the steps of the regulations, None while they are counted. It `differs` where
    what is counted now is not what was counted then."""

    contestant: Contestant
    worth: float
    cards: dict[str, int]
    supposed: dict[str, int]
    entry: Entry
    steps: list[dict[str, Any]] | None
    differs: bool


def marked(game: Game, view: View, turn: int) -> Marked | None:
    """The hand of the contestant who joined as that one; None where none was marked."""
    state = view.state
    contestant = state.contest.contestants.filter(turn=turn).select_related("player").first()
    if contestant is None or contestant.worth is None:
        return None
    question, name = as_reckoned(state), contestant.player.name
    entry, *earlier_entries = reversed(markings(game))
    supposed: dict[str, dict[str, int]] = {}
    for earlier in earlier_entries:  # the hands of a tie are marked anew, the others not
        if name in earlier.outcome.get("supposed", {}):
            supposed = earlier.outcome["supposed"]
            break
        entry = earlier
    answer = ask(replace(question, hands=with_cards(question.hands, supposed)))
    steps, before = [], 0.0
    counted = answer or Answer({})  # while it is being counted
    for number, worths in counted.steps.items():
        after = worths[name]
        steps.append(
            {
                "number": number,
                "change": after - before,
                "after": after,
                "error": counted.errors.get(number, ""),  # why it could not mark
            }
        )
        before = after
    return Marked(
        contestant,
        contestant.worth,
        dict(question.hands.get(name, {})),
        supposed.get(name, {}),
        entry,
        steps if answer else None,
        answer is not None and as_compared(answer.worths[name]) != as_compared(contestant.worth),
    )
