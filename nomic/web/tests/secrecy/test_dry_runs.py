"""No dry run tells what its caller may not see, however many are asked: neither by what it says nor
by how much it looks for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.db import connection

from aceofspades.models import Offer
from aceofspades.state.reading import state_of
from aceofspades.tests import canaries
from aceofspades.tests.secrecy.private_acts import IN_TURN, PRIVATE_ACTS
from nomic.engine.actions import Action, all_actions
from nomic.engine.dry_acts import HIDDEN, PRIVATE
from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.web.tests.secrecy import everything_private
from nomic.web.tests.secrecy.everything_private import CANARIES, HOST, SECOND, player
from nomic.web.tests.watchers import Watcher, text_of
from tests.kit import WEDNESDAY, around, at_the_table, seat, user_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("often")]

_MOST = 3  # inputs of an action
_NUMBERS = (1, 2, 3, 340, 350, 500)


@pytest.fixture
def often(settings: LazySettings) -> None:
    """As often as one likes."""
    settings.API_REQUESTS_A_MINUTE = 0
    settings.BOUNDS = {**settings.BOUNDS, "dry_runs": 10**9}


@pytest.fixture
@around
def wall() -> Iterator[None]:
    """The wall's time stands still: what differs between two looks differs for another reason."""
    with time_machine.travel(WEDNESDAY, tick=False):
        yield


@pytest.fixture
def planted(db: None) -> Game:
    """A game of every subgame in which every private thing has its canary."""
    game = everything_private.begin()
    everything_private.tell_the_bribe(game)
    everything_private.vote_in_secret(game)
    seat(game, "a newcomer")
    return Game.objects.get(pk=game.pk)


def tries(game: Game, action: Action, who: str) -> Iterator[dict[str, Any]]:
    """Some inputs that the action may take of that player, and each code of somebody's offer."""
    seated = game.players.select_related("holder").filter(user__username=who).first()
    fields = action.Form(glance(game), seated).schema()["properties"]
    values = {name: [*_values(name, kind)] for name, kind in fields.items()}
    longest = max(map(len, values.values()), default=0)
    turns = (
        {name: some[turn % len(some)] for name, some in values.items()}
        for turn in range(max(longest, 1))
    )
    yield from islice(turns, _MOST)
    for code in Offer.objects.values_list("code", flat=True) if "offer" in fields else ():
        yield {**{name: some[0] for name, some in values.items()}, "offer": code}


def _values(name: str, kind: dict[str, Any]) -> Iterator[Any]:
    listed = [*kind.get("enum", ()), *kind.get("examples", ())]
    kinds = kind["type"] if isinstance(kind["type"], list) else [kind["type"]]
    if listed:
        yield from listed
    elif "integer" in kinds:
        yield from _NUMBERS
    elif "object" in kinds:
        yield from ({"Hearts": 1}, {"wheat": 1}, {"Green": 1})
    elif "array" in kinds:
        yield from (["Murphy"], ["Babe", "Lim"])
    elif "boolean" in kinds:
        yield from (False, True)
    else:
        yield from ("Murphy", "wheat", "Words.")


def tried(watcher: Watcher, action: str, inputs: dict[str, Any]) -> tuple[Any, int]:
    """The answer of a dry run, and after how many queries it was given."""
    queries = 0

    def counting(execute: Any, sql: Any, *more: Any) -> Any:
        nonlocal queries
        queries += "pg_locks" not in str(sql)  # looked at every so often in seconds
        return execute(sql, *more)

    with connection.execute_wrapper(counting):
        answer = watcher.program.post(
            f"/api/v1/games/table/actions/{action}?dry_run=1",
            json.dumps(inputs),
            content_type="application/json",
            headers=watcher.headers,
        )
    assert answer.status_code in {200, 409, 422}, (action, inputs, answer.content)
    return answer, queries


def real_actions() -> list[Action]:
    """The actions that the site has."""
    return [act for act in all_actions() if act.name.partition(".")[0] not in ("tiny", "lottery")]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "who",
    [
        *(SECOND, "operator"),
        *(pytest.param(who, marks=pytest.mark.slow) for who in ("a newcomer", HOST, "Madrid")),
    ],
)
def test_no_dry_run_says_what_its_caller_may_not_see(who: str, planted: Game) -> None:
    user = user_of(who)
    if who == "operator":
        user.is_superuser = True
        user.save()
    watcher, codes = Watcher.of(user), set()
    for action in real_actions():
        for inputs in tries(planted, action, who):
            answer, _ = tried(watcher, action.name, inputs)
            codes.add(answer.status_code)
            heard = CANARIES.search(text_of(answer))
            assert heard is None, (action.name, inputs, heard)
    assert {200, 409} <= codes


def test_what_is_sealed_stays_so_in_the_dry_runs_of_those_who_act_on_it(planted: Game) -> None:
    """The fee for a secret regulation, an offer that one side cannot keep, the office that reads
    the bribes, the joining that is dealt cards."""
    with at_the_table(planted) as table:
        for asset in state_of(table).assets:
            table.ledger.create(player(planted, "Murphy"), 1, asset)
    offer = Offer.objects.filter(end="", to__player__name="Babe").first()
    assert offer is not None
    attempts: list[tuple[str, str, dict[str, Any]]] = [
        ("Babe", "aceofspades.accept_offer", {"offer": offer.code, "anonymous": False}),
        ("Murphy", "aceofspades.reveal_regulation", {"regulation": 350}),
        ("a newcomer", "aceofspades.join", {}),
        ("Madrid", "aceofspades.leave", {}),
        ("Madrid", "games.leave", {}),
    ]
    for who, action, inputs in attempts:
        watcher, answers = Watcher.of(player(planted, who)), []
        for _ in range(3):
            answer, queries = tried(watcher, action, inputs)
            answers.append((answer.status_code, answer.content, queries))
        status, content, _ = answers[-1]
        assert answers[1] == answers[2]
        assert answers[0][:2] == answers[2][:2]
        assert status == 200, (action, content)
        foreseen = json.loads(content)
        assert foreseen["unknown"] in ([HIDDEN], [PRIVATE]), action
        assert not {"outcome", "effects", "balances", "rules", "later"} & foreseen.keys(), action
        assert not CANARIES.search(content.decode()), action


@pytest.mark.thorough
@pytest.mark.usefixtures("wall")
def test_no_dry_run_tells_that_somebody_has_acted_in_private() -> None:
    game = canaries.a_contest()
    canaries.deal(game)
    canaries.plant(game)
    rival = Watcher.of(player(game, "Madrid"))
    asked = [
        (action.name, inputs)
        for action in real_actions()
        if action.name.startswith(("aceofspades.", "games."))
        for inputs in tries(game, action, "Madrid")
    ]

    def answers() -> Iterator[Any]:
        for name, inputs in asked:
            answer, queries = tried(rival, name, inputs)
            yield name, inputs, answer.status_code, answer.content, queries

    list(answers())  # what a process makes once
    before = list(answers())
    for acts in IN_TURN:
        for act in acts:
            PRIVATE_ACTS[act](game)
        for was, now in zip(before, answers(), strict=True):
            assert was == now
