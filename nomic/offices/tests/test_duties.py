"""What the front shows: duties, the clock, reports, pictures."""

from __future__ import annotations

import csv
import io
import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from nomic.engine import watch
from nomic.engine.events import find_event
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, set_pace
from nomic.record.models import Entry
from tests.kit import Visitor, on_one_line, tight

REPORT = "horsened"


def front(client: Client) -> str:
    """The desks' page without what tells a moment to a browser."""
    return re.sub("</?time[^>]*>", "", on_one_line(client.get(reverse("office:index")).text))


def paper(game: Game, **query: str | int) -> str:
    from django.utils.http import urlencode

    address = reverse("office:paper", args=[game.slug, REPORT])
    return f"{address}?{urlencode(query)}" if query else address


def a_week_on(game: Game) -> datetime:
    fresh = Game.objects.get(pk=game.pk)
    to = next_week(fresh.now(wall_now())) + timedelta(hours=1)
    advance(game.slug, to)
    return to


@pytest.fixture
def held(game: Game) -> Game:
    """The game, in which reports wait for their officer's look."""
    game.settings = {**game.settings, "reports.hold": True}
    game.save(update_fields=["settings"])
    return game


def test_horses_not_motivated_are_a_duty_until_somebody_motivates_them(
    game: Game, desk: Client, player: Player
) -> None:
    assert "The horses have not been motivated this week" in front(desk)
    assert "due by Mon 9 Mar 2026, 00:00" in front(desk)
    take(game.slug, player, "horses.motivate")
    assert "not been motivated" not in front(desk)
    assert "There is nothing to do now." in front(desk)


def test_a_held_report_is_overdue_until_it_is_published(
    held: Game, desk: Client, officer: Player
) -> None:
    a_week_on(held)
    shown = front(desk)
    assert "waits to be published" in shown
    assert "<strong>overdue</strong> since Mon 9 Mar 2026, 00:00" in shown
    assert shown.index("waits to be published") < shown.index("have not been motivated")
    act = reverse("office:act", args=[held.slug, "reports.publish"])
    preview = desk.post(act, {"report": REPORT})
    assert "THE HORSENED&#x27;S WEEKLY REPORT" in preview.text
    desk.post(act, {"report": REPORT, "confirmed": "yes"})
    assert "waits to be published" not in front(desk)


def test_the_report_is_shown_now_and_as_published_in_four_forms(
    game: Game, desk: Client, player: Player
) -> None:
    a_week_on(game)
    entry = Entry.objects.get(game=game, name="reports.weekly")
    page = desk.get(paper(game))
    assert "as it would be published now" in on_one_line(page.text)
    assert "CURRENCIES" in page.text
    assert f"?of={entry.seq}" in page.text
    take(game.slug, player, "horses.gain_dollaries")
    for of in ("now", str(entry.seq)):
        text = desk.get(paper(game, of=of, format="text"))
        assert text["Content-Type"].startswith("text/plain")
        told = desk.get(paper(game, of=of, format="json")).json()
        assert told["report"] == REPORT
        sheet = desk.get(paper(game, of=of, format="csv"))
        assert next(csv.reader(io.StringIO(sheet.text)))[0] == "part"
        assert "<table>" in desk.get(paper(game, of=of, format="html")).text
    now = desk.get(paper(game, of="now", format="json")).json()
    then = desk.get(paper(game, of=entry.seq, format="json")).json()
    assert then["currencies"]["Murphy"]["dollaries"] < now["currencies"]["Murphy"]["dollaries"]
    assert desk.get(paper(game, of=entry.seq, format="text")).text == entry.outcome["text"]


@pytest.mark.parametrize("of", ["999", "x", "-1", "1", "9" * 30])
def test_what_published_no_report_is_not_found(of: str, game: Game, desk: Client) -> None:
    assert desk.get(paper(game, of=of)).status_code == 404


def test_a_doubt_is_a_duty_until_it_is_answered(game: Game, desk: Client, player: Player) -> None:
    a_week_on(game)
    published = Entry.objects.get(game=game, name="reports.weekly").seq
    doubt = take(
        game.slug, player, "reports.doubt", {"entry": published, "what": "I have 11 dollaries"}
    ).entry
    assert "Murphy doubts the report" in front(desk)
    assert "I have 11 dollaries" in desk.get(paper(game)).text
    act = reverse("office:act", args=[game.slug, "reports.answer"])
    form = desk.get(act, {"doubt": doubt.seq})
    assert f'value="{doubt.seq}"' in form.text
    answer = {"doubt": doubt.seq, "correction": "", "reason": "you spent one"}
    assert "snail denies the doubt" in desk.post(act, answer).text
    desk.post(act, {**answer, "confirmed": "yes"})
    assert "Murphy doubts the report" not in front(desk)


def test_a_stuck_game_shows_its_error_and_the_ways_out(
    game: Game, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall(table: Table, subject: str) -> Outcome:
        raise RuntimeError("a horse fell")

    monkeypatch.setattr(find_event("horses.run"), "handler", fall)
    a_week_on(game)
    stuck = Game.objects.get(pk=game.pk)
    assert stuck.state == "stuck"
    shown = front(desk)
    assert "The game is stuck" in shown
    assert "RuntimeError: a horse fell" in shown
    assert "Retry…" in shown
    assert "Skip…" in shown
    skip = reverse("office:act", args=[game.slug, "games.skip_appointment"])
    assert "The event will never happen." in desk.post(skip, {"reason": "no chart"}).text
    desk.post(skip, {"reason": "no chart", "confirmed": "yes"})
    assert Game.objects.get(pk=game.pk).state == "running"


def test_the_clock_tells_whether_a_worker_lives(game: Game, desk: Client) -> None:
    assert "not needed: time is moved by hand" in front(desk)
    set_pace(game.slug, "fast", rate=1)
    assert "not heard of" in front(desk)
    watch.beat(wall_now())
    assert "<dd>running</dd>" in tight(front(desk))


def test_the_pictures_have_their_facts_as_tables_too(
    game: Game, desk: Client, player: Player
) -> None:
    take(game.slug, player, "horses.gain_dollaries")
    shown = front(desk)
    assert "positions after each run" in shown
    assert '<th scope="row">Fargo</th>' in shown
    assert '<th scope="row">Murphy</th>' in shown


def test_who_holds_many_offices_sees_each_game_once(
    game: Game, officer: Player, other_game: Game, visit: Visitor
) -> None:
    take(other_game.slug, officer.user, "games.join", {"name": "snail"})
    take(other_game.slug, officer.user, "games.take_office", {"office": "Horsened"})
    shown = front(visit(officer))
    assert shown.count(f'href="{reverse("office:desk", args=[other_game.slug])}"') >= 1
    assert shown.count('class="office-desk"') == 2


@pytest.mark.thorough
def test_a_site_with_many_games_shows_the_stuck_ones_first_and_no_more_than_a_page(
    game: Game, superuser: User, visit: Visitor
) -> None:
    from nomic.operations.setup import new_game

    for number in range(13):
        new_game(f"game-{number}", "agora-races", pace="manual", title=f"A {number}")
    Game.objects.filter(pk=game.pk).update(stuck_at=game.anchor_game, stuck_error="?", title="Z")
    shown = front(visit(superuser))
    assert shown.count('class="office-card"') == 12
    assert shown.index(">Z<") < shown.index(">A 0<")
    assert "list of games" in shown


@pytest.mark.parametrize("of", ["0", "-1", "x", "٣", "9" * 5_000])
def test_an_entry_that_published_no_report_has_no_such_page(
    game: Game, desk: Client, of: str
) -> None:
    answer = desk.get(paper(game, of=of))
    assert answer.status_code == 404
    assert "did not publish this report" in answer.text


@pytest.mark.thorough
def test_a_program_that_fails_is_a_duty_until_its_rule_is_mended(
    game: Game, superuser: User, player: Player, visit: Visitor
) -> None:
    def amend(program: str) -> None:
        text = f"Notes are taken.\n\n```python\n{program}\n```\n"
        change = {"rule": "Weekly Race Actions", "text": text, "reason": "a test"}
        take(game.slug, None, "rulebook.amend", change)

    desk = visit(superuser)
    amend('@every("week")\ndef notes():\n    1 / 0')
    assert "The program of" not in front(desk)
    a_week_on(game)
    assert "The program of “Weekly Race Actions” fails (notes, entry" in front(desk)
    assert "division by zero" in front(desk)
    amend('@every("week")\ndef notes(:\n    pass')
    assert "cannot be used as it stands: It cannot be read" in front(desk)
    amend('@every("week")\ndef notes():\n    say("Noted.")')
    assert "The program of" not in front(desk)
