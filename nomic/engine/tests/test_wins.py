"""Who won is recorded for good, in the entry in which they did, and a replay finds it again."""

from collections.abc import Iterator

import pytest
from django.db import DatabaseError, connection, transaction

from nomic.engine.actions import _ACTIONS, Action, PrivateAction, action
from nomic.engine.effects import Effects, Then
from nomic.engine.table import Table, glance
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from tests.kit import Take, around


class Triumph(Action):
    """Win by saying so."""

    name = "tiny.triumph"
    title = "Triumph"
    how = "by saying so"

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == "tiny")

    def judge(self, table: Table, player: Player) -> Effects:
        def win(at: Table) -> None:
            at.win(player, "Coins", self.how)

        return Effects(Then(win), say=f"{player} wins.")


class TriumphInSilence(Triumph, PrivateAction):
    """Win where nobody hears of it."""

    name = "tiny.silence"


@pytest.fixture(autouse=True)
@around
def triumphs() -> Iterator[None]:
    acts = (Triumph, TriumphInSilence)
    for each in acts:
        action(each)
    yield
    for each in acts:
        _ACTIONS.pop(each.name)


def test_a_win_stands_in_the_entry_in_which_it_was_won(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    entries = [act(who, "tiny.triumph").entry for who in (rival, player, rival)]
    wins = game.wins.select_related("player")
    assert [(win.player.name, win.entry) for win in wins] == [
        ("Madrid", entries[0].seq),
        ("Murphy", entries[1].seq),
        ("Madrid", entries[2].seq),
    ]
    assert {(win.rule, win.how) for win in wins} == {("Coins", "by saying so")}
    assert [win.at for win in wins] == [entry.at for entry in entries]
    game.refresh_from_db()
    assert replay(game)[1] is None
    assert not [finding for finding in audit(game) if finding.wrong]


def test_a_replay_finds_a_win_that_is_not_of_the_record(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(player, "tiny.triumph")
    game.refresh_from_db()
    monkeypatch.setattr(Triumph, "how", "by a trick")
    difference = str(replay(game)[1])
    assert difference.startswith("every entry agrees, but wins is ")
    assert "by a trick" in difference


@pytest.mark.parametrize(
    "statement", ["UPDATE games_win SET how = 'by a trick'", "DELETE FROM games_win"]
)
def test_nobody_takes_a_win_away(statement: str, game: Game, player: Player, act: Take) -> None:
    act(player, "tiny.triumph")
    with (
        pytest.raises(DatabaseError, match="kept for good"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert game.wins.get().how == "by saying so"


def test_nobody_wins_in_private_or_by_looking_on(game: Game, player: Player, act: Take) -> None:
    with pytest.raises(RuntimeError, match="entry of the record"):
        act(player, "tiny.silence")
    with pytest.raises(RuntimeError, match="entry of the record"):
        glance(game).win(player, "Coins", "by looking on")
    assert not game.wins.exists()
