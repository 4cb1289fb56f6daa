"""The list of notices, what reaches somebody, the way out of e-mail, and calendars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from icalendar import Calendar

from nomic.engine.models import Appointment
from nomic.engine.outcomes import NoticeKind
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.fan_out import spread
from nomic.notices.models import Choices, Notice
from nomic.notices.preferences import choices_of
from nomic.operations.setup import new_game
from nomic.web.views.notices import GATHERED
from tests.kit import WEDNESDAY, Take, Visitor, around, on_one_line, seat


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def told(player: Player, rival: Player, act: Take, visit: Visitor) -> Player:
    """The rival, who has signed in once and was told of a vote."""
    visit(rival)
    act(player, "proposals.submit", title="Oats", body='Create a rule "Oats": Oats.')
    spread(wall_now())
    return rival


def badge(page: str) -> str:
    found = re.search(r'class="badge">(\d+)', re.sub(r"\s+", " ", page).replace('" >', '">'))
    return found[1] if found else ""


def test_the_header_counts_what_is_new_until_the_list_was_seen(
    told: Player, player: Player, visit: Visitor
) -> None:
    client = visit(told)
    assert badge(client.get("/").content.decode()) == "1"
    assert badge(visit(player).get("/").content.decode()) == ""
    client.head("/notices/")
    assert "new</span>" in (listed := client.get("/notices/").content.decode())
    assert "Proposal 1 “Oats” is open to votes." in listed
    assert "/g/table/proposals/1/" in listed
    again = client.get("/notices/").content.decode()
    assert badge(again) == ""
    assert 'accent">new' not in again


def test_what_comes_of_a_kind_in_a_game_on_a_day_is_one_line_with_each_in_it(
    told: Player, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Hay", body='Create a rule "Hay": Hay.')
    spread(wall_now())
    client = visit(told)
    assert badge(client.get("/").content.decode()) == "1"
    listed = on_one_line(client.get("/notices/").content.decode())
    assert "2 votes have opened" in listed
    assert "2 new</span>" in listed
    for title in ("Oats", "Hay"):
        assert f"“{title}” is open to votes." in listed


def test_two_games_of_one_title_are_told_apart(told: Player, visit: Visitor) -> None:
    there, *_ = new_game("other", "agora", pace="manual", start=WEDNESDAY)
    Game.objects.filter(pk=there.pk).update(title=told.game.title)
    client = visit(told)
    assert "(table)" not in client.get("/notices/").content.decode()
    first = Notice.objects.get(user=told.user)
    facts = {"kind": first.kind, "text": "It is open.", "url": "/", "at": first.at}
    Notice.objects.create(user=told.user, game=there, about="another", **facts)
    listed = client.get("/notices/").content.decode()
    assert f"{told.game.title} (table)" in listed
    assert f"{told.game.title} (other)" in listed


def test_each_kind_has_words_for_several_of_it() -> None:
    assert set(GATHERED) == set(NoticeKind)


def test_the_list_is_the_viewers_own(told: Player, player: Player, visit: Visitor) -> None:
    assert "Oats" not in visit(player).get("/notices/").content.decode()
    assert visit().get("/notices/").status_code == 302


def test_the_page_says_that_others_may_read_a_discord_channel(told: Player, visit: Visitor) -> None:
    page = visit(told).get("/settings/notices/").content.decode()
    assert "Others may read the channel" in page
    ticked = re.findall(r'name="discord_kinds"\s+value="(\w+)"[^>]*checked', page)
    every = ["vote", "named", "reply", "answer", "case", "result", "reckoning", "week", "away"]
    assert ticked == every


def test_choices_are_kept_and_shown_again(told: Player, visit: Visitor) -> None:
    client = visit(told)
    sent: dict[str, Any] = {
        "mail": "on",
        "digest": "on",
        "webhook": "https://example.org/hook",
        "site_kinds": ["vote", "named"],
        "mail_kinds": ["named"],
    }
    assert client.post("/settings/notices/", sent).status_code == 302
    assert told.user is not None
    kept = choices_of(told.user)
    assert (kept.mail, kept.digest, kept.fast) == (True, True, False)
    assert kept.kinds == {
        "site": ["vote", "named"],
        "mail": ["named"],
        "webhook": [],
        "discord": [],
        "push": [],
    }
    page = client.get("/settings/notices/").content.decode()
    assert "https://example.org/hook" in page
    ticked = re.findall(r'name="(\w+)"\s+value="(\w+)"[^>]*checked', page)
    assert ticked == [("site_kinds", "vote"), ("site_kinds", "named"), ("mail_kinds", "named")]


@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://example.org:22/", "nonsense"])
def test_an_address_that_is_never_called_is_not_kept(
    told: Player, visit: Visitor, address: str
) -> None:
    answer = visit(told).post("/settings/notices/", {"webhook": address})
    assert answer.status_code == 200
    assert not Choices.objects.exists()


def test_nobody_renews_by_looking_and_only_what_there_is(told: Player, visit: Visitor) -> None:
    client = visit(told)
    assert client.get("/settings/notices/renew/key/").status_code == 405
    assert client.post("/settings/notices/renew/mail/").status_code == 404
    assert visit().post("/settings/notices/renew/key/").status_code == 302
    assert not Choices.objects.exists()


def events(content: bytes) -> list[Any]:
    return list(Calendar.from_ical(content).walk("VEVENT"))  # type: ignore[attr-defined]


@pytest.fixture
@around
def a_wednesday() -> Iterator[None]:
    """No week ends while the test looks at what comes."""
    with time_machine.travel(WEDNESDAY, tick=False):
        yield


@pytest.fixture
def going(db: None, a_wednesday: None) -> Game:
    """A game whose time goes on by itself."""
    return new_game("going", "agora", pace="real", start=wall_now())[0]


def test_a_games_calendar_has_what_comes_at_its_wall_moments(going: Game, visit: Visitor) -> None:
    answer = visit().get("/g/going/calendar.ics")
    assert answer["Content-Type"].startswith("text/calendar")
    found = events(answer.content)
    assert "Agora, August 2022: The horses run" in [str(each["SUMMARY"]) for each in found]
    starts = sorted(each.start for each in found)
    assert wall_now() < starts[0] < wall_now() + timedelta(days=7)
    assert len({str(each["UID"]) for each in found}) == len(found)


def test_a_calendar_has_the_end_of_each_vote_with_its_number_and_its_page(
    going: Game, visit: Visitor
) -> None:
    murphy = seat(going, "Murphy")
    for title in ("Oats", "Hay"):
        take(going.slug, murphy, "proposals.submit", {"title": title, "body": "Oats."})
    votes = {
        str(each["SUMMARY"]): str(each["URL"])
        for each in events(visit().get("/g/going/calendar.ics").content)
        if "Voting" in str(each["SUMMARY"])
    }
    assert votes == {
        f"Agora, August 2022: Voting on Proposal {number} “{title}” closes": (
            f"http://localhost:8000/g/going/proposals/{number}/"
        )
        for number, title in ((1, "Oats"), (2, "Hay"))
    }


def test_a_hidden_appointment_is_in_no_calendar(going: Game, visit: Visitor) -> None:
    before = len(events(visit().get("/g/going/calendar.ics").content))
    Appointment.objects.filter(game=going, kind="horses.run").update(hidden=True)
    after = visit().get("/g/going/calendar.ics").content
    assert len(events(after)) == before - 1
    assert b"The horses run" not in after


def test_where_time_stands_still_the_calendar_is_empty(game: Game, visit: Visitor) -> None:
    assert events(visit().get("/g/table/calendar.ics").content) == []


def test_ones_own_calendar_opens_by_its_secret_address_until_that_is_renewed(
    going: Game, visit: Visitor
) -> None:
    mine = seat(going, "Murphy")
    page = visit(mine).get("/settings/notices/").content.decode()
    found = re.search(r"http://localhost:8000(/calendar/[^<\s]+\.ics)", page)
    assert found is not None
    assert events(visit().get(found[1]).content)
    visit(mine).post("/settings/notices/renew/calendar/")
    assert visit().get(found[1]).status_code == 404
    assert visit().get("/calendar/nobody/nomic.ics").status_code == 404


def test_a_notice_tells_no_number_of_how_many_there_are(told: Player) -> None:
    assert len(str(Notice.objects.get().number)) == 36
