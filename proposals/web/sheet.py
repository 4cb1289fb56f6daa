"""The form in which a proposal is written, as one window of a browser has it open."""

import re
import secrets
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from nomic.engine.actions import Action, find_action
from nomic.games.clock import iso
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import unless_broken
from nomic.web.game_page import GamePage
from proposals.actions.players import ContentForm
from proposals.api import links_of
from proposals.models import Draft, LinkKind, Proposal
from proposals.state.reading import Handle, read_handle, state_of
from proposals.web import drafts
from proposals.web.preview.preview import preview
from proposals.web.preview.told import Preview

_KEY = re.compile(r"[\w-]{8,60}", re.ASCII)
_LINKS = {LinkKind.CONFLICT: "conflicts", LinkKind.DEPENDENCY: "dependencies"}
_DECISIVE = ("class", "index")
_BOTH = (
    "Yours conflicts with {other} and depends on it, so it can hardly pass: of two that conflict"
    " one is Lost, and without the other yours is Lost too."
)
_HELP = {
    "conflicts": "Their numbers, separated by commas: 12, 13. One without a number has an id: p7.",
    "dependencies": "Those without which it makes no sense, likewise.",
    "coauthors": "Names of players, separated by commas.",
    "index": "How strong FOR must be against AGAINST. Empty: the least of its class.",
}


@dataclass
class Sheet:
    """The form as one window has it open, with what the page says of it."""

    game_page: GamePage
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
        """The action that sending it takes."""
        return find_action("proposals.revise" if self.revises else "proposals.submit")

    @property
    def named(self) -> dict[str, Handle]:
        """The input that says which proposal is revised, if one is."""
        return {"proposal": self.revises.handle} if self.revises else {}

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs of the action."""
        return {**self.written.values, **self.named}

    @property
    def form(self) -> ContentForm:
        """The action's own form, filled; with its faults once it was sent."""
        table, player = self.game_page.table, self.game_page.player
        filled = {"data": self.inputs} if self.bound else {"initial": self.inputs}
        form = self.action.Form(table, player, auto_id="compose-%s", **filled)
        assert isinstance(form, ContentForm)
        form.fields.pop("proposal", None)
        form.fields.pop("remarks")  # boxes beside the sentences, in the preview
        for name, field in form.fields.items():
            field.widget.attrs["form"] = "compose"
            field.widget.attrs["autocomplete"] = "off"
            if name in ("body", "conflicts", "dependencies", "coauthors"):
                field.widget.attrs.pop("maxlength", None)
        for name, help_text in _HELP.items():
            if name in form.fields:
                form.fields[name].help_text = help_text
        if not self.has_links:
            # Such editions take links, as real proposals have them, and count without them.
            for name in _LINKS.values():
                del form.fields[name]
        if "class" in form.fields:
            state = state_of(table)
            classes = unless_broken(lambda: getattr(state.terms, "classes", {}), {})
            least = ", ".join(f"{name} {index}" for name, index in classes.items())
            told = f"The least adoption index of each: {least}." if least else ""
            form.fields["class"].help_text = told
        form.fields["body"].label = "Text"
        long = drafts.too_long(self.written.values.get("body", ""))
        form.fields["body"].error_messages["max_length"] = long
        form.fields["body"].widget.attrs |= {"rows": 10, "spellcheck": "true"}
        return form

    @property
    def has_links(self) -> bool:
        """Whether links are asked for: where they count, or where the proposal has some."""
        if state_of(self.game_page.table).edition.period == "nweek":
            return True
        return any(self.written.values.get(name, "").strip() for name in _LINKS.values())

    @property
    def tells_more(self) -> bool:
        """Whether one of the fields is filled or refused that most proposals leave empty."""
        return any(field.value() or field.errors for field in self.other_fields)

    @property
    def decides_more(self) -> bool:
        """Whether the adoption index is filled, or something of what decides is refused."""
        filled = any(bound.value() for bound in self.decisive_fields if bound.name == "index")
        return filled or any(bound.errors for bound in self.decisive_fields)

    @property
    def other_fields(self) -> list[Any]:
        """The fields that most proposals leave empty."""
        shown = ("title", "body", *_DECISIVE)
        return [bound for bound in self.form if bound.name not in shown]

    @property
    def decisive_fields(self) -> list[Any]:
        """Class and index, by which the votes are counted."""
        form = self.form
        return [form[name] for name in _DECISIVE if name in form.fields]

    @property
    def address(self) -> str:
        """Where the form is sent."""
        slug = self.game_page.game.slug
        if self.revises is not None:
            return reverse("proposal_revise", args=[slug, self.revises.handle])
        return reverse("proposal_new", args=[slug])

    @property
    def rule_url(self) -> str:
        """The page of the rule that refused it; "" while nothing did."""
        return self.game_page.rule_url(self.refusal.rule) if self.refusal else ""

    @property
    def seen(self) -> str:
        """The moment of the draft that this window has."""
        return iso(self.saved.saved_at) if self.saved else self.written.seen

    def save(self) -> Draft | None:
        """Save what was written as a draft, or note why not."""
        assert self.game_page.player is not None
        try:
            self.saved = drafts.keep(self.game_page.player, self.written, self.revises)
        except drafts.NotKept as not_kept:
            self.not_saved = str(not_kept)
            self.changed_elsewhere = isinstance(not_kept, drafts.ChangedElsewhere)
        return self.saved

    def look(self) -> Preview:
        """The preview of the text as of now."""
        values = self.written.values
        links: dict[str, list[Handle]] = {}
        wrong: list[str] = []
        for kind, name in _LINKS.items():
            links[kind] = []
            for part in values.get(name, "").split(",")[:100]:
                try:
                    links[kind] += [read_handle(part)] if part.strip() else []
                except ValueError as error:
                    wrong.append(str(error))
        if state_of(self.game_page.table).edition.period == "nweek":
            both = set(links[LinkKind.CONFLICT]) & set(links[LinkKind.DEPENDENCY])
            wrong += [_BOTH.format(other=f"Proposal {each}") for each in sorted(both, key=str)]
        body = values.get("body", "").replace("\r\n", "\n")
        remarks = values.get("remarks", "").splitlines()
        game_page, own = self.game_page, self.revises
        found = preview(game_page.game, game_page.player, body, links, own, remarks)
        return replace(found, warnings=(*wrong, *found.warnings))


# What was written


def written_in(request: HttpRequest) -> drafts.Written:
    names = ("title", "body", *drafts.MORE)
    said = {name: "\n".join(request.POST.getlist(name)) for name in names if name in request.POST}
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
    links = links_of([proposal])[proposal.pk]
    values = {
        "title": proposal.title,
        "body": proposal.body,
        "remarks": "\n".join(proposal.remarks),
        "conflicts": _listed(links[LinkKind.CONFLICT]),
        "dependencies": _listed(links[LinkKind.DEPENDENCY]),
        "index": str(proposal.index),
        "class": proposal.proposal_class,
        "coauthors": _listed(proposal.coauthors),
    }
    return drafts.Written(values, token(), token())


def _listed(names: list[Any]) -> str:
    return ", ".join(str(each) for each in names)


def token(given: str = "") -> str:
    return given if _KEY.fullmatch(given) else secrets.token_urlsafe(12)
