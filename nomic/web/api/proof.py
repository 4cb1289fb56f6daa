"""Proving what was seen: the site's keys, heads and who has seen them, the caller's receipts."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja.errors import Throttled
from ninja.params.functions import Query

from nomic.record.game_file import published
from nomic.record.keys import head_of, known_keys
from nomic.record.models import SiteKey, Stamp
from nomic.web.accounts.names import witness_name
from nomic.web.api import shapes
from nomic.web.api.messages import link_to_next, sent
from nomic.web.api.rooms import (
    GAME,
    PerCaller,
    caller_of,
    reading,
    room,
    sends,
    somebody,
    the_game,
    the_game_for,
    the_token,
    until_next,
)
from nomic.web.problems import keep_private
from nomic.web.proof.receipts import newest_acts, receipt
from nomic.web.proof.streaming import the_file
from nomic.web.proof.witness import (
    MOST_STAMPS,
    PERIOD,
    TooOften,
    Verdict,
    judge_from,
    witnesses,
)

A_PAGE = 200
_A_FILE = {
    "responses": {200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
}
router = room("proof")


@router.get("/keys", response=reading(list[shapes.Key]))
def keys(request: HttpRequest) -> list[SiteKey]:
    """The keys by which this site signs and has signed, oldest first; a head names its own."""
    return known_keys()


@router.get(f"{GAME}/witness", response=reading(shapes.Heads))
def witness(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The head of the record, who has seen which, and which were stamped."""
    game = the_game(request, slug)
    entry = published(game)
    published_in = entry.seq if entry else None
    return {
        "head": str(head_of(game)),
        "seen": witnesses(game),
        "published_in": published_in,
        "stamps": game.stamps.defer("answer")[:MOST_STAMPS],
    }


@router.get(f"{GAME}/whole", response=reading(str), openapi_extra=_A_FILE)
def whole_game(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The file of the whole game, a JSON value a line, where its operator has published it: as far
    as the entry that says so, sealed entries and the master secret as well."""
    return keep_private(the_file(the_game(request, slug)))


@router.get(f"{GAME}/witness/{{int:number}}", response=reading(shapes.Stamp))
def stamp(request: HttpRequest, slug: str, number: int) -> Stamp:
    """The stamp of that head, with the service's answer (RFC 3161, TimeStampResp) in base64."""
    stamp = the_game(request, slug).stamps.filter(number=number).first()
    if stamp is None:
        raise Http404(f"The head of entry {number} has no stamp. GET …/witness lists them.")
    return stamp


@router.post(
    f"{GAME}/witness",
    response=reading(list[shapes.Verdict]),
    auth=the_token,
    throttle=PerCaller(),
    openapi_extra=sends(shapes.Brought),
)
def bring(request: HttpRequest, slug: str) -> list[Verdict]:
    """Check heads and receipts against the record; with `seen` it is kept that the caller has seen
    these heads. 429 for too many within an hour."""
    caller = caller_of(request)
    game, player = the_game_for(request, slug)
    body = sent(request, shapes.Brought)
    text = json.dumps([*body.heads, *body.receipts])
    name = witness_name(caller.user.get_username()) if caller.user else ""
    try:
        return judge_from(request, game, text, (player or name) if body.seen else "")
    except TooOften:
        raise Throttled(wait=until_next(PERIOD)) from None


@router.get(f"{GAME}/receipts", response=reading(shapes.Receipts), auth=somebody)
def receipts(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    before: int | None = Query(None, ge=1, le=2_147_483_647, description="Only acts before it"),
) -> dict[str, Any]:
    """What the caller did in the game, with what the site has signed of it; private acts with what
    opens them. Older ones come before the number that `older` tells, at the address that Link
    names."""
    game, player = the_game_for(request, slug)
    if player is None:
        return {"receipts": [], "older": None}
    acts, older = newest_acts(game, player, before, A_PAGE)
    if older is not None:
        link_to_next(request, response, older, "before")
    return {"receipts": [receipt(game, act) for act in acts], "older": older}
