"""The contest as pages: my hand, what I may do, the book, and how it stands in public."""

from __future__ import annotations

import secrets as chance
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from aceofspades.actions import moves
from aceofspades.rules.charts import ChartBroken
from aceofspades.secrecy.secrets import Sight
from aceofspades.web import bargains, drawing
from aceofspades.web import page as scene
from aceofspades.web.estimated_worth import known_worth
from aceofspades.web.motions import MOST_PAST, motions, up_and_past
from aceofspades.web.story import Story, read_story
from nomic.rulebook.markdown import render as render_law
from nomic.web.game_page import GamePage, nothing_new, nothing_private, open_game


@require_safe
def aceofspades(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    if (unchanged := nothing_new(request)) is not None:
        return unchanged
    game_page, sight = open_contest(request, slug)
    live = bool(getattr(request, "htmx", False))
    story = read_story(sight.state)
    private = _private(game_page, sight)
    context = {"live": live, **private, **_standing(game_page, sight, story), **_told(sight, story)}
    template = "aceofspades/page.html#live" if live else "aceofspades/page.html"
    return unkept(game_page, render(request, template, context))


@require_safe
def private(request: HttpRequest, slug: str) -> HttpResponse:
    """What only private acts change: offers, pacts, notices, the viewer's votes and what their
    hand is worth (204 without a query while nothing does)."""
    if (unchanged := nothing_private(request)) is not None:
        return unchanged
    game_page, sight = open_contest(request, slug)
    context = {"live": True, **_private(game_page, sight)}
    return unkept(game_page, render(request, "aceofspades/page.html#private", context))


@require_safe
def regulation(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A regulation: its text for who may read it, and for the others who may. 404 for none."""
    game_page, sight = open_contest(request, slug)
    found = sight.state.regulation(number)
    if found is None:
        raise Http404(f"No Regulation {number} is in force in this contest.")
    leaf = scene.leaf(sight, found, read_story(sight.state).hints)
    in_force = [each.number for each in sight.state.regulations]
    place = in_force.index(number)
    past = [each for each in sight.state.proposals if each.regulation_number == number]
    context = {
        "game_page": game_page,
        "leaf": leaf,
        "law": render_law(leaf.text) if leaf.text is not None else "",
        "rule_url": game_page.rule_url(found.title) if found.is_public else "",
        "before": in_force[place - 1] if place else None,
        "after": in_force[place + 1] if place + 1 < len(in_force) else None,
        "proposals": past,
        "is_reckoned": sight.state.is_reckoned,
    }
    return unkept(game_page, render(request, "aceofspades/regulation.html", context))


@require_safe
def proposal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A proposal of the contest, its text for who may read it. 404 for none."""
    game_page, sight = open_contest(request, slug)
    found = sight.state.proposal(number)
    if found is None:
        raise Http404(f"This contest has no Proposal {number}.")
    motion = motions(game_page, sight, [found])[0]
    context = {
        "game_page": game_page,
        "motion": motion,
        "law": render_law(motion.text) if motion.text is not None else "",
        "votes": sight.votes(found),
        "is_reckoned": sight.state.is_reckoned,
        "key": chance.token_urlsafe(12),
    }
    return unkept(game_page, render(request, "aceofspades/proposal.html", context))


def open_contest(request: HttpRequest, slug: str) -> tuple[GamePage, Sight]:
    """The game's page and the contest as the viewer may see it; Http404 where there is none."""
    game_page = open_game(request, slug)
    sight = Sight(game_page.table, game_page.player)
    if not sight.state.is_on:
        raise Http404("No contest of cards is held in this game.")
    return game_page, sight


def unkept(game_page: GamePage, answer: HttpResponse) -> HttpResponse:
    """The answer, which nobody keeps who gets it for somebody with a seat."""
    if game_page.player is not None:
        add_never_cache_headers(answer)
    return answer


def _standing(game_page: GamePage, sight: Sight, story: Story) -> dict[str, Any]:
    state, clock = sight.state, game_page.game.clock
    due = story.due
    return {
        "contest": state.contest,
        "is_contestmaster": sight.is_contestmaster,
        "broken": _broken(sight),
        "deck": state.counts.get(state.deck.pk, 0),
        "deck_suits": scene.chips(sight, sight.deck_suits() or {}),
        "due": due,
        "due_wall": clock.wall(due) if due and clock.rate else None,
        "results": scene.results(sight),
        **scene.page_forms(game_page),
    }


def _told(sight: Sight, story: Story) -> dict[str, Any]:
    return {
        "rows": scene.foremost(sight),
        "total": len(sight.state.contestants),
        "sees_hands": scene.may_see_hands(sight),
        "leagues": bargains.leagues(sight),
        "chapters": scene.chapters(sight, story),
        "story": story,
        "intents": scene.intents(sight, story),
    }


def _private(game_page: GamePage, sight: Sight) -> dict[str, Any]:
    heard = game_page.private_version
    affairs = sight.affairs
    up, past = up_and_past(sight)
    return {
        "game_page": game_page,
        "own": sight.own,
        "is_reckoned": sight.state.is_reckoned,
        **(hand := _hand(sight)),
        "heard": "" if _is_being_counted(sight, hand) else heard,
        "bargains": bargains.bargains(sight),
        "more_bargains": affairs.more_offers,
        "pacts": bargains.pacts(sight),
        "allied": bargains.memberships(sight),
        "notices": affairs.notices,
        "more_notices": affairs.more_notices,
        "motions": motions(game_page, sight, up),
        "past": motions(game_page, sight, past[:MOST_PAST]),
        "more_past": len(past) > MOST_PAST,
        "key": chance.token_urlsafe(12),
    }


def _hand(sight: Sight) -> dict[str, Any]:
    hand = sight.own_hand()
    if hand is None:
        return {"hand": None}
    colours = sight.state.told.colours
    return {
        "hand": hand,
        "pictures": [
            ("only-wide", drawing.hand(hand, colours)),
            ("only-narrow", drawing.hand(hand, colours, drawing.NARROW)),
        ],
        "cards": moves.counted(hand),
        "worth": known_worth(sight),
    }


def _is_being_counted(sight: Sight, hand: dict[str, Any]) -> bool:
    """Whether what the hand is worth is yet to come: no act tells of that."""
    return not sight.state.is_reckoned and hand["hand"] is not None and hand["worth"] is None


def _broken(sight: Sight) -> str:
    """What is wrong with the regulations' tables, as a sentence; empty while all can be read."""
    try:
        sight.state.told.check()
    except ChartBroken as broken:
        return broken.sentence
    return ""
