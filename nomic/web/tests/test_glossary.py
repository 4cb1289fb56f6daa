"""Words of the field, each with what it means at the word."""

from html import unescape

import pytest
from django.template import Context, Template

from nomic.games.models import Player
from nomic.web.templatetags.glossary import GLOSSARY
from tests.kit import Visitor


def drawn(text: str, **context: str) -> str:
    return Template("{% load glossary %}" + text).render(Context(context))


def test_a_word_opens_what_it_means_without_a_script() -> None:
    html = drawn('{% term "f/a" %}')
    name = html.partition('popovertarget="')[2].partition('"')[0]
    assert f'<span popover id="{name}"' in html
    assert GLOSSARY["F/A"] in unescape(html)


def test_the_same_word_twice_has_two_names() -> None:
    html = drawn('{% term "Pulls" %}{% term "Pulls" %}')
    names = [part.partition('"')[0] for part in html.split('popovertarget="')[1:]]
    assert len(set(names)) == 2


def test_a_word_that_is_not_there_is_a_fault_of_the_template() -> None:
    with pytest.raises(AssertionError, match="has no “whim”"):
        drawn('{% term "whim" %}')
    assert drawn('{% term_or_word "whim" %}') == "whim"


@pytest.mark.parametrize("told", GLOSSARY.values())
def test_each_is_told_in_a_line_or_two(told: str) -> None:
    assert told.endswith(".")
    assert len(told) < 110


def test_a_rule_with_eir_says_what_eir_means(player: Player, visit: Visitor) -> None:
    rules = visit(player).get("/g/table/rules/").content.decode()
    address = rules.partition('href="/g/table/rules/weekly-race-actions')[2].partition('"')[0]
    page = visit(player).get(f"/g/table/rules/weekly-race-actions{address}").content.decode()
    assert "mean “they”, “them” and “their”" in page
