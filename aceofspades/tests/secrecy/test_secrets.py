"""No canary sings to whom it does not belong: on no page, in no answer or log, by no refusal."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from aceofspades.models import Notice, Offer, Pact, Vote
from aceofspades.tests import canaries
from aceofspades.tests.canaries import act, post
from aceofspades.tests.stage import hours
from nomic.engine import watch
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.record.writer import RecordWriter
from nomic.testing import WEDNESDAY, around, at_the_table, put_in_office, user_of
from nomic.web.tests.watchers import Watcher, addresses, differences, text_of, told, what_is_told

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uncounted")]

CANARIES = re.compile(canaries.everywhere())
BOOKS = ("contest", "regulation", "proposal", "offer", "appointment", "roll", "rule", "balance")


@pytest.fixture(autouse=True)
@around
def wall() -> Iterator[None]:
    """The wall's time stands still: what differs between two looks differs for another reason."""
    with time_machine.travel(WEDNESDAY, tick=False):
        yield


@pytest.fixture
def dealt() -> Game:
    """Six contestants with their hands, before anything private was done."""
    game = canaries.a_contest()
    canaries.deal(game)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def planted(dealt: Game) -> dict[str, str]:
    """The codes, in a contest where every private thing has its canary."""
    return canaries.plant(dealt)


def watchers(game: Game) -> dict[str, Watcher]:
    """Everybody to whom nothing in the contest belongs but their own hand."""
    jason, madrid = (game.players.get(name=name) for name in ("Jason", "Madrid"))
    operator = User.objects.filter(username="operator").first()
    return {
        "nobody": Watcher.of(None),
        "outsider": Watcher.of(user_of("juan")),
        "player": Watcher.of(jason),
        "rival": Watcher.of(madrid),
        "operator": Watcher.of(operator or User.objects.create_superuser("operator")),
    }


def is_quick(route: str) -> bool:
    """Whether it is among the addresses where something private is most likely to show."""
    if any(part in route for part in ("/act/", "{action}", "{page}", "/accounts/", "{object_id}")):
        return False
    if route.startswith("/office/"):
        return any(book in route for book in BOOKS) or "/g/" in route
    return any(part in route for part in ("aceofspades", "{slug}/record/", "/private/", "opened"))


def is_close(route: str) -> bool:
    """The contest's own addresses and those that tell of what just happened."""
    near = "aceofspades" in route and not route.startswith(("/office/", "/g/{slug}/aceofspades/r"))
    return (near and "{action}" not in route) or route in ("/g/{slug}/", "/g/{slug}/record/")


def is_anywhere(route: str) -> bool:
    """Everywhere but where an account is given new secrets of its own each time."""
    return "/2fa/" not in route


WALKS = [
    *(pytest.param(is_quick, who, id=f"{who} quickly") for who in ("nobody", "rival", "operator")),
    *(
        pytest.param(is_anywhere, who, id=f"{who} everywhere", marks=pytest.mark.slow)
        for who in ("nobody", "outsider", "player", "rival", "operator")
    ),
]


@pytest.mark.parametrize(("only", "who"), WALKS)
def test_no_canary_sings_to_whom_it_does_not_belong_before_or_after_the_decision(
    only: Callable[[str], bool], who: str, dealt: Game, planted: dict[str, str]
):
    watcher = watchers(dealt)[who]
    for now in ("open", "decided"):
        where = addresses(dealt, only=only)
        assert len(where) > 30
        heard = [each for each in where if CANARIES.search(text_of(watcher.get(each)))]
        assert (now, heard) == (now, [])
        if now == "open":
            canaries.decide(dealt)


def test_who_has_left_the_game_or_the_office_hears_no_more(dealt: Game, planted: dict[str, str]):
    for name in ("Fran", "Alexia", "Babe", "snail"):
        watcher = Watcher.of(dealt.players.get(name=name))
        where = ["/api/v1/games/table/aceofspades", reverse("aceofspades", args=["table"])]
        heard = [each for each in where if CANARIES.search(text_of(watcher.get(each)))]
        assert heard or name == "Alexia", name
    take(
        "table", dealt.players.get(name="snail"), "games.resign_office", {"office": "Contestmaster"}
    )
    snail = Watcher.of(dealt.players.get(name="snail"))
    for each in (address for address in addresses(dealt, only=is_quick) if "office" not in address):
        assert not CANARIES.search(text_of(snail.get(each))), each
    alexia = Watcher.of(dealt.players.get(name="Alexia"))
    act(dealt, "Alexia", "leave_alliance", alliance=1)
    told_now = json.loads(alexia.get("/api/v1/games/table/aceofspades").content)
    assert [each.get("members") for each in told_now["alliances"]] == []


@pytest.mark.parametrize(
    "only", [is_quick, pytest.param(is_anywhere, marks=pytest.mark.slow)], ids=["quick", "all"]
)
@pytest.mark.parametrize("name", ["Jason", "snail"], ids=["newly in office", "in office again"])
def test_a_contestmaster_who_came_in_mid_contest_hears_nothing_of_what_was_before(
    only: Callable[[str], bool], name: str, dealt: Game, planted: dict[str, str]
):
    """Nobody can come to it then any more: it is so in games that are older than that."""
    put_in_office(dealt, "Contestmaster", None)
    put_in_office(dealt, "Contestmaster", dealt.players.get(name=name))
    watcher = Watcher.of(dealt.players.get(name=name))
    for now in ("open", "decided"):
        heard = [
            each
            for each in addresses(dealt, only=only)
            if CANARIES.search(text_of(watcher.get(each)))
        ]
        assert (now, heard) == (now, [])
        if now == "open":
            canaries.decide(dealt)


def test_what_an_address_or_the_box_says_of_private_acts_shows_nobody_more(
    dealt: Game, planted: dict[str, str]
):
    where = [
        f"/g/table/act/aceofspades.{name}/?{field}={planted[code]}"
        for name, field, code in (
            ("accept_offer", "offer", "offer"),
            ("accept_offer", "offer", "unnamed"),
            ("withdraw_offer", "offer", "offer"),
            ("agree_pact", "pact", "pact"),
            ("decline_pact", "pact", "pact"),
        )
    ]
    where += [
        "/g/table/act/aceofspades.grant_ntk/?regulation=340&to=Madrid&kind=full",
        "/g/table/act/aceofspades.reveal_regulation/?regulation=350",
        f"/g/table/say/?words=Accept+offer+{planted['offer']}",
        f"/g/table/say/?words=Agree+to+pact+{planted['pact']}",
        "/g/table/say/?words=Vote+FOR+on+Proposal+1+of+the+contest",
        "/g/table/aceofspades/regulations/341/",
        "/g/table/aceofspades/proposals/99/",
        "/api/v1/games/table/aceofspades/350",
    ]
    for who, watcher in watchers(dealt).items():
        for address in where:
            answer = watcher.get(address)
            assert answer.status_code < 500
            assert not CANARIES.search(text_of(answer)), (who, address)


# Not a byte


PRIVATE_ACTS: dict[str, Callable[[Game], Any]] = {
    "a vote": lambda game: act(game, "Murphy", "vote", proposal=2, vote="FOR"),
    "an offer": lambda game: act(
        game, "Murphy", "offer", to=["Babe"], gives={"Hearts": 2}, takes={"Black": 1}
    ),
    "a withdrawal": lambda game: act(
        game, "Murphy", "withdraw_offer", offer=Offer.objects.filter(end="").earliest("pk").code
    ),
    "an acceptance that fails": lambda game: act(
        game, "Fran", "accept_offer", offer=Offer.objects.get(by__player__name="Lim").code
    ),
    "a pact": lambda game: act(game, "Fran", "ally", others=["Lim", "Babe"]),
    "an agreement that others wait for": lambda game: act(
        game, "Babe", "agree_pact", pact=Pact.objects.latest("pk").code
    ),
    "a pact declined": lambda game: act(
        game, "Babe", "decline_pact", pact=Pact.objects.latest("pk").code
    ),
}


def test_not_a_byte_a_header_or_a_query_differs_after_a_private_act(
    dealt: Game, planted: dict[str, str]
):
    others = {who: watchers(dealt)[who] for who in ("nobody", "rival")}
    where = addresses(dealt, only=is_close)
    what_is_told(dealt, others, where)  # what a process, a cache or a session makes once
    before, mark = what_is_told(dealt, others, where), watch.mark(dealt.pk)
    for done, it in PRIVATE_ACTS.items():
        it(dealt)
        assert (done, differences(before, what_is_told(dealt, others, where))) == (done, [])
    assert watch.mark(dealt.pk) == mark


# Twins


def plain(answer: Any) -> tuple[Any, ...]:
    """An answer without the keys of games and rules, hashes and what is random by its nature."""
    status, headers, cookies, _, body = told(answer)
    body = re.sub(r"\b[0-9a-f]{32,64}\b", "#", canaries.without_tokens(body))
    body = re.sub(r"game=\d+\b|-[0-9]+/\"", "", body)
    headers = {name: headers[name] for name in headers if name != "Content-Length"}
    return status, headers, cookies, len(body), body


def seen_by_others(game: Game) -> dict[tuple[str, str], Any]:
    """All that the contest tells those who have no part in what Murphy and the others do."""
    where = [
        *("/g/table/", "/g/table/aceofspades/", "/g/table/record/?page=1", "/g/table/dice/"),
        *("/api/v1/games/table", "/api/v1/games/table/aceofspades", "/g/table/aceofspades/proof/"),
        *("/api/v1/games/table/record?limit=500", "/api/v1/games/table/rules"),
        *("/api/v1/games/table/balances", "/api/v1/games/table/reports/contestmaster"),
        *("/api/v1/games/table/dice", "/g/table/aceofspades/all/moves/", "/g/table/ledger/"),
    ]
    whole = watchers(game)
    return {
        (who, address): plain(whole[who].get(address))
        for who in ("nobody", "rival", "operator")
        for address in where
    }


def twin(private: Callable[[Game], Any], secret: str = canaries.SECRET) -> dict[Any, Any]:
    """What others see of a contest in which that was done, and in which time then went on."""
    game = canaries.a_contest(secret=secret)
    canaries.deal(game)
    act(game, "Madrid", "propose", number=510, text=canaries.PUBLIC, visibility="public")
    private(game)
    take("table", game.players.get(name="Jason"), "aceofspades.join")
    hours(game, 96)
    game.refresh_from_db()
    found = seen_by_others(game)
    Game.objects.filter(pk=game.pk).update(slug=f"past-{game.pk}")
    return found


def _gives(**cards: int) -> Callable[[Game], Any]:
    return lambda game: act(game, "Murphy", "transfer", to="Babe", cards=cards)


def _proposes(text: str) -> Callable[[Game], Any]:
    return lambda game: act(game, "Murphy", "propose", number=500, text=text, visibility="private")


def _busy(game: Game) -> None:
    for done in ("an offer", "a pact"):
        PRIVATE_ACTS[done](game)
    act(game, "Babe", "vote", proposal=1, vote="AGAINST")
    act(game, "Lim", "vote", proposal=1, vote="FOR")


TWINS = {
    "other suits given": (_gives(Hearts=3), _gives(Green=2, Red=1)),
    "another private proposal": (_proposes("A"), _proposes("B" * 900)),
    "votes, offers and pacts, or none": (lambda game: None, _busy),
}


@pytest.mark.parametrize("which", TWINS)
def test_two_contests_that_differ_in_private_only_look_the_same_to_others(which: str):
    one, other = (twin(private) for private in TWINS[which])
    assert differences(one, other) == []


def test_two_contests_with_other_secret_regulations_look_the_same_to_others():
    one = twin(lambda game: None)
    assert (
        differences(one, twin(lambda game: None, secret="A longer text about something else")) == []
    )


# Refusals


def test_a_refusal_tells_nobody_whether_what_they_name_is_somebody_elses(
    dealt: Game, planted: dict[str, str]
):
    never = "ZZZZ"
    probes = [
        *(("accept_offer", "offer", planted[code]) for code in ("offer", "unnamed", "accepted")),
        ("withdraw_offer", "offer", planted["offer"]),
        ("agree_pact", "pact", planted["pact"]),
        ("decline_pact", "pact", planted["pact"]),
    ]
    before = Vote.objects.count(), Notice.objects.count(), Offer.objects.filter(end="").count()
    for who in ("Madrid", "Jason", None):
        for name, field, code in probes:
            status, said = post(dealt, who, name, **{field: code})
            assert status in (401, 403, 409), said
            other = post(dealt, who, name, **{field: never})
            assert (status, said.replace(code, never)) == other, (who, name)
        status, said = post(dealt, who, "leave_alliance", alliance=1)
        assert status in (401, 403, 409)
        assert (status, said.replace("Alliance 1", "")) == tuple(
            part.replace("Alliance 9", "") if isinstance(part, str) else part
            for part in post(dealt, who, "leave_alliance", alliance=9)
        )
    after = Vote.objects.count(), Notice.objects.count(), Offer.objects.filter(end="").count()
    assert after == before


def test_the_keys_of_others_private_acts_are_anybodys(dealt: Game, planted: dict[str, str]):
    act(dealt, "Murphy", "vote", key="one", proposal=2, vote="FOR")
    act(dealt, "Madrid", "vote", key="one", proposal=2, vote="FOR")
    assert Vote.objects.filter(proposal__number=2).count() == 2


def test_the_games_own_rulebook_tells_nobody_of_a_hidden_regulation():
    """A correction or a game's proposal that names it is answered as one that names nothing."""
    game = canaries.a_contest(preset="demo")
    jason = game.players.get(name="Jason")
    take("table", jason, "games.take_office", {"office": "Horsened"})

    def correct(title: str) -> str:
        inputs = {"rule": title, "text": "Nothing.", "reason": "a try"}
        answer = Client().post(
            "/api/v1/games/table/actions/rulebook.amend",
            json.dumps(inputs),
            content_type="application/json",
            headers=Watcher.of(jason).headers,
        )
        assert answer.status_code in (409, 422)
        return answer.content.decode().replace(title, "")

    assert correct("Regulation 350") == correct("Regulation 351")
    for change in ("Repeal Regulation 350.", "Amend Regulation 350 by replacing “the” with “a”."):
        take("table", jason, "proposals.submit", {"body": change})
    watching = watchers(game)
    for who in ("player", "nobody", "operator"):
        for address in addresses(game, only=lambda route: "/proposals/" in route):
            if "/aceofspades/" not in address:
                assert canaries.SECRET not in text_of(watching[who].get(address)), address


def test_a_table_in_a_hidden_regulation_that_cannot_be_read_is_not_quoted(dealt: Game):
    from aceofspades.events import book

    row = f"| {canaries.SECRET} | x |"
    text = f"{canaries.SECRET}\n\n| FEE | CARDS OF EACH SUIT |\n| --- | --- |\n{row}\n"
    with at_the_table(dealt) as table:
        book.take_effect(table, 201, text, "secret")
    for who, watcher in watchers(dealt).items():
        for each in addresses(dealt, only=is_close):
            assert canaries.SECRET not in text_of(watcher.get(each)), (who, each)
    for name in ("Madrid", "Jason"):
        assert canaries.SECRET not in post(dealt, name, "reveal_regulation", regulation=350)[1]


# Logs


def test_no_record_of_the_log_has_a_canary_when_all_goes_well(
    dealt: Game, caplog: pytest.LogCaptureFixture, log: io.StringIO
):
    with caplog.at_level(logging.INFO):
        canaries.plant(dealt)
        canaries.decide(dealt)
        for cards in ({"Hearts": canaries.MOVED * 10}, {"Gold": canaries.MOVED}):
            post(dealt, "Murphy", "transfer", to="Babe", cards=cards)
    assert not CANARIES.search(caplog.text)
    assert not CANARIES.search(log.getvalue())


def _without_salt(self: RecordWriter, game: Game, salt: Any) -> None:
    self._game, self._salt, self._opened = game, lambda number: None, []


@pytest.mark.django_db(transaction=True)
def test_neither_log_nor_answer_quotes_a_private_act_that_could_not_be_kept(
    dealt: Game, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    act(dealt, "Madrid", "propose", number=510, text=canaries.PUBLIC, visibility="public")
    murphy = Watcher.of(dealt.players.get(name="Murphy"))
    tries: list[tuple[str, dict[str, Any]]] = [
        ("propose", {"number": 500, "text": canaries.PROPOSED, "visibility": "private"}),
        ("transfer", {"to": "Babe", "cards": {"Green": canaries.MOVED}}),
        ("vote", {"proposal": 1, "vote": "FOR"}),
        (
            "offer",
            {"to": ["Babe"], "gives": {"Hearts": canaries.OFFERED}, "takes": {"Black": 1}},
        ),
        ("ally", {"others": ["Alexia"]}),
    ]
    monkeypatch.setattr(RecordWriter, "__init__", _without_salt)
    for name, inputs in tries:
        answer = Client(raise_request_exception=False).post(
            f"/api/v1/games/table/actions/aceofspades.{name}",
            json.dumps(inputs),
            content_type="application/json",
            headers=murphy.headers,
        )
        assert answer.status_code == 500
        assert not CANARIES.search(answer.content.decode())
    said = log.getvalue()
    assert "Traceback" in said
    assert not CANARIES.search(said)
    assert not re.search(r"votes FOR|alliance with Alexia", said)
    assert not Vote.objects.exists()
    assert not Pact.objects.exists()
