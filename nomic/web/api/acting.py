"""Acting: what there is to do, whether the caller may, and doing it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from nomic.engine.actions import Offer, find_action, offers
from nomic.engine.outcomes import Busy, Malformed, Refused, UnknownAction, UnknownGame
from nomic.engine.programs.programs import PREFIX
from nomic.engine.table import glance
from nomic.engine.take import LONGEST_KEY, runs, take
from nomic.record.models import Entry, SealedEntry
from nomic.web.api import shapes
from nomic.web.api.answers import TooLarge, Wrong, complaint
from nomic.web.api.callers import PerToken, caller_of, the_token
from nomic.web.api.found import no_action, no_game, the_game, the_game_for
from nomic.web.api.inputs import A_KEY, KEY, body_of, key_of
from nomic.web.api.rooms import GAME, reading, room
from nomic.web.newcomers.guests import not_at_the_door

router = room("actions")
page_forms = Router(auth=the_token, throttle=PerToken(), tags=["actions"])

_SENT = {
    "parameters": [
        {
            "in": "header",
            "name": KEY,
            "required": False,
            "schema": {
                "type": "string",
                "minLength": 1,
                "maxLength": LONGEST_KEY,
                "pattern": "^[ -~]+$",
            },
            "description": "Makes the request count once, however often it is sent: the same key"
            " gives the first answer again. Each user's keys are their own, in each game."
            f" What cannot be read is 422, and nothing happens: {A_KEY}.",
        }
    ],
    "requestBody": {
        "required": False,
        "description": "The inputs, in the shape that the action's `schema` gives.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    },
}
_ANSWERS = {
    200: shapes.Entry,
    201: shapes.Entry,
    401: shapes.Told,
    403: shapes.Told,
    404: shapes.Told,
    409: shapes.Refusal,
    413: shapes.Told,
    422: shapes.Malformed,
    429: shapes.Told,
    503: shapes.Told,
}


@router.get(f"{GAME}/actions", response=reading(list[shapes.Action]), by_alias=True)
def actions(request: HttpRequest, slug: str) -> list[Offer]:
    """Every action that concerns the caller: its inputs' JSON Schema, and whether it is legal now.

    Acts of offices that the caller does not hold are left out, unless all players are asked to do
    them while an office is vacant. Where more than the inputs' shape
    decides, an action is `allowed` here and may still be refused with those inputs.
    """
    caller = caller_of(request)
    game, seat = the_game_for(caller, slug)
    host = caller.user is not None and runs(game, caller.user)
    return list(offers(glance(game), seat, operator=caller.operates, host=host))


@page_forms.post(f"{GAME}/actions/{{action}}", response=_ANSWERS, openapi_extra=_SENT)
def act(request: HttpRequest, slug: str, action: str) -> Status[Any]:
    """Take an action. What was due before it happens first.

    201 with the entry that it made; 200 with the first one where the key has been seen before;
    409 with the reason where it is not legal now, and nothing has changed.
    """
    if not slug.isprintable():
        raise no_game(slug)
    caller = caller_of(request)
    try:
        if not action.startswith(f"{PREFIX}."):  # what a rule adds is looked for in the game
            find_action(action)
        inputs, key = body_of(request), key_of(request)
        if caller.user and (refusal := not_at_the_door(caller.user, slug, action)):
            raise Refused(refusal)
        receipt = take(slug, caller.user, action, inputs, key, typed=True)
    except UnknownGame:
        raise no_game(slug) from None
    except (Wrong, TooLarge, Busy):
        the_game(caller, slug)  # that there is none is said before anything else is
        raise
    except UnknownAction:
        if action.startswith(f"{PREFIX}."):
            the_game(caller, slug)
        raise no_action(slug, action) from None
    except Refused as refused:
        the_game(caller, slug)
        return Status(409, refused.refusal)
    except Malformed as malformed:
        the_game(caller, slug)
        raise Wrong(*_complaints(malformed)) from None
    return Status(200 if receipt.repeated else 201, _public_part(receipt.entry))


def _public_part(entry: Entry | SealedEntry) -> Entry | dict[str, Any]:
    """What was done; of a private act nothing of its place in the sealed book."""
    if isinstance(entry, Entry):
        return entry
    told = {name: getattr(entry, name, None) for name in shapes.Entry.model_fields}
    return {**told, "seq": None, "kind": "action", "sealed_head": "", "prev_hash": None}


def _complaints(malformed: Malformed) -> list[dict[str, Any]]:
    """A complaint for each sentence about each input; what concerns all of them is the body's."""
    return [
        complaint(sentence, "body", *([] if name == "__all__" else [name]))
        for name, sentences in malformed.errors.items()
        for sentence in sentences
    ]
