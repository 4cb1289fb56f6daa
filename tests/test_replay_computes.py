"""A replay makes anew what the record could say falsely, and tells what it has to take from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.running import Programs
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance import seats
from nomic.operations import replay as replaying
from nomic.operations import replayer
from nomic.operations.recorded_inputs import RecordedAct, Recording, recording_of
from nomic.operations.replay import Departure, replay
from nomic.operations.setup import advance, new_game
from nomic.record.models import EntryKind
from nomic.rulebook.changes.kinds import Reading
from nomic.rulebook.changes.reading import READER
from proposals.events import adopting
from tests.kit import WEDNESDAY, seat

RULE = "Weekly Race Actions"


def found(game: Game) -> tuple[str, list[str]]:
    """What differs in a replay, and what it tells beside that."""
    told: list[Departure] = []
    _, difference = replay(Game.objects.get(pk=game.pk), told)
    return str(difference or ""), list(map(str, told))


@pytest.fixture
def table(db: None) -> Game:
    return new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]


def passed(game: Game, body: str, *, is_told: bool = True) -> None:
    players = [seat(game, name) for name in ("Murphy", "Madrid", "snail")]
    take(game.slug, players[0], "proposals.submit", {"title": "One", "body": body})
    for player in players:
        take(game.slug, player, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    advance(game.slug, WEDNESDAY + timedelta(days=14))
    assert game.entries.filter(outcome__has_key="read").exists() is is_told


@pytest.mark.thorough
def test_a_reading_that_the_body_does_not_have_is_a_fault(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as falsely:
        falsely.setattr(adopting, "reading_of", lambda proposal: Reading(reader=READER))
        passed(table, f"Repeal “{RULE}”.")
    assert "read" in found(table)[0] or "outcome" in found(table)[0]


@pytest.mark.thorough
def test_a_body_that_an_older_reader_read_otherwise_is_counted_and_told(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(adopting, "reading_of", lambda proposal: Reading(reader=READER))
        passed(table, f"Repeal “{RULE}”.")
    for module in (adopting, replayer):
        monkeypatch.setattr(module, "READER", READER + 1)
    difference, told = found(table)
    assert difference == ""
    assert len(told) == 1
    assert "would be read otherwise today" in told[0]


def as_told(monkeypatch: pytest.MonkeyPatch, change: Callable[[RecordedAct], RecordedAct]) -> None:
    """Let the record be played again as if it said something else."""

    def changed(*games: Game) -> Recording:
        recording = recording_of(*games)
        return replace(recording, acts=map(change, recording.acts))

    monkeypatch.setattr(replaying, "recording_of", changed)


def test_an_entry_that_tells_no_reading_of_what_passed_is_a_fault(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed(table, f"Repeal “{RULE}”.")

    def without(act: RecordedAct) -> RecordedAct:
        return replace(act, outcome={k: v for k, v in act.outcome.items() if k != "read"})

    as_told(monkeypatch, without)
    assert "does not tell how the bodies were read" in found(table)[0]


@pytest.mark.thorough
@pytest.mark.parametrize("reader", [READER + 1, 0, True, None, "1"])
def test_what_a_reader_read_that_this_program_does_not_have_is_a_fault(
    table: Game, monkeypatch: pytest.MonkeyPatch, reader: object
) -> None:
    passed(table, f"Repeal “{RULE}”.")

    def by_another(act: RecordedAct) -> RecordedAct:
        told = [{**reading, "reader": reader} for reading in act.outcome.get("read", ())]
        return replace(act, outcome={**act.outcome, "read": told}) if told else act

    as_told(monkeypatch, by_another)
    assert f"by reader {reader}, and this program has {READER}" in found(table)[0]


LATE = "It takes longer than 0.1 s"


@pytest.mark.parametrize(
    ("sentence", "wrong"), [(LATE, ""), ("Nobody paid for it", "nothing is late in these words")]
)
def test_a_late_call_is_made_again_and_told(
    table: Game, monkeypatch: pytest.MonkeyPatch, sentence: str, wrong: str
) -> None:
    player = seat(table, "Murphy")
    program = '@after("horses.gain_dollaries")\ndef tip(me: Player):\n    give(me, 5, "hoof")\n'
    text = f"{table.rules.get(title=RULE).text}\n```python\n{program}```\n"
    take("table", None, "rulebook.amend", {"rule": RULE, "text": text, "reason": "a test"})

    def late(*given: Any, **more: Any) -> None:
        raise ProgramWrong(Problem(sentence, late=True))

    with monkeypatch.context() as then:
        then.setattr(Programs, "_run", late)
        entry = take("table", player, "horses.gain_dollaries").entry
    assert entry.outcome["programs"]["failed"][0]["late"] == 1
    difference, told = found(table)
    assert wrong in difference
    assert bool(difference) == bool(wrong)
    if not wrong:
        assert len(told) == 1
        assert "was late then, and would come to something now" in told[0]
        assert f"entry {entry.seq}" in told[0]


def written(game: Game, name: str, inputs: dict[str, Any], text: str) -> None:
    """Put an entry into the record as the site puts in its own."""
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        table = Table(locked, locked.now(wall_now()), wall_now(), locked=True)
        table.write(EntryKind.SYSTEM, name, None, inputs, Outcome(text))


def test_a_sentence_of_the_site_s_own_is_made_of_its_inputs(table: Game) -> None:
    assert found(table) == ("", [])
    written(table, "games.tell", {}, "The operator has won.")
    assert "writes no entry “games.tell” by itself" in found(table)[0]


def shifted(**otherwise: object) -> dict[str, object]:
    return {"seconds": 5, "microseconds": 0, "to": "2026-03-04T12:00:00.000000Z", **otherwise}


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("games.set_pace", {"pace": "real", "rate": 1}),
        ("games.shift", shifted()),
        ("games.shift", shifted(behind=True, to="2026-03-04T11:59:00.000000Z")),
        ("games.shift", shifted(behind=True, seconds=0)),
        ("games.shift", shifted(behind="yes")),
    ],
)
def test_the_site_s_own_entries_are_such_as_the_game_could_have_had(
    table: Game, name: str, inputs: dict[str, Any]
) -> None:
    written(table, name, inputs, "So it is.")
    assert "cannot happen in the replay" in found(table)[0]


def murphy(table: Game) -> Player:
    return seat(table, "Murphy")


@pytest.mark.parametrize("saw", [[9999, "0" * 64], [9999, None], [1, "0" * 64], [1], []])
def test_what_an_actor_had_seen_is_an_entry_of_the_game(
    table: Game, monkeypatch: pytest.MonkeyPatch, saw: list[Any]
) -> None:
    entry = take("table", murphy(table), "horses.gain_dollaries").entry
    as_told(monkeypatch, lambda act: replace(act, saw=saw) if act.seq == entry.seq else act)
    assert "had seen another entry" in found(table)[0]


def test_no_entry_is_recorded_long_before_the_one_before_it(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = take("table", murphy(table), "horses.gain_dollaries").entry
    early = entry.recorded_at.replace(year=1999)
    as_told(
        monkeypatch, lambda act: replace(act, recorded_at=early) if act.seq == entry.seq else act
    )
    assert "recorded before what stands before it" in found(table)[0]


def test_a_name_that_nobody_would_come_by_today_is_told(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(seats, "_misread", lambda *given: None)
        seat(table, "The Assessor")
    difference, told = found(table)
    assert difference == ""
    assert "nobody would come by that name today" in told[0]


def test_a_remark_that_is_no_sentence_of_the_body_is_told(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    remarks = {"body": "Nothing happens.", "remarks": ["Something happens."]}
    with monkeypatch.context() as earlier:
        earlier.setattr(Reading, "stray", lambda *given: "")
        take("table", murphy(table), "proposals.submit", {"title": "One", **remarks})
    difference, told = found(table)
    assert difference == ""
    assert "would be refused today" in told[0]


def test_what_passed_and_names_no_reading_is_read_as_today(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as falsely:
        falsely.setattr(adopting, "_MOST_READ", 0)
        falsely.setattr(adopting, "reading_of", lambda proposal: Reading(reader=READER))
        passed(table, "Murphy wins the game.", is_told=False)
    assert "outcome is" in found(table)[0]
