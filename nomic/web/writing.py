"""Pages on which a player writes something that is sent as a whole."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from operator import attrgetter
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.safestring import SafeString
from django_htmx.http import HttpResponseClientRedirect

from nomic.engine.actions import Action
from nomic.engine.forms import ActionForm, Prose
from nomic.engine.take import take
from nomic.games.bounds import WRITTEN_OF_PLAYER
from nomic.games.clock import iso, wall_now
from nomic.games.refusal import Refusal
from nomic.record.models import Entry, SealedEntry
from nomic.rulebook.rendering.markdown import render
from nomic.web.action_forms import UNDONE, sent_head, sent_key, why_undone
from nomic.web.game_context import GamePage, open_game, viewer
from nomic.web.proof.receipts import tag_of

type View = Callable[..., HttpResponse]


@dataclass
class ActionSheet:
    """The form of an action on a page of its own, as one window has it open; `key` makes it count
    once, `refusal` is what stands against it. `about` is the field of what it is about, which its
    address names, if it is about something."""

    about: ClassVar[str] = ""

    game_page: GamePage
    action: Action
    form: ActionForm
    key: str
    refusal: Refusal | None = None

    @property
    def fields(self) -> list[BoundField]:
        """Its fields, as a page draws them; what it is about stands in its address."""
        return [self.form[name] for name in self.form.fields if name != self.about]

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


@dataclass
class DraftSheet(ActionSheet):
    """A form of which players keep drafts until they send it. `draft` is the one that it goes by,
    `saved_at` the moment at which that was saved when this window got it, `noun` what is written
    by such forms, in the plural."""

    noun: ClassVar[str]
    draft: Any = None
    saved_at: str = ""

    @property
    def drawn(self) -> SafeString | str:
        """What is written in several lines as its page will show it; "" while nothing is."""
        drawn = (
            drawn_text(str(blank.value() or ""), blank.field.max_length or 0)
            for blank in self.fields
            if isinstance(blank.field, Prose)
        )
        return next(drawn, "")

    @property
    def drafts(self) -> QuerySet[Any]:
        """The viewer's own drafts. Nobody else's are ever asked for."""
        raise NotImplementedError

    def new_draft(self) -> Any:
        """A draft of this form, which says nothing yet and is not saved."""
        raise NotImplementedError

    def fill_draft(self) -> None:
        """Let the draft say what is written."""
        raise NotImplementedError

    def keep(self, request: HttpRequest) -> int:
        """Keep what is written as a draft, which the next page tells; 0, or else the status with
        which the form is shown again, and its errors or a message say why.

        A draft that another window has saved meanwhile stays as that left it: this one gets its
        own.
        """
        # What is missing can be kept, what does not fit cannot.
        faults = [fault for faults in self.form.errors.as_data().values() for fault in faults]
        if any(fault.code != "required" for fault in faults):
            return 422
        if self.draft is None or iso(self.draft.saved_at) != self.saved_at:
            most = WRITTEN_OF_PLAYER.count
            if self.drafts.count() >= most:
                messages.error(
                    request,
                    f"You have {most} drafts of {self.noun}, which is the most that are kept"
                    " for one player: send or delete one of them first.",
                )
                return 409
            self.draft = self.new_draft()
        self.fill_draft()
        self.draft.saved_at = wall_now()
        self.draft.save()
        messages.success(request, "Saved as a draft. Nobody but you sees it.")
        return 0

    def delete_draft(self) -> None:
        """Delete the draft that it goes by, if it does."""
        if self.draft is not None:
            self.draft.delete()


def drawn_text(text: str, longest: int) -> SafeString | str:
    """What is written, as a page shows it, as far as it is not too long; "" where nothing is."""
    return render(text[:longest]) if text.strip() else ""


def key_of(request: HttpRequest) -> str:
    """The key of the form that was sent, or a new one."""
    return sent_key(request) or secrets.token_urlsafe(12)


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
