"""While the Thug is there, nothing moves for others when somebody names a bribe: not one byte."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from nomic.dice.models import Period, Roll
from nomic.engine import watch
from nomic.engine.models import Appointment
from nomic.engine.outcomes import Malformed
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.ledger.models import Balance, Posting, Transfer
from nomic.operations.setup import new_game
from nomic.record.models import Entry
from nomic.record.writer import RecordWriter
from nomic.web.game_context import shown_mark
from nomic.web.tests.watchers import (
    FEW,
    Watcher,
    addresses,
    differences,
    part_of,
    told,
    what_is_told,
)
from settlers.models import Bribe, Isle, Offer, Settler, Visit
from settlers.tests.secrecy.test_secrets import CANARY, CLOSE, WALKS, is_quick
from settlers.tests.stage import bring_the_thug, give, hours, visitor_is
from tests.kit import WEDNESDAY, around, at_the_table, figure, seat, user_of
from tests.kit.games import roll_after_nothing

pytestmark = pytest.mark.django_db(transaction=True)

KEY = bytes(range(32))
# The bribe, or what lacks for it.
_CANARIES = re.compile(f"{figure(CANARY)}|{figure(CANARY - 5)}")


@pytest.fixture(autouse=True)
@around
def wall() -> Iterator[None]:
    """The wall's time stands still: what differs between two looks differs for another reason."""
    with time_machine.travel(WEDNESDAY, tick=False):
        yield


def thugs_isle() -> Game:
    """A game whose chance is always the same: Murphy and Madrid live with the Thug."""
    game = new_game("table", "multa", pace="manual", start=WEDNESDAY, dice_key=KEY)[0]
    for name in ("Murphy", "Madrid", "snail", "Jason"):
        seat(game, name)
    act(game, "snail", "games.take_office", office="Onlooker")
    act(game, "Jason", "games.take_office", office="Admin")
    for name in ("Murphy", "Madrid"):
        act(game, name, "settlers.join")
    with at_the_table(game) as table:
        bring_the_thug(table)
    hours(game, 48)
    with at_the_table(game) as table:
        give(table, table.seat("Murphy"), wheat=5, stone=2)
        give(table, table.seat("Madrid"), wood=3)
    visitor_is(game, "Thug")
    return Game.objects.get(pk=game.pk)


def act(game: Game, name: str, action: str, key: str = "", **inputs: Any) -> Any:
    """Let the player of that name act."""
    return take(game.slug, game.players.get(name=name), action, inputs, key).entry


@pytest.fixture
def isle(db: None) -> Game:
    return thugs_isle()


@pytest.fixture
def others(isle: Game) -> dict[str, Watcher]:
    return {
        "nobody": Watcher.of(None),
        "outsider": Watcher.of(user_of("juan")),
        "rival": Watcher.of(isle.players.get(name="Madrid")),
        "another officer": Watcher.of(isle.players.get(name="Jason")),
        "operator": Watcher.of(User.objects.create_superuser("operator")),
    }


@pytest.mark.thorough
@pytest.mark.parametrize(("only", "walkers"), WALKS)
def test_not_a_byte_a_header_or_a_query_differs_when_a_bribe_is_told_changed_or_refused(
    only: Any, walkers: tuple[str, ...], isle: Game, others: dict[str, Watcher]
):
    if only is is_quick:  # nobody is told more than these
        walkers = ("rival", "operator")
    others = {name: others[name] for name in walkers}
    where = addresses(isle, only=only, few=only is is_quick)
    what_is_told(isle, others, where)  # what a process, a cache or a session makes once
    before = what_is_told(isle, others, where)
    act(isle, "Murphy", "settlers.bribe", key="first", items={"wheat": CANARY})
    act(isle, "Murphy", "settlers.bribe", items={"wheat": 3, "stone": 1})
    with pytest.raises(Malformed):
        act(isle, "Murphy", "settlers.bribe", items={"gold": 1})
    assert Bribe.objects.count() == 1
    assert differences(before, what_is_told(isle, others, where)) == []


def test_what_a_page_asks_for_again_and_again_tells_nobody_of_a_bribe(
    isle: Game, others: dict[str, Watcher]
):
    mark = shown_mark(isle.pk, str(watch.mark(isle.pk)))
    asked = [
        f"/g/table/settlers/?v={mark}&game={isle.pk}",
        f"/g/table/settlers/?v=1&game={isle.pk}",
        f"/g/table/?v={mark}&game={isle.pk}",
        f"/g/table/?v=1&game={isle.pk}",
        "/g/table/settlers/private/",
    ]

    def answers() -> dict[tuple[str, str], Any]:
        return {
            (name, each): told(watcher.browser.get(each, headers={"HX-Request": "true"}))
            for name, watcher in others.items()
            for each in asked
        }

    answers()
    before = answers()
    assert [before["rival", each][0] for each in asked] == [204, 200, 204, 200, 200]
    act(isle, "Murphy", "settlers.bribe", items={"wheat": CANARY})
    assert differences(before, answers()) == []
    assert shown_mark(isle.pk, str(watch.mark(isle.pk))) == mark


# Whatever has a number or an id that somebody may see, and how it is told apart from the others.
_NUMBERED: dict[type[Model], str] = {
    Entry: "game",
    Transfer: "game",
    Posting: "transfer__game",
    Balance: "asset__game",
    Appointment: "game",
    Period: "game",
    Roll: "period__game",
    Isle: "game",
    Settler: "game",
    Offer: "game",
    Visit: "game",
}


def ids(game: Game) -> dict[str, list[int]]:
    """The ids of all that is public, counted from the first of the game."""
    found = {}
    for model, path in _NUMBERED.items():
        rows = model._default_manager.filter(**{path: game}).order_by("pk")
        keys = list(rows.values_list("pk", flat=True))
        found[model.__name__] = [key - keys[0] for key in keys]
    return found


def record(game: Game) -> list[dict[str, Any]]:
    """The record without hashes, of which those of the sealed book are salted."""
    shown = ("seq", "at", "recorded_at", "kind", "name", "inputs", "outcome", "text", "rule")
    entries = list(game.entries.order_by("seq").values(*shown))
    for entry in entries:
        entry["outcome"].pop("note", None)
    return entries


def played_through(bribes: bool) -> tuple[Any, ...]:
    """An isle on which a bribe is told that nothing comes of, or none, and what is public of it."""
    game = thugs_isle()
    if bribes:
        for wheat in (CANARY, 7, 9):  # more than there is, so that it is worth nothing
            act(game, "Madrid", "settlers.bribe", items={"wheat": wheat})
    act(game, "Murphy", "settlers.offer_trade", to="Madrid", give={"wheat": 1}, take={"wood": 1})
    hours(game, 50)
    if bribes:
        act(game, "Madrid", "settlers.bribe", items={"brick": 1})
    act(game, "Madrid", "settlers.accept_trade", offer=1)
    hours(game, 48)
    act(game, "Murphy", "settlers.offer_trade", to="Madrid", give={"wheat": 1}, take={"wood": 1})
    assert not Bribe.objects.exists()
    isle = json.loads(Client().get("/api/v1/games/table/settlers").content)
    page = told(Client().get("/g/table/settlers/"))
    plain = re.sub(rf"game={game.pk}\b|v=[0-9a-f]{{20}}|-[0-9]+/\"", "", page[-1])  # ids, marks
    plain = re.sub(r"\b([0-9a-f]{32,128}\b|[0-9a-f]{8}…)", "#", plain)  # of the head
    found = record(game), ids(game), isle, re.split("(?<=>)", plain)
    Game.objects.filter(pk=game.pk).update(slug=f"past-{game.pk}")
    return found


def test_an_isle_where_nobody_bribes_goes_on_just_as_one_where_a_bribe_comes_to_nothing(
    monkeypatch: pytest.MonkeyPatch,
):
    """The same events, numbers, ids, chance and page: private acts leave no gap anywhere."""
    roll_after_nothing(monkeypatch)
    without, with_bribes = played_through(False), played_through(True)
    assert [entry["name"] for entry in without[0]].count("settlers.arrival") == 2
    for was, now in zip(without, with_bribes, strict=True):
        assert now == was


def test_a_page_at_an_error_and_the_log_do_not_quote_a_bribe_that_could_not_be_kept(
    isle: Game, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(RecordWriter, "__init__", _without_salt)
    murphy = Watcher.of(isle.players.get(name="Murphy"))
    murphy.browser.raise_request_exception = False
    page = murphy.browser.post(
        reverse("act", args=["table", "settlers.bribe"]), {"items_wheat": CANARY, "key": "k"}
    )
    program = Client(raise_request_exception=False).post(
        "/api/v1/games/table/actions/settlers.bribe",
        json.dumps({"items": {"wheat": CANARY}}),
        content_type="application/json",
        headers=murphy.headers,
    )
    for answer in (page, program):
        assert answer.status_code == 500
        assert not _CANARIES.search(answer.content.decode())
    said = log.getvalue()
    assert said.count("NotNullViolation") >= 2
    assert "Traceback" in said
    assert not _CANARIES.search(said)
    assert not Bribe.objects.exists()


def test_the_log_does_not_tell_that_a_bribe_was_told_or_refused(isle: Game, log: io.StringIO):
    murphy = Watcher.of(isle.players.get(name="Murphy"))
    program = Client()

    def send(inputs: Any) -> tuple[int, int]:
        page = murphy.browser.post(reverse("act", args=["table", "settlers.bribe"]), inputs["page"])
        answer = program.post(
            "/api/v1/games/table/actions/settlers.bribe",
            json.dumps({"items": inputs["items"]}),
            content_type="application/json",
            headers=murphy.headers,
        )
        return page.status_code, answer.status_code

    assert send({"page": {"items_wheat": "3"}, "items": {"wheat": CANARY}}) == (302, 201)
    assert send({"page": {"items_wheat": "-3"}, "items": {"gold": 1}}) == (422, 422)
    visitor_is(isle, "None")
    assert send({"page": {"items_wheat": "3"}, "items": {"wheat": 1}}) == (409, 409)
    assert murphy.browser.get("/g/table/nowhere/").status_code == 404
    assert [line.partition("django.request: ")[2] for line in log.getvalue().splitlines()] == [
        "Not Found: /g/table/nowhere/"
    ]


_begun = RecordWriter.__init__


def _without_salt(self: RecordWriter, game: Game, salt: Any) -> None:
    _begun(self, game, lambda book, number: None)


@pytest.mark.thorough
@pytest.mark.parametrize("few", FEW)
def test_a_game_that_is_stuck_while_bribes_are_paid_does_not_say_by_what_bribe(
    few: bool,
    isle: Game,
    others: dict[str, Watcher],
    log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
):
    act(isle, "Murphy", "settlers.bribe", items={"wheat": CANARY})
    with monkeypatch.context() as patch:
        patch.setattr("settlers.rules.thug._pay", lambda stockpile, bribe: (bribe, dict(stockpile)))
        hours(isle, 48 + 24)
    isle.refresh_from_db()
    assert "violates check constraint" in isle.stuck_error
    broken = isle.appointments.get(kind="settlers.arrival", status="waiting")
    for text in (isle.stuck_error, broken.error, log.getvalue()):
        assert "violates check constraint" in text
        assert not _CANARIES.search(text), text
    where = addresses(isle, only=is_quick, few=few)
    parts, near = (3, CLOSE) if few else (1, [])
    for place, name in enumerate(("operator", "another officer", "rival")):
        for address in part_of(where, place, parts, near):
            assert not _CANARIES.search(str(told(others[name].get(address)))), address
    act(isle, "snail", "games.retry_appointment")
    hours(isle, 1)
    arrival = isle.entries.get(name="settlers.arrival", outcome__before="Thug")
    assert arrival.outcome["paid"] == {"Murphy": {"wheat": 5}}


def test_the_wait_for_the_visitor_is_as_long_with_bribes_as_without(isle: Game):
    before = Game.objects.filter(pk=isle.pk).values("next_due", "wakes_at", "last_at").get()
    coming = list(isle.appointments.order_by("pk").values())
    act(isle, "Murphy", "settlers.bribe", items={"wheat": CANARY})
    act(isle, "Madrid", "settlers.bribe", items={"wheat": 1})
    assert Game.objects.filter(pk=isle.pk).values("next_due", "wakes_at", "last_at").get() == before
    assert list(isle.appointments.order_by("pk").values()) == coming
    assert before["next_due"] - before["last_at"] <= timedelta(hours=48)
