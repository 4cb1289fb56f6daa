"""The form in which a proposal is written, as one window of a browser has it open, and its drafts.

Drafts are kept for each player alone, and no part of the game until they are submitted. A draft
goes by the key of its form. With the same key the proposal is submitted, once, from however many
windows.
"""

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from nomic.engine.actions import Action, find_action
from nomic.engine.forms import Text
from nomic.games.bounds import WRITTEN_OF_PLAYER
from nomic.games.clock import iso, wall_now
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.record.models import Entry
from nomic.rulebook.changes.confirming import Unit
from nomic.rulebook.changes.left_to_officer import UNREAD
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.in_force import RuleText
from nomic.web.game_context import GamePage
from proposals.actions.fields import UnitsField
from proposals.actions.players import LONGEST_BODY, ContentForm
from proposals.api import links_of
from proposals.models import LONGEST_TITLE, Draft, LinkKind, Proposal
from proposals.state.reading import Handle, read_handle, state_of
from proposals.web.preview.preview import preview, too_long
from proposals.web.preview.told import BodyPreview
from proposals.web.ways import near_cells

MORE = ("conflicts", "dependencies", "index", "class", "coauthors", "remarks", "units", "left")
_OF_ONE_VOTE = {"conflicts", "dependencies", "units"}  # and not of a proposal made once more
_SHAPES = {
    "title": Text(longest=LONGEST_TITLE, required=False),
    "body": Text(lines=True, longest=LONGEST_BODY, required=False, strip=False),
    **{name: Text(required=False) for name in MORE},
    "remarks": Text(lines=True, longest=LONGEST_BODY, required=False),
    "units": Text(lines=True, longest=LONGEST_BODY, required=False),
    "left": Text(lines=True, longest=LONGEST_BODY, required=False),
}


class NotKept(Exception):
    """A draft was not saved; says why, and what would help."""


class ChangedElsewhere(NotKept):
    """Another window has saved the draft since this one got it."""


def token(claimed: str = "") -> str:
    """That key or window, if it can be one, or a new one."""
    return claimed if _KEY.fullmatch(claimed) else secrets.token_urlsafe(12)


def _listed(names: list[Any]) -> str:
    return ", ".join(str(name) for name in names)


def _units_sent(sent: QueryDict) -> str:
    """What was ticked of what the text counts or names, or chosen or written in the place of what
    the site took it for."""
    ticked = sent.getlist("unit_meant")
    rows = zip(
        *(sent.getlist(f"unit_{name}") for name in ("sentence", "taken", "passage")), strict=False
    )
    units = []
    for place, (sentence, taken, passage) in enumerate(rows):
        chosen = sent.get(f"unit_chosen_{place}", "")
        passages = (taken, passage, chosen)
        as_shown, as_sent, chosen = (text.replace("\r\n", "\n").strip() for text in passages)
        as_sent = chosen if chosen and as_sent == as_shown else as_sent
        if str(place) in ticked or as_sent != as_shown:
            units.append(Unit(sentence, as_sent))
    return _in_lines(units)


def _in_lines(units: Iterable[Unit]) -> str:
    return "\n".join(json.dumps(unit.to_dict()) for unit in units)


@dataclass(frozen=True, slots=True)
class Written:
    """The content of a form.

    `key` is the form's, `window` that of the one window in which it is open, and `seen` the moment
    at which the draft was saved that this window got, "" if it got none.
    """

    values: Mapping[str, str]
    key: str = field(default_factory=token)
    window: str = field(default_factory=token)
    seen: str = ""

    @classmethod
    def sent(cls, request: HttpRequest) -> Self:
        """What a window has sent."""
        sent, names = request.POST, ("title", "body", *MORE)
        values = {name: "\n".join(sent.getlist(name)) for name in names if name in sent}
        if units := _units_sent(sent):
            values["units"] = units
        return cls(
            values,
            key=token(sent.get("key", "")),
            window=token(sent.get("window", "")),
            seen=sent.get("seen", "")[:40],
        )

    @classmethod
    def of_draft(cls, draft: Draft) -> Self:
        """The draft, in a window of its own."""
        typed = {name: str(draft.more.get(name, "")) for name in MORE if draft.more.get(name)}
        values = {"title": draft.title, "body": draft.body, **typed}
        key = token(str(draft.more.get("key", "")))
        return cls(values, key, seen=iso(draft.saved_at))

    @classmethod
    def of_proposal(cls, proposal: Proposal) -> Self:
        """The proposal as it stands."""
        links = links_of([proposal])[proposal.pk]
        return cls(
            {
                "title": proposal.title,
                "body": proposal.body,
                "remarks": "\n".join(proposal.remarks),
                "units": _in_lines(map(Unit.of, proposal.units)),
                "conflicts": _listed(links[LinkKind.CONFLICT]),
                "dependencies": _listed(links[LinkKind.DEPENDENCY]),
                "index": str(proposal.index),
                "class": proposal.proposal_class,
                "coauthors": _listed(proposal.coauthors),
            }
        )

    @classmethod
    def again(cls, proposal: Proposal) -> Self:
        """The proposal, to be made once more: as it stands, but for what has to be chosen anew."""
        values = cls.of_proposal(proposal).values
        return cls({name: values[name] for name in values.keys() - _OF_ONE_VOTE})

    @property
    def is_blank(self) -> bool:
        """Whether nothing was written that a draft would be missed for."""
        return not any(self.values.get(name, "").strip() for name in ("title", "body"))


def drafts_of(player: Player) -> QuerySet[Draft]:
    """The player's own drafts, newest first. Nobody else's are ever asked for."""
    return Draft.objects.filter(player=player).select_related("revises")


def save_draft(player: Player, written: Written, revises: Proposal | None = None) -> Draft | None:
    """Save what was written as the draft of that key; None where there is nothing to save.

    Raises NotKept, and ChangedElsewhere where the draft is not the one that this window got.
    """
    values = _checked(written)
    drafts = list(drafts_of(player).filter(more__key=written.key))
    if not drafts:
        if written.is_blank or _is_submitted(player, written.key):
            return None
        limit = WRITTEN_OF_PLAYER.count
        if drafts_of(player).count() >= limit:
            raise NotKept(
                f"You have {limit} drafts, which is the most that are kept for one player:"
                " delete one, and this one will be saved."
            )
    draft = drafts[0] if drafts else Draft(player=player, revises=revises)
    if (
        drafts
        and written.window != draft.more.get("window")
        and written.seen != iso(draft.saved_at)
    ):
        raise ChangedElsewhere(
            "This draft was changed in another window or on another device, at"
            f" {iso(draft.saved_at)[11:16]} UTC. What stands here is not saved, so that nothing"
            " gets lost: save it as a draft of its own, or load the page again to see the other."
        )
    draft.title, draft.body = values["title"], values["body"]
    draft.more = {name: values[name] for name in MORE if values[name]}
    draft.more |= {"key": written.key, "window": written.window}
    draft.saved_at = wall_now()
    draft.save()
    for twin in drafts[1:]:
        twin.delete()
    # A save that was under way while the form was submitted must leave nothing behind.
    if _is_submitted(player, written.key):
        delete_draft(player, written.key)
        return None
    return draft


def delete_draft(player: Player, key: str) -> None:
    """Delete the draft of that key: it was submitted."""
    Draft.objects.filter(player=player, more__key=key).delete()


def _checked(written: Written) -> dict[str, str]:
    """The values as the database can hold them; raises NotKept with the first fault."""
    values = {}
    for name, shape in _SHAPES.items():
        value = written.values.get(name, "").replace("\r\n", "\n")
        if name == "body" and len(value) > LONGEST_BODY:
            raise NotKept(too_long(value))
        try:
            values[name] = shape.clean(value)
        except ValidationError as error:
            label = name.replace("_", " ")
            raise NotKept(f"Not saved. The {label}: {error.messages[0]}") from None
    return values


def _is_submitted(player: Player, key: str) -> bool:
    """Whether the record has an entry of that form; entries keep a user's keys as `take` does."""
    return Entry.objects.filter(game=player.game_id, key=f"{player.user_id}/{key}").exists()


_KEY = re.compile(r"[\w-]{8,60}", re.ASCII)
_LINKS = {LinkKind.CONFLICT: "conflicts", LinkKind.DEPENDENCY: "dependencies"}
_DECISIVE = ("class", "index")
_MOST_NEAR = 20  # sentences for which cells are looked for
_MOST_RULES = 200  # from which one is chosen for a sentence
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
    written: Written
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
    def left(self) -> list[str]:
        """The sentences that the author leaves to the officer."""
        return self.written.values.get("left", "").splitlines()

    @property
    def rules(self) -> list[RuleText]:
        """The rules to which something can be added."""
        public = self.game_page.table.rules.public
        return [rule for rule in public if not rule.is_immutable][:_MOST_RULES]

    @property
    def form(self) -> ContentForm:
        """The action's own form, filled; with its faults once it was sent."""
        table, player = self.game_page.table, self.game_page.player
        filled = {"data": self.inputs} if self.bound else {"initial": self.inputs}
        form = self.action.Form(table, player, auto_id="compose-%s", **filled)
        assert isinstance(form, ContentForm)
        form.fields.pop("proposal", None)
        for name in ("remarks", "left", "units"):  # boxes beside the sentences, in the preview
            form.fields.pop(name)
        for name, form_field in form.fields.items():
            form_field.widget.attrs |= {"form": "compose", "autocomplete": "off"}
            if name in ("body", "conflicts", "dependencies", "coauthors"):
                form_field.widget.attrs.pop("maxlength", None)
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
            indices = ", ".join(f"{name} {index}" for name, index in classes.items())
            form.fields["class"].help_text = (
                f"The least adoption index of each: {indices}." if indices else ""
            )
        form.fields["body"].label = "Text"
        long = too_long(self.written.values.get("body", ""))
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
            self.saved = save_draft(self.game_page.player, self.written, self.revises)
        except NotKept as not_kept:
            self.not_saved = str(not_kept)
            self.changed_elsewhere = isinstance(not_kept, ChangedElsewhere)
        return self.saved

    def look(self) -> BodyPreview:
        """The preview of the text as of now."""
        values = self.written.values
        links: dict[str, list[Handle]] = {}
        warnings: list[str] = []
        for kind, name in _LINKS.items():
            links[kind] = []
            for part in values.get(name, "").split(",")[:100]:
                try:
                    links[kind] += [read_handle(part)] if part.strip() else []
                except ValueError as error:
                    warnings.append(str(error))
        if state_of(self.game_page.table).edition.period == "nweek":
            both = set(links[LinkKind.CONFLICT]) & set(links[LinkKind.DEPENDENCY])
            warnings += [
                _BOTH.format(other=f"Proposal {handle}") for handle in sorted(both, key=str)
            ]
        body = values.get("body", "").replace("\r\n", "\n")
        remarks = values.get("remarks", "").splitlines()
        units: list[Any] = []
        with suppress(ValidationError):
            units = UnitsField().clean(values.get("units", ""))
        game, player = self.game_page.game, self.game_page.player
        previewed = preview(game, player, body, links, self.revises, remarks, units)
        for_officer, table = {*self.left}, self.game_page.table
        reasons = {change.change.sentence: change.sentence for change in previewed.changes}
        unread = []
        for at, remark in enumerate(previewed.unread):
            sentence = remark.sentence
            near = near_cells(table, sentence) if at < _MOST_NEAR else []
            hint = "" if near else reasons.get(sentence, "").removeprefix(UNREAD)
            left = sentence in for_officer
            unread.append(replace(remark, left=left, near=tuple(map(str, near)), hint=hint))
        return replace(previewed, warnings=(*warnings, *previewed.warnings), unread=(*unread,))
