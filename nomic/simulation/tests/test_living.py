"""The demonstration lives: it rests, wakes, is made anew, and goes on for as long as one looks."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db.models import F

from aceofspades.models import Contest
from horses.models import Race
from nomic.engine import watch
from nomic.engine.outcomes import Busy
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Pace
from nomic.governance.bots import add_bots, bots_of
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game, set_pace
from nomic.simulation.demonstration import demonstration
from nomic.simulation.demonstration.demonstration import (
    B_NOMIC,
    BEING_FILLED,
    look_after,
    make_anew,
)
from nomic.simulation.practice import _MOVES_A_WEEK, AWAKE_FOR, play
from nomic.web.demonstration import (
    PASSWORD,
    PLAYERS,
    SLUG,
    being_filled,
    end_filling,
    report_filling,
)
from proposals.models import Status
from settlers.rules.titles import GIFT
from tests.kit import Visitor, user_of
from tests.kit.steps import around

_BEGINS = datetime(2022, 8, 8, tzinfo=UTC)


def begun() -> Game:
    game, _ = new_game(SLUG, "demo", pace="manual", start=_BEGINS)
    add_bots(game, 3)
    return set_pace(SLUG, "fast", rate=2520)


@pytest.fixture
def filled_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fills the demonstration plays no weeks."""
    monkeypatch.setattr(demonstration, "_begin", lambda tell: begun())
    monkeypatch.setattr(demonstration, "fill_the_nweek", lambda say: end_filling(B_NOMIC))


@pytest.fixture
def demo(db: None) -> Game:
    return begun()


@pytest.fixture(autouse=True)
@around
def nothing_known() -> Any:
    cache.clear()
    yield
    cache.clear()


def looked_after(game: Game, wall: datetime) -> Game:
    """The demonstration after it has been looked after at that moment."""
    cache.delete("nomic:demonstration")
    look_after(wall)
    return Game.objects.get(slug=game.slug)


@pytest.mark.thorough
def test_its_time_stands_still_while_nobody_looks_and_goes_on_when_somebody_comes(
    demo: Game, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where time stands, tests record the game's moment as that of the wall, which then goes back.
    monkeypatch.setattr("nomic.operations.replayer.A_DAY", timedelta(days=10_000))
    wall = wall_now()
    assert looked_after(demo, wall).pace == Pace.MANUAL
    assert looked_after(demo, wall).last_entry == looked_after(demo, wall).last_entry
    page = visit().get(f"/g/{SLUG}/").content.decode()
    assert "begins anew" in page
    assert "end in <strong>-bot</strong>" in page
    assert looked_after(demo, wall_now()).pace == Pace.FAST
    assert looked_after(demo, wall_now() + AWAKE_FOR).pace == Pace.MANUAL
    assert replay(Game.objects.get(pk=demo.pk))[1] is None


def test_a_page_that_is_left_open_keeps_nobody_awake(demo: Game, visit: Visitor) -> None:
    asked = visit().get(f"/g/{SLUG}/", headers={"HX-Request": "true"})
    assert asked.status_code == 200
    assert looked_after(demo, wall_now()).pace == Pace.MANUAL


def test_a_game_that_is_still_being_filled_is_not_woken(demo: Game, visit: Visitor) -> None:
    second, _ = new_game(B_NOMIC, "b-nomic-2006", pace="manual", start=_BEGINS)
    report_filling(B_NOMIC, "Two nweeks of B Nomic are played.", 1, 2)
    cache.set(BEING_FILLED, 1)
    assert visit().get(f"/g/{SLUG}/").status_code == 200
    looked_after(demo, wall_now())
    assert Game.objects.get(pk=second.pk).pace == Pace.MANUAL
    end_filling(B_NOMIC)
    looked_after(demo, wall_now())
    assert Game.objects.get(pk=second.pk).pace == Pace.FAST


def test_the_front_page_wakes_no_game(demo: Game, visit: Visitor) -> None:
    user = user_of("guest")
    take(SLUG, user, "games.join", {"name": "guest"})
    take(SLUG, demo.players.get(name="guest"), "horses.motivate")
    assert visit(user).get("/").status_code == 200
    assert watch.last_look(demo.pk) is None


def test_who_wants_to_join_is_told_that_it_begins_anew(demo: Game, visit: Visitor) -> None:
    assert "begins anew" in visit().get(f"/g/{SLUG}/join/").content.decode()


def test_only_the_demonstration_rests(db: None) -> None:
    ours, _ = new_game("ours", "demo", pace="fast", start=_BEGINS)
    add_bots(ours, 1)
    look_after(wall_now())
    assert Game.objects.get(pk=ours.pk).pace == Pace.FAST


@pytest.mark.thorough
def test_it_is_made_anew_when_it_is_old_and_who_has_played_keeps_a_seat(
    demo: Game, filled_soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("guest", "looker"):
        take(SLUG, user_of(name), "games.join", {"name": name})
    take(SLUG, demo.players.get(name="guest"), "settlers.join")
    monkeypatch.setattr(demonstration, "_ENTRIES", (1, 2))
    wall = wall_now()
    assert looked_after(demo, wall + timedelta(minutes=9)).pk == demo.pk, "somebody plays"
    wall += timedelta(minutes=11)
    monkeypatch.setattr(demonstration, "_ENTRIES", (1, 10_000))
    watch.look(demo.pk, wall)
    assert looked_after(demo, wall).pk == demo.pk, "somebody is about"
    anew = looked_after(demo, wall + timedelta(minutes=6))
    assert anew.pk != demo.pk
    assert not Game.objects.filter(pk=demo.pk).exists()
    assert seats_in(anew) == ["guest", "looker"], "who has only joined, too"
    assert bots_of(anew).count() == 3
    take(SLUG, anew.players.get(name="guest"), "settlers.join")
    monkeypatch.setattr(demonstration, "_ENTRIES", (1, 2))
    wall = wall_now() + timedelta(minutes=11)
    watch.look(anew.pk, wall)
    again = looked_after(anew, wall)
    assert again.pk != anew.pk, "it is too old to wait"
    assert seats_in(again) == ["guest"], "nobody is seated again and again who does nothing"


def seats_in(game: Game) -> list[str]:
    """The people who play there, each by their own name."""
    people = game.players.filter(bot=False, active=True, name=F("user__username"))
    return list(people.order_by("name").values_list("name", flat=True))


@pytest.mark.thorough
def test_a_filling_that_was_cut_short_is_taken_up_with_the_seats_to_give_again(
    demo: Game, filled_soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(SLUG, user_of("guest"), "games.join", {"name": "guest"})

    def is_killed(tell: object) -> None:
        new_game(SLUG, "demo", pace="manual", start=_BEGINS)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(demonstration, "_begin", is_killed)
        with pytest.raises(KeyboardInterrupt):
            make_anew(demo)
    torso = Game.objects.get(slug=SLUG)
    assert torso.pk != demo.pk
    cache.set(BEING_FILLED, 1)
    assert looked_after(torso, wall_now()).pk == torso.pk, "somebody is at it"
    cache.delete(BEING_FILLED)
    anew = looked_after(torso, wall_now())
    assert anew.pk != torso.pk
    assert seats_in(anew) == ["guest"]
    assert bots_of(anew).count() == 3
    assert not being_filled(SLUG)
    assert cache.get(BEING_FILLED) is None


@pytest.mark.thorough
def test_a_game_that_is_busy_as_it_is_removed_is_tried_again(
    demo: Game, filled_soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_busy(game: Game) -> None:
        raise Busy

    with monkeypatch.context() as patch:
        patch.setattr(demonstration, "remove_game", is_busy)
        assert make_anew(demo) is None
    assert looked_after(demo, wall_now()).pk != demo.pk
    assert not being_filled(SLUG)


@pytest.mark.thorough
def test_a_torso_is_removed_and_filled_from_the_beginning_by_the_command_too(
    demo: Game, filled_soon: None
) -> None:
    report_filling(SLUG, "Week 3 is played.", 3, 10)
    call_command("demo")
    assert Game.objects.get(slug=SLUG).pk != demo.pk
    assert not being_filled(SLUG)


def test_where_there_was_no_demonstration_none_appears_by_itself(db: None) -> None:
    look_after(wall_now())
    assert not Game.objects.exists()


def test_a_persons_account_gets_no_seat_of_the_demonstration(db: None) -> None:
    person = User.objects.create_user("juan", password="a long walk to Fargo")
    seated = demonstration._user_for("juan")
    assert seated != person
    assert demonstration._user_for("juan") == seated
    assert not seated.has_usable_password()
    with pytest.raises(ValidationError):
        User.username_validator(seated.username)
    assert demonstration._user_for("snail").check_password(PASSWORD), "on one's own machine"


def test_on_a_public_site_nobody_signs_in_with_the_published_password(
    db: None, settings: Any
) -> None:
    before = demonstration._user_for("snail")
    settings.ORIGIN = "https://nomic.example"
    for name in PLAYERS:
        assert not demonstration._user_for(name).has_usable_password()
    before.refresh_from_db()
    assert not before.has_usable_password()


@pytest.mark.thorough
def test_it_is_made_anew_at_once_where_somebody_has_taken_it_over(
    demo: Game, filled_soon: None
) -> None:
    wall = wall_now()
    watch.look(demo.pk, wall)
    begins = demo.settings
    for taken in (
        {"settings": {**begins, "closed": True}},
        {"settings": {**begins, "seen_by": "link"}},
        {"settings": {**begins, "joined_by": "host"}},
        {"host": user_of("guest")},
    ):
        Game.objects.filter(slug=SLUG).update(**taken)
        demo = looked_after(demo, wall)
        assert (demo.settings, demo.host) == (begins, None), taken


@pytest.mark.parametrize("decided", ["the contest", "the isle"])
def test_it_is_made_anew_some_time_after_something_is_decided(demo: Game, decided: str) -> None:
    wall = wall_now()
    watch.look(demo.pk, wall)
    assert not demonstration._is_to_go(demo, wall + timedelta(minutes=6))
    at = demo.now(wall) - timedelta(weeks=3)
    if decided == "the contest":
        Contest.objects.filter(game=demo).update(reckoned_at=at, reckoned_in=1)
    else:
        demo.wins.create(player=bots_of(demo)[0], entry=1, at=at, rule=GIFT, how="4 Cones")
    assert not demonstration._is_to_go(demo, wall), "somebody is about"
    assert demonstration._is_to_go(demo, wall + timedelta(minutes=6))
    assert demonstration._is_to_go(demo, wall + timedelta(minutes=4)), "it is too long ago to wait"


def test_a_demonstration_that_somebody_has_paused_is_made_anew_once_they_are_gone(
    demo: Game,
) -> None:
    take(SLUG, None, "games.pause", {"reason": "Tea."})
    demo.refresh_from_db()
    wall = wall_now()
    watch.look(demo.pk, wall)
    assert not demonstration._is_to_go(demo, wall)
    assert demonstration._is_to_go(demo, wall + timedelta(minutes=6))


@pytest.mark.slow
@pytest.mark.django_db
def test_the_whole_demonstration_is_made_anew() -> None:
    first = demonstration.fill()
    anew = make_anew(first)
    assert anew is not None
    assert anew.last_entry > 150
    assert not [finding for finding in audit(anew) if finding.wrong]
    assert not Game.objects.exclude(slug__in=(SLUG, "b-nomic")).exists()


@pytest.mark.slow
@pytest.mark.django_db
@time_machine.travel(datetime(2022, 9, 5, tzinfo=UTC))  # what is played by hand is recorded so, too
def test_it_is_as_alive_after_an_hour_and_after_months_of_its_time_as_in_the_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demonstration, "_PLAYS", timedelta(0))  # all of it within minutes
    game = _standing_still(demonstration.fill())
    began = game.last_entry
    entries, remade = Counter[int](), 0
    for week in range(21):  # of 240 seconds each
        for _ in range(_MOVES_A_WEEK):
            advance(SLUG, game.now(wall_now()) + timedelta(days=7) / _MOVES_A_WEEK)
            assert play(game, wall_now()) is not None
            game.refresh_from_db()
            assert game.state == "running"
            assert game.proposals.filter(status=Status.OPEN).exists()
        entries[week] = game.last_entry - began
        began = game.last_entry
        _lived_through(game, game.now(wall_now()) - timedelta(days=7))
        assert not [finding for finding in audit(game) if finding.wrong]
        if demonstration._is_to_go(game, wall_now()):
            anew = make_anew(game)
            assert anew is not None
            game, remade = _standing_still(anew), remade + 1
            began = game.last_entry
    assert max(entries.values()) < 150
    assert remade in (1, 2), "where its contest was over for a while"
    assert replay(game)[1] is None


def _standing_still(game: Game) -> Game:
    """The game at manual pace: the test moves its time."""
    return set_pace(game.slug, Pace.MANUAL)


def _lived_through(game: Game, week: datetime) -> None:
    """Check that things went on since that moment in every part of the game."""
    since = game.entries.filter(at__gte=week)
    decided = game.proposals.filter(closed_at__gte=week - timedelta(days=7))
    assert decided.filter(closed_at__gte=week).exists()
    assert decided.filter(passed=True).exists()
    for part in ("horses", "settlers", "proposals"):
        assert since.filter(name__startswith=f"{part}.", actor__bot=True).exists(), part
    assert Race.objects.filter(game=game, ended_in=None).exists()
