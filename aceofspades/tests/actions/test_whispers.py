"""What a contestant's page asks of what is private: nothing new costs no query, and nobody learns
from their own page that others have acted."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from aceofspades.models import Pact
from aceofspades.tests import canaries
from aceofspades.tests.secrecy.private_acts import PRIVATE_ACTS
from aceofspades.tests.stage import give_cards
from aceofspades.tests.web.page import PAGE, PRIVATE, body, words_of
from nomic.engine import watch
from nomic.games.models import Game, Player
from tests.kit import Take, Visitor, around, on_one_line, tight

Budget = Callable[..., AbstractContextManager[Any]]
Three = tuple[Player, Player, Player]


@pytest.fixture(autouse=True)
@around
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what their hand is worth."""
    monkeypatch.setattr("aceofspades.web.views.estimated_worth", lambda view: 5.0)


ALLIANCES: dict[str, Callable[[Game], Any]] = {
    "a pact of two": lambda game: canaries.act(game, "Fran", "ally", others=["Lim"]),
    "an alliance formed": lambda game: canaries.act(
        game, "Lim", "agree_pact", pact=Pact.objects.latest("pk").code
    ),
    "an alliance left": lambda game: canaries.act(game, "Anna", "leave_alliance", alliance=1),
}


def whisper(page: str) -> str:
    """Where that page asks for what is private, with the mark of what it shows."""
    found = re.search(r'id="whisper"[^>]* hx-get="([^"]*)"', page)
    assert found is not None
    return found[1].replace("&amp;", "&")


def test_who_hears_nothing_new_asks_the_database_nothing(
    contest: Game,
    three: Three,
    htmx: Visitor,
    django_assert_num_queries: Budget,
) -> None:
    client = htmx(three[0])
    for page in (body(client), body(client, PRIVATE)):
        assert on_one_line(page).count('id="whisper" hx-swap-oob') == 1
        with django_assert_num_queries(0):
            answer = client.get(whisper(page))
        assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.slow
@pytest.mark.django_db
def test_only_those_hear_of_a_private_act_whose_page_it_changes(
    django_capture_on_commit_callbacks: Budget,
) -> None:
    game = canaries.a_contest()
    canaries.deal(game)
    canaries.plant(game)
    pages = {each: htmx_of(game, each) for each in canaries.CONTESTANTS}
    before = {name: body(page, PRIVATE) for name, page in pages.items()}
    public = watch.mark(game.pk)
    ever: set[str] = set()
    for done, it in (PRIVATE_ACTS | ALLIANCES).items():
        with django_capture_on_commit_callbacks(execute=True):
            it(game)
        answers = {name: page.get(whisper(before[name])) for name, page in pages.items()}
        heard = {name for name, answer in answers.items() if answer.status_code == 200}
        after = {name: body(page, PRIVATE) for name, page in pages.items()}
        changed = {name for name in pages if words_of(after[name]) != words_of(before[name])}
        assert (done, heard) == (done, changed)
        assert {answers[name].status_code for name in pages.keys() - heard} <= {204}
        before, ever = after, ever | changed
    assert "Murphy" in ever
    assert "Madrid" not in ever
    assert watch.mark(game.pk) == public


@pytest.mark.thorough
def test_a_mark_serves_the_browser_that_it_was_given_to_and_no_other(
    contest: Game,
    three: Three,
    htmx: Visitor,
) -> None:
    murphy, madrid, _ = three
    own, other, rival = htmx(murphy), htmx(murphy), htmx(madrid)
    mark = whisper(body(own))
    assert own.get(mark).status_code == 204
    for client in (other, rival, htmx(None)):
        assert client.get(mark).status_code == 200
    body(own, "/accounts/logout/")
    own.post("/accounts/logout/")
    assert own.get(mark).status_code == 200
    for wrong in ("", "x", "7", f"{'f' * 12}{'0' * 32}", f"{'f' * 40}{'0' * 32}", "\0"):
        assert rival.get(PRIVATE, {"v": wrong}).status_code == 200


def test_a_public_act_leaves_the_private_mark_and_brings_the_private_parts_with_it(
    contest: Game,
    three: Three,
    act: Take,
    htmx: Visitor,
    django_capture_on_commit_callbacks: Budget,
) -> None:
    murphy, madrid, _ = three
    give_cards(contest, murphy, Red=3)
    client = htmx(madrid)
    mark = whisper(body(client))
    with django_capture_on_commit_callbacks(execute=True):
        act(murphy, "aceofspades.transfer", to="Madrid", cards={"Red": 1})
    assert client.get(mark).status_code == 204
    live = body(client, f"{PAGE}?v=1&game={contest.pk}")
    assert "Murphy gives you 1 Red." in words_of(live)
    assert client.get(whisper(live)).status_code == 204


def test_what_a_hand_is_worth_is_asked_for_until_it_is_counted(
    contest: Game,
    three: Three,
    htmx: Visitor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = htmx(three[0])
    monkeypatch.setattr("aceofspades.web.views.estimated_worth", lambda view: None)
    waiting = body(client, PRIVATE)
    assert "The program is working out what your hand is worth." in waiting
    assert client.get(whisper(waiting)).status_code == 200
    monkeypatch.setattr("aceofspades.web.views.estimated_worth", lambda view: 5.0)
    counted = body(client, whisper(waiting))
    assert "5 Marks" in words_of(counted)
    assert client.get(whisper(counted)).status_code == 204


@pytest.mark.thorough
def test_who_is_no_contestant_has_nothing_to_ask_for(
    contest: Game,
    master: Player,
    three: Three,
    visit: Visitor,
) -> None:
    for viewer in (master, None):
        assert '<div id="whisper"></div>' in tight(body(visit(viewer)))


def test_where_the_cache_has_forgotten_the_page_is_told_all(
    contest: Game,
    three: Three,
    htmx: Visitor,
) -> None:
    client = htmx(three[0])
    mark = whisper(body(client))
    watch.end_seat_marks([three[0].pk])
    assert client.get(mark).status_code == 200
    assert client.get(whisper(body(client, PRIVATE))).status_code == 204


def htmx_of(game: Game, name: str) -> Client:
    """The browser of the player of that name, asking as htmx does."""
    client = Client(headers={"HX-Request": "true"})
    user = game.players.select_related("user").get(name=name).user
    assert user is not None
    client.force_login(user)
    return client
