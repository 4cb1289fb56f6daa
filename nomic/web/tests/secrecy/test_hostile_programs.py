"""Hostile programs on the pages and in the API: each answer is a page or a refusal, never a fault,
and nothing that a program says or is called is markup."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.engine.programs.tests.bodies import AT_THE_MARGIN, FAILS, ODD, REFUSES, function
from nomic.engine.requests import CAME_TO_NOTHING
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.web.tokens import make_token

RULE = "Weekly Race Actions"
ACTION = "rule.weekly-race-actions.go"
WAYS = (
    ('@action("go", "Go")', "go(me: Player)"),
    ('@view("View")', "shown()"),
)
MARKUP = "<script>alert(1)</script>"


def by_both_ways(body: str) -> str:
    return "\n".join(f"{declared}\n{function(head, body)}" for declared, head in WAYS)


def programs() -> dict[str, str]:
    """Each hostile program, as an action and a view, by its name."""
    found = {name: by_both_ways(body) for name, body in {**FAILS, **ODD, **REFUSES}.items()}
    margin = {name: f"{body}\n{by_both_ways('pass')}" for name, body in AT_THE_MARGIN.items()}
    return found | margin


def amend(game: Game, program: str) -> None:
    text = game.rules.get(title=RULE).text.partition("\n```python")[0]
    text = f"{text}\n```python\n{program}\n```\n"
    take(game.slug, None, "rulebook.amend", {"rule": RULE, "text": text, "reason": "a test"})
    game.refresh_from_db()


@pytest.fixture
def asking(player: Player) -> dict[str, Any]:
    assert player.user is not None
    return {"HTTP_AUTHORIZATION": f"Bearer {make_token(player.user, 'a test')[1]}"}


def is_sound(game: Game) -> None:
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


@pytest.mark.parametrize(
    "each", [pytest.param(24, marks=pytest.mark.brief), pytest.param(1, marks=pytest.mark.slow)]
)
def test_a_hostile_program_is_answered_like_any_refusal(
    game: Game, player: Player, client: Client, asking: dict[str, Any], each: int
) -> None:
    assert player.user is not None
    client.force_login(player.user)
    found = {}
    for name, program in list(programs().items())[::each]:
        amend(game, program)
        address = f"/api/v1/games/table/actions/{ACTION}"
        answer = client.post(address, "{}", content_type="application/json", **asking)
        told = answer.json()
        as_it_should = {
            409: told.get("code") in ("program_failed", "refused") and told.get("rule") == RULE,
            201: name in ODD or told.get("name") == CAME_TO_NOTHING,
        }
        page = client.get("/g/table/")
        html = page.content.decode()
        if not as_it_should.get(answer.status_code) or page.status_code != 200:
            found[name] = f"{answer.status_code} {json.dumps(told)[:200]} {page.status_code}"
        elif "This cannot be shown" not in html or MARKUP in html:
            found[name] = "the page"
    assert found == {}
    game.refresh_from_db()
    is_sound(game)


def test_nothing_that_a_program_is_called_or_says_is_markup(
    game: Game, player: Player, rival: Player, client: Client, asking: dict[str, Any]
) -> None:
    named = (
        f'@action("go", "{MARKUP} {{what}} {{of}}", title="{MARKUP}", price="{MARKUP}")\n'
        f'def go(me: Player, what: Literal["{MARKUP}"], of: str = "{MARKUP}"):\n'
        f'    say("{MARKUP}" + what + of)\n    state["{MARKUP}"] = 1\n'
        f'@every("week", title="{MARKUP}")\ndef week():\n    raise ValueError("{MARKUP}")\n'
        f'@before("horses.{MARKUP}")\ndef first():\n    pass\n'
        f'@before("rule.weekly-race-actions.go")\ndef broken():\n    raise ValueError("{MARKUP}")\n'
        f'@decide("{MARKUP}")\ndef decided():\n    pass\n'
        f'@view("{MARKUP}")\ndef shown():\n    return table(["{MARKUP}"], [["{MARKUP}"]])\n'
        f'@view("Bars")\ndef as_bars():\n    return bars({{"{MARKUP}": 1}}, "{MARKUP}")\n'
        f'@view("Track")\ndef as_a_track():\n    return track({{"{MARKUP}": 1}}, 3)\n'
        f'@view("Line")\ndef as_a_line():\n    return series([1, 2], "{MARKUP}")\n'
        f'@view("Wrong")\ndef wrong():\n    raise ValueError("{MARKUP}")\n'
    )
    amend(game, named)
    assert player.user is not None
    client.force_login(player.user)
    done = client.post(f"/g/table/act/{ACTION}/", {"what": MARKUP, "of": MARKUP, "key": "one"})
    assert done.status_code == 302
    rule = game.rules.get(title=RULE)
    pages = {
        address: client.get(address)
        for address in (
            *("/g/table/", f"/g/table/act/{ACTION}/", "/g/table/record/", "/g/table/rules/"),
            *(f"/g/table/record/{game.last_entry + 1}/", "/api/v1/games/table/machinery"),
            f"/g/table/rules/weekly-race-actions-{rule.pk}/",
        )
    }
    client.force_login(User.objects.create_superuser("root"))
    pages["/office/"] = client.get("/office/")
    found = [
        address
        for address, page in pages.items()
        if page.status_code != 200
        or (MARKUP in page.content.decode() and "json" not in page["Content-Type"])
    ]
    assert found == []
    assert "&lt;script&gt;alert(1)" in pages["/g/table/"].content.decode()
    game.refresh_from_db()
    is_sound(game)
