"""Who is told of what happens: written with it, told once, and nothing that is not theirs."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache

from nomic.engine.catch_up import catch_up
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import perform, take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices import tasks
from nomic.notices.fan_out import delete_old_notices, spread
from nomic.notices.models import Delivery, Notice, Outgoing
from nomic.notices.reminders import remind
from nomic.notices.tests.conftest import Post, choose, write_to
from nomic.operations.exports import export_game, import_game
from nomic.operations.setup import advance
from tests.kit import Take, Visitor, seat


def told(player: Player) -> list[tuple[str, str]]:
    """What that player's list has, oldest first."""
    spread(wall_now())
    rows = Notice.objects.filter(user=player.user).order_by("pk")
    return list(rows.values_list("kind", "text"))


@pytest.fixture
def both(player: Player, rival: Player) -> tuple[Player, Player]:
    return write_to(player), write_to(rival)


def proposed(act: Take, by: Player, **more: str) -> int:
    inputs = {"title": "Oats", "body": 'Create a rule "Oats": Horses eat oats.', **more}
    return int(act(by, "proposals.submit", **inputs).entry.outcome["proposal"])


def test_a_vote_that_opens_is_told_to_all_but_its_author(
    both: tuple[Player, Player], act: Take
) -> None:
    proposed(act, both[0])
    assert told(both[0]) == []
    assert told(both[1]) == [("vote", "Proposal 1 “Oats” is open to votes.")]


def test_a_reply_reaches_the_author_and_who_commented_and_a_name_whom_it_names_once(
    both: tuple[Player, Player], act: Take
) -> None:
    number = proposed(act, both[0])
    act(both[1], "proposals.comment", proposal=number, text="Hay is better.")
    act(both[0], "proposals.comment", proposal=number, text="Is it, @Madrid?")
    assert [kind for kind, _ in told(both[0])] == ["reply"]
    assert [kind for kind, _ in told(both[1])] == ["vote", "named"]


@pytest.mark.parametrize("said", ["@Madridian", "Madrid", "mail me at a@b.example"])
def test_a_name_without_its_own_at_names_nobody(
    both: tuple[Player, Player], act: Take, said: str
) -> None:
    number = proposed(act, both[1])
    act(both[0], "proposals.comment", proposal=number, text=said)
    assert "named" not in dict(told(both[1]))


def test_what_a_practice_player_says_names_nobody(
    both: tuple[Player, Player], game: Game, act: Take
) -> None:
    number = proposed(act, both[0])
    bot = seat(game, "Ada-bot")
    act(bot, "proposals.comment", proposal=number, text="Is it, @Madrid?")
    assert "named" not in dict(told(both[1]))


def test_a_report_is_on_the_list_of_those_alone_who_asked_for_it(
    both: tuple[Player, Player], game: Game, act: Take
) -> None:
    choose(both[1], kinds={"site": ["report"]})
    advance(game.slug, game.now(wall_now()) + timedelta(days=12))
    spread(wall_now())
    reports = Notice.objects.filter(kind="report", listed=True)
    assert {notice.user for notice in reports} == {both[1].user}


def test_what_is_refused_tells_nobody_anything(both: tuple[Player, Player], act: Take) -> None:
    before = Outgoing.objects.count()
    with pytest.raises(Refused):
        act(both[0], "proposals.comment", proposal=99, text="@Madrid")
    assert Outgoing.objects.count() == before


@pytest.mark.django_db(transaction=True)
def test_the_outbox_is_written_with_what_it_tells_or_not_at_all(
    both: tuple[Player, Player], act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    def done_and_failed(*given: Any, **more: Any) -> None:
        perform(*given, **more)
        raise RuntimeError

    monkeypatch.setattr("nomic.engine.take.perform", done_and_failed)
    with pytest.raises(RuntimeError):
        proposed(act, both[0])
    assert not Outgoing.objects.exists()


def test_a_report_a_result_and_an_answered_doubt_are_told(
    both: tuple[Player, Player], officer: Player, game: Game, act: Take
) -> None:
    proposed(act, both[0])
    advance(game.slug, game.now(wall_now()) + timedelta(days=12))
    assert {"report", "result"} <= {kind for kind, _ in told(both[0])}
    entry = game.entries.filter(outcome__report="horsened").latest("seq").seq
    doubt = act(both[0], "reports.doubt", entry=entry, what="Fargo is elsewhere.").entry.seq
    act(officer, "reports.answer", doubt=doubt, reason="It is not.")
    assert [text for kind, text in told(both[0]) if kind == "answer"] == [
        f"snail denies the doubt of entry {doubt}: It is not."
    ]
    assert "answer" not in dict(told(both[1]))


def test_a_deadline_reminds_those_who_have_not_voted_once(
    both: tuple[Player, Player], game: Game, act: Take, post: Post
) -> None:
    number = proposed(act, both[0])
    remind()
    assert "closing" not in dict(told(both[1]))
    advance(game.slug, game.now(wall_now()) + timedelta(days=6, hours=6))
    act(both[0], "proposals.vote", proposal=number, choice="FOR")
    for _ in range(3):
        remind()
        post()
    assert "closing" not in dict(told(both[0]))
    closing = [text for kind, text in told(both[1]) if kind == "closing"]
    assert len(closing) == 1
    assert closing[0].startswith("Voting on Proposal 1 closes on 11 March at 12:00 in the game")


def test_a_duty_is_told_to_its_officer_alone_and_once(
    both: tuple[Player, Player], officer: Player, game: Game
) -> None:
    write_to(officer)
    due = game.now(wall_now()) + timedelta(days=4, hours=3)  # the last day of the week
    advance(game.slug, due)
    for _ in range(2):
        remind()
    duties = [text for kind, text in told(officer) if kind == "duty"]
    assert len(duties) == 1
    assert duties[0].startswith("Horsened: ")
    assert not [kind for kind, _ in told(both[0]) if kind == "duty"]


def test_spread_by_two_or_twice_it_is_told_once(both: tuple[Player, Player], act: Take) -> None:
    proposed(act, both[0])
    again = Outgoing.objects.get(kind="vote")
    spread(wall_now())
    again.pk = None
    again.save(force_insert=True)
    spread(wall_now())
    assert Notice.objects.filter(user=both[1].user, kind="vote").count() == 1
    assert Delivery.objects.filter(notice__user=both[1].user).count() == 1


def test_one_thing_that_cannot_be_told_keeps_nothing_else_and_is_given_up(
    both: tuple[Player, Player], act: Take, game: Game
) -> None:
    Outgoing.objects.create(
        game=game, kind="vote", text="x", url="/", to=["nobody"], at=wall_now(), about="x"
    )
    proposed(act, both[0])
    assert [kind for kind, _ in told(both[1])] == ["vote"]
    assert Outgoing.objects.count() == 1
    spread(wall_now() + timedelta(minutes=2))
    assert not Outgoing.objects.exists()


def test_what_waited_for_a_day_or_is_over_is_told_no_more(
    both: tuple[Player, Player], act: Take
) -> None:
    proposed(act, both[0])
    spread(wall_now() + timedelta(days=1, minutes=1))
    proposed(act, both[0])
    Outgoing.objects.update(until=wall_now())
    spread(wall_now())
    assert not Outgoing.objects.exists()
    assert not Notice.objects.exists()


def test_who_left_or_whose_account_is_closed_is_told_nothing(
    both: tuple[Player, Player], act: Take, post: Post
) -> None:
    act(both[1], "games.leave")
    proposed(act, both[0])
    assert post() == []
    assert told(both[1]) == []
    assert both[0].user is not None
    both[0].user.is_active = False
    both[0].user.save()
    act(both[1], "games.join", name="Madrid")
    proposed(act, both[1], title="Straw")
    assert post() == []


def test_who_came_to_the_site_after_it_is_told_nothing(
    both: tuple[Player, Player], act: Take
) -> None:
    proposed(act, both[0])
    assert both[1].user is not None
    both[1].user.date_joined = wall_now()
    both[1].user.save()
    assert told(both[1]) == []


def test_lists_do_not_grow_without_end_and_what_is_on_its_way_stays(
    both: tuple[Player, Player], act: Take, game: Game
) -> None:
    proposed(act, both[0])
    spread(wall_now())
    first = Notice.objects.get()
    wall = wall_now()
    Notice.objects.bulk_create(
        Notice(user=first.user, game=game, kind="vote", text="x", url="/", at=wall, about=f"{n}")
        for n in range(150)
    )
    Notice.objects.exclude(pk=first.pk).update(at=wall - timedelta(days=3))
    Notice.objects.filter(pk=first.pk).update(at=wall - timedelta(days=3))
    delete_old_notices(wall)
    assert Notice.objects.count() == 101
    assert Notice.objects.filter(pk=first.pk).exists()
    Delivery.objects.update(state="sent")
    delete_old_notices(wall)
    assert Notice.objects.count() == 100


def test_one_sender_is_enough_and_the_next_finds_the_rest(
    both: tuple[Player, Player], act: Take
) -> None:
    proposed(act, both[0])
    cache.add("notices:sending", 1, 60)
    tasks.send()
    assert not Notice.objects.exists()
    cache.delete("notices:sending")
    tasks.send()
    assert Notice.objects.exists()


def test_a_sender_that_took_too_long_leaves_the_place_to_who_has_it_now(
    both: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken_over(*_: object) -> None:
        cache.set("notices:sending", "another", 60)

    with monkeypatch.context() as patch:
        patch.setattr(tasks, "send_what_waits", taken_over)
        tasks.send()
    assert cache.get("notices:sending") == "another"
    cache.delete("notices:sending")
    tasks.send()
    assert cache.get("notices:sending") is None


def test_the_choice_of_kinds_holds_for_the_list_and_each_way(
    both: tuple[Player, Player], act: Take, post: Post
) -> None:
    choose(both[1], kinds={"site": [], "mail": ["vote"]})
    proposed(act, both[0])
    assert len(post()) == 1
    assert not Notice.objects.get(user=both[1].user).listed
    choose(both[1], kinds={"mail": []})
    proposed(act, both[0], title="Hay")
    assert post() == []
    assert Notice.objects.filter(user=both[1].user, listed=True).count() == 1


def test_a_game_from_elsewhere_tells_nothing_of_its_past(
    both: tuple[Player, Player], game: Game, act: Take, post: Post
) -> None:
    proposed(act, both[0])
    advance(game.slug, game.now(wall_now()) + timedelta(days=12))
    file = io.StringIO()
    export_game(game, file)
    Outgoing.objects.all().delete()
    again = import_game(file.getvalue().splitlines(), slug="again", seat_users=True)
    assert not Outgoing.objects.exists()
    remind()
    assert post() == []
    act_there = {"title": "Hay", "body": 'Create a rule "Hay": Hay.'}
    take(again.slug, both[0].user, "proposals.submit", act_there)
    assert len(post()) == 1


def test_what_an_outage_of_more_than_a_day_made_late_is_not_told(
    both: tuple[Player, Player], game: Game, act: Take
) -> None:
    proposed(act, both[0])
    Outgoing.objects.all().delete()
    late = wall_now() - timedelta(days=9)
    Game.objects.filter(pk=game.pk).update(
        pace="real", rate=1, anchor_wall=late, anchor_game=game.now(wall_now())
    )
    game.refresh_from_db()
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        glance(locked).appointments.note_next_due()
    assert catch_up(game.pk) > 0
    kinds = set(Outgoing.objects.values_list("kind", flat=True))
    assert "result" not in kinds


def test_who_is_named_at_the_table_hears_that_and_not_what_was_said(
    both: tuple[Player, Player], visit: Visitor
) -> None:
    said = {"text": "What do you say, @Madrid and @nobody?"}
    assert visit(both[0]).post("/g/table/talk/", said).status_code == 302
    assert told(both[1]) == [("named", "Murphy named you at the table.")]
    assert told(both[0]) == []
