"""Pages on which a player writes something that is sent as a whole."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect

from nomic.engine.actions import Action
from nomic.engine.forms import ActionForm
from nomic.engine.take import take
from nomic.games.refusal import Refusal
from nomic.record.models import Entry, SealedEntry
from nomic.web.action_forms import UNDONE, sent_head, why_undone
from nomic.web.game_context import GamePage, open_game, viewer
from nomic.web.proof.receipts import tag_of

type View = Callable[..., HttpResponse]


@dataclass
class ActionSheet:
    """The form of an action on a page of its own, as one window has it open; `key` makes it count
    once, `refusal` is what stands against it."""

    game_page: GamePage
    action: Action
    form: ActionForm
    key: str
    refusal: Refusal | None = None

    def send(self, request: HttpRequest) -> Entry | SealedEntry | int:
        """Take the action as it was sent: its entry, which the next page tells. Else the status
        with which the form is shown again, and its errors or the refusal say why."""
        inputs = self.form.chosen()
        if self.form.errors:
            return 422
        try:
            receipt = take(
                *(self.game_page.game.slug, viewer(request), self.action.name, inputs, self.key),
                saw=sent_head(request),
            )
        except UNDONE as error:
            status, self.refusal = why_undone(request, error)
            return status
        messages.success(request, receipt.entry.text, extra_tags=tag_of(receipt.entry))
        return receipt.entry


def for_writers(
    empty_form: str,
    open_page: Callable[[HttpRequest, str], GamePage] = open_game,
    may_write: Callable[[GamePage], bool] = attrgetter("seated"),
) -> Callable[[View], View]:
    """A view that gets the game's page, and whose answer nobody keeps; who cannot write in this
    game, since they have no seat unless `may_write` tells otherwise, is sent elsewhere.
    `empty_form` is the name of the page to which who signs in comes back from an address that
    cannot be asked for by GET."""

    def decorated(view: View) -> View:
        @wraps(view)
        def entered(request: HttpRequest, slug: str, **named: Any) -> HttpResponse:
            game_page = open_page(request, slug)
            if not request.user.is_authenticated:
                new = reverse(empty_form, args=[slug])
                back = request.get_full_path() if request.method == "GET" else new
                return sign_in_first(request, back)
            if not may_write(game_page):
                away = redirect("join", slug)
                is_part = getattr(request, "htmx", False)
                return HttpResponseClientRedirect(away["Location"]) if is_part else away
            answer = view(request, game_page, **named)
            add_never_cache_headers(answer)
            return answer

        return entered

    return decorated


def sign_in_first(request: HttpRequest, back: str) -> HttpResponse:
    """The way to the page of sign-in, and from there to that address; where a part of a page was
    asked for, 401, which the page tells in a dialog: it keeps what is written on it."""
    is_part = getattr(request, "htmx", False)
    return HttpResponse(status=401) if is_part else redirect_to_login(back)
