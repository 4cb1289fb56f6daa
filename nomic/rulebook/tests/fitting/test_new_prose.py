"""What a vote has put into a rule by which no part of the program plays."""

from collections.abc import Sequence
from functools import partial

import pytest

from nomic.rulebook.coverage.marks import CarriedProgram, End, Mark, marks_of, with_new_prose
from nomic.rulebook.coverage.rows import Columns, rows_under
from nomic.rulebook.passages import Settled, fingerprint

WAGES = "Each player gains 3 dollaries at the start of each month."
BOUND = "Voting CANNOT be amended except by all."
ROW = "| Murphy | a wage of 3 |"
TABLE = f"| WHO | WHAT |\n|---|---|\n{ROW}\n"


def waiting(
    text: str,
    began_as: str = "",
    program: CarriedProgram | None = None,
    columns: Sequence[Columns] = (),
    **settled: str,
) -> list[str]:
    found = {key: Settled(end, "so it is", 7) for key, end in settled.items()}
    marks = marks_of(text, None, found, program)
    read = partial(rows_under, text, columns)
    told = with_new_prose(marks, text, began_as, found, read).unfitted
    return [each.passage.said for each in told if each.passage]


@pytest.mark.parametrize(
    ("text", "began_as", "waits"),
    [
        (f"{WAGES} {BOUND}", "", [WAGES, BOUND]),
        (f"{WAGES} {BOUND}", WAGES, [BOUND]),
        (f"# Wages\n\n* {WAGES}", "", ["# Wages", WAGES]),
        (f"# Nobody leaves\n\n{WAGES}", WAGES, ["# Nobody leaves"]),
        (f"**{WAGES}**\n\n{BOUND}", BOUND, [f"**{WAGES}**"]),
        ("**Each player gains 3**", "", ["**Each player gains 3**"]),
        (TABLE, "", ["| WHO | WHAT | |---|---|", ROW]),
        (f"```\n{WAGES}\n```", "", [f"``` {WAGES} ```"]),
        (WAGES, WAGES, []),
        (f"**{WAGES}**", WAGES, []),
    ],
)
def test_all_that_is_new_and_that_nothing_carries_out_waits(
    text: str, began_as: str, waits: list[str]
) -> None:
    assert waiting(text, began_as) == waits


def test_what_a_program_carries_out_and_the_tables_that_it_reads_wait_for_nobody() -> None:
    text = f"{WAGES} {BOUND}\n\n{TABLE}"
    carries = CarriedProgram(True, carries=(WAGES,))
    assert waiting(text, "", carries, [("WHO",)]) == [BOUND]
    assert WAGES in waiting(text, "", CarriedProgram(False, carries=(WAGES,)))


def test_what_is_kept_by_hand_waits_no_more_and_says_so() -> None:
    settled = {fingerprint(WAGES): str(End.BY_HAND)}
    assert waiting(f"{WAGES} {BOUND}", "", None, **settled) == [BOUND]
    found = {key: Settled(end, "so it is", 7) for key, end in settled.items()}
    (kept,) = with_new_prose(marks_of(WAGES, None, found), WAGES, "", found, set).passages
    assert (kept.mark, kept.settled) == (Mark.PEOPLE, found[fingerprint(WAGES)])
