"""How a game ended: who won what, how its rules changed, what turned it, and what to take along."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Min, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from nomic.games.models import Game
from nomic.record.game_file import published
from nomic.record.models import Entry
from nomic.rulebook.models import Rule, RuleVersion
from nomic.standard.hosting.acts import CLOSE
from nomic.web.game_page import GamePage, open_game, rule_url
from nomic.web.views.home import currencies_of, standings_of

_MOST = 50  # rules, wins and turning points that are told


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a rule from the game's first entry to its last."""

    title: str
    url: str
    what: str


@require_safe
def ending(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a game that is over; one that goes on leads to its home."""
    game_page = open_game(request, slug)
    game = game_page.game
    if not game.is_closed:
        return redirect("game", slug)
    fates, kinds = _fates(game_page)
    wins = list(game.wins.select_related("player").order_by("-entry")[:_MOST])
    return game_page.draw(
        "web/home/end.html",
        closing=game.entries.filter(name=CLOSE).order_by("-seq").first(),
        began=game.entries.order_by("seq").first(),
        wins=wins,
        fates=fates[:_MOST],
        more=max(len(fates) - _MOST, 0),
        kinds=kinds,
        turning_points=_turning_points(game, {win.entry for win in wins}),
        currencies=currencies_of(game_page),
        standings=standings_of(game_page),
        published=published(game),
    )


def _fates(game_page: GamePage) -> tuple[list[Fate], Counter[str]]:
    """The public rules that came, changed or went, and how many of each; `stayed` are the rest."""
    rules = game_page.game.rules.filter(visibility="public").defer("text").order_by("position")
    known = rules.annotate(since=Min("versions__enacted_in"))
    told, kinds = [], Counter[str]()
    for rule in known:
        kind, what = _fate(rule, first=rule.since == 1)
        kinds[kind] += 1
        if what:
            told.append(Fate(rule.title, _address(game_page, rule), what))
    return told, kinds


def _fate(rule: Rule, *, first: bool) -> tuple[str, str]:
    times = rule.version - 1
    amended = f"amended {'once' if times == 1 else f'{times} times'}" if times else ""
    if rule.repealed_in is not None:
        return ("repealed" if first else "came_and_went"), f"repealed in entry {rule.repealed_in}"
    if not first:
        return "enacted", f"enacted in entry {rule.enacted_in}, {amended}".removesuffix(", ")
    return ("amended", amended) if times else ("stayed", "")


def _address(game_page: GamePage, rule: Rule) -> str:
    url = rule_url(game_page.game, rule.title, rule.pk)
    return f"{url}?from=1&to={rule.version}" if rule.version > 1 else url


def _turning_points(game: Game, wins: set[int]) -> list[Entry]:
    """The entries that changed the public rules or in which somebody won, oldest first."""
    public = Q(rule__game=game, rule__visibility="public", enacted_in__gt=1)
    changed = RuleVersion.objects.filter(public).order_by("-enacted_in")
    turning = set(changed.values_list("enacted_in", flat=True).distinct()[:_MOST]) | wins
    found = game.entries.filter(seq__in=turning).select_related("actor").defer("inputs", "outcome")
    return list(found.order_by("seq"))
