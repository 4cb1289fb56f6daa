"""The form in which a proposal is written, as one window of a browser has it open."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from nomic.games.clock import iso
from nomic.games.refusal import Refusal
from nomic.play.actions import Action, find_action
from nomic.play.frame import Frame
from proposals import drafts
from proposals.actions import ContentForm
from proposals.models import Draft, Link, LinkKind, Proposal
from proposals.preview import Preview, preview
from proposals.state import Handle, read_handle

_KEY = re.compile(r"[\w-]{8,60}", re.ASCII)
_HELP = {
    "conflicts": "Their numbers, parted by commas: 12, 13. One without a number has an id: p7.",
    "dependencies": "Those without which it makes no sense, likewise.",
    "coauthors": "Names of players, parted by commas.",
    "index": "How strong FOR must be against AGAINST. Empty: the least of its class.",
}


@dataclass
class Sheet:
    """The form as one window has it open, with what the page says of it."""

    frame: Frame
    written: drafts.Written
    revises: Proposal | None = None
    from_draft: bool = False
    refusal: Refusal | None = None
    not_saved: str = ""
    changed_elsewhere: bool = False
    saved: Draft | None = None
    bound: bool = False

    @property
    def action(self) -> Action:
        """What sending it does."""
        return find_action("proposals.revise" if self.revises else "proposals.submit")

    @property
    def inputs(self) -> dict[str, Any]:
        """What the action gets."""
        own = {"proposal": self.revises.handle} if self.revises else {}
        return {**self.written.values, **own}

    @property
    def form(self) -> ContentForm:
        """The action's own form, filled; with its faults once it was sent."""
        table, player = self.frame.table, self.frame.player
        filled = {"data": self.inputs} if self.bound else {"initial": self.inputs}
        form = self.action.Form(table, player, auto_id="compose-%s", **filled)
        assert isinstance(form, ContentForm)
        form.fields.pop("proposal", None)
        for name, field in form.fields.items():
            field.widget.attrs["form"] = "compose"
            field.widget.attrs["autocomplete"] = "off"
            if name in ("body", "conflicts", "dependencies", "coauthors"):
                field.widget.attrs.pop("maxlength", None)
        for name, help_text in _HELP.items():
            if name in form.fields:
                form.fields[name].help_text = help_text
        form.fields["body"].label = "Text"
        form.fields["body"].widget.attrs |= {"rows": 16, "spellcheck": "true"}
        return form

    @property
    def other_fields(self) -> list[Any]:
        """The fields beside title and body."""
        return [bound for bound in self.form if bound.name not in ("title", "body")]

    @property
    def address(self) -> str:
        """Where the form is sent."""
        slug = self.frame.game.slug
        if self.revises is not None:
            return reverse("proposal_revise", args=[slug, self.revises.handle])
        return reverse("proposal_new", args=[slug])

    @property
    def rule_url(self) -> str:
        """The page of the rule that refused it."""
        return self.frame.rule_url(self.refusal.rule) if self.refusal else ""

    @property
    def seen(self) -> str:
        """The moment of the draft that this window has."""
        return iso(self.saved.saved_at) if self.saved else self.written.seen

    def save(self) -> Draft | None:
        """Save what was written as a draft, or note why not."""
        assert self.frame.player is not None
        try:
            self.saved = drafts.keep(self.frame.player, self.written, self.revises)
        except drafts.NotKept as not_kept:
            self.not_saved = str(not_kept)
            self.changed_elsewhere = isinstance(not_kept, drafts.ChangedElsewhere)
        return self.saved

    def look(self) -> Preview:
        """What the text would change as of now."""
        values = self.written.values
        links: dict[str, list[Handle]] = {
            kind: _handles(values.get(name, ""))
            for kind, name in (
                (LinkKind.CONFLICT, "conflicts"),
                (LinkKind.DEPENDENCY, "dependencies"),
            )
        }
        body = values.get("body", "").replace("\r\n", "\n")
        return preview(self.frame.game, self.frame.player, body, links, own=self.revises)


# What was written


def written_in(request: HttpRequest) -> drafts.Written:
    names = ("title", "body", *drafts.MORE)
    said = {name: request.POST[name] for name in names if name in request.POST}
    return drafts.Written(
        said,
        key=token(request.POST.get("key", "")),
        window=token(request.POST.get("window", "")),
        seen=request.POST.get("seen", "")[:40],
    )


def from_draft(draft: Draft) -> drafts.Written:
    key = token(str(draft.more.get("key", "")))
    return drafts.Written(drafts.typed_in(draft), key, token(), iso(draft.saved_at))


def from_proposal(proposal: Proposal) -> drafts.Written:
    links = links_of(proposal)
    values = {
        "title": proposal.title,
        "body": proposal.body,
        "conflicts": _listed(links[LinkKind.CONFLICT]),
        "dependencies": _listed(links[LinkKind.DEPENDENCY]),
        "index": str(proposal.index),
        "class": proposal.proposal_class,
        "coauthors": _listed(proposal.coauthors),
    }
    return drafts.Written(values, token(), token())


def links_of(proposal: Proposal) -> dict[str, list[Handle]]:
    found: dict[str, list[Handle]] = {LinkKind.CONFLICT: [], LinkKind.DEPENDENCY: []}
    rows = Link.objects.filter(proposal=proposal).select_related("other").order_by("other__serial")
    for link in rows:
        found[link.kind].append(link.other.handle)
    return found


def _handles(written: str) -> list[Handle]:
    """The proposals that a list names; what names none is the form's to refuse."""
    found: list[Handle] = []
    for part in written.split(",")[:100]:
        try:
            found.append(read_handle(part))
        except ValueError:
            continue
    return found


def _listed(names: list[Any]) -> str:
    return ", ".join(str(each) for each in names)


def token(given: str = "") -> str:
    return given if _KEY.fullmatch(given) else secrets.token_urlsafe(12)
