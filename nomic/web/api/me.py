"""What an account is told of itself: its games and what waits there, its notices, and on which ways
these reach it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Literal
from uuid import UUID

from django.db.models import F, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Schema
from ninja.errors import AuthorizationError
from ninja.params.functions import Query
from pydantic import ConfigDict

from nomic.engine.outcomes import NoticeKind
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.calendar import secret_of
from nomic.notices.fan_out import forget_unseen_counts
from nomic.notices.mail import absolute
from nomic.notices.models import Choices, Notice
from nomic.notices.payloads import secret
from nomic.notices.preferences import choices_of, chosen_kinds, with_addresses
from nomic.web.api.messages import MANY, faults, link_to_next, sent
from nomic.web.api.rooms import (
    caller_of,
    reading,
    room,
    sends,
    somebody,
    the_token,
    user_of,
)
from nomic.web.newcomers.guests import guest_of
from nomic.web.record_shapes import Moment
from nomic.web.views.notices import ALL_WAYS, ChoicesForm, problems
from nomic.web.waiting import Item, waiting_everywhere

router = room("me", somebody)
_KINDS = tuple(kind.value for kind in NoticeKind)
_OPEN = ("webhook", "discord", "webhook_key", "calendar")  # to whoever knows them, something


class QuickAct(Schema):
    """An act that does it at once, with all inputs that it asks for."""

    button: str
    action: str
    inputs: dict[str, Any]


class Wait(Schema):
    """Something that waits for the player: until the game moment `due`, which is `due_wall` by the
    wall; null where it waits for good, or time stands still. `url` is the page where it is done,
    `says` tells what would come of it."""

    what: str
    url: str
    due: Moment | None
    due_wall: Moment | None
    overdue: bool
    says: str
    acts: list[QuickAct]


class OwnGame(Schema):
    """A game in which the caller has a seat as `player`, or which they host without one (null).
    `active`: they play there and have not left."""

    slug: str
    title: str
    player: str | None
    active: bool
    hosts: bool
    offices: list[str]
    waits: list[Wait]


class Me(Schema):
    """The account that calls: its `name`, whether it is a guest's, how many notices it has not
    seen, and its games by their titles. What waits is told of the thirty games joined last."""

    name: str
    guest: bool
    operates: bool
    unseen: int
    games: list[OwnGame]


class OwnNotice(Schema):
    """A notice: news of the `game`, in its public `entry` where it tells of one. `at` and `seen`
    are wall moments; `seen` is null while it is new."""

    id: str
    game: str
    kind: str
    text: str
    url: str
    at: Moment
    entry: int | None
    seen: Moment | None


class Notices(Schema):
    """Notices in the order in which they came. `last` is the id of the newest that there is, null
    where there is none."""

    notices: list[OwnNotice]
    last: str | None


class Seen(Schema):
    """Up to which notice they are seen, that one among them; without `upto` all."""

    model_config = ConfigDict(extra="forbid")

    upto: UUID | None = None


class Unseen(Schema):
    """How many notices are new still."""

    unseen: int


class Undelivered(Schema):
    """The newest notice on a way that did not come through, and why."""

    way: str
    notice: str
    at: Moment
    problem: str


class NoticeSettings(Schema):
    """Which kinds of notices reach the caller on which way, and where these lead. Whether e-mail
    can be sent (`has_mail`), `webhook_key`, by which a webhook's calls are signed, the secret
    address of the `calendar`, and in how many browsers they are told are not set here. Those of
    games whose week lasts minutes go out only with `fast`. What opens something by itself, and
    would do so when the program is let in no more, is null for other people's programs."""

    mail: bool
    digest: bool
    webhook: str | None
    discord: str | None
    fast: bool
    kinds: dict[str, list[str]]
    has_mail: bool
    webhook_key: str | None
    calendar: str | None
    browsers: int
    problems: list[Undelivered]


class NoticeChoices(Schema):
    """What of these settings is to be another; what is left out stays."""

    model_config = ConfigDict(extra="forbid")

    mail: bool | None = None
    digest: bool | None = None
    webhook: str | None = None
    discord: str | None = None
    fast: bool | None = None
    kinds: dict[Literal["site", "mail", "webhook", "discord", "push"], list[NoticeKind]] | None = (
        None
    )


class Renew(Schema):
    """What is renewed: the address of the calendar, or the key of the webhook. The earlier one is
    of no use any more."""

    model_config = ConfigDict(extra="forbid")

    what: Literal["calendar", "key"]


@router.get("/me", response=reading(Me))
def me(request: HttpRequest) -> dict[str, Any]:
    """The account that calls, its games, and in each what waits for it, with the acts by which it
    is done at once."""
    user = user_of(request)
    waits: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for item in waiting_everywhere(request):
        waits[item.game_page.game.pk].append(_wait(item))
    visible_games = Game.objects.known_to(user.pk)
    seats = Player.objects.filter(user=user, game__in=visible_games).select_related("game")
    seats_by_game = {seat.game_id: seat for seat in seats.prefetch_related("offices")}
    hosted_games = Game.objects.hosted_by(user)
    games = [
        *(seat.game for seat in seats_by_game.values()),
        *(game for game in hosted_games if game.pk not in seats_by_game),
    ]
    rows = []
    for game in sorted(games, key=lambda game: (game.title, game.pk)):
        seat = seats_by_game.get(game.pk)
        rows.append(
            {
                "slug": game.slug,
                "title": game.title,
                "player": seat.name if seat else None,
                "active": bool(seat and seat.active),
                "hosts": game.host_id == user.pk,
                "offices": sorted(office.name for office in seat.offices.all()) if seat else [],
                "waits": waits[game.pk],
            }
        )
    return {
        "name": user.get_username(),
        "guest": guest_of(user) is not None,
        "operates": user.is_superuser,
        "unseen": _unseen(user.pk),
        "games": rows,
    }


def _wait(item: Item) -> dict[str, Any]:
    waiting = item.waiting
    return {
        "what": waiting.what,
        "url": waiting.url,
        "due": waiting.due,
        "due_wall": item.wall,
        "overdue": item.is_overdue,
        "says": waiting.says,
        "acts": [
            {"button": act.button, "action": act.action, "inputs": {**act.inputs}}
            for act in waiting.acts
        ],
    }


def _unseen(user: int) -> int:
    return Notice.objects.filter(user=user, listed=True, seen_at=None).count()


@router.get("/notices", response=reading(Notices))
def notices(
    request: HttpRequest,
    response: HttpResponse,
    after: UUID | None = Query(None, description="Only notices after the one of this id"),
    new: bool = Query(False, description="Only those that have not been seen"),
    limit: int = Query(MANY, ge=1, le=MANY, description=f"How many at most; {MANY} are the most"),
) -> dict[str, Any]:
    """The caller's notices, the oldest first: without `after` the newest, else those that came
    after it, of which Link names the rest. That they are told marks none as seen."""
    own_notices = Notice.objects.filter(user=user_of(request), listed=True).select_related("game")
    newest = own_notices.first()
    selection = own_notices.filter(seen_at=None) if new else own_notices
    if after is None:
        page = list(selection[:limit])[::-1]
    else:
        page_and_next = list(
            selection.filter(pk__gt=_own_notice(request, after).pk).order_by("pk")[: limit + 1]
        )
        page = page_and_next[:limit]
        if len(page_and_next) > limit:
            link_to_next(request, response, str(page[-1].number))
    return {"notices": map(_notice_to_dict, page), "last": str(newest.number) if newest else None}


def _notice_to_dict(notice: Notice) -> dict[str, Any]:
    columns = {name: getattr(notice, name) for name in ("kind", "text", "url", "at", "entry")}
    return {
        "id": str(notice.number),
        "game": notice.game.slug,
        "seen": notice.seen_at,
        **columns,
    }


def _own_notice(request: HttpRequest, number: UUID) -> Notice:
    notice = Notice.objects.filter(user=user_of(request), number=number).first()
    if notice is None:
        raise Http404("You have no notice of that id.")
    return notice


@router.post("/notices/seen", response=reading(Unseen), openapi_extra=sends(Seen), auth=the_token)
def see_notices(request: HttpRequest) -> dict[str, Any]:
    """Mark notices as seen, as their page does: up to one, or all of them."""
    user, upto = user_of(request), sent(request, Seen).upto
    condition = Q(pk__lte=_own_notice(request, upto).pk) if upto else Q()
    Notice.objects.filter(condition, user=user, seen_at=None).update(seen_at=wall_now())
    forget_unseen_counts([user.pk])
    return {"unseen": _unseen(user.pk)}


@router.get("/notices/settings", response=reading(NoticeSettings))
def notice_settings(request: HttpRequest) -> dict[str, Any]:
    """Which kinds of notices reach the caller on which way. The kinds and ways are the keys and
    members of `kinds`; what a browser is told is turned on in that browser."""
    user = user_of(request)
    choices = choices_of(user)
    opens: dict[str, str | None] = dict.fromkeys(_OPEN)
    if caller_of(request).access is None:
        opens = {
            "webhook": choices.webhook,
            "discord": choices.discord,
            "webhook_key": secret(choices),
            "calendar": absolute(reverse("own_calendar", args=[secret_of(user)])),
        }
    return {
        **{name: getattr(choices, name) for name in ("mail", "digest", "fast")},
        **opens,
        "kinds": {str(way): _in_order(chosen_kinds(choices, way)) for way in ALL_WAYS},
        "has_mail": bool(with_addresses([user])),
        "browsers": user.browsers.count(),
        "problems": [
            {
                "way": delivery.way,
                "notice": str(delivery.notice.number),
                "at": delivery.notice.at,
                "problem": delivery.problem,
            }
            for delivery in problems(user)
        ],
    }


def _refuse_others_programs(request: HttpRequest) -> None:
    if caller_of(request).access is not None:
        raise AuthorizationError(message="Where notices come is for their reader alone to choose.")


def _in_order(kinds: Iterable[str]) -> list[str]:
    chosen = {str(kind) for kind in kinds}
    return [kind for kind in _KINDS if kind in chosen]


@router.put(
    "/notices/settings",
    response=reading(NoticeSettings),
    openapi_extra=sends(NoticeChoices),
    auth=the_token,
)
def choose_notices(request: HttpRequest) -> dict[str, Any]:
    """Choose on which ways notices come, and which: what is sent takes the place of what was. Other
    people's programs may not: notices would come there when they are let in no more."""
    _refuse_others_programs(request)
    user, changes = user_of(request), sent(request, NoticeChoices).model_dump(exclude_none=True)
    choices = choices_of(user)
    kinds = {str(way): _in_order(chosen) for way, chosen in changes.pop("kinds", {}).items()}
    old_values = {name: getattr(choices, name) for name in ChoicesForm.Meta.fields}
    form = ChoicesForm({**old_values, **changes}, instance=choices)
    if not form.is_valid():
        raise faults(form)
    new_values = {**form.cleaned_data, "kinds": {**choices.kinds, **kinds}}
    Choices.objects.update_or_create(user=user, defaults=new_values)
    return notice_settings(request)


@router.post(
    "/notices/renew", response=reading(NoticeSettings), openapi_extra=sends(Renew), auth=the_token
)
def renew(request: HttpRequest) -> dict[str, Any]:
    """Let the address of the calendar, or the key of the webhook, be another from now on. Other
    people's programs may not."""
    _refuse_others_programs(request)
    row, _ = Choices.objects.get_or_create(user=user_of(request))
    counter = sent(request, Renew).what
    Choices.objects.filter(pk=row.pk).update(**{counter: F(counter) + 1})
    return notice_settings(request)
