"""The numbers that the rule texts' tables give, and what is said of tables that are wrong."""

from pathlib import Path

import pytest

from horses.rulebook import RULEBOOK, shipped_texts
from horses.rules.charts import Charts, Power
from horses.rules.race import Horse, Odds, Track
from horses.rules.titles import (
    ACTIONS,
    HORSES,
    MOTIVATING,
    MULTIPLIER,
    POWERS,
    RUN,
    TITLES,
    VICTORY,
)
from nomic.rulebook.tables import TableBroken

AGORAN_CHART = """A horse's multiplier is found so:

HORSE           1 2 3 O X
--------------------
Alexia          5 4 3 1 0
Baxter          5 4 3 1 0
Cannon          6 5 4 1 0
Destructor      6 5 4 1 0
Fargo           7 6 5 1 0
Nacho           7 6 5 1 0
Rubert          9 8 7 1 0
Sugar           20 8 7 1 0

and that is all.
"""


def with_text(title: str, old: str, new: str) -> Charts:
    """The charts of the shipped texts after an amendment of one of them."""
    text = shipped_texts()[title]
    assert old in text
    return Charts.of({**shipped_texts(), title: text.replace(old, new)})


def test_the_seven_rules_are_shipped_with_their_titles_and_their_source():
    assert tuple(shipped_texts()) == TITLES
    for path in RULEBOOK.glob("*.md"):
        assert (
            'source: "Agora, Proposal 8822, August 2022, by snail and Murphy"' in path.read_text()
        )


def test_the_shipped_tables_say_what_the_proposal_says():
    charts = Charts.as_shipped()
    charts.check()
    assert charts.track == Track(0, 16)
    assert (charts.starting_dollaries, charts.hooves_a_week, charts.gain) == (10, 1, 4)
    assert charts.victory.prizes == {1: 50, 2: 30, 3: 15}
    assert (charts.victory.outfit, charts.victory.points) == (5, 15)
    assert (charts.home_stretch, charts.helmet_from) == (12, 12)
    assert charts.bets == {1: 1, 2: 2, 3: 3}
    assert (charts.jersey_fee, charts.helmet_fee) == (1, 1)
    assert (charts.nudge_fee, charts.nudge_steps) == (3, 2)
    assert (charts.distances, charts.pull_steps) == ((1, 2, 3), 1)
    assert charts.odds["Rubert"] == Odds(9, 8, 7, 1, 0)
    assert charts.pulls["Sugar"] == {"Baxter", "Destructor"}
    assert [charts.cost(name) for name in charts.names] == [10, 10, 8, 8, 6, 6, 4, 4]
    assert charts.power("Fargo") == Power(fee=1, dollaries=2)
    assert charts.power("Rubert") == Power(steps=3)


def test_a_foreign_text_is_played_by_its_chart_alone():
    charts = Charts.of({**shipped_texts(), MULTIPLIER: AGORAN_CHART})
    assert charts.odds["Sugar"].first == 20
    assert charts.multiplier(Horse("Sugar", 15)) == 0  # no home stretch is spoken of


@pytest.mark.parametrize(
    ("title", "old", "new", "asked", "words"),
    [
        (HORSES, "| Finish | 16 |", "| Finish | far |", "track", "“far” under POSITION for Finish"),
        (HORSES, "| Finish | 16 |", "| Finish | 0 |", "track", "not after its Start"),
        (HORSES, "| Finish | 16 |", "| Finish | 99999 |", "track", "from 0 to 1000"),
        (HORSES, "| Finish | 16 |\n", "", "track", "has no row “Finish”"),
        (HORSES, "| 10 |", "| -10 |", "starting_dollaries", "“-10”"),
        (RUN, "| 1 |", "| ¹ |", "hooves_a_week", "“¹”"),
        (VICTORY, "| Third | 15 |", "| Third |", "victory", "cannot be read"),
        (MULTIPLIER, "| Sugar | 9 | 8 |", "| Sugar | 9 | many |", "odds", "“many”"),
        (MULTIPLIER, "| HORSE | 1 |", "| BEAST | 1 |", "odds", "no table with the columns HORSE"),
        (ACTIONS, "| 3 | 3 |", "| three | 3 |", "bets", "“three”"),
        (MOTIVATING, "| Long | 3 |", "| Long | 3.5 |", "distances", "“3.5”"),
        (MOTIVATING, "Alexia, Cannon", "Alexia, Canon", "pulls", "“Canon”"),
        (POWERS, "| Sugar | 4 |", "| Sugar | 9999999 |", "costs", "“9999999”"),
        (POWERS, "| Sugar | 4 |", "| Rubert | 99 |", "costs", "stands twice"),
        (POWERS, "| Sugar | 4 |\n", "", "names", "no row for Sugar"),
    ],
)
def test_a_table_that_is_wrong_is_named_with_its_rule(title, old, new, asked, words):
    with pytest.raises(TableBroken) as broken:
        getattr(with_text(title, old, new), asked)
    assert broken.value.rule == title
    assert title in broken.value.sentence
    assert words in broken.value.sentence


def test_a_broken_table_holds_up_nothing_that_does_not_need_it():
    charts = with_text(ACTIONS, "| 3 | 3 |", "| three | 3 |")
    assert charts.nudge_fee == 3
    with pytest.raises(TableBroken):
        charts.check()


def test_a_rule_without_a_text_has_no_chart():
    with pytest.raises(TableBroken, match="no table with the columns HORSE, PULLS"):
        _ = Charts.of({}).pulls


def test_amended_numbers_are_played_by():
    assert with_text(HORSES, "| Finish | 16 |", "| Finish | 20 |").track.finish == 20
    assert with_text(ACTIONS, "| 3 | 3 |", "| 3 | 3 |\n| 5 | 4 |").bets[5] == 4


def test_the_rule_texts_hold_no_sentence_of_the_source():
    source = Path(__file__).parents[4] / "shared/seeds/000_2917269998bf30e8.txt"
    if not source.exists():
        pytest.skip("the source document is not beside this repository")
    theirs = " ".join(source.read_text().split())
    for text in shipped_texts().values():
        for sentence in text.replace("\n", " ").split(". "):
            if len(sentence.split()) > 8 and "|" not in sentence:
                assert sentence not in theirs
