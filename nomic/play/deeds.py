"""Actions as pages offer them: sentences with blanks, and what is not possible now, with why."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from django.forms import BoundField, Select
from django.utils.safestring import SafeString

from nomic.games.refusal import Refusal
from nomic.play.actions import Action, Offer, offers
from nomic.play.forms import ActionForm
from nomic.play.frame import Frame


@dataclass(frozen=True, slots=True)
class Blank:
    """A blank of the sentence, drawn."""

    name: str
    drawn: SafeString
    errors: list[str]
    label: str = ""
    id: str = ""


@dataclass(frozen=True)
class Deed:
    """One action as a form. `parts` are words and blanks in the sentence's order.

    `key` makes the form count once however often it is sent; `refusal` is why it was refused
    when it was sent, `confirming` whether it is to be asked a last time.
    """

    frame: Frame
    action: Action
    form: ActionForm
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    refusal: Refusal | None = None
    confirming: bool = False
    back: str = ""

    @property
    def id(self) -> str:
        """The form's name in the page."""
        return "deed-" + self.action.name.replace(".", "-")

    @property
    def rule_url(self) -> str:
        """The page of the rule that allows it, or of the one that refused it."""
        return self.frame.rule_url(self.refusal.rule if self.refusal else self.action.rule)

    @property
    def rule(self) -> str:
        """The title of that rule."""
        return self.refusal.rule if self.refusal else self.action.rule

    @property
    def parts(self) -> list[str | Blank]:
        """The sentence in pieces; fields that it does not name are `options`."""
        pieces: list[str | Blank] = []
        for words, name, _, _ in Formatter().parse(self._sentence):
            pieces += [words.strip()] if words.strip() else []
            pieces += [self._blank(self.form[name])] if name else []
        return pieces

    @property
    def options(self) -> list[Blank]:
        """Fields that stand outside the sentence, such as “through Alexia's power”."""
        named = {name for _, name, _, _ in Formatter().parse(self._sentence) if name}
        return [self._blank(bound) for bound in self.form if bound.name not in named]

    @property
    def said(self) -> list[tuple[str, Any]]:
        """What was sent, for a form that is to be sent again after the last question."""
        return [
            (name, value)
            for name in self.form.fields
            if (value := self.form.data.get(name)) not in (None, "", False)
        ]

    @property
    def _sentence(self) -> str:
        return self.action.sentence or self.action.title

    def _blank(self, bound: BoundField) -> Blank:
        bound.form.auto_id = f"{self.id}-%s"
        label = str(bound.label)
        _invite(bound, label)
        errors = [str(error) for error in bound.errors]
        return Blank(
            bound.name,
            bound.as_widget(attrs={"aria-label": label} if bound.name in self._sentence else {}),
            errors,
            label,
            bound.id_for_label,
        )


def _invite(bound: BoundField, label: str) -> None:
    """Let a list begin with an invitation to choose, so that nothing is chosen by accident."""
    widget = bound.field.widget
    if not isinstance(widget, Select):
        return
    choices = [choice for choice in widget.choices if choice[0] not in ("", None)]
    if len(choices) > 1:
        widget.choices = [("", f"{label.lower()}…"), *choices]


@dataclass(frozen=True, slots=True)
class NotNow:
    """Actions that one and the same reason stands against."""

    titles: list[str]
    refusal: Refusal
    rule_url: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What a player may do, and what not, in one part of the game."""

    title: str
    deeds: list[Deed]
    not_now: list[NotNow]


def choices(frame: Frame, *, only: str = "") -> list[Choices]:
    """What the viewer may do, by subgame, then by office, then about their seat.

    `only` is one subgame's name. Somebody without a seat is offered nothing here.
    """
    if not frame.seated:
        return []
    titles = {subgame.name: subgame.title for subgame in frame.subgames}
    rooms: dict[str, list[Offer]] = {title: [] for title in titles.values()}
    for offer in offers(frame.table, frame.player):
        app = offer.action.name.partition(".")[0]
        if offer.action.seatless or (only and app != only):
            continue
        room = f"As {_the(offer.action.office)}" if offer.action.office else titles.get(app, "Your seat")
        rooms.setdefault(room, []).append(offer)
    return [_sorted(frame, title, found) for title, found in rooms.items() if found]


def _the(office: str) -> str:
    return "an officer" if office == "*" else office


def _sorted(frame: Frame, title: str, found: Iterable[Offer]) -> Choices:
    deeds, against = [], []
    for offer in found:
        if offer.refusal is None:
            deeds.append(Deed(frame, offer.action, offer.form))
        else:
            against.append(offer)
    return Choices(title, deeds, list(_grouped(frame, against)))


def _grouped(frame: Frame, against: Iterable[Offer]) -> Iterator[NotNow]:
    groups: dict[tuple[str, str], list[Offer]] = {}
    for offer in against:
        if offer.refusal:
            groups.setdefault((offer.refusal.sentence, offer.refusal.rule), []).append(offer)
    for (_, rule), group in groups.items():
        titles = [offer.action.title for offer in group]
        if group[0].refusal:
            yield NotNow(titles, group[0].refusal, frame.rule_url(rule))


def filled(frame: Frame, action: Action, data: Mapping[str, Any], **more: Any) -> Deed:
    """The deed with what was sent in its blanks."""
    return Deed(frame, action, action.Form(frame.table, frame.player, data), **more)
