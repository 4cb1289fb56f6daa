"""The Thug's choice checked by hand, and whatever was changed behind the record's back found."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client

from nomic.games.clock import standing_at
from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.web.api.tests.test_record_format import run
from settlers.events.appointments import take_the_bribes
from settlers.models import Bribe, Settler, Visit
from settlers.rules.titles import VISITORS
from settlers.tests.sealed import (
    act,
    asked,
    hash_of,
    let_be,
    produce,
    rolled,
    sha,
    thugs_isle,
    thugs_visit,
)
from settlers.tests.stage import bring_the_thug, give, hours, visitor_is
from tests.kit import WEDNESDAY, at_the_table, figure, seat

pytestmark = pytest.mark.django_db

_WHEAT = '"wheat": 999'
_ALL = "".join(f"| {total} || Thug\n" for total in (2, 3, 4, 6, 7, 8, 10, 11, 12))


@pytest.fixture
def isle(db: None) -> Game:
    return thugs_isle()


@pytest.fixture
def arrived(isle: Game) -> Game:
    """The Thug has come by the dice; Madrid and Murphy have told bribes, Murphy two."""
    let_be(isle, "| 5 || Merchant\n| 9 || Merchant", f"| 5 || Thug\n| 9 || Thug\n{_ALL}", VISITORS)
    hours(isle, 24)
    visit = Visit.objects.get(game=isle, over_in__isnull=True)
    assert (visit.visitor, visit.sealed) == ("Thug", True)
    act(isle, "Murphy", "settlers.bribe", items={"wheat": 1})
    act(isle, "Madrid", "settlers.bribe", items={"stone": 3})
    act(isle, "Murphy", "settlers.bribe", items={"wheat": 999, "stone": 1})
    return isle


def opened(game: Game) -> Visit:
    """The visit that goes on, after its end and its opening."""
    visit = Visit.objects.get(game=game, over_in__isnull=True)
    produce(game)
    hours(game, 24)
    for _ in range(2):
        produce(game)
    act(game, "snail", "settlers.open_visit", visit=visit.number)
    visit.refresh_from_db()
    return visit


def wrong(game: Game) -> list[str]:
    return [str(finding) for finding in audit(game) if finding.wrong]


def is_right(game: Game) -> None:
    game.refresh_from_db()
    assert wrong(game) == []
    assert replay(game)[1] is None


def behind_its_back(sql: str, *params: Any) -> None:
    """Change the database as nobody can but its operator, past the triggers."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql, params)
        assert cursor.rowcount == 1
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_everything_is_checked_from_public_json_alone(arrived: Game):
    """Commitment, seed, Victim, note, and the chain from one public anchor to the next."""
    visit = opened(arrived)
    record = {entry["seq"]: entry for entry in asked("record")["entries"]}
    game = record[1]["inputs"]["identity"]
    book = asked("record/opened")["entries"]
    dice = next(p for p in asked("dice")["periods"] if p["purpose"] == f"visit {visit.number}")
    begun, over, told = record[visit.entry], record[visit.over_in], record[visit.opened_in]

    assert begun["outcome"]["committed"] == {dice["purpose"]: dice["commitment"]}
    assert told["outcome"]["seed"] == dice["seed"]
    assert sha(bytes.fromhex(dice["seed"])) == dice["commitment"]

    note = next(entry for entry in book if entry["name"] == "record.note")
    found = note["outcome"]
    assert over["outcome"]["note"] == note["hash"]
    options = found["targets"]
    [made] = dice["rolls"]
    value = rolled(dice["seed"], game, (dice["purpose"], dice["number"]), made)
    assert made["options"] == options
    assert [options[value]] == over["outcome"]["victims"] == [found["victim"]]
    assert found["bribes"] == {
        "Madrid": {"stone": 3},
        "Murphy": {"wheat": 999, "stone": 1},
    }
    assert found["values"] == {"Alexia": 0, "Madrid": 3, "Murphy": 0}
    assert options == ["Alexia", "Murphy"]

    name = f"settlers/visit {visit.number}"
    head = sha(f"nomic sealed book {name} of {game}".encode())
    for number, entry in enumerate(book, 1):
        assert (entry["book"], entry["number"]) == (name, number)
        assert (entry["prev_hash"], entry["hash"]) == (head, hash_of(entry, game))
        assert [name, number, entry["hash"]] in told["outcome"]["opened"]
        head = entry["hash"]
    assert book[0]["hash"] == begun["anchors"][name]
    assert head == told["anchors"][name]
    assert [entry["name"] for entry in book].count("settlers.bribe") == 3


@pytest.mark.thorough
def test_what_the_onlooker_receives_by_hand_is_sealed_checked_and_replayed_as_well(isle: Game):
    """An officer's act has no anchor: its figures bind the note."""
    act(isle, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    visit = Visit.objects.get(game=isle, over_in__isnull=True)
    act(isle, "Murphy", "settlers.bribe", items={"wheat": 7_654_321})
    received = act(isle, "snail", "settlers.receive_visitor")
    assert received.outcome["paid"] == {"Murphy": {"wheat": 60}}
    assert not re.search(figure(7_654_321), json.dumps(asked("record")))
    for _ in range(2):
        produce(isle)
    told = act(isle, "snail", "settlers.open_visit", visit=visit.number)
    note = next(each for each in asked("record/opened")["entries"] if each["name"] == "record.note")
    assert hash_of(note, isle.identity) == note["hash"] == received.outcome["note"]
    options = note["outcome"]["targets"]
    dice = next(each for each in asked("dice")["periods"] if each["purpose"])
    [made], period = dice["rolls"], (dice["purpose"], dice["number"])
    value = rolled(str(told.outcome["seed"]), isle.identity, period, made)
    assert received.outcome["victims"] == [options[value]]
    is_right(isle)


@pytest.mark.thorough
def test_the_programs_of_the_documentation_and_the_command_and_the_page_agree(arrived: Game):
    visit = opened(arrived)
    assert "WRONG" not in run()
    said = io.StringIO()
    with redirect_stdout(said):
        call_command("verify-dice", "table", stdout=said)
    line = next(each for each in said.getvalue().splitlines() if f"of visit {visit.number}" in each)
    assert "the seed matches its commitment, and 1 roll its formula" in line
    page = Client().get("/g/table/dice/").content.decode()
    assert f"visit {visit.number}" in page


def test_before_the_seed_is_out_the_roll_is_in_no_book(arrived: Game):
    produce(arrived)
    hours(arrived, 24)
    periods = [each for each in asked("dice")["periods"] if each["purpose"]]
    assert [each["rolls"] for each in periods] == [[]] * len(periods)
    assert [each["seed"] for each in periods] == [None] * len(periods)
    said = io.StringIO()
    call_command("verify-dice", "table", stdout=said)
    assert "its seed is not published yet" in said.getvalue()
    assert "victim" not in Client().get("/g/table/dice/").content.decode()
    arrival = arrived.entries.filter(name="settlers.arrival", outcome__before="Thug").latest("seq")
    assert "victim</" not in Client().get(f"/g/table/record/{arrival.seq}/").content.decode()
    public = json.dumps([arrival.outcome, arrival.text, arrival.inputs])
    for word in (figure(999), "targets", "values", "bribe_value"):
        assert not re.search(word, public)
    assert arrival.outcome["paid"] == {
        "Madrid": {"stone": 3},
        "Murphy": {"stone": 1, "wheat": 60},
    }


def victim_by(key: int) -> str:
    """Who falls victim on an isle whose dice have that key, where all three are Targets."""
    game = new_game("table", "multa", pace="manual", start=WEDNESDAY, dice_key=bytes([key] * 32))[0]
    for name in ("Murphy", "Madrid", "Alexia"):
        seat(game, name)
        act(game, name, "settlers.join")
    with at_the_table(game) as table:
        bring_the_thug(table)
        for name in ("Murphy", "Madrid", "Alexia"):
            give(table, table.seat(name), wheat=1)
    visitor_is(game, "Thug")
    with at_the_table(game) as table:
        take_the_bribes(table)
    victim = Settler.objects.get(game=game, victim=True).player.name
    Game.objects.filter(pk=game.pk).update(slug=f"past-{game.pk}")
    return str(victim)


@pytest.mark.thorough
def test_the_same_key_chooses_the_same_victim_and_other_keys_every_other():
    """At the same moments: what was done last, and when, is part of every roll of an event."""
    with standing_at(WEDNESDAY):
        first = [victim_by(key) for key in range(5, 13)]
        again = [victim_by(key) for key in range(5, 8)]
    assert set(first) == {"Murphy", "Madrid", "Alexia"}
    assert again == first[:3]


@pytest.mark.thorough
def test_a_game_is_audited_and_replayed_with_told_pending_paid_and_opened_bribes(arrived: Game):
    is_right(arrived)
    produce(arrived)
    hours(arrived, 24)
    is_right(arrived)
    act(arrived, "Alexia", "settlers.bribe", items={"wheat": 7})
    for _ in range(2):
        produce(arrived)
    act(arrived, "snail", "settlers.open_visit", visit=1)
    is_right(arrived)


@pytest.mark.thorough
def test_a_game_goes_on_elsewhere_with_its_bribes(arrived: Game):
    opened(arrived)
    act(arrived, "Alexia", "settlers.bribe", items={"wheat": 7})
    arrived.refresh_from_db()
    file = io.StringIO()
    export_game(arrived, file)
    lines = file.getvalue().splitlines()
    copy = import_game(lines, slug="copy")
    assert copy.sealed_head == arrived.sealed_head
    items = Bribe.objects.filter(settler__game=copy).values_list("settler__player__name", "items")
    assert list(items) == [("Alexia", {"wheat": 7})]
    past = {"opened_in", "number", "over_in"}
    visits = [Visit.objects.filter(game=each).order_by("number") for each in (arrived, copy)]
    assert list(visits[0].values(*past)) == list(visits[1].values(*past))
    assert wrong(copy) == []
    told = next(each for each in lines if '"settlers.bribe"' in each and _WHEAT in each)
    forged = [each.replace(_WHEAT, '"wheat": 998') if each == told else each for each in lines]
    with pytest.raises(BadRecording):
        import_game(forged, slug="forged")


def test_a_changed_bribe_row_is_found_by_the_replay(arrived: Game):
    with transaction.atomic():
        behind_its_back(
            "UPDATE settlers_bribe SET items = '{\"stone\": 2}' WHERE items = '{\"stone\": 3}'"
        )
        arrived.refresh_from_db()
        difference = str(replay(arrived)[1])
        assert "settlers bribe" in difference
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("record.note", "outcome", '{"visit": 2, "targets": []}'),
        ("settlers.bribe", "inputs", '{"items": {"wheat": 2}}'),
    ],
)
def test_a_changed_note_or_sealed_bribe_is_found_by_the_audit(
    name: str, column: str, value: str, arrived: Game
):
    produce(arrived)
    hours(arrived, 24)
    sealed = arrived.sealed_entries.filter(name=name).latest("seq")
    with transaction.atomic():
        behind_its_back(
            f"UPDATE record_sealedentry SET {column} = %s WHERE id = %s",
            value,
            sealed.pk,
        )
        arrived.refresh_from_db()
        assert any(f"{sealed.label} does not continue it" in each for each in wrong(arrived))
        transaction.set_rollback(True)


@pytest.mark.thorough
def test_a_visit_opened_behind_the_records_back_is_found(isle: Game):
    visit = thugs_visit(isle, Murphy={"wheat": 1})
    with transaction.atomic():
        behind_its_back(
            "UPDATE record_sealedentry SET opened_in = 1 WHERE game_id = %s AND name = %s",
            isle.pk,
            "settlers.bribe",
        )
        isle.refresh_from_db()
        assert "do not agree" in " ".join(wrong(isle))
        transaction.set_rollback(True)
    behind = Visit.objects.filter(pk=visit.pk)
    behind.update(opened_in=visit.over_in)
    isle.refresh_from_db()
    assert "settlers visit" in str(replay(isle)[1])
