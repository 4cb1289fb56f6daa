"""Who sits at a game's table, what comes next there and what has come out, and how its seasons and
the game itself ended."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Schema
from ninja.errors import AuthorizationError
from ninja.params.functions import Query
from pydantic import ConfigDict

from nomic.engine.rule_switches import rule_switches
from nomic.engine.subgames import rulemaker_of
from nomic.games.models import Player
from nomic.games.seating import seat_called
from nomic.games.wins import win_sentence
from nomic.governance.hosting.talk import choose_face
from nomic.ledger.models import AssetVisibility
from nomic.rulebook.declared import PLAYER
from nomic.web.api import shapes
from nomic.web.api.games import players_told
from nomic.web.api.messages import WrongShape, complaint, link_to_next, sent
from nomic.web.api.rooms import (
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
from nomic.web.game_context import GamePage, games_seen
from nomic.web.moments import untold
from nomic.web.newcomers.faces import face_of, is_face, offered_faces
from nomic.web.panels import Season, seasons_of
from nomic.web.record_shapes import Moment
from nomic.web.views.ending import Fate, told_at_its_end, told_of_season

router = room("table")
_SHOWN = 20
_MOST_APPOINTMENTS = 50


class Contribution(Schema):
    """Something that a player has brought before the others, and what it came to."""

    title: str
    url: str
    came_to: str


class Seat(Schema):
    """A seat of somebody in a game."""

    slug: str
    title: str
    player: str


class WholePlayer(Schema):
    """A player: when they joined and left, in game time, what they hold, own and won, what they
    have brought before the others, their newest entries of the record, and where else they play.
    `face` is written as the numbers of its parts; `hosts`: it is the game's host."""

    name: str
    active: bool
    away: bool
    away_until: Moment | None
    vested: bool | None
    bot: bool
    joined_at: Moment
    left_at: Moment | None
    face: str
    hosts: bool
    offices: list[str]
    held: dict[str, int]
    switches: dict[str, str | int | None]
    wins: list[shapes.Win]
    contributions: list[Contribution]
    entries: list[int]
    elsewhere: list[Seat]


class OwnSeat(Schema):
    """The caller's seat: its face, and faces to choose from."""

    name: str
    face: str
    offered: list[str]


class Face(Schema):
    """A face, as the numbers of its parts: “0-3-5-7”."""

    model_config = ConfigDict(extra="forbid")

    face: str


class Coming(Schema):
    """Something that happens by itself at the game moment `due`, which is `due_wall` by the wall;
    null where time stands still."""

    name: str
    title: str
    due: Moment
    due_wall: Moment | None


class CameOut(Schema):
    """Something that has come out for the player in that entry, of the subgame `kind`, or a
    `win`."""

    entry: int
    kind: str
    text: str


class SeasonLine(Schema):
    """The season of that number, from its `first` entry to its `last`; that which goes on has not
    ended, and its last is the game's."""

    number: int
    first: int
    last: int
    ended: bool


class Fact(Schema):
    """A sentence, and the entry in which it happened."""

    text: str
    entry: int


class Highlights(Schema):
    """What was worth telling, under a title."""

    title: str
    told: list[Fact]


class RuleFate(Schema):
    """What became of a rule."""

    title: str
    url: str
    change: str


class WholeSeason(SeasonLine):
    """A season between two game moments: who won it, what was worth telling, the rules that changed
    most, and the entries that changed the rules or in which somebody won."""

    began: Moment | None
    until: Moment | None
    wins: list[str]
    highlights: list[Highlights]
    changed_most: list[RuleFate]
    turning_points: list[Fact]


class Ending(Schema):
    """How a game ended: why it was closed and in which entry, who won, how many rules stayed, came
    and went, what became of those that changed, and what turned it. `more` fates are not told."""

    closed_in: int
    text: str
    began: Moment
    ended: Moment
    wins: list[shapes.Win]
    rules: dict[str, int]
    fates: list[RuleFate]
    more: int
    turning_points: list[Fact]
    published_in: int | None


@router.get(f"{GAME}/players", response=reading(list[shapes.Player]))
def players(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    after: str = Query("", description="Only players whose name comes after this one"),
    limit: int = Query(1000, ge=1, le=1000, description="How many at most; 1000 are the most"),
) -> list[dict[str, Any]]:
    """The players of the game by their names, those who have left among them; Link names the
    rest."""
    page = the_page(request, slug)
    rows = page.game.players.order_by("name")
    if after.isprintable():
        rows = rows.filter(name__gt=after)
    answer = players_told(page.table, rows[: limit + 1])
    if len(answer) > limit:
        link_to_next(request, response, answer[limit - 1]["name"])
    return answer[:limit]


@router.get(f"{GAME}/players/{{name}}", response=reading(WholePlayer))
def player(request: HttpRequest, slug: str, name: str) -> dict[str, Any]:
    """A player of the game, as their page tells of them: by the name that they have, or by one that
    they had before."""
    page = the_page(request, slug)
    member = seat_called(page.game, name)
    if member is None:
        raise Http404(f"There is no player “{name[:60]}” in this game.")
    public = member.holder.balances.filter(asset__visibility=AssetVisibility.PUBLIC)
    holdings = public.exclude(amount=0).order_by("asset__name").values_list("asset__name", "amount")
    rulemaker = rulemaker_of(page.game)
    entries = page.game.entries.filter(actor=member).order_by("-seq")
    offices = page.table.directory.offices.items()
    return {
        **players_told(page.table, page.game.players.filter(pk=member.pk))[0],
        "joined_at": member.joined_at,
        "left_at": member.left_at,
        "face": page.faces.get(member.name) or face_of(member.name),
        "hosts": member.user_id is not None and member.user_id == page.game.host_id,
        "offices": [office for office, holder in offices if holder == member.name],
        "held": dict(holdings),
        "switches": {
            switch.declared.name: switch.value(page.table, member.name)
            for switch in rule_switches(page.table).by_key.values()
            if member.active and switch.of == PLAYER
        },
        "wins": member.wins.order_by("-entry").select_related("player"),
        "contributions": [*rulemaker.contributions(member, _SHOWN)] if rulemaker else [],
        "entries": list(entries.values_list("seq", flat=True)[:_SHOWN]),
        "elsewhere": _elsewhere(request, member),
    }


def _elsewhere(request: HttpRequest, player: Player) -> list[dict[str, Any]]:
    """The player's seats in other games that the caller sees; a practice player has none."""
    if player.user_id is None:
        return []
    visible = games_seen(request)
    seats = Player.objects.filter(user=player.user_id, game__in=visible, active=True)
    rows = seats.exclude(pk=player.pk).order_by("game__title")
    columns = rows.values_list("game__slug", "game__title", "name")[:_SHOWN]
    return [{"slug": slug, "title": title, "player": name} for slug, title, name in columns]


@router.get(f"{GAME}/seat", response=reading(OwnSeat), auth=somebody)
def seat(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The caller's own seat, where they play here. What may be done with it are acts of the game:
    GET …/actions lists them."""
    page = the_page(request, slug, untagged=True)
    if page.player is None or not page.seated:
        raise AuthorizationError(message="You have no seat in this game. Join it first.")
    return _seat(page, page.player)


def _seat(page: GamePage, player: Player) -> dict[str, Any]:
    face = page.faces.get(player.name) or face_of(player.name)
    return {"name": player.name, "face": face, "offered": offered_faces(player.name)}


@router.put(f"{GAME}/seat", response=reading(OwnSeat), openapi_extra=sends(Face), auth=the_token)
def choose_own_face(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Choose the face with which the caller is drawn here."""
    page, player = the_player(request, slug)
    face = sent(request, Face).face
    if not is_face(face):
        raise WrongShape(
            complaint("There is no such face. Choose one of `offered`.", "body", "face")
        )
    choose_face(player, "" if face == face_of(player.name) else face)
    return {**_seat(page, player), "face": face}


@router.get(f"{GAME}/appointments", response=reading(list[Coming]))
def appointments(
    request: HttpRequest,
    slug: str,
    limit: int = Query(
        _MOST_APPOINTMENTS, ge=1, le=_MOST_APPOINTMENTS, description="How many at most"
    ),
) -> list[dict[str, Any]]:
    """What happens next by itself, in its order, as the game's clock and calendar tell it."""
    page = the_page(request, slug)
    return [
        {"name": event.kind, "title": event.title, "due": event.due, "due_wall": event.wall}
        for event in page.told_events(page.table.appointments.next(limit))
    ]


@router.get(f"{GAME}/moments", response=reading(list[CameOut]), auth=somebody)
def moments(
    request: HttpRequest,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only of entries after this number"),
) -> list[dict[str, Any]]:
    """What has come out lately for the caller, who plays here, as cards tell it on the game's home,
    the newest first: the end of a race, a law of their own, one that failed, a win. A browser
    remembers which cards it has put away, and a program the last entry of which it was told."""
    page = the_page(request, slug, untagged=True)
    cards = [moment for moment in untold(page) if moment.entry > after]
    texts = page.game.entries.filter(seq__in=[moment.entry for moment in cards])
    text_of = dict(texts.values_list("seq", "text"))
    return [
        {"entry": moment.entry, "kind": moment.kind, "text": text_of.get(moment.entry, "")}
        for moment in cards
    ]


@router.get(f"{GAME}/seasons", response=reading(list[SeasonLine]))
def seasons(request: HttpRequest, slug: str) -> list[Season]:
    """The seasons of the game, the oldest first: each ends with a victory, the last with the
    game."""
    return seasons_of(the_page(request, slug).game)


@router.get(f"{GAME}/seasons/{{int:number}}", response=reading(WholeSeason))
def season(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """A season of the game: who won it, and what was worth telling of it."""
    page = the_page(request, slug)
    game_seasons = seasons_of(page.game)
    if not 1 <= number <= len(game_seasons):
        raise Http404(f"{page.game} has had {len(game_seasons)} seasons: there is no {number}.")
    shown_season = game_seasons[number - 1]
    summary = told_of_season(page, shown_season)
    return {
        **{name: getattr(shown_season, name) for name in SeasonLine.model_fields},
        "began": summary["began"],
        "until": summary["ended"],
        "wins": [win_sentence(win.player.name, win.how) for win in summary["wins"]],
        "highlights": [
            {
                "title": title,
                "told": [{"text": fact.text, "entry": fact.entry} for fact in highlights],
            }
            for title, highlights in summary["highlights"]
        ],
        "changed_most": _fates(summary["changed_most"]),
        "turning_points": _facts(summary["turning_points"]),
    }


def _fates(fates: list[Fate]) -> list[dict[str, str]]:
    return [{"title": fate.title, "url": fate.url, "change": fate.change} for fate in fates]


def _facts(entries: list[Any]) -> list[dict[str, Any]]:
    return [{"text": entry.text, "entry": entry.seq} for entry in entries]


@router.get(f"{GAME}/end", response=reading(Ending))
def ending(request: HttpRequest, slug: str) -> dict[str, Any]:
    """How the game ended; 404 while it goes on."""
    page = the_page(request, slug)
    if not page.game.is_closed:
        raise Http404("This game goes on. GET …/seasons tells of it so far.")
    summary = told_at_its_end(page)
    closing, published = summary["closing"], summary["published"]
    last = closing or page.game.entries.latest("seq")
    return {
        "closed_in": last.seq,
        "text": last.text,
        "began": summary["began"].at,
        "ended": last.at,
        "wins": summary["wins"],
        "rules": dict(summary["kinds"]),
        "fates": _fates(summary["fates"]),
        "more": summary["more"],
        "turning_points": _facts(summary["turning_points"]),
        "published_in": published.seq if published else None,
    }
