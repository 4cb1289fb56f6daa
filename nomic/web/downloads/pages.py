"""Addresses of downloads: the rulebook, the record, the ledger; of a game that one hosts more."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from nomic.rulebook.outside.writing import as_json, as_markdown, as_zip
from nomic.web.downloads.exported import ledger_lines, record_lines, rulebook_of, running_lines
from nomic.web.game_page import open_game
from nomic.web.hosting.host import is_host
from nomic.web.proof.receipts import all_acts, receipt
from nomic.web.proof.sending import as_file, sent

_RULEBOOKS = {
    "zip": (as_zip, "application/zip"),
    "md": (as_markdown, "text/markdown; charset=utf-8"),
    "json": (as_json, "application/json; charset=utf-8"),
}


@require_safe
@never_cache
def rulebook_file(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The rulebook in a shape in which it would come in: YAML in a zip, Markdown or JSON."""
    game = open_game(request, slug).game
    if kind not in _RULEBOOKS:
        raise Http404(f"A rulebook is told as {', '.join(_RULEBOOKS)}, and not as {kind[:20]}.")
    write, content_type = _RULEBOOKS[kind]
    answer = HttpResponse(write(rulebook_of(game)), content_type=content_type)
    return as_file(answer, f"{slug}-rules.{kind}")


@require_safe
@never_cache
def record_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The public record, an entry of JSON a line."""
    game = open_game(request, slug).game
    return sent(record_lines(game), f"{slug}-record.jsonl", "application/x-ndjson")


@require_safe
@never_cache
def ledger_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The public postings as CSV."""
    game = open_game(request, slug).game
    return sent(ledger_lines(game), f"{slug}-ledger.csv", "text/csv")


@require_safe
@never_cache
@login_required
def running_game(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The running game as its host may see it: what is public, and the host's own sealed acts."""
    game_page = open_game(request, slug)
    if not is_host(game_page):
        raise PermissionDenied("Only the host of this game takes it along while it is played.")
    game, player = game_page.game, game_page.player
    acts = all_acts(game, player) if player is not None else ()
    own = (receipt(game, act) for act in acts if act.sealed is not None)
    lines = running_lines(game, own)
    return sent(lines, f"{slug}-{game.last_entry}.jsonl", "application/x-ndjson")
