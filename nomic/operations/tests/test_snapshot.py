"""A game that is played while it is checked is not taken for one that was tampered with."""

import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import call_command

from nomic.engine.outcomes import Receipt
from nomic.engine.take import take
from nomic.engine.tests.tiny import TINY
from nomic.games.models import Game
from nomic.operations import audit as auditing
from nomic.operations import exports, replay
from nomic.operations.setup import new_game
from nomic.record import game_file
from tests.kit import all_at_once, seat, user_of

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("transactional_db")


@pytest.fixture
def game(transactional_db: None) -> Game:
    game, _ = new_game("table", TINY, pace="manual", start=WEDNESDAY)
    seat(game, "Murphy")
    return game


def somebody_joins_before[**P, R](call: Callable[P, R]) -> Callable[P, R]:
    """The same call, before which a player joins the game on another connection."""

    def meanwhile(*args: P.args, **kwargs: P.kwargs) -> R:
        assert not isinstance(all_at_once(join)[0], Exception)
        return call(*args, **kwargs)

    return meanwhile


def join() -> Receipt:
    return take("table", user_of("juan"), "games.join", {"name": "juan"})


def entries(game: Game) -> int:
    return game.entries.count()


def test_the_game_is_read_again_for_each_check(game: Game) -> None:
    seat(game, "Madrid")
    assert [str(finding) for finding in auditing.audit(game) if finding.wrong] == []
    assert replay.replay(game)[1] is None


def test_an_audit_sees_the_game_of_one_instant(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = somebody_joins_before(auditing._record)
    monkeypatch.setattr(auditing, "_CHECKS", (joined, *auditing._CHECKS))
    assert [str(finding) for finding in auditing.audit(game) if finding.wrong] == []
    assert entries(game) == 3


def test_a_replay_sees_the_game_of_one_instant(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = somebody_joins_before(replay._other_postings)
    monkeypatch.setattr(replay, "_other_postings", joined)
    assert replay.replay(game) == (2, None)
    assert (entries(game), Game.objects.count()) == (3, 1)


def test_an_export_sees_the_game_of_one_instant(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    @somebody_joins_before
    def joined(*recorded: Any) -> Iterator[str]:
        return game_file.lines_of(*recorded)

    monkeypatch.setattr(exports, "lines_of", joined)
    file = io.StringIO()
    assert exports.export_game(game, file) == 2
    head = json.loads(file.getvalue().splitlines()[0])
    assert head["users"] == {"Murphy": "Murphy"}
    assert entries(game) == 3


def test_the_command_checks_each_game_at_an_instant_of_its_own(game: Game) -> None:
    new_game("another", TINY, pace="manual", start=WEDNESDAY)
    said = io.StringIO()
    call_command("audit", stdout=said)
    assert "(table)" in said.getvalue()
    assert "(another)" in said.getvalue()
    assert "WRONG" not in said.getvalue()
