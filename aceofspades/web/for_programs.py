"""How the Reckoning marked a hand, and trying a regulation before it is proposed, for programs."""

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Schema
from pydantic import ConfigDict, Field

from aceofspades.secrecy.view import View
from aceofspades.web.compose import trial_of
from aceofspades.web.trial import MADE_UP, OWN
from aceofspades.web.views import marked
from nomic.web.api.messages import sent
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, sends, the_page, the_player, the_token

router = room("subgames")


class MarkingStep(Schema):
    """What a regulation made of a hand's worth: by how much it changed it, and to what; `error` is
    why it could not mark."""

    number: int
    change: float
    after: float
    error: str


class MarkedHand(Schema):
    """A contestant's hand as the Reckoning marked it in that entry: its cards by suit, those that a
    tie supposed beside them, its worth, and the regulations' steps, null while they are counted."""

    contestant: str
    hand: dict[str, int]
    supposed: dict[str, int]
    entry: int
    worth: float
    steps: list[MarkingStep] | None


class RegulationDraft(Schema):
    """A regulation to be tried: its number and text, hands of made-up contestants by suit, and who
    is allied with whom."""

    model_config = ConfigDict(extra="forbid")

    number: int = Field(ge=1, le=9999)
    text: str = Field(max_length=20_000)
    visibility: str = Field("public", max_length=20)
    hands: dict[str, dict[str, int]] = {}
    allied: list[str] = Field([], max_length=len(MADE_UP) + 1)


class TriedHand(Schema):
    """A hand of a trial, and its worth before the draft, after it and in the end."""

    name: str
    before: float
    after: float
    end: float


class TrialShape(Schema):
    """What a draft makes of hands: `problem` where it cannot be tried, `waits` while it is counted:
    ask again. `errors` are the draft's own; `warning` and `warnings` tell what would come of it;
    `unread` regulations that the caller may not read are not counted."""

    problem: str
    waits: bool
    lines: list[TriedHand]
    errors: list[str]
    warning: str
    warnings: list[str]
    unread: int


@router.get(f"{GAME}/aceofspades/hands/{{int:number}}", response=reading(MarkedHand))
def marked_hand(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """The hand of the contestant who joined as that one; 404 until the hands are marked."""
    page = the_page(request, slug)
    view = View(page.table, page.player)
    hand = marked(page.game, view, min(number, HIGHEST)) if view.state.is_on else None
    if hand is None:
        raise Http404("No hand of that number has been marked in a contest of this game.")
    return {
        "contestant": hand.contestant.player.name,
        "hand": hand.cards,
        "supposed": hand.supposed,
        "entry": hand.entry.seq,
        "worth": hand.contestant.worth,
        "steps": hand.steps,
    }


@router.post(
    f"{GAME}/aceofspades/trial",
    response=reading(TrialShape),
    openapi_extra=sends(RegulationDraft),
    auth=the_token,
)
def try_regulation(request: HttpRequest, slug: str) -> dict[str, Any]:
    """What a regulation would make of hands, the caller's own among them, before it is proposed: it
    is counted beside those that the caller may read, and kept nowhere."""
    page, _ = the_player(request, slug)
    view = View(page.table, page.player)
    if not view.state.is_on:
        raise Http404("No contest of cards is held in this game.")
    body = sent(request, RegulationDraft)
    inputs: dict[str, Any] = {
        name: getattr(body, name) for name in ("number", "text", "visibility")
    }
    for name in MADE_UP:
        for suit, cards in body.hands.get(name, {}).items():
            inputs[f"hand_{name}_{suit}"] = cards
    inputs |= {f"allied_{name}": "on" for name in body.allied if name in (OWN, *MADE_UP)}
    trial = trial_of(view, inputs)
    names = ("problem", "waits", "lines", "errors", "warning", "warnings", "unread")
    return {name: getattr(trial, name) for name in names}
