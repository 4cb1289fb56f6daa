"""What is said at a game's table, by whoever and whatever they say; and what is reported of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from nomic.engine import watch
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.models import AtTable, Complaint, Reaction, Remark
from nomic.notices.fan_out import spread
from nomic.notices.models import Notice, Outgoing
from nomic.notices.tests.conftest import write_to
from nomic.web.game_context import shown_mark
from nomic.web.newcomers.faces import face_of
from tests.kit import Visitor, seat

TALK = "/g/table/talk/"


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_remark_links_addresses_and_names_and_nothing_else(
    game: Game, player: Player, visit: Visitor
) -> None:
    elder = seat(game, "Madrid the Elder")
    Outgoing.objects.all().delete()
    said = (
        "@Madrid the Elder, see https://example.org/a?b=1&c=2. <b>@nobody</b> javascript:alert(1)"
    )
    assert visit(player).post(TALK, {"text": said}).status_code == 302
    told = Outgoing.objects.get()
    assert (told.kind, told.to) == ("named", [elder.pk])
    shown = text(visit().get(TALK))
    assert '<a href="/g/table/players/Madrid%20the%20Elder/">@Madrid the Elder</a>, see' in shown
    assert 'href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener ugc"' in shown
    assert "&lt;b&gt;@nobody&lt;/b&gt; javascript:alert(1)" in shown


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "@" * 2000,
        "https://" + "a" * 1900,
        "{{ 7|add:7 }} {% now 'Y' %}",
        "https://x.org/\"onmouseover='alert(1)'",
        "@Murphy@Murphy@Murphy'\"><img src=x onerror=alert(1)>",
        "é" * 2000,
    ],
)
def test_hostile_remarks_are_shown_as_they_are(
    player: Player, visit: Visitor, hostile: str
) -> None:
    assert visit(player).post(TALK, {"text": hostile}).status_code == 302
    shown = text(visit(player).get(TALK))
    for markup in ("<script>alert", "<img src=x", ' onmouseover="', "onmouseover='"):
        assert markup not in shown
    assert Remark.objects.get().text == hostile


@pytest.mark.parametrize("wrong", ["", "a\x00b", "a\u202eb", "a" * 2001])
def test_what_cannot_be_said_is_told_and_the_form_stays_filled(
    player: Player, visit: Visitor, wrong: str
) -> None:
    assert visit(player).post(TALK, {"text": wrong}).status_code == 422
    assert not Remark.objects.exists()


def test_who_plays_here_talks_and_others_read(
    game: Game, player: Player, outsider: User, visit: Visitor
) -> None:
    for client in (visit(), visit(outsider)):
        assert client.post(TALK, {"text": "Hello."}).status_code == 403
        assert client.get(TALK).status_code == 200
    for number in range(6):
        assert visit(player).post(TALK, {"text": f"{number}"}).status_code == 302
    assert visit(player).post(TALK, {"text": "7"}).status_code == 429


def test_one_changes_and_deletes_what_one_has_said_oneself(
    player: Player, rival: Player, visit: Visitor
) -> None:
    visit(player).post(TALK, {"text": "Hooves."})
    own = f"{TALK}{Remark.objects.get().number}/"
    assert visit(rival).get(own).status_code == 404
    assert visit(rival).post(own, {"delete": "yes"}).status_code == 404
    visit(player).post(own, {"text": "Helmets."})
    shown = text(visit(rival).get(TALK))
    assert "Helmets." in shown
    assert "· edited" in shown
    visit(player).post(own, {"delete": "yes"})
    shown = text(visit(rival).get(TALK))
    assert "Helmets." not in shown
    assert "Deleted by Murphy." in shown
    assert visit(player).get(own).status_code == 404


def test_who_is_named_as_one_words_it_anew_is_told_and_who_was_named_before_is_not_again(
    player: Player, rival: Player, officer: Player, visit: Visitor
) -> None:
    for reader in (rival, officer):
        write_to(reader)
    visit(player).post(TALK, {"text": f"@{rival.name}?"})
    spread(wall_now())
    own = f"{TALK}{Remark.objects.get().number}/"
    visit(player).post(own, {"text": f"@{rival.name} and @{officer.name}?"})
    spread(wall_now())
    named = Notice.objects.filter(kind="named").values_list("user__username", flat=True)
    assert sorted(named) == sorted([rival.user.username, officer.user.username])  # type: ignore[union-attr]


def test_the_talk_is_live_and_costs_nothing_while_nobody_talks(
    game: Game, player: Player, visit: Visitor, htmx: Visitor, django_assert_num_queries: Any
) -> None:
    game.refresh_from_db()
    reader = htmx(player)
    reader.get(TALK)
    asked = f"{TALK}?game={game.pk}&v={shown_mark(game.pk, str(game.last_entry))}"
    with django_assert_num_queries(0):
        assert reader.get(asked).status_code == 204
    visit(player).post(TALK, {"text": "Hooves."})
    news = text(reader.get(asked))
    assert "Hooves." in news
    assert "<html" not in news


def test_a_talk_of_many_remarks_is_paged_at_the_same_cost(
    game: Game, player: Player, visit: Visitor, django_assert_max_num_queries: Any
) -> None:
    at = game.anchor_wall
    said = [
        Remark(game=game, player=player, number=n + 1, text=f"@Murphy {n}.", at=at)
        for n in range(120)
    ]
    Remark.objects.bulk_create(said)
    client = visit(player)
    client.get(TALK)
    with django_assert_max_num_queries(10):
        shown = text(client.get(TALK))
    assert "@Murphy</a> 119." in shown
    assert shown.count("<li id=") == 50
    older = text(client.get(f"{TALK}?before={said[70].number}"))
    assert "@Murphy</a> 69." in older
    assert client.get(f"{TALK}?before=x").status_code == 200


def test_the_operator_is_told_of_a_remark_and_settles_it(
    player: Player, rival: Player, officer: Player, visit: Visitor, admin_user: User
) -> None:
    visit(player).post(TALK, {"text": "Something <i>nasty</i>."})
    said = Remark.objects.get()
    where = f"/g/table/complain/?remark={said.number}"
    assert visit().get(where).status_code == 302
    assert "Something &lt;i&gt;nasty" in text(visit(rival).get(where))
    assert visit(rival).post(where, {"words": ""}).status_code == 422
    assert visit(rival).post(where, {"words": "It is nasty."}).status_code == 302
    visit(player).post(f"{TALK}{said.number}/", {"delete": "yes"})
    assert visit(officer).get("/office/reported/").status_code == 403
    desk = text(visit(admin_user).get("/office/reported/"))
    assert "Something &lt;i&gt;nasty" in desk
    assert "It is nasty." in desk
    told = Complaint.objects.get()
    settled = {"number": told.pk, "answer": "Warned."}
    assert visit(officer).post("/office/reported/", settled).status_code == 403
    visit(admin_user).post("/office/reported/", settled)
    told.refresh_from_db()
    assert (told.answer, told.settled_at is None) == ("Warned.", False)


def test_ten_reports_a_day_are_enough(player: Player, rival: Player, visit: Visitor) -> None:
    where = "/g/table/complain/?player=Murphy"
    answers = [visit(rival).post(where, {"words": "Again."}).status_code for _ in range(11)]
    assert answers == [302] * 10 + [429]
    assert visit(rival).get("/g/table/complain/?player=Nobody").status_code == 404


def test_a_remark_stands_beside_what_it_is_about_and_leads_there(
    game: Game, player: Player, visit: Visitor
) -> None:
    said = {"text": "Fargo will cross first.", "about": "race 1"}
    answer = visit(player).post(TALK, said)
    assert (answer.status_code, answer.url) == (302, "/g/table/horses/#said")
    assert "Fargo will cross first." in text(visit().get("/g/table/horses/"))
    assert '<a href="/g/table/horses/#said">race 1</a>' in text(visit().get(TALK))
    visit(player).post(TALK, {"text": "So it began.", "about": "entry 1"})
    assert "So it began." in text(visit().get("/g/table/record/1/"))
    assert "So it began." not in text(visit().get("/g/table/horses/"))


@pytest.mark.parametrize(
    "about", ["race 99", "entry 0", "entry 999999", "pope 1", "race", "x" * 99]
)
def test_nobody_talks_about_what_is_not_there(player: Player, visit: Visitor, about: str) -> None:
    answer = visit(player).post(TALK, {"text": "Well.", "about": about})
    assert answer.status_code == 422
    assert "What this is about is not in this game." in text(answer)
    assert not Remark.objects.exists()


def test_a_remark_is_answered_by_signs_which_are_taken_back(
    player: Player, rival: Player, outsider: User, visit: Visitor, htmx: Visitor
) -> None:
    visit(player).post(TALK, {"text": "Hooves."})
    address = f"{TALK}{Remark.objects.get().number}/react/"
    assert 'value="laugh"' in text(visit(rival).get(address))
    assert visit(rival).post(address, {"sign": "heart"}).status_code == 302
    assert visit(player).post(address, {"sign": "heart"}).status_code == 302
    names = f'aria-pressed="true"\n      title="{rival.name}, {player.name}"'
    assert " ".join(names.split()) in " ".join(text(visit(player).get(TALK)).split())
    part = text(htmx(player).post(address, {"sign": "heart"}))
    assert "<html" not in part
    assert f'title="{rival.name}"' in part
    assert visit(rival).post(address, {"sign": "pope"}).status_code == 404
    for client in (visit(), visit(outsider)):
        assert client.post(address, {"sign": "heart"}).status_code == 403
    assert [each.player for each in Reaction.objects.all()] == [rival]


def test_what_is_new_in_the_talk_is_marked_until_it_is_read(
    player: Player, rival: Player, visit: Visitor
) -> None:
    reader, badge = visit(rival), '<span class="badge">1</span>'
    visit(player).post(TALK, {"text": "Hooves."})
    reader.post(TALK, {"text": "Fargo!", "about": "race 1"})
    assert badge in text(reader.get("/g/table/rules/"))
    reader.get(TALK)
    visit(player).get(TALK)
    visit(player).post(TALK, {"text": "Helmets."})
    assert badge in text(reader.get("/g/table/rules/"))
    assert badge not in text(visit(player).get("/g/table/rules/"))
    assert "<strong>new</strong>" in text(reader.get(TALK))
    assert "<strong>new</strong>" not in text(reader.get(TALK))
    assert badge not in text(reader.get("/g/table/rules/"))
    for number in range(2, 14):
        Remark.objects.create(
            game=player.game, player=player, number=40 + number, at=wall_now(), text="Oats."
        )
    assert '<span class="badge">9+</span>' in text(reader.get("/g/table/rules/"))


def test_who_looks_at_a_game_is_seen_there_as_far_as_they_like(
    game: Game, player: Player, rival: Player, visit: Visitor, htmx: Visitor
) -> None:
    visit(player).get("/g/table/")
    visit().get("/g/table/here/")
    shown = text(htmx(rival).get("/g/table/here/"))
    assert f"Here now: {rival.name}, {player.name}, 1 onlooker" in shown
    visit(rival).post("/g/table/here/unseen/", {"unseen": "yes"})
    assert rival.name not in text(htmx(player).get("/g/table/here/"))
    cache.clear()
    watch.present(game.pk, f"p {player.name}", wall_now() - timedelta(minutes=2))
    shown = text(htmx(rival).get("/g/table/here/"))
    assert "Here now: nobody else" in shown
    visit(rival).post("/g/table/here/unseen/", {"unseen": "no"})
    assert f"Here now: {rival.name}" in text(htmx(rival).get("/g/table/here/"))


def test_a_face_is_chosen_for_a_seat_and_drawn_wherever_it_sits(
    player: Player, rival: Player, visit: Visitor
) -> None:
    visit(player).post(TALK, {"text": "Hooves."})
    own, other = face_of(player.name), "2-3-5-7"
    assert own != other
    page = text(visit(player).get("/g/table/seat/"))
    assert f'value="{own}" checked' in " ".join(page.split())
    answer = visit(player).post("/g/table/seat/face/", {"face": other})
    assert answer.url == "/g/table/seat/"
    for address in ("/", TALK, "/g/table/here/"):
        drawn = text(visit(player).get(address))
        assert "#head-2" in drawn
        assert 'class="avatar silk-7"' in drawn
    for wrong in ("", "robot-1", "3-0-0-0", "0-0-0", "a-b-c-d", "0-0-0-0-0"):
        assert visit(rival).post("/g/table/seat/face/", {"face": wrong}).status_code == 404
    visit(player).post("/g/table/seat/face/", {"face": own})
    assert AtTable.objects.get(player=player).face == ""
    assert "#head-2" not in text(visit(player).get("/g/table/here/"))
