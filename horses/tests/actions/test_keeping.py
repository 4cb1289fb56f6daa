"""The Horsened keeps the week's motivation by hand, or leaves it to the system."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.urls import reverse

from horses.events import DEPUTISE, LAST_HOUR
from horses.tests.conftest import Stage
from nomic.games.clock import iso
from nomic.games.models import Player
from nomic.operations.replay import replay
from tests.kit import Take, at_the_table

KEEP = "horses.keep_by_hand"
OFFICER, SYSTEM = "the officer", "the system"


def ran(stage: Stage) -> list[bool]:
    entries = stage.game.entries.filter(name="horses.run").order_by("seq")
    return [entry.outcome["ran"] for entry in entries]


def test_the_system_motivates_unless_the_horsened_keeps_it_or_has_left(
    officer: Player, player: Player, act: Take, stage: Stage
) -> None:
    said = act(officer, KEEP, keeper=OFFICER).entry.text
    assert said == "snail decides that the officer motivates the horses if nobody has."
    stage.weeks()
    act(officer, KEEP, keeper=SYSTEM)
    stage.weeks()
    act(officer, KEEP, keeper=OFFICER)
    stage.weeks()
    act(officer, "games.resign_office", office="Horsened")
    stage.weeks()
    assert ran(stage) == [False, True, False, True]
    last = stage.last("horses.last_hour")
    assert last.at.minute == 0
    assert stage.last("horses.run").at - last.at == timedelta(hours=1)
    assert replay(stage.game)[1] is None


def test_a_week_that_the_horsened_let_go_by_is_told_wherever_they_are(
    officer: Player, player: Player, act: Take, stage: Stage, client: Client
) -> None:
    act(officer, KEEP, keeper=OFFICER)
    act(player, "horses.motivate")
    stage.weeks(3)
    says = (
        "The Horsened, snail, let the week of 9 March 2026 go by without seeing to it that the"
        " horses were motivated."
    )
    entries = stage.game.entries.filter(name="horses.run", outcome__has_key="breach")
    second, third = entries.order_by("seq")
    assert second.text == f"The horses did not run: nobody motivated them. {says}"
    assert third.outcome["breach"] == {
        "office": "Horsened",
        "officer": "snail",
        "says": says.replace("9 March", "16 March"),
    }
    told = {"entry": second.seq, "at": iso(second.at), **second.outcome["breach"]}
    reports = stage.game.entries.filter(name="reports.weekly").order_by("seq")
    first_report, second_report, third_report = (entry.outcome for entry in reports)
    assert "breaches" not in first_report["facts"]
    assert second_report["facts"]["breaches"] == [told]
    assert "LET GO BY SINCE THE REPORT BEFORE" in second_report["text"]
    assert [each["entry"] for each in third_report["facts"]["breaches"]] == [third.seq]
    offices = client.get(reverse("game", args=[stage.slug])).text
    assert f'<a href="{reverse("entry", args=[stage.slug, second.seq])}">{says}</a>' in offices
    breaches = client.get(f"/api/v1/games/{stage.slug}").json()["breaches"]
    assert [each["entry"] for each in breaches] == [third.seq, second.seq]
    assert breaches[1] == told
    assert replay(stage.game)[1] is None


def test_a_week_without_motivation_while_nobody_is_the_horsened_is_nobodys_breach(
    officer: Player, act: Take, stage: Stage
) -> None:
    game = stage.game
    game.settings = {**game.settings, DEPUTISE: False}
    game.save(update_fields=["settings"])
    with at_the_table(game) as table:
        table.appointments.cancel(LAST_HOUR)
    act(officer, "games.resign_office", office="Horsened")
    stage.weeks()
    assert stage.last("horses.run").text == "The horses did not run: nobody motivated them."
