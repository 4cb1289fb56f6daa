"""Numbers out of the tables of rule texts."""

import pytest

from nomic.rulebook.charts import RuleTable, RuleTables, find_rule_table
from nomic.rulebook.tables import TableBroken

KNOWN = {"Tolls": (("GATE", "COINS"), ("BRIDGE", "COINS"))}
SHIPPED = """| GATE | COINS |
| --- | --- |
| North | 3 |

| BRIDGE | COINS |
| --- | --- |
| Old | 1 |
"""
BRIDGES = "| BRIDGE | COINS |\n|---|---|\n| Old | 7 |"


def tables(text: str | None) -> RuleTables:
    return RuleTables({} if text is None else {"Tolls": text}, KNOWN)


def test_a_table_of_the_text_counts():
    text = SHIPPED.replace("| North | 3 |", "| North | 4 |")
    assert tables(text).table("Tolls", "GATE").whole("North", "COINS") == 4


@pytest.mark.parametrize("text", [None, "", "Whoever passes a gate or a bridge pays.", BRIDGES])
def test_what_no_text_has_is_missing(text):
    with pytest.raises(TableBroken):
        tables(text).table("Tolls", "GATE")


def test_rows_under_no_heading_are_the_rules_first_table():
    found = tables("| South || 9").table("Tolls", "GATE")
    assert found.whole("South", "COINS") == 9
    assert find_rule_table("Tolls", "| South || 9", ("BRIDGE", "COINS")) is None


def test_a_table_with_ill_fitting_rows_cannot_be_read():
    with pytest.raises(TableBroken, match="“GATE” of Tolls cannot be read: row 1") as broken:
        tables(SHIPPED.replace("| North | 3 |", "| North |")).table("Tolls", "GATE")
    assert broken.value.rule == "Tolls"


def table(**rows: str) -> RuleTable:
    return RuleTable("Tolls", ("GATE", "COINS"), {name: {"COINS": c} for name, c in rows.items()})


@pytest.mark.parametrize("cell", ["", "x", "-1", "1.5", "²", "1 000", "1000000", "0", "31"])
def test_a_cell_without_a_number_that_can_be_played_is_quoted(cell):
    with pytest.raises(TableBroken) as broken:
        table(North=cell).whole("North", "COINS", 1, 30)
    assert broken.value.sentence == (
        f"The table “GATE” of Tolls has “{cell}” under COINS for North instead of a whole number"
        " from 1 to 30."
    )


def test_long_cells_are_cut_in_sentences():
    with pytest.raises(TableBroken) as broken:
        table(North="9" * 5_000).whole("North", "COINS")
    assert len(broken.value.sentence) < 200


def test_a_missing_row_is_named():
    with pytest.raises(TableBroken, match="has no row “South”"):
        table(North="3").cell("South", "COINS")


def test_numbers_under_numbers_stand_once_each():
    rows = {"1": {"COINS": "5"}, "02": {"COINS": "6"}}
    found = RuleTable("Tolls", ("GATE", "COINS"), rows)
    assert found.wholes("COINS", (0, 9), (0, 9)) == {1: 5, 2: 6}
    twice = RuleTable("Tolls", ("GATE", "COINS"), {**rows, "2": {"COINS": "6"}})
    with pytest.raises(TableBroken, match="has 2 twice"):
        twice.wholes("COINS", (0, 9), (0, 9))
