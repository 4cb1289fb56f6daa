"""A game is made in a browser, and who makes it is its host."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.admission import let_in
from nomic.games.calendars import week_start
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.presets import least_ballots, with_least_ballots
from nomic.operations.replay import replay
from nomic.web.hosting.start import StartForm
from proposals.rulebook import shipped_texts
from proposals.state.reading import state_of
from tests.kit import Visitor, user_of

ASKED = {
    "preset": "agora-races",
    "title": "Friday evening",
    "pace": "minutes",
    "seen_by": "everybody",
    "joined_by": "everybody",
    "offices": "support",
    "name": "Murphy",
}


@pytest.fixture
def murphy(db: None) -> User:
    return user_of("murphy")


def start(visit: Visitor, user: User, **asked: Any) -> Any:
    return visit(user).post("/start/", {**ASKED, **asked})


def test_who_starts_a_game_is_its_host_and_has_a_seat_and_a_link(
    murphy: User, visit: Visitor
) -> None:
    answer = start(visit, murphy, bots=1)
    game = Game.objects.get(slug="friday-evening")
    assert answer.url == "/g/friday-evening/host/"
    assert (game.host, game.title, game.pace, game.rate) == (murphy, ASKED["title"], "fast", 2016)
    begun = game.entries.get(seq=1).at
    assert begun == week_start(begun), "the first week is a whole one"
    names = list(game.players.values_list("name", flat=True))
    assert "Murphy" in names
    assert len(names) == 2
    assert game.invitations.count() == 1
    assert replay(game)[1] is None


def test_who_votes_is_chosen_with_what_each_choice_means(murphy: User, visit: Visitor) -> None:
    page = visit(murphy).get("/start/").content.decode()
    for meant in ("many accounts", "After seven days", "If the host accepts", "If most of the"):
        assert meant in page


def test_names_that_are_alike_get_addresses_of_their_own(murphy: User, visit: Visitor) -> None:
    start(visit, murphy)
    start(visit, murphy)
    start(visit, murphy, title="!!!")
    assert set(Game.objects.values_list("slug", flat=True)) == {
        "friday-evening",
        "friday-evening-2",
        "game",
    }


def test_nobody_guesses_the_address_of_a_game_for_those_with_the_link(
    murphy: User, visit: Visitor
) -> None:
    start(visit, murphy, seen_by="link")
    slug = Game.objects.get().slug
    assert slug.startswith("friday-evening-")
    assert len(slug) == len("friday-evening-") + 10


@pytest.mark.thorough
def test_a_sixth_open_game_is_refused_until_one_is_closed(murphy: User, visit: Visitor) -> None:
    for _ in range(5):
        assert start(visit, murphy, name="").status_code == 302
    refused = start(visit, murphy, name="")
    assert refused.status_code == 422
    assert "You host 5 open games" in refused.content.decode()
    client = visit(murphy)
    sent = {"reason": "It is late.", "confirmed": "yes"}
    assert client.post("/g/friday-evening/act/games.close/", sent).status_code == 302
    assert start(visit, murphy, name="").status_code == 302


@pytest.mark.thorough
def test_the_front_page_offers_a_game_as_it_can_be_come_to(murphy: User, visit: Visitor) -> None:
    for title, joined_by in (("Free", "everybody"), ("Asked", "host"), ("Bidden", "invitation")):
        start(visit, murphy, title=title, joined_by=joined_by)
    start(visit, murphy, title="Over")
    take("over", murphy, "games.close", {"reason": "It is late."})

    def shown(user: User | None, slug: str) -> tuple[str, bool, bool]:
        """Under which heading, whether to join, and whether to ask."""
        for heading, rows, _ in visit(user).get("/").context["groups"]:
            for row in rows:
                if row["game"].slug == slug:
                    return heading, row["joins"], row["asks"]
        return "", False, False

    juan = user_of("juan")
    for user in (None, juan):
        assert shown(user, "free") == ("Games you can join", True, False)
        assert shown(user, "asked") == ("Games you can watch", False, True)
        assert shown(user, "bidden") == ("Games you can watch", False, False)
        assert shown(user, "over") == ("", False, False)
    assert visit().get("/").content.decode().count("Ask for a") == 1
    assert {shown(murphy, slug)[0] for slug in ("free", "over")} == {"Games you play in"}
    assert "Play as" in visit(murphy).get("/").content.decode()
    let_in(Game.objects.get(slug="asked"), juan, wall_now())
    assert shown(juan, "asked") == ("Games you can join", True, False)
    take("free", juan, "games.join", {"name": "juan"})
    take("free", juan, "games.leave")
    assert shown(juan, "free") == ("Games you can join", True, False)
    Player.objects.filter(name="juan").update(removed=True)
    assert shown(juan, "free") == ("Games you can watch", False, False)


@pytest.mark.thorough
def test_a_host_without_a_seat_is_told_on_the_front_page_who_asks(
    murphy: User, visit: Visitor
) -> None:
    start(visit, murphy, name="", joined_by="host")
    for name in ("juan", "Madrid"):
        visit(user_of(name)).post("/g/friday-evening/join/ask/", {"words": "Me"})
    page = " ".join(visit(murphy).get("/").content.decode().split())
    assert "2 people ask for a seat in Friday evening" in page
    assert 'href="/g/friday-evening/host/"' in page
    assert "for a seat in" not in visit(user_of("juan")).get("/").content.decode()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"preset": "demo"}, "Select a valid choice"),
        ({"pace": "real", "offices": "open"}, "At the real pace offices are filled"),
        ({"pace": "real", "first_day": "2301-01-01"}, "Choose a day from"),
        ({"pace": "real", "first_day": "2101-01-01"}, "At the real pace the game begins today"),
        ({"title": ""}, "Fill this in."),
        ({"title": "a\x00b"}, "haracter"),
        ({"name": "a\u202eb"}, "haracter"),
        ({"bots": "99"}, "A game has at most 12 practice players"),
    ],
)
def test_what_cannot_be_is_told_beside_its_field(
    murphy: User, visit: Visitor, asked: dict[str, str], sentence: str
) -> None:
    answer = start(visit, murphy, **asked)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Game.objects.exists()


def test_one_signs_in_to_start_a_game(db: None, visit: Visitor) -> None:
    assert visit().get("/start/").url == "/accounts/login/?next=/start/"


def test_a_table_of_three_is_offered_a_quorum_that_fits(murphy: User, visit: Visitor) -> None:
    page = visit(murphy).get("/start/").content.decode()
    assert "three players must all vote" in " ".join(page.split())
    start(visit, murphy, preset="agora", quorum="2", players="3", bots=2)
    game = Game.objects.get()
    assert state_of(glance(game)).terms.quorum == 2
    assert "| At least | 2 |" in glance(game).rules.text("Voting")
    assert replay(Game.objects.get())[1] is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({}, "Say how many will play, and you read here what 3 ballots mean to them."),
        ({"players": "7"}, "3 of 7 players have to vote: 4 may be absent."),
        ({"players": "3"}, "With a quorum of 2 one may always be absent."),
        ({"players": "2", "quorum": "9"}, "All 2 players have to vote"),
        ({"players": "9", "quorum": "5"}, "5 of 9 players have to vote: 4 may be absent."),
        ({"players": "1"}, "The only player has to vote."),
        ({"players": "²", "quorum": "-5"}, "Say how many will play"),
        ({"players": "9" * 5000}, "Say how many will play"),
        ({"preset": "multa", "players": "3"}, "There the quorum is a part of the players"),
        ({"preset": "none", "players": "3"}, "There the quorum is a part of the players"),
    ],
)
def test_what_a_quorum_means_follows_what_is_typed(
    murphy: User, visit: Visitor, typed: dict[str, str], said: str
) -> None:
    asked = {"preset": "agora", **typed}
    answer = visit(murphy).get("/start/", asked, headers={"HX-Request": "true"})
    assert said in answer.text
    assert "<" not in answer.text


def test_a_quorum_in_ballots_is_refused_where_the_rules_have_none(
    murphy: User, visit: Visitor
) -> None:
    answer = start(visit, murphy, preset="agora-races", quorum="2")
    assert answer.status_code == 422
    assert "leave it as the rules have it" in answer.content.decode()
    assert not Game.objects.exists()


def test_the_shipped_rules_of_agora_ask_for_as_many_ballots_as_the_form_says() -> None:
    voting = shipped_texts("adoption-index")["Voting"]
    assert least_ballots(voting) == 3
    assert least_ballots(with_least_ballots(voting, 2)) == 2
    assert "the 3 ballots of Agora’s rules" in StartForm.base_fields["quorum"].help_text
