"""What a program may do, and every answer that it may get."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from pydantic import TypeAdapter

from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from nomic.web.api import shapes
from nomic.web.api.tests.conftest import V1, Program, ProgramOf, fingerprint
from nomic.web.models import Token
from nomic.web.tokens import find_token, make_token, revoke
from tests.kit import WEDNESDAY, user_of


def test_an_action_answers_201_with_its_entry(program_of: ProgramOf, outsider: User) -> None:
    program = program_of(outsider)
    response = program.act("games.join", name="juan")
    assert response.status_code == 201
    entry = json.loads(response.content)
    TypeAdapter(shapes.Entry).validate_python(entry)
    assert (entry["kind"], entry["name"], entry["actor"]) == ("action", "games.join", "juan")
    assert entry["inputs"] == {"name": "juan"}
    assert entry.pop("receipt")["said"]["hash"] == entry["hash"]
    assert entry == program.json("record")["entries"][-1]


def test_an_action_may_be_sent_without_a_body(bot: Program) -> None:
    assert bot.send("games.leave", b"").status_code == 201


def test_the_same_key_gives_the_first_entry_again(bot: Program) -> None:
    first = bot.act("games.leave", "k1")
    again = bot.act("games.leave", "k1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert json.loads(first.content) == json.loads(again.content)


def test_a_key_that_served_another_action_is_refused(bot: Program, game: Game) -> None:
    bot.act("games.leave", "k1")
    before = fingerprint(game)
    response = bot.act("games.join", "k1", name="Murphy")
    assert response.status_code == 409
    assert json.loads(response.content)["code"] == "key_used"
    assert fingerprint(game) == before


def test_a_key_that_served_the_action_with_other_inputs_is_refused(
    program_of: ProgramOf, outsider: User, game: Game
) -> None:
    program = program_of(outsider)
    assert program.act("games.join", "k1", name="juan").status_code == 201
    before = fingerprint(game)
    response = program.act("games.join", "k1", name="Juan of Agora")
    assert (response.status_code, json.loads(response.content)["code"]) == (409, "key_used")
    assert program.act("games.join", "k1", name=5).status_code == 422
    assert program.act("games.join", "k1", name="juan").status_code == 200
    assert fingerprint(game) == before


def test_two_peoples_keys_and_two_games_keys_are_apart(
    bot: Program, rival_bot: Program, game: Game
) -> None:
    other = new_game("another", "agora-races", pace="manual", start=WEDNESDAY)[0]
    assert bot.act("games.leave", "k1").status_code == 201
    assert rival_bot.act("games.leave", "k1").status_code == 201
    elsewhere = Program(other, bot.token)
    assert elsewhere.act("games.join", "k1", name="Murphy").status_code == 201


@pytest.mark.parametrize("key", ["k" * 81, "a\tb", "a\0b", "\x80", "cl\xe9", "cl\xc3\xa9", "", " "])
def test_a_key_that_cannot_be_read_is_malformed(bot: Program, game: Game, key: str) -> None:
    before = fingerprint(game)
    response = bot.act("games.leave", key)
    assert response.status_code == 422
    complaint = json.loads(response.content)["detail"][0]
    assert complaint["loc"] == ["header", "Idempotency-Key"]
    assert "1 to 80 printable ASCII characters" in complaint["msg"]
    assert fingerprint(game) == before


def test_what_the_rules_do_not_allow_is_refused_with_a_reason(
    program_of: ProgramOf, outsider: User, game: Game
) -> None:
    before = fingerprint(game)
    response = program_of(outsider).act("games.leave")
    assert response.status_code == 409
    refusal = json.loads(response.content)
    assert set(refusal) >= {"code", "sentence", "rule"}
    assert refusal["code"] == "not_a_player"
    assert fingerprint(game) == before


def test_an_office_act_of_somebody_else_is_refused(bot: Program) -> None:
    response = bot.act("games.pause", reason="lunch")
    assert response.status_code == 409
    assert json.loads(response.content)["code"] == "not_the_officer"


def test_nobody_acts_without_a_token(anybody: Program, player: Player, game: Game) -> None:
    anybody.client.force_login(user_of("Murphy"))
    before = fingerprint(game)
    response = anybody.act("games.leave")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert "token" in json.loads(response.content)["detail"]
    assert fingerprint(game) == before


@pytest.mark.parametrize(
    "shown", ["Bearer x", "Bearer", "Basic eDp5", "x", "", "Bearer " + "é" * 900]
)
def test_what_is_no_token_opens_nothing(anybody: Program, shown: str) -> None:
    for method, path in (("get", ""), ("get", "/record"), ("post", "/actions/games.leave")):
        address = f"{V1}/table{path}"
        call = getattr(anybody.client, method)
        assert call(address, headers={"Authorization": shown}).status_code == 401


def test_a_closed_accounts_token_is_forbidden(bot: Program, player: Player) -> None:
    User.objects.filter(username="Murphy").update(is_active=False)
    assert bot.act("games.leave").status_code == 403
    assert bot.get("record").status_code == 403


def test_an_unknown_action_is_told_with_what_is_near(bot: Program) -> None:
    response = bot.act("games.leaf")
    assert response.status_code == 404
    assert "games.leave" in json.loads(response.content)["detail"]
    for name in ("%00", "💥", "a" * 999):
        assert bot.act(name).status_code == 404


def test_an_unknown_game_takes_no_action(bot: Program) -> None:
    for slug in ("nowhere", "%00", "%ff"):
        response = bot.client.post(
            f"{V1}/{slug}/actions/games.leave", headers={"Authorization": f"Bearer {bot.token}"}
        )
        assert response.status_code == 404
        bot.game = Game(slug=slug)
        assert bot.act("games.leave").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_busy_game_asks_to_try_again(bot: Program, game: Game) -> None:
    somebody_else = connection.copy()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = 100")
    try:
        with somebody_else.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [game.pk])
        response = bot.act("games.leave")
    finally:
        somebody_else.close()
        connection.close()
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) >= 1
    assert "try again" in json.loads(response.content)["detail"]
    assert bot.act("games.leave").status_code == 201


def test_other_methods_are_not_allowed(bot: Program) -> None:
    headers = {"Authorization": f"Bearer {bot.token}"}
    assert bot.client.post(f"{V1}/table/record", headers=headers).status_code == 405
    assert bot.client.delete(f"{V1}/table/actions/games.leave", headers=headers).status_code == 405


def test_the_list_of_actions_says_what_is_legal_for_the_caller(
    bot: Program, anybody: Program, program_of: ProgramOf, officer: Player
) -> None:
    mine = {each["name"]: each for each in bot.json("actions")}
    TypeAdapter(list[shapes.Action]).validate_python(list(mine.values()))
    assert mine["games.leave"]["allowed"]
    assert mine["games.leave"]["refusal"] is None
    assert mine["games.join"]["refusal"]["code"] == "seated"
    assert "games.pause" not in mine
    office = {each["name"]: each for each in program_of(officer).json("actions")}
    assert office["games.pause"]["allowed"]
    assert office["games.pause"]["schema"]["required"] == ["reason"]
    strangers = {each["name"]: each for each in anybody.json("actions")}
    assert strangers["games.join"]["allowed"]
    assert strangers["games.join"]["schema"] == {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 40}},
        "required": ["name"],
        "additionalProperties": False,
    }
    assert strangers["games.leave"]["refusal"]["code"] == "not_a_player"


def test_who_runs_the_site_is_offered_what_they_may_do(program_of: ProgramOf) -> None:
    runs = User.objects.create_superuser("root")
    mine = {each["name"]: each for each in program_of(runs).json("actions")}
    assert mine["games.pause"]["allowed"]


def test_what_was_due_happens_before_the_action(bot: Program, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(anchor_game=WEDNESDAY + timedelta(days=7))
    entry = json.loads(bot.act("games.leave").content)
    assert "dice.week" in [each["name"] for each in bot.json("record")["entries"]]
    assert entry["at"] == "2026-03-11T12:00:00.000000Z"


def test_a_repeated_key_is_answered_after_the_world_has_moved_on(bot: Program, game: Game) -> None:
    first = bot.act("games.leave", "k1")
    advance(game.slug, WEDNESDAY + timedelta(days=21))
    again = bot.act("games.leave", "k1")
    assert again.status_code == 200
    assert json.loads(again.content) == json.loads(first.content)


def test_a_revoked_token_is_unknown(bot: Program, player: Player) -> None:
    token = find_token(bot.token)
    assert token is not None
    revoke(token)
    assert bot.act("games.leave").status_code == 401
    assert player.user is not None
    bot.token = make_token(player.user, "another")[1]
    assert bot.act("games.leave").status_code == 201


def test_a_name_that_stands_in_the_body_twice_is_refused(bot: Program, game: Game) -> None:
    before = fingerprint(game)
    for body in (b'{"name": "a", "name": "b"}', b'{"name": {"x": 1, "x": 2}}'):
        response = bot.send("games.join", body)
        assert response.status_code == 422
        assert "twice" in response.content.decode()
    assert fingerprint(game) == before


def test_of_a_standby_all_is_read_and_what_writes_is_told_to_come_back(
    transactional_db: None, bot: Program, game: Game
) -> None:
    bot.json("record")
    bot.client.raise_request_exception = False
    Token.objects.update(last_used_at=None)
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            assert bot.json("record")["entries"]
            response = bot.act("games.leave")
        finally:
            cursor.execute("SET default_transaction_read_only = off")
    assert response.status_code == 503
    assert response.headers["Retry-After"]
    assert "can be read" in response.content.decode()
    assert bot.act("games.leave").status_code == 201
