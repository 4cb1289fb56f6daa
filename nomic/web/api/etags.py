"""The tags by which a caller asks whether an answer is still the same."""

from functools import cache as once

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac

from nomic.games.models import Game
from nomic.places import ROOT

_DIGITS = 32


class Unchanged(Exception):
    """The caller has this answer already: 304."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.answer = answer


def tag_of_the_record(request: HttpRequest, game: Game) -> str:
    """The tag of an answer that follows from the game's public record alone. Raises Unchanged where
    the caller has that answer."""
    place = (_code(), request.get_full_path(), game.pk, game.last_entry)
    etag = _tag("\0".join(map(str, place)))
    answer = get_conditional_response(request, etag=etag)
    if answer is not None:
        answer.headers["ETag"] = etag
        raise Unchanged(answer)
    return etag


def tagged(request: HttpRequest, answer: HttpResponse, etag: str) -> HttpResponse:
    """The answer with that tag, else with one of what it says; 304 where the caller has it."""
    answer.headers["ETag"] = etag or _tag(answer.content.decode("utf-8", "surrogateescape"))
    found = get_conditional_response(request, etag=answer.headers["ETag"], response=answer)
    return found if isinstance(found, HttpResponse) else answer


def _tag(known: str) -> str:
    return f'"{salted_hmac("nomic.api.etag", known, algorithm="sha256").hexdigest()[:_DIGITS]}"'


@once
def _code() -> int:
    """When this site's code was last changed: it may tell the same otherwise then."""
    return max(file.stat().st_mtime_ns for file in ROOT.glob("[a-z]*/**/*.py"))
