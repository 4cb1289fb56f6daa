"""No canary sings to whom it does not belong: on no page, in no answer or log, by no refusal."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from aceofspades.models import Pact, Vote
from aceofspades.tests import canaries
from aceofspades.tests.canaries import act, post
from aceofspades.tests.secrecy.walks import is_anywhere, is_close, is_quick, watchers
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.record.writer import RecordWriter
from nomic.web.tests.watchers import FEW, Watcher, addresses, text_of
from tests.kit import at_the_table, put_in_office

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wall", "uncounted")]

CANARIES = re.compile(canaries.everywhere())


def is_quick_and_no_office(route: str) -> bool:
    """Whether it is among these addresses, and not on the officers' site."""
    return is_quick(route) and "office" not in route


BRIEF_AND_THOROUGH = (pytest.mark.brief, pytest.mark.thorough)
WALKS = [
    pytest.param(is_quick, "rival", id="rival quickly", marks=pytest.mark.brief),
    *(
        pytest.param(is_quick, who, id=f"{who} quickly", marks=BRIEF_AND_THOROUGH)
        for who in ("nobody", "operator")
    ),
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
        where = addresses(dealt, only=only, few=only is is_quick)
        assert len(where) > 30
        heard = [each for each in where if CANARIES.search(text_of(watcher.get(each)))]
        assert (now, heard) == (now, [])
        if now == "open":
            canaries.decide(dealt)


@pytest.mark.parametrize("few", FEW)
def test_who_has_left_the_game_or_the_office_hears_no_more(
    few: bool, dealt: Game, planted: dict[str, str]
):
    for name in ("Fran", "Anna", "Babe", "snail"):
        watcher = Watcher.of(dealt.players.get(name=name))
        where = ["/api/v1/games/table/aceofspades", reverse("aceofspades", args=["table"])]
        heard = [each for each in where if CANARIES.search(text_of(watcher.get(each)))]
        assert heard or name == "Anna", name
    take(
        "table", dealt.players.get(name="snail"), "games.resign_office", {"office": "Contestmaster"}
    )
    snail = Watcher.of(dealt.players.get(name="snail"))
    for each in addresses(dealt, only=is_quick_and_no_office, few=few):
        assert not CANARIES.search(text_of(snail.get(each))), each
    alexia = Watcher.of(dealt.players.get(name="Anna"))
    act(dealt, "Anna", "leave_alliance", alliance=1)
    told_now = json.loads(alexia.get("/api/v1/games/table/aceofspades").content)
    assert [each.get("members") for each in told_now["alliances"]] == []


def test_what_a_contestmaster_proposed_in_secret_stays_with_the_office(
    dealt: Game, planted: dict[str, str]
):
    put_in_office(dealt, "Contestmaster", None)
    receipts = text_of(Watcher.of(dealt.players.get(name="snail")).get("/g/table/receipts/"))
    assert "proposes the secret Regulation 700" in receipts
    assert not CANARIES.search(receipts)
    whole = Watcher.of(dealt.players.get(name="snail")).get("/g/table/receipts/?format=json")
    assert not CANARIES.search(text_of(whole))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("only", "name"),
    [
        pytest.param(is_quick, "Jason", id="newly in office, quickly", marks=pytest.mark.brief),
        pytest.param(is_anywhere, "Jason", id="newly in office", marks=pytest.mark.slow),
        pytest.param(is_anywhere, "snail", id="in office again", marks=pytest.mark.slow),
    ],
)
def test_a_contestmaster_who_came_in_mid_contest_hears_nothing_of_what_was_before(
    only: Callable[[str], bool], name: str, dealt: Game, planted: dict[str, str]
):
    """Nobody can come to it then any more: the test sees to it by hand."""
    put_in_office(dealt, "Contestmaster", None)
    put_in_office(dealt, "Contestmaster", dealt.players.get(name=name))
    watcher = Watcher.of(dealt.players.get(name=name))
    for now in ("open", "decided"):
        heard = [
            each
            for each in addresses(dealt, only=only, few=only is is_quick)
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


# Refusals


@pytest.mark.thorough
@pytest.mark.parametrize("few", FEW)
def test_the_games_own_rulebook_tells_nobody_of_a_hidden_regulation(few: bool):
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
        for address in addresses(game, only=is_of_the_games_proposals, few=few):
            assert canaries.SECRET not in text_of(watching[who].get(address)), address


def is_of_the_games_proposals(route: str) -> bool:
    """Whether it tells of the proposals of the game, not of the contest."""
    return "/proposals/" in route and "/aceofspades/" not in route


@pytest.mark.thorough
@pytest.mark.parametrize("few", FEW)
def test_a_table_in_a_hidden_regulation_that_cannot_be_read_is_not_quoted(few: bool, dealt: Game):
    from aceofspades.events import book

    row = f"| {canaries.SECRET} | x |"
    text = f"{canaries.SECRET}\n\n| FEE | CARDS OF EACH SUIT |\n| --- | --- |\n{row}\n"
    with at_the_table(dealt) as table:
        book.take_effect(table, 201, text, "secret")
    for who, watcher in watchers(dealt).items():
        for each in addresses(dealt, only=is_close, few=few):
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
    self._game, self._salt, self._opened = game, lambda book, number: None, []


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
        ("ally", {"others": ["Anna"]}),
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
    assert not re.search(r"votes FOR|alliance with Anna", said)
    assert not Vote.objects.exists()
    assert not Pact.objects.exists()
