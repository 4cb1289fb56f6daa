"""Actions as pages offer them: sentences with blanks, and what is not possible now, with why."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from django.forms import BooleanField, BoundField, Select
from django.forms.utils import flatatt
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from nomic.engine.actions import (
    Action,
    NewcomerAction,
    PrivateAction,
    TwoSidedAction,
    all_actions,
    judged,
    legality,
)
from nomic.engine.forms import ActionForm
from nomic.engine.outcomes import Behind, Busy, Malformed, Receipt, Refused
from nomic.engine.programs.additions import PARTIES
from nomic.engine.programs.in_force import PREFIX
from nomic.engine.requests import LONGEST_KEY
from nomic.engine.subgames import all_subgames
from nomic.engine.take import take
from nomic.games.refusal import Refusal
from nomic.governance.absence import AWAY, BACK
from nomic.governance.acts_by_rows import ANNOUNCE
from nomic.governance.motions import BEHALF
from nomic.governance.on_behalf import LET, LET_NO_MORE
from nomic.governance.renaming import RENAME
from nomic.record.heads import Head, read_head
from nomic.rulebook.phrases import formatted
from nomic.web.game_context import GamePage, act_url, address_of, viewer

_MOST_ASKED = 40  # choices of a list, since for each the action is judged
_BY_PROGRAMS = "By the programs of rules"
_ABOUT_ONESELF = [AWAY, BACK, RENAME, LET, LET_NO_MORE, "games.leave"]
_BY_ROWS = "By announcement first"
_FOR_OTHERS = "On behalf of others"


class FormBlank(NamedTuple):
    """A field as it is drawn, its label, its element's id, and what was wrong with what it had."""

    drawn: SafeString
    label: str
    id: str
    errors: list[str]


@dataclass(frozen=True)
class PageForm:
    """One action as a form. `parts` are words and blanks in the sentence's order.

    `key` makes the form count once however often it is sent; `refusal` is why it was refused
    when it was sent; `closed` whether nothing that could be filled in would help, so that there is
    no form. `confirming` tells whether it is to be asked a last time; a `plain` one is sent by
    the browser itself, for what leads to another page; a `linked` one's form is at `url`.
    """

    game_page: GamePage
    action: Action
    form: ActionForm
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    refusal: Refusal | None = None
    closed: bool = False
    confirming: bool = False
    back: str = ""
    plain: bool = False
    linked: bool = False

    @property
    def is_private(self) -> bool:
        """Whether what is written in it may not be for everybody: a browser keeps it no longer than
        its window."""
        return isinstance(self.action, PrivateAction | TwoSidedAction)

    @property
    def id(self) -> str:
        """The id of the form's element in the page."""
        return "form-" + self.action.name.replace(".", "-")

    @property
    def url(self) -> str:
        """The page on which its form stands: the action's own, or one for this form alone."""
        slug = self.game_page.game.slug
        if self.action.page:
            return address_of(self.action.page, slug)
        return act_url(slug, self.action.name, back=self.game_page.path)

    @property
    def acts_at(self) -> str:
        """Where the form is sent."""
        return address_of("act", self.game_page.game.slug, self.action.name)

    @property
    def weighed_at(self) -> str:
        """Where it asks what it brings, with what is filled in so far; "" where nothing can be."""
        if not self.form.fields or not self.game_page.seated:
            return ""
        return address_of("outlook", self.game_page.game.slug, self.action.name)

    @property
    def returns_to(self) -> str:
        """Where the browser goes that sends it by itself: the page, at the forms."""
        return self.back or f"{self.game_page.path}#page_forms"

    @property
    def question(self) -> str:
        """The last question before the act, naming what was chosen."""
        chosen = self.form.chosen() if self.form.is_valid() else {}
        return self.action.question(self.game_page.table, self.game_page.player, chosen)

    @property
    def rule_url(self) -> str:
        """The page of the rule that allows it, or of the one that refused it."""
        return self.game_page.rule_url(self.refusal.rule if self.refusal else self.action.rule)

    @property
    def rule(self) -> str:
        """The title of the rule that allows it, or of the one that refused it."""
        return self.refusal.rule if self.refusal else self.action.rule

    @cached_property
    def price(self) -> str:
        """The price with what is filled in so far; "" where it is not known."""
        if self._absence:
            return ""
        return self.action.price(self.game_page.table, self.game_page.player, self._chosen)

    @cached_property
    def outlook(self) -> str:
        """Gains and costs with what is filled in so far, as a sentence; or why it is refused."""
        if self._absence:
            return ""
        return self.action.outlook(self.game_page.table, self.game_page.player, self._chosen)

    @cached_property
    def _chosen(self) -> dict[str, Any]:
        sent = self.form.data if self.form.is_bound else self.form.initial
        return chosen(self.game_page, self.action, sent)

    @property
    def drawn(self) -> dict[str, Any]:
        """What is drawn of its sentence and beside it, as values."""
        return {
            "parts": self.parts,
            "options": self.options,
            "price": self.price,
            "outlook": self.outlook,
            "weighed_at": self.weighed_at,
            "errors": [*self.form.non_field_errors()],
        }

    @cached_property
    def parts(self) -> list[str | FormBlank]:
        """The sentence in pieces; fields that it does not name are `options`."""
        pieces = (
            piece.strip() if isinstance(piece, str) else self._blank(self.form[piece.name])
            for piece in formatted(self._sentence)
        )
        return list(filter(None, pieces))

    @cached_property
    def options(self) -> list[FormBlank]:
        """Fields that stand outside the sentence, such as “through Alexia's power”.

        A box that would be refused when ticked is left out; one that must be ticked is.
        """
        named = {piece.name for piece in formatted(self._sentence) if not isinstance(piece, str)}
        outside = [bound for bound in self.form if bound.name not in named]
        for bound in outside:
            if isinstance(bound.field, BooleanField) and self._refuses(bound.name, False):
                bound.initial = True
        return [
            self._blank(bound)
            for bound in outside
            if bound.value()
            or not isinstance(bound.field, BooleanField)
            or not self._refuses(bound.name, True)
        ]

    def _refuses(self, name: str, choice: Any) -> bool:
        """Whether the action would be refused for this one choice."""
        table, player = self.game_page.table, self.game_page.player
        may_try = self.game_page.seated or isinstance(self.action, NewcomerAction)
        if self._absence or not may_try:
            return False
        return isinstance(judged(self.action, table, player, {name: choice}), Refusal)

    @cached_property
    def _absence(self) -> Refusal | None:
        return self.action.absence(self.game_page.table)

    @property
    def said(self) -> list[tuple[str, Any]]:
        """The names and values that were sent, for a form that is sent again after its question."""
        return [
            (name, sent)
            for name in self.form.fields
            if (sent := self.form.data.get(name)) not in (None, "", False)
        ]

    @property
    def _sentence(self) -> str:
        return self.action.sentence or self.action.title

    def _blank(self, bound: BoundField) -> FormBlank:
        """The field as it is drawn on this page: one in the sentence has its label unseen."""
        bound.form.auto_id = f"{self.id}-%s"
        if isinstance(bound.field.widget, Select):
            all_choices = list(bound.field.widget.choices)
            listed = [choice for choice in all_choices if choice[0] not in ("", None)]
            widget = Offered(attrs=bound.field.widget.attrs)
            widget.is_required = bound.field.required
            if 1 < len(listed) <= _MOST_ASKED and self.refusal is None:
                values = [key for key, _ in listed]
                widget.refused = frozenset(str(v) for v in values if self._refuses(bound.name, v))
            if len(listed) > 1 or len(listed) < len(all_choices):
                listed = [("", f"{str(bound.label).lower()}…"), *listed]
            widget.choices = listed
            bound.field.widget = widget
        if bound.name in self._sentence:
            bound.field.widget.attrs["aria-label"] = str(bound.label)
        return FormBlank(bound.as_widget(), str(bound.label), bound.id_for_label, [*bound.errors])


class Offered(Select):
    """A list that begins with an invitation to choose, and greys out what would be refused."""

    refused: frozenset[str] = frozenset()

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """What Django's templates draw of a list without groups; they draw each option by a
        template of its own, which takes long where a page has many lists."""
        marks = dict.fromkeys(self.refused, " disabled")
        marks[next(iter(self.format_value(value)), "")] = " selected"
        options = ((key, marks.get(str(key), ""), label) for key, label in self.choices)
        listed = format_html_join("", '<option value="{}"{}>{}</option>', options)
        attributes = flatatt(self.build_attrs(self.attrs, attrs))
        return format_html('<select name="{}"{}>{}</select>', name, attributes, listed)


@dataclass(frozen=True)
class NotNow:
    """Actions that one and the same reason stands against."""

    titles: list[str]
    refusal: Refusal
    rule_url: str


@dataclass(frozen=True, slots=True)
class ActionChoices:
    """The acts in one part of the game: those that a player may do, and the others with why not."""

    title: str
    page_forms: list[PageForm]
    not_now: list[NotNow]

    @property
    def own(self) -> list[PageForm]:
        """The forms of acts that any player does as such."""
        return [page_form for page_form in self.page_forms if not page_form.action.office]

    @property
    def in_place(self) -> list[PageForm]:
        """The forms of acts that all players are asked for while nobody holds the act's office."""
        return [page_form for page_form in self.page_forms if page_form.action.office]


def choices(game_page: GamePage, only: str = "") -> list[ActionChoices]:
    """The viewer's acts in each subgame, or in `only` one: what they may do, and what not and why.

    Without `only`, those are left out that say it in their panel.

    Somebody without a seat is offered nothing here.
    """
    rooms = {
        subgame.name: subgame.title
        for subgame in game_page.subgames
        if (subgame.name == only if only else not subgame.acts_in_its_panel)
    }
    if not only:
        rooms[PREFIX] = _BY_PROGRAMS
        rooms |= {ANNOUNCE: _BY_ROWS, BEHALF: _FOR_OTHERS}
    actions: dict[str, list[Action]] = {}
    for act in _open_to(game_page):
        actions.setdefault(_app(act), []).append(act)
    offered = {name: title for name, title in rooms.items() if name in actions}
    return [_sorted(game_page, title, actions[name]) for name, title in offered.items()]


def by_programs(game_page: GamePage, rule: str, title: str = _BY_PROGRAMS) -> list[ActionChoices]:
    """The viewer's acts by the program of that rule, or of what else is called so; empty where
    there are none."""
    actions = [
        act for act in _open_to(game_page) if _app(act) in (PREFIX, PARTIES) and act.rule == rule
    ]
    return [_sorted(game_page, title, actions)] if actions else []


def seat_choices(game_page: GamePage) -> ActionChoices:
    """The acts of a seated viewer about their seat and their offices, each on a page of its own."""
    subgames = {subgame.name for subgame in all_subgames()}
    actions = [
        act
        for act in _open_to(game_page)
        if _app(act) not in {PREFIX, PARTIES, ANNOUNCE, BEHALF, *subgames}
    ]
    about_oneself = [act for name in _ABOUT_ONESELF for act in actions if act.name == name]
    others = [act for act in actions if act not in about_oneself]
    return _sorted(game_page, "Your seat", about_oneself + others, linked=True)


def office_choices(game_page: GamePage, office: str) -> ActionChoices:
    """The acts of that office's holder as such, each on a page of its own."""
    acts = [act for act in all_actions() if act.is_of({office}, game_page.game)]
    return _sorted(game_page, f"As {office}", acts, linked=True)


def _open_to(game_page: GamePage) -> list[Action]:
    """The actions that need no office, or one whose acts all players are asked to do, and, the
    viewer having a seat, are not about taking one."""
    if not game_page.seated:
        return []
    return [
        act
        for act in all_actions(game_page.table)
        if not isinstance(act, NewcomerAction)
        and (not act.office or act.is_everybodys(game_page.table))
    ]


def _app(act: Action) -> str:
    return act.name.partition(".")[0]


def _sorted(
    game_page: GamePage, title: str, actions: Iterable[Action], *, linked: bool = False
) -> ActionChoices:
    """Ask each action whether it may be done; one whose page this is has its form there."""
    table, player = game_page.table, game_page.player
    page_forms: list[PageForm] = []
    not_now: dict[tuple[str, str], NotNow] = {}
    for act in actions:
        if act.absence(table):
            continue
        refusal = legality(act, table, player, {})
        if refusal is not None:
            reason = refusal.sentence, refusal.rule
            if reason not in not_now:
                not_now[reason] = NotNow([], refusal, game_page.rule_url(refusal.rule))
            not_now[reason].titles.append(act.title)
            continue
        elsewhere = linked or bool(act.page or act.office)
        form = ActionForm if elsewhere else act.Form
        page_form = PageForm(game_page, act, form(table, player), linked=elsewhere)
        if not act.page or page_form.url != game_page.path:
            page_forms.append(page_form)
    return ActionChoices(title, page_forms, list(not_now.values()))


def filled(
    game_page: GamePage, action: Action, sent: Mapping[str, Any], **options: Any
) -> PageForm:
    """The form with what was sent in its blanks."""
    return PageForm(
        game_page, action, action.Form(game_page.table, game_page.player, sent), **options
    )


def chosen(game_page: GamePage, action: Action, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs that were given and are well-formed, as the form's fields read them."""
    if not sent.keys() & action.Form.base_fields.keys():
        return {}
    inputs = action.Form(game_page.table, game_page.player, sent).chosen()
    return {name: choice for name, choice in inputs.items() if name in sent}


UNDONE = (Refused, Malformed, Busy)
_OURS = frozenset({"csrfmiddlewaretoken", "key", "saw", "back", "confirmed"})


def why_undone(request: HttpRequest, error: Exception) -> tuple[int, Refusal | None]:
    """The status with which a form is shown once more after one of UNDONE, and what refused it."""
    if isinstance(error, Refused):
        return 409, error.refusal
    if not isinstance(error, Busy):
        return 422, None
    if seconds := getattr(error, "seconds", 0):
        request.come_back_in = seconds  # type: ignore[attr-defined]
    return 503, Refusal("behind" if isinstance(error, Behind) else "busy", str(error))


def take_as_sent(request: HttpRequest, slug: str, name: str, *buttons: str) -> Receipt:
    """Take the action as the form of who has signed in says; raises what `take` raises."""
    inputs, key = sent_inputs(request, *buttons), sent_key(request)
    return take(slug, viewer(request), name, inputs, key, saw=sent_head(request), asks=True)


def sent_inputs(request: HttpRequest, *buttons: str) -> dict[str, Any]:
    """The inputs that were sent, without what a form carries of its own and its `buttons`."""
    not_inputs = _OURS.union(buttons)
    return {name: sent for name, sent in request.POST.items() if name not in not_inputs}


def sent_key(request: HttpRequest) -> str:
    """The key by which the form counts once."""
    return request.POST.get("key", "")[:LONGEST_KEY]


def sent_head(request: HttpRequest) -> Head | None:
    """The newest head that its page had shown."""
    return read_head(request.POST.get("saw", ""))
