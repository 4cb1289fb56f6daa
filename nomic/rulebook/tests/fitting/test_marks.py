"""Who carries out a passage: what the program knows of a rule, laid beside its text."""

from dataclasses import replace
from pathlib import Path

import pytest

from nomic.rulebook.clauses import Clause
from nomic.rulebook.coverage.built_in import BadList, built_in
from nomic.rulebook.coverage.marks import (
    End,
    KnownPassage,
    Machinery,
    Mark,
    PassageMarks,
    key_of,
    marks_of,
)
from nomic.rulebook.passages import Settled

GAIN = Clause("Wages", "GAIN", "Weekly", "DOLLARIES", ("gain {n} dollaries by announcement",))
OURS = """Every week players act.

- gain 4 dollaries by announcement;
- bet on a horse.

| ACTION | FEE |
| --- | --- |
| Bet | 1 |

The Horsened says who did.
"""
PARTS = {
    "Every week players act.": ("races.act",),
    "- gain 4 dollaries by announcement;": ("races.gain",),
    "- bet on a horse.": ("races.bet",),
    "The Horsened says who did.": (),
}
THEIRS = {"- wager on any horse.": ("races.bet",), "Wagers are final.": ("races.wager",)}
KNOWN = Machinery(
    known=tuple(
        KnownPassage(key_of(text, [GAIN]), wording, parts)
        for wording, texts in (("ours", PARTS), ("theirs", THEIRS))
        for text, parts in texts.items()
    ),
    tables=(("ACTION", "FEE"), ("HORSE", "COST")),
    open_tables=frozenset({"HORSE"}),
    rows={"action | Bet": frozenset()},
    clauses=(GAIN,),
)


def _told(marks: PassageMarks) -> dict[str, Mark]:
    return {each.passage.text: each.mark for each in marks.passages if each.passage}


def _unfitted(text: str, **settled: Settled) -> list[tuple[str | None, tuple[str, ...]]]:
    found = marks_of(text, KNOWN, settled).unfitted
    return [(each.passage.text if each.passage else None, each.parts) for each in found]


def test_each_passage_of_the_text_that_it_knows_has_its_mark() -> None:
    marks = marks_of(OURS, KNOWN)
    assert _told(marks) == {
        "Every week players act.": Mark.BUILT_IN,
        "- gain 4 dollaries by announcement;": Mark.CLAUSE,
        "- bet on a horse.": Mark.BUILT_IN,
        "| ACTION | FEE |\n| --- | --- |": Mark.TABLE,
        "| Bet | 1 |": Mark.TABLE,
        "The Horsened says who did.": Mark.PEOPLE,
    }
    assert (marks.carried_out, marks.said, marks.unfitted) == (3, 4, [])


def test_a_number_that_a_clause_reads_may_change() -> None:
    text = OURS.replace("gain 4", "gain six")
    assert _unfitted(text) == []
    assert _told(marks_of(text, KNOWN))["- gain six dollaries by announcement;"] is Mark.CLAUSE


def test_a_condition_that_is_added_is_not_carried_out_and_what_it_limits_goes_on() -> None:
    text = OURS.replace("announcement;", "announcement, if e has fewer than 5;")
    changed = "- gain 4 dollaries by announcement, if e has fewer than 5;"
    assert _unfitted(text) == [(changed, ("races.gain",))]


def test_a_sentence_that_went_is_done_still_and_so_it_is_told() -> None:
    assert _unfitted(OURS.replace("- bet on a horse.\n", "")) == [(None, ("races.bet",))]
    assert _unfitted(OURS.replace("The Horsened says who did.", "")) == []


def test_a_sentence_that_came_is_done_by_nobody() -> None:
    assert _unfitted(f"{OURS}\nWaves cost nothing.") == [("Waves cost nothing.", ())]


@pytest.mark.parametrize(
    "line",
    [
        "**No player can bet.**",
        "# No player can bet",
        "__Not until 2030__",
        "== Never ==",
        "'''No'''",
    ],
)
def test_what_a_heading_says_is_done_by_nobody_unless_it_is_known(line: str) -> None:
    assert _unfitted(f"{line}\n\n{OURS}") == [(line, ())]
    known = replace(KNOWN, known=(*KNOWN.known, KnownPassage(key_of(line), "ours")))
    assert marks_of(f"{line}\n\n{OURS}", known).unfitted == []


def test_each_of_several_that_changed_stands_for_what_was_in_its_place() -> None:
    text = OURS.replace("gain 4", "win 4").replace("bet on a horse", "bet on a goat")
    assert _unfitted(text) == [
        ("- win 4 dollaries by announcement;", ("races.gain",)),
        ("- bet on a goat.", ("races.bet",)),
    ]


def test_another_known_wording_of_the_same_is_as_good() -> None:
    assert _unfitted(OURS.replace("bet on a horse", "wager on any horse")) == []


def test_what_stands_in_another_order_is_not_carried_out_as_it_reads() -> None:
    gain, bet = "- gain 4 dollaries by announcement;", "- bet on a horse."
    turned = OURS.replace(f"{gain}\n{bet}", f"{bet}\n{gain}")
    assert [parts for _, parts in _unfitted(turned)] in ([("races.gain",)], [("races.bet",)])
    says = "The Horsened says who did.\n"
    assert _unfitted(f"{says}\n{OURS.replace(says, '')}") == []
    assert _unfitted(f"{OURS}\n{bet}") == [(bet, ("races.bet",))]


def test_another_wording_counts_once_and_where_the_missing_sentence_stood() -> None:
    bet, wager = "- bet on a horse.\n", "- wager on any horse.\n"
    elsewhere = f"{wager}\n{OURS.replace(bet, '')}"
    assert _unfitted(elsewhere) == [(None, ("races.bet",))]
    again = KnownPassage(key_of("- bet again."), "ours", ("races.bet",))
    known = replace(KNOWN, known=(*KNOWN.known[:3], again, *KNOWN.known[3:]))
    gone = marks_of(OURS.replace(bet, wager), known).gone
    assert [each.parts for each in gone] == [("races.bet",)]


def test_rows_that_it_does_not_read_are_not_carried_out() -> None:
    assert _unfitted(OURS.replace("| Bet | 1 |", "| Bet | 1 |\n| Wave | 2 |")) == [
        ("| Wave | 2 |", ())
    ]
    other = f"{OURS}\n| WAVE | FEE |\n|---|---|\n| One | 2 |\n"
    assert [text for text, _ in _unfitted(other)] == ["| WAVE | FEE |\n|---|---|", "| One | 2 |"]
    assert _unfitted(f"{OURS}\nHORSE    COST\n-------\nZed      4\nYin      5\n") == []


@pytest.mark.parametrize(
    ("old", "new", "waits"),
    [
        ("FEE (hooves)", "FEE (dollaries)", ["| ACTION | FEE (dollaries) | STEPS |"]),
        ("| FEE (hooves)", "| FEE", ["| ACTION | FEE | STEPS |"]),
        ("| Bet | 1 | – |", "| Bet | 1 | 5 |", ["| Bet | 1 | 5 |"]),
        ("| Bet | 1 | – |", "| Bet | 7 | - |", []),
        ("| Nudge | 3 | 2 |", "| Nudge | 2 | 3 |", []),
        ("| Bet |", "| **Bet** |", ["| **Bet** | 1 | – |"]),
        ("| Bet |", "| Bet (only when poor) |", ["| Bet (only when poor) | 1 | – |"]),
    ],
)
def test_what_a_table_says_where_nothing_is_read_is_not_carried_out(
    old: str, new: str, waits: list[str]
) -> None:
    text = "| ACTION | FEE (hooves) | STEPS |\n|---|---|---|\n| Bet | 1 | – |\n| Nudge | 3 | 2 |\n"
    known = Machinery(
        tables=(("ACTION", "FEE (hooves)", "STEPS"),),
        rows={"action | Bet": frozenset({"steps"}), "action | Nudge": frozenset()},
    )
    assert marks_of(text, known).unfitted == []
    told = [each.passage for each in marks_of(text.replace(old, new), known).unfitted]
    assert [each.text.partition("\n")[0] for each in told if each] == waits


@pytest.mark.parametrize(
    ("table", "count"),
    [
        ("| HORSE | COST | ON |\n|---|---|---|\n| Zed | 4 | Sundays |", 2),
        ("HORSE  COST ON\n---------\nZed    4  Sundays", 2),
        ("COST   HORSE\n---------\n4      Zed", 0),
    ],
)
def test_a_column_that_came_is_not_carried_out(table: str, count: int) -> None:
    assert len(_unfitted(f"{OURS}\n{table}\n")) == count


def test_of_two_tables_alike_it_reads_the_first() -> None:
    twice = f"{OURS}\n| ACTION | FEE |\n| --- | --- |\n| Bet | 2 |\n"
    assert len(_unfitted(twice)) == 2


def test_a_rule_that_no_machinery_knows_is_all_peoples() -> None:
    marks = marks_of(f"# Wages\n\n{OURS}\n```python\nwave()\n```\n", None)
    assert {each.mark for each in marks.passages} == {Mark.PEOPLE}
    assert marks.carried_out == 0


def test_what_an_officer_has_found_ends_it() -> None:
    text = OURS.replace("bet on a horse", "bet on a goat")
    key = marks_of(text, KNOWN).unfitted[0].key
    nothing = Settled(End.NOTHING, "a goat is a horse here", 7, ("races.bet",))
    by_hand = Settled(End.BY_HAND, "there are no goats", 7, ("races.bet",))
    assert _told(marks_of(text, KNOWN, {key: nothing}))["- bet on a goat."] is Mark.BUILT_IN
    kept = marks_of(text, KNOWN, {key: by_hand})
    assert _told(kept)["- bet on a goat."] is Mark.PEOPLE
    assert kept.kept_by_hand == {"races.bet": by_hand}
    assert marks_of(OURS, KNOWN, {key: by_hand}).kept_by_hand == {}


def test_a_list_says_who_carries_out_what(tmp_path: Path) -> None:
    lines = (
        "# About the list.\n\n== Wages | ours\n0123456789ab people # Every\n"
        "123456789abc races.gain races.bet # gain 4\n23456789abcd program # def\n"
    )
    (tmp_path / "built_in.txt").write_text(lines, encoding="utf-8")
    assert built_in(tmp_path) == {
        "Wages": (
            KnownPassage("0123456789ab", "ours"),
            KnownPassage("123456789abc", "ours", ("races.gain", "races.bet")),
            KnownPassage("23456789abcd", "ours", by_program=True),
        )
    }


def test_a_line_that_says_neither_is_refused(tmp_path: Path) -> None:
    (tmp_path / "built_in.txt").write_text("== Wages | ours\nEvery week\n", encoding="utf-8")
    with pytest.raises(BadList, match="Line 2"):
        built_in(tmp_path)
