"""Acting: what there is to do, whether the caller may, and doing it."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Status
from ninja.errors import HttpError, Throttled
from ninja.params.functions import Query
from pydantic import Field

from nomic.engine.actions import (
    HOST,
    OPERATOR,
    Action,
    OfferedAction,
    find_action,
    is_of_a_game,
    offers,
)
from nomic.engine.dry_acts import Attempt, Foreseen, foresee, foresee_all
from nomic.engine.outcomes import Busy, Malformed, Receipt, Refused, UnknownAction, UnknownGame
from nomic.engine.requests import LONGEST_KEY, MOST_TOGETHER, runs
from nomic.engine.table import glance
from nomic.engine.take import of_act, take, take_all
from nomic.games.bounds import DRY_RUNS
from nomic.games.models import Game
from nomic.governance.on_behalf import OnBehalf
from nomic.record.heads import A_HEAD, LONGEST, Head
from nomic.record.keys import signer
from nomic.record.models import Entry, SealedEntry
from nomic.web.api import shapes
from nomic.web.api.messages import (
    A_KEY,
    HEAD,
    KEY,
    WrongShape,
    body_of,
    complaint,
    head_sent,
    key_of,
    sent_list,
    wrong_inputs,
)
from nomic.web.api.rooms import (
    ANY_READ,
    GAME,
    MINUTE,
    Caller,
    an_acting_token,
    caller_of,
    no_action,
    no_game,
    reading,
    require,
    room,
    sends,
    the_game,
    the_game_for,
    until_next,
)
from nomic.web.newcomers.guests import joining_refusal
from nomic.web.proof.receipts import signed_entry
from nomic.web.proof.witness import doubt_of
from nomic.web.rate_limits import is_too_often
from nomic.web.tokens import Scope

router = room("actions")
page_forms = room("actions", an_acting_token)

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
        },
        {
            "in": "header",
            "name": HEAD,
            "required": False,
            "schema": {"type": "string", "maxLength": LONGEST, "pattern": f"^{A_HEAD}$"},
            "description": "The newest head that the program has seen, as an answer had it in the"
            " header of this name. The entry keeps it.",
        },
    ],
    "requestBody": {
        "required": False,
        "description": "The inputs, in the shape that the action's `schema` gives.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    },
}
_ANSWERS = {
    200: shapes.Entry | shapes.DryRun,
    201: shapes.Entry,
    **ANY_READ,
    409: shapes.Unconfirmed | shapes.Unchosen | shapes.Refused,
    413: shapes.Problem,
    503: shapes.Problem,
}


_SENT_TOGETHER = {
    **_SENT,
    **sends(Annotated[list[shapes.ActSent], Field(min_length=1, max_length=MOST_TOGETHER)]),
}
_ANSWERS_TO_ALL = {
    200: list[shapes.Entry | shapes.DryRun],
    201: list[shapes.Entry],
    **ANY_READ,
    409: shapes.RefusedAct,
    413: shapes.Problem,
    503: shapes.Problem,
}


@router.get(f"{GAME}/actions", response=reading(list[shapes.Action]), by_alias=True)
def actions(request: HttpRequest, slug: str) -> list[OfferedAction]:
    """Every action that concerns the caller: its inputs' JSON Schema, and whether it is legal now.

    Acts of offices that the caller does not hold are left out, unless all players are asked to do
    them while an office is vacant. Where more than the inputs' shape
    decides, an action is `allowed` here and may still be refused with those inputs.
    """
    return offered(request, slug)[1]


def offered(request: HttpRequest, slug: str) -> tuple[Game, list[OfferedAction]]:
    """The game of that slug, and the actions that concern the caller there; raises Http404."""
    caller = caller_of(request)
    game, seat = the_game_for(request, slug)
    host = caller.user is not None and runs(game, caller.user)
    return game, list(offers(glance(game), seat, operator=caller.operates, host=host))


@page_forms.post(f"{GAME}/actions/{{action}}", response=_ANSWERS, openapi_extra=_SENT)
def act(
    request: HttpRequest,
    slug: str,
    action: str,
    dry_run: bool = Query(False, description="Only tell what it would do, and change nothing"),
) -> Status[Any]:
    """Take an action. What was due before it happens first.

    201 with the entry that it made; 200 with the first one where the key has been seen before with
    the same inputs; 409 with the reason where it is not legal now, or the key served another act
    (`key_used`), and nothing has changed.

    With `dry_run` nothing changes and no key is used up: 200 with what it would do, a `DryRun`, or
    409 with the reason why it would be refused; 503 where something else is due first. What chance
    decides, and what hangs on what not everybody may see, is `unknown`.
    """
    if not slug.isprintable():
        raise no_game(slug)
    caller = caller_of(request)
    try:
        require(caller, *_scopes_of(slug, action))
        inputs, key, saw = body_of(request), key_of(request), head_sent(request)
        if caller.user and (refusal := joining_refusal(caller.user, slug, action)):
            raise Refused(refusal)
        if dry_run:
            _count_dry_run(request, slug)
            foreseen = foresee(slug, caller.user, action, inputs, typed=True, asks=True)
            return Status(200, _foreseen(foreseen))
        receipt = take(slug, caller.user, action, inputs, key, typed=True, saw=saw, asks=True)
    except UnknownGame:
        raise no_game(slug) from None
    except (WrongShape, HttpError, Busy):
        the_game(request, slug)  # that there is none is said before anything else is
        raise
    except UnknownAction:
        if is_of_a_game(action):
            the_game(request, slug)
        raise no_action(slug, action) from None
    except Refused as refused:
        the_game(request, slug)
        return Status(409, refused.refusal)
    except Malformed as malformed:
        the_game(request, slug)
        raise wrong_inputs(malformed) from None
    return Status(200 if receipt.repeated else 201, _receipt_to_dict(caller, receipt, saw))


def _receipt_to_dict(caller: Caller, receipt: Receipt, saw: Head | None) -> dict[str, Any]:
    """The entry of an act that was done, with what the site has signed of it."""
    caller.game = receipt.entry.game
    signed = signed_entry(receipt.entry.game, receipt.entry)
    about = {"said": signed.said, "signature": signed.signature, "public_key": signer().public}
    signed_receipt = {**about, "doubt": doubt_of(receipt, saw)}
    return {**_public_part(receipt.entry), "receipt": signed_receipt}


def _scopes_of(slug: str, name: str) -> tuple[Scope, ...]:
    """The scopes one of which acting so needs in the game of that slug; raises UnknownAction. An
    act for an office needs that of offices, on whosoever behalf it is done."""
    try:
        action = find_action(name) if not is_of_a_game(name) else _action_there(slug, name)
    except Game.DoesNotExist:
        return (Scope.ACT,)  # it is told that there is no such game
    if action is None:  # nothing but the receipt that it once got can come of it
        return Scope.ACT, Scope.OFFICE, Scope.HOST
    return (scope_of(action),)


def scope_of(action: Action) -> Scope:
    """The scope that doing that needs."""
    office = action.act.office if isinstance(action, OnBehalf) else action.office
    return Scope.HOST if office in (HOST, OPERATOR) else Scope.OFFICE if office else Scope.ACT


def _action_there(slug: str, name: str) -> Action | None:
    """The action that there is in that game; None where it is gone. Raises Game.DoesNotExist."""
    if not slug.isprintable():  # PostgreSQL takes no NUL
        raise Game.DoesNotExist
    table = glance(Game.objects.get(slug=slug, scratch=False))
    try:
        return find_action(name, table)
    except UnknownAction:
        return None


@router.post(
    f"{GAME}/actions",
    response=_ANSWERS_TO_ALL,
    openapi_extra=_SENT_TOGETHER,
    auth=an_acting_token,
)
def act_together(
    request: HttpRequest,
    slug: str,
    dry_run: bool = Query(False, description="Only tell what they would do, and change nothing"),
) -> Status[Any]:
    """Take several actions one after the other at one moment, 20 at most: all of them, or none.

    201 with their entries in their order; 200 with the first ones where the key, which is that of
    all together, has been seen before with the same acts; 409 with the reason and the place of the
    `act` that is refused, counted from 0, and none is done. What they make due at once happens
    after the last: an act that would have to wait for it is refused (`due_before`).

    With `dry_run` 200 with what each would do, a `DryRun`; what follows one that is `unknown` is so
    too.
    """
    caller = caller_of(request)
    try:
        acts_sent, key, saw = (
            sent_list(request, shapes.ActSent),
            key_of(request),
            head_sent(request),
        )
        if not 1 <= len(acts_sent) <= MOST_TOGETHER:
            wrong = f"Send 1 to {MOST_TOGETHER} acts, and not {len(acts_sent)}."
            raise WrongShape(complaint(wrong, "body"))
        acts = [(act.action, act.inputs) for act in acts_sent]
        assert caller.user is not None, "Only a token acts."
        for place, (action, _) in enumerate(acts):
            with of_act(place):
                require(caller, *_scopes_of(slug, action))
                if refusal := joining_refusal(caller.user, slug, action):
                    raise Refused(refusal)
        if dry_run:
            _count_dry_run(request, slug)
            foreseen = foresee_all(slug, caller.user, acts, typed=True, asks=True)
            return Status(200, [*map(_foreseen, foreseen)])
        receipts = take_all(slug, caller.user, acts, key, typed=True, saw=saw, asks=True)
    except UnknownGame:
        raise no_game(slug) from None
    except (WrongShape, HttpError, Busy):
        the_game(request, slug)  # that there is none is said before anything else is
        raise
    except UnknownAction as unknown:
        the_game(request, slug)
        raise no_action(slug, acts[unknown.place][0]) from None
    except Refused as refused:
        the_game(request, slug)
        return Status(409, shapes.RefusedAct.of(refused.refusal, refused.place))
    except Malformed as malformed:
        the_game(request, slug)
        raise wrong_inputs(malformed, malformed.place) from None
    entries = [_receipt_to_dict(caller, receipt, saw) for receipt in receipts]
    return Status(200 if receipts[0].repeated else 201, entries)


def _count_dry_run(request: HttpRequest, slug: str) -> None:
    """Raise Throttled where the account has asked for too many dry runs."""
    user = caller_of(request).user
    assert user is not None, "Only a token acts."
    the_game_for(request, slug)
    # By the account, since one may have many tokens.
    if is_too_often(f"dry run:{user.pk}", DRY_RUNS.count, MINUTE):
        raise Throttled(wait=until_next(MINUTE))


def _foreseen(foreseen: Foreseen) -> dict[str, Any]:
    """What an act would do, as programs are told it."""
    later = {"later": _attempted(foreseen.later)} if foreseen.later else {}
    about = {"price": foreseen.price, "outlook": foreseen.outlook}
    return {**about, **_attempted(foreseen.now), **later}


def _attempted(attempt: Attempt) -> dict[str, Any]:
    """What comes of an attempt; what is unknown is absent."""
    facts: dict[str, Any] = {"unknown": list(attempt.unknown)}
    if attempt.text:
        facts["text"] = attempt.text
    if attempt.entry is not None:
        facts |= {"outcome": attempt.entry.outcome, "effects": attempt.entry.effects}
    if attempt.seen is not None:
        facts |= {"balances": attempt.seen.shifts, "rules": attempt.seen.rewordings}
        facts["more"] = attempt.seen.more
    return facts


def _public_part(entry: Entry | SealedEntry) -> dict[str, Any]:
    """The entry as its actor is told it; of a private act without its place in the book."""
    columns = {name: getattr(entry, name, None) for name in shapes.Entry.model_fields}
    columns["actor"] = entry.actor_name
    if isinstance(entry, Entry):
        return columns
    never: dict[str, Any] = {"seq": None, "prev_hash": None, "anchors": {}, "effects": []}
    content = entry.content_hash
    # This opens the commitment to the act, but for its number, which tells of others' acts.
    opening = {"book": entry.book, "after": entry.after, "salt": entry.salt, "content": content}
    return {**columns, **never, "kind": "action", "hash": content, "sealed": opening}
