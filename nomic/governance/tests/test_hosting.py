"""What a host does for a game, on the record, and what players do about a host."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.engine.outcomes import NoticeKind, Receipt, Refused
from nomic.engine.take import take
from nomic.engine.tests.tiny import TINY
from nomic.games.models import Game, Player
from nomic.governance.hosting.talk import TooFast, delete, reword, say
from nomic.governance.models import Remark
from nomic.notices.models import Outgoing
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.web.models import Guest
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, seat, user_of
from tests.kit.races import all_at_once


@pytest.fixture
def host(db: None) -> User:
    return user_of("landlord")


@pytest.fixture
def game(host: User) -> Game:
    begun = {"pace": "manual", "start": WEDNESDAY, "offices": "support"}
    return new_game("table", TINY, host=host, **begun)[0]  # type: ignore[arg-type]


@pytest.fixture
def players(game: Game) -> list[Player]:
    """The host, who plays, and three others."""
    return [seat(game, name) for name in ("landlord", "Murphy", "Madrid", "juan")]


def act(who: Any, name: str, /, **inputs: Any) -> Receipt:
    return take("table", who, name, inputs)


def why(who: Any, name: str, /, **inputs: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(who, name, **inputs)
    return refused.value.refusal.code


def test_the_host_says_who_sees_the_game_and_nobody_else_does(
    game: Game, host: User, players: list[Player]
) -> None:
    asked = {"seen_by": "link", "joined_by": "host"}
    assert why(players[1], "games.open_to", **asked) == "not_the_officer"
    act(host, "games.open_to", **asked)
    assert why(host, "games.open_to", **asked) == "so_already"
    game.refresh_from_db()
    assert (game.seen_by, game.joined_by) == ("link", "host")
    assert why(user_of("new"), "games.join", name="new") == "not_let_in"
    assert list(Game.objects.seen_by(user_of("new"))) == []
    assert list(Game.objects.seen_by(players[1].user)) == [game]
    assert replay(game)[1] is None


def test_a_game_is_handed_over_to_who_has_an_account_or_to_nobody(
    game: Game, host: User, players: list[Player]
) -> None:
    act(host, "games.add_bot", name="Ada-bot")
    assert why(host, "games.hand_over", player="Ada-bot") == "no_account"
    assert why(host, "games.hand_over", player="landlord") == "so_already"
    act(host, "games.hand_over", player="Murphy")
    game.refresh_from_db()
    assert game.host == host, "nobody becomes host who does not want it"
    assert why(host, "games.hand_over", player="Murphy") == "so_already"
    assert why(players[2], "games.take_over") == "not_to_you"
    act(players[1], "games.take_over")
    game.refresh_from_db()
    assert game.host == players[1].user
    assert why(host, "games.close", reason="No more.") == "not_the_officer"
    assert why(players[1], "games.take_over") == "not_offered"
    act(players[1], "games.hand_over", player="")
    game.refresh_from_db()
    assert game.host is None
    assert replay(game)[1] is None


def test_a_game_is_offered_to_one_at_a_time_until_the_offer_is_withdrawn_or_the_host_another(
    game: Game, host: User, players: list[Player]
) -> None:
    assert why(host, "games.withdraw_offer") == "not_offered"
    act(host, "games.hand_over", player="Murphy")
    act(host, "games.hand_over", player="Madrid")
    assert why(players[1], "games.take_over") == "not_to_you"
    assert why(players[2], "games.withdraw_offer") == "not_the_officer"
    act(host, "games.withdraw_offer")
    assert why(players[2], "games.take_over") == "not_offered"
    act(host, "games.hand_over", player="Madrid")
    act(players[1], "games.choose_host", player="Murphy")
    for supporter in players[2:]:
        act(supporter, "games.support", motion=1)
    game.refresh_from_db()
    assert game.host == players[1].user
    assert why(players[2], "games.take_over") == "not_offered"
    act(players[1], "games.hand_over", player="juan")
    act(players[3], "games.leave")
    assert why(players[3].user, "games.take_over") == "left"
    game.refresh_from_db()
    assert replay(game)[1] is None


def test_who_is_offered_a_game_may_decline_it_and_its_host_hears_of_that(
    game: Game, host: User, players: list[Player]
) -> None:
    act(host, "games.hand_over", player="Murphy")
    assert why(players[2], "games.decline_offer") == "not_to_you"
    entry = act(players[1], "games.decline_offer").entry
    assert entry.text == "Murphy does not take the game over: its host stays who it is."
    game.refresh_from_db()
    assert game.host == host
    assert why(players[1], "games.decline_offer") == "not_offered"
    assert why(players[1], "games.take_over") == "not_offered"
    told = Outgoing.objects.get(kind=NoticeKind.HOST, text=entry.text)
    assert told.users == [host.pk]
    act(host, "games.hand_over", player="Murphy")  # it may be offered again
    act(players[1], "games.take_over")
    assert replay(game)[1] is None


def test_by_the_api_a_game_is_offered_declined_and_taken_over_as_by_a_page(
    game: Game, host: User, players: list[Player]
) -> None:
    def post(who: User, name: str, **inputs: str) -> int:
        token = make_token(who, name)[1]
        client = Client(headers={"Authorization": f"Bearer {token}"})
        address = f"/api/v1/games/{game.slug}/actions/games.{name}"
        return client.post(address, inputs, content_type="application/json").status_code

    murphy = players[1].user
    assert murphy is not None
    for answer, after in (("decline_offer", host), ("take_over", murphy)):
        assert post(murphy, "hand_over", player="Murphy") == 409, "only its host offers it"
        assert post(host, "hand_over", player="Murphy") == 201
        game.refresh_from_db()
        assert game.host == host
        assert post(murphy, answer) == 201
        game.refresh_from_db()
        assert game.host == after


def test_who_is_offered_a_game_no_more_hears_of_that_too(
    game: Game, host: User, players: list[Player]
) -> None:
    act(host, "games.hand_over", player="Murphy")
    second = act(host, "games.hand_over", player="Madrid").entry
    third = act(host, "games.withdraw_offer").entry
    assert second.text.startswith("The host offers the game to Madrid, and to Murphy no more.")
    told = Outgoing.objects.filter(kind=NoticeKind.OFFER).order_by("pk")
    assert [(row.to, row.text) for row in told][2:] == [
        ([players[1].pk], second.text),
        ([players[2].pk], third.text),
    ]


def test_who_is_offered_a_game_hears_of_it(game: Game, host: User, players: list[Player]) -> None:
    act(host, "games.hand_over", player="Murphy")
    told = Outgoing.objects.filter(kind=NoticeKind.OFFER)
    assert [(row.to, "offers the game to Murphy" in row.text) for row in told] == [
        ([players[1].pk], True)
    ]


def test_nobody_becomes_host_who_is_a_guest_or_hosts_as_many_games_as_one_may(
    game: Game, host: User, players: list[Player], settings: Any
) -> None:
    guest, busy = players[1:3]
    Guest.objects.create(user=guest.user, place="x", made_at=WEDNESDAY)
    settings.HOSTED_GAMES = 1
    new_game("other", TINY, host=busy.user, pace="manual", start=WEDNESDAY)
    for candidate, refused in ((guest, "guest"), (busy, "hosts_enough")):
        assert why(host, "games.hand_over", player=candidate.name) == refused
        assert why(candidate, "games.choose_host", player=candidate.name) == refused
    take("other", busy.user, "games.close", {"reason": "No more."})
    act(host, "games.hand_over", player="Madrid")
    new_game("another", TINY, host=busy.user, pace="manual", start=WEDNESDAY)
    assert why(busy, "games.take_over") == "hosts_enough", "it is asked when they take it over, too"
    take("another", busy.user, "games.close", {"reason": "No more."})
    act(busy, "games.take_over")
    game.refresh_from_db()
    assert game.host == busy.user
    assert replay(game)[1] is None


def test_who_takes_two_games_over_at_once_hosts_no_more_than_one_may(
    transactional_db: None, settings: Any
) -> None:
    settings.HOSTED_GAMES = 1
    landlord, names = user_of("landlord"), ("one", "two")
    for name in names:
        game = new_game(name, TINY, host=landlord, pace="manual", start=WEDNESDAY)[0]
        murphy = seat(game, "Murphy").user
        take(name, landlord, "games.hand_over", {"player": "Murphy"})
    ends = all_at_once(*(partial(take, name, murphy, "games.take_over", {}) for name in names))
    refused = [end.refusal.code for end in ends if isinstance(end, Refused)]
    assert refused == ["hosts_enough"]
    assert Game.objects.hosted_by(murphy).count() == 1


@pytest.mark.thorough
def test_the_demonstration_has_no_host_and_stays_open(host: User) -> None:
    begun = {"pace": "manual", "start": WEDNESDAY, "host": host}
    demo = new_game("table", "demo", **begun)[0]  # type: ignore[arg-type]
    murphy = seat(demo, "Murphy")
    seat(demo, "Madrid")
    assert why(murphy, "games.choose_host", player="Murphy") == "demonstration"
    asked = {"seen_by": "link", "joined_by": "host"}
    assert why(host, "games.open_to", **asked) == "demonstration"
    assert why(host, "games.hand_over", player="Madrid") == "demonstration"
    assert why(host, "games.close", reason="Mine.") == "demonstration"
    assert replay(demo)[1] is None


def test_a_host_who_leaves_stays_host_until_the_players_choose_another(
    game: Game, host: User, players: list[Player]
) -> None:
    act(players[0], "games.leave")
    game.refresh_from_db()
    assert game.host == host
    assert why(players[2], "games.choose_host", player="Murphy") == "themselves"
    act(players[1], "games.choose_host", player="Murphy")
    assert why(players[1], "games.choose_host", player="Murphy") == "announced"
    assert why(players[1], "games.support", motion=1) == "not_counted"
    act(players[2], "games.support", motion=1)
    assert game.motions.get().end == ""
    act(players[3], "games.support", motion=1)
    game.refresh_from_db()
    assert game.host == players[1].user
    assert replay(game)[1] is None


def test_who_has_no_account_any_more_when_they_are_chosen_leaves_the_game_without_a_host(
    game: Game, host: User, players: list[Player]
) -> None:
    act(players[1], "games.choose_host", player="Murphy")
    Player.objects.filter(name="Murphy").update(user=None)
    act(players[2], "games.support", motion=1)
    act(players[3], "games.support", motion=1)
    game.refresh_from_db()
    assert game.host is None
    assert replay(game)[1] is None
    act(players[2], "games.remove_player", player="Murphy", reason="Anybody says so now.")


def test_in_a_closed_game_nobody_acts_and_nothing_happens(
    game: Game, host: User, players: list[Player]
) -> None:
    act(host, "games.close", reason="We are through.")
    game.refresh_from_db()
    assert (game.is_closed, game.state, game.wakes_at) == (True, "paused", None)
    for who, name in ((players[1], "tiny.buy_cup"), (players[1], "games.leave")):
        assert why(who, name) == "closed"
    for name in ("games.resume", "games.join", "games.close", "games.add_bot"):
        assert why(host, name) == "closed"
    assert replay(game)[1] is None


def test_who_disturbs_is_removed_with_the_players_support_and_the_host_takes_them_back(
    game: Game, host: User, players: list[Player]
) -> None:
    assert why(players[1], "games.remove_player", player="juan", reason="x") == "not_the_host"
    assert why(players[0], "games.remove_player", player="landlord", reason="x") == "yourself"
    act(players[0], "games.remove_player", player="juan", reason="He only shouts.")
    assert Player.objects.get(name="juan").active
    assert why(players[3], "games.support", motion=1) == "not_counted"
    act(players[1], "games.support", motion=1)
    removed = Player.objects.get(name="juan")
    assert (removed.active, removed.removed) == (False, True)
    assert why(removed.user, "games.join", name="juan") == "removed"
    act(host, "games.open_to", seen_by="link", joined_by="everybody")
    assert not Game.objects.seen_by(removed.user).exists()
    act(host, "games.take_back", player="juan")
    act(removed.user, "games.join", name="juan")
    assert why(host, "games.take_back", player="juan") == "nobody_removed"
    game.refresh_from_db()
    assert replay(game)[1] is None


def test_a_player_leaves_a_paused_game(game: Game, players: list[Player]) -> None:
    act(None, "games.pause", reason="holidays")
    act(players[3], "games.leave")
    assert not Player.objects.get(name="juan").active
    game.refresh_from_db()
    assert replay(game)[1] is None


def test_a_hidden_remark_leaves_a_mark_and_a_reason_and_its_text_is_gone(
    game: Game, host: User, players: list[Player]
) -> None:
    said = say(players[1], "Down with horses!", WEDNESDAY, 9)
    assert (
        why(players[2], "games.hide_remark", remark=said.number, reason="rude") == "not_the_officer"
    )
    assert why(host, "games.hide_remark", remark=said.number + 1, reason="rude") == "no_remark"
    entry = act(host, "games.hide_remark", remark=said.number, reason="rude").entry
    assert entry.text == f"By the host's word, remark {said.number} is hidden: rude"
    said.refresh_from_db()
    assert (said.text, said.hidden_in) == ("", entry.seq)  # type: ignore[union-attr]
    assert why(host, "games.hide_remark", remark=said.number, reason="rude") == "gone"
    game.refresh_from_db()
    assert replay(game)[1] is None


def test_remarks_are_counted_in_their_own_game(players: list[Player]) -> None:
    assert [say(players[1], "One.", WEDNESDAY, 9).number for _ in range(2)] == [1, 2]
    attic, _ = new_game("attic", "agora", pace="manual", start=WEDNESDAY)
    assert say(seat(attic, "Wes"), "Here?", WEDNESDAY, 9).number == 1


def test_one_says_so_much_in_a_minute_and_takes_it_back(players: list[Player]) -> None:
    first = say(players[1], "One.", WEDNESDAY, 2)
    second = say(players[1], "Two.", WEDNESDAY, 2)
    with pytest.raises(TooFast):
        say(players[1], "Three.", WEDNESDAY, 2)
    say(players[2], "Three.", WEDNESDAY, 2)
    reword(first, "Uno.", WEDNESDAY)
    delete(second, WEDNESDAY)
    told = Remark.objects.filter(player=players[1]).order_by("pk")
    assert [(each.text, bool(each.edited_at), bool(each.deleted_at)) for each in told] == [
        ("Uno.", True, False),
        ("", False, True),
    ]
