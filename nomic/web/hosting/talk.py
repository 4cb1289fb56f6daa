"""The talk at a game's table, live like the game itself."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from nomic.games.clock import wall_now
from nomic.games.models import Player
from nomic.notices.outbox import tell_of_remark
from nomic.standard.hosting.talk import READ, TooFast, delete, has_read, reword, say
from nomic.standard.hosting.talk import react as react_to
from nomic.standard.models import Reaction
from nomic.web.game_page import GamePage, look_for_news, open_game
from nomic.web.hosting.host import is_host
from nomic.web.hosting.remarks import RemarkForm, as_shown, is_topic, may_talk, page_of
from nomic.web.paging import fitting, newest_before, number_asked

_A_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest remarks, before those with a number where one is asked for; POST says something,
    perhaps beside a thing of the game, to whose page it leads back.

    Answers 429 to who says too much in a minute, the form still filled.
    """
    if request.method != "POST":
        look_for_news(request)
    game_page = open_game(request, slug)
    form, status = RemarkForm(), 200
    if request.method == "POST":
        form, status = RemarkForm(request.POST), 422
        player, about = _talker(game_page), request.POST.get("about", "")
        if about and not is_topic(game_page.game, about):
            form.add_error(None, "What this is about is not in this game.")
        elif form.is_valid():
            text, most = form.cleaned_data["text"], settings.REMARKS_A_MINUTE
            try:
                tell_of_remark(say(player, text, wall_now(), most, about))
                return redirect(page_of(slug, about) if about else reverse("talk", args=[slug]))
            except TooFast:
                form.add_error(None, f"One says at most {most} things in a minute. Wait a little.")
                status = 429
    return _page(request, game_page, form, status)


def _page(request: HttpRequest, game_page: GamePage, form: RemarkForm, status: int) -> HttpResponse:
    found = game_page.game.remarks.select_related("player")
    newest, older = newest_before(found, "number", number_asked(request, "before"), _A_PAGE)
    remarks = fitting(newest, lambda each: (each.text,))
    older = remarks[-1].number if len(remarks) < len(newest) else older
    player = game_page.player
    read: int | None = None  # up to which remark the viewer, who plays here, had read the talk
    if player is not None and game_page.seated:
        read = getattr(player, READ, 0)
        if remarks and remarks[0].number > read:
            has_read(player, remarks[0].number)
    return game_page.draw_live(
        "web/hosting/talk.html",
        status=status,
        form=form if may_talk(game_page) else None,
        said=as_shown(game_page, remarks, read),
        about=request.POST.get("about", ""),
        may_talk=may_talk(game_page),
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


@require_http_methods(["GET", "HEAD", "POST"])
def react(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The signs by which a remark can be answered; POST gives one, or takes it back."""
    game_page = open_game(request, slug)
    player = _talker(game_page)
    there = game_page.game.remarks.filter(number=number, deleted_at=None, hidden_in=None)
    found = there.select_related("player").first()
    if found is None:
        raise Http404("Nobody has said such a thing at this table, or it is gone.")
    by_script = "HX-Request" in request.headers
    if request.method == "POST":
        sign = request.POST.get("sign", "")
        if sign not in Reaction.Sign.values:
            raise Http404(f"There is no such sign. There are: {', '.join(Reaction.Sign.values)}.")
        react_to(found, player, sign)
        if not by_script:
            at_the_talk = f"{reverse('talk', args=[slug])}#remark-{number}"
            return redirect(page_of(slug, found.about) if found.about else at_the_talk)
    (said,) = as_shown(game_page, [found])
    return game_page.draw(
        "web/hosting/_reactions.html" if by_script else "web/hosting/react.html",
        each=said,
        remark=found,
        signs=Reaction.Sign if request.method != "POST" else (),
        may_talk=True,
    )


def _talker(game_page: GamePage) -> Player:
    """The viewer's seat, where they may talk; raises PermissionDenied."""
    if not may_talk(game_page) or game_page.player is None:
        raise PermissionDenied("Only players of this game can talk here. Join it first.")
    return game_page.player
