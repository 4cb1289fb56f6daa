"""A bet of a year ago is struck in a game of all subgames: against a game that never had it."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command

from bench.simulate import BEGINS, Simulation
from nomic.dice.models import Roll
from nomic.engine.outcomes import Refused
from nomic.engine.requests import CAME_TO_NOTHING
from nomic.engine.take import take
from nomic.games.clock import standing_at
from nomic.games.models import Game, Player
from nomic.governance.recalculation.ratification import asking_for, ratified
from nomic.governance.recalculation.revision import Revision, ask
from nomic.operations.recalculation.differences import balances, differences, public_state
from nomic.operations.recalculation.tests.test_ratified_by_vote import passed, recorded
from nomic.operations.recorded_inputs import RecordedAct, recording_of
from nomic.operations.setup import advance, new_game, seat_practice_players
from nomic.operations.tasks import make_report
from nomic.record.models import Entry, EntryKind
from tests.kit import at_the_table

_PLAYERS = 5
_WINNER = "Alexia"
_SEED = 1
_KEY = hashlib.sha256(f"simulation demo {_SEED}".encode()).digest()  # as a simulation has it
_BEHIND = 30  # entries at least


@pytest.fixture
def rolls_by_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice of which a roll depends on its entry's number and label alone: so a game without the bet
    rolls what the other has rolled."""

    def words(cast: Roll, identity: str) -> tuple[object, ...]:
        return identity, cast.sealed, cast.entry, cast.label

    monkeypatch.setattr(Roll, "words", words)


def _players(game: Game) -> list[Player]:
    return list(game.players.order_by("pk"))


def pass_weeks(game: Game, weeks: int) -> None:
    """Weeks in which only happens what happens by itself."""
    now = Game.objects.get(pk=game.pk).now(BEGINS)
    advance(game.slug, now + timedelta(weeks=weeks))


def never_had_it(game: Game, bet: Entry, upto: int) -> Game:
    """A game in which people do the same, but for the bet, as it is played and not replayed."""
    other = new_game("other", game.preset, pace="manual", start=BEGINS, dice_key=_KEY)[0]
    seat_practice_players("other", _PLAYERS)
    other.refresh_from_db()
    begun = other.last_entry
    for act in recording_of(game).acts:
        if begun < act.place[0] <= upto and act.kind != EntryKind.EVENT:
            _wait(other, act)
            is_it = not act.is_sealed and act.seq == bet.seq
            if is_it or not _does_too(other, act):
                _nothing_happens(other)
    advance("other", game.now(BEGINS))
    return Game.objects.get(pk=other.pk)


def _wait(game: Game, act: RecordedAct) -> None:
    game.refresh_from_db()
    if game.now(act.recorded_at) < act.at:
        advance(game.slug, act.at)


def _does_too(game: Game, act: RecordedAct) -> bool:
    """Whether the same act is taken; a sealed one leaves no number."""
    actor, inputs, key = act.whole
    name = act.name
    if name == CAME_TO_NOTHING:
        name, inputs = inputs["action"], inputs["given"]
    player = game.players.get(name=actor) if actor else None
    try:
        take(game.slug, player, name, inputs, key)
    except Refused:
        return act.is_sealed
    return True


def _nothing_happens(game: Game) -> None:
    """An entry of which nothing follows, so that the others keep their numbers."""
    with at_the_table(game):
        pass


def told(found: Any) -> list[tuple[Any, ...]]:
    return sorted((each.part, each.path, str(each.was), str(each.now)) for each in found)


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize(
    "weeks",
    [
        pytest.param((0, 2), marks=pytest.mark.brief),
        pytest.param((50, 2), marks=pytest.mark.slow),
    ],
)
def test_it_is_as_if_the_bet_had_never_been(rolls_by_entry: None, weeks: tuple[int, int]) -> None:
    """Everybody has as much when a race begins, and for the first of these weeks nobody does
    anything else, so that the bet decides who scores at its end; then they act at random."""
    simulated = Simulation("all", "demo", players=_PLAYERS, seed=_SEED)
    game = simulated.game
    with standing_at(BEGINS):
        first = _players(game)[0]
        bet = take(game.slug, first, "horses.bet", {"horse": _WINNER, "dollaries": 1}).entry
        assert isinstance(bet, Entry)
        pass_weeks(game, weeks[0])
        simulated.play(weeks[1])
        game = simulated.game
        assert game.last_entry >= bet.seq + _BEHIND
        row = ask(game, first, Revision("strike", bet.seq))
        make_report(row.pk)
        row.refresh_from_db()
        assert not row.refusal
        hidden = row.report["hidden"]
        was = public_state(game, game.last_at or BEGINS, hidden)

        other = never_had_it(game, bet, game.last_entry)

        found = differences(was, public_state(other, game.last_at or BEGINS, hidden))
        assert told(found) == sorted(
            (each["part"], each["path"], str(each["was"]), str(each["now"]))
            for each in row.report["differences"]
        )
        makes = json.loads(row.report["ratifiable"])["makes"]["balances"]
        assert makes
        passed(game, asking_for(recorded(game, row)))
    assert ratified(game, bet.seq).get().hash == row.hash
    held = balances(game, hidden)
    for holder, asset, _, wanted in makes:
        assert held[holder].get(asset, 0) == wanted
    for command in ("audit", "replay", "verify-dice"):
        call_command(command, game.slug)
