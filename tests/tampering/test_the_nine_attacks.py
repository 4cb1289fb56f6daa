"""Nine attacks on a record and its dice, tried with what is public, the document beside
docs/verify.py, and for the operator's part the database."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from aceofspades.tests.stage import PRESET, open_the_contest
from nomic.dice.models import Roll, spread
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.clock import standing_at, wall_now
from nomic.games.models import Game, Player
from nomic.operations.exports import import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.setup import advance, new_game
from nomic.web.api.tests.test_record_format import run, write_oddly
from tests.kit import WEDNESDAY, at_the_table, seat
from tests.tampering.forging import hash_anew, save, undone
from tests.tampering.javascript import verified
from tests.tampering.rows import TABLE
from tests.tampering.tools import (
    audit,
    exported,
    replay,
    verify_address,
    verify_dice,
    verify_file,
    verify_lines,
)

VISIT = pytest.mark.parametrize("which", ["a visit"])
THERE = "https://nomic.example/api/v1/games/table"


def forged(game: Game, what: str) -> Game:
    """The game after what that row of the table does to it."""
    (row,) = [each for each in TABLE if each.what == what]
    assert row.change(Game.objects.get(pk=game.pk))
    return Game.objects.get(pk=game.pk)


def shown(change: Callable[[Any], Any]) -> str:
    """What docs/verify.py says where the address shows something else."""
    return run(lambda content: json.dumps(change(json.loads(content))).encode(), of=THERE)


def each_value(value: Any, change: Callable[[dict[str, Any]], None]) -> Any:
    """The value, after `change` was asked of each object in it."""
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            each_value(each, change)
    if isinstance(value, dict):
        change(value)
    return value


def another_game(preset: str, key: bytes = bytes(32)) -> Game:
    """A new game at the address “table”, from which the one before has gone."""
    Game.objects.filter(slug="table").update(slug=f"past-{Game.objects.count()}")
    return new_game("table", preset, pace="manual", start=WEDNESDAY, dice_key=key)[0]


@pytest.mark.thorough
def test_1_no_name_is_worth_choosing(db: None) -> None:
    """Whoever joins gets the same cards, under whatever name and with whatever key."""
    hands = set()
    for name in ("Murphy", "Madrid", "Quartz-Stein"):
        game = another_game(PRESET)
        open_the_contest(game)
        take(game.slug, seat(game, name), "aceofspades.join", {}, f"a key of {name}")
        dealt = Roll.objects.filter(period__game=game, seat=1).order_by("pk")
        assert all(name in each.label for each in dealt)
        hands.add(tuple((each.seat, each.count, each.value) for each in dealt))
    assert len(hands) == 1
    assert len(hands.pop()) == 7


@pytest.mark.thorough
@VISIT
def test_2_a_past_that_was_changed_and_hashed_anew_leads_to_no_head_that_was_seen(
    game: Game,
) -> None:
    """Its dice fall otherwise, too, unless they are rolled anew; then it cannot have happened."""
    seen = game.record_head
    entry = game.entries.filter(kind="action", name="settlers.join").order_by("seq")[0]
    entry.inputs = {**entry.inputs, "more": 1}
    save(entry)
    with undone():
        hash_anew(game, dice=False)
        forgery = Game.objects.get(pk=game.pk)
        assert "is not what its seed gives" in verify_address(forgery)
        assert "is not what its seed gives" in verify_file(forgery)
        assert verify_dice(forgery)
    hash_anew(game)
    forgery = Game.objects.get(pk=game.pk)
    assert "is of another history" in verify_address(forgery, "--head", seen)
    assert "is of another history" in verify_file(forgery, "--head", f"{game.last_entry}:{seen}")
    assert replay(forgery)
    lines = exported(forgery).splitlines()
    with pytest.raises(BadRecording, match="contradicts itself"):
        import_game(lines, slug="copy")


@pytest.mark.parametrize("which", ["a secret vote"])
def test_3_a_sealed_vote_that_is_left_out_of_its_opening_is_missed(game: Game) -> None:
    forgery = forged(game, "an act left out in its opening, all hashed anew")
    for tool in (audit, verify_address, verify_file):
        assert tool(forgery)


@pytest.mark.thorough
@VISIT
def test_4_the_beginning_of_a_file_is_no_file(game: Game) -> None:
    lines = exported(game).splitlines(keepends=True)
    beginnings = ["".join(lines[:kept]) for kept in (2, len(lines) // 2, len(lines) - 1)]
    for beginning in beginnings:
        assert "not whole" in verify_lines(beginning)
        with pytest.raises(BadRecording, match="not whole"):
            import_game(beginning.splitlines(), slug="copy")
    spliced = [*lines[:20], *lines[22:]]
    with pytest.raises(BadRecording):
        import_game(spliced, slug="copy")
    assert verify_lines("".join(spliced))
    assert all(isinstance(each, str) for each in verified(*[(each,) for each in beginnings]))


@VISIT
def test_5_a_roll_s_options_are_where_they_were(game: Game) -> None:
    def reversed_there(value: dict[str, Any]) -> None:
        if "options" in value and "label" in value:
            value["options"] = [*spread(value["options"])][::-1]

    assert "are shown otherwise" in shown(lambda answer: each_value(answer, reversed_there))

    def reversed_everywhere(value: dict[str, Any]) -> None:
        if isinstance(value.get("options"), list | int):
            value["options"] = [*spread(value["options"])][::-1]

    assert "is not what it was" in shown(lambda answer: each_value(answer, reversed_everywhere))
    forgery = forged(game, "a roll's options reversed")
    for tool in (audit, verify_dice, verify_address):
        assert tool(forgery)


@VISIT
def test_6_what_the_ledger_and_the_votes_say_is_what_entries_tell(game: Game) -> None:
    for what in ("postings and balances together", "a vote"):
        with undone():
            assert "effects that entries tell" in audit(forged(game, what))
    assert " has " in verify_address(forged(game, "postings and balances together"))


@VISIT
def test_7_no_seed_is_replaced_and_no_period_hidden(game: Game) -> None:
    for what in ("a seed and its commitment", "a period hidden"):
        with undone():
            forgery = forged(game, what)
            for tool in (audit, verify_dice, verify_address):
                assert tool(forgery)

    def without_the_second(value: dict[str, Any]) -> None:
        if "periods" in value:
            value["periods"] = [each for each in value["periods"] if each["number"] != 2]

    assert "WRONG" in shown(lambda answer: each_value(answer, without_the_second))

    def without_two_rolls(value: dict[str, Any]) -> None:
        if "rolls" in value:
            value["rolls"] = value["rolls"][2:]

    assert "WRONG" in shown(lambda answer: each_value(answer, without_two_rolls))


def test_8_whatever_json_holds_is_the_same_in_every_language_and_no_two_games_begin_alike(
    db: None,
) -> None:
    """The document tells the rest: tests/tampering/verifier.mjs was written from it alone."""
    begins = set()
    for key in (bytes(32), bytes([1] * 32)):
        game = another_game("agora-races", key)
        write_oddly(game)
        begins.add(game.entries.get(seq=1).prev_hash)
        assert verify_file(game) == verify_address(game) == ""
        (found,) = verified((exported(game),))
        assert isinstance(found, dict), found
    assert len(begins) == 2


def told(game: Game) -> str:
    """All that is public of the record and the dice."""
    paths = ("record", "record/opened?book=fair", "record/opened", "dice", "balances")
    answers = [Client().get(f"/api/v1/games/{game.slug}/{path}") for path in paths]
    return "".join(answer.content.decode() for answer in answers)


@pytest.mark.thorough
def test_9_an_opening_tells_nothing_of_how_much_was_sealed_elsewhere(db: None) -> None:
    public = set()
    for others in (0, 1, 3):
        with standing_at(WEDNESDAY):
            public.add(told(opened_with(others)))
    assert len(public) == 1
    assert "fair.guess" in public.pop()


def opened_with(others: int) -> Game:
    """A game in which two guesses were opened, and as many bribes lie sealed."""
    game = another_game("agora-races")
    player = seat(game, "Murphy")
    for week in (1, 2):
        _seal(player, "fair.guess", 1)
        _seal(player, "feast.bribe", others)
        advance(game.slug, WEDNESDAY + timedelta(weeks=week))
    with at_the_table(game) as table:
        table.open_books(["fair"])
    return game


def _seal(player: Player, name: str, times: int) -> None:
    for _ in range(times):
        with locked_game(pk=player.game_id) as locked:
            assert locked is not None
            wall = wall_now()
            table = Table(locked, locked.now(wall), wall, locked=True)
            table.seal(name, player, {"words": "hush"}, Outcome("hush"))
