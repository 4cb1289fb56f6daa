"""`?dry_run=1` tells what an act would do, and changes no row of any table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from nomic.engine.actions import all_actions
from nomic.engine.dry_acts import DICE, OVERDUE
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS
from nomic.operations.setup import new_game
from nomic.record.models import Entry, SealedEntry
from nomic.web import tokens
from nomic.web.api import shapes
from nomic.web.api.tests.conftest import V1, Program, ProgramOf
from nomic.web.api.tests.test_bad_input import BODIES, WRONG, well_formed
from nomic.web.tests.shares import share_of
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, at_the_table, put_in_office, seat
from tests.kit.database import all_rows

OTHERS = [name for name in PRESETS if name not in ("demo", "tiny", "lottery")]
# More than anybody means; what no action takes is refused before the game is asked.
HUGE: list[Any] = [
    *("x" * 200_000, "\U0001f40e" * 50_000, "{{" * 20_000, "# a\n" * 20_000, 10**4000, -(10**300)),
    *([1] * 20_000, ["x" * 50] * 5_000, {f"k{n}": n for n in range(5_000)}, {"wheat": 10**400}),
]
GAIN = "horses.gain_dollaries"


def told(response: Any) -> Any:
    return json.loads(response.content)


@contextmanager
def nothing_changes(*programs: Program) -> Iterator[None]:
    """No row of any table is another one after the block; that these programs' tokens were used is
    noted before it."""
    for program in programs:
        program.get("/api/v1/games")
    before = all_rows()
    yield
    after = all_rows()
    assert {name for name in before if before[name] != after[name]} == set()


@pytest.fixture
def rich(game: Game, player: Player) -> None:
    """The player has five dollaries more."""
    with at_the_table(game) as table:
        table.ledger.create(player, 5, "dollary")


def test_it_tells_what_the_act_then_does(bot: Program, game: Game, rich: None) -> None:
    with nothing_changes(bot):
        response = bot.try_out("horses.bet", horse="Alexia", dollaries=3)
    assert response.status_code == 200
    foreseen = told(response)
    done = bot.act("horses.bet", horse="Alexia", dollaries=3)
    assert done.status_code == 201
    entry = told(done)
    for fact in ("text", "outcome", "effects"):
        assert foreseen[fact] == entry[fact]
    assert foreseen["unknown"] == []
    assert foreseen["price"]
    shifts = {shift["asset"]: shift for shift in foreseen["balances"]}
    assert shifts["dollary"]["before"] - shifts["dollary"]["after"] == 3
    assert {shift["holder"] for shift in foreseen["balances"]} == {"Murphy"}
    assert "later" not in foreseen


def test_it_is_refused_as_the_act_is(
    bot: Program, anybody: Program, program_of: ProgramOf, outsider: User
) -> None:
    assert bot.act(GAIN).status_code == 201  # a week has one such act
    attempts: list[tuple[Program, str, dict[str, Any]]] = [
        (bot, "horses.bet", {"horse": "Alexia", "dollaries": 3}),
        (bot, "horses.bet", {"horse": "Alexia", "dollaries": 4}),
        (bot, "horses.bet", {"horse": 7, "colour": "red"}),
        (bot, "games.pause", {"reason": "?"}),
        (bot, "horses.fly", {}),
        (program_of(outsider), GAIN, {}),
        (anybody, GAIN, {}),
    ]
    for program, action, inputs in attempts:
        with nothing_changes(program):
            tried = program.try_out(action, **inputs)
            done = program.act(action, **inputs)
        assert tried.status_code == done.status_code, (action, inputs)
        assert tried.status_code in (401, 404, 409, 422)
        assert told(tried) == told(done), (action, inputs)


def test_who_has_signed_in_and_shows_no_token_only_reads(game: Game, player: Player) -> None:
    assert player.user is not None
    browser = Client()
    browser.force_login(player.user)
    with nothing_changes():
        response = browser.post(f"{V1}/table/actions/{GAIN}?dry_run=1")
    assert response.status_code == 401


def test_a_key_is_not_used_up_and_not_asked_for(bot: Program) -> None:
    with nothing_changes(bot):
        assert bot.send(f"{GAIN}?dry_run=1", "{}", "monday").status_code == 200
    assert bot.act(GAIN, "monday").status_code == 201
    with nothing_changes(bot):
        again = bot.send(f"{GAIN}?dry_run=1", "{}", "monday")
        wrong = bot.send(f"{GAIN}?dry_run=1", "{}", "")
    assert again.status_code == 409
    assert told(again)["code"] != "key_used"
    assert wrong.status_code == 422


@pytest.mark.parametrize("word", ["0", "false"])
def test_without_it_the_act_is_done(word: str, bot: Program) -> None:
    assert bot.send(f"{GAIN}?dry_run={word}", "{}").status_code == 201


@pytest.mark.parametrize(
    "query", ["dry_run=perhaps", "dry_run=", "dry_run=1&dry_run=0", "dryrun=1"]
)
def test_what_it_means_must_be_clear(query: str, bot: Program) -> None:
    with nothing_changes(bot):
        assert bot.send(f"{GAIN}?{query}", "{}").status_code == 422


def test_what_the_dice_decide_is_unknown(bot: Program, game: Game) -> None:
    with nothing_changes(bot):
        for _ in range(3):
            foreseen = told(bot.try_out("horses.motivate"))
            assert foreseen["unknown"] == [DICE]
            assert not {"outcome", "effects", "balances", "rules", "more"} & foreseen.keys()


def test_what_is_announced_first_tells_also_what_it_then_does(
    game: Game, player: Player, bot: Program
) -> None:
    correction = {"amount": 2, "asset": "hoof", "giver": "Mint", "receiver": "Murphy"}
    with nothing_changes(bot):
        foreseen = told(bot.try_out("ledger.correct", **correction, reason="a slip"))
    assert foreseen["text"].startswith("Murphy announces Motion 1")
    assert foreseen["balances"] == []
    assert foreseen["later"]["balances"] == [
        {"holder": "Murphy", "asset": "hoof", "before": 0, "after": 2}
    ]
    assert foreseen["later"]["unknown"] == []


def test_what_is_due_first_stays_due(bot: Program, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(next_due=WEDNESDAY)
    with nothing_changes(bot):
        response = bot.try_out(GAIN)
    assert response.status_code == 503
    assert told(response)["detail"] == OVERDUE
    assert response.headers["Retry-After"]


def test_an_account_tries_so_often_a_minute_whatever_its_tokens(
    player: Player, program_of: ProgramOf, settings: LazySettings, rival_bot: Program
) -> None:
    settings.BOUNDS = {**settings.BOUNDS, "dry_runs": 2}
    one, other = program_of(player), program_of(player)
    assert one.try_out(GAIN).status_code == 200
    assert other.try_out("horses.bet").status_code == 422
    with nothing_changes(one):
        assert one.try_out(GAIN).status_code == 429
    assert rival_bot.try_out(GAIN).status_code == 200
    assert one.act(GAIN).status_code == 201


def test_the_document_and_the_page_tell_of_it(db: None) -> None:
    document = json.loads(Client().get("/api/openapi.json").content)
    act = document["paths"]["/api/v1/games/{slug}/actions/{action}"]["post"]
    (parameter,) = (it for it in act["parameters"] if it["name"] == "dry_run")
    assert (parameter["in"], parameter["required"]) == ("query", False)
    shapes = act["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"]
    assert {"$ref": "#/components/schemas/DryRun"} in shapes
    assert "later" in document["components"]["schemas"]["DryRun"]["properties"]
    assert "?dry_run=1" in Client().get("/api/docs").content.decode()


# Every action there is, with whatever is sent


def inputs_of(action: Any, table: Any, who: Player | None, share: int) -> Iterator[str | bytes]:
    """Bodies that have the action's shape, and such that have not."""
    form = action.Form(table, who)
    inputs = well_formed(form)
    yield json.dumps(inputs)
    wrong = [*WRONG, *HUGE]
    for place, name in enumerate(form.fields, len(action.name)):
        for answer in wrong[place % share :: share]:
            yield json.dumps({**inputs, name: answer})
    yield from BODIES[len(inputs) % share :: share]


@dataclass
class Callers:
    """A game of a preset, and programs of a player, of who holds its offices, and of its host."""

    game: Game
    programs: list[tuple[Player | None, Program]]

    @classmethod
    def of(cls, preset: str) -> Callers:
        game = new_game("table", preset, pace="manual", start=WEDNESDAY)[0]
        player, officer = seat(game, "Murphy"), seat(game, "snail")
        for office in game.offices.all():
            if office.name != "Onlooker":
                put_in_office(game, office.name, officer)
        host = User.objects.create_user("hilda")
        Game.objects.filter(pk=game.pk).update(host=host)
        game.refresh_from_db()
        users = ((player, player.user), (officer, officer.user), (None, host))
        made = [(who, make_token(user, "a program")[1]) for who, user in users if user is not None]
        return cls(game, [(who, Program(game, token)) for who, token in made])


@pytest.fixture
def as_often_as_one_likes(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """No bound but those of the game; that a token was used is noted once."""
    monkeypatch.setattr(tokens, "_USE_IS_NOTED_EVERY", timedelta(days=1))
    settings.API_REQUESTS_A_MINUTE = 0
    settings.BOUNDS = {**settings.BOUNDS, "dry_runs": 10**9}


@pytest.mark.thorough
@pytest.mark.usefixtures("as_often_as_one_likes")
@pytest.mark.parametrize("share", share_of(120))
@pytest.mark.parametrize(
    "preset", ["demo", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)
def test_no_dry_run_of_any_action_changes_a_row(preset: str, share: int, db: None) -> None:
    callers, answers = Callers.of(preset), set()
    with nothing_changes(*(program for _, program in callers.programs)):
        table = glance(callers.game)
        for action in all_actions():
            for who, program in callers.programs:
                for place, body in enumerate(inputs_of(action, table, who, share)):
                    key = f"key {place}" if place % 2 else None
                    response = program.send(f"{action.name}?dry_run=1", body, key)
                    status = response.status_code
                    assert status in (200, 409, 422), (action.name, body[:80], response.content)
                    answers.add(status)
    assert answers == {200, 409, 422}
    keys = [*Entry.objects.values_list("key"), *SealedEntry.objects.values_list("key")]
    assert not [key for (key,) in keys if key and key.startswith("key ")]


def shaped(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of that JSON Schema, as action's forms have it."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    listed = [*schema.get("enum", ()), *schema.get("examples", ())]
    each = [_of_kind(kind, schema) for kind in kinds]
    return st.one_of(*([st.sampled_from(listed)] if listed else ()), *each)


def _of_kind(kind: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if kind == "integer":
        return st.integers(schema.get("minimum"), schema.get("maximum"))
    if kind == "number":
        return st.floats(schema.get("minimum"), schema.get("maximum"), allow_nan=False)
    if kind == "boolean":
        return st.booleans()
    if kind == "array":
        return st.lists(shaped(schema["items"]), max_size=4)
    if kind == "object":
        inner = {name: shaped(field) for name, field in schema.get("properties", {}).items()}
        required = {name: inner.pop(name) for name in schema.get("required", ())}
        return st.fixed_dictionaries(required, optional=inner)
    if kind == "null":
        return st.none()
    assert kind == "string", schema
    return st.text(max_size=min(schema.get("maxLength", 40), 40))


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@pytest.fixture
def demonstration(db: None) -> Callers:
    return Callers.of("demo")


@pytest.mark.thorough
@pytest.mark.usefixtures("as_often_as_one_likes")
@hypothesis_settings(
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,  # no example leaves anything
        *hypothesis_settings().suppress_health_check,
    ],
)
@given(data=st.data())
def test_whatever_fits_an_action_s_schema_is_answered_in_the_document_s_shape(
    data: st.DataObject, demonstration: Callers
) -> None:
    action = data.draw(st.sampled_from(all_actions()), "action")
    who, program = data.draw(st.sampled_from(demonstration.programs), "caller")
    schema = action.Form(glance(demonstration.game), who).schema()
    inputs = data.draw(shaped(schema), "inputs")
    if schema["properties"] and data.draw(st.booleans(), "spoilt"):
        inputs[data.draw(st.sampled_from([*schema["properties"]]))] = data.draw(_ANYTHING)
    with nothing_changes(program):
        response = program.try_out(action.name, **inputs)
    answer = told(response)
    if response.status_code == 200:
        shapes.DryRun.model_validate(answer)
    elif response.status_code == 409:
        assert answer.keys() >= {"code", "sentence", "rule"}
        assert answer["sentence"]
    else:
        assert response.status_code == 422
        assert all(complaint["msg"] and complaint["loc"] for complaint in answer["detail"])
