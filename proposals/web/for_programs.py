"""Writing proposals by programs: what a text would do before it is submitted, drafts, and how a
vote would end by other laws."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Schema, Status
from pydantic import ConfigDict, Field

from nomic.games.clock import iso
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.rulebook.limits import LONGEST_TITLE
from nomic.web.api import shapes
from nomic.web.api.messages import sent
from nomic.web.api.rooms import (
    ANY_READ,
    GAME,
    HIGHEST,
    reading,
    room,
    sends,
    somebody,
    the_page,
    the_player,
    the_token,
)
from nomic.web.game_context import GamePage
from nomic.web.record_shapes import Moment
from proposals.actions.players import LONGEST_BODY
from proposals.api import written_preview_to_dict
from proposals.models import Draft, Proposal
from proposals.shapes import PreviewShape
from proposals.state.reading import state_of
from proposals.web.finding import proposal_or_404
from proposals.web.sheet import MORE, ChangedElsewhere, NotKept, Sheet, Written, drafts_of
from proposals.web.sheet import save_draft as save
from proposals.web.what_if import side_by_side, why_not_counted

router = room("proposals")
_ALL = f"{GAME}/proposals"
_IN_LINES = ("remarks", "left")
_IN_A_ROW = ("conflicts", "dependencies", "coauthors")
_NO_DRAFT = "You have no such draft: it was submitted or deleted, or is not yours."


class TextOfProposal(Schema):
    """What is written of a proposal, as `proposals.submit` takes it. `left` are the sentences that
    the author leaves to the officer, and `revises` the proposal of which it is to be a new
    version, by its number or id."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field("", max_length=LONGEST_TITLE)
    body: str = Field("", max_length=LONGEST_BODY)
    conflicts: list[int | str] = Field([], max_length=100)
    dependencies: list[int | str] = Field([], max_length=100)
    index: float | str = ""
    proposal_class: str = Field("", alias="class", max_length=60)
    coauthors: list[str] = Field([], max_length=100)
    remarks: list[str] = Field([], max_length=1000)
    units: list[shapes.Unit] = Field([], max_length=1000)
    left: list[str] = Field([], max_length=1000)
    revises: int | str | None = None


class DraftChange(TextOfProposal):
    """What a draft says from now on. With `seen`, the `saved_at` of the draft that the program has,
    it is refused where another window has changed it since."""

    seen: str = Field("", max_length=40)


class DraftShape(TextOfProposal):
    """A draft, which its author alone is told. `saved_at` is a wall moment."""

    number: int
    saved_at: Moment


class VersionOfProposal(Schema):
    """A text that a proposal has had, and the entry that made it so."""

    number: int
    title: str
    body: str
    entry: int


class CountedByEdition(Schema):
    """What a voting law makes of the votes: its word for the outcome, whether it `passes`, why, and
    by which figures; `broken` says why it cannot count them. It is the game's `own`, or counts as
    `assumed` of what the game does not know."""

    edition: str
    own: bool
    outcome: str
    passes: bool | None
    figures: dict[str, str]
    reasons: list[str]
    assumed: str
    broken: str


@router.post(
    f"{_ALL}/preview",
    response={200: PreviewShape, **ANY_READ},
    openapi_extra=sends(TextOfProposal),
    auth=the_token,
)
def preview_proposal(request: HttpRequest, slug: str) -> PreviewShape:
    """What a text would do if it passed now, before it is submitted; nothing is saved. Where it is
    `busy`, ask again. Players of the game alone ask."""
    page, _ = the_player(request, slug)
    text = sent(request, TextOfProposal)
    sheet = Sheet(page, _as_typed(text), revises=_revised(page, text.revises))
    return written_preview_to_dict(sheet.look())


@router.get(f"{_ALL}/drafts", response=reading(list[DraftShape]), by_alias=True, auth=somebody)
def drafts(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The caller's own drafts, the newest first."""
    _, player = the_player(request, slug)
    return [*map(_draft_to_dict, drafts_of(player))]


@router.post(
    f"{_ALL}/drafts",
    response={201: DraftShape, **ANY_READ, 409: shapes.Refused},
    openapi_extra=sends(TextOfProposal),
    auth=the_token,
    by_alias=True,
)
def save_new_draft(request: HttpRequest, slug: str) -> Status[Any]:
    """Save a text as a draft, which nobody but the caller sees. 409 where it cannot be kept."""
    page, player = the_player(request, slug)
    text = sent(request, TextOfProposal)
    try:
        new_draft = save(player, _as_typed(text), _revised(page, text.revises))
    except NotKept as not_kept:
        return Status(409, Refusal("not_kept", str(not_kept)))
    if new_draft is None:
        return Status(409, Refusal("not_kept", "There is nothing to save yet."))
    return Status(201, _draft_to_dict(new_draft))


@router.get(
    f"{_ALL}/drafts/{{int:number}}",
    response=reading(DraftShape),
    by_alias=True,
    auth=somebody,
)
def draft(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """One of the caller's own drafts."""
    _, player = the_player(request, slug)
    return _draft_to_dict(_own_draft(player, number))


@router.put(
    f"{_ALL}/drafts/{{int:number}}",
    response={200: DraftShape, **ANY_READ, 409: shapes.Refused},
    openapi_extra=sends(DraftChange),
    auth=the_token,
    by_alias=True,
)
def save_draft(request: HttpRequest, slug: str, number: int) -> Status[Any]:
    """Save another text in the place of that draft's."""
    _, player = the_player(request, slug)
    before, text = _own_draft(player, number), sent(request, DraftChange)
    written = _as_typed(text, str(before.more.get("key", "")), text.seen or iso(before.saved_at))
    try:
        saved_draft = save(player, written, before.revises)
    except ChangedElsewhere as changed:
        return Status(409, Refusal("changed_elsewhere", str(changed)))
    except NotKept as not_kept:
        return Status(409, Refusal("not_kept", str(not_kept)))
    if saved_draft is None:
        raise Http404(_NO_DRAFT)
    return Status(200, _draft_to_dict(saved_draft))


@router.delete(
    f"{_ALL}/drafts/{{int:number}}", response=reading(DraftShape), auth=the_token, by_alias=True
)
def delete_draft(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Throw one of the caller's own drafts away."""
    _, player = the_player(request, slug)
    old_draft = _own_draft(player, number)
    answer = _draft_to_dict(old_draft)
    old_draft.delete()
    return answer


@router.get(f"{_ALL}/{{item}}/versions/{{int:number}}", response=reading(VersionOfProposal))
def version_of_proposal(request: HttpRequest, slug: str, item: str, number: int) -> Any:
    """A text that a proposal, by its number or id, has had."""
    proposal = proposal_or_404(state_of(the_page(request, slug).table), item)
    version = proposal.versions.filter(number=min(number, HIGHEST)).first()
    if version is None:
        raise Http404(f"{proposal.label} has had no version {number}.")
    return version


@router.get(f"{_ALL}/{{item}}/what-if", response=reading(list[CountedByEdition]))
def counted_otherwise(request: HttpRequest, slug: str, item: str) -> list[dict[str, Any]]:
    """What other voting laws would make of the votes on a proposal, the game's own first; 404 where
    they cannot be counted yet."""
    state = state_of(the_page(request, slug).table)
    proposal = proposal_or_404(state, item)
    if why_not := why_not_counted(proposal):
        raise Http404(why_not)
    return [*map(_counted, side_by_side(state, proposal)["columns"])]


def _counted(column: Mapping[str, Any]) -> dict[str, Any]:
    alternative, result = column["alternative"], column["result"]
    return {
        "edition": alternative.edition.title,
        "own": alternative.is_own,
        "outcome": result.outcome if result else "",
        "passes": column["success"] == "Won" if result else None,
        "figures": dict(column["figures"]),
        "reasons": [*result.reasons] if result else [],
        "assumed": column["assumed"],
        "broken": alternative.broken,
    }


def _as_typed(text: TextOfProposal, key: str = "", seen: str = "") -> Written:
    """What a form of the pages would have sent."""
    values = {"title": text.title, "body": text.body, "class": text.proposal_class}
    values |= {name: _row(getattr(text, name)) for name in _IN_A_ROW}
    values |= {name: "\n".join(getattr(text, name)) for name in _IN_LINES}
    values["index"] = str(text.index)
    values["units"] = "\n".join(json.dumps(unit.model_dump()) for unit in text.units)
    return Written(values, key, seen=seen) if key else Written(values, seen=seen)


def _row(names: Sequence[int | str]) -> str:
    return ", ".join(map(str, names))


def _revised(page: GamePage, handle: int | str | None) -> Proposal | None:
    """The caller's own proposal of that number or id; raises Http404."""
    if handle is None:
        return None
    proposal = proposal_or_404(state_of(page.table), str(handle))
    if page.player is None or proposal.author_id != page.player.pk:
        raise Http404(f"{proposal.label} is {proposal.author}'s: only its author revises it.")
    return proposal


def _own_draft(player: Player, number: int) -> Draft:
    own_draft = drafts_of(player).filter(pk=min(number, HIGHEST)).first()
    if own_draft is None:
        raise Http404(_NO_DRAFT)
    return own_draft


def _draft_to_dict(draft: Draft) -> dict[str, Any]:
    texts = {name: str(draft.more.get(name, "")) for name in MORE}
    units = (json.loads(line) for line in texts["units"].splitlines())
    return {
        "number": draft.pk,
        "title": draft.title,
        "body": draft.body,
        **{name: texts[name].splitlines() for name in _IN_LINES},
        **{name: [part for part in texts[name].split(", ") if part] for name in _IN_A_ROW},
        "index": texts["index"],
        "class": texts["class"],
        "units": [{"sentence": unit["sentence"], "passage": unit["passage"]} for unit in units],
        "revises": draft.revises and draft.revises.handle,
        "saved_at": draft.saved_at,
    }
