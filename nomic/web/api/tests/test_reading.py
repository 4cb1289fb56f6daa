"""What anybody may read of a game."""

import json
from datetime import timedelta
from typing import Any

import pytest
from pydantic import TypeAdapter

from nomic.games.clock import iso
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetVisibility
from nomic.operations.setup import advance, new_game
from nomic.web.api import shapes
from nomic.web.api.tests.conftest import V1, Program
from tests.kit import WEDNESDAY, Take, at_the_table, user_of


def fits(shape: Any, found: Any, *, brief: bool = False) -> None:
    """The answer has the fields of the documented shape, these and no others; a `brief` one leaves
    out those that are as the shape gives them."""
    read = TypeAdapter(shape).validate_python(found)
    assert TypeAdapter(shape).dump_python(read, by_alias=True, exclude_unset=brief) == found


def test_the_list_has_every_game_but_a_replays_own(anybody: Program, game: Game) -> None:
    second = new_game("another", "agora-races", pace="manual", start=WEDNESDAY)[0]
    scratch = new_game("scratched", "agora-races", pace="manual", start=WEDNESDAY)[0]
    scratch.scratch = True
    scratch.save()
    found = anybody.json(V1)
    assert [each["slug"] for each in found] == [second.slug, game.slug]
    fits(list[shapes.GameLine], found)
    assert anybody.json(V1, after="another", limit=1)[0]["slug"] == game.slug
    assert anybody.json(V1, after="\0") == found
    assert anybody.get(f"{V1}/scratched").status_code == 404


def test_a_game_tells_its_clock_its_players_and_its_offices(
    anybody: Program, game: Game, player: Player, officer: Player
) -> None:
    found = anybody.json()
    fits(shapes.Game, found)
    assert found["now"] == iso(WEDNESDAY) == "2026-03-04T12:00:00.000000Z"
    assert (found["slug"], found["pace"], found["state"]) == ("table", "manual", "running")
    murphy = {"active": True, "away": False, "away_until": None, "vested": None, "bot": False}
    assert {"name": "Murphy", **murphy} in found["players"]
    assert found["offices"] == [
        {"office": "Arbitor", "holder": None},
        {"office": "Horsened", "holder": "snail"},
    ]
    assert found["next_appointment"]["due"] >= found["now"]


def test_what_is_next_is_none_where_nothing_waits(anybody: Program, game: Game) -> None:
    game.appointments.update(status="cancelled")
    assert anybody.json()["next_appointment"] is None


def test_an_unknown_game_is_told_in_a_sentence(anybody: Program) -> None:
    for slug in ("nowhere", "no where", "a" * 500, "%00", "%ff", "..%2f", "💥"):
        response = anybody.get(f"{V1}/{slug}")
        assert response.status_code == 404, slug
        assert "/api/" in json.loads(response.content)["detail"]


@pytest.mark.parametrize("path", ["/api/", "/api/v1", "/api/v2/games", "/api/%00"])
def test_an_address_that_leads_nowhere_says_where_to_look(anybody: Program, path: str) -> None:
    response = anybody.get(path)
    assert response.status_code == 404
    assert "/api/docs" in json.loads(response.content)["detail"]


def test_the_record_is_given_in_order_and_in_parts(
    anybody: Program, game: Game, player: Player, rival: Player
) -> None:
    whole = anybody.json("record")
    fits(shapes.Record, whole)
    assert [entry["seq"] for entry in whole["entries"]] == [1, 2, 3]
    assert whole["last"] == 3
    assert whole["entries"][0]["name"] == "games.begin"
    assert whole["entries"][0]["actor"] is None
    assert whole["entries"][1]["actor"] == "Murphy"
    assert whole["entries"][1]["inputs"] == {"name": "Murphy"}
    assert "key" not in whole["entries"][1]
    assert anybody.json("record", after=1, limit=1) == {
        "entries": [whole["entries"][1]],
        "last": 3,
    }
    assert anybody.json("record", after=3)["entries"] == []
    assert anybody.json("record", limit=10**9) == whole


@pytest.mark.parametrize(
    ("name", "value"),
    [("after", "-1"), ("after", "x"), ("after", "9" * 30), ("limit", "0"), ("limit", "1.5")],
)
def test_a_part_that_cannot_be_is_malformed(anybody: Program, name: str, value: str) -> None:
    for path in ("record", "dice"):
        response = anybody.get(path, **{name: value})
        assert response.status_code == 422
        assert json.loads(response.content)["detail"][0]["loc"] == ["query", name]


def test_balances_are_by_holder_and_asset_and_public(
    anybody: Program, game: Game, player: Player
) -> None:
    with at_the_table(game) as table:
        table.ledger.define("secret", "secrets", visibility=AssetVisibility.PRIVATE)
        table.ledger.create(player, 5, "points")
        table.ledger.create(player, 7, "secret")
    found = anybody.json("balances")
    fits(shapes.Balances, found)
    assert found["Murphy"]["points"] == 5
    assert "secret" not in found["Murphy"]
    assert found["Lost and Found"] == {}
    assert found["Agora"]["Alexia"] == 1
    assert "Alexia" not in found["Murphy"]
    assert "Mint" not in found


def test_the_rules_in_force_are_given_with_their_texts(anybody: Program, game: Game) -> None:
    with at_the_table(game) as table:
        table.rules.enact("Old", "This goes.\n")
        parent = table.rules.enact("Above", "This stays, too.\n")
        table.rules.enact("New", "This stays.\n", number="7", parent=parent, power="3.1")
        table.rules.repeal("Old")
    with at_the_table(game) as table:
        table.rules.amend("New", "This stays as it is.\n")
    found = anybody.json("rules")
    fits(list[shapes.Rule], found, brief=True)
    assert "Old" not in [rule["title"] for rule in found]
    assert found[-1] == {
        "title": "New",
        "number": "7",
        "parent": "Above",
        "power": 3.1,
        "category": None,
        "class": "mutable",
        "visibility": "public",
        "version": 2,
        "text": "This stays as it is.\n",
        "passages": [  # what a vote has put into force and nothing carries out waits for its keeper
            {
                "text": "This stays as it is.",
                "by": "people",
                "fits": False,
                "key": "9c4a6449ab21",
            }
        ],
        "gone": [],
        "unread": "",
    }
    assert (found[0]["number"], found[0]["power"]) == (None, None)


def test_a_program_learns_what_is_not_carried_out_as_it_reads(
    anybody: Program, game: Game, act: Take
) -> None:
    text = game.rules.get(title="The Horses Run").text
    changed = text.replace("Next, movement resolves.", "Next, nothing moves.")
    cut = changed.partition(" With the third place")[0]
    act(None, "rulebook.amend", rule="The Horses Run", text=cut, reason="so they voted")
    rule = next(each for each in anybody.json("rules") if each["title"] == "The Horses Run")
    fits(shapes.Rule, rule, brief=True)
    (waits,) = [each for each in rule["passages"] if not each["fits"]]
    assert (waits["text"], waits["by"]) == ("Next, nothing moves.", "built in")
    assert (waits["parts"], rule["gone"]) == (["horses.run"], ["horses.run"])
    ended = {"rule": rule["title"], "passage": waits["key"], "reason": "it never did"}
    act(None, "rulebook.changes_nothing", **ended)
    rule = next(each for each in anybody.json("rules") if each["title"] == "The Horses Run")
    assert [each["by"] for each in rule["passages"] if not each["fits"]] == []


def test_the_dice_give_seeds_only_when_they_are_published(anybody: Program, game: Game) -> None:
    with at_the_table(game) as table:
        came_up = table.dice.choose("horse", ["Alexia", "Fargo"])
    advance(game.slug, WEDNESDAY + timedelta(days=7))
    found = anybody.json("dice")
    fits(shapes.Dice, found)
    first, second = found["periods"]
    assert found["game"] == game.identity
    assert found["last"] == second["opened_in"]
    assert first["seed"]
    assert (second["seed"], second["closed_in"]) == (None, None)
    roll = first["rolls"][0]
    assert (roll["label"], roll["options"][roll["value"]]) == ("horse", came_up)
    assert anybody.json("dice", after=first["opened_in"])["periods"] == [second]


def test_private_rolls_are_not_listed_before_their_seed(anybody: Program, game: Game) -> None:
    with at_the_table(game) as table:
        table.dice.open_period(private=True)
        table.dice.choose("card", [1, 2], private=True)
    private = next(each for each in anybody.json("dice")["periods"] if each["private"])
    assert (private["seed"], private["rolls"]) == (None, [])
    with at_the_table(game) as table:
        table.dice.close_period(private=True)
    private = next(each for each in anybody.json("dice")["periods"] if each["private"])
    assert len(private["rolls"]) == 1


def test_dice_of_a_purpose_are_told_with_it_and_roll_unseen_by_themselves(
    anybody: Program, game: Game
) -> None:
    with at_the_table(game) as table:
        for purpose in ("the feast", "the fair"):
            table.dice.open_period(private=True, purpose=purpose)
            table.dice.choose("guest", [1, 2], private=True, purpose=purpose)
    with at_the_table(game) as table:
        table.dice.close_period(private=True, purpose="the feast")
    found = anybody.json("dice")["periods"]
    shown = {each["purpose"]: (each["private"], len(each["rolls"])) for each in found}
    assert shown == {"": (False, 0), "the feast": (True, 1), "the fair": (True, 0)}
    opened_together = anybody.json("dice", after=found[0]["opened_in"], limit=1)["periods"]
    assert [each["purpose"] for each in opened_together] == ["the fair", "the feast"]


def test_a_game_tells_who_won_it(anybody: Program, game: Game, player: Player) -> None:
    assert anybody.json("")["wins"] == []
    with at_the_table(game) as table:
        table.win(player, "The Gift", "by 10 Victory Points")
        entry, at = table.seq, iso(table.now)
    found = anybody.json("")
    fits(shapes.Game, found)
    assert found["wins"] == [
        {
            "player": "Murphy",
            "how": "by 10 Victory Points",
            "rule": "The Gift",
            "entry": entry,
            "at": at,
        }
    ]


def test_a_report_is_given_in_four_forms(anybody: Program, game: Game, player: Player) -> None:
    name = "horsened"
    early = anybody.get(f"reports/{name}")
    assert early.status_code == 404
    assert "due at 2026-03-09" in json.loads(early.content)["detail"]
    assert anybody.json("reports")[0]["entry"] is None
    advance(game.slug, WEDNESDAY + timedelta(days=14))
    told = anybody.json(f"reports/{name}")
    fits(shapes.Report, told)
    assert told["facts"]
    listed = anybody.json("reports")
    fits(list[shapes.ReportLine], listed)
    assert listed == [{key: told[key] for key in ("report", "title", "office", "entry")}]
    kinds = {"text": "text/plain", "html": "text/html", "csv": "text/csv"}
    for form, kind in kinds.items():
        response = anybody.get(f"reports/{name}", format=form)
        assert response.headers["Content-Type"] == f"{kind}; charset=utf-8"
        assert b"Alexia" in response.content
    assert anybody.get(f"reports/{name}", format="pdf").status_code == 422
    unknown = anybody.get("reports/nothing")
    assert unknown.status_code == 404
    assert name in json.loads(unknown.content)["detail"]


@pytest.mark.usefixtures("officer")
def test_a_report_that_its_officer_holds_is_not_given_before(anybody: Program, game: Game) -> None:
    game.refresh_from_db()
    game.settings["reports.hold"] = True
    game.save()
    advance(game.slug, WEDNESDAY + timedelta(days=7))
    assert anybody.get("reports/horsened").status_code == 404


def test_the_races_are_given_as_the_rules_name_them(
    anybody: Program, game: Game, player: Player, act: Take
) -> None:
    found = anybody.json("horses")
    assert found["race"] == 1
    assert set(found["horses"]["Alexia"]) == {
        "owner",
        "cost",
        "position",
        "place",
        "pulls",
        "multiplier",
    }


def test_a_subgame_that_is_not_played_is_told_in_a_sentence(anybody: Program, game: Game) -> None:
    game.races.update(ended_in=1)
    response = anybody.get("horses")
    assert response.status_code == 404
    assert "not played" in json.loads(response.content)["detail"]


def test_answers_are_kept_out_of_shared_caches(anybody: Program) -> None:
    response = anybody.get("balances")
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in response.headers["Vary"]


def test_a_browser_that_is_signed_in_reads_as_its_user(anybody: Program, player: Player) -> None:
    anybody.client.force_login(user_of("Murphy"))
    join = next(each for each in anybody.json("actions") if each["name"] == "games.join")
    assert join["refusal"]["code"] == "seated"
