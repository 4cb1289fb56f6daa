"""A record with motions proves itself, here and elsewhere; an older one comes to them."""

import io
from pathlib import Path

import pytest

from nomic.dice.models import Master
from nomic.engine.actions import find_action
from nomic.engine.outcomes import Refused
from nomic.engine.shares.locks import locked_game
from nomic.engine.table import Table
from nomic.engine.take import perform, take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import begin, lay_out, new_game
from nomic.standard.powers import SET_POWERS
from tests.kit import Take, seat, user_of

KEEPER = "Keeper"
EXPORTS = Path(__file__).resolve().parents[4] / "shared" / "exports"


@pytest.fixture
def eventful(game: Game, players: list[Player], act: Take) -> Game:
    """A game in which motions have ended in each way, and one is open."""
    murphy, madrid, jason, snail = players
    for each in (murphy, madrid, jason):
        act(each, "games.stand", office=KEEPER)
    act(jason, "games.withdraw", motion=3)
    act(madrid, "games.support", motion=1)
    act(jason, "games.support", motion=1, key="k")
    act(murphy, "games.pause", reason="a coup")
    act(madrid, "games.recall", office=KEEPER)
    act(jason, "games.support", motion=4)
    act(snail, "games.stand", office=KEEPER)
    for each in (madrid, jason):
        act(each, "games.support", motion=5)
    act(snail, "games.resume")
    act(jason, "games.recall", office=KEEPER)
    act(madrid, "games.leave")
    return game


@pytest.mark.thorough
def test_a_game_with_motions_replays_to_the_same(eventful: Game) -> None:
    eventful.refresh_from_db()
    assert set(eventful.motions.values_list("end", flat=True)) == {
        *("done", "failed", "withdrawn", ""),
    }
    assert [str(found) for found in audit(eventful) if found.wrong] == []
    assert replay(eventful)[1] is None


@pytest.mark.thorough
def test_a_game_with_motions_goes_on_elsewhere(eventful: Game) -> None:
    file = io.StringIO()
    export_game(Game.objects.get(pk=eventful.pk), file)
    there = import_game(file.getvalue().splitlines(), slug="there", seat_users=True)
    take("there", user_of("Murphy"), "games.support", {"motion": 6})
    assert there.offices.get(name=KEEPER).holder is None
    assert replay(Game.objects.get(pk=there.pk))[1] is None


_NEWER = ("format", "master")  # what a record of format 1 does not tell


def begin_again(game: Game) -> Game:
    """A game that begins as that one did, before a beginning told how offices are filled."""
    first = game.entries.earliest("seq")
    told = {name: first.inputs[name] for name in first.inputs if name not in _NEWER}
    inputs = {**told, "identity": "older", "settings": {"reports.hold": False}}
    older = lay_out("older", inputs, begins=first.at, wall=first.recorded_at)
    Master.objects.create(game=older, key=bytes(32))
    begin(older, inputs, first.at, first.recorded_at)
    return older


def as_it_was_done(game: Game, actor: str, name: str, /, **inputs: str) -> None:
    """An act of that older record; nobody can act like that any more."""
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        player = locked.players.filter(name=actor).first()
        perform(table, player, find_action(name), inputs)
    if name == "games.join":
        game.players.filter(name=actor).update(user=user_of(actor))


def test_an_older_real_game_comes_to_its_powers_before_the_next_act(db: None) -> None:
    game = begin_again(new_game("real", "tiny", pace="real")[0])
    for name in ("Murphy", "Madrid", "Jason"):
        as_it_was_done(game, name, "games.join", name=name)
    as_it_was_done(game, "Murphy", "games.take_office", office=KEEPER)
    as_it_was_done(game, "Murphy", "games.resign_office", office=KEEPER)
    madrid = game.players.get(name="Madrid")
    with pytest.raises(Refused, match="Stand for it"):
        take("older", madrid, "games.take_office", {"office": KEEPER})
    powers = game.entries.get(name=SET_POWERS)
    assert (powers.name, powers.inputs) == (
        SET_POWERS,
        {"offices": "support", "objection_hours": 24},
    )
    take("older", madrid, "games.stand", {"office": KEEPER})
    for name in ("Murphy", "Jason"):
        take("older", game.players.get(name=name), "games.support", {"motion": 1})
    assert game.offices.get(name=KEEPER).holder == madrid
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.skipif(not EXPORTS.is_dir(), reason="No games of older versions are here.")
@pytest.mark.parametrize("name", ["b-nomic-2006", "ace-of-spades"])
def test_a_game_of_an_older_version_is_imported_and_goes_on(name: str, db: None) -> None:
    lines = (EXPORTS / f"{name}.export").read_text().splitlines()
    game = import_game(lines, slug="older")
    entries = game.last_entry
    seat(game, "newcomer")
    assert game.entries.get(seq=entries + 1).name == SET_POWERS
    assert (game.entries.get(seq=entries + 1).inputs["offices"]) == "open"
    assert [str(found) for found in audit(Game.objects.get(pk=game.pk)) if found.wrong] == []
    assert replay(Game.objects.get(pk=game.pk))[1] is None
