"""The tags by which a browser or a program asks whether an answer is still the same.

That of an answer which follows from the game's public record alone stays as long as that does. That
of all others stays as long as nothing public has changed the game's pages, nor anything private the
viewer's, but ten seconds at most: what time alone changes, `now` above all, may be as old as that.
"""

from collections.abc import Callable
from functools import cache as once

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac

from nomic.engine import watch
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.infrastructure.early_answer import EarlyAnswer
from nomic.infrastructure.paths import ROOT

_DIGITS = 32
_SAME_FOR = 10  # seconds
_LONGEST = 200_000  # bytes of a page that is kept for others


class TagPages:
    """Middleware: a page for a browser without a session has an `ETag`; one that has the page gets
    304, and others get the page that was made within ten seconds, as long as nothing happens."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self.get_response(request)
        etag = getattr(request, "etag", "")
        if etag and answer.status_code == 200:
            answer.headers["ETag"], answer.headers["Cache-Control"] = etag, "no-cache"
            if (  # others may be shown it: it has no form with a token, and no question was asked
                isinstance(answer, HttpResponse)
                and settings.PAGES_KEPT > 0
                and len(answer.content) <= _LONGEST
                and not request.GET
                and "CSRF_COOKIE_NEEDS_UPDATE" not in request.META
            ):
                cache.set(_key(etag), answer, settings.PAGES_KEPT)
        elif answer.status_code == 304:
            answer.headers.setdefault("Cache-Control", "no-cache")
        return answer

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return error.answer if isinstance(error, EarlyAnswer) else None


def tag_of_page(request: HttpRequest, game: Game) -> str:
    """The tag of a page of the game as whoever has no session sees it now; "" where none is known.
    Raises Known where the browser has the page, or it was made just now for somebody else."""
    etag = tag_of_now(request, game, None, request.headers.get("Cookie", ""))
    if etag and (answer := cache.get(_key(etag))):
        raise EarlyAnswer(answer)
    return etag


def _key(etag: str) -> str:
    return f"nomic:page:{etag}"


def tag_of_the_record(request: HttpRequest, game: Game) -> str:
    """The tag of an answer that follows from the game's public record alone. Raises Known where
    the caller has that answer."""
    return _unless_known(request, game.pk, game.last_entry)


def tag_of_now(request: HttpRequest, game: Game, seat: Player | None, *viewer: object) -> str:
    """The tag of what is told of the game now to that viewer, in that seat; "" where none is known.
    Raises Known where they have that answer.

    Ask before anything is read but the game and the seat.
    """
    mark = watch.begin_mark(game.pk, game.last_entry)
    own = watch.begin_seat_mark(seat.pk) if seat else ""
    if own is None or mark.partition(".")[0] != str(game.last_entry):
        return ""
    turn = int(wall_now().timestamp() // _SAME_FOR)
    return _unless_known(request, game.pk, seat and seat.pk, *viewer, mark, own, turn)


def _unless_known(request: HttpRequest, *known: object) -> str:
    etag = f"W/{_tag('\0'.join(map(str, (_code(), request.build_absolute_uri(), *known))))}"
    answer = get_conditional_response(request, etag=etag)
    if answer is not None:
        answer.headers["ETag"] = etag
        raise EarlyAnswer(answer)
    return etag


def tagged(request: HttpRequest, answer: HttpResponse, etag: str) -> HttpResponse:
    """The answer with that tag, else with one of what it says; 304 where the caller has it."""
    answer.headers["ETag"] = etag or _tag(answer.content)
    found = get_conditional_response(request, etag=answer.headers["ETag"], response=answer)
    return found if isinstance(found, HttpResponse) else answer


def _tag(content: str | bytes) -> str:
    return f'"{salted_hmac("nomic.api.etag", content, algorithm="sha256").hexdigest()[:_DIGITS]}"'


@once
def _code() -> int:
    """When this site's code was last changed: it may tell the same otherwise then."""
    return max(file.stat().st_mtime_ns for file in ROOT.glob("[a-z]*/**/*.py"))
