"""One search over rules with their history, what the subgames have, the record and the talk."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from django.db.models import F, Model, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from nomic.engine.fairness.slow_queries import Late, in_turn, within
from nomic.engine.subgames import all_subgames
from nomic.games.bounds import SEARCH_SECONDS, SEARCHES
from nomic.games.models import Game
from nomic.games.search import Hit, marked, matching
from nomic.governance.models import Remark
from nomic.quotas import usage
from nomic.record.models import Entry
from nomic.rulebook.models import Rule, RuleVersion, Visibility
from nomic.web.game_context import games_seen, open_game, query_word, rule_url

type _Look = Callable[[], Sequence[Hit]]

_SHOWN = 10  # of each kind
_LEAST = 0.3  # seconds for who has waited for their turn
_MANY = "Many are searching just now. Look again in a moment."
_LATE = (
    "Looking for this takes longer than a page may. Not looked through to the end: {}. Rarer words"
    " are found sooner, and the search within one game has less to look through."
)
_PUBLIC = Visibility.PUBLIC
_A_NUMBER = re.compile(r"(?:(?:rule|regulation|r)[. ]*)?#?([^\s\"-][^\s\"]{0,19})", re.IGNORECASE)
_BEGINNING = 200  # characters
_NO_LABEL = re.compile(
    r"[\\\[\]`*_<>]"
)  # what would end the words of a link, or be more than words


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """All games that the viewer sees; rules as they read now."""
    games = games_seen(request).order_by()
    return _page(request, "web/search/search.html", games, rules_found)


@require_safe
def search_game(request: HttpRequest, slug: str) -> HttpResponse:
    """One game, its rules in every version."""
    game_page = open_game(request, slug)
    games = Game.objects.filter(pk=game_page.game.pk).order_by()
    return _page(request, "web/search/search_game.html", games, versions_found, game_page=game_page)


@require_safe
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """What a text may link to in one game, found by words: each as the Markdown of its link. htmx
    gets the list alone."""
    game_page = open_game(request, slug)
    games = Game.objects.filter(pk=game_page.game.pk).order_by()
    words, hits, late = _found(request, games, rules_found)
    of_title = {
        title: [(hit, markdown_link(hit)) for hit in hits_of_kind]
        for title, hits_of_kind in hits.items()
        if title != "Talk"
    }
    part = (
        "web/search/links.html#links"
        if getattr(request, "htmx", False)
        else "web/search/links.html"
    )
    context = {"words": words, "found": of_title, "late": late, "game_page": game_page}
    return render(request, part, context)


def markdown_link(hit: Hit) -> str:
    """What links to it in a text."""
    return f"[{_NO_LABEL.sub('', hit.title)}]({hit.url})"


def _page(
    request: HttpRequest,
    template: str,
    games: QuerySet[Game],
    rules: Callable[[QuerySet[Game], str], list[Hit]],
    **context: object,
) -> HttpResponse:
    """The page with the hits of each kind that has any, for the words that were asked for."""
    words, hits, late = _found(request, games, rules)
    return render(request, template, {"words": words, "found": hits, "late": late, **context})


def _found(
    request: HttpRequest, games: QuerySet[Game], rules: Callable[[QuerySet[Game], str], list[Hit]]
) -> tuple[str, Mapping[str, Sequence[Hit]], str]:
    """The words that were asked for, the hits of each kind that has any, and what was left out."""
    words = query_word(request, "q").strip()
    return words, *(find(words, games, rules) if words else ({}, ""))


def find(
    words: str, games: QuerySet[Game], rules: Callable[[QuerySet[Game], str], list[Hit]]
) -> tuple[Mapping[str, Sequence[Hit]], str]:
    """The hits of each kind that has any, and a sentence on what was left out."""
    looks: dict[str, _Look] = {
        "Rules": partial(rules, games, words),
        **{
            subgame.title: partial(subgame.finds, games, words, _SHOWN)
            for subgame in all_subgames()
        },
        "Record": partial(_entries, games, words),
        "Talk": partial(_remarks, games, words),
    }
    return _hits_by_title(looks)


def _hits_by_title(
    looks: Mapping[str, _Look],
) -> tuple[dict[str, Sequence[Hit]], str]:
    """The hits of each look that has any, and a sentence where not all was looked through."""
    hits_of: dict[str, Sequence[Hit]] = {}
    astray: list[str] = []
    limit = SEARCH_SECONDS.most
    until = time.monotonic() + max(limit - usage.waited(), min(limit, _LEAST))
    with in_turn("search", SEARCHES.count) as has_turn:
        if not has_turn:
            return {}, _MANY
        for title, look in looks.items():
            try:
                with within(until - time.monotonic()):
                    hits = look()
            except Late:
                astray.append(title)
            else:
                hits_of |= {title: hits} if hits else {}
    return hits_of, _LATE.format(", ".join(astray)) if astray else ""


def _hit(game: Game, title: str, url: str, match: Model) -> Hit:
    return Hit(game.slug, game.title, title, url, marked(match.excerpt))  # type: ignore[attr-defined]


def _numbered(games: QuerySet[Game], words: str) -> dict[int, Hit]:
    """The rules that go by the number which the words are, “rule 12”, “R12” or “12”, by their keys:
    those in force first."""
    match = _A_NUMBER.fullmatch(words)
    if match is None:
        return {}
    rules = Rule.objects.filter(game__in=games, visibility=_PUBLIC).select_related("game")
    called = rules.alias(called=Lower("number")).filter(
        called__in={words.lower(), match[1].lower()}
    )
    ordered = called.order_by(F("repealed_in").desc(nulls_first=True), "game", "pk")
    return {
        rule.pk: Hit(
            rule.game.slug,
            rule.game.title,
            f"Rule {rule.number}: {rule.title}" + (", repealed" if rule.repealed_in else ""),
            rule_url(rule.game, rule.title, rule.pk),
            marked(rule.text[:_BEGINNING]),
        )
        for rule in ordered[:_SHOWN]
    }


def rules_found(games: QuerySet[Game], words: str) -> list[Hit]:
    numbered = _numbered(games, words)
    rules = Rule.objects.filter(game__in=games, visibility=_PUBLIC).select_related("game")
    hits = [
        _hit(
            rule.game,
            rule.title + (", repealed" if rule.repealed_in else ""),
            rule_url(rule.game, rule.title, rule.pk),
            rule,
        )
        for rule in matching(rules, ("title", "text"), words, _SHOWN)
        if rule.pk not in numbered
    ]
    return [*numbered.values(), *hits][:_SHOWN]


def versions_found(games: QuerySet[Game], words: str) -> list[Hit]:
    """Of each rule the version that says it best, and the newest where that says it."""
    versions = RuleVersion.objects.filter(rule__game__in=games, rule__visibility=_PUBLIC)
    versions = versions.select_related("rule__game")
    best = _numbered(games, words)
    numbered = set(best)
    # More than are shown: several versions of one rule are found where one of them is shown.
    for version in matching(versions, ("title", "text"), words, 4 * _SHOWN):
        rule, is_new = version.rule, version.number == version.rule.version
        url = rule_url(rule.game, rule.title, rule.pk)
        state = (
            ", repealed" if rule.repealed_in else "" if is_new else f", version {version.number}"
        )
        if rule.pk not in best or (is_new and rule.pk not in numbered):
            address = url if is_new else f"{url}?version={version.number}"
            best[rule.pk] = _hit(rule.game, rule.title + state, address, version)
    return list(best.values())[:_SHOWN]


def _entries(games: QuerySet[Game], words: str) -> list[Hit]:
    entries = Entry.objects.filter(game__in=games).select_related("game")
    entries_found = matching(entries.defer("inputs", "outcome"), ("text",), words, _SHOWN)
    return [
        _hit(
            entry.game,
            f"Entry {entry.seq}",
            reverse("entry", args=[entry.game.slug, entry.seq]),
            entry,
        )
        for entry in entries_found
    ]


def _remarks(games: QuerySet[Game], words: str) -> list[Hit]:
    remarks = Remark.objects.filter(game__in=games).select_related("game", "player")
    return [
        _hit(
            remark.game,
            f"{remark.player}, remark {remark.number}",
            reverse("talk", args=[remark.game.slug]) + f"?before={remark.number + 1}",
            remark,
        )
        for remark in matching(remarks, ("text",), words, _SHOWN)
    ]
