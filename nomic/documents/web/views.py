"""The documents of a game, and each of them with all texts that it has had."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from nomic.documents.actions.publishing import Publish, ReviseDocument, WithdrawDocument
from nomic.documents.actions.sealing import OPEN, REVISE_SEALED, WITHDRAW_SEALED, SealDocument
from nomic.documents.actions.undoubted import DoubtDocument, PublishAsReport
from nomic.documents.homes import home_of
from nomic.documents.models import Document, DocumentDraft, SealedDocument
from nomic.documents.state import is_on, state_of
from nomic.documents.web.places import notes_at, places_in
from nomic.engine.forms import LAST_NUMBER
from nomic.games.models import Game
from nomic.rulebook.rendering.diff import Differences
from nomic.rulebook.rendering.markdown import part_of, render_part
from nomic.web.game_context import GamePage, open_game, query_word
from nomic.web.hosting.talk import beside
from nomic.web.paging import newest_before, number_asked

_SHOWN = 40
_IN_FEED = 2000  # characters of a text


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
        drafts=[
            (draft, reverse("document_draft", args=[slug, draft.pk]))
            for draft in drafts_of(game_page).defer("text")
        ],
        sealed=list(state.sealed_for(game_page.player).defer("text")),
        may_write=game_page.may(Publish.name),
        may_seal=game_page.may(SealDocument.name),
    )


@require_safe
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest documents as an Atom feed."""
    game_page = open_game(request, slug)
    state = state_of(game_page.table)
    if not is_on(game_page.table) and not state.documents.exists():
        raise Http404("No rule of this game lets documents be.")
    newest = list(state.documents[:_SHOWN])
    entries = game_page.game.entries.filter(seq__in=[row.entry for row in newest])
    moments = dict(entries.values_list("seq", "recorded_at"))
    atom = Atom1Feed(
        title=f"{game_page.game.title}: documents",
        link=request.build_absolute_uri(reverse("documents", args=[slug])),
        description="",
        subtitle="What players publish",
        feed_url=request.build_absolute_uri(),
        language="en",
    )
    for row in newest:
        link = request.build_absolute_uri(reverse("document", args=[slug, row.number]))
        is_long = len(row.text) > _IN_FEED
        atom.add_item(
            title=f"{row.number}. {row.title} ({row.kind})",
            link=link,
            description=f"{row.text[:_IN_FEED]}… The whole text: {link}" if is_long else row.text,
            unique_id=link,
            pubdate=moments[row.entry],
            updateddate=moments[row.entry],
            author_name=row.author_name,
        )
    return HttpResponse(atom.writeString("utf-8"), content_type=atom.content_type)


@require_safe
def document(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A document as it reads now, or one of its versions; with what that changed."""
    game_page = open_game(request, slug)
    sealed = SealedDocument.objects.filter(game=game_page.game, number=number)
    opened_as = sealed.filter(opened_as__isnull=False).values_list("opened_as__number", flat=True)
    if opened_as:
        return redirect("document", slug, opened_as[0])
    if closed := state_of(game_page.table).sealed_for(game_page.player).filter(number=number):
        return _sealed_document(request, game_page, closed[0])
    row = document_or_404(game_page, number)
    all_versions = row.versions.select_related("by").defer("text")
    versions, older = newest_before(all_versions, "number", number_asked(request, "before"), _SHOWN)
    asked = number_asked(request, "version") or row.version
    texts = {
        version.number: version
        for version in row.versions.filter(number__in=(asked, asked - 1)).select_related("by")
    }
    if asked not in texts:
        raise Http404(f"{row} has no version {asked}.")
    shown, before = texts[asked], texts.get(asked - 1)
    if query_word(request, "format") == "text":
        return HttpResponse(shown.text, content_type="text/markdown; charset=utf-8")
    part = part_of(shown.text, number_asked(request, "part") or 1)
    places = places_in(shown.text)
    inputs = {"document": row.number}
    return game_page.draw(
        "documents/document.html",
        document=row,
        home=home_of(row),
        shown=shown,
        text=render_part(shown.text, part, notes_at(places)),
        part=part,
        places=[place for place in places if part.start <= place.start < part.end],
        versions=versions,
        older=older,
        difference=Differences().show(before.text, shown.text) if before else "",
        may_revise=game_page.may(ReviseDocument.name, **inputs),
        report_url=game_page.way(PublishAsReport.name, **inputs)
        if row.withdrawn_in is None
        else "",
        withdraw_url=game_page.way(WithdrawDocument.name, **inputs),
        undoubted_at=state_of(game_page.table).undoubted_at(row),
        doubt_url=game_page.way(DoubtDocument.name, **inputs),
        dispute_url=game_page.dispute_url(row.doubted_in, f"{row} is wrong.")
        if row.doubted_in
        else "",
        **beside(game_page, f"document {row.number}"),
    )


def _sealed_document(
    request: HttpRequest, game_page: GamePage, sealed: SealedDocument
) -> HttpResponse:
    """A document that is sealed still, for whom it is to read."""
    part = part_of(sealed.text, number_asked(request, "part") or 1)
    is_own = sealed.author == game_page.player
    answer = game_page.draw(
        "documents/sealed.html",
        document=sealed,
        readers=[reader.player for reader in sealed.readers.select_related("player")],
        text=render_part(sealed.text, part),
        part=part,
        open_url=game_page.way(OPEN, document=sealed.number) if is_own else "",
        may_change=is_own and game_page.may(REVISE_SEALED, document=sealed.number),
        withdraw_url=game_page.way(WITHDRAW_SEALED, document=sealed.number) if is_own else "",
    )
    add_never_cache_headers(answer)
    return answer


def document_or_404(game_page: GamePage, number: int) -> Document:
    """The document of that number; raises Http404."""
    row = state_of(game_page.table).documents.filter(number=min(number, LAST_NUMBER)).first()
    if row is None:
        raise Http404(f"This game has no document {number}.")
    return row


def is_document(game: Game, number: int) -> bool:
    """Whether the game has a document of that number."""
    return game.documents.filter(number=number).exists()


def drafts_of(game_page: GamePage) -> QuerySet[DocumentDraft]:
    """The viewer's own drafts, the newest first. Nobody else's are ever asked for."""
    return DocumentDraft.objects.filter(player=game_page.player).select_related("revises")
