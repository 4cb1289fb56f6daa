"""Sealed notes: what a public act or an event decides, and nobody may read yet."""

import io
import json
from collections.abc import Iterator

import pytest

from nomic.engine.actions import _ACTIONS, Action, PrivateAction, action
from nomic.engine.effects import Effects, Seal, Then
from nomic.engine.events import find_event
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table, glance
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.record.models import ANCHOR, NOTE
from tests.kit import WEDNESDAY, Take, around

NEXT_WEEK = WEDNESDAY.replace(day=10)


class _OfTiny(Action):
    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == "tiny")


class Think(_OfTiny):
    """Think of a number, which nobody is to know yet."""

    name = "tiny.think"
    title = "Think of a number"
    number = 41

    def judge(self, table: Table, player: Player) -> Effects:
        note = Seal({"number": self.number}, f"It is {self.number}.", "Coins")
        return Effects(note, say=f"{player} thinks of a number.")


class Tell(_OfTiny):
    """Tell all numbers, and think of the next one in the same breath."""

    name = "tiny.tell"
    title = "Tell the numbers"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(Then(self.open_all), Seal({"number": 7}))

    def open_all(self, table: Table) -> str:
        opened = table.open_sealed(table.game.sealed_entries.filter(name=NOTE))
        return " ".join(entry.text for entry in opened)


class Feast(_OfTiny):
    """Seal dice for a feast; then roll them, without telling; then publish their seed."""

    name = "tiny.feast"
    title = "Feast"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(Then(self.feast))

    def feast(self, table: Table) -> Outcome:
        sealed = table.game.dice_periods.filter(private=True).first()
        if sealed is None:
            sealed = table.dice.open_period(private=True, purpose="the feast")
        elif sealed.rolls.exists():
            sealed = table.dice.close_period(private=True, purpose="the feast")
        else:
            guest = table.dice.choose("guest", [1, 2, 3], private=True, purpose="the feast")
            table.note_sealed({"guest": guest})
        return Outcome("A feast.", {"commitment": sealed.commitment, "seed": sealed.seed})


class Brood(Think, PrivateAction):
    """Think of a number where nothing public comes of it."""

    name = "tiny.brood"
    title = "Brood"


@pytest.fixture(autouse=True)
@around
def thoughts() -> Iterator[None]:
    acts = (Think, Tell, Feast, Brood)
    for each in acts:
        action(each)
    yield
    for each in acts:
        _ACTIONS.pop(each.name)


def is_right(game: Game) -> bool:
    game.refresh_from_db()
    return not [each for each in audit(game) if each.wrong] and replay(game)[1] is None


def lines_of(game: Game) -> list[str]:
    file = io.StringIO()
    export_game(game, file)
    return file.getvalue().splitlines()


def test_a_note_stands_in_the_sealed_book_before_its_public_entry(
    game: Game, player: Player, act: Take
) -> None:
    entry = act(player, "tiny.think").entry
    note = game.sealed_entries.get(name=NOTE)
    assert (note.actor, note.inputs, note.outcome) == (None, {}, {"number": 41})
    assert (note.text, note.rule, note.after) == ("It is 41.", "Coins", entry.seq - 1)
    assert entry.outcome == {}
    assert is_right(game)


def test_an_event_s_anchor_comes_after_its_note(
    game: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def think(table: Table, subject: str) -> Outcome:
        table.note_sealed({"number": 3})
        return Outcome("Somebody thinks.")

    monkeypatch.setattr(find_event("tiny.week"), "handler", think)
    advance(game.slug, NEXT_WEEK)
    note = game.sealed_entries.get(name=NOTE)
    anchor = game.sealed_entries.get(seq=note.seq + 1)
    assert (anchor.name, anchor.prev_hash) == (ANCHOR, note.hash)
    assert game.entries.get(name="tiny.week").anchors == {"tiny": anchor.hash}
    assert is_right(game)


def test_what_is_noted_can_be_opened_where_more_is_noted(
    game: Game, player: Player, act: Take
) -> None:
    for _ in range(2):
        act(player, "tiny.think")
    told = act(player, "tiny.tell").entry
    assert told.text == "It is 41. It is 41."
    assert [number for _, number, _ in told.outcome["opened"]] == [1, 2]
    assert game.sealed_entries.get(outcome__number=7).opened_in is None
    advance(game.slug, NEXT_WEEK)
    assert is_right(game)


def test_nothing_is_noted_in_a_private_act_or_by_who_only_looks(
    game: Game, player: Player, act: Take
) -> None:
    with pytest.raises(RuntimeError, match="entry of the record"):
        act(player, "tiny.brood")
    with pytest.raises(RuntimeError, match="entry of the record"):
        glance(game).note_sealed({"number": 1})
    assert not game.sealed_entries.exists()


@pytest.mark.parametrize("then", ["nothing", "a whisper", "an event"])
def test_a_replay_finds_a_note_that_comes_out_differently(
    then: str, game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(player, "tiny.think")
    if then == "a whisper":
        act(player, "tiny.whisper", words="plugh")
    if then == "an event":
        advance(game.slug, NEXT_WEEK)
    game.refresh_from_db()
    assert replay(game)[1] is None
    monkeypatch.setattr(Think, "number", 42)
    expected = {
        "nothing": "every entry agrees, but the sealed book ends with another hash",
        "a whisper": "sealed entry 2: hash is ",
        "an event": "entry 5: hash is ",
    }
    assert str(replay(game)[1]).startswith(expected[then])


def test_a_game_with_notes_goes_on_elsewhere_from_one_file(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(player, "tiny.think")
    act(player, "tiny.tell")
    advance(game.slug, NEXT_WEEK)
    game.refresh_from_db()
    lines = lines_of(game)
    assert not {NOTE, ANCHOR} & {json.loads(line).get("name") for line in lines}
    copy = import_game(lines, slug="copy")
    assert copy.sealed_head == game.sealed_head
    assert is_right(copy)
    monkeypatch.setattr(Think, "number", 42)
    with pytest.raises(BadRecording, match="contradicts itself"):
        import_game(lines, slug="another")


def test_dice_of_a_purpose_are_rolled_again_elsewhere(
    game: Game, player: Player, act: Take
) -> None:
    for _ in range(3):
        act(player, "tiny.feast")
        game.refresh_from_db()
        assert is_right(game)
    copy = import_game(lines_of(game), slug="copy")
    again, sealed = (each.dice_periods.get(purpose="the feast") for each in (copy, game))
    assert again.seed == sealed.seed is not None
    assert again.rolls.get().value == sealed.rolls.get().value
    assert is_right(copy)
