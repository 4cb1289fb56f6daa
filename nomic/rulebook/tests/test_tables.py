"""Reading charts out of rule texts, in the three ways in which players write them."""

import contextlib
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.tables import TableBroken, find_table

PROPOSAL_8822 = Path(__file__).parents[4] / "shared/seeds/000_2917269998bf30e8.txt"

COSTS = """\
Each horse has a cost (in dollaries). They are listed below.

HORSE           COST (dollaries)
--------------------
Alexia          10
Fargo           6

Alexia's power: once per month, and so on.
"""


@pytest.fixture(scope="module")
def proposal() -> str:
    if not PROPOSAL_8822.exists():
        pytest.skip("the text of Proposal 8822 is not in this checkout")
    return PROPOSAL_8822.read_text()


def broken(text: str, *columns: str) -> str:
    with pytest.raises(TableBroken) as raised:
        find_table(text, *columns)
    return raised.value.sentence


class TestTheProposalsOwnCharts:
    def test_costs(self, proposal):
        chart = find_table(proposal, "horse", "cost")
        assert chart.columns == ("horse", "cost")
        assert {name: row["cost"] for name, row in chart.by("horse").items()} == {
            "Alexia": "10", "Baxter": "10", "Cannon": "8", "Destructor": "8",
            "Fargo": "6", "Nacho": "6", "Rubert": "4", "Sugar": "4",
        }  # fmt: skip

    def test_multipliers(self, proposal):
        chart = find_table(proposal, "HORSE", "1", "2", "3", "O", "X")
        assert len(chart.rows) == 8
        assert chart.by("HORSE")["Destructor"] == {
            "HORSE": "Destructor",
            "1": "6",
            "2": "5",
            "3": "4",
            "O": "1",
            "X": "0",
        }

    def test_pulls_with_commas_and_single_spaces(self, proposal):
        pulls = find_table(proposal, "Horse", "Pulls").by("Horse")
        assert pulls["Alexia"]["Pulls"] == "Nacho"
        assert pulls["Fargo"]["Pulls"] == "Alexia, Destructor"


class TestAlignedByWhitespace:
    def test_a_parenthesis_after_a_name_is_ignored(self):
        assert find_table(COSTS, "Horse", "Cost").rows == (
            {"Horse": "Alexia", "Cost": "10"},
            {"Horse": "Fargo", "Cost": "6"},
        )

    def test_the_order_in_which_columns_are_asked_for_does_not_matter(self):
        assert find_table(COSTS, "cost", "horse").columns == ("horse", "cost")

    def test_columns_that_nobody_asked_for_come_along(self):
        text = "HORSE   COST   COLOUR (mane)\n-----\nAlexia  10     dark red\n"
        assert find_table(text, "horse", "cost").rows == (
            {"horse": "Alexia", "cost": "10", "COLOUR": "dark red"},
        )

    def test_a_row_with_single_spaces_only_is_read_where_the_words_are_as_many_as_the_columns(self):
        assert (
            find_table("HORSE COST\n---\nAlexia 10", "horse", "cost").by("horse")["Alexia"]["cost"]
            == "10"
        )

    def test_a_heading_of_several_words(self):
        text = "HORSE    RACE POSITION\n------\nAlexia   3\n"
        assert find_table(text, "horse", "race position").rows == (
            {"horse": "Alexia", "race position": "3"},
        )

    def test_tabs_part_cells(self):
        assert (
            find_table("HORSE\tPULLS\n---\nFargo\tAlexia, Baxter", "HORSE", "PULLS").rows[0][
                "PULLS"
            ]
            == "Alexia, Baxter"
        )

    def test_an_indented_chart_in_a_fence(self):
        text = "```\n    HORSE   COST\n    ------------\n    Alexia  10\n```\nAnd prose."
        assert len(find_table(text, "horse", "cost").rows) == 1

    def test_a_closing_line_of_dashes_is_no_row(self):
        assert len(find_table("HORSE  COST\n----\nAlexia  10\n-----\n", "horse", "cost").rows) == 1

    def test_a_row_that_lacks_a_cell(self):
        text = COSTS.replace("Fargo           6", "Fargo")
        assert broken(text, "horse", "cost") == (
            "row 2 of the table has 1 cell where the header has 2 (line 6 of the text)"
        )

    def test_a_row_that_lacks_one_of_six(self):
        text = "HORSE      1 2 3 O X\n-----\nAlexia     5 4 3 1\n"
        assert "row 1 of the table has 5 cells where the header has 6" in broken(
            text, "horse", "1", "2", "3", "o", "x"
        )

    def test_a_chart_without_rows(self):
        assert broken("HORSE  COST\n-----\n\nNothing.", "horse", "cost") == (
            "the table with the columns horse, cost has no rows"
        )

    def test_a_heading_without_dashes_is_prose(self):
        assert find_table("The horse cost\nwas high.", "horse", "cost") is None

    def test_a_column_that_stands_twice(self):
        assert "names the column “COST” twice" in broken(
            "HORSE  COST  cost\n---\na  b  c", "HORSE", "COST"
        )


class TestMarkdown:
    TEXT = (
        "Costs:\n\n"
        "| Horse | Cost (dollaries) |\n|:------|-----:|\n| Alexia | 10 |\n| Fargo  | 6 |\n\n"
        "More."
    )

    def test_rows(self):
        assert find_table(self.TEXT, "HORSE", "COST").rows == (
            {"HORSE": "Alexia", "COST": "10"},
            {"HORSE": "Fargo", "COST": "6"},
        )

    def test_without_the_outer_pipes(self):
        assert (
            find_table("Horse | Cost\n--- | ---\nAlexia | 10", "horse", "cost").by("horse")[
                "Alexia"
            ]["cost"]
            == "10"
        )

    def test_with_windows_line_ends(self):
        assert len(find_table(self.TEXT.replace("\n", "\r\n"), "horse", "cost").rows) == 2

    def test_an_escaped_pipe_belongs_to_the_cell(self):
        assert find_table("| A | B |\n|--|--|\n| x\\|y | \\| |", "A", "B").rows == (
            {"A": "x|y", "B": "|"},
        )

    def test_an_empty_cell_is_a_cell(self):
        assert find_table("| A | B | C |\n|--|--|--|\n| x || z |", "A").rows[0] == {
            "A": "x",
            "B": "",
            "C": "z",
        }

    def test_emphasis_in_the_heading_is_ignored(self):
        assert (
            find_table("| **Horse** | `Cost` |\n|-|-|\n| Fargo | 6 |", "horse", "cost") is not None
        )

    def test_rows_that_players_add_in_wiki_style_are_read(self):
        text = "| Roll | Visitor |\n|---|---|\n| 5 | Merchant |\n| 4 || Thug\n| 10 || Thug\n"
        assert list(find_table(text, "Roll", "Visitor").by("Roll")) == ["5", "4", "10"]

    def test_a_row_with_too_few_cells(self):
        assert broken(self.TEXT.replace("| Fargo  | 6 |", "| Fargo |"), "horse", "cost") == (
            "row 2 of the table has 1 cell where the header has 2 (line 6 of the text)"
        )

    def test_prose_that_sticks_to_the_table_is_not_cut_off_silently(self):
        assert "row 3 of the table" in broken(
            self.TEXT.replace("\n\nMore", "\nMore"), "horse", "cost"
        )

    def test_a_heading_without_its_line_of_dashes(self):
        sentence = broken("| Horse | Cost |\n| Alexia | 10 |", "horse", "cost")
        assert sentence.startswith("line 1 of the text names the columns horse, cost")

    def test_the_first_table_with_the_columns_counts(self):
        text = "| Horse | Owner |\n|--|--|\n| Fargo | snail |\n\n" + self.TEXT + "\n\n" + COSTS
        assert find_table(text, "horse", "cost").columns == ("horse", "cost")
        assert find_table(text, "horse", "owner").rows == ({"horse": "Fargo", "owner": "snail"},)


class TestWiki:
    def test_rows_under_a_heading(self):
        text = "! Roll !! Visitor\n|-\n| 4 || Thug\n|-\n| 10 || Thug\n|}\n"
        assert find_table(text, "roll", "visitor").rows == (
            {"roll": "4", "visitor": "Thug"},
            {"roll": "10", "visitor": "Thug"},
        )

    def test_a_cell_a_line(self):
        text = '{| class="wikitable"\n! Roll\n! Visitor\n|-\n| 4\n| Thug\n|-\n| 10\n| Thug\n|}'
        assert list(find_table(text, "Roll", "Visitor").by("Roll")) == ["4", "10"]

    def test_rows_alone_are_read_by_position(self):
        text = "add the following rows to the table:\n| 4 || Thug\n| 10 || Thug\nAdd a subrule."
        table = find_table(text, "Roll", "Visitor")
        assert (table.head, table.first, table.columns) == (1, 1, ("Roll", "Visitor"))
        assert table.rows == (
            {"Roll": "4", "Visitor": "Thug"},
            {"Roll": "10", "Visitor": "Thug"},
        )

    def test_rows_alone_of_another_width_are_another_table(self):
        assert find_table("| 4 || Thug\n| 10 || Thug", "Roll", "Visitor", "Bribe") is None

    def test_rows_alone_of_which_one_does_not_fit(self):
        assert "row 2 of the table has 3 cells" in broken(
            "| 4 || Thug\n| 10 || Thug || x", "Roll", "Visitor"
        )

    def test_the_end_of_a_wiki_table_is_no_row_though_it_has_cells(self):
        assert find_table("|} 4 || Thug", "Roll", "Visitor") is None
        table = find_table("|} 4 || Thug\n| 10 || Thug", "Roll", "Visitor")
        assert table.rows == ({"Roll": "10", "Visitor": "Thug"},)

    def test_the_rows_of_a_table_with_other_columns_are_not_taken(self):
        assert find_table("! Roll !! Visitor\n| 4 || Thug", "Horse", "Cost") is None
        assert (
            find_table("| A | B | C |\n|---|---|---|\n| x || z |", "Horse", "Cost", "Place") is None
        )

    def test_rows_in_markdown_style_are_read(self):
        assert (
            find_table("! Roll !! Visitor\n| 5 | Merchant |\n| 4 || Thug", "Roll", "Visitor").by(
                "Roll"
            )["5"]["Visitor"]
            == "Merchant"
        )

    def test_a_line_that_forgot_its_pipe(self):
        assert "line 3 of the text" in broken(
            "! Roll !! Visitor\n| 4 || Thug\n10 || Thug", "Roll", "Visitor"
        )


class TestBy:
    CHART = find_table(
        "| Horse | Cost |\n|--|--|\n| Fargo | 6 |\n| Alexia | 10 |\n| Fargo | 7 |\n|  | 1 |",
        "Horse",
        "Cost",
    )

    def test_a_key_that_stands_twice(self):
        with pytest.raises(
            TableBroken, match="“Fargo” stands twice under “Horse”, the second time in row 3"
        ):
            self.CHART.by("horse")

    def test_a_row_that_says_the_same_twice_is_read_once(self):
        text = "| Horse | Cost |\n|--|--|\n| Fargo | 6 |\n| Alexia | 10 |\n|  Fargo |6|"
        chart = find_table(text, "Horse", "Cost").by("Horse")
        assert {name: row["Cost"] for name, row in chart.items()} == {"Fargo": "6", "Alexia": "10"}

    def test_an_empty_key(self):
        with pytest.raises(TableBroken, match="row 2 of the table has nothing under “A”"):
            find_table("| A |\n|---|\n| x |\n| |", "A").by("A")

    def test_an_unknown_column(self):
        with pytest.raises(TableBroken, match="no column “Colour”"):
            self.CHART.by("Colour")


def test_no_table_at_all():
    assert find_table("", "Horse") is None
    assert find_table("Horses are indestructible assets.\n\n---\n\nIndeed.", "Horse") is None


def test_asking_for_no_column_is_a_mistake():
    with pytest.raises(ValueError, match="at least one column"):
        find_table(COSTS)


# A word as players write them in a cell; two or more make a cell with single spaces.
WORD = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
CELL = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
COLUMNS = st.lists(WORD, min_size=2, max_size=5, unique_by=str.casefold)


@st.composite
def grids(draw) -> tuple[list[str], list[list[str]]]:
    columns = draw(COLUMNS)
    rows = draw(
        st.lists(
            st.lists(CELL, min_size=len(columns), max_size=len(columns)), min_size=1, max_size=6
        )
    )
    return columns, rows


def written_in_markdown(columns: list[str], rows: list[list[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def written_in_wiki(columns: list[str], rows: list[list[str]]) -> str:
    return (
        "! "
        + " !! ".join(columns)
        + "\n"
        + "".join("|-\n| " + " || ".join(cells) + "\n" for cells in rows)
    )


def written_aligned(columns: list[str], rows: list[list[str]]) -> str:
    widths = [max(map(len, cells)) + 2 for cells in zip(columns, *rows, strict=True)]
    lines = [
        "".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        for cells in [columns, *rows]
    ]
    return "\n".join([lines[0], "-" * 20, *lines[1:]])


@pytest.mark.parametrize("write", [written_in_markdown, written_in_wiki, written_aligned])
@given(
    grid=grids(),
    before=st.sampled_from(["", "Some prose.\n\n", "| other | table |\n|--|--|\n| a | b |\n\n"]),
)
def test_what_is_written_is_read_again(write, grid, before):
    columns, rows = grid
    table = find_table(before + write(columns, rows) + "\n\nAnd so on.", *columns)
    assert table.columns == tuple(columns)
    assert table.rows == tuple(dict(zip(columns, row, strict=True)) for row in rows)


@given(st.text("|!-: \t\nab{}\\()*", max_size=200))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    chart, sentence = None, "no table"
    try:
        chart = find_table(text, "a", "b")
    except TableBroken as error:
        sentence = error.sentence
    assert sentence
    assert chart is None or all(set(row) == set(chart.columns) for row in chart.rows)


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "\\|",
        "|",
        "||",
        "! ",
        "-",
        " ",
        "a  ",
        "-\n",
        "|\n",
        "! a\n",
        "| a || b\n",
        "horse\n---\n",
        "| horse |\n",
        "|-|-|\n",
        "a b ",
        "\t",
        "\n",
    ],
)
def test_a_long_hostile_text_takes_no_time(piece):
    text = (piece * (100_000 // len(piece)))[:100_000]
    start = time.process_time()
    for columns in [("horse", "cost"), ("cost of a horse", "horse")]:
        with contextlib.suppress(TableBroken):
            find_table(text, *columns)
    assert time.process_time() - start < 2


def test_a_long_text_is_read_at_once():
    text = "All horses are equal, and some of them run further than others do.\n" * 1500 + COSTS
    start = time.process_time()
    assert find_table(text, "horse", "cost") is not None
    assert time.process_time() - start < 1
