"""The talk at a game's table, live like the game itself: its pages, remarks beside what they are
about, who is here, and telling the site's operator of a remark or a player."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from allauth.core.internal.ratelimit import get_ip
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.engine import watch
from nomic.engine.forms import Text
from nomic.games.bounds import COMPLAINTS_A_DAY
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.hosting.talk import (
    READ,
    UNSEEN,
    TooFast,
    be_unseen,
    delete,
    has_read,
    named_in,
    reword,
    say,
)
from nomic.governance.hosting.talk import react as react_to
from nomic.governance.models import LONGEST_REMARK, Complaint, Reaction, Remark
from nomic.notices.outbox import host_concerns, tell_of_remark, write
from nomic.web.game_context import GamePage, look_for_news, open_game, query_word, viewer
from nomic.web.hosting.host import is_host
from nomic.web.paging import fitting, newest_before, number_asked, number_of

A_PAGE = 50
_A_DAY = timedelta(days=1)
_ADDRESS = re.compile(r"""https?://[^\s<>"']+[^\s<>"'.,;:!?)\]]""")
_BESIDE = 5  # the newest remarks that stand beside something


class RemarkForm(forms.Form):
    """A remark to the table."""

    text = Text(
        lines=True,
        longest=LONGEST_REMARK,
        label="Say something to the table",
        widget=forms.Textarea({"rows": 3}),
    )


type FindPage = Callable[[str, int], str]
type Exists = Callable[[Game, int], bool]

_TOPICS: dict[str, tuple[FindPage, Exists]] = {}


def topic(kind: str, page: FindPage, exists: Exists) -> None:
    """Let remarks be made about what is called so and has a number, as “race 3”, on its page, where
    the game has it. Who shows it registers it."""
    _TOPICS[kind] = page, exists


def page_of(slug: str, about: str) -> str:
    """The address at which remarks about that topic, as “race 3”, are shown."""
    kind, _, number = about.rpartition(" ")
    page, _ = _TOPICS[kind]
    return f"{page(slug, int(number))}#said"


def is_topic(game: Game, about: str) -> bool:
    """Whether the game has that topic, as “race 3”, of a kind that takes remarks."""
    kind, _, number = about.rpartition(" ")
    if kind not in _TOPICS or not re.fullmatch("[1-9][0-9]{0,8}", number):
        return False
    _, exists = _TOPICS[kind]
    return exists(game, int(number))


@dataclass(slots=True)
class Answered:
    """A sign that answers a remark: whose, and whether the viewer's among them."""

    sign: Reaction.Sign
    names: list[str] = field(default_factory=list)
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A remark as a page shows it: its text with what it links to, the page of what it is about,
    how it was answered, and what the viewer may do."""

    remark: Remark
    text: SafeString
    about_url: str
    answers: list[Answered]
    is_own: bool
    is_new: bool = False


def shown_remarks(
    game_page: GamePage, remarks: Iterable[Remark], read: int | None = None
) -> list[Said]:
    """Those remarks; with `read`, later ones are new. Two queries for all."""
    shown = list(remarks)
    named = named_in(game_page.game, (shown_remark.text for shown_remark in shown))
    slug, own_pk = game_page.game.slug, game_page.player.pk if game_page.player else None
    # How each was answered, by its key, and by the signs in their order.
    answers = {
        shown_remark.pk: {sign.value: Answered(sign) for sign in Reaction.Sign}
        for shown_remark in shown
    }
    rows = Reaction.objects.filter(remark__in=answers).order_by("pk")
    columns = rows.values_list("remark_id", "sign", "player_id", "player__name")
    for remark, sign, player, name in columns if shown else ():
        answered = answers[remark][sign]
        answered.names.append(name)
        answered.is_own = answered.is_own or player == own_pk
    return [
        Said(
            shown_remark,
            _linked(slug, shown_remark.text, named),
            page_of(slug, shown_remark.about) if shown_remark.about else "",
            [
                signed
                for signed in answers[shown_remark.pk].values()
                if signed.names and shown_remark.text
            ],
            is_own=shown_remark.player_id == own_pk,
            is_new=read is not None
            and shown_remark.number > read
            and shown_remark.player_id != own_pk,
        )
        for shown_remark in shown
    ]


def newest_remarks(
    remarks: QuerySet[Remark], before: int | None
) -> tuple[list[Remark], int | None]:
    """The newest of those remarks before that number, as many as there is room for, and the number
    before which older ones are, if there are."""
    newest, older = newest_before(remarks.select_related("player"), "number", before, A_PAGE)
    shown = fitting(newest, lambda remark: (remark.text,))
    return shown, shown[-1].number if len(shown) < len(newest) else older


def own_remark(player: Player | None, number: int) -> Remark:
    """What the player has said by that number, and not taken back; raises Http404."""
    remark = _standing(player.remarks.all(), number) if player else None
    if remark is None:
        raise Http404("You have said no such thing at this table, or it is gone.")
    return remark


def standing_remark(game: Game, number: int) -> Remark:
    """What somebody has said by that number, and not taken back; raises Http404."""
    remark = _standing(game.remarks.all(), number)
    if remark is None:
        raise Http404("Nobody has said such a thing at this table, or it is gone.")
    return remark


def _standing(remarks: QuerySet[Remark], number: int) -> Remark | None:
    standing = remarks.filter(number=number, deleted_at=None, hidden_in=None)
    return standing.select_related("player").first()


def say_now(player: Player, text: str, about: str) -> Remark:
    """Let the player say that now, beside what it is about, and tell whom it names; raises TooFast
    after the most of a minute."""
    remark = say(player, text, wall_now(), settings.REMARKS_A_MINUTE, about)
    tell_of_remark(remark)
    return remark


def reword_now(remark: Remark, text: str) -> None:
    """Let the remark say something else from now on, and tell whom it names."""
    reword(remark, text, wall_now())
    tell_of_remark(remark)


def beside(game_page: GamePage, about: str) -> dict[str, Any]:
    """The remarks about that for its page's template, the newest first, whether there are more, and
    the form to make one, for who may."""
    remarks: QuerySet[Remark] = game_page.game.remarks.filter(about=about)
    newest = list(remarks.select_related("player").order_by("-number")[: _BESIDE + 1])
    shown = fitting(newest[:_BESIDE], lambda remark: (remark.text,))
    remarks_beside = {
        "about": about,
        "said": shown_remarks(game_page, shown),
        "more": len(newest) > len(shown),
        "form": RemarkForm(auto_id="said-%s") if game_page.seated else None,
    }
    return {"beside": remarks_beside, "may_talk": game_page.seated}


def _linked(slug: str, text: str, named: dict[str, str]) -> SafeString:
    """The text with its addresses and its players' names as links, and all else as it is."""
    names = sorted(named, key=len, reverse=True)
    either = "|".join([_ADDRESS.pattern, *map(re.escape, names)])
    drawn: list[SafeString | str] = []
    for part in re.split(f"({either})", text):
        if part in named:
            page = reverse("player", args=[slug, named[part]])
            drawn.append(format_html('<a href="{}">{}</a>', page, part))
        elif _ADDRESS.fullmatch(part):
            drawn.append(format_html('<a href="{}" rel="nofollow noopener ugc">{}</a>', part, part))
        else:
            drawn.append(part)
    return format_html_join("", "{}", ((piece,) for piece in drawn))


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
            try:
                say_now(player, form.cleaned_data["text"], about)
                return redirect(page_of(slug, about) if about else reverse("talk", args=[slug]))
            except TooFast:
                most = settings.REMARKS_A_MINUTE
                form.add_error(None, f"One says at most {most} things in a minute. Wait a little.")
                status = 429
    return _page(request, game_page, form, status)


def _page(request: HttpRequest, game_page: GamePage, form: RemarkForm, status: int) -> HttpResponse:
    before = number_asked(request, "before")
    remarks, older = newest_remarks(game_page.game.remarks.all(), before)
    player = game_page.player
    read: int | None = None  # up to which remark the viewer, who plays here, had read the talk
    if player is not None and game_page.seated:
        read = getattr(player, READ, 0)
        if remarks and remarks[0].number > read:
            has_read(player, remarks[0].number)
    return game_page.draw_live(
        "web/hosting/talk.html",
        status=status,
        form=form if game_page.seated else None,
        said=shown_remarks(game_page, remarks, read),
        about=request.POST.get("about", ""),
        may_talk=game_page.seated,
        older=older,
        is_host=is_host(game_page),
        page_number=None,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def remark(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One's own remark, to be worded anew or deleted."""
    game_page = open_game(request, slug)
    remark = own_remark(game_page.player, number)
    form = RemarkForm(request.POST or None, initial={"text": remark.text})
    if request.method == "POST" and "delete" in request.POST:
        delete(remark, wall_now())
        return redirect("talk", slug)
    if request.method == "POST" and form.is_valid():
        reword_now(remark, form.cleaned_data["text"])
        return redirect(reverse("talk", args=[slug]) + f"#remark-{remark.number}")
    status = 422 if form.errors else 200
    return game_page.draw("web/hosting/remark.html", status=status, form=form, remark=remark)


@require_http_methods(["GET", "HEAD", "POST"])
def react(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The signs by which a remark can be answered; POST gives one, or takes it back."""
    game_page = open_game(request, slug)
    player = _talker(game_page)
    remark = standing_remark(game_page.game, number)
    by_script = "HX-Request" in request.headers
    if request.method == "POST":
        sign = request.POST.get("sign", "")
        if sign not in Reaction.Sign.values:
            raise Http404(f"There is no such sign. There are: {', '.join(Reaction.Sign.values)}.")
        react_to(remark, player, sign)
        if not by_script:
            at_the_talk = f"{reverse('talk', args=[slug])}#remark-{number}"
            return redirect(page_of(slug, remark.about) if remark.about else at_the_talk)
    (shown,) = shown_remarks(game_page, [remark])
    return game_page.draw(
        "web/hosting/_reactions.html" if by_script else "web/hosting/react.html",
        each=shown,
        remark=remark,
        signs=Reaction.Sign if request.method != "POST" else (),
        may_talk=True,
    )


def _talker(game_page: GamePage) -> Player:
    """The viewer's seat, where they may talk; raises PermissionDenied."""
    if game_page.player is None or not game_page.seated:
        raise PermissionDenied("Only players of this game can talk here. Join it first.")
    return game_page.player


_PLAYER, _ONLOOKER = "p ", "o "


@dataclass(frozen=True, slots=True)
class Here:
    """The names of the players who look at the game, the viewer's first, and how many others do."""

    names: list[str]
    onlookers: int
    is_unseen: bool

    @property
    def are_others(self) -> bool:
        """Whether somebody is there besides the viewer."""
        return self.many > (not self.is_unseen)

    @property
    def many(self) -> int:
        """How many look at the game: players by name, and onlookers."""
        return len(self.names) + self.onlookers

    @property
    def sentence(self) -> str:
        """As people say it; empty where nobody is there."""
        onlookers = f"{self.onlookers} onlooker{'s' * (self.onlookers > 1)}"
        return ", ".join([*self.names, *([onlookers] if self.onlookers else [])])


def who_is_here(game_page: GamePage) -> Here:
    """Who looks at the game, and the viewer does from now on. One call of the cache."""
    player = game_page.player if game_page.seated else None
    is_unseen = bool(getattr(player, UNSEEN, False))
    if player is None:  # by a mark that tells this browser from most others, and nobody who it is
        request = game_page.request
        browser = f"{get_ip(request)} {request.headers.get('User-Agent', '')}"
        mark = salted_hmac("nomic.web.presence", browser, algorithm="sha256").hexdigest()
        own_mark = _ONLOOKER + mark[:16]
    else:
        own_mark = "" if is_unseen else _PLAYER + player.name
    marks = watch.present(game_page.game.pk, own_mark, game_page.wall)
    names = [mark.removeprefix(_PLAYER) for mark in marks if mark.startswith(_PLAYER)]
    ordered = sorted(names, key=lambda name: (player is None or name != player.name, name))
    return Here(ordered, len(marks) - len(names), is_unseen)


def leave_unseen(player: Player, is_unseen: bool) -> None:
    """Let others not be told that the player is here, or be told again when they look next."""
    be_unseen(player, is_unseen)
    watch.leave(player.game_id, _PLAYER + player.name)


@require_safe
@never_cache
def here(request: HttpRequest, slug: str) -> HttpResponse:
    """Who looks at the game now, as a part of its pages that asks for itself."""
    return open_game(request, slug).draw("web/hosting/_here.html", drawn=True)


@require_POST
def unseen(request: HttpRequest, slug: str) -> HttpResponse:
    """Let others not be told that one is here, or be told again."""
    game_page = open_game(request, slug)
    if game_page.player is not None:
        leave_unseen(game_page.player, request.POST.get("unseen") == "yes")
    return redirect("talk", slug)


LONGEST_COMPLAINT = 1000  # characters


class ComplaintForm(forms.Form):
    """A complaint to the site's operator, and to the game's host."""

    words = Text(
        lines=True,
        longest=LONGEST_COMPLAINT,
        label="What is wrong?",
        help_text="The operator of this site reads it with your user name, and the game’s host"
        " without it, unless it is about them.",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def complain(request: HttpRequest, slug: str) -> HttpResponse:
    """The form about the remark or the player that the address names; 429 after ten in a day."""
    user = viewer(request)
    game_page = open_game(request, slug)
    number, name = number_of(request.GET.get("remark")), query_word(request, "player")
    about, remark = complained_of(game_page.game, number, name)
    form, status = ComplaintForm(request.POST or None), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                complain_of(game_page, user, about, remark, form.cleaned_data["words"])
            except TooManyComplaints as too_many:
                form.add_error(None, str(too_many))
                status = 429
            else:
                messages.success(request, "The operator of this site has it on their desk now.")
                return redirect("talk", slug)
    return game_page.draw(
        "web/hosting/complain.html", status=status, form=form, about=about, remark=remark
    )


class TooManyComplaints(Exception):
    """They have complained as often as one may in a day."""


def complain_of(
    game_page: GamePage, user: User, about: Player, remark: Remark | None, words: str
) -> None:
    """Tell the operator what is wrong with that player, or with their remark, and the game's host,
    unless it is about them. Raises TooManyComplaints."""
    now, most = wall_now(), COMPLAINTS_A_DAY.count
    if user.complaints.filter(at__gt=now - _A_DAY).count() >= most:
        raise TooManyComplaints(f"You have reported {most} things today, which is the most.")
    quoted = remark.text if remark else ""
    complaint = Complaint.objects.create(
        game=game_page.game, by=user, about=about, quoted=quoted, words=words, at=now
    )
    if about.user_id != game_page.game.host_id:
        text = f"Somebody complains about {about} in {game_page.game}."
        url = reverse("host", args=[game_page.game.slug]) + "#complaints"
        notice = host_concerns(game_page.game, text, url)
        write(game_page.table, notice, where=f"complaint {complaint.pk}")


def complained_of(game: Game, number: int | None, name: str) -> tuple[Player, Remark | None]:
    """Who has made the remark of that number, with it, or else who is called so; raises
    Http404."""
    remark = game.remarks.select_related("player").filter(number=number).first() if number else None
    if remark is not None:
        return remark.player, remark
    about = game.players.filter(name=name).first()
    if about is None:
        raise Http404("There is no such remark or player in this game.")
    return about, None
