"""What an officer is late with another player does as deputy, after the rule's time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.engine.tests.tiny import COINS
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance import reports
from nomic.governance.declared_acts import deputies_in
from nomic.governance.deputies import OwedAction
from nomic.governance.doubts import ANSWER, duties, unanswered
from nomic.governance.powers import OFFICES_AND_CORRECTIONS
from nomic.governance.reports import Facts, Report, missing, report
from nomic.governance.tests.correcting import KEEPER, hours, last
from nomic.notices.fan_out import spread
from nomic.notices.models import Notice
from nomic.notices.reminders import remind
from nomic.notices.tests.conftest import write_to
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.rulebook.tables import TableBroken
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, Take, Visitor, around, at_the_table, sign_in_client, tight

TITLE = "The Keeper's report"
PUBLISH = {"report": "tiny.keeper"}


class KeepersReport(Report):
    """Nothing but the moment."""

    name = "tiny.keeper"
    title = TITLE
    office = KEEPER
    subgame = "tiny"

    def facts(self, table: object) -> Facts:
        return {}

    def parts(self, facts: Facts) -> list[reports.Section]:
        return []


@pytest.fixture(autouse=True)
@around
def _the_keeper_reports() -> Iterator[None]:
    with patch.dict(reports._REPORTS):
        report(KeepersReport)
        yield


@pytest.fixture
def held(game: Game, keeper: Player, act: Take) -> Game:
    """The game, in which the Keeper's report waits for their look since Monday."""
    with at_the_table(game) as table:
        table.appointments.begin("reports.weekly", KeepersReport.name)
    act(keeper, "reports.keep_by_hand", keeper="the officer", **PUBLISH)
    advance(game.slug, next_week(WEDNESDAY))
    game.refresh_from_db()
    return game


@pytest.fixture
def doubted(game: Game, keeper: Player, players: list[Player], act: Take) -> int:
    """The number of a doubt of the Keeper's report."""
    entry = act(keeper, "reports.publish", **PUBLISH).entry.seq
    return act(players[0], "reports.doubt", entry=entry, what="Too short.").entry.seq


def sentence(act: Take, who: Player, name: str, **inputs: object) -> str:
    """Why that player cannot do that."""
    with pytest.raises(Refused) as refused:
        act(who, name, **inputs)
    return refused.value.refusal.sentence


def told(html: str) -> str:
    """The page on one line, without what tells a moment to a browser."""
    return tight(re.sub("</?time[^>]*>", "", html))


def test_a_doubt_has_a_term_and_its_end_is_told(
    game: Game, doubted: int, keeper: Player, act: Take
) -> None:
    ((_, duty),) = duties(game, [KeepersReport()])
    assert duty.due == WEDNESDAY + timedelta(days=7)
    hours(game, 7 * 24 - 0.01)
    assert not game.entries.filter(name="reports.unanswered").exists()
    hours(game, 0.02)
    says = f"The Keeper, snail, let the time for the doubt of entry {doubted} go by"
    assert game.entries.get(name="reports.unanswered").text == f"{says} without answering it."
    assert replay(game)[1] is None


def test_a_doubt_that_is_answered_in_time_is_nobodys_breach(
    game: Game, doubted: int, keeper: Player, act: Take
) -> None:
    act(keeper, "reports.answer", doubt=doubted, reason="It is long enough.")
    hours(game, 8 * 24)
    assert not game.entries.filter(name="reports.unanswered").exists()


def test_a_doubt_whose_officer_has_gone_is_asked_of_all_when_its_time_is_over(
    game: Game, doubted: int, keeper: Player, players: list[Player], act: Take
) -> None:
    act(keeper, "games.resign_office", office=KEEPER)
    hours(game, 10 * 24)
    told = game.entries.get(name="reports.unanswered")
    assert told.text == (
        f"The doubt of entry {doubted} is not answered, and nobody is the Keeper. All players are"
        " asked to answer it."
    )
    assert "breach" not in told.outcome
    act(players[1], "reports.answer", doubt=doubted, reason="It is long enough.")
    assert len(unanswered(game)) == 1  # it waits for support: nobody is deputy of nobody


def test_a_rule_without_that_row_gives_a_doubt_no_term_and_nobody_a_deputy(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(OFFICES_AND_CORRECTIONS)
        table.rules.repeal(OFFICES_AND_CORRECTIONS)
        table.rules.enact(OFFICES_AND_CORRECTIONS, text.partition("A player doubts")[0])
    entry = act(keeper, "reports.publish", **PUBLISH).entry.seq
    doubt = act(players[0], "reports.doubt", entry=entry, what="Too short.").entry
    assert "due" not in doubt.outcome
    ((_, duty),) = duties(game, [KeepersReport()])
    assert duty.due is None
    hours(game, 1000)
    said = sentence(act, players[1], "reports.answer", doubt=doubt.seq, reason="No.")
    assert said == "Only an officer can do this."


def test_a_deputy_publishes_what_is_late_by_the_rules_time(
    held: Game, players: list[Player], act: Take
) -> None:
    hours(held, 47)
    assert sentence(act, players[1], "reports.publish", **PUBLISH) == (
        "Only an officer can do this. Another player can, as deputy, what is late by 48 hours:"
        " nothing of it is so late now."
    )
    hours(held, 1)
    entry = act(players[1], "reports.publish", **PUBLISH).entry
    due = next_week(WEDNESDAY)
    assert entry.text == (
        f"Madrid acts as deputy of the Keeper. {TITLE} is published, by Madrid, for what was due on"
        f" {due.day} {due:%B %Y}."
    )
    assert entry.outcome["deputy_for"] == KEEPER
    assert missing(held, KeepersReport.name) == []
    assert "nothing of it is so late now" in sentence(act, players[0], "reports.publish", **PUBLISH)
    assert replay(held)[1] is None


def test_of_two_deputies_the_second_is_told_that_it_is_done(
    game: Game, doubted: int, players: list[Player], act: Take
) -> None:
    entry = game.entries.get(seq=doubted).outcome["entry"]
    other = act(players[2], "reports.doubt", entry=entry, what="Too long.").entry.seq
    hours(game, 9 * 24)
    answer = act(players[1], "reports.answer", doubt=doubted, reason="It is long enough.").entry
    assert answer.text == (
        f"Madrid acts as deputy of the Keeper. Madrid denies the doubt of entry {doubted}: It is"
        " long enough."
    )
    assert answer.outcome["deputy_for"] == KEEPER
    said = sentence(act, players[2], "reports.answer", doubt=doubted, reason="Yes.")
    assert said == f"That doubt was answered already, in entry {answer.seq}."
    act(players[0], "reports.answer", doubt=other, reason="It is short enough.")
    assert unanswered(game) == []


def test_nobody_answers_their_own_doubt_as_deputy(
    game: Game, doubted: int, players: list[Player], act: Take, visit: Visitor
) -> None:
    hours(game, 9 * 24)
    answer = {"doubt": doubted, "reason": "It is long enough."}
    said = sentence(act, players[0], "reports.answer", **answer)
    assert said == "This doubt is yours: its officer answers it, or as deputy another player."
    home, form = reverse("game", args=[game.slug]), reverse("act", args=[game.slug, ANSWER])
    offered = f"{form}?doubt={doubted}"
    assert offered not in visit(players[0]).get(home).text
    assert "as deputy" not in visit(players[0]).get(home).text
    assert offered in visit(players[1]).get(home).text
    act(players[1], "reports.answer", **answer)
    assert unanswered(game) == []


def test_who_answers_a_doubt_reads_it_with_its_report_and_whose_deputy_they_are(
    game: Game, doubted: int, players: list[Player], act: Take, keeper: Player, visit: Visitor
) -> None:
    address = f"{reverse('act', args=[game.slug, ANSWER])}?doubt={doubted}"
    published = game.entries.get(seq=doubted).outcome["entry"]
    mine = told(visit(keeper).get(address).text)
    assert ">Too short.</blockquote>" in mine
    assert f'href="{reverse("entry", args=[game.slug, published])}"' in mine
    assert "as deputy of" not in mine
    hours(game, 9 * 24)
    theirs = told(visit(players[1]).get(address).text)
    assert ">Too short.</blockquote>" in theirs
    assert "You do this as deputy of the Keeper, snail, who is late with it." in theirs


def test_an_officer_is_told_of_a_doubt_of_a_report_that_waits_and_of_a_breach(
    held: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    write_to(keeper)
    number = act(keeper, "reports.publish", **PUBLISH).entry.seq
    act(players[0], "reports.doubt", entry=number, what="Too short.")
    hours(held, 8 * 24)
    spread(wall_now())
    notices = Notice.objects.filter(user=keeper.user, kind="duty").order_by("pk")
    texts = list(notices.values_list("text", flat=True))
    assert f"Murphy doubts the report of entry {number}: Too short." in texts
    assert any("waits for the Keeper's look" in text for text in texts)
    assert any("go by without answering it" in text for text in texts)


def test_an_officer_is_told_once_of_a_report_that_waits(held: Game, keeper: Player) -> None:
    write_to(keeper)
    hours(held, 7 * 24)
    remind()
    spread(wall_now())
    notices = Notice.objects.filter(user=keeper.user, kind="duty", text__contains="wait")
    waits = held.entries.filter(name=reports.WEEKLY, outcome__facts=None)
    assert waits.count() == 2
    assert sorted(notices.values_list("text", flat=True)) == sorted(
        waits.values_list("text", flat=True)
    )


def test_a_deputy_does_nothing_but_what_is_late(
    game: Game, doubted: int, players: list[Player], act: Take
) -> None:
    entry = game.entries.get(seq=doubted).outcome["entry"]
    hours(game, 5 * 24)
    other = act(players[2], "reports.doubt", entry=entry, what="Too long.").entry.seq
    hours(game, 4 * 24)
    said = sentence(act, players[1], "reports.answer", doubt=other, reason="No.")
    assert said == "Only the Keeper can do this until it is late by 48 hours."


def test_practice_players_and_who_is_barred_from_the_office_are_nobodys_deputies(
    held: Game, players: list[Player], act: Take
) -> None:
    hours(held, 48)
    held.players.filter(pk=players[1].pk).update(bot=True, user=None)
    said = sentence(act, players[1], "reports.publish", **PUBLISH)
    assert said == "Practice players are nobody's deputies, as they hold no office."
    barred = "nomic.governance.deputies.office_refusal"
    with patch(barred, lambda *_: reports.Refusal("barred", "Coins are in play.")):
        said = sentence(act, players[2], "reports.publish", **PUBLISH)
    assert said == "Who cannot be the Keeper is not their deputy either. Coins are in play."
    assert missing(held, KeepersReport.name) == [next_week(WEDNESDAY)]


def test_nobody_is_deputy_of_a_vacant_office(
    held: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    hours(held, 48)
    act(keeper, "games.resign_office", office=KEEPER)
    assert last(held).text.startswith(f"{TITLE} is published, for what was due on")
    assert "nothing of it is so late" in sentence(act, players[0], "reports.publish", **PUBLISH)


def test_what_is_late_is_offered_to_the_other_players(
    held: Game, keeper: Player, players: list[Player], visit: Visitor
) -> None:
    page, act = (
        reverse("game", args=[held.slug]),
        reverse("act", args=[held.slug, "reports.publish"]),
    )
    hours(held, 47)
    assert act not in visit(players[0]).get(page).text
    hours(held, 1)
    shown = visit(players[0]).get(page).text
    assert act in shown
    assert "late: any player may do it as deputy" in shown
    assert "as deputy" not in visit(keeper).get(page).text
    assert act not in Client().get(page).text
    form = visit(players[0]).get(f"{act}?report={KeepersReport.name}")
    assert form.status_code == 200
    done = visit(players[0]).post(act, {**PUBLISH, "confirmed": "yes"})
    assert done.status_code == 302
    assert last(held).outcome["deputy_for"] == KEEPER


def test_a_report_that_waits_is_told_at_once_to_its_officer_and_to_all(
    held: Game, keeper: Player, players: list[Player], visit: Visitor
) -> None:
    home = reverse("game", args=[held.slug])
    theirs = told(visit(keeper).get(home).text.partition('id="waiting"')[2])
    assert f"As Keeper: {TITLE} waits to be published" in theirs.replace("&#x27;", "'")
    assert "overdue since Mon 9 Mar 2026, 00:00" in theirs.partition("</section>")[0]
    offices = visit(players[0]).get(home).text.partition('id="offices"')[2]
    assert "waits to be published (due Mon 9 Mar 2026, 00:00)" in told(offices)
    listed = told(visit().get(reverse("reports", args=[held.slug])).text)
    assert "overdue since" in listed
    page = told(visit().get(reverse("report", args=[held.slug, KeepersReport.name])).text)
    assert "was due on Mon 9 Mar 2026, 00:00 waits for the Keeper to publish it" in page
    assert "It is made by itself" not in page


def test_the_page_of_a_report_names_the_deputy_who_published_it(
    held: Game, players: list[Player], act: Take, visit: Visitor
) -> None:
    hours(held, 48)
    act(players[0], "reports.publish", **PUBLISH)
    page = told(visit().get(reverse("report", args=[held.slug, KeepersReport.name])).text)
    assert f"by the Keeper's deputy, {players[0]}, as" in page.replace("&#x27;", "'")
    assert "waits for the Keeper" not in page


def test_the_page_of_a_report_tells_who_doubts_it_and_what_was_answered(
    game: Game, keeper: Player, doubted: int, act: Take, visit: Visitor
) -> None:
    address = reverse("report", args=[game.slug, KeepersReport.name])
    page = told(visit().get(address).text)
    assert "Too short." in page
    assert "To be answered by Wed 11 Mar 2026" in page
    answer = act(keeper, "reports.answer", doubt=doubted, reason="it is all there").entry
    page = told(visit().get(address).text)
    assert "To be answered by" not in page
    assert f"denies the doubt of entry {doubted}: it is all there" in page
    assert f'href="{reverse("entry", args=[game.slug, answer.seq])}"' in page


def test_the_api_offers_what_is_late_and_names_the_deputy(
    held: Game, players: list[Player]
) -> None:
    assert players[0].user is not None
    token = make_token(players[0].user, "a deputy's program")[1]
    client = Client(headers={"Authorization": f"Bearer {token}"})
    address = f"/api/v1/games/{held.slug}/actions"

    def offered() -> list[bool]:
        acts = client.get(address).json()
        return [act["allowed"] for act in acts if act["name"] == "reports.publish"]

    assert offered() == []
    hours(held, 48)
    assert offered() == [True]
    done = client.post(f"{address}/reports.publish", PUBLISH, content_type="application/json")
    assert done.status_code == 201
    assert done.json()["outcome"]["deputy_for"] == KEEPER


def test_each_act_that_is_owed_says_which_office_owes_it() -> None:
    from nomic.engine.actions import all_actions

    owed = [act for act in all_actions() if isinstance(act, OwedAction)]
    assert {"reports.publish", "reports.answer"} <= {act.name for act in owed}
    assert all(act.office for act in owed)


HEAD = "| Deputy of | Who | Late by | Vacant | Notice |\n| --- | --- | --- | --- | --- |\n"


def says(*rows: str) -> None:
    """Let the rule Coins have these rows, too."""
    text = "Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n\n"
    text += HEAD + "".join(f"| {row} |\n" for row in rows)
    take("table", None, "rulebook.amend", {"rule": COINS, "text": text, "reason": "a test"})


def test_a_row_says_how_late_an_office_is_before_it_has_a_deputy(
    held: Game, players: list[Player], act: Take
) -> None:
    says("the Keeper | players | 1 | | ")
    hours(held, 23)
    said = sentence(act, players[0], "reports.publish", **PUBLISH)
    assert "as deputy, what is late by 24 hours" in said
    hours(held, 2)
    entry = act(players[0], "reports.publish", **PUBLISH).entry
    assert entry.text.startswith("Murphy acts as deputy of the Keeper.")
    assert replay(Game.objects.get(pk=held.pk))[1] is None


def test_a_row_without_late_days_gives_an_office_that_is_held_no_deputy(
    held: Game, players: list[Player], act: Take
) -> None:
    says("any office | players | | 3 | ")
    hours(held, 1000)
    assert sentence(act, players[0], "reports.publish", **PUBLISH) == "Only an officer can do this."


def test_a_vacant_office_has_a_deputy_where_a_row_says_so(
    game: Game, doubted: int, keeper: Player, players: list[Player], act: Take
) -> None:
    says("any office | players | 9 | 2 | 5")
    act(keeper, "games.resign_office", office=KEEPER)
    hours(game, 9 * 24 + 1)
    entry = act(players[1], "reports.answer", doubt=doubted, reason="It is not.").entry
    assert entry.outcome["deputy_for"] == KEEPER
    assert unanswered(game) == []


def test_a_deputy_gives_notice_where_a_row_asks_for_that(
    held: Game, players: list[Player], act: Take
) -> None:
    says("the Keeper | players | 1 | | 2")
    hours(held, 25)
    assert "says so 2 days before" in sentence(act, players[0], "reports.publish", **PUBLISH)
    seat = Client()
    sign_in_client(seat, players[0].user)
    page = seat.get(reverse("seat", args=[held.slug])).content.decode()
    assert "Give notice to act as deputy" in page
    notice = act(players[0], "games.deputise", office=KEEPER).entry
    assert "They may act as deputy from" in notice.text
    assert "nobody counts objections" in sentence(act, players[1], "games.object", motion=2)
    hours(held, 47)
    assert "says so 2 days before" in sentence(act, players[0], "reports.publish", **PUBLISH)
    hours(held, 2)
    assert "says so 2 days before" in sentence(act, players[1], "reports.publish", **PUBLISH)
    act(players[0], "reports.publish", **PUBLISH)
    hours(held, 14 * 24)
    assert held.motions.get(number=2).end == "prevented"
    assert replay(Game.objects.get(pk=held.pk))[1] is None


def test_who_the_row_does_not_name_is_no_deputy(
    held: Game, players: list[Player], act: Take
) -> None:
    says("the Keeper | the Herald | 1 | | ")
    hours(held, 48)
    said = sentence(act, players[0], "reports.publish", **PUBLISH)
    assert said == "By “Coins” the Herald can be deputy of the Keeper."


def test_a_deputy_has_no_deputy() -> None:
    with pytest.raises(TableBroken, match="a deputy has no deputy"):
        deputies_in("Coins", f"{HEAD}| deputy of the Keeper | players | 1 | | |\n")
