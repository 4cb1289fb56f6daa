"""A sentence of the races that a change makes read otherwise is neither ignored nor done unsaid."""

from __future__ import annotations

from typing import Any

import pytest

from horses.rules.charts import ACTIONS, RUN
from horses.tests.conftest import Stage
from nomic.engine.coverage import rule_marks, unfitted
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.record.models import Entry
from nomic.rulebook.passages import PassageKind
from tests.kit import seat

GAINS = "to gain dollaries by announcement"
POOR = f"{GAINS}, if e has fewer than 5"
WHY = "the poor are helped by the Horsened"
_ALL_OF_IT = {"passage": "all that wait in it", "reason": WHY}
_ONLY_THE_POOR = """```python
@before("horses.gain_dollaries")
def only_the_poor(me: Player, inputs: Inputs):
    if balance(me, "dollary") >= 5:
        refuse("Only the poor gain.")
```
"""


def _waiting(game: Game) -> list[dict[str, str]]:
    """What the forms of the three ends begin with."""
    found = unfitted(glance(Game.objects.get(pk=game.pk)))
    return [{"rule": each.rule.title, "passage": each.marked.key} for each in found]


def _amend(stage: Stage, title: str, old: str, new: str) -> None:
    """Let the operator amend a rule of the races."""
    text = stage.game.rules.get(title=title).text
    assert old in text
    amended = {"rule": title, "text": text.replace(old, new), "reason": "so they voted"}
    take(stage.slug, None, "rulebook.amend", amended)


def _end(stage: Stage, way: str, **inputs: Any) -> Entry:
    (about,) = _waiting(stage.game)
    entry = take(stage.slug, None, f"rulebook.{way}", {**about, "reason": WHY, **inputs}).entry
    assert isinstance(entry, Entry)
    return entry


def test_the_entry_that_adds_a_condition_says_that_nobody_carries_it_out(stage: Stage) -> None:
    assert _waiting(stage.game) == []
    _amend(stage, ACTIONS, GAINS, POOR)
    entry = stage.game.entries.latest("seq")
    assert entry.text.endswith(f"Not carried out as it reads: in “{ACTIONS}”, “{POOR}.”.")
    (told,) = entry.outcome["unfitted"]
    assert told["parts"] == ["horses.gain_dollaries"]
    assert [each["rule"] for each in _waiting(stage.game)] == [ACTIONS]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Every week each", "**No player can bet.**\n\nEvery week each"),
        ("| FEE (hooves) |", "| FEE (dollaries) |"),
        ("| GAIN |", "| GAIN (never on Sundays) |"),
        ("| Get a jersey | 1 | – |", "| Get a jersey | 1 | 5 |"),
        ("| By announcement |", "| **By announcement** |"),
    ],
)
def test_what_a_heading_or_a_table_says_more_is_not_passed_over(
    stage: Stage, old: str, new: str
) -> None:
    _amend(stage, ACTIONS, old, new)
    assert len(_waiting(stage.game)) == 1


def test_a_sentence_that_forbids_a_gain_moves_no_number(stage: Stage, player: Player) -> None:
    forbids = "No player CAN gain 9 dollaries by announcement."
    _amend(stage, ACTIONS, "The weekly report of", f"{forbids}\n\nThe weekly report of")
    assert len(_waiting(stage.game)) == 1
    gained = take(stage.slug, player, "horses.gain_dollaries").entry
    assert "4 dollaries" in gained.text


def test_the_stages_of_the_run_in_another_order_are_not_passed_over(stage: Stage) -> None:
    first = "First every player gains hooves:"
    _amend(stage, RUN, first, "Next, movement resolves.")
    _amend(stage, RUN, "Next, movement resolves. Last,", f"{first} Last,")
    assert _waiting(stage.game) != []


def test_the_officer_finds_that_a_change_changes_nothing(stage: Stage, player: Player) -> None:
    _amend(stage, ACTIONS, GAINS, f"{GAINS}, merrily")
    said = _end(stage, "changes_nothing").text
    assert said == (
        "The operator finds that what changed plays on as before, in “Weekly Race Actions”,"
        f" “{GAINS}, merrily.”: {WHY}."
    )
    assert _waiting(stage.game) == []
    take(stage.slug, player, "horses.gain_dollaries")
    _amend(stage, ACTIONS, "merrily", "sadly")
    assert len(_waiting(stage.game)) == 1


def test_what_is_kept_by_hand_the_program_refuses_until_it_fits_again(
    stage: Stage, player: Player
) -> None:
    _amend(stage, ACTIONS, GAINS, POOR)
    kept = _end(stage, "keep_by_hand")
    assert kept.text.endswith("The program leaves alone: “Gain dollaries”.")
    assert _waiting(stage.game) == []
    with pytest.raises(Refused) as told:
        take(stage.slug, player, "horses.gain_dollaries")
    assert (told.value.refusal.code, told.value.refusal.rule) == ("kept_by_hand", ACTIONS)
    assert f"entry {kept.seq}: {WHY}" in told.value.refusal.sentence
    _amend(stage, ACTIONS, POOR, GAINS)
    assert stage.game.rules.get(title=ACTIONS).settled == {}
    take(stage.slug, player, "horses.gain_dollaries")


@pytest.mark.thorough
def test_an_event_that_is_kept_by_hand_is_skipped_and_comes_again(stage: Stage) -> None:
    _amend(stage, RUN, "First every player gains hooves", "First every rich player gains hooves")
    _end(stage, "keep_by_hand")
    stage.weeks(2)
    runs = stage.game.entries.filter(name="horses.run")
    assert ["is kept by hand" in run.outcome["off"] for run in runs] == [True, True]
    assert replay(stage.game)[1] is None
    assert [str(finding) for finding in audit(stage.game) if finding.wrong] == []


def test_a_sentence_that_is_taken_out_is_told_as_done_still(stage: Stage) -> None:
    _amend(stage, ACTIONS, f"- {GAINS}.\n", "")
    entry = stage.game.entries.latest("seq")
    assert "a sentence that does not stand there any more" in entry.text
    _end(stage, "keep_by_hand")
    assert replay(stage.game)[1] is None


def test_a_program_of_the_rule_that_stands_before_it_ends_it(stage: Stage, player: Player) -> None:
    _amend(stage, ACTIONS, GAINS, POOR)
    assert len(_waiting(stage.game)) == 1
    _amend(stage, ACTIONS, f"{POOR}.\n", f"{POOR}.\n\n{_ONLY_THE_POOR}")
    assert _waiting(stage.game) == []
    with pytest.raises(Refused, match="Only the poor gain"):
        take(stage.slug, player, "horses.gain_dollaries")
    marks = rule_marks(glance(stage.game), glance(stage.game).rules.find(ACTIONS))
    assert [each.passage and each.passage.kind for each in marks.passages].count(
        PassageKind.PROGRAM
    ) == 1
    assert (marks.carried_out, marks.said) == (11, 12)  # and one is what the program claims


def test_all_that_waits_in_a_rule_is_ended_at_once(stage: Stage, player: Player) -> None:
    _amend(stage, ACTIONS, "horse of eir choice", "horse that pleases em")
    assert len(_waiting(stage.game)) == 4
    kept = take(stage.slug, None, "rulebook.keep_by_hand", {"rule": ACTIONS, **_ALL_OF_IT}).entry
    assert "keeps by hand what is said in “Weekly Race Actions”, 4 passages: " in kept.text
    assert kept.outcome["parts"] == [
        f"horses.{name}" for name in ("bet", "get_jersey", "get_helmet", "nudge")
    ]
    assert _waiting(stage.game) == []
    with pytest.raises(Refused, match="kept by hand"):
        take(stage.slug, player, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    assert replay(stage.game)[1] is None


def test_what_waits_no_more_has_no_end(stage: Stage) -> None:
    _amend(stage, ACTIONS, GAINS, POOR)
    (about,) = _waiting(stage.game)
    _amend(stage, ACTIONS, POOR, GAINS)
    with pytest.raises(Refused):
        take(stage.slug, None, "rulebook.changes_nothing", {**about, "reason": WHY})


def test_where_nobody_keeps_the_rulebook_the_players_decide(
    stage: Stage, player: Player, rival: Player
) -> None:
    other = seat(stage.game, "snail")
    _amend(stage, ACTIONS, GAINS, POOR)
    (about,) = _waiting(stage.game)
    asked = take(stage.slug, player, "rulebook.keep_by_hand", {**about, "reason": WHY}).entry
    assert len(_waiting(stage.game)) == 1
    for each in (rival, other):
        take(stage.slug, each, "games.support", {"motion": asked.outcome["motion"]})
    assert _waiting(stage.game) == []
    assert f"“{POOR}.”" in asked.text
    assert "Murphy keeps by hand" in stage.game.entries.latest("seq").text
    assert replay(stage.game)[1] is None


@pytest.fixture
def preset() -> str:
    return "agora-races"
