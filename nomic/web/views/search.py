"""One search over rules with their history, what the subgames have, the record and the talk."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from nomic.engine.subgames import all_subgames, in_play
from nomic.games.models import Game
from nomic.games.search import Hit, marked, matching
from nomic.record.models import Entry
from nomic.rulebook.models import Rule, RuleVersion, Visibility
from nomic.standard.models import Remark
from nomic.web.game_page import games_seen, open_game, rule_url, said

_SHOWN = 10  # of each kind
_PUBLIC = Visibility.PUBLIC


@dataclass(frozen=True, slots=True)
class Found:
    """What of one kind was found."""

    title: str
    hits: list[Hit]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """All games that the viewer sees; rules as they read now."""
    words, found = said(request, "q").strip(), []
    if words:
        games = games_seen(request).order_by()
        found = [
            Found("Rules", _rules(games, words)),
            *(Found(each.title, list(each.finds(games, words, _SHOWN))) for each in all_subgames()),
            Found("Record", _entries(games, words)),
            Found("Talk", _remarks(games, words)),
        ]
    return _page(request, "web/search.html", words, found)


@require_safe
def search_game(request: HttpRequest, slug: str) -> HttpResponse:
    """One game, its rules in every version."""
    game_page, words, found = open_game(request, slug), said(request, "q").strip(), []
    if words:
        games = Game.objects.filter(pk=game_page.game.pk).order_by()
        found = [
            Found("Rules", _versions(games, words)),
            *(
                Found(each.title, list(each.finds(games, words, _SHOWN)))
                for each in in_play(game_page.game)
            ),
            Found("Record", _entries(games, words)),
            Found("Talk", _remarks(games, words)),
        ]
    return _page(request, "web/search_game.html", words, found, game_page=game_page)


def _page(
    request: HttpRequest, template: str, words: str, found: list[Found], **more: object
) -> HttpResponse:
    context = {"words": words, "found": [each for each in found if each.hits], **more}
    return render(request, template, context)


def _rules(games: QuerySet[Game], words: str) -> list[Hit]:
    rules = Rule.objects.filter(game__in=games, visibility=_PUBLIC).select_related("game")
    return [
        Hit(
            rule.game.slug,
            rule.game.title,
            rule.title + (", repealed" if rule.repealed_in else ""),
            rule_url(rule.game, rule.title, rule.pk),
            marked(rule.excerpt),  # type: ignore[attr-defined]
        )
        for rule in matching(rules, ("title", "text"), words, _SHOWN)
    ]


def _versions(games: QuerySet[Game], words: str) -> list[Hit]:
    """Of each rule the version that says it best, and the newest where that says it."""
    versions = RuleVersion.objects.filter(rule__game__in=games, rule__visibility=_PUBLIC)
    versions = versions.select_related("rule__game")
    found: dict[int, Hit] = {}
    for each in matching(versions, ("rule__title", "text"), words, 4 * _SHOWN):
        rule, is_new = each.rule, each.number == each.rule.version
        url = rule_url(rule.game, rule.title, rule.pk)
        state = ", repealed" if rule.repealed_in else "" if is_new else f", version {each.number}"
        if rule.pk not in found or is_new:
            found[rule.pk] = Hit(
                rule.game.slug,
                rule.game.title,
                rule.title + state,
                url if is_new else f"{url}?version={each.number}",
                marked(each.excerpt),  # type: ignore[attr-defined]
            )
    return list(found.values())[:_SHOWN]


def _entries(games: QuerySet[Game], words: str) -> list[Hit]:
    entries = Entry.objects.filter(game__in=games).select_related("game")
    entries = entries.defer("inputs", "outcome")
    return [
        Hit(
            entry.game.slug,
            entry.game.title,
            f"Entry {entry.seq}",
            reverse("entry", args=[entry.game.slug, entry.seq]),
            marked(entry.excerpt),  # type: ignore[attr-defined]
        )
        for entry in matching(entries, ("text",), words, _SHOWN)
    ]


def _remarks(games: QuerySet[Game], words: str) -> list[Hit]:
    remarks = Remark.objects.filter(game__in=games).select_related("game", "player")
    return [
        Hit(
            remark.game.slug,
            remark.game.title,
            f"{remark.player}, remark {remark.pk}",
            reverse("talk", args=[remark.game.slug]) + f"?before={remark.pk + 1}",
            marked(remark.excerpt),  # type: ignore[attr-defined]
        )
        for remark in matching(remarks, ("text",), words, _SHOWN)
    ]
