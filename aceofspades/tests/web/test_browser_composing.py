"""Trying a regulation while it is written, in Chromium: a trial takes nothing of it away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from aceofspades.rules.marks import Answer, Question
from aceofspades.state.counting import count
from aceofspades.tests.conftest import Three
from nomic.games.models import Game
from tests.kit.browser import Sit, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXT = """Everybody gains.

```python
def mark(hands, worth, alliances):
    return {name: worth[name] + 1234 for name in hands}
```
"""


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker has no answer when a trial is first asked for."""
    asked: set[str] = set()

    def ask(question: Question) -> Answer | None:
        if question.fingerprint in asked:
            return count(question)
        asked.add(question.fingerprint)
        return None

    monkeypatch.setattr("aceofspades.web.trial.ask", ask)


@pytest.mark.thorough
@pytest.mark.usefixtures("slowly")
def test_a_trial_that_is_waited_for_leaves_the_draft_as_it_is(
    sit: Sit,
    contest: Game,
    three: Three,
) -> None:
    page = sit()
    person(three[0].name)
    sign_in(page, three[0].name)
    page.goto(f"/g/{contest.slug}/aceofspades/propose/")
    number, text = page.locator("[name=number]"), page.locator("[name=text]")
    number.fill("345")
    text.fill(TEXT)
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#trial")).to_contain_text("1234")
    expect(number).to_have_value("345")
    expect(text).to_have_value(TEXT)
    page.get_by_role("button", name="Propose it").click()
    expect(page.locator("#ballots")).to_contain_text("Regulation 345")


WRONG = """Ä prose line.

```python
def mark(hands, worth, alliances):
    return {name: worth[name] for name in
```
"""


def selected(page: Page) -> str:
    """What follows the cursor in the text that has the focus."""
    return str(
        page.evaluate(
            "(at => at.matches('textarea') ? at.value.slice(at.selectionStart) : '')"
            "(document.activeElement)"
        )
    )


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["Try it", "Propose it"])
@pytest.mark.parametrize("width", [390, 1280])
def test_an_error_leads_to_its_place_in_the_text(
    how: str,
    width: int,
    sit: Sit,
    contest: Game,
    three: Three,
) -> None:
    page = sit(width)
    person(three[0].name)
    sign_in(page, three[0].name)
    page.goto(f"/g/{contest.slug}/aceofspades/propose/")
    page.locator("[name=number]").fill("345")
    page.locator("[name=text]").fill(WRONG)
    page.get_by_role("button", name=how).click()

    shown = page.locator(".refused", has=page.get_by_role("button", name="Show the place"))
    expect(shown).to_contain_text("line 2, column ")
    column = int(re.findall(r"line 2, column (\d+)", shown.inner_text())[0])
    shown.get_by_role("button").click()

    line = "    return {name: worth[name] for name in"
    assert selected(page).startswith(line[column - 1 :] + "\n```")
    expect(page.locator("[name=text]")).to_be_in_viewport()
    assert page.locator("[name=text]").input_value() == WRONG


def test_without_javascript_the_sentence_says_where(
    sit: Sit,
    contest: Game,
    three: Three,
) -> None:
    page = sit(390, script=False)
    person(three[0].name)
    sign_in(page, three[0].name)
    page.goto(f"/g/{contest.slug}/aceofspades/propose/")
    page.locator("[name=number]").fill("345")
    page.locator("[name=text]").fill(WRONG)
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#trial")).to_contain_text("line 2, column ")
    expect(page.get_by_role("button", name="Show the place")).to_have_count(0)
