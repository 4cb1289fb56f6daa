"""Whatever a program sends, to whichever action: a sentence, and nothing has changed."""

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.test import Client

from nomic.engine.actions import Action, NewcomerAction, all_actions, find_action
from nomic.engine.forms import ActionForm
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.api.messages import DEEPEST
from nomic.web.api.tests.conftest import V1, Program, ProgramOf, fingerprint
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
    return [(each, newcomer if isinstance(each, NewcomerAction) else insider) for each in actions]


def is_told(response: Any) -> bool:
    """Whether the answer says with a sentence why nothing happened."""
    found = json.loads(response.content)
    if response.status_code == 409:
        return set(found) >= {"code", "sentence", "rule"} and bool(found["sentence"])
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
        is_left_out = value == "" and not field.required
        return is_left_out or ("boolean" in kinds and field.fits(value))
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


KNOWN = {
    "": ("after",),
    "record": ("after", "limit"),
    "balances": ("after",),
    "rules": ("after",),
    "dice": ("after", "limit"),
    "horses": ("after",),
    "reports/horsened": ("after", "format"),
}


@pytest.mark.parametrize("path", KNOWN)
def test_anything_goes_in_the_query_without_harm(path: str, bot: Program) -> None:
    for value in ("\0", "💥", "-1", "9" * 400, "' OR 1=1", "[]"):
        response = bot.get(path, **dict.fromkeys(KNOWN[path], value))
        assert response.status_code == 422, value
        told = {complaint["loc"][1] for complaint in json.loads(response.content)["detail"]}
        assert told <= {*KNOWN[path]}, value


def addresses() -> list[tuple[str, str, set[str]]]:
    """Each method and address of the document, with the parameters of the query that it knows."""
    paths = json.loads(Client().get("/api/openapi.json").content)["paths"]
    return [
        (method, path, {it["name"] for it in operation["parameters"] if it["in"] == "query"})
        for path, methods in paths.items()
        for method, operation in methods.items()
    ]


def test_every_address_refuses_a_parameter_that_it_does_not_know(bot: Program, game: Game) -> None:
    before = fingerprint(game)
    named = {"slug": game.slug, "name": "horsened", "number": 1, "item": 1, "action": "games.pause"}
    for method, path, known in addresses():
        address = path.format_map(named)
        for query in ("dryrun=1", "limits=3&after=0", "\0=1", "Dry_Run=1", "after[]=1", "=1"):
            name = parse_qsl(query)[0][0]
            assert name not in known
            sent = getattr(bot.client, method)(f"{address}?{query}", headers=bot._headers())
            assert sent.status_code == 422, (method, address, query)
            complaints = {tuple(it["loc"]): it["msg"] for it in json.loads(sent.content)["detail"]}
            assert f"“{name}”" in complaints["query", name]
            assert all(parameter in complaints["query", name] for parameter in known)
    assert fingerprint(game) == before


def test_a_parameter_that_is_sent_twice_is_told(anybody: Program) -> None:
    response = anybody.client.get(f"{V1}/table/record?limit=1&after=1&limit=2")
    assert response.status_code == 422
    (complaint,) = json.loads(response.content)["detail"]
    assert complaint["loc"] == ["query", "limit"]
    assert complaint["msg"] == "“limit” is sent 2 times."


def test_a_query_of_very_many_parameters_is_told_in_few_sentences(anybody: Program) -> None:
    for count, told in ((500, 20), (5000, 1)):
        query = "&".join(f"p{number}=1" for number in range(count))
        response = anybody.client.get(f"{V1}/table/record?{query}")
        assert response.status_code == 422
        assert len(json.loads(response.content)["detail"]) == told


def test_a_field_of_a_body_that_no_address_knows_is_told(bot: Program, game: Game) -> None:
    before = fingerprint(game)
    for path in ("witness", "actions/games.leave"):
        response = bot.client.post(
            f"{V1}/table/{path}",
            '{"dry_run": true}',
            content_type="application/json",
            headers=bot._headers(),
        )
        assert response.status_code == 422, path
        (complaint,) = json.loads(response.content)["detail"]
        assert complaint["loc"] == ["body", "dry_run"]
    assert fingerprint(game) == before
