"""The talk at a game's table: what is said there and who is here, and complaints."""

from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Schema, Status
from ninja.errors import Throttled
from ninja.params.functions import Query
from pydantic import ConfigDict, Field

from nomic.games.clock import wall_now
from nomic.governance.hosting.talk import (
    READ,
    UNSEEN,
    TooFast,
    delete,
    has_read,
    react,
)
from nomic.governance.models import LONGEST_REMARK, LONGEST_TOPIC, Reaction, Remark
from nomic.web.api.messages import WrongShape, complaint, faults, link_to_next, sent
from nomic.web.api.rooms import (
    ANY_READ,
    GAME,
    HIGHEST,
    MINUTE,
    reading,
    room,
    sends,
    the_page,
    the_player,
    the_token,
    until_next,
    user_of,
)
from nomic.web.hosting.talk import (
    LONGEST_COMPLAINT,
    ComplaintForm,
    RemarkForm,
    TooManyComplaints,
    complain_of,
    complained_of,
    is_topic,
    leave_unseen,
    newest_remarks,
    own_remark,
    reword_now,
    say_now,
    shown_remarks,
    standing_remark,
    who_is_here,
)
from nomic.web.record_shapes import Moment

router = room("talk")
_A_DAY = 24 * 3600


class Answer(Schema):
    """A sign that answers a remark, and who gave it."""

    sign: str
    names: list[str]


class RemarkShape(Schema):
    """Something said at the table, at the wall moment `at`. Its `text` is empty where it was taken
    back, or hidden by the host in the entry `hidden_in`. `about` is beside what it was said, as
    “race 3”; empty for nothing."""

    number: int
    player: str
    text: str
    about: str
    at: Moment
    edited_at: Moment | None
    deleted_at: Moment | None
    hidden_in: int | None
    answers: list[Answer]


class Talk(Schema):
    """Remarks, the newest first. `read` is the number of the last one that the caller has read, who
    plays here; null for others."""

    remarks: list[RemarkShape]
    read: int | None


class Saying(Schema):
    """What is said, and beside what."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=LONGEST_REMARK)
    about: str = Field("", max_length=LONGEST_TOPIC)


class Rewording(Schema):
    """What a remark says from now on."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=LONGEST_REMARK)


class Sign(Schema):
    """A sign of those by which a remark can be answered."""

    model_config = ConfigDict(extra="forbid")

    sign: Reaction.Sign


class HasRead(Schema):
    """Up to which remark the caller has read the talk."""

    model_config = ConfigDict(extra="forbid")

    upto: int = Field(ge=0, le=HIGHEST)


class Here(Schema):
    """Who looks at the game now: players by their names, and how many others. With `unseen` others
    are not told of the caller."""

    players: list[str]
    onlookers: int
    unseen: bool


class Unseen(Schema):
    """Whether others are not to be told that the caller is here."""

    model_config = ConfigDict(extra="forbid")

    unseen: bool


class ComplaintSent(Schema):
    """A complaint about a remark, by its number, or about a player, by name."""

    model_config = ConfigDict(extra="forbid")

    remark: int | None = Field(None, ge=1, le=HIGHEST)
    player: str = Field("", max_length=120)
    words: str = Field(min_length=1, max_length=LONGEST_COMPLAINT)


class Taken(Schema):
    """What was sent is taken note of."""

    taken: Literal[True] = True


@router.get(f"{GAME}/talk", response=reading(Talk))
def talk(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    before: int | None = Query(None, ge=1, le=HIGHEST, description="Only remarks before this one"),
    about: str = Query("", max_length=LONGEST_TOPIC, description="Only beside that: “race 3”"),
) -> dict[str, Any]:
    """What is said at the table, the newest first; Link names the address of older remarks. That it
    is told marks nothing as read."""
    page = the_page(request, slug, untagged=True)
    remarks = page.game.remarks.all()
    if about:
        remarks = remarks.filter(about=about.replace("\0", ""))
    page_of_remarks, older = newest_remarks(remarks, before)
    if older is not None:
        link_to_next(request, response, older, "before")
    read = getattr(page.player, READ, 0) if page.seated else None
    return {"remarks": _remarks(page, page_of_remarks), "read": read}


def _remarks(page: Any, remarks: list[Remark]) -> list[dict[str, Any]]:
    columns = ("number", "text", "about", "at", "edited_at", "deleted_at", "hidden_in")
    return [
        {
            **{name: getattr(row.remark, name) for name in columns},
            "player": row.remark.player.name,
            "answers": [
                {"sign": answer.sign.value, "names": answer.names} for answer in row.answers
            ],
        }
        for row in shown_remarks(page, remarks)
    ]


@router.post(
    f"{GAME}/talk",
    response={201: RemarkShape, **ANY_READ},
    openapi_extra=sends(Saying),
    auth=the_token,
)
def say_something(request: HttpRequest, slug: str) -> Status[Any]:
    """Say something at the table, perhaps beside a thing of the game. 429 for too much in a
    minute."""
    page, player = the_player(request, slug)
    body = sent(request, Saying)
    if body.about and not is_topic(page.game, body.about):
        raise WrongShape(complaint("What this is about is not in this game.", "body", "about"))
    try:
        remark = say_now(player, _text(body.text), body.about)
    except TooFast:
        raise Throttled(wait=until_next(MINUTE)) from None
    return Status(201, _remarks(page, [remark])[0])


def _text(words: str) -> str:
    """The words as the form of the pages takes them; raises WrongShape."""
    form = RemarkForm({"text": words})
    if not form.is_valid():
        raise faults(form)
    return str(form.cleaned_data["text"])


@router.put(
    f"{GAME}/talk/{{int:number}}",
    response=reading(RemarkShape),
    openapi_extra=sends(Rewording),
    auth=the_token,
)
def reword_remark(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Let one's own remark say something else; that it did not at first stays to be seen."""
    page, player = the_player(request, slug)
    remark = own_remark(player, min(number, HIGHEST))
    reword_now(remark, _text(sent(request, Rewording).text))
    return _remarks(page, [remark])[0]


@router.delete(f"{GAME}/talk/{{int:number}}", response=reading(RemarkShape), auth=the_token)
def take_remark_back(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Take one's own remark back; a mark stays in its place."""
    page, player = the_player(request, slug)
    remark = own_remark(player, min(number, HIGHEST))
    delete(remark, wall_now())
    return _remarks(page, [remark])[0]


@router.post(
    f"{GAME}/talk/{{int:number}}/answers",
    response=reading(RemarkShape),
    openapi_extra=sends(Sign),
    auth=the_token,
)
def answer_remark(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Answer a remark with a sign; the same sign again takes it back."""
    page, player = the_player(request, slug)
    remark = standing_remark(page.game, min(number, HIGHEST))
    react(remark, player, sent(request, Sign).sign.value)
    return _remarks(page, [remark])[0]


@router.post(
    f"{GAME}/talk/read", response=reading(Talk), openapi_extra=sends(HasRead), auth=the_token
)
def read_talk(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Mark the talk as read up to a remark, as its page does."""
    page, player = the_player(request, slug)
    newest = page.game.remarks.values_list("number", flat=True).order_by("-number").first() or 0
    read = min(sent(request, HasRead).upto, newest)
    has_read(player, read)
    return {"remarks": [], "read": read}


@router.get(f"{GAME}/here", response=reading(Here))
def here(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Who looks at the game now; the caller does by asking."""
    return _presence(the_page(request, slug, untagged=True))


def _presence(page: Any) -> dict[str, Any]:
    presence = who_is_here(page)
    return {
        "players": presence.names,
        "onlookers": presence.onlookers,
        "unseen": presence.is_unseen,
    }


@router.put(f"{GAME}/here", response=reading(Here), openapi_extra=sends(Unseen), auth=the_token)
def be_here(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Let others not be told that the caller is here, or be told again."""
    page, player = the_player(request, slug)
    unseen = sent(request, Unseen).unseen
    leave_unseen(player, unseen)
    setattr(player, UNSEEN, unseen)  # as who is here asks for it
    return _presence(page)


@router.post(
    f"{GAME}/complaints",
    response={201: Taken, **ANY_READ},
    openapi_extra=sends(ComplaintSent),
    auth=the_token,
)
def report_to_operator(request: HttpRequest, slug: str) -> Status[Any]:
    """Tell the site's operator what is wrong with a remark or a player; the game's host reads it
    without the caller's name, unless it is about them. 429 after the most of a day."""
    page = the_page(request, slug, untagged=True)
    body = sent(request, ComplaintSent)
    name = body.player if body.player.isprintable() else ""
    about, remark = complained_of(page.game, body.remark, name)
    form = ComplaintForm({"words": body.words})
    if not form.is_valid():
        raise faults(form)
    try:
        complain_of(page, user_of(request), about, remark, form.cleaned_data["words"])
    except TooManyComplaints:
        raise Throttled(wait=until_next(_A_DAY)) from None
    return Status(201, {})
