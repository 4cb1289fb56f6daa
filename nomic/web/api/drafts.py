"""Drafts that players keep of what they write, for programs: the same addresses in each room that
has some."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field, create_model

from nomic.games.bounds import WRITTEN_OF_PLAYER
from nomic.games.clock import iso, wall_now
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.web.api import shapes
from nomic.web.api.messages import sent
from nomic.web.api.rooms import (
    ANY_READ,
    GAME,
    HIGHEST,
    reading,
    sends,
    somebody,
    the_player,
    the_token,
)
from nomic.web.game_context import GamePage

_NO_DRAFT = "You have no such draft: it was sent or deleted, or is not yours."
_FULL = "You have {} drafts of {}, which is the most that are kept: delete one first."
_CHANGED = "This draft was changed at {} meanwhile. Read it, and save yours with its `saved_at`."


@dataclass(frozen=True, slots=True)
class DraftsOfRoom:
    """What a room keeps of drafts: the `name` of one in the names of calls, the `noun` of what is
    written, in the plural, which its address has, the shape of a text and that of a draft. `rows`
    are those of a player, the newest first, `new` is one that says nothing yet; `write` lets one
    say a text, and raises Http404 and WrongShape; `to_dict` is one as its author is told."""

    name: str
    noun: str
    text_shape: type[Schema]
    draft_shape: type[Schema]
    rows: Callable[[Player], QuerySet[Any]]
    new: Callable[[Player], Model]
    write: Callable[[GamePage, Any, Any], None]
    to_dict: Callable[[Any], dict[str, Any]]


def add_drafts(router: Router, room: DraftsOfRoom) -> None:
    """Let programs read, save and delete the drafts of a room."""
    name, noun, shape = room.name, room.noun, room.draft_shape
    every, one = f"{GAME}/{noun}/drafts", f"{GAME}/{noun}/drafts/{{int:number}}"
    text_seen = create_model(
        f"{room.text_shape.__name__}Seen",
        __base__=room.text_shape,
        seen=(str, Field("", max_length=40)),
    )
    answers = {**ANY_READ, 409: shapes.Refused}

    def own_draft(request: HttpRequest, slug: str, number: int) -> tuple[GamePage, Any]:
        page, player = the_player(request, slug)
        draft = room.rows(player).filter(pk=min(number, HIGHEST)).first()
        if draft is None:
            raise Http404(_NO_DRAFT)
        return page, draft

    def save(page: GamePage, draft: Any, text: Any) -> dict[str, Any]:
        room.write(page, draft, text)
        draft.saved_at = wall_now()
        draft.save()
        return room.to_dict(draft)

    @router.get(
        every,
        response=reading(list[shape]),  # type: ignore[valid-type]
        auth=somebody,
        operation_id=f"{name}_drafts",
        description=f"The caller's own drafts of {noun}, the newest first.",
    )
    def drafts(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
        _, player = the_player(request, slug)
        return [*map(room.to_dict, room.rows(player))]

    @router.post(
        every,
        response={201: shape, **answers},
        openapi_extra=sends(room.text_shape),
        auth=the_token,
        operation_id=f"save_{name}_draft",
        description="Save a text as a draft, which nobody but the caller sees; 409 where there are"
        " too many.",
    )
    def save_draft(request: HttpRequest, slug: str) -> Status[Any]:
        page, player = the_player(request, slug)
        text, most = sent(request, room.text_shape), WRITTEN_OF_PLAYER.count
        if room.rows(player).count() >= most:
            return Status(409, Refusal("not_kept", _FULL.format(most, noun)))
        return Status(201, save(page, room.new(player), text))

    @router.get(
        one,
        response=reading(shape),
        auth=somebody,
        operation_id=f"{name}_draft",
        description="One of the caller's own drafts.",
    )
    def draft(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
        return room.to_dict(own_draft(request, slug, number)[1])

    @router.put(
        one,
        response={200: shape, **answers},
        openapi_extra=sends(text_seen),
        auth=the_token,
        operation_id=f"change_{name}_draft",
        description="Save another text in the place of that draft's. With `seen`, the `saved_at` of"
        " the draft that the program has, it is 409 where that was changed meanwhile.",
    )
    def change_draft(request: HttpRequest, slug: str, number: int) -> Status[Any]:
        page, draft = own_draft(request, slug, number)
        text: Any = sent(request, text_seen)
        if text.seen and text.seen != iso(draft.saved_at):
            refusal = Refusal("changed_elsewhere", _CHANGED.format(iso(draft.saved_at)))
            return Status(409, refusal)
        return Status(200, save(page, draft, text))

    @router.delete(
        one,
        response=reading(shape),
        auth=the_token,
        operation_id=f"delete_{name}_draft",
        description="Throw one of the caller's own drafts away.",
    )
    def delete_draft(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
        draft = own_draft(request, slug, number)[1]
        answer = room.to_dict(draft)
        draft.delete()
        return answer
