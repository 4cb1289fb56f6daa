"""Pausing, closing and switching a program off need no catching up, and the record replays."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from threading import Event
from time import monotonic
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from nomic.engine import catch_up as catching_up
from nomic.engine.catch_up import keep_next, sweep
from nomic.engine.dry_run import rehearse
from nomic.engine.outcomes import Behind, Refused, UnknownAction
from nomic.engine.programs.tests.conftest import block
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.engine.tests.tiny import COINS, OFFICE
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.recalculation.revision import Revision
from nomic.notices.models import Outgoing
from nomic.operations.audit import audit
from nomic.operations.recalculation.report import recalculate
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.record.models import Entry
from nomic.web.game_context import public_rule_url
from nomic.web.tokens import make_token
from tests.kit import all_at_once, around, seat, sign_in_client
from tests.kit.cast import user_of

BEGINS = datetime(2026, 3, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
WHY = "it costs too much"
WAGES = """
@every("day")
def wages():
    for player in players():
        give(player, 1, "coin")

@action("wave", "Wave")
def wave(me: Player):
    say(f"{me} waves.")
"""


@around
@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(BEGINS, tick=False) as wall:
        yield wall


@pytest.fixture
def host(db: None) -> User:
    return user_of("hilda")


@pytest.fixture
def begun(wall: time_machine.Traveller, host: User) -> Game:
    """A game at real pace whose program pays wages each day, ten days later."""
    game = new_game("behind", "tiny", pace="real", host=host)[0]
    seat(game, "Murphy")
    change = {"rule": COINS, "text": block(WAGES), "reason": "a test"}
    take(game.slug, None, "rulebook.amend", change)
    take(game.slug, game.players.get(name="Murphy"), "rule.coins.wave")
    wall.shift(10 * DAY)
    return game


@pytest.fixture
def behind(begun: Game) -> Game:
    """The same, of which three days have happened, and which is over its share."""
    sweep(limit=3)
    Game.objects.filter(pk=begun.pk).update(busy_until=wall_now() + DAY)
    begun.refresh_from_db()
    return begun


@pytest.fixture
def murphy(behind: Game) -> Player:
    return behind.players.get(name="Murphy")


def wages(game: Game) -> list[datetime]:
    found = game.entries.filter(name="rule.day").order_by("seq")
    return list(found.values_list("at", flat=True))


def is_sound(game: Game) -> None:
    game.refresh_from_db()
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_a_pause_comes_before_what_is_due_and_that_happens_when_time_goes_on(
    behind: Game, wall: time_machine.Traveller
) -> None:
    due = behind.next_due
    assert due is not None
    entry = take(behind.slug, None, "games.pause", {"reason": WHY}).entry
    assert (entry.at, len(wages(behind)), sweep()) == (due, 3, 0)
    before = behind.entries.get(seq=entry.seq - 1)
    assert before.text.startswith("The game was behind, so its clock was set back by 6 days, 12:")
    wall.shift(DAY)
    take(behind.slug, None, "games.resume")
    behind.refresh_from_db()
    assert glance(behind).now == due
    sweep()
    assert wages(behind)[3:] == [due]
    wall.shift(DAY)
    sweep()
    assert wages(behind)[4:] == [due + DAY]
    is_sound(behind)


def test_a_game_that_is_behind_is_closed_at_once(behind: Game, host: User) -> None:
    take(behind.slug, host, "games.close", {"reason": WHY})
    assert sweep() == 0
    is_sound(behind)
    assert (behind.is_closed, len(wages(behind))) == (True, 3)


@pytest.mark.thorough
def test_nothing_runs_of_a_program_that_is_switched_off(
    behind: Game, murphy: Player, wall: time_machine.Traveller
) -> None:
    inputs = {"rule": COINS, "reason": WHY}
    entry = take(behind.slug, None, "games.switch_off_program", inputs).entry
    assert entry.text == "Who runs the game switches the program of “Coins” off: it costs too much"
    sweep()
    assert len(wages(behind)) == 3
    with pytest.raises(UnknownAction, match=r"There is no action “rule\.coins\.wave”"):
        take(behind.slug, murphy, "rule.coins.wave")
    is_sound(behind)


@pytest.mark.thorough
def test_switched_on_again_it_goes_on_from_then(
    behind: Game, murphy: Player, wall: time_machine.Traveller
) -> None:
    inputs = {"rule": COINS, "reason": WHY}
    take(behind.slug, None, "games.switch_off_program", inputs)
    sweep()
    take(behind.slug, None, "games.switch_on_program", inputs)
    wall.shift(DAY)
    sweep()
    assert wages(behind)[3:] == [datetime(2026, 3, 15, tzinfo=UTC)]
    assert (
        take(behind.slug, murphy, "rule.coins.wave").entry.text == "“Coins” says: “Murphy waves.”"
    )
    is_sound(behind)


@pytest.mark.thorough
def test_another_text_of_the_rule_has_its_program_on(behind: Game, murphy: Player) -> None:
    take(behind.slug, None, "games.switch_off_program", {"rule": COINS, "reason": WHY})
    sweep()
    change = {"rule": COINS, "text": block(WAGES + "\n# again"), "reason": "a test"}
    take(behind.slug, None, "rulebook.amend", change)
    assert (
        take(behind.slug, murphy, "rule.coins.wave").entry.text == "“Coins” says: “Murphy waves.”"
    )
    is_sound(behind)


def test_the_rulebooks_keeper_switches_it_off_and_no_other_player_does(
    behind: Game, murphy: Player
) -> None:
    inputs = {"rule": COINS, "reason": WHY}
    with pytest.raises(Refused, match="Only an officer"):
        take(behind.slug, murphy, "games.switch_off_program", inputs)
    sweep()
    take(behind.slug, None, "games.appoint", {"player": "Murphy", "office": OFFICE})
    told = take(behind.slug, murphy, "games.switch_off_program", inputs).entry.text
    assert told == "Murphy switches the program of “Coins” off: it costs too much"


def test_the_host_does_it_while_the_game_cannot_keep_up_with_it_and_it_goes_on(
    begun: Game, host: User, settings: Any
) -> None:
    inputs = {"rule": COINS, "reason": WHY}
    with pytest.raises(Refused, match="Join it first"):
        take(begun.slug, host, "games.switch_off_program", inputs)
    settings.BOUNDS = {"game_patience": 0.0}
    Game.objects.filter(pk=begun.pk).update(
        load={"since": "2026-04-01T00:00:00.000000Z", "spent": 900.0, "rules": {COINS: 800.0}}
    )
    sweep()
    begun.refresh_from_db()
    assert "the program of “Coins” takes" in begun.set_aside
    with pytest.raises(Refused, match="cannot keep up with its own rules"):
        take(begun.slug, begun.players.get(), "tiny.whisper", {"words": "xyzzy"})
    take(begun.slug, host, "games.switch_off_program", inputs)
    begun.refresh_from_db()
    assert (begun.state, begun.set_aside) == ("running", "")
    is_sound(begun)


def test_what_the_operator_has_set_aside_no_switch_lets_go_on(behind: Game) -> None:
    Game.objects.filter(pk=behind.pk).update(set_aside="The operator looks at it.", load={})
    take(behind.slug, None, "games.switch_off_program", {"rule": COINS, "reason": WHY})
    behind.refresh_from_db()
    assert behind.set_aside == "The operator looks at it."
    take(behind.slug, None, "games.pause", {"reason": WHY})
    is_sound(behind)


def test_a_recalculation_keeps_what_was_due_at_that_moment_behind_the_urgent_act(
    behind: Game, wall: time_machine.Traveller
) -> None:
    take(behind.slug, None, "games.switch_off_program", {"rule": COINS, "reason": WHY})
    sweep()
    behind.refresh_from_db()
    struck = behind.entries.get(name="rule.coins.wave").seq
    report = recalculate(behind, Revision("strike", struck), lambda *_: None)
    assert [step.went for step in report.steps] == ["struck"]


def somebody_waits() -> bool:
    """For an advisory lock of this database, as what is urgent does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND"
            " database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("games.pause", {"reason": WHY}),
        ("games.close", {"reason": WHY}),
        ("games.switch_off_program", {"rule": COINS, "reason": WHY}),
    ],
)
def test_it_comes_next_while_a_sweep_works_on_the_same_game(
    behind: Game, monkeypatch: pytest.MonkeyPatch, name: str, inputs: dict[str, str]
) -> None:
    has_begun = Event()

    def keep(game: Game, *prepared: Any) -> object:
        step = keep_next(game, *prepared)
        if not has_begun.is_set():
            has_begun.set()
            until = monotonic() + 20
            while not somebody_waits() and monotonic() < until:
                pass
        return step

    def act() -> object:
        has_begun.wait(20)
        return take(behind.slug, None, name, inputs).entry

    monkeypatch.setattr(catching_up, "keep_next", keep)
    swept, entry = all_at_once(lambda: sweep(limit=2), act)
    assert isinstance(entry, Entry), entry
    assert swept == 1
    assert behind.entries.filter(name="rule.day", seq__lt=entry.seq).count() == 4
    assert len(wages(behind)) == 4
    is_sound(behind)


@pytest.mark.thorough
def test_each_is_a_command_and_so_is_what_lets_a_game_go_on(behind: Game) -> None:
    told = StringIO()
    call_command("switch-off", behind.slug, COINS, reason=WHY, stdout=told)
    call_command("pause", behind.slug, reason=WHY, stdout=told)
    call_command("let-go-on", behind.slug, stdout=told)
    Game.objects.filter(pk=behind.pk).update(set_aside="The operator looks at it.", load={})
    call_command("let-go-on", behind.slug, stdout=told)
    call_command("close", behind.slug, reason=WHY, stdout=told)
    off, pause, no, yes, close = told.getvalue().splitlines()
    last = behind.entries.latest("seq")
    assert off.startswith("Who runs the game switches the program of “Coins” off: it costs too")
    assert "pauses the game" in pause
    assert (no, yes[:18]) == ("The game is not set aside.", "The game goes on: ")
    assert close == f"{last.text} (entry {last.seq})"
    with pytest.raises(CommandError, match="The game is closed"):
        call_command("pause", behind.slug, reason=WHY, stdout=told)
    is_sound(behind)
    assert (behind.is_closed, behind.set_aside, len(wages(behind))) == (True, "", 3)


# What is told of it


@pytest.fixture
def out_of_breath(begun: Game, host: User, settings: Any) -> Game:
    """The game as it is when it could not keep up with its own rules."""
    User.objects.create_superuser("root")
    settings.BOUNDS = {"game_patience": 0.0}
    load = {"since": "2026-04-01T00:00:00.000000Z", "spent": 900.0, "rules": {COINS: 800.0}}
    Game.objects.filter(pk=begun.pk).update(load=load)
    sweep(limit=1)
    begun.refresh_from_db()
    assert begun.set_aside
    return begun


def signed_in(name: str) -> Client:
    client = Client()
    sign_in_client(client, User.objects.get(username=name))
    return client


def test_host_and_operator_are_told_which_rule_costs_what(out_of_breath: Game) -> None:
    told = Outgoing.objects.get(about__contains="set aside")
    assert sorted(User.objects.filter(pk__in=told.users).values_list("username", flat=True)) == [
        "hilda",
        "root",
    ]
    why = "The game cannot keep up with its own rules: the program of “Coins” takes"
    assert told.text.startswith(f"“A tiny game” is set aside. {why}")
    assert told.url == "/g/behind/"


def test_the_hosts_pages_say_why_and_lead_to_what_helps(out_of_breath: Game) -> None:
    host, operator = signed_in("hilda"), signed_in("root")
    for address in ("/g/behind/", "/g/behind/host/"):
        page = host.get(address).content.decode()
        assert "<strong>The game is set aside.</strong> The game cannot keep up with its" in page
    desk = operator.get("/office/g/behind/").content.decode()
    assert "the program of “Coins” takes" in desk
    assert "/office/g/behind/act/games.switch_off_program/?rule=Coins" in desk


def test_the_rules_page_and_the_machinery_say_that_nothing_of_its_program_runs(
    behind: Game, client: Client
) -> None:
    entry = take(
        behind.slug, None, "games.switch_off_program", {"rule": COINS, "reason": WHY}
    ).entry
    page = client.get(public_rule_url(glance(behind), COINS)).content.decode()
    assert "Nothing of its program runs since" in page
    assert f"/record/{entry.seq}/" in page
    assert WHY in page.partition("Nothing of its program runs since")[2].partition("</p>")[0]
    machinery = client.get(f"/api/v1/games/{behind.slug}/machinery").json()
    assert machinery["programs"] == []
    assert machinery["switched_off"] == [{"rule": COINS, "entry": entry.seq, "text": entry.text}]


# How acts in a game that is behind are answered


@pytest.fixture
def client(murphy: Player) -> Client:
    client = Client()
    assert murphy.user is not None
    sign_in_client(client, murphy.user)
    return client


@pytest.mark.thorough
@pytest.mark.parametrize("is_live", [False, True])
def test_a_page_says_by_how_much_the_game_is_behind(
    behind: Game, client: Client, is_live: bool
) -> None:
    headers = {"HX-Request": "true"} if is_live else {}
    sent = {"words": "xyzzy", "key": "once"}
    answer = client.post(f"/g/{behind.slug}/act/tiny.whisper/", sent, headers=headers)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert b"This game is behind by 6 days; nothing is lost" in answer.content
    sweep()
    assert (
        client.post(f"/g/{behind.slug}/act/tiny.whisper/", sent, headers=headers).status_code < 400
    )
    assert behind.sealed_entries.filter(name="tiny.whisper").count() == 1


def test_a_program_is_told_the_same(behind: Game, murphy: Player) -> None:
    assert murphy.user is not None
    secret = make_token(murphy.user, "a test")[1]
    answer = Client().post(
        f"/api/v1/games/{behind.slug}/actions/tiny.whisper",
        {"words": "xyzzy"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": "once"},
    )
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert answer.json()["detail"].startswith("This game is behind by 6 days; nothing is lost")
    behind.refresh_from_db()
    assert not behind.sealed_entries.filter(name="tiny.whisper").exists()


def test_who_only_looks_beforehand_is_told_too(behind: Game) -> None:
    operator = user_of("op")
    operator.is_superuser = True
    before = behind.last_entry
    assert "pauses the game" in rehearse(behind.slug, operator, "games.pause", {"reason": WHY}).text
    behind.refresh_from_db()
    assert behind.last_entry == before
    with pytest.raises(Behind):
        take(behind.slug, operator, "games.set_bound", {"bound": "rolls", "most": 1, "reason": WHY})
