"""Proposal 8822's own text and ours say the same numbers, and another number of either counts."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from horses.rulebook import shipped_texts
from horses.rules.charts import Charts
from horses.rules.race import Track
from horses.rules.titles import ACTIONS, HORSES, MOTIVATING, MULTIPLIER, POWERS, RUN, VICTORY
from nomic.rulebook.clauses import clause_of
from nomic.rulebook.passages import passages_of
from nomic.rulebook.tables import TableBroken

SOURCE = Path(__file__).parents[4] / "shared/seeds/000_2917269998bf30e8.txt"
_RULE = re.compile(r'title "([^"]+)" and the following text:\s*\{\n(.*?)\n\}', re.DOTALL)

type Read = Callable[[Charts], Any]


@cache
def source_texts() -> dict[str, str]:
    if not SOURCE.exists():
        pytest.skip("the source document is not beside this repository")
    return dict(_RULE.findall(SOURCE.read_text()))


NUMBERS: dict[str, Read] = {
    "track": lambda charts: (charts.track.start, charts.track.finish),
    "starting_dollaries": lambda charts: charts.starting_dollaries,
    "hooves_a_week": lambda charts: charts.hooves_a_week,
    "victory": lambda charts: charts.victory,
    "home_stretch": lambda charts: charts.home_stretch,
    "bets": lambda charts: charts.bets,
    "fees": lambda charts: (charts.jersey_fee, charts.helmet_fee, charts.nudge_fee),
    "nudge_steps": lambda charts: charts.nudge_steps,
    "gain": lambda charts: charts.gain,
    "helmet_from": lambda charts: charts.helmet_from,
    "distances": lambda charts: charts.distances,
    "pull_steps": lambda charts: charts.pull_steps,
    "powers": lambda charts: {name: charts.power(name) for name in charts.names},
    "odds": lambda charts: charts.odds,
    "pulls": lambda charts: charts.pulls,
    "costs": lambda charts: charts.costs,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_sources_own_text_says_what_ours_says(name: str) -> None:
    charts = Charts.of(source_texts())
    assert not charts.faults
    assert NUMBERS[name](charts) == NUMBERS[name](Charts.as_shipped())


# Of the source only the few words are named that stand around the number.
IN_THE_SOURCE: list[tuple[str, str, str, Read, Any]] = [
    (HORSES, "to 16,", "to 20,", lambda c: c.track.finish, 20),
    (HORSES, "receives 10", "receives twelve", lambda c: c.starting_dollaries, 12),
    (RUN, "gains 1 hoof", "gains 2 hooves", lambda c: c.hooves_a_week, 2),
    (RUN, "Position of 16", "Position of 14", lambda c: c.track, Track(0, 16, 14)),
    (VICTORY, "50", "60", lambda c: c.victory.prizes[1], 60),
    (VICTORY, "30", "40", lambda c: c.victory.prizes[2], 40),
    (VICTORY, "gains 15", "gains 20", lambda c: c.victory.prizes[3], 20),
    (VICTORY, "gains 5 ", "gains 6 ", lambda c: c.victory.outfit, 6),
    (VICTORY, "by 15", "by 20", lambda c: c.victory.points, 20),
    (MULTIPLIER, "12", "10", lambda c: c.home_stretch, 10),
    (
        ACTIONS,
        "fee of 1, 2, or\n3",
        "fee of 2, 3, or\n4",
        lambda c: c.bets,
        {1: 2, 2: 3, 3: 4},
    ),
    (ACTIONS, "pull, by paying 1 hoof", "pull, by paying 2 hooves", lambda c: c.jersey_fee, 2),
    (ACTIONS, "horse by paying 1 hoof", "horse by paying 2 hooves", lambda c: c.helmet_fee, 2),
    (ACTIONS, "twice, by paying 3", "twice, by paying 5", lambda c: c.nudge_fee, 5),
    (ACTIONS, "twice, by", "three times, by", lambda c: c.nudge_steps, 3),
    (ACTIONS, "gain 4", "gain 6", lambda c: c.gain, 6),
    (ACTIONS, "of 12 or higher", "of 9 or higher", lambda c: c.helmet_from, 9),
    (MOTIVATING, "1, 2, or 3", "1, 2, 3, or 4", lambda c: c.distances, (1, 2, 3, 4)),
    (MOTIVATING, "increased by 1 in", "increased by 2 in", lambda c: c.pull_steps, 2),
    (POWERS, "gains 2 dollaries", "gains 3 dollaries", lambda c: c.power("Baxter").dollaries, 3),
    (POWERS, "Position by 1 by", "Position by 2 by", lambda c: c.power("Cannon").steps, 2),
    (POWERS, "1, twice", "1, three times", lambda c: c.power("Destructor").steps, 3),
    (POWERS, "bet 2", "bet 3", lambda c: c.power("Fargo").dollaries, 3),
    (
        POWERS,
        "horse, by paying 1 hoof.\n\nNacho",
        "horse, by paying 2 hooves.\n\nNacho",
        lambda c: c.power("Fargo").fee,
        2,
    ),
    (POWERS, "1 hoof.\n\nRubert", "2 hooves.\n\nRubert", lambda c: c.power("Nacho").fee, 2),
    (POWERS, "by 1, 3 times", "by 1, four times", lambda c: c.power("Rubert").steps, 4),
    (
        POWERS,
        "by 1, by paying 1 hoof",
        "by 2, by paying 1 hoof",
        lambda c: c.power("Sugar").steps,
        2,
    ),
    (
        POWERS,
        "by 1, by paying 1 hoof",
        "by 1, by paying 3 hooves",
        lambda c: c.power("Sugar").fee,
        3,
    ),
]


@pytest.mark.parametrize(("title", "old", "new", "read", "value"), IN_THE_SOURCE)
def test_another_number_in_the_sources_sentence_is_played(title, old, new, read, value) -> None:
    text = source_texts()[title]
    assert old in text
    charts = Charts.of({**source_texts(), title: text.replace(old, new)})
    assert not charts.faults
    assert read(charts) == value


IN_OURS: list[tuple[str, str, str, Read, Any]] = [
    (HORSES, "given dollaries", "given 10 dollaries", lambda c: c.starting_dollaries, 10),
    (RUN, "every player gains hooves", "every player gains 1 hoof", lambda c: c.hooves_a_week, 1),
    (RUN, "stands at the finish", "stands at position 14 or beyond", lambda c: c.track.line, 14),
    (ACTIONS, "gain dollaries by", "gain four dollaries by", lambda c: c.gain, 4),
    (ACTIONS, "From a certain Race Position on", "From Race Position 12 on",
     lambda c: c.helmet_from, 12),
    (MOTIVATING, "Then its pulls go forward,", "Then its pulls go forward 1 step,",
     lambda c: c.pull_steps, 1),
]  # fmt: skip


@pytest.mark.parametrize(("title", "old", "new", "read", "value"), IN_OURS)
def test_a_sentence_of_ours_may_say_the_number_of_its_table(title, old, new, read, value) -> None:
    text = shipped_texts()[title]
    assert old in text
    charts = Charts.of({**shipped_texts(), title: text.replace(old, new)})
    assert not charts.faults
    assert read(charts) == value


def test_a_sentence_that_contradicts_its_table_cannot_be_read() -> None:
    text = shipped_texts()[ACTIONS].replace("gain dollaries by", "gain 6 dollaries by")
    (fault,) = Charts.of({**shipped_texts(), ACTIONS: text}).faults
    assert "has 4 and 6 under DOLLARIES for By announcement" in fault.sentence


def test_a_sentence_with_words_in_the_place_of_its_number_cannot_be_read() -> None:
    text = source_texts()[ACTIONS].replace("gain 4 dollaries", "gain many dollaries")
    (fault,) = Charts.of({**source_texts(), ACTIONS: text}).faults
    assert "“many” under DOLLARIES for By announcement" in fault.sentence


def test_what_no_sentence_and_no_table_says_is_off() -> None:
    text = source_texts()[ACTIONS].replace("gain 4 dollaries by announcement", "gain nothing")
    charts = Charts.of({**source_texts(), ACTIONS: text})
    assert not charts.faults
    assert charts.nudge_fee == 3
    with pytest.raises(TableBroken, match="Weekly Race Actions has no table with the columns GAI"):
        _ = charts.gain


def test_the_sentence_of_a_clause_is_known_as_one() -> None:
    found = [
        match.frame
        for passage in passages_of(source_texts()[ACTIONS])
        if (match := clause_of(passage.text, charts_clauses()))
    ]
    assert "gain {} dollaries by announcement." in found


def charts_clauses() -> tuple[Any, ...]:
    from horses.rules.charts import Charts

    return tuple(clause for clause in Charts.clauses if clause.rule == ACTIONS)
