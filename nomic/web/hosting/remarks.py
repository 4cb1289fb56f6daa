"""Remarks as pages show them: at the table, and beside what they are about."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from nomic.engine.forms import Text
from nomic.games.models import Game
from nomic.standard.hosting.talk import named_in
from nomic.standard.models import LONGEST_REMARK, Reaction, Remark
from nomic.web.game_page import GamePage
from nomic.web.paging import fitting

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


def as_shown(game_page: GamePage, remarks: Iterable[Remark], read: int | None = None) -> list[Said]:
    """Those remarks; with `read`, later ones are new. Two queries for all."""
    shown = list(remarks)
    named = named_in(game_page.game, (each.text for each in shown))
    slug, own = game_page.game.slug, game_page.player.pk if game_page.player else None
    # How each was answered, by its key, and by the signs in their order.
    answers = {each.pk: {sign.value: Answered(sign) for sign in Reaction.Sign} for each in shown}
    rows = Reaction.objects.filter(remark__in=answers).order_by("pk")
    columns = rows.values_list("remark_id", "sign", "player_id", "player__name")
    for remark, sign, player, name in columns if shown else ():
        answered = answers[remark][sign]
        answered.names.append(name)
        answered.is_own = answered.is_own or player == own
    return [
        Said(
            each,
            _linked(slug, each.text, named),
            page_of(slug, each.about) if each.about else "",
            [signed for signed in answers[each.pk].values() if signed.names and each.text],
            is_own=each.player_id == own,
            is_new=read is not None and each.number > read and each.player_id != own,
        )
        for each in shown
    ]


@dataclass(frozen=True, slots=True)
class Beside:
    """Remarks on something's own page, the newest first, whether there are more, and the form to
    make one, for who may."""

    about: str
    said: list[Said]
    more: bool
    form: RemarkForm | None


def beside(game_page: GamePage, about: str) -> dict[str, Any]:
    """The remarks about that, for its page's template."""
    said: QuerySet[Remark] = game_page.game.remarks.filter(about=about).select_related("player")
    newest = list(said.order_by("-number")[: _BESIDE + 1])
    shown = fitting(newest[:_BESIDE], lambda each: (each.text,))
    more = len(newest) > len(shown)
    allowed = may_talk(game_page)
    form = RemarkForm(auto_id="said-%s") if allowed else None
    return {"beside": Beside(about, as_shown(game_page, shown), more, form), "may_talk": allowed}


def may_talk(game_page: GamePage) -> bool:
    """Whether the viewer may say something at the table."""
    return game_page.seated and not game_page.game.is_closed


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
    return format_html_join("", "{}", ((each,) for each in drawn))
