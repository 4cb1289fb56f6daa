"""Starting a game, bringing rules along, and what a host does: invitations, and who asks for a
seat. What a host does on the record are acts, which GET …/actions lists."""

from dataclasses import asdict
from typing import Any, Literal

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from ninja import Schema, Status
from ninja.errors import AuthorizationError, HttpError
from pydantic import ConfigDict, Field

from nomic.games.admission import come_by, find_invitation, seat_given, why_closed
from nomic.games.clock import wall_now
from nomic.games.models import Admission, Game, Invitation
from nomic.games.powers import Offices, Voters, offices_of, voters_of
from nomic.governance.hosting.acts import offered_to
from nomic.notices.mail import absolute
from nomic.rulebook.formats.values import FileChoices
from nomic.web.api import shapes
from nomic.web.api.games import of_games
from nomic.web.api.messages import WrongShape, complaint, faults, sent
from nomic.web.api.rooms import (
    ANY_READ,
    GAME,
    a_hosting_token,
    anybody,
    caller_of,
    reading,
    room,
    sends,
    somebody,
    the_host,
    the_page,
    the_token,
    user_of,
)
from nomic.web.game_context import GamePage, address_of
from nomic.web.hosting import bringing
from nomic.web.hosting.bringing import NotNow, Understood
from nomic.web.hosting.host import (
    MOST_INVITED,
    InvitationForm,
    answer_asking,
    ask_the_host,
    asks_first,
    for_its_host,
    host_name,
    is_host,
    link_of,
    link_to_seat,
    new_link,
)
from nomic.web.hosting.start import StartForm, begin, presets, take_seats
from nomic.web.models import Bringing
from nomic.web.newcomers.guests import guest_of
from nomic.web.record_shapes import Moment

router = room("hosting")
LONGEST_WORDS = 300


class LawLine(Schema):
    """A voting law with which a game may begin."""

    name: str
    title: str


class PresetLine(Schema):
    """A kind of game that one may start: what it is, how it is played, and the laws of which one is
    chosen, none where there is nothing to choose."""

    name: str
    title: str
    about: str
    plays: str
    laws: list[LawLine]


class GameStart(Schema):
    """A game to be started, as its form has it: what is left out is as the form begins. `name` is
    that of the host's own seat, empty for none; `rules` the digest of rules that were brought."""

    model_config = ConfigDict(extra="forbid")

    preset: str
    title: str
    law: str = ""
    proposals_from: int | None = None
    pace: Literal["real", "day", "hour", "minutes"] = "real"
    first_day: str = ""
    seen_by: Literal["everybody", "link"] = "everybody"
    joined_by: Literal["everybody", "invitation", "host"] = "everybody"
    offices: Literal["support", "host", "open"] = "support"
    voters: Literal["", "everybody", "seated", "host", "support"] = ""
    quorum: int | None = None
    silent_days: int | None = None
    bots: int = 0
    name: str = ""
    rules: str = ""


class StartedGame(Schema):
    """The game that was started: where it is, and the link by which friends come. `warning` tells
    why somebody has no seat, empty where everybody has."""

    slug: str
    url: str
    invitation: str
    warning: str


class Link(Schema):
    """An invitation link: `name` is for its host alone, `id` names it in addresses. So many have
    come by it of at most so many; one for a `seat` brings whoever comes to that."""

    id: str
    name: str
    url: str
    used: int
    most: int
    seat: str | None
    made_at: Moment


class Asking(Schema):
    """Somebody who asks for a seat, by the name of their account, with a few words."""

    name: str
    words: str
    at: Moment


class HostComplaint(Schema):
    """A complaint about a player, and what they had said, without who made it."""

    about: str
    quoted: str
    words: str
    at: Moment


class GameShare(Schema):
    """What part of the site the game takes, in percents, and why it waits, empty for nothing."""

    disk: int
    disk_of_host: int
    held: str


class HostsPart(Schema):
    """What a host is told alone: links, who asks, open complaints, and seats whose people this site
    does not know."""

    links: list[Link]
    asking: list[Asking]
    complaints: list[HostComplaint]
    seats: list[str]
    share: GameShare


class Hosting(Schema):
    """Who hosts a game and what a host may do there. `offered_to` is whom the host asks to take the
    game over. `own` is for the host, and null for others."""

    host: str | None
    offered_to: str | None
    appoints: bool
    accepts: bool
    own: HostsPart | None


class NewLink(Schema):
    """A link for so many people, or for whoever had a seat where the game comes from."""

    model_config = ConfigDict(extra="forbid")

    name: str = ""
    most: int = Field(10, ge=1, le=MOST_INVITED)
    seat: str = ""


class AnswerToAsking(Schema):
    """Whether somebody who asks is let in."""

    model_config = ConfigDict(extra="forbid")

    let_in: bool


class Admitted(Schema):
    """How it stands with somebody who wants to join."""

    name: str
    state: str


class AskForSeat(Schema):
    """A few words to the host."""

    model_config = ConfigDict(extra="forbid")

    words: str = Field("", max_length=LONGEST_WORDS)


class OpenInvitation(Schema):
    """The game to which a link leads; `closed` says why nobody comes in by it, empty where one can.
    With `asks_first` the host lets in who came; `seat` is the one to which it brings."""

    slug: str
    title: str
    host: str | None
    closed: str
    asks_first: bool
    seat: str | None
    players: int


class Came(Schema):
    """The game to which the caller has come, which they see now. To take a seat is the act
    `games.join` there, or `games.claim_seat` where one waits for them (`seat`); with `asks_first`
    its host is asked before."""

    slug: str
    asks_first: bool
    seat: str | None


class BringRules(Schema):
    """The text of a rulebook from elsewhere, as a file of that `name` has it; `fields` and
    `headings` say what of it is what, by what was understood before."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field("rules.md", max_length=200)
    words: str = Field("", max_length=1_500_000)
    fields: dict[str, str] = {}
    headings: dict[str, str] = {}


class BroughtRules(Schema):
    """What was understood of the rules that the caller brought last; `read` is false while a worker
    is at it. With the `digest`, which is empty where not all was understood, a game begins with
    them. `fields` and `headings` are those that may be said to be something else."""

    name: str
    read: bool
    digest: str
    rules: list[dict[str, Any]]
    repealed: int
    changes: int
    annotations: int
    faults: list[str]
    notes: list[str]
    account: dict[str, Any]
    headings: list[dict[str, Any]]
    fields: list[str]


@router.get("/presets", response=reading(list[PresetLine]))
def kinds_of_games(request: HttpRequest) -> list[dict[str, Any]]:
    """The kinds of game that one may start."""
    return [
        {
            **{name: getattr(preset, name) for name in ("name", "title", "about", "plays")},
            "laws": [{"name": name, "title": law.title} for name, law in preset.laws.items()],
        }
        for preset in presets()
    ]


@of_games.post(
    "/games",
    response={201: StartedGame, **ANY_READ},
    openapi_extra=sends(GameStart),
    auth=a_hosting_token,
)
def start_a_game(request: HttpRequest) -> Status[Any]:
    """Start a game, whose host the caller is then. 422 with what is wrong, or why there is none."""
    user = _no_guest(request)
    body = sent(request, GameStart).model_dump(exclude_none=True)
    form = StartForm(body)
    game = begin(form, user) if form.is_valid() else None
    if game is None:
        raise faults(form)
    warning = take_seats(game, user, form.cleaned_data["name"], form.cleaned_data["bots"])
    link = link_of(game.invitations.latest("made_at"))
    url = absolute(address_of("game", game.slug))
    return Status(201, {"slug": game.slug, "url": url, "invitation": link, "warning": warning})


def _no_guest(request: HttpRequest) -> User:
    user = user_of(request)
    if guest_of(user) is not None:
        raise AuthorizationError(message="A guest has no account of their own yet. Sign up first.")
    return user


@router.get(f"{GAME}/host", response=reading(Hosting))
def hosting(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Who hosts the game, and for its host the links by which people come, who asks for a seat, and
    what is complained of."""
    page = the_page(request, slug, untagged=True)
    game = page.game
    return {
        "host": host_name(game) or None,
        "offered_to": offered_to(game) or None,
        "appoints": offices_of(game) is Offices.HOST,
        "accepts": voters_of(game) is Voters.HOST,
        "own": _hosts_part(page) if is_host(page) else None,
    }


def _hosts_part(page: GamePage) -> dict[str, Any]:
    facts = for_its_host(page, InvitationForm())
    links = page.game.invitations.filter(withdrawn_at=None).select_related("seat")
    return {
        "links": [*map(_link, links)],
        "asking": [
            {"name": asks.user.get_username(), "words": asks.words, "at": asks.at}
            for asks in facts["asking"]
        ],
        "complaints": [
            {"about": row.about.name, "quoted": row.quoted, "words": row.words, "at": row.at}
            for row in facts["complaints"]
        ],
        "seats": [seat.name for seat, *_ in facts["seats"]],
        "share": facts["share"],
    }


def _link(invitation: Invitation) -> dict[str, Any]:
    columns = ("name", "used", "most", "made_at")
    return {
        **{name: getattr(invitation, name) for name in columns},
        "id": invitation.nonce,
        "url": link_of(invitation),
        "seat": invitation.seat and invitation.seat.name,
    }


@router.post(
    f"{GAME}/invitations",
    response={201: Link, **ANY_READ},
    openapi_extra=sends(NewLink),
    auth=a_hosting_token,
)
def invite(request: HttpRequest, slug: str) -> Status[Any]:
    """Make an invitation link, as the game's host."""
    page, body = the_host(request, slug), sent(request, NewLink)
    if body.seat:
        return Status(201, _link(link_to_seat(page.game, user_of(request), body.seat)))
    form = InvitationForm({"name": body.name, "most": body.most})
    invitation = new_link(page.game, user_of(request), form)
    if invitation is None:
        raise faults(form)
    return Status(201, _link(invitation))


@router.delete(f"{GAME}/invitations/{{name}}", response=reading(Link), auth=a_hosting_token)
def withdraw_invitation(request: HttpRequest, slug: str, name: str) -> dict[str, Any]:
    """Let one of the game's links, by its id, lead nowhere any more. Who came by it stays."""
    game = the_host(request, slug).game
    open_links = game.invitations.filter(
        nonce=name if name.isprintable() else "", withdrawn_at=None
    )
    invitation = open_links.select_related("seat").first()
    if invitation is None or not open_links.update(withdrawn_at=wall_now()):
        raise Http404("There is no such link in this game.")
    return _link(invitation)


@router.put(
    f"{GAME}/admissions/{{name}}",
    response=reading(Admitted),
    openapi_extra=sends(AnswerToAsking),
    auth=a_hosting_token,
)
def answer_who_asks(request: HttpRequest, slug: str, name: str) -> dict[str, Any]:
    """Let somebody in who asks, by the name of their account, or not, as the game's host."""
    page = the_host(request, slug)
    let_in = sent(request, AnswerToAsking).let_in
    answer_asking(page.game, name if name.isprintable() else "", let_in=let_in)
    state = Admission.State.ADMITTED if let_in else Admission.State.DECLINED
    return {"name": name, "state": state.value}


@router.post(
    f"{GAME}/admissions",
    response={201: Admitted, **ANY_READ, 409: shapes.Problem},
    openapi_extra=sends(AskForSeat),
    auth=the_token,
)
def ask_to_join(request: HttpRequest, slug: str) -> Status[Any]:
    """Ask the game's host to be let in, where the host decides who joins. A second time nothing
    more is asked; `state` tells how it stands. 409 where the host is not asked."""
    page, user = the_page(request, slug, untagged=True), _no_guest(request)
    words = sent(request, AskForSeat).words
    if page.game.joined_by.value != "host":
        raise HttpError(409, "The host of this game is not asked who joins: join by games.join.")
    state = ask_the_host(page, user, words)
    return Status(201, {"name": user.get_username(), "state": state})


@router.get(
    "/invitations/{name}",
    response={**reading(OpenInvitation), 410: shapes.Problem},
    auth=anybody,
)
def open_invitation(request: HttpRequest, name: str) -> dict[str, Any]:
    """The game to which an invitation link leads, by the last part of its address; 410 where nobody
    comes in by it any more, and the caller does not see the game otherwise."""
    invitation, user = _invitation(name), caller_of(request).user
    game, reason = invitation.game, why_closed(invitation, user)
    if reason and not Game.objects.seen_by(user).filter(pk=game.pk).exists():
        raise HttpError(410, reason)
    return {
        "slug": game.slug,
        "title": game.title,
        "host": host_name(game) or None,
        "closed": reason,
        "asks_first": asks_first(invitation),
        "seat": invitation.seat and invitation.seat.name,
        "players": game.players.filter(active=True).count(),
    }


@router.post(
    "/invitations/{name}",
    response={**reading(Came), 410: shapes.Problem},
    openapi_extra=sends(shapes.Nothing),
    auth=the_token,
)
def come_by_invitation(request: HttpRequest, name: str) -> dict[str, Any]:
    """Come to the game by its link; 410 with the reason where nobody comes in by it any more."""
    invitation, user = _invitation(name), _no_guest(request)
    sent(request, shapes.Nothing)
    if reason := come_by(invitation, user, wall_now()):
        raise HttpError(410, reason)
    seat = seat_given(invitation.game, user)
    return {
        "slug": invitation.game.slug,
        "asks_first": asks_first(invitation) and seat is None,
        "seat": seat and seat.name,
    }


def _invitation(token: str) -> Invitation:
    invitation = find_invitation(token)
    if invitation is None or invitation.game.scratch:
        raise Http404("There is no such invitation. Send the last part of the whole link.")
    return invitation


@router.get("/brought", response=reading(BroughtRules), auth=somebody)
def brought_rules(request: HttpRequest) -> dict[str, Any]:
    """What was understood of the rules that the caller brought last; 404 where they brought none,
    or some hours ago."""
    newest = Bringing.objects.newest_of(user_of(request))
    if newest is None:
        raise Http404("You have brought no rules, or they are not kept any more. POST them first.")
    if newest.read_at is None:
        bringing.ask_again(newest)
    facts = asdict(Understood.of(newest.summary) if newest.read_at else Understood())
    return {
        **facts,
        "name": newest.name,
        "read": newest.read_at is not None,
        "digest": newest.digest,
        "rules": facts["lines"],
    }


@router.post(
    "/brought",
    response={202: BroughtRules, **ANY_READ},
    openapi_extra=sends(BringRules),
    auth=a_hosting_token,
)
def bring_rules(request: HttpRequest) -> Status[Any]:
    """Bring the rules of a nomic that lives elsewhere: a worker reads them, and GET tells what it
    has understood. Without `words` what was sent before is read again, with what is said of it.
    429 where it was for longer than the caller's share."""
    user, body = _no_guest(request), sent(request, BringRules)
    try:
        bringing.check_turn(user)
    except NotNow as not_now:
        raise HttpError(429, str(not_now)) from None
    choices = FileChoices(headings=body.headings, fields=body.fields)
    newest = Bringing.objects.newest_of(user)
    if body.words.strip():
        bringing.send(user, body.name, body.words.encode(), choices)
    elif newest is None:
        raise WrongShape(complaint("Send the rules as `words`.", "body", "words"))
    else:
        bringing.send_again(newest, choices)
    return Status(202, brought_rules(request))


@router.delete("/brought", response=reading(Admitted), auth=a_hosting_token)
def forget_brought_rules(request: HttpRequest) -> dict[str, Any]:
    """Keep nothing more of what the caller has brought."""
    user = user_of(request)
    bringing.forget(user)
    return {"name": user.get_username(), "state": "forgotten"}
