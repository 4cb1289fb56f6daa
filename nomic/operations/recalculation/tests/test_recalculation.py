"""What a recalculation tells is what would have been, and it leaves no trace."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any, cast

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from horses.actions.betting import GainDollaries
from nomic.engine.digest import state_of
from nomic.engine.effects import Effects
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.doubts import UNANSWERED
from nomic.governance.recalculation.revision import LONGEST, CannotRecalculate, Revision
from nomic.operations.recalculation.differences import public_state
from nomic.operations.recalculation.makeable import Makeable
from nomic.operations.recalculation.report import RecalculationReport, recalculate
from nomic.operations.recalculation.tests.conftest import BEGINS
from nomic.operations.setup import new_game, seat_practice_players
from nomic.record.models import Entry
from tests.kit import at_the_table

HOSTILE = (
    *("[" * 100_000, '{"a": NaN}', '{"a": 1e999}', f'{{"a": {10**40}}}'),
    *('{"a": "\\ud800"}', '{"a": "\\u0000"}', f'{{"a": "{"x" * LONGEST}"}}'),
)


def entry_of(game: Game, name: str, actor: str = "player1") -> Entry:
    return game.entries.filter(name=name, actor__name=actor).earliest("seq")


def found(report: RecalculationReport) -> dict[str, tuple[Any, Any]]:
    return {f"{each.part} {each.path}": (each.was, each.now) for each in report.differences}


@pytest.mark.thorough
def test_a_bet_that_is_struck_is_not_paid_for_at_the_races_end(races: Game) -> None:
    bet = entry_of(races, "horses.bet", "player2")
    end = races.entries.get(name="horses.run", outcome__race_ended=True)
    reasons = [paid["reason"] for paid in end.outcome["payouts"]]
    [times] = [each.split()[0] for each in reasons if each.endswith("times the bets on Alexia")]

    report = recalculate(races, Revision("strike", bet.seq))

    assert [(step.entry, step.went) for step in report.steps] == [
        (bet.seq, "struck"),
        (end.seq, "otherwise"),
    ]
    assert f"player2 {times}" in report.steps[1].was.partition("Dollaries in the end")[0]
    assert "player2" not in report.steps[1].now.partition("Bets pay")[2].partition(".")[0]
    assert not [path for path in found(report) if "position" in path], "the dice are the same"


@pytest.mark.thorough
def test_a_bet_that_is_struck_comes_back(young: Game) -> None:
    bet = entry_of(young, "horses.bet")
    report = recalculate(young, Revision("strike", bet.seq))
    assert found(report) == {
        "balances player1 › dollary": (11, 14),
        "horses bets › player1": ('{"Fargo": 3}', None),
    }
    assert {each.cause for each in report.differences} == {bet.seq}


@pytest.mark.thorough
def test_what_an_act_that_is_put_in_makes_illegal_is_refused_with_its_reason(young: Game) -> None:
    bet = entry_of(young, "horses.bet")
    before = Revision("insert", bet.seq - 1, {}, "horses.gain_dollaries", "player1")
    put_in, refused = recalculate(young, before).steps
    assert (put_in.went, refused.went, refused.entry) == ("put in", "refused", bet.seq)
    assert refused.was == bet.text
    assert "week" in refused.now
    assert refused.rule == "Weekly Race Actions"


@pytest.mark.thorough
def test_it_leaves_no_trace(young: Game) -> None:
    before, games = state_of(young), Game.objects.count()
    recalculate(young, Revision("strike", entry_of(young, "horses.bet").seq))
    young.refresh_from_db()
    assert (state_of(young), Game.objects.count()) == (before, games)


def test_without_a_change_there_is_no_difference(young: Game) -> None:
    bet = entry_of(young, "horses.bet")
    report = recalculate(young, Revision("change", bet.seq, dict(bet.inputs)))
    assert report.differences == ()
    assert [(step.entry, step.went) for step in report.steps] == [(bet.seq, "changed")]


@pytest.mark.thorough
def test_an_act_that_is_put_in_happens_at_its_moment(young: Game) -> None:
    gain = entry_of(young, "horses.gain_dollaries", "player2")
    report = recalculate(
        young, Revision("insert", gain.seq, {}, "horses.gain_dollaries", "player3")
    )
    assert found(report)["balances player3 › dollary"] == (10, 14)
    assert report.steps[0].went == "put in"


@pytest.mark.thorough
def test_an_act_that_is_put_in_may_be_refused(young: Game) -> None:
    gain = entry_of(young, "horses.gain_dollaries")
    again = Revision("insert", gain.seq, {}, "horses.gain_dollaries", "player1")
    (step,) = recalculate(young, again).steps
    assert step.went == "refused"
    assert "week" in step.now


@pytest.mark.parametrize(
    ("revision", "said"),
    [
        (Revision("strike", 9_999), "There is no entry 9999"),
        (Revision("strike", 1), "without it there is no game"),
        (Revision("insert", 3), "the name of an action"),
    ],
)
def test_what_cannot_be_recalculated_says_why(young: Game, revision: Revision, said: str) -> None:
    with pytest.raises(CannotRecalculate, match=said):
        recalculate(young, revision)


def test_what_happened_by_itself_is_not_struck(young: Game) -> None:
    run = young.entries.filter(name="horses.run").first()
    assert run
    with pytest.raises(CannotRecalculate, match="happened by itself"):
        recalculate(young, Revision("strike", run.seq))


def test_a_term_that_is_about_an_entry_is_so_by_the_number_that_the_record_has(
    young: Game,
) -> None:
    with at_the_table(young) as table:
        table.appointments.make(UNANSWERED, table.now, "9")
    shifted = Makeable.of(young, BEGINS, (), lambda number: number + 1)
    subjects = [subject for kind, subject, *_ in shifted.appointments if kind == UNANSWERED]
    assert subjects == ["10"]


@pytest.mark.thorough
def test_the_command_prints_the_report_and_refuses_with_a_sentence(young: Game) -> None:
    bet, out, progress = entry_of(young, "horses.bet"), StringIO(), StringIO()
    call_command("recalculate", "races", strike=bet.seq, json=True, stdout=out, stderr=progress)
    report = recalculate(young, Revision("strike", bet.seq))
    assert out.getvalue().strip() == report.ratifiable

    out = StringIO()
    changed = [str(bet.seq), json.dumps({**bet.inputs, "dollaries": 1})]
    call_command("recalculate", "races", change=changed, stdout=out, stderr=progress)
    assert "player1 › dollary" in out.getvalue()
    for wrong in (["x", "{}"], [str(bet.seq), "[]"], [str(bet.seq), "{"]):
        with pytest.raises(CommandError):
            call_command("recalculate", "races", change=wrong)
    for hostile in HOSTILE:
        put_in = f'{{"name": "horses.bet", "inputs": {hostile}}}'
        for given in ({"change": [str(bet.seq), hostile]}, {"insert": ["3", put_in]}):
            with pytest.raises(CommandError):
                call_command("recalculate", "races", **given)
    with pytest.raises(CommandError, match="“actor”"):
        call_command("recalculate", "races", insert=["3", '{"name": "x", "actor": 5}'])


@pytest.mark.django_db
def test_of_a_part_that_is_hidden_neither_assets_nor_rules_nor_wins_are_told() -> None:
    game, _ = new_game("isle", "multa", pace="manual", start=BEGINS)
    seat_practice_players("isle", 2)
    for player in game.players.all():
        take("isle", player, "settlers.join")
        with at_the_table(game) as table:
            table.ledger.create(player, 2, "wheat")
            table.win(player, "The Gift of the Isle", "by 10 Victory Points")
    game.refresh_from_db()
    assert game.last_at
    whole, told = (public_state(game, game.last_at, hidden) for hidden in ((), {"settlers"}))
    assert "wheat" in whole["balances"]["player1"]
    assert "wheat" not in str(told["balances"])
    assert len(whole["wins"]) == 2
    assert told["wins"] == []
    assert whole["rules"].keys() > told["rules"].keys()
    assert "settlers" in whole
    assert "settlers" not in told


@pytest.mark.thorough
def test_one_more_act_right_after_the_beginning_happens_too(young: Game) -> None:
    (step,) = recalculate(young, Revision("insert", 1, {}, "games.no_such")).steps
    assert step.went == "refused"


def test_what_this_program_plays_otherwise_cannot_be_recalculated(
    young: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    gain, bet = entry_of(young, "horses.gain_dollaries"), entry_of(young, "horses.bet")
    then = GainDollaries.verdict
    otherwise = {"ending": ", which means something else now"}
    monkeypatch.setattr(
        GainDollaries, "verdict", lambda *given: cast(Effects, then(*given)).also(**otherwise)
    )
    with pytest.raises(CannotRecalculate, match=f"does not play entry {gain.seq}, or what follows"):
        recalculate(young, Revision("strike", bet.seq))


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_what_is_done_while_a_report_is_made_is_not_in_it(young: Game) -> None:
    waiting = [young.players.get(name="player3")]

    def told(played: int, of: int) -> None:
        while waiting:
            take("races", waiting.pop(), "horses.gain_dollaries")

    bet, last = entry_of(young, "horses.bet"), young.last_entry
    quiet = recalculate(young, Revision("strike", bet.seq))
    report = recalculate(young, Revision("strike", bet.seq), told)
    assert not waiting
    assert report == quiet
    assert (report.as_of, Game.objects.get().last_entry) == (last, last + 1)
