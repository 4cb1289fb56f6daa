"""The documents of a game, and each of them with all texts that it has had."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.documents.actions import Publish, ReviseDocument, WithdrawDocument
from nomic.documents.models import Document, DocumentDraft
from nomic.documents.state import is_on, state_of
from nomic.engine.actions import find_action, legality
from nomic.games.models import Game
from nomic.rulebook.rendering.diff import Differences
from nomic.rulebook.rendering.markdown import part_of, render_part
from nomic.web.game_context import GamePage, act_url, open_game, query_word
from nomic.web.hosting.talk import beside
from nomic.web.paging import newest_before, number_asked

_SHOWN = 40


@require_safe
def documents(request: HttpRequest, slug: str) -> HttpResponse:
    """All documents, or those of a kind or by an author, the newest first."""
    game_page = open_game(request, slug)
    state = state_of(game_page.table)
    rows = state.documents.defer("text")
    if not is_on(game_page.table) and not rows.exists():
        raise Http404("No rule of this game lets documents be.")
    kind, author = query_word(request, "kind"), query_word(request, "by")
    if kind:
        rows = rows.filter(kind__iexact=kind)
    if author:
        rows = rows.filter(author__name=author)
    shown, older = newest_before(rows, "number", number_asked(request, "before"), _SHOWN)
    return game_page.draw(
        "documents/page.html",
        documents=shown,
        older=older,
        kinds=state.kinds.values(),
        kind=kind,
        author=author,
        drafts=drafts_of(game_page),
        may_write=_may(game_page, Publish.name),
    )


@require_safe
def document(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A document as it reads now, or one of its versions; with what that changed."""
    game_page = open_game(request, slug)
    row = document_or_404(game_page, number)
    told = row.versions.select_related("by").defer("text")
    versions, older = newest_before(told, "number", number_asked(request, "before"), _SHOWN)
    asked = number_asked(request, "version") or row.version
    texts = {
        version.number: version
        for version in row.versions.filter(number__in=(asked, asked - 1)).select_related("by")
    }
    if asked not in texts:
        raise Http404(f"{row} has no version {asked}.")
    shown, before = texts[asked], texts.get(asked - 1)
    part = part_of(shown.text, number_asked(request, "part") or 1)
    slug, inputs = game_page.game.slug, {"document": row.number}
    return game_page.draw(
        "documents/document.html",
        document=row,
        shown=shown,
        text=render_part(shown.text, part),
        part=part,
        versions=versions,
        older=older,
        difference=Differences().show(before.text, shown.text) if before else "",
        may_revise=_may(game_page, ReviseDocument.name, **inputs),
        withdraw_url=act_url(slug, WithdrawDocument.name, **inputs, back=game_page.path)
        if _may(game_page, WithdrawDocument.name, **inputs)
        else "",
        **beside(game_page, f"document {row.number}"),
    )


def document_or_404(game_page: GamePage, number: int) -> Document:
    """The document of that number; raises Http404."""
    row = state_of(game_page.table).documents.filter(number=min(number, 2**31 - 1)).first()
    if row is None:
        raise Http404(f"This game has no document {number}.")
    return row


def is_document(game: Game, number: int) -> bool:
    """Whether the game has a document of that number."""
    return game.documents.filter(number=number).exists()


def _may(game_page: GamePage, name: str, **inputs: object) -> bool:
    """Whether the viewer may do that now."""
    if not game_page.seated:
        return False
    return legality(find_action(name), game_page.table, game_page.player, inputs) is None


def drafts_of(game_page: GamePage) -> list[DocumentDraft]:
    """The viewer's own drafts, the newest first, without their texts."""
    if game_page.player is None:
        return []
    return list(game_page.player.document_drafts.select_related("revises").defer("text"))
