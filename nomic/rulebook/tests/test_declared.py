"""Tables by which any rule declares switches and currencies."""

from __future__ import annotations

import pytest

from nomic.rulebook.declared import (
    CURRENCIES,
    SWITCHES,
    DeclaredCurrency,
    currencies_in,
    declared,
    plural_of,
    switches_in,
)
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.tables import TableBroken

HEAD = "| Switch | Of | Values | Default | Kept by |\n|---|---|---|---|---|\n"
HEAT = "| Heat | player | Low, Medium, High | Low | the Stoker |\n"


def fault(text: str) -> str:
    with pytest.raises(TableBroken) as broken:
        switches_in("Heat", text)
    return broken.value.sentence


def rule(text: str) -> RuleText:
    return RuleText(7, "Heat", text, version=4, played_as=4)


def no_others(_: RuleText) -> list[tuple[int, str]]:
    return []


def test_words_and_numbers_are_values_and_a_column_says_how_it_is_set() -> None:
    text = (
        "Each player has a Heat.\n\n| Switch | Of | Values | Default | Kept by | Set |\n"
        "|---|---|---|---|---|---|\n| Heat | each player | Low, High | low | the Stoker |"
        " at once |\n"
        "| *Radiance* | asset | -5 to 1,000 | 0 | - | |\n| Weather | the game | sun, rain | sun | |"
        " by correction |\n"
    )
    heat, radiance, weather = switches_in("Heat", text)
    assert (heat.name, heat.of, heat.values, heat.default) == (
        "Heat",
        "player",
        ("Low", "High"),
        "Low",
    )
    assert (heat.keeper, heat.at_once) == ("Stoker", True)
    assert (radiance.name, radiance.of, radiance.least, radiance.most) == (
        "Radiance", "asset", -5, 1000,
    )  # fmt: skip
    assert (radiance.keeper, radiance.at_once, weather.of) == ("", False, "game")
    assert heat.reads(" hIGH ") == "High"
    assert heat.reads("Higher") is None
    assert [radiance.reads(words) for words in ("-5", "−5", "007", "1001", "a", "1,0")] == [
        "-5", "-5", "7", None, None, None,
    ]  # fmt: skip


def test_wiki_and_aligned_tables_declare_as_well() -> None:
    wiki = (
        "! Switch !! Of !! Values !! Default !! Kept by\n| Heat || player || Low, High || Low || \n"
    )
    aligned = (
        "Switch    Of        Values      Default   Kept by\n"
        "-------------------------------------------------\n"
        "Heat      player    0 to 9      3         Stoker\n"
    )
    assert [switch.name for switch in switches_in("Heat", wiki)] == ["Heat"]
    assert [switch.default for switch in switches_in("Heat", aligned)] == ["3"]


def test_rows_under_no_head_declare_nothing() -> None:
    assert (
        switches_in("Heat", "A Switch of values by default, kept by all.\n| a || b || c || d || e")
        == ()
    )
    assert currencies_in("Coins", "Currency below zero.\n| coin || yes\n") == ()


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (HEAT + HEAT.replace("Low |", "High |"), "“Heat” stands twice under “Switch”"),
        (HEAT + HEAT.replace("Heat", "heat"), "has “heat” twice"),
        (
            HEAT.replace("player", "horse"),
            "has “horse” under Of for Heat instead of player, game or",
        ),
        (
            HEAT.replace("Low |", "Tepid |"),
            "“Tepid” under Default for Heat instead of Low, Medium or",
        ),
        (HEAT.replace("Low, Medium, High", "9 to 0"), "a range, the least first"),
        (HEAT.replace("Low, Medium, High", "0 to 9999999999"), "a range, the least first"),
        (HEAT.replace("Low, Medium, High", "Low, low"), "each once"),
        (HEAT.replace("Low, Medium, High", ""), "or words with commas"),
        (HEAT.replace("Low, Medium, High", ",".join(map(str, range(10_000)))), "has 10,000 values"),
        (HEAT.replace("Heat", "H" * 41), "a name of at most 40 characters"),
        (HEAT.replace("Heat", "“Heat”"), "a name of at most 40 characters"),
        (HEAT.replace("| the Stoker ", ""), "row 1 of the table has 4 cells"),
        ("", "has no rows"),
    ],
)
def test_a_row_that_cannot_be_one_says_why(row: str, says: str) -> None:
    assert says in fault(HEAD + row)


def test_a_table_that_cannot_be_read_is_played_as_of_its_last_readable_version() -> None:
    good, bad = HEAD + HEAT, HEAD + HEAT.replace("player", "horse")
    for text in (bad, good.replace("| Default ", "| Usually ")):
        switches, unread = declared(
            switches_in, SWITCHES, rule(text), lambda _: [(3, bad), (2, good), (1, "Nothing.")]
        )
        assert [switch.name for switch in switches] == ["Heat"]
        assert unread is not None
        assert (unread.version, unread.pk) == (2, 7)


def test_a_table_that_is_gone_declares_nothing_more_and_is_no_fault() -> None:
    for text in ("Nothing.", "A table with a Switch is gone."):
        gone = declared(switches_in, SWITCHES, rule(text), lambda _: [(1, HEAD + HEAT)])
        assert gone == ((), None)
    other = rule("| Switch | Lamp |\n|---|---|\n| 1 | red |\n")
    assert declared(switches_in, SWITCHES, other, no_others) == ((), None)


def test_a_currency_has_a_word_for_several_and_may_go_below_zero() -> None:
    text = (
        "| Currency | Plural | Below zero |\n|---|---|---|\n| coin | | no |\n| ox | oxen | yes |\n"
        "| penny | - | |\n"
    )
    assert currencies_in("Coins", text) == (
        DeclaredCurrency("coin", "coins", False),
        DeclaredCurrency("ox", "oxen", True),
        DeclaredCurrency("penny", "pennies", False),
    )
    broken = rule(text.replace("yes", "perhaps"))
    currencies, unread = declared(currencies_in, CURRENCIES, broken, no_others)
    assert currencies == ()
    assert unread is not None
    assert "“perhaps” under Below zero for ox instead of yes or no" in unread.sentence


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("coin", "coins"), ("coins", "coins"), ("glass", "glasses"), ("box", "boxes"),
        ("penny", "pennies"), ("pennies", "pennies"), ("day", "days"), ("torch", "torches"),
    ],
)  # fmt: skip
def test_several_are_called_as_in_english_unless_somebody_says_otherwise(
    one: str, several: str
) -> None:
    assert plural_of(one) == several
