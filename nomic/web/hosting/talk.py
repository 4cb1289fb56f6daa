"""The talk at a game's table, live like the game itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from nomic.engine.forms import Text
from nomic.games.clock import wall_now
from nomic.notices.outbox import tell_of_remark
from nomic.standard.hosting.talk import TooFast, delete, named_in, reword, say
from nomic.standard.models import LONGEST_REMARK, Remark
from nomic.web.game_page import GamePage, nothing_new, open_game
from nomic.web.hosting.host import is_host
from nomic.web.paging import fitting, newest_before, number_asked

_A_PAGE = 50
_ADDRESS = re.compile(r"""https?://[^\s<>"']+[^\s<>"'.,;:!?)\]]""")


class RemarkForm(forms.Form):
    """Something to say."""

    text = Text(
        lines=True,
        longest=LONGEST_REMARK,
        label="Say something to the table",
        widget=forms.Textarea({"rows": 3}),
    )


@dataclass(frozen=True, slots=True)
class Said:
    """A remark as a page shows it: its text with what it links to, and what the viewer may do."""

    remark: Remark
    text: SafeString
    is_own: bool


@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest remarks, before those with a number where one is asked for; POST says something.

    Answers 429 to who says too much in a minute, the form still filled.
    """
    if request.method != "POST" and (unchanged := nothing_new(request)) is not None:
        return unchanged
    game_page = open_game(request, slug)
    form, status = RemarkForm(), 200
    if request.method == "POST":
        form, status = RemarkForm(request.POST), 422
        if not _may_talk(game_page):
            raise PermissionDenied("Only players of this game can talk here. Join it first.")
        if form.is_valid():
            assert game_page.player is not None
            text, most = form.cleaned_data["text"], settings.REMARKS_A_MINUTE
            try:
                tell_of_remark(say(game_page.player, text, wall_now(), most))
                return redirect("talk", slug)
            except TooFast:
                form.add_error(None, f"One says at most {most} things in a minute. Wait a little.")
                status = 429
    return _page(request, game_page, form, status)


def _page(request: HttpRequest, game_page: GamePage, form: RemarkForm, status: int) -> HttpResponse:
    found = game_page.game.remarks.select_related("player")
    newest, older = newest_before(found, "number", number_asked(request, "before"), _A_PAGE)
    remarks = fitting(newest, lambda each: (each.text,))
    older = remarks[-1].number if len(remarks) < len(newest) else older
    return game_page.draw_live(
        "web/hosting/talk.html",
        status=status,
        form=form if _may_talk(game_page) else None,
        said=list(_as_shown(game_page, remarks)),
        older=older,
        is_host=is_host(game_page),
        page_number=None,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def remark(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One's own remark, to be worded anew or deleted."""
    game_page = open_game(request, slug)
    own = game_page.game.remarks.filter(player=game_page.player) if game_page.player else None
    found = own.filter(number=number, deleted_at=None, hidden_in=None).first() if own else None
    if found is None:
        raise Http404("You have said no such thing at this table, or it is gone.")
    form = RemarkForm(request.POST or None, initial={"text": found.text})
    if request.method == "POST" and "delete" in request.POST:
        delete(found, wall_now())
        return redirect("talk", slug)
    if request.method == "POST" and form.is_valid():
        reword(found, form.cleaned_data["text"], wall_now())
        tell_of_remark(found)
        return redirect(reverse("talk", args=[slug]) + f"#remark-{found.number}")
    status = 422 if form.errors else 200
    return game_page.draw("web/hosting/remark.html", status=status, form=form, remark=found)


def _may_talk(game_page: GamePage) -> bool:
    return game_page.seated and not game_page.game.is_closed


def _as_shown(game_page: GamePage, remarks: list[Remark]) -> Iterator[Said]:
    named = named_in(game_page.game, (each.text for each in remarks))
    slug, own = game_page.game.slug, game_page.player
    for each in remarks:
        text = _linked(slug, each.text, named)
        yield Said(each, text, is_own=own is not None and each.player_id == own.pk)


def _linked(slug: str, text: str, named: dict[str, str]) -> SafeString:
    """The text with its addresses and its players' names as links, and all else as it is."""
    names = sorted(named, key=len, reverse=True)
    either = "|".join([_ADDRESS.pattern, *map(re.escape, names)])
    parts = re.split(f"({either})", text)
    return format_html_join("", "{}", ((_drawn(slug, part, named),) for part in parts))


def _drawn(slug: str, part: str, named: dict[str, str]) -> SafeString | str:
    if part in named:
        return format_html('<a href="{}">{}</a>', reverse("player", args=[slug, named[part]]), part)
    if _ADDRESS.fullmatch(part):
        return format_html('<a href="{}" rel="nofollow noopener ugc">{}</a>', part, part)
    return part
