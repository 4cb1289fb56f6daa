"""Which requests this process answers now: each game and each visitor has a share of its threads.

Middleware, before anything that asks the database or the cache.
"""

import re
from collections.abc import Callable
from contextlib import ExitStack
from hashlib import sha256
from time import perf_counter
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse

from nomic.engine import watch
from nomic.quotas import holds, usage
from nomic.quotas.concurrency import SITE, Claim, Full, Places
from nomic.quotas.models import UsageKind
from nomic.quotas.usage import Whose
from nomic.web.problems import error_response
from nomic.web.rate_limits import place_of

View = Callable[[HttpRequest], HttpResponseBase]

PATIENCE = 0.7  # seconds that a request waits for the place of one that is quick
_OF_A_GAME = re.compile(r"/(?:g|api/v1/games|office/g)/([^/]{1,60})(?:/(.*))?", re.DOTALL)
_PREVIEW = re.compile(r"proposals/(?:(?:preview|[^/]+/changes)/|[^/]+)", re.DOTALL)  # or API's
_RECEIPTS = re.compile(r"receipts(?:/.*)?", re.DOTALL)
_FILES = frozenset(
    {"whole", "download", "record.jsonl", "ledger.csv", "running.jsonl"}
)  # of a whole game
_HASH_PASSWORDS = ("/accounts/", "/keep/", "/i/")
_CLAIM_NOTHING = ("/accounts/", "/office/")
_LARGEST = 11_000_000  # bytes of a request: a rulebook of 10 MB, and what its form has beside it
_TOO_LARGE = f"This is more than {_LARGEST // 1_000_000} MB, and none of it was read."
_FREE = frozenset({"/healthz", "/readyz", "/metrics"})


def share_the_threads(get_response: View) -> View:
    """Answer 503 at once, with Retry-After and a sentence, where what is asked for has its share;
    count what each request costs its game, user and token."""
    places = Places(settings.WEB_THREADS)

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path in _FREE:
            return get_response(request)
        # Whoever asks for a field of the form, as the check of its token does, reads all of it.
        if int(request.META.get("CONTENT_LENGTH") or 0) > _LARGEST:
            return _refusal_response(request, _TOO_LARGE, "too_large.html", 413)
        begun = perf_counter()
        try:
            place = places.enter(claims_of(request, places.threads), PATIENCE)
        except Full as full:
            kind = full.claim.key.partition(":")[0]
            watch.count_turned_away(kind)
            return come_back_later(request, _SENTENCES[kind], full.seconds)
        response: HttpResponseBase | None = None
        try:
            with usage.of_a_request(perf_counter() - begun) as noted:
                response = get_response(request)
            usage.end_request(noted, _who_asks(request), perf_counter() - begun)
        finally:
            if isinstance(response, StreamingHttpResponse):
                # A file holds its place until it is sent, or nobody wants it any more.
                at_its_end = ExitStack()
                at_its_end.callback(places.leave, place)
                at_its_end.callback(response.close)
                response.close = at_its_end.close  # type: ignore[method-assign]
            else:
                places.leave(place)
        return response

    return answer


def claims_of(request: HttpRequest, threads: int) -> list[Claim]:
    """The claims of the request: of a game, its files, its receipts or previews, a search, a
    password that is hashed, and of who asks."""
    half, quarter = max(1, threads // 2), max(1, threads // 4)
    of_game, claims = _OF_A_GAME.match(request.path_info), []
    page = (of_game[2] or "") if of_game else ""
    is_all_receipts = page == "receipts/" and request.GET.get("format") == "json"
    if of_game and request.path_info.startswith("/office/"):
        claims.append(Claim(f"desk:{of_game[1]}", quarter, 1))
    elif of_game and (is_all_receipts or page.rstrip("/").removeprefix("files/") in _FILES):
        # To send one may take minutes, which says nothing of the game or of who reads it.
        return [Claim("files:", quarter, quarter), Claim(f"files:{of_game[1]}", 1, 1)]
    elif of_game and _RECEIPTS.fullmatch(page):
        # Who has acted reads that, whatever the game does.
        claims.append(Claim(f"receipts:{of_game[1]}", quarter, 1))
    elif of_game:
        claims.append(Claim(f"game:{of_game[1]}", half, quarter, shared=True))
    elif request.method == "POST" and request.path_info.startswith(_HASH_PASSWORDS):
        # A third of a second of a processor each, that of a wrong password as well.
        client = place_of(request, "nomic.web.request_shares")
        return [Claim(f"password:{client}", quarter, 1), Claim("passwords:", half, half)]
    elif request.path_info.startswith(_CLAIM_NOTHING):
        return []
    if of_game and _PREVIEW.fullmatch(page):
        claims.append(Claim(f"preview:{of_game[1]}", quarter, 1))
    if request.path_info.rstrip("/").endswith("/search"):
        claims.append(Claim("search:", quarter, quarter))
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    if shown := request.headers.get("Authorization") or session:
        key = sha256(shown.encode(errors="replace")).hexdigest()[:32]
        claims.append(Claim(f"visitor:{key}", max(1, threads * 3 // 4), quarter))
    return claims


def _who_asks(request: HttpRequest) -> list[Whose]:
    """The user and the token, where the request has been asked for them already."""
    caller: Any = getattr(request, "auth", None)
    user: Any = getattr(caller, "user", None) or getattr(request, "_cached_user", None)
    token: Any = getattr(caller, "token", None)
    askers = [Whose(UsageKind.USER, user.pk)] if getattr(user, "pk", None) else []
    return [*askers, Whose(UsageKind.TOKEN, token.pk)] if token else askers


def refuse_locked_out(get_response: View) -> View:
    """Serve nothing to a user who is locked out but the page that says so, and the way out."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path_info == reverse("account_logout") or not holds.any_locked_out(
            UsageKind.USER
        ):
            return get_response(request)
        return refuse_user(request, request.user.pk) or get_response(request)

    return answer


def refuse_user(request: HttpRequest, number: int | None) -> HttpResponse | None:
    """The answer to that user where they are locked out: 403 and why; else None."""
    sentence = holds.locked_out(UsageKind.USER, number) if number else ""
    return _refusal_response(request, sentence, "locked_out.html", 403) if sentence else None


_LATER = "Nothing was done or lost."
_SENTENCES = {
    "game": f"This game has more to do than its share of the site. {_LATER}",
    "desk": f"This game's desks have more to do than their share of the site. {_LATER}",
    "files": f"As many files as this site gives out at once are under way. {_LATER}",
    "receipts": f"As many receipts of this game as this site reads at once are under way. {_LATER}",
    "preview": f"As many previews of this game as this site makes at once are under way. {_LATER}",
    "search": f"As many searches as this site makes at once are under way. {_LATER}",
    "password": f"You sign in or up more often at once than your share of the site. {_LATER}",
    "passwords": f"As many people as this site lets in at once are at the door. {_LATER}",
    "visitor": f"You ask for more at once than your share of the site. {_LATER}",
    SITE: f"The site has all hands full. {_LATER}",
}


def come_back_later(request: HttpRequest, sentence: str, seconds: int) -> HttpResponse:
    """503 with the sentence and when to try again."""
    advice = f"{sentence} Try again in {seconds} second{'s' * (seconds != 1)}."
    response = _refusal_response(request, advice, "later.html", 503)
    response.headers["Retry-After"] = str(seconds)
    return response


def _refusal_response(
    request: HttpRequest, sentence: str, template: str, status: int
) -> HttpResponse:
    """As JSON for programs, as text for a part of a page, else as a page."""
    if request.path_info.startswith("/api/"):
        response: HttpResponse = error_response(sentence, status)
    elif request.headers.get("HX-Request"):
        response = HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    else:
        response = HttpResponse(render_to_string(template, {"sentence": sentence}), status=status)
    response.headers["Cache-Control"] = "no-store"
    # Where CommonMiddleware has not been passed, nothing else tells the length, and the web server
    # closes the connection.
    response.headers["Content-Length"] = str(len(response.content))
    request.is_counted = True  # type: ignore[attr-defined]  # no line for each
    return response
