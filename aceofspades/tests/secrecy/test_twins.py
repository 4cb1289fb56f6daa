"""Nobody can tell by bytes, queries, refusals or keys what others did in private."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from aceofspades.models import Notice, Offer, Vote
from aceofspades.tests import canaries
from aceofspades.tests.canaries import act, post
from aceofspades.tests.secrecy.private_acts import IN_TURN, PRIVATE_ACTS
from aceofspades.tests.secrecy.walks import is_close, watchers
from aceofspades.tests.stage import hours
from nomic.engine import watch
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.web.tests.watchers import (
    FEW,
    addresses,
    differences,
    told,
    what_is_told,
    without_tokens,
)
from tests.kit.games import roll_after_nothing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wall", "uncounted")]


def test_few_looks_miss_no_private_act() -> None:
    assert sorted(each for done in IN_TURN for each in done) == sorted(PRIVATE_ACTS)


@pytest.mark.thorough
@pytest.mark.parametrize("few", FEW)
def test_not_a_byte_a_header_or_a_query_differs_after_a_private_act(
    few: bool, dealt: Game, planted: dict[str, str]
):
    others = {who: watchers(dealt)[who] for who in ("nobody", "rival")}
    where = addresses(dealt, only=is_close, few=few)
    what_is_told(dealt, others, where)  # what a process, a cache or a session makes once
    before, mark = what_is_told(dealt, others, where), watch.mark(dealt.pk)
    for done in IN_TURN if few else [(each,) for each in PRIVATE_ACTS]:
        for each in done:
            PRIVATE_ACTS[each](dealt)
        assert (done, differences(before, what_is_told(dealt, others, where))) == (done, [])
    assert watch.mark(dealt.pk) == mark


def plain(answer: Any) -> tuple[Any, ...]:
    """An answer without the keys of games and rules, hashes and what is random by its nature."""
    status, headers, cookies, _, body = told(answer)
    body = re.sub(r"\b([0-9a-f]{32,128}\b|[0-9a-f]{8}…)", "#", without_tokens(body))
    body = re.sub(r"game=\d+\b|\bv=[0-9a-f]{20}\b|-[0-9]+/\"", "", body)
    by_hash = ("Content-Length", "ETag", "Nomic-Head")
    headers = {name: headers[name] for name in headers if name not in by_hash}
    return status, headers, cookies, len(body), body


def seen_by_others(game: Game) -> dict[tuple[str, str], Any]:
    """All that the contest tells those who have no part in what Murphy and the others do."""
    where = [
        *("/g/table/", "/g/table/aceofspades/", "/g/table/record/", "/g/table/dice/"),
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


def _nothing(game: Game) -> None:
    """Nothing is done in private."""


def _all(*private: Callable[[Game], Any]) -> Callable[[Game], Any]:
    return lambda game: [each(game) for each in private]


TWINS = {
    "other suits given": (_gives(Hearts=3), _gives(Green=2, Red=1)),
    "another private proposal": (_proposes("A"), _proposes("B" * 900)),
    "votes, offers and pacts, or none": (_nothing, _busy),
}
ONE, OTHER = (_all(*side) for side in zip(*TWINS.values(), strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(ONE, OTHER, id="in all of it", marks=pytest.mark.brief),
        *(pytest.param(*two, id=which, marks=pytest.mark.slow) for which, two in TWINS.items()),
    ],
)
def test_two_contests_that_differ_in_private_only_look_the_same_to_others(
    one: Callable[[Game], Any], other: Callable[[Game], Any]
):
    assert differences(twin(one), twin(other)) == []


@pytest.mark.slow
def test_two_contests_with_other_secret_regulations_look_the_same_to_others(
    monkeypatch: pytest.MonkeyPatch,
):
    roll_after_nothing(monkeypatch)
    one, other = twin(_nothing), twin(_nothing, secret="A longer text about something else")
    assert differences(one, other) == []


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
