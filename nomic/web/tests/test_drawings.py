"""Pictures that are drawn once: the same values, the same picture, and nothing else in it."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import mark_safe
from pytest_django.asserts import assertHTMLEqual

from nomic.infrastructure.caching import fragments
from nomic.web.action_forms import Offered

TABLE = "aceofspades/_table.html"


def seen(count: Any, **page: Any) -> str:
    """What a page that knows `page` shows of a table at which that many cards lie."""
    seat = SimpleNamespace(name="The Deck", count=count, x=0, y=0, backs=())
    table = SimpleNamespace(width=760, height=96, flights=(), seats=(seat,), says="Cards.")
    tag = Template(f'{{% drawn_once "{TABLE}" tables=tables %}}')
    return tag.render(Context({"tables": [("only-wide", table)], **page}))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that are drawn anew."""
    names: list[str] = []

    def told(name: str, values: Any) -> Any:
        names.append(name)
        return render_to_string(name, values)

    fragments._DRAWN.clear()
    monkeypatch.setattr("nomic.infrastructure.caching.fragments.render_to_string", told)
    return names


def test_what_shows_the_same_is_drawn_once_for_all_who_look(drawn: list[str]) -> None:
    assert seen(93, user="Murphy") == seen(93, user="Madrid")
    assert drawn == [TABLE]


@pytest.mark.parametrize("other", [94, 93.0, True])
def test_what_differs_in_a_value_or_its_type_is_another_picture(
    other: Any, drawn: list[str]
) -> None:
    assert seen(93) != seen(other)
    assert drawn == [TABLE, TABLE]


def test_of_the_page_around_it_nothing_is_drawn(drawn: list[str]) -> None:
    tag = Template('{% drawn_once "aceofspades/_table.html" %}')
    table = SimpleNamespace(width=760, height=96, flights=(), seats=(), says="A secret.")
    assert "secret" not in tag.render(Context({"tables": [("only-wide", table)]}))


def test_a_list_to_choose_from_escapes_its_labels_though_an_equal_one_was_safe() -> None:
    markup = "<b>Fargo</b>"
    for label, drawn in ((mark_safe(markup), markup), (markup, escape(markup))):  # noqa: S308
        offered = Offered(choices=[("", "horse…"), ("Fargo", label), ("Alexia", "Alexia")])
        offered.refused = frozenset({"Fargo", "Alexia"})
        assertHTMLEqual(
            offered.render("horse", "Alexia", {"id": "horse"}),
            f'<select name="horse" id="horse"><option value="">horse…</option>'
            f'<option value="Fargo" disabled>{drawn}</option>'
            f'<option value="Alexia" selected>Alexia</option></select>',
        )
    assert " selected" not in Offered(choices=[("a", "A")]).render("one", [], {})
