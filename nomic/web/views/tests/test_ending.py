"""What a game that is over says of itself, and what it offers no more."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User

from horses.models import Runner
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.admission import token_of
from nomic.games.clock import wall_now
from nomic.games.models import Game, Invitation, Player, Win
from nomic.notices import reminders
from nomic.notices.fan_out import spread
from nomic.notices.mail import message
from nomic.notices.models import Notice
from nomic.notices.tests.conftest import write_to
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Visitor, seat, user_of


@pytest.fixture
def host(db: None) -> User:
    return user_of("Murphy")


@pytest.fixture
def game(host: User) -> Game:
    return new_game("table", "agora", pace="manual", start=WEDNESDAY, host=host, offices="open")[0]


@pytest.fixture
def murphy(game: Game) -> Player:
    return seat(game, "Murphy")


@pytest.fixture
def over(game: Game, murphy: Player) -> Game:
    """A game with an open invitation, which its host has closed."""
    Invitation.objects.create(game=game, name="Friends", most=5, made_at=wall_now())
    take(game.slug, host_of(game), "games.close", {"reason": "We are through."})
    game.refresh_from_db()
    return game


def host_of(game: Game) -> User:
    assert isinstance(game.host, User)
    return game.host


def test_its_home_says_that_it_is_over_and_offers_nothing(
    over: Game, murphy: Player, visit: Visitor
) -> None:
    page = visit(murphy.user).get(f"/g/{over.slug}/").text
    assert "The game is over" in page
    assert f"/g/{over.slug}/end/" in page
    of_games_that_go_on = ("take it", "resign</a>", "when somebody moves the clock")
    for false in (
        *("resumes it", "is paused", "Propose a change", "Say it", "Join the game"),
        *of_games_that_go_on,
    ):
        assert false not in page, false


def test_its_subgames_invite_nobody(over: Game, visit: Visitor) -> None:
    for path in ("", "horses/", "proposals/"):
        page = visit(user_of("juan")).get(f"/g/{over.slug}/{path}").text
        assert "Join the game" not in page, path
        assert "Play along" not in page, path


def test_nothing_that_was_announced_waits_in_it(host: User, visit: Visitor) -> None:
    game = new_game("waits", "agora", pace="manual", start=WEDNESDAY, host=host, offices="support")[
        0
    ]
    player, _ = seat(game, "Murphy"), seat(game, "Madrid")
    take(game.slug, player, "games.stand", {"office": "Assessor"})
    assert 'id="announced"' in visit(player.user).get("/g/waits/").text
    take(game.slug, host, "games.close", {"reason": "We are through."})
    assert 'id="announced"' not in visit(player.user).get("/g/waits/").text
    listed = visit(player.user).get("/g/waits/motions/").text
    assert listed.count("The game was over before it was decided.") == 1
    one = visit(player.user).get("/g/waits/motions/1/").text
    for false in ("Withdraw</", "supporters that it needs", "Nobody's support"):
        assert false not in listed + one, false
    assert visit().get("/api/v1/games/waits").json()["motions"] == []


def test_its_invitation_says_that_it_is_over(over: Game, visit: Visitor) -> None:
    link = f"/i/{token_of(over.invitations.get())}/"
    answer = visit(user_of("juan")).get(link)
    assert answer.status_code == 410
    assert "This game is over" in answer.text


def test_nothing_waits_in_it_for_its_officers(over: Game, visit: Visitor) -> None:
    operator = user_of("operator")
    operator.is_staff = operator.is_superuser = True
    operator.save()
    page = visit(operator).get(f"/office/g/{over.slug}/").text
    assert "until somebody resumes it" not in page


def test_the_end_tells_who_won_how_the_rules_changed_and_what_to_take_along(
    over: Game, visit: Visitor
) -> None:
    page = visit().get(f"/g/{over.slug}/end/")
    assert page.status_code == 200
    assert "We are through." in page.text
    assert "Nobody won by the rules" in page.text
    assert "stayed as they were" in page.text
    assert f"/start/?preset={over.preset}" in page.text


@pytest.mark.thorough
def test_a_win_and_the_rules_that_changed_are_turning_points(
    game: Game, murphy: Player, visit: Visitor
) -> None:
    body = "Enact a rule titled “Fun”:\n\n{{{\nFun is had.\n}}}"
    take(game.slug, murphy, "proposals.submit", {"title": "Fun", "body": body})
    take(game.slug, murphy, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    advance(game.slug, WEDNESDAY + timedelta(days=15))
    fun = game.rules.get(title="Fun")
    game.refresh_from_db()
    won = {"rule": "Fun", "how": "by having fun", "at": game.last_at, "entry": game.last_entry}
    Win.objects.create(game=game, player=murphy, **won)
    take(game.slug, host_of(game), "games.close", {"reason": "Enough."})
    page = visit().get(f"/g/{game.slug}/end/")
    assert page.context["kinds"]["enacted"] == 1
    assert [fate.title for fate in page.context["fates"]] == ["Fun"]
    turning = [entry.seq for entry in page.context["turning_points"]]
    assert turning == sorted({fun.enacted_in, won["entry"]})
    assert "by having fun" in page.text


def test_a_game_that_goes_on_has_no_end(game: Game, visit: Visitor) -> None:
    answer = visit().get(f"/g/{game.slug}/end/")
    assert (answer.status_code, answer.url) == (302, f"/g/{game.slug}/")


@pytest.mark.thorough
def test_a_season_ends_with_a_victory_and_tells_of_its_best_bet_closest_vote_and_changes(
    game: Game, murphy: Player, visit: Visitor
) -> None:
    rivals = [seat(game, name) for name in ("Aris", "Janet")]
    for who, horse in zip((murphy, *rivals), ("Fargo", "Alexia", "Baxter"), strict=True):
        take(game.slug, who, "horses.bet", {"horse": horse, "dollaries": 3})
    Runner.objects.filter(race__game=game).update(position=15)  # so that the race ends soon
    take(
        game.slug,
        murphy,
        "proposals.submit",
        {
            "title": "Spoons",
            "body": "Enact a new rule titled “Spoons” and the following text: { A }",
        },
    )
    advance(game.slug, WEDNESDAY + timedelta(days=6))
    for who, word in ((murphy, "FOR"), (rivals[0], "FOR"), (rivals[1], "AGAINST")):
        take(game.slug, who, "proposals.vote", {"proposal": 1, "choice": word})
    advance(game.slug, WEDNESDAY + timedelta(weeks=4))
    game.refresh_from_db()
    paid = [
        (each["amount"], each["player"])
        for payouts in game.entries.values_list("outcome__payouts", flat=True)
        for each in payouts or ()
        if "the bets on" in each["reason"]
    ]
    won_in = game.last_entry
    Win.objects.create(
        game=game, player=murphy, entry=won_in, at=WEDNESDAY, rule="Horses", how="by 10 Points"
    )
    take(game.slug, murphy, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    first = visit().get(f"/g/{game.slug}/season/1/").text
    assert "by 10 Points" in first
    most, winner = max(paid)
    assert f"{winner} won {most} dollar" in first
    assert "was adopted by 2 to 1." in first
    assert "Spoons" in first[first.index("Rules that changed most") :]
    second = visit().get(f"/g/{game.slug}/season/").text
    assert f"Season 2 of {game.title}" in second
    assert "Nobody has won it yet." in " ".join(second.split())
    assert "Murphy has won" not in second[second.index("<h1>") :]
    assert visit().get(f"/g/{game.slug}/season/3/").status_code == 404
    assert visit().get(f"/g/{game.slug}/season/0/").status_code == 404


@pytest.mark.thorough
def test_on_mondays_a_letter_tells_what_the_week_brought_once(
    game: Game, murphy: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    rivals = [seat(game, name) for name in ("Aris", "Janet")]
    write_to(murphy)
    User.objects.update(date_joined=WEDNESDAY)
    body = "Enact a new rule titled “Spoons” and the following text: { A }"
    take(game.slug, murphy, "proposals.submit", {"title": "Spoons", "body": body})
    advance(game.slug, WEDNESDAY + timedelta(days=6))
    for who in (murphy, *rivals):
        take(game.slug, who, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    advance(game.slug, WEDNESDAY + timedelta(weeks=2))
    today = game.entries.latest("seq").recorded_at
    for days in range(8):
        wall = today + timedelta(days=days)
        monkeypatch.setattr(reminders, "glance", partial(glance, wall=wall))
        reminders.remind()
        reminders.remind()
        spread(wall)
    week = Notice.objects.get(user=murphy.user, kind="week")
    assert week.at.weekday() == 0
    assert isinstance(murphy.user, User)
    letter = message(murphy.user, [week]).body
    assert re.search(r"The week brought \d+ new entries to the record\.", letter)
    assert "What changed the rules\n- " in letter
    assert "Spoons" in letter
    assert f"http://localhost:8000/g/{game.slug}/season/" in letter
