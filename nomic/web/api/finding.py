"""Finding words in what everybody who sees a game may read."""

from html import unescape
from typing import Any

from django.http import HttpRequest
from django.utils.html import strip_tags
from ninja import Schema
from ninja.params.functions import Query

from nomic.games.models import Game
from nomic.games.search import Hit
from nomic.web.api.rooms import GAME, anybody, reading, room, the_page
from nomic.web.game_context import games_seen
from nomic.web.views.search import find, markdown_link, rules_found, versions_found

router = room("search", anybody)
WORDS: str = Query(
    ..., alias="q", max_length=120, description="The words: “two words”, -without, this or that"
)


class Found(Schema):
    """A text that has the words: the game, its title, its page, and an excerpt as plain text, as
    HTML with what was found marked, and what links to it in Markdown."""

    game: str
    title: str
    url: str
    excerpt: str
    marked: str
    link: str


class FoundOfKind(Schema):
    """What was found of a kind, the best first."""

    kind: str
    found: list[Found]


class Search(Schema):
    """What was found, by kinds, and a sentence on what was not looked through to the end, empty
    where all was."""

    kinds: list[FoundOfKind]
    late: str


@router.get("/search", response=reading(Search))
def search(request: HttpRequest, q: str = WORDS) -> dict[str, Any]:
    """Find words in all games that the caller sees: in rules as they read now, in what the
    subgames have, in the record and the talk."""
    return _search_to_dict(*_hits(q, games_seen(request).order_by(), rules_found))


@router.get(f"{GAME}/search", response=reading(Search))
def search_game(request: HttpRequest, slug: str, q: str = WORDS) -> dict[str, Any]:
    """Find words in one game, its rules in every version."""
    game = the_page(request, slug).game
    return _search_to_dict(*_hits(q, Game.objects.filter(pk=game.pk).order_by(), versions_found))


def _hits(text: str, games: Any, rules: Any) -> Any:
    words = text.replace("\0", "").strip()
    return find(words, games, rules) if words else ({}, "")


def _search_to_dict(by_kind: dict[str, list[Hit]], late: str) -> dict[str, Any]:
    kinds = [{"kind": kind, "found": map(_hit, hits)} for kind, hits in by_kind.items()]
    return {"kinds": kinds, "late": late}


def _hit(hit: Hit) -> dict[str, str]:
    return {
        "game": hit.slug,
        "title": hit.title,
        "url": hit.url,
        "excerpt": unescape(strip_tags(hit.excerpt)),
        "marked": hit.excerpt,
        "link": markdown_link(hit),
    }
