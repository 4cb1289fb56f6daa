"""Titles and numbers of rules: whose they are, and what may be one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.games.presets import PRESETS, Preset
from nomic.rulebook.limits import BadRule, NoSuchRule, RuleExists
from tests.kit import at_the_table


@pytest.fixture
def preset(monkeypatch: pytest.MonkeyPatch) -> str:
    bare = Preset("bare", "Bare", "No rules yet.", rulebooks=())
    monkeypatch.setitem(PRESETS, bare.name, bare)
    return bare.name


def now(game: Game):
    return glance(Game.objects.get(pk=game.pk)).rules


def titles(game: Game) -> list[str]:
    return [rule.title for rule in now(game).public]


CHANGES: dict[str, Callable] = {
    "enact the same title": lambda rules: rules.enact("horses", "Text.\n"),
    "enact the same number": lambda rules: rules.enact("Third", "Text.\n", number="2a"),
    "retitle to another's": lambda rules: rules.retitle("Seals", "HORSES"),
    "renumber to another's": lambda rules: rules.renumber("Seals", "1"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_title_and_a_number_are_one_rule_s(game: Game, change: str):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "Text.\n", number="1")
        table.rules.enact("Seals", "Text.\n", number="2A")
        with pytest.raises(RuleExists):
            CHANGES[change](table.rules)
    assert [(rule.title, rule.number) for rule in now(game).public] == [
        ("Horses", "1"),
        ("Seals", "2A"),
    ]


def test_a_rule_may_change_the_case_of_its_own_title_and_keep_its_number(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "Text.\n", number="1a")
        table.rules.retitle("Horses", "HORSES")
        table.rules.renumber("Horses", "1A")
    found = now(game).find("horses")
    assert (found.title, found.number, found.known_as) == ("HORSES", "1A", "")


@pytest.mark.parametrize(
    "title",
    [
        "",
        "x" * 121,
        "two\nlines",
        " edges ",
        "in\u200bvisible",
        "nul\0",
        "half\ud800",
        "Pro\u3164posals",
        "Pro\ufe0fposals",
        "\u202eslasoporP",
        "Pro\u2060posals",
    ],
)
def test_a_title_that_no_page_could_show_is_refused_with_a_sentence(game: Game, title: str):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "Text.\n")
        for change in (
            lambda: table.rules.enact(title, "Text.\n"),
            lambda: table.rules.retitle("Horses", title),
        ):
            with pytest.raises(BadRule, match=r"^A title .*\.$"):
                change()
    assert titles(game) == ["Horses"]


@pytest.mark.parametrize("number", ["9" * 21, "2 2", "2\n2", "nul\0", "2\u3164"])
def test_a_number_that_is_none_is_refused_with_a_sentence(game: Game, number: str):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "Text.\n")
        with pytest.raises(BadRule, match=r"^A rule's number .*\.$"):
            table.rules.enact("Seals", "Text.\n", number=number)
        with pytest.raises(BadRule, match=r"^A rule's number .*\.$"):
            table.rules.renumber("Horses", number)


def test_letters_that_the_database_takes_for_the_same_are_so_for_the_program(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Izmir", "Text.\n")
        with pytest.raises(RuleExists):
            table.rules.enact("İZMİR", "Text.\n")


def test_titles_and_numbers_are_compared_and_kept_in_composed_letters(game: Game):
    composed, apart = "Caf\u00e9", "Cafe\u0301"
    with at_the_table(game) as table:
        table.rules.enact(apart, "Text.\n", number=apart)
        with pytest.raises(RuleExists):
            table.rules.enact(composed, "Text.\n")
        with pytest.raises(RuleExists):
            table.rules.enact("Tea", "Text.\n", number=composed)
        assert table.rules.find_rule(title=apart) == table.rules.find_rule(number=composed)
    assert (game.rules.get().title, game.rules.get().number) == (composed, composed)


def test_a_title_in_letters_of_another_script_is_told_from_the_one_that_it_looks_like(game: Game):
    cyrillic = "P\u0430ints"
    with at_the_table(game) as table:
        table.rules.enact("Paints", "Text.\n")
        table.rules.enact("M\u0430sks", "Text.\n", visibility="private")
        assert table.rules.look_alikes() == []
        table.rules.enact(cyrillic, "Text.\n")
        table.rules.enact("Masks", "Text.\n")
        assert table.rules.look_alikes() == [("Paints", cyrillic)]
    assert titles(game) == ["Paints", cyrillic, "Masks"]


def test_a_public_rule_may_have_the_names_of_a_hidden_one_and_is_meant_first(game: Game):
    with at_the_table(game) as table:
        hidden = table.rules.enact("Plot", "Hidden.\n", number="7", visibility="private")
        table.rules.enact("Egg", "Hidden.\n", parent=hidden, visibility="private")
        table.rules.enact("Seals", "Text.\n")
        with pytest.raises(RuleExists):
            table.rules.enact("PLOT", "Text.\n", visibility="secret")
    with at_the_table(game) as table:
        table.rules.retitle("Seals", "Plot")
        table.rules.renumber("Plot", "7")
        assert table.rules.text("Plot") == "Text.\n"
        table.rules.amend("Plot", "Open.\n")
        assert [rule.title for rule in table.rules.repeal("Plot")] == ["Plot"]
        assert table.rules.text("plot") == "Hidden.\n"
        with pytest.raises(NoSuchRule):
            table.rules.find_rule(number="7")
    assert now(game).in_force("Plot", "Egg")


def test_hidden_titles_in_other_quotes_do_not_make_a_public_one_unclear(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Kevan\u2019s Isle", "Text.\n")
        table.rules.enact("Kevan\u2018s Isle", "Hidden.\n", visibility="private")
        assert table.rules.find_rule(title="Kevan's Isle").text == "Text.\n"
