"""What an account is told of itself, the talk, who sits at the table, and finding words."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.http import HttpResponse

from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import SEEN_BY, Game, Player
from nomic.notices.models import Choices, Notice
from nomic.operations.setup import new_game
from nomic.web.api.tests.conftest import V1, Program
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, seat, user_of


def read(response: HttpResponse, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return json.loads(response.content)


@pytest.fixture
def told(game: Game, player: Player) -> list[Notice]:
    return [
        Notice.objects.create(
            game=game, user=player.user, kind="vote", text=f"News {number}", url="/g/table/",
            at=wall_now(), about=f"record/{number}",
        )
        for number in (1, 2, 3)
    ]  # fmt: skip


def test_an_account_is_told_of_its_games_and_what_waits_there(
    bot: Program, anybody: Program, player: Player
) -> None:
    me = bot.json("/api/v1/me")
    assert player.user is not None
    assert (me["name"], me["guest"], me["unseen"]) == (player.user.username, False, 0)
    (own,) = me["games"]
    assert (own["slug"], own["player"], own["active"]) == ("table", player.name, True)
    for wait in own["waits"]:
        assert wait["what"]
        assert {act["action"] for act in wait["acts"]} <= {
            action["name"] for action in bot.json("actions")
        }
    assert anybody.get("/api/v1/me").status_code == 401


def test_links_that_a_program_hands_on_lead_people_back_to_a_page(
    bot: Program, player: Player
) -> None:
    take(player.game.slug, player, "games.take_office", {"office": "Horsened"})
    (own,) = bot.json("/api/v1/me")["games"]
    back = [parse_qs(urlsplit(wait["url"]).query).get("back") for wait in own["waits"]]
    assert ["/g/table/"] in back
    assert not any(page and page[0].startswith("/api/") for page in back)


def test_notices_come_in_order_and_are_marked_as_seen(
    bot: Program, rival_bot: Program, told: list[Notice]
) -> None:
    answer = bot.json("/api/v1/notices")
    assert [each["text"] for each in answer["notices"]] == ["News 1", "News 2", "News 3"]
    assert answer["last"] == str(told[2].number)
    assert answer["notices"][0]["entry"] == 1
    first = answer["notices"][0]["id"]
    page = bot.get("/api/v1/notices", after=first, limit=1)
    assert [each["text"] for each in read(page)["notices"]] == ["News 2"]
    assert 'rel="next"' in page.headers["Link"]
    assert read(bot.sent("POST", "/api/v1/notices/seen", upto=first)) == {"unseen": 2}
    assert len(bot.json("/api/v1/notices", new=True)["notices"]) == 2
    assert read(bot.sent("POST", "/api/v1/notices/seen")) == {"unseen": 0}
    assert rival_bot.json("/api/v1/notices") == {"notices": [], "last": None}
    assert rival_bot.get("/api/v1/notices", after=first).status_code == 404
    assert bot.sent("POST", "/api/v1/notices/seen", upto=str(uuid4())).status_code == 404


def test_which_notices_come_on_which_way_is_chosen(bot: Program, player: Player) -> None:
    settings = "/api/v1/notices/settings"
    before = bot.json(settings)
    assert "result" in before["kinds"]["site"]
    changed = read(bot.sent("PUT", settings, digest=True, kinds={"mail": ["vote"]}))
    assert (changed["digest"], changed["kinds"]["mail"]) == (True, ["vote"])
    assert changed["kinds"]["site"] == before["kinds"]["site"]
    wrong = bot.sent("PUT", settings, webhook="ftp://example.org/")
    assert (wrong.status_code, read(wrong, 422)["detail"][0]["loc"]) == (422, ["body", "webhook"])
    renewed = read(bot.sent("POST", "/api/v1/notices/renew", what="calendar"))
    assert renewed["calendar"] != before["calendar"]
    assert Choices.objects.get(user=player.user).digest


def test_the_talk_is_said_worded_anew_answered_and_taken_back(
    bot: Program, rival_bot: Program, anybody: Program, game: Game
) -> None:
    said = read(bot.sent("POST", "talk", text="Who bets on Fargo?", about="entry 1"), 201)
    assert (said["number"], said["about"], said["answers"]) == (1, "entry 1", [])
    address = "talk/1"
    assert rival_bot.sent("PUT", address, text="I do").status_code == 404
    assert read(bot.sent("PUT", address, text="Who bets on it?"))["edited_at"]
    answered = read(rival_bot.sent("POST", f"{address}/answers", sign="heart"))
    assert answered["answers"] == [{"sign": "heart", "names": ["Madrid"]}]
    assert [each["text"] for each in anybody.json("talk")["remarks"]] == ["Who bets on it?"]
    assert anybody.json("talk", about="entry 2")["remarks"] == []
    assert rival_bot.json("talk")["read"] == 0
    assert read(rival_bot.sent("POST", "talk/read", upto=99))["read"] == 1
    assert read(bot.sent("DELETE", address))["text"] == ""
    assert anybody.sent("POST", "talk", text="Hello").status_code == 401
    nothing = bot.sent("POST", "talk", text="x", about="race 99")
    assert read(nothing, 422)["detail"][0]["loc"] == ["body", "about"]
    assert read(rival_bot.sent("POST", "complaints", player="nobody", words="x"), 404)
    assert read(rival_bot.sent("POST", "complaints", player="Murphy", words=" "), 422)
    assert read(rival_bot.sent("POST", "complaints", player="Murphy", words="Rude."), 201)
    assert game.complaints.get().words == "Rude."


@pytest.mark.thorough
def test_who_is_here_is_told_and_may_be_unseen(bot: Program, rival_bot: Program) -> None:
    assert bot.json("here")["players"] == ["Murphy"]
    assert read(bot.sent("PUT", "here", unseen=True))["unseen"]
    assert rival_bot.json("here")["players"] == ["Madrid"]


def test_players_and_what_comes_are_told(
    bot: Program, rival_bot: Program, anybody: Program
) -> None:
    names = [each["name"] for each in anybody.json("players")]
    assert names == sorted(names)
    assert "Murphy" in names
    page = anybody.get("players", limit=1)
    assert f"after={names[0]}" in page.headers["Link"]
    whole = anybody.json("players/Murphy")
    assert whole["held"]["dollary"] > 0
    assert whole["face"] == bot.json("seat")["face"]
    assert anybody.get("players/nobody").status_code == 404
    face = bot.json("seat")["offered"][3]
    assert read(bot.sent("PUT", "seat", face=face))["face"] == face
    assert anybody.get("seat").status_code == 401
    assert read(bot.sent("PUT", "seat", face="9-9"), 422)
    coming = anybody.json("appointments")
    assert coming[0]["due"] <= coming[-1]["due"]
    assert all(each["title"] for each in coming)
    assert anybody.json("seasons")[0]["first"] == 1
    season = anybody.json("seasons/1")
    assert (season["number"], season["ended"]) == (1, False)
    assert anybody.get("seasons/2").status_code == 404
    assert anybody.get("end").status_code == 404
    assert bot.json("moments") == []


def test_a_statement_a_rule_and_a_file_are_told(bot: Program, anybody: Program) -> None:
    statement = anybody.json("holders/Murphy", asset="dollary")
    assert statement["lines"][0]["balance"] == statement["balances"]["dollary"]
    past = anybody.json("holders/Murphy", at="2000-01-01")
    assert past["balances"] == {}
    assert anybody.get("holders/Murphy", asset="gold").status_code == 422
    listed = anybody.json("rules")[0]
    rule = anybody.json("rules/" + listed["title"].lower().replace(" ", "-"))
    assert (rule["title"], rule["text"]) == (listed["title"], listed["text"])
    assert rule["history"][-1]["verb"] == "enacted"
    assert anybody.json(f"rules/{rule['key']}") == rule
    version = anybody.json(f"rules/{rule['key']}/versions/1")
    assert version["text"] == rule["text"]
    same = anybody.json(f"rules/{rule['key']}/differences", **{"from": 1, "to": 1})
    assert {line["kind"] for line in same["lines"]} == {"same"}
    assert anybody.get("rules/none-at-all").status_code == 404
    for name in ("rulebook.zip", "rulebook.md", "record.jsonl", "ledger.csv", "calendar.ics"):
        answer = anybody.get(f"files/{name}")
        assert (answer.status_code, len(b"".join(answer)) > 20) == (200, True), name  # type: ignore[arg-type]
    assert anybody.get("files/running.jsonl").status_code == 403
    assert anybody.get("files/else.txt").status_code == 422


def test_an_entry_a_motion_and_a_sentence_are_told(
    bot: Program, anybody: Program, game: Game
) -> None:
    entry = anybody.json("record/1")
    assert (entry["seq"], entry["more"]) == (1, False)
    assert entry["changed"][0]["verb"] == "enacted"
    assert anybody.get("record/9999").status_code == 404
    assert bot.act("horses.bet", None, horse="Fargo", dollaries=2).status_code == 201
    bet = anybody.json(f"record/{Game.objects.get(pk=game.pk).last_entry}")
    assert {"holder": "Murphy", "asset": "dollary", "amount": -2} in bet["postings"]
    meant = read(bot.sent("POST", "say", words="I bet 1 dollary on Fargo"))
    assert meant["acts"][0]["action"] == "horses.bet"
    assert meant["acts"][0]["inputs"]["horse"] == "Fargo"
    assert read(bot.sent("POST", "say", words="bet"))["near"]
    assert anybody.json("motions") == []
    assert anybody.get("motions/1").status_code == 404


@pytest.mark.thorough
def test_a_motion_is_told_and_waits_for_whom_it_asks(db: None) -> None:
    game = new_game("table", "agora-races", pace="manual", start=WEDNESDAY, offices="support")[0]
    bots = {}
    for name in ("Murphy", "Madrid", "Jason", "snail"):
        player = seat(game, name)
        player.user = user_of(name.lower())
        player.save()
        bots[name] = Program(game, make_token(player.user, "a program")[1])
    assert bots["Murphy"].act("games.stand", None, office="Horsened").status_code == 201
    (line,) = Program(game).json("motions")
    assert (line["by"], line["end"], line["ended_in"]) == ("Murphy", "", None)
    assert Program(game).json("motions/1") == {
        **dict.fromkeys(("text", "sentence", "balances", "rules", "changes")),
        "motion": line,
    }
    waits = bots["Madrid"].json("/api/v1/me")["games"][0]["waits"]
    wait = next(wait for wait in waits if wait["acts"])
    acts = {act["action"]: act["inputs"] for act in wait["acts"]}
    assert acts["games.support"] == {"motion": 1}
    for name in ("Madrid", "Jason"):
        assert bots[name].act("games.support", None, motion=1).status_code == 201
    (line,) = Program(game).json("motions")
    assert line["end"] == "done"


def test_words_are_found_in_one_game_and_in_all(anybody: Program) -> None:
    for address in (f"{V1}/table/search", "/api/v1/search"):
        found = anybody.json(address, q="horse")
        rules = next(each for each in found["kinds"] if each["kind"] == "Rules")
        assert rules["found"][0]["game"] == "table"
        assert "<mark>" in rules["found"][0]["marked"]
        assert "<" not in rules["found"][0]["excerpt"]
    assert anybody.get("/api/v1/search").status_code == 422


def test_who_was_removed_is_told_of_no_game_that_only_its_people_see(
    bot: Program, game: Game, player: Player
) -> None:
    Player.objects.filter(pk=player.pk).update(active=False, removed=True)
    assert [told["slug"] for told in bot.json("/api/v1/me")["games"]] == [game.slug]
    Game.objects.filter(pk=game.pk).update(settings={**game.settings, SEEN_BY: "link"})
    assert bot.json("/api/v1/me")["games"] == []


def test_a_number_is_no_yes_and_a_body_of_choices_may_be_left_out(bot: Program) -> None:
    document = bot.json("/api/openapi.json")["paths"]
    address = f"{V1}/table"
    for method, path, wrong, right in (
        ("PUT", "here", {"unseen": 0}, {"unseen": False}),
        ("POST", "talk/read", {"upto": False}, {"upto": 0}),
        ("POST", "talk/read", {"upto": "1"}, {"upto": 1}),
        ("POST", "documents/drafts", {"is_sealed": "yes"}, {"is_sealed": True}),
        ("POST", "documents/drafts", {"title": 5}, None),
    ):
        told = document[f"{V1}/{{slug}}/{path}"][method.lower()]["requestBody"]
        assert told["required"] is ("documents" not in path)
        for body, status in ((wrong, [422]), (right, [200, 201])):
            answer = bot.client.generic(
                method, f"{address}/{path}", json.dumps(body) if body else "",
                "application/json", headers=bot._headers(),
            )  # fmt: skip
            assert answer.status_code in status, answer.content
