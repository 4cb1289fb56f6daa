"""Whatever a program sends, to whichever action: a sentence, and nothing has changed."""

import json
from typing import Any

import pytest

from nomic.engine.actions import Action, all_actions, find_action
from nomic.engine.forms import ActionForm
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.api.messages import DEEPEST
from nomic.web.api.tests.conftest import Program, ProgramOf, fingerprint
from nomic.web.tests.shares import share_of
from tests.kit import WEDNESDAY, seat

# The tests' own tiny game is no part of the site.
REAL = [each.name for each in all_actions() if not each.name.startswith("tiny.")]
WRONG = [
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    1e308,
    "",
    " ",
    "3",
    "x" * 5000,
    "Ünïcödé 💥 \u202e ‘’",
    "'; DROP TABLE games_game; --",
    "Stranger",
    [],
    ["Alexia"],
    {},
    {"a": {"b": 1}},
]
BODIES = [
    b"[]",
    b'"text"',
    b"3",
    b"null",
    b"true",
    b"{",
    b"{'a': 1}",
    b'{"a": NaN}',
    b'{"a": Infinity}',
    b'{"a": ' + b"9" * 5000 + b"}",
    b"\xff\xfe",
    b'{"a": "\xff"}',
    b'{"a": "\\u0000"}',
    b'{"a\\u0000": 1}',
    b'{"a": "\\ud800"}',
    b'{"a": ["\\udfff"]}',
    b"[" * 100_000,
    b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b'{"a": ' + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1) + b"}",
    b'{"no_such_input": 1}',
    b'{"__all__": 1}',
    b'{"": 1}',
    b"game=table&name=Murphy",
]


@pytest.fixture
def stranger(game: Game, officer: Player, rival: Player) -> Player:
    """Somebody who plays in another game."""
    other = new_game("another", "agora-races", pace="manual", start=WEDNESDAY)[0]
    return seat(other, "Stranger")


@pytest.fixture
def senders(
    game: Game,
    officer: Player,
    rival: Player,
    stranger: Player,
    program_of: ProgramOf,
    settings: Any,
) -> list[tuple[Action, Program]]:
    """Every action with a program to which it is open: the officer's, or a newcomer's to take a
    seat. As much as they send in a minute no other program may."""
    settings.API_REQUESTS_A_MINUTE = 0
    insider, newcomer = program_of(officer), program_of(stranger)
    actions = [find_action(name) for name in REAL]
    return [(each, newcomer if each.seatless else insider) for each in actions]


def is_told(response: Any) -> bool:
    """Whether the answer says with a sentence why nothing happened."""
    found = json.loads(response.content)
    if response.status_code == 409:
        return set(found) == {"code", "sentence", "rule"} and bool(found["sentence"])
    told = response.status_code == 422 and bool(found["detail"])
    return told and all(complaint["msg"] and complaint["loc"] for complaint in found["detail"])


def well_formed(form: ActionForm) -> dict[str, Any]:
    """Inputs that have the form's shape, so that one of them at a time can be made wrong."""
    return {name: _some(kind) for name, kind in form.schema()["properties"].items()}


def _some(kind: dict[str, Any]) -> Any:
    if "enum" in kind:
        return next(iter(kind["enum"]), "nothing")
    known = {"integer": kind.get("minimum", 1), "number": 1, "boolean": False, "array": []}
    return known.get(_kinds(kind)[0], "Text")


def _kinds(schema: dict[str, Any]) -> list[str]:
    """The JSON types that a field takes."""
    return [schema["type"]] if isinstance(schema["type"], str) else list(schema["type"])


def test_a_body_that_is_no_such_object_is_told(bot: Program, game: Game) -> None:
    before = fingerprint(game)
    for body in BODIES:
        response = bot.send("games.take_office", body)
        assert is_told(response), (body[:40], response.content[:200])
    assert fingerprint(game) == before


UNKNOWN = [b"[]", b'{"no_such_input": 1}', b'{"__all__": 1}', b'{"": "\\u0000"}']


@pytest.mark.thorough
@pytest.mark.parametrize("share", share_of(2))
def test_no_action_takes_what_it_does_not_know(
    share: int, senders: list[tuple[Action, Program]], game: Game
) -> None:
    before = fingerprint(game)
    wrong = []
    for first, (each, sender) in enumerate(senders):
        for body in UNKNOWN[first % share :: share]:
            response = sender.send(each.name, body)
            if not is_told(response):
                wrong.append((each.name, body[:40], response.content[:200]))
    assert not wrong
    assert fingerprint(game) == before


@pytest.mark.thorough
@pytest.mark.parametrize("share", share_of(6))
def test_an_input_of_the_wrong_kind_is_told(
    share: int, senders: list[tuple[Action, Program]], game: Game, officer: Player
) -> None:
    """Each field is sent every sixth of what is wrong, beginning with another; or all of it."""
    before = fingerprint(game)
    wrong = []
    for first, (each, sender) in enumerate(senders):
        form = each.Form(glance(game), officer)
        inputs = well_formed(form)
        for place, (name, field) in enumerate(form.shaped().items(), first):
            for value in WRONG[place % share :: share]:
                if _may_be_meant(field, value):
                    continue
                response = sender.act(each.name, **{**inputs, name: value})
                if not is_told(response):
                    wrong.append((each.name, name, value, response.content[:200]))
    assert not wrong
    assert fingerprint(game) == before


def _may_be_meant(field: Any, value: Any) -> bool:
    """Whether the value has the field's shape after all: a free text may be nearly anything."""
    schema = field.schema()
    kinds = _kinds(schema)
    if not field.fits(value) or "enum" in schema:
        return "boolean" in kinds and field.fits(value)
    if isinstance(value, list):
        return value == []
    if isinstance(value, str) and kinds != ["string"]:  # a number or a name in a text's form
        return not (field.required or value.strip())
    if isinstance(value, str):
        return not (field.required or value.strip()) or 0 < len(value.strip()) <= schema.get(
            "maxLength", 0
        )
    if "minimum" not in schema:
        return "integer" in kinds and 0 <= value < 10**9
    return schema["minimum"] <= value <= schema["maximum"]


@pytest.mark.thorough
def test_an_input_that_is_missing_is_told(
    senders: list[tuple[Action, Program]], game: Game, officer: Player
) -> None:
    before = fingerprint(game)
    wrong = []
    for each, sender in senders:
        form = each.Form(glance(game), officer)
        inputs = well_formed(form)
        for missing in [name for name, field in form.fields.items() if field.required]:
            sent = {name: value for name, value in inputs.items() if name != missing}
            response = sender.act(each.name, **sent)
            if not is_told(response):
                wrong.append((each.name, missing, response.content))
    assert not wrong
    assert fingerprint(game) == before


def test_what_is_longer_than_this_site_reads_is_told(bot: Program, game: Game) -> None:
    before = fingerprint(game)
    response = bot.send("games.join", b'{"name": "' + b"x" * 3_000_000 + b'"}')
    assert response.status_code == 413
    assert json.loads(response.content)["detail"]
    assert fingerprint(game) == before


def test_a_malformed_input_is_told_with_its_name(program_of: ProgramOf, officer: Player) -> None:
    program = program_of(officer)
    response = program.act("games.pause", reason=3, because="x")
    assert response.status_code == 422
    found = json.loads(response.content)["detail"]
    assert {tuple(complaint["loc"]) for complaint in found} == {
        ("body", "reason"),
        ("body", "because"),
    }


def test_anything_goes_in_the_query_without_harm(bot: Program) -> None:
    for path in (
        "",
        "actions",
        "record",
        "balances",
        "rules",
        "dice",
        "horses",
        "reports/horsened",
    ):
        for value in ("\0", "💥", "-1", "9" * 400, "' OR 1=1", "[]"):
            response = bot.get(path, after=value, limit=value, format=value, slug=value)
            assert response.status_code in (200, 422), (path, value)
