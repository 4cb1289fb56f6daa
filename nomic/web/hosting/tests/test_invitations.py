"""Who may come to a game, and what the links do that lead to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import URLResolver, get_resolver

from nomic.engine.actions import find_action
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.admission import token_of
from nomic.games.models import Game, Invitation, Player
from nomic.governance.models import Remark
from nomic.notices.models import Outgoing
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.web.game_context import SHOWN_LINKS
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, Visitor, user_of

ACCOUNT = {"username": "juan", "password1": "correct horse 9", "password2": "correct horse 9"}
AT = datetime(2026, 3, 4, tzinfo=UTC)


@pytest.fixture
def host(db: None) -> User:
    return user_of("landlord")


@pytest.fixture
def joined_by() -> str:
    return "invitation"


@pytest.fixture
def hosted(host: User, joined_by: str) -> Game:
    """A game that is seen by those with the link alone."""
    return new_game(
        "attic",
        "agora",
        pace="manual",
        start=WEDNESDAY,
        host=host,
        offices="support",
        seen_by="link",
        joined_by=joined_by,
    )[0]


@pytest.fixture
def link(hosted: Game, host: User) -> Invitation:
    return Invitation.objects.create(game=hosted, made_by=host, name="x", most=1, made_at=AT)


def test_a_link_lets_one_account_in_once_and_the_next_is_told_that_it_is_used_up(
    hosted: Game, link: Invitation, visit: Visitor
) -> None:
    address = f"/i/{token_of(link)}/"
    juan, madrid = visit(user_of("juan")), visit(user_of("Madrid"))
    assert juan.get("/g/attic/").status_code == 404
    assert juan.get(address).status_code == 200
    assert Invitation.objects.get().used == 0
    for _ in range(2):
        assert juan.post(address).url == "/g/attic/join/"
    assert Invitation.objects.get().used == 1
    assert juan.post("/g/attic/act/games.join/", {"name": "juan"}).status_code == 302
    assert juan.post(address).url == "/g/attic/"
    answer = madrid.post(address)
    assert answer.status_code == 410
    assert "This invitation is used up" in answer.content.decode()
    assert madrid.get("/g/attic/").status_code == 404
    assert replay(Game.objects.get())[1] is None


def test_a_withdrawn_link_and_a_guessed_one_say_so(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    token = token_of(link)
    assert visit(host).post(f"/g/attic/host/invite/{link.nonce}/withdraw/").status_code == 302
    withdrawn = visit(user_of("juan")).get(f"/i/{token}/")
    assert withdrawn.status_code == 410
    assert "was withdrawn" in withdrawn.content.decode()
    for guess in (
        f"{link.nonce}-{'0' * 40}",
        link.nonce,
        "x",
        f"{link.pk}-{token.partition('-')[2]}",
        "9" * 30,
    ):
        answer = visit(user_of("juan")).get(f"/i/{guess}/")
        assert answer.status_code == 404
        assert "There is no such invitation" in answer.content.decode()


def test_without_an_account_one_looks_on_by_a_link_until_it_is_withdrawn(
    hosted: Game, link: Invitation, visit: Visitor
) -> None:
    nobody = visit()
    assert nobody.post(f"/i/{token_of(link)}/").url == "/g/attic/"
    assert nobody.get("/g/attic/").status_code == 200
    assert "attic" in nobody.get("/").content.decode()
    Invitation.objects.update(withdrawn_at=AT)
    assert nobody.get("/g/attic/").status_code == 404


def test_only_the_host_makes_and_withdraws_links(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    juan = visit(user_of("juan"))
    juan.post(f"/i/{token_of(link)}/")
    assert token_of(link) not in juan.get("/g/attic/host/").content.decode()
    assert juan.post("/g/attic/host/invite/", {"name": "x", "most": 1}).status_code == 403
    assert juan.post(f"/g/attic/host/invite/{link.nonce}/withdraw/").status_code == 403
    assert token_of(link) in visit(host).get("/g/attic/host/").content.decode()
    assert visit(host).post("/g/attic/host/invite/", {"name": "y", "most": 0}).status_code == 422
    assert visit(host).post("/g/attic/host/invite/", {"name": "y", "most": 2}).status_code == 302
    assert hosted.invitations.count() == 2


@pytest.mark.parametrize("joined_by", ["host"])
def test_on_the_hosts_word_one_asks_and_joins_once_let_in(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    juan = visit(user_of("juan"))
    juan.post(f"/i/{token_of(link)}/")
    with pytest.raises(Refused, match="The host decides who joins"):
        take("attic", user_of("juan"), "games.join", {"name": "juan"})
    juan.post("/g/attic/join/ask/", {"words": "It is <b>me</b>."})
    told = visit(host).get("/g/attic/host/").content.decode()
    assert "It is &lt;b&gt;me&lt;/b&gt;." in told
    asking = hosted.admissions.get()
    assert juan.post(f"/g/attic/host/asking/{asking.user}/", {"yes": "yes"}).status_code == 403
    assert (
        visit(host).post(f"/g/attic/host/asking/{asking.user}/", {"yes": "yes"}).status_code == 302
    )
    assert take("attic", user_of("juan"), "games.join", {"name": "juan"}).entry.seq == 2


@pytest.mark.parametrize("joined_by", ["host"])
def test_who_is_declined_sees_a_hidden_game_no_more(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    juan = visit(user_of("juan"))
    juan.post(f"/i/{token_of(link)}/")
    juan.post("/g/attic/join/ask/", {})
    visit(host).post("/g/attic/host/asking/juan/", {})
    assert juan.get("/g/attic/").status_code == 404
    assert not Player.objects.filter(user__username="juan").exists()


@pytest.mark.parametrize("joined_by", ["everybody"])
def test_who_is_removed_from_a_hidden_game_sees_it_no_more_by_any_link(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    client, address = visit(user_of("juan")), f"/i/{token_of(link)}/"
    client.post(address)
    take("attic", user_of("juan"), "games.join", {"name": "juan"})
    Player.objects.update(active=False, removed=True)
    session = client.session
    session[SHOWN_LINKS] = [link.pk]
    session.save()
    assert client.get("/g/attic/").status_code == 404
    assert client.get("/api/v1/games/attic").status_code == 404
    for answer in (client.get(address), client.post(address)):
        assert answer.status_code == 410
        assert "You were removed from this game" in answer.content.decode()
    take("attic", host, "games.open_to", {"seen_by": "everybody", "joined_by": "everybody"})
    assert client.get("/g/attic/").status_code == 200


@pytest.mark.parametrize("joined_by", ["host"])
def test_who_asks_and_then_opens_a_link_comes_by_it_and_still_asks(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    opened = {"seen_by": "everybody", "joined_by": "host"}
    take("attic", host, "games.open_to", opened)
    juan = visit(user_of("juan"))
    juan.post("/g/attic/join/ask/", {"words": "Me"})
    take("attic", host, "games.open_to", {**opened, "seen_by": "link"})
    assert juan.get("/g/attic/").status_code == 404
    with pytest.raises(Refused, match="The host decides"):
        take("attic", user_of("juan"), "games.join", {"name": "juan"})
    address = f"/i/{token_of(link)}/"
    assert "The host decides who joins." in juan.get(address).content.decode()
    for _ in range(2):
        assert juan.post(address).url == "/g/attic/join/"
    assert Invitation.objects.get().used == 1
    assert hosted.admissions.get().state == "asked"
    take("attic", host, "games.open_to", {"seen_by": "link", "joined_by": "invitation"})
    assert juan.post("/g/attic/act/games.join/", {"name": "juan"}).status_code == 302
    assert replay(Game.objects.get())[1] is None


@pytest.mark.parametrize("joined_by", ["host"])
def test_who_came_by_a_link_and_then_asks_sees_the_game_still(
    hosted: Game, link: Invitation, visit: Visitor
) -> None:
    juan = visit(user_of("juan"))
    juan.post(f"/i/{token_of(link)}/")
    juan.post("/g/attic/join/ask/", {})
    assert juan.get("/g/attic/").status_code == 200


_FILLED = {"int": "1", "str": "games.join", "slug": "a-rule-1", "path": "x", "uuid": "0" * 32}


def addresses() -> Iterator[str]:
    """Every address of the site that names a game, with `{}` in the place of its slug."""

    def walk(patterns: Iterable[Any], before: str) -> Iterator[str]:
        for each in patterns:
            route = before + str(each.pattern).removeprefix("^")
            if isinstance(each, URLResolver):
                yield from walk(each.url_patterns, route)
            elif "slug" in route:
                yield f"/{route}"

    for route in walk(get_resolver().url_patterns, ""):
        filled = re.sub(r"<(slug:)?slug>", "{}", route, count=1)
        yield re.sub(r"<(?:(\w+):)?\w+>", lambda found: _FILLED[found[1] or "str"], filled)
    yield "/g/{}/search/?q=game"
    yield "/g/{}/act/rule.x.y/"


@pytest.mark.thorough
@pytest.mark.parametrize("who", ["nobody", "outsider"])
def test_a_game_for_those_with_the_link_is_nowhere_for_others(
    hosted: Game, visit: Visitor, who: str
) -> None:
    client = visit() if who == "nobody" else visit(user_of("juan"))
    found = [each for each in addresses() if "{}" in each and not each.startswith("/office/")]
    assert len(found) > 50
    for address in found:
        for method in (client.get, client.post):
            answer, other = method(address.format("attic")), method(address.format("nowhere"))
            assert answer.status_code == other.status_code, address
            assert answer.status_code not in (200, 201, 409, 500), address
            told = answer.content.replace(b"attic", b"nowhere")
            assert told == other.content, address
    for address in ("/", "/search/?q=game", "/api/v1/games", "/office/g/attic/"):
        answer = client.get(address)
        assert hosted.title.encode() not in answer.content, address
        assert b"attic" not in answer.content.replace(b"/office/g/attic/", b""), address
    assert not Player.objects.exists()


@pytest.mark.thorough
def test_nor_does_acting_there_tell_of_it(hosted: Game, visit: Visitor) -> None:
    client = visit(user_of("juan"))
    for act in ("games.join", "games.leave", "horses.bet", "games.open_to", "rule.x.y"):
        for sent in ({}, {"name": "juan"}):
            answer = client.post(f"/g/attic/act/{act}/", sent)
            other = client.post(f"/g/nowhere/act/{act}/", sent)
            assert (answer.status_code, other.status_code) == (404, 404), act
    program = visit()
    program.defaults["HTTP_AUTHORIZATION"] = f"Bearer {make_token(user_of('juan'), 'bot')[1]}"
    for act in ("games.join", "games.leave", "games.open_to", "rule.x.y", "no.such"):
        for sent in ("{}", '{"name": "juan"}', "["):
            answers = [
                program.post(f"/api/v1/games/{slug}/actions/{act}", sent, "application/json")
                for slug in ("attic", "nowhere")
            ]
            told = [each.content.replace(b"attic", b"nowhere") for each in answers]
            assert [each.status_code for each in answers] == [404, 404], (act, sent)
            assert told[0] == told[1], (act, sent)
    assert not Player.objects.exists()


def test_a_live_part_answers_no_made_up_mark(hosted: Game, visit: Visitor) -> None:
    client = visit(HX_Request="true")
    for mark in range(5):
        assert client.get(f"/g/attic/?game={hosted.pk}&v={mark}").status_code == 404


def test_who_has_no_account_makes_one_and_sits_by_one_form_and_the_host_is_told(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    address = f"/i/{token_of(link)}/"
    page = visit().get(address).content.decode()
    assert "landlord invites you" in page
    assert "Nobody sits at the table yet" in page
    wrong = visit().post(address, {**ACCOUNT, "password2": "other"})
    assert wrong.status_code == 422
    assert not User.objects.filter(username="juan").exists()
    assert visit().post(address, ACCOUNT).url == "/g/attic/"
    assert hosted.players.get(name="juan").user.username == "juan"
    told = Outgoing.objects.get(kind="host")
    assert (told.users, told.to, told.text) == ([host.pk], [], "juan joins the game.")
    assert replay(hosted)[1] is None


def test_who_is_signed_in_sits_by_a_name_and_a_bad_one_is_told_in_a_sentence(
    hosted: Game, link: Invitation, visit: Visitor
) -> None:
    address, juan = f"/i/{token_of(link)}/", visit(user_of("juan"))
    refused = juan.post(address, {"name": "Agora and juan"})
    assert refused.status_code == 422
    assert "Choose another" in refused.content.decode()
    assert juan.post(address, {"name": "Juan"}).url == "/g/attic/"
    assert hosted.players.get().name == "Juan"
    assert Invitation.objects.get().used == 1


@pytest.mark.thorough
def test_the_hosts_page_says_what_is_next_with_link_qr_code_and_who_has_come(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    page = visit(host).get("/g/attic/host/").content.decode()
    assert "Nobody sits at the table yet." in page
    assert f'data-link-copy="http://testserver/i/{token_of(link)}/"' in page
    assert '<div class="qr"><svg' in page
    visit().post(f"/i/{token_of(link)}/", ACCOUNT)
    page = visit(host).get("/g/attic/host/").content.decode()
    assert "juan" in page[page.index('id="come"') : page.index('id="invitations"')]
    take("attic", host, "games.join", {"name": "landlord"})
    assert "/g/attic/proposals/new/" in visit(host).get("/g/attic/host/").content.decode()
    assert "What is next" not in visit(user_of("juan2")).get("/g/attic/").content.decode()


def test_a_complaint_reaches_the_host_without_who_made_it_unless_it_is_about_them(
    hosted: Game, link: Invitation, host: User, visit: Visitor
) -> None:
    take("attic", host, "games.join", {"name": "landlord"})
    visit().post(f"/i/{token_of(link)}/", ACCOUNT)
    seat = hosted.players.get(name="juan")
    link.most = 5
    link.save()
    teller = user_of("teller")
    visit(teller).post(f"/i/{token_of(link)}/", {"name": "Madrid"})
    Outgoing.objects.all().delete()
    for about in (seat.name, "landlord"):
        visit(teller).post(f"/g/attic/complain/?player={about}", {"words": f"{about} shouts"})
    assert [each.text for each in Outgoing.objects.filter(kind="host")] == [
        f"Somebody complains about juan in {hosted}."
    ]
    page = visit(host).get("/g/attic/host/").content.decode()
    assert "juan shouts" in page
    assert "landlord shouts" not in page
    assert "teller" not in page[page.index('id="complaints"') : page.index('id="invitations"')]


def test_the_hide_form_asks_with_what_it_hides(hosted: Game, host: User) -> None:
    take("attic", host, "games.join", {"name": "landlord"})
    Remark.objects.create(game=hosted, number=1, player=hosted.players.get(), text="Bah!", at=AT)
    asked = find_action("games.hide_remark").question(glance(hosted), None, {"remark": 1})
    assert asked == (
        "landlord said: “Bah!” Its text is gone after that, for everybody and for good. Hide it?"
    )
