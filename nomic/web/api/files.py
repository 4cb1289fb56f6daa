"""What of a game may be taken along as files, as its pages offer it."""

from typing import Any, Literal

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja.errors import AuthorizationError

from nomic.notices.calendar import calendar
from nomic.web.api.messages import text_response
from nomic.web.api.rooms import GAME, reading, room, the_page
from nomic.web.hosting.host import is_host
from nomic.web.problems import keep_private
from nomic.web.views.downloads import (
    ledger_as_file,
    record_as_file,
    rulebook_as,
    running_game_as_file,
)

router = room("files")
FileName = Literal[
    "rulebook.zip",
    "rulebook.md",
    "rulebook.json",
    "record.jsonl",
    "ledger.csv",
    "calendar.ics",
    "running.jsonl",
]
_KINDS = (
    *("application/zip", "text/markdown", "application/x-ndjson", "text/csv"),
    "text/calendar",
)
_A_FILE = {
    "responses": {200: {"content": {kind: {"schema": {"type": "string"}} for kind in _KINDS}}}
}


@router.get(f"{GAME}/files/{{name}}", response=reading(str | dict[str, Any]), openapi_extra=_A_FILE)
def game_file(request: HttpRequest, slug: str, name: FileName) -> HttpResponseBase:
    """A file: the rulebook as it would come in elsewhere, the public record, an entry of JSON a
    line, the public postings, the calendar of what happens next; for the game's host also the
    running game, with their own sealed acts."""
    page = the_page(request, slug, untagged=True)
    kind = name.rpartition(".")[2]
    if name == "running.jsonl":
        if not is_host(page):
            raise AuthorizationError(
                message="Only the host of this game takes it along while it is played."
            )
        return keep_private(running_game_as_file(page))
    if name == "calendar.ics":
        text = calendar(page.game.title, [page.game]).decode()
        return text_response(text, "text/calendar")
    if name == "record.jsonl":
        return keep_private(record_as_file(page.game))
    if name == "ledger.csv":
        return keep_private(ledger_as_file(page.game))
    return keep_private(rulebook_as(page.game, kind))
