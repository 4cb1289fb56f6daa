"""A recalculation is made so by the players' support, in one entry, and the past stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command

from nomic.engine.outcomes import Refused
from nomic.engine.subgames import find_switch
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.governance.recalculation.ratification import RATIFY, hash_of, ratified, written
from nomic.governance.recalculation.revision import Revision
from nomic.ledger.models import Asset
from nomic.operations.recalculation.differences import balances
from nomic.operations.recalculation.report import RecalculationReport, recalculate
from nomic.operations.replay import Departure, replay


def kept(game: Game, report: RecalculationReport) -> RecalculationReport:
    """The report as the site keeps one that it has made."""
    game.recalculations.create(
        by=game.players.get(name="player1"),
        revision=report.revision,
        asked_at=wall_now(),
        hash=report.hash,
        report=report.plain(),
    )
    return report


@pytest.fixture
def report(young: Game) -> RecalculationReport:
    """That without the first bet."""
    bet = young.entries.filter(name="horses.bet").earliest("seq")
    return kept(young, recalculate(young, Revision("strike", bet.seq)))


def announced(game: Game, text: str) -> None:
    take(game.slug, game.players.get(name="player1"), RATIFY, {"report": text})


def supported(game: Game, *names: str) -> None:
    number = game.motions.latest("number").number
    for name in names:
        take(game.slug, game.players.get(name=name), "games.support", {"motion": number})


@pytest.mark.thorough
def test_with_support_it_is_made_so_and_the_record_holds(
    young: Game, report: RecalculationReport
) -> None:
    struck = report.revision["strike"]
    was = young.entries.get(seq=struck)
    announced(young, report.ratifiable)
    assert balances(young, ())["player1"]["dollary"] == 11

    supported(young, "player2")

    assert balances(young, ())["player1"]["dollary"] == 14
    assert young.entries.get(seq=struck).hash == was.hash
    (made,) = ratified(young, struck)
    done = young.entries.get(seq=made.ratified_in)
    assert done.outcome["report"] == report.hash
    assert f"without entry {struck}" in done.text
    assert not ratified(young, struck + 1).exists()
    call_command("audit", young.slug)
    call_command("replay", young.slug)
    call_command("verify-dice", young.slug)


def test_what_was_touched_since_is_not_ratified(young: Game, report: RecalculationReport) -> None:
    young.races.get().bets.filter(player__name="player1").update(dollaries=2)
    with pytest.raises(Refused, match=r"has changed since: the bet .*Make the report anew"):
        announced(young, report.ratifiable)


def test_a_struck_bet_is_gone_and_another_can_be_made_in_that_week(young: Game) -> None:
    player = young.players.get(name="player1")
    bet = take("races", player, "horses.bet", {"horse": "Fargo", "dollaries": 3}).entry
    report = kept(young, recalculate(young, Revision("strike", bet.seq)))
    announced(young, report.ratifiable)
    supported(young, "player2")
    assert balances(young, ())["player1"]["dollary"] == 11
    assert not young.races.get().bets.filter(entry=bet.seq).exists()
    text = young.entries.latest("seq").text
    assert "the bet (race 1, player1, horse Fargo, dollaries 3) taken back" in text
    assert "1 balance, 1 bet and 1 turn" in text
    take("races", player, "horses.bet", {"horse": "Alexia", "dollaries": 2})


def test_an_act_of_somebody_who_has_left_is_struck_and_ratified_as_any(young: Game) -> None:
    player = young.players.get(name="player3")
    gain = take("races", player, "horses.gain_dollaries").entry
    take("races", player, "games.leave")
    held = balances(young, ())["player3"]["dollary"]
    report = kept(young, recalculate(young, Revision("strike", gain.seq)))
    announced(young, report.ratifiable)
    supported(young, "player2")
    assert balances(young, ())["player3"]["dollary"] == held - 4
    assert not young.players.get(name="player3").active


def test_of_two_motions_for_the_same_report_the_second_finds_it_done(
    young: Game, report: RecalculationReport
) -> None:
    announced(young, report.ratifiable)
    announced(young, report.ratifiable)
    first, second = young.motions.order_by("number")
    player = young.players.get(name="player2")
    for motion in (first, second):
        take("races", player, "games.support", {"motion": motion.number})
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.end, second.end) == ("done", "failed")
    assert second.note
    assert young.entries.filter(outcome__report=report.hash, outcome__has_key="made").count() == 1
    assert balances(young, ())["player1"]["dollary"] == 14


@pytest.mark.thorough
def test_what_was_spent_since_is_told_as_a_debt(young: Game) -> None:
    player = young.players.get(name="player1")
    gained = young.entries.filter(name="horses.gain_dollaries", actor=player).earliest("seq")
    report = kept(young, recalculate(young, Revision("strike", gained.seq)))
    take("races", player, "horses.buy", {"horse": "Cannon"})
    held = balances(young, ())["player1"]["dollary"]
    announced(young, report.ratifiable)
    supported(young, "player2")
    assert held < 4
    assert "dollary" not in balances(young, ())["player1"]
    owed = Asset.objects.get(game=young, name="dollary").amount(4 - held)
    assert f"is owed: player1 {owed}." in young.entries.latest("seq").text
    call_command("audit", young.slug)
    call_command("replay", young.slug)


@pytest.mark.thorough
def test_of_two_that_differ_the_second_does_not_fit_any_more(
    young: Game, report: RecalculationReport
) -> None:
    bet = young.entries.get(seq=report.revision["strike"])
    less = recalculate(young, Revision("change", bet.seq, {**bet.inputs, "dollaries": 1}))
    kept(young, less)
    announced(young, report.ratifiable)
    announced(young, less.ratifiable)
    first, second = young.motions.order_by("number")
    for motion in (first, second):
        player = young.players.get(name="player2")
        take("races", player, "games.support", {"motion": motion.number})
    second.refresh_from_db()
    assert second.end == "failed"
    assert "Another recalculation of entry" in second.note
    assert balances(young, ())["player1"]["dollary"] == 14


def test_a_text_that_is_no_report_of_this_game_is_refused(
    young: Game, report: RecalculationReport
) -> None:
    told = json.loads(report.ratifiable)
    wrong = {
        "not the text": ["{}", "x", report.ratifiable.replace(":", ": ", 1)],
        "another game": [written({**told, "game": "other"})],
        "another record": [written({**told, "head": "0" * 64}), written({**told, "as_of": 9_999})],
        "made no such report": [written({**told, "makes": {part: [] for part in told["makes"]}})],
    }
    for said, texts in wrong.items():
        for text in texts:
            with pytest.raises(Refused, match=said):
                announced(young, text)
    assert not young.motions.exists()


def test_what_nobody_has_calculated_is_not_ratified(
    young: Game, report: RecalculationReport
) -> None:
    told = json.loads(report.ratifiable)
    made = {**told["makes"], "balances": [["player1", "dollary", 11, 100_000]]}
    invented = written({**told, "makes": made})
    with pytest.raises(Refused, match="made no such report"):
        announced(young, invented)
    assert not young.motions.exists()
    assert balances(young, ())["player1"]["dollary"] == 11


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("invented", "said"),
    [
        ({"balances": [["player1", "dollary", 11, 100_000]]}, "its balances are others"),
        (None, "nobody can recalculate that"),
    ],
)
def test_a_replay_finds_a_report_that_was_invented_by_the_operator(
    young: Game,
    report: RecalculationReport,
    invented: dict[str, Any] | None,
    said: str,
) -> None:
    told = json.loads(report.ratifiable)
    makes = {**told["makes"], **(invented or {})}
    revision = told["revision"] if invented else {"strike": 1}
    text = written({**told, "makes": makes, "revision": revision})
    young.recalculations.update(hash=hash_of(text))
    announced(young, text)
    difference = replay(young)[1]
    assert difference is not None
    assert said in difference.sentence
    assert difference.entry == f"entry {young.entries.latest('seq').seq}"


@pytest.mark.thorough
def test_what_time_decided_in_a_report_is_told_and_no_fault(
    young: Game, report: RecalculationReport
) -> None:
    told = json.loads(report.ratifiable)
    makes = {**told["makes"], "balances": [["player1", "dollary", 11, 12]]}
    text = written({**told, "makes": makes, "late": True})
    young.recalculations.update(hash=hash_of(text))
    announced(young, text)
    otherwise: list[Departure] = []
    assert replay(young, otherwise)[1] is None
    assert "its balances are others" in otherwise[0].sentence


@pytest.mark.thorough
def test_what_was_announced_is_done_though_the_site_has_the_report_no_longer(
    young: Game, report: RecalculationReport
) -> None:
    announced(young, report.ratifiable)
    young.recalculations.all().delete()
    supported(young, "player2")
    assert balances(young, ())["player1"]["dollary"] == 14
    call_command("replay", young.slug)


def test_each_announcement_says_the_amounts(young: Game, report: RecalculationReport) -> None:
    announced(young, report.ratifiable)
    supported(young, "player2")
    for entry in young.entries.order_by("-seq")[:2]:
        assert "player1 has 14 dollaries and not 11" in entry.text


def test_a_switch_that_it_sets_is_among_the_effects_of_its_entry(
    young: Game, report: RecalculationReport
) -> None:
    was = find_switch("Race Position").value(glance(young), "Fargo")
    told = json.loads(report.ratifiable)
    made = {**told["makes"], "switches": [["Race Position", "Fargo", was, "6"]]}
    text = written({**told, "makes": made})
    young.recalculations.update(hash=hash_of(text))
    announced(young, text)

    supported(young, "player2")

    assert find_switch("Race Position").value(glance(young), "Fargo") == "6" != was
    entry = young.entries.latest("seq")
    assert [each["switch"] for each in entry.effects if "switch" in each] == [
        ["Race Position", "Fargo", "6"]
    ]


def test_a_report_is_named_by_the_hash_of_its_text(report: RecalculationReport) -> None:
    assert report.hash == hash_of(report.ratifiable)
    assert hash_of(report.ratifiable + " ") != report.hash


@pytest.mark.thorough
def test_what_there_is_one_of_goes_back_to_whose_it_was(young: Game) -> None:
    buyer = young.players.get(name="player3")
    bought = take("races", buyer, "horses.buy", {"horse": "Cannon"}).entry
    assert balances(young, ())["player3"]["Cannon"] == 1
    report = kept(young, recalculate(young, Revision("strike", bought.seq)))
    announced(young, report.ratifiable)
    supported(young, "player2")
    assert "Cannon" not in balances(young, ()).get("player3", {})
    assert balances(young, ())["Agora"]["Cannon"] == 1
    assert balances(young, ())["player3"]["dollary"] == 10
    call_command("audit", young.slug)
    call_command("replay", young.slug)
