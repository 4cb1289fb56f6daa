"""The changes that a body asks for and the proposals that it names, as a page shows them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from nomic.engine.table import Table
from nomic.rulebook.changes.forms import AddSubrule, ChangeBy, Enact, SetSwitch
from nomic.rulebook.shown.differences import Differences, Line
from nomic.rulebook.shown.markdown import render as render_text
from nomic.web.game_page import public_rule_url
from proposals.events.effects import Effect
from proposals.models import LinkKind, Proposal, Success
from proposals.state.reading import Handle, state_of

MOST_CHANGES = 300
_LONGEST_LAW = 30_000  # characters of new rules that are shown as the rulebook will show them
_LINKED = {LinkKind.CONFLICT: "Conflicts with", LinkKind.DEPENDENCY: "Depends on"}
_AROUND = 2  # unchanged lines shown before and after a changed one
_MOST_LINES = 150  # of one change


@dataclass(frozen=True, slots=True)
class ChangedPassage:
    """Changed lines with a few around them, and how many unchanged ones are left out before."""

    html: SafeString
    skipped: int = 0


def changed_passages(
    before: str, after: str, page: Differences
) -> tuple[tuple[ChangedPassage, ...], int]:
    """The difference of two texts in pieces, and how many changed lines are left out at the end.
    `page` is what all on the page that shows them have room in."""
    passages: list[ChangedPassage] = []
    lines: list[Line] = []
    skipped = changed = 0
    for piece in page.pieces(before, after, _AROUND) if before != after else ():
        if isinstance(piece, int):
            if lines:
                passages.append(ChangedPassage(page.render(lines), skipped))
            lines, skipped = [], piece
            continue
        changed += piece.kind != "same"
        if changed <= _MOST_LINES:
            lines.append(piece)
    if lines:
        passages.append(ChangedPassage(page.render(lines), skipped))
    return tuple(passages), max(changed - _MOST_LINES, 0)


@dataclass(frozen=True, slots=True)
class PreviewedChange(Effect):
    """The effect of one change, or why it would be left undone, as a page shows it.

    `passages` differ in a rule's text, `law` is a new one; only of a switch are there values
    `before` and `after`.
    """

    rule_url: str = ""
    passages: tuple[ChangedPassage, ...] = ()
    more_lines: int = 0
    law: SafeString | str = ""


@dataclass(frozen=True, slots=True)
class PreviewedLink:
    """A proposal that this one conflicts with or depends on."""

    does: str
    label: str
    url: str
    status: str


def shown_changes(table: Table, effects: Sequence[Effect], untried: int = 0) -> dict[str, Any]:
    """The first changes as a page shows them, and how many there are of each kind."""
    page = _Page()
    shown = []
    for effect in effects[:MOST_CHANGES]:
        known = {field.name: getattr(effect, field.name) for field in fields(effect)}
        told = PreviewedChange(**known, rule_url=public_rule_url(table, effect.rule))
        if not isinstance(effect.change, SetSwitch | ChangeBy):
            law = page.law(effect.after) if isinstance(effect.change, Enact | AddSubrule) else ""
            told = replace(told, before="", after="", law=law)
            if not law:
                passages, more_lines = changed_passages(effect.before, effect.after, page)
                told = replace(told, passages=passages, more_lines=more_lines)
        shown.append(told)
    return {
        "changes": tuple(shown),
        "more": max(len(effects) - MOST_CHANGES, 0) + untried,
        "by_hand": sum(not each.done and not each.refused for each in effects),
        "refused": sum(each.refused for each in effects),
    }


class _Page(Differences):
    """The room that all changes on one page share, and the new rules shown as the rulebook will."""

    def __init__(self) -> None:
        super().__init__()
        self._characters_of_law = _LONGEST_LAW

    def law(self, text: str) -> SafeString | str:
        """The text as the rulebook will show it; empty where it is too long for that here."""
        if len(text) > self._characters_of_law:
            return ""
        self._characters_of_law -= len(text)
        return render_text(text)


def shown_links(
    table: Table, links: Mapping[str, Iterable[Handle]], own: Proposal | None
) -> tuple[PreviewedLink, ...]:
    """Each link with the state of its other end as of now; `own` is the proposal that has them."""
    named = [(kind, handle) for kind, handles in links.items() for handle in handles]
    found = state_of(table).find_all([handle for _, handle in named])
    told = []
    for kind, handle in named:
        other = found.get(handle)
        if other is None:
            sentence = f"There is no proposal {handle} in this game."
            told.append(PreviewedLink(_LINKED[LinkKind(kind)], sentence, "", ""))
            continue
        url = reverse("proposal", args=[table.game.slug, other.handle])
        itself = own is not None and other.pk == own.pk
        status = "itself, which cannot be" if itself else other.status
        if other.success in (Success.WON, Success.LOST):
            status = f"{status}, {other.success}"
        told.append(PreviewedLink(_LINKED[LinkKind(kind)], str(other), url, status))
    return tuple(told)
