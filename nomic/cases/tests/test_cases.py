"""Cases (the rule “Cases”): who calls, assigns and judges one, what opens it again, and where it is
shown."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from nomic.cases.bots import BOTS
from nomic.cases.models import LONGEST_TEXT, Assignment, Case, CaseText
from nomic.cases.office.desk import AssignersDesk
from nomic.cases.rules import CASES, MOST_ARGUMENTS
from nomic.cases.subgame import THE_CASES
from nomic.dice.models import Roll
from nomic.engine.outcomes import Malformed, Receipt, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.motions import made_by_officers
from nomic.governance.seats import sit_down
from nomic.notices.models import Outgoing
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.simulation.bots import take_first
from tests.kit import Take, at_the_table, put_in_office, seat

STATEMENT = "A horse that stands still has run."
RULE = "Cases"
SENTENCE = "A judgement changes no rule."
READS = [{"rule": RULE, "passage": SENTENCE}]
WEEK = timedelta(days=7)


@pytest.fixture
def called(act: Take, player: Player, rival: Player, third: Player) -> Receipt:
    """A case that Murphy has called and Madrid is to judge."""
    return act(player, "cases.call", statement=STATEMENT)


def judge_it(act: Take, judge: Player, verdict: str = "FALSE", **more: Any) -> Receipt:
    inputs = {"case": 1, "verdict": verdict, "reasons": "It *stands*."}
    return act(judge, "cases.judge", **{**inputs, **more})


def refused(act: Take, actor: Player, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.sentence


def amend(game: Game, old: str, new: str) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(CASES)
        assert old in text
        table.rules.amend(CASES, text.replace(old, new))


def only_case(game: Game) -> Case:
    return Case.objects.select_related("judge").get(game=game)


def later(game: Game, length: timedelta) -> None:
    game.refresh_from_db()
    advance(game.slug, game.last_at + length)


def test_a_case_gets_the_next_number_and_a_judge_by_turns(
    game: Game, act: Take, called: Receipt, player: Player, rival: Player, third: Player
) -> None:
    assert called.entry.text == f"Murphy calls Case 1: “{STATEMENT}”"
    assert only_case(game).judge == rival
    newest = game.entries.last()
    assert newest.text == "Case 1 is assigned to Madrid, who judges it."
    act(player, "cases.call", statement="Another.")
    assert Case.objects.get(number=2).judge == third


def test_who_is_barred_judges_nothing_of_it(
    game: Game, act: Take, player: Player, rival: Player, third: Player
) -> None:
    act(player, "cases.call", statement=STATEMENT, barred="Madrid")
    assert only_case(game).judge == third


def test_with_nobody_eligible_it_waits_for_who_comes(game: Game, act: Take, player: Player) -> None:
    act(player, "cases.call", statement=STATEMENT)
    assert game.entries.last().text == (
        "Nobody is eligible to judge Case 1: it waits until somebody is."
    )
    newcomer = seat(game, "Gaelan")
    assert only_case(game).judge == newcomer


def test_who_is_named_in_a_statement_does_not_judge_it_where_the_rule_says_so(
    game: Game, act: Take, player: Player, rival: Player, third: Player
) -> None:
    amend(game, "caller, barred", "caller, barred, named")
    act(player, "cases.call", statement="What MADRID said is so.")
    assert only_case(game).judge == third
    act(rival, "games.rename", name="Barcelona")
    act(player, "cases.call", statement="What Madrid said is so.")
    assert game.cases.get(number=2).judge == third, "a former name is theirs as well"


def test_dice_assign_it_where_the_rule_says_so(
    game: Game, act: Take, player: Player, rival: Player, third: Player
) -> None:
    amend(game, "| Assigned by | Arbitor |", "| Assigned by | dice |")
    act(player, "cases.call", statement=STATEMENT)
    assigned = game.entries.last()
    assert assigned.name == "cases.waits"
    assert only_case(game).judge in (rival, third)
    assert [roll.label for roll in Roll.objects.filter(entry=assigned.seq)] == ["judge"]


def test_its_judge_gives_a_verdict_with_reasons(
    game: Game, act: Take, called: Receipt, player: Player, rival: Player
) -> None:
    assert "is for the judge" in refused(
        act, player, "cases.judge", case=1, verdict="TRUE", reasons="So."
    )
    assert judge_it(act, rival).entry.text == "Madrid judges Case 1 FALSE."
    case = only_case(game)
    assert (case.verdict, case.judge) == ("FALSE", rival)
    judgement = case.texts.get()
    assert (judgement.kind, judgement.text) == (CaseText.Kind.JUDGEMENT, "It *stands*.")
    assert "is judged FALSE" in refused(
        act, rival, "cases.judge", case=1, verdict="TRUE", reasons="So."
    )


def test_a_judge_who_lets_the_time_pass_is_taken_off_once(
    game: Game, act: Take, called: Receipt, rival: Player, third: Player
) -> None:
    later(game, WEEK + timedelta(hours=1))
    ends = list(Assignment.objects.values_list("judge__name", "end"))
    assert ends == [("Madrid", "late"), ("Gaelan", "")]
    assert game.entries.filter(name="cases.late").count() == 1
    later(game, WEEK + timedelta(hours=1))
    assert only_case(game).judge is None
    assert "Nobody is eligible" in game.entries.filter(name="cases.waits").last().text


def test_a_judge_who_leaves_or_steps_back_makes_room_for_another(
    game: Game, act: Take, called: Receipt, rival: Player, third: Player
) -> None:
    act(rival, "games.leave")
    assert only_case(game).judge == third
    act(third, "cases.recuse", case=1)
    assert only_case(game).judge is None
    ends = Assignment.objects.values_list("end", flat=True)
    assert list(ends) == [Assignment.End.LEFT, Assignment.End.RECUSED]


def test_no_case_is_for_who_is_away_and_a_judge_who_goes_away_makes_room(
    game: Game, act: Take, called: Receipt, rival: Player, third: Player
) -> None:
    act(third, "games.away")
    act(rival, "games.away")
    assert only_case(game).judge is None
    assert list(Assignment.objects.values_list("end", flat=True)) == [Assignment.End.AWAY]
    act(third, "games.back")
    assert only_case(game).judge == third
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_the_office_assigns_where_somebody_holds_it_and_the_system_after_its_days(
    game: Game, act: Take, player: Player, rival: Player, third: Player
) -> None:
    put_in_office(game, "Arbitor", third)
    for _ in range(2):
        act(player, "cases.call", statement=STATEMENT)
    assert not game.entries.filter(name="cases.waits").exists()
    assert "Only the Arbitor" in refused(act, rival, "cases.assign", case=1, judge="Madrid")
    assert "not eligible" in refused(act, third, "cases.assign", case=1, judge="Murphy")
    act(third, "cases.assign", case=1, judge="Gaelan")
    assert Case.objects.get(number=1).judge == third
    assert "is Gaelan's" in refused(act, third, "cases.assign", case=1, judge="Madrid")
    later(game, WEEK + timedelta(hours=1))
    assert Case.objects.get(number=2).judge == rival


def test_what_waits_for_an_office_is_the_systems_when_it_falls_vacant(
    game: Game, act: Take, player: Player, rival: Player, third: Player
) -> None:
    put_in_office(game, "Arbitor", third)
    act(player, "cases.call", statement=STATEMENT)
    act(third, "games.resign_office", office="Arbitor")
    assert only_case(game).judge == rival


def test_a_judge_thinks_again_once_and_others_let_another_judge(
    game: Game, act: Take, called: Receipt, player: Player, rival: Player, third: Player
) -> None:
    judge_it(act, rival)
    assert "for the judge" in refused(act, player, "cases.file", case=1, motion="Reconsider")
    act(rival, "cases.file", case=1, motion="Reconsider")
    assert (only_case(game).verdict, only_case(game).judge) == ("", rival)
    judge_it(act, rival, "TRUE")
    assert "1 time already" in refused(act, rival, "cases.file", case=1, motion="Reconsider")
    filed = act(player, "cases.file", case=1, motion="Moot")
    assert filed.entry.text == (
        "Murphy files “Moot” in Case 1. It is opened again once 2 other players support it."
    )
    assert "ask for that already" in refused(act, player, "cases.file", case=1, motion="Moot")
    filed = act(third, "cases.file", case=1, motion="Moot")
    assert "once 1 other player supports it." in filed.entry.text
    opened = act(rival, "cases.file", case=1, motion="Moot")
    assert "is open again and goes to another judge" in opened.entry.text
    assert only_case(game).judge == third
    texts = CaseText.objects.values_list("verdict", "overturned_by")
    assert list(texts) == [("FALSE", "Reconsider"), ("TRUE", "Moot")]


def test_what_is_for_its_judge_goes_to_another_one_while_they_are_away(
    game: Game, act: Take, called: Receipt, player: Player, rival: Player, third: Player
) -> None:
    judge_it(act, rival)
    act(rival, "games.away", days=5)
    act(player, "cases.file", case=1, motion="Reconsider by support")
    fourth = seat(game, "ais523")
    act(third, "cases.file", case=1, motion="Reconsider by support")
    opened = act(fourth, "cases.file", case=1, motion="Reconsider by support")
    assert opened.entry.text.endswith("is open again and goes to another judge.")
    assert only_case(game).judge in (third, fourth)


def test_a_motion_of_the_rule_comes_too_late_after_its_days(
    game: Game, act: Take, called: Receipt, player: Player, rival: Player
) -> None:
    judge_it(act, rival)
    later(game, WEEK + timedelta(hours=1))
    sentence = refused(act, player, "cases.file", case=1, motion="Reconsider by support")
    assert sentence == "“Reconsider by support” is filed within 7 days of the judgement."
    moot = act(player, "cases.file", case=1, motion="Moot")
    assert "3 other players" in moot.entry.text  # one more for the week that has gone by


def test_all_of_it_can_be_replayed_and_audited(
    game: Game, act: Take, called: Receipt, player: Player, rival: Player, third: Player
) -> None:
    act(third, "cases.argue", case=1, arguments="It runs.", evidence=[{"entry": "1"}, *READS])
    later(game, WEEK + timedelta(hours=1))
    judge_it(act, third, "TRUE", passages=READS)
    act(third, "cases.file", case=1, motion="Reconsider")
    judge_it(act, third, "FALSE", passages=READS)
    act(rival, "games.leave")
    game.refresh_from_db()
    assert replay(game)[1] is None
    assert [finding for finding in audit(game) if finding.wrong] == []


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"statement": "?!"}, "A statement says something"),
        ({"statement": ""}, "Fill this in"),
        ({"statement": "x" * 1001}, "at most 1000 characters"),
        ({"statement": STATEMENT, "barred": "Nobody"}, "is not a player"),
        ({"statement": STATEMENT, "arguments": "*x*" * LONGEST_TEXT}, "at most 50000 characters"),
        ({"statement": STATEMENT, "evidence": [{"entry": "999"}]}, "no entry 999"),
        ({"statement": STATEMENT, "evidence": [{"cases": "1"}]}, "no Case 1 that everybody"),
        ({"statement": STATEMENT, "evidence": [{"documents": "7"}]}, "no Document 7 that every"),
        ({"statement": STATEMENT, "evidence": [{"rule": "Nothing"}]}, "no rule “Nothing”"),
        ({"statement": STATEMENT, "evidence": ["entry 1"]}, "is an object"),
        ({"statement": STATEMENT, "evidence": [{"entry": 1}]}, "is an object"),
        ({"statement": STATEMENT, "evidence": "[" * 5000}, "is an object"),
        (
            {"statement": STATEMENT, "evidence": [{"rule": RULE, "passage": "It may."}]},
            "has no sentence",
        ),
    ],
)
def test_what_is_no_case_is_refused_with_a_sentence(
    act: Take, player: Player, inputs: dict[str, Any], sentence: str
) -> None:
    with pytest.raises((Refused, Malformed), match=sentence):
        act(player, "cases.call", **inputs)
    assert not Case.objects.exists()


def test_evidence_that_not_everybody_may_see_is_refused_as_what_is_not_there(
    game: Game, act: Take, player: Player, rival: Player
) -> None:
    """Also to who may see it, since the record would tell of it."""
    with at_the_table(game) as table:
        table.rules.enact(title="Hidden", text="It is hidden.", visibility="secret")
    letter = {"kind": "Letter", "title": "To Madrid", "text": "Between us."}
    act(player, "documents.seal", **letter, readers="Madrid")
    for evidence in ({"rule": "Hidden"}, {"rule": "Hidden", "passage": "It is hidden."}):
        sentence = refused(act, player, "cases.call", statement=STATEMENT, evidence=[evidence])
        assert sentence == "There is no rule “Hidden” in force."
    for number in ("1", "2"):
        evidence = [{"documents": number}]
        sentence = refused(act, player, "cases.call", statement=STATEMENT, evidence=evidence)
        assert sentence.startswith(f"There is no Document {number} that everybody may see")
    evidence = [{"ponies": "1"}]
    sentence = refused(act, player, "cases.call", statement=STATEMENT, evidence=evidence)
    assert sentence.startswith("“ponies” is no kind of evidence: name an entry, a rule, or one of ")
    assert not Case.objects.exists()


def test_nobody_argues_in_a_case_more_than_its_page_bears(
    act: Take, called: Receipt, third: Player
) -> None:
    for _ in range(MOST_ARGUMENTS):
        act(third, "cases.argue", case=1, arguments="It stands.")
    assert "which is the most" in refused(act, third, "cases.argue", case=1, arguments="Again.")


def test_a_dignity_alone_makes_nobody_an_officer(
    game: Game, act: Take, player: Player, rival: Player
) -> None:
    amend(game, "| Called by | players |", "| Called by | officers |")
    with at_the_table(game) as table:
        for office in ("Emperor", "Herald"):
            table.office(office)
    put_in_office(game, "Emperor", player)
    put_in_office(game, "Herald", rival)
    assert "called by officers" in refused(act, player, "cases.call", statement=STATEMENT)
    act(rival, "cases.call", statement=STATEMENT)


def test_a_case_about_itself_is_a_case_like_others(
    game: Game, act: Take, player: Player, rival: Player
) -> None:
    act(player, "cases.call", statement="Case 1 is judged FALSE.")
    judge_it(act, rival, "DISMISS")
    assert only_case(game).verdict == "DISMISS"


def test_nobody_calls_more_than_the_rule_says_in_a_week(
    game: Game, act: Take, player: Player
) -> None:
    for _ in range(5):
        act(player, "cases.call", statement=STATEMENT)
    assert "more than 5 cases a week" in refused(act, player, "cases.call", statement=STATEMENT)
    later(game, WEEK)
    act(player, "cases.call", statement=STATEMENT)


def test_without_its_rule_nothing_is_judged_and_it_goes_on_when_the_rule_is_back(
    game: Game, act: Take, called: Receipt, rival: Player
) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(CASES)
        table.rules.repeal(CASES)
    assert "not in force" in refused(act, rival, "cases.judge", case=1, verdict="TRUE", reasons="x")
    later(game, 2 * WEEK)
    assert only_case(game).judge == rival
    with at_the_table(game) as table:
        table.rules.enact(title=CASES, text=text)
    judge_it(act, rival)


def test_verdicts_are_those_of_the_rule_in_force(
    game: Game, act: Take, called: Receipt, rival: Player
) -> None:
    amend(game, "| DISMISS |", "| MU |")
    with pytest.raises(Malformed, match="not a verdict"):
        judge_it(act, rival, "DISMISS")
    judge_it(act, rival, "MU")


def test_a_table_that_cannot_be_read_is_played_as_it_was(
    game: Game, act: Take, called: Receipt, rival: Player
) -> None:
    amend(
        game,
        "| FALSE | the statement was false, by facts or by the rules | TRUE |",
        "| FALSE | it is | NO |",
    )
    judge_it(act, rival, "FALSE")
    assert only_case(game).verdict == "FALSE"


def test_who_is_to_judge_is_told_and_finds_it_among_what_waits(
    game: Game, act: Take, called: Receipt, player: Player, rival: Player, visit: Any
) -> None:
    told = Outgoing.objects.filter(text__startswith="Case 1 is yours to judge")
    assert [row.to for row in told] == [[rival.pk]]
    home = visit(rival).get("/g/table/").content.decode()
    assert "/g/table/cases/1/judge/" in home
    (deadline,) = THE_CASES.deadlines(glance(game))
    assert deadline.to == {rival.pk}
    judge_it(act, rival)
    assert Outgoing.objects.get(text__startswith="Madrid judges Case 1").to == [player.pk]
    assert list(THE_CASES.deadlines(glance(game))) == []


def test_the_desk_of_the_office_has_what_waits_for_it(
    game: Game, act: Take, player: Player, rival: Player, third: Player
) -> None:
    put_in_office(game, "Arbitor", third)
    act(player, "cases.call", statement=STATEMENT)
    duties = list(AssignersDesk().duties(glance(game)))
    assert [duty.title for duty in duties] == ["Assign Case 1"]
    amend(game, "| Assigned by | Arbitor |", "| Assigned by | turns |")
    game.refresh_from_db()
    assert not AssignersDesk().is_on(game)


def seat_bot(game: Game) -> Player:
    """Let a practice player have a seat."""
    with at_the_table(game) as table:
        return sit_down(table, None, "Robin", bot=True)


def test_a_practice_player_judges_what_it_is_to_judge(
    game: Game, act: Take, player: Player
) -> None:
    bot = seat_bot(game)
    act(player, "cases.call", statement=STATEMENT)
    assert only_case(game).judge == bot
    assert take_first(bot, partial(BOTS.practice, chance=Random(1)))
    assert only_case(game).verdict in ("TRUE", "FALSE")


def test_an_act_of_an_office_that_is_done_for_its_holder_counts_as_an_officers(
    game: Game, act: Take, player: Player, rival: Player, third: Player
) -> None:
    put_in_office(game, "Arbitor", third)
    row = "| cases.assign | players | on behalf of the Arbitor | |"
    with at_the_table(game) as table:
        head = "| Act | Who | How | Days |\n| --- | --- | --- | --- |"
        table.rules.enact(title="Clerks", text=f"Clerks help.\n\n{head}\n{row}\n")
        table.follow_the_rules()
    act(player, "cases.call", statement=STATEMENT)
    assigned = {"case": 1, "judge": "Madrid", "on_behalf_of": third.name}
    entry = act(rival, "behalf.cases.assign", **assigned).entry
    assert [*made_by_officers(game, "cases.assign")] == [entry]
    assert not made_by_officers(game, but=("cases.",)).filter(seq=entry.seq).exists()


def test_of_two_judgements_at_one_moment_one_counts(
    game: Game, act: Take, player: Player, rival: Player
) -> None:
    act(player, "cases.call", statement=STATEMENT)
    judge = Case.objects.get(number=1).judge
    first = {"case": 1, "verdict": "TRUE", "reasons": "So."}
    act(judge, "cases.judge", **first)
    said = refused(act, judge, "cases.judge", **{**first, "verdict": "FALSE"})
    assert "Case 1 is judged TRUE: only a motion opens it again." in said
    assert Case.objects.get(number=1).verdict == "TRUE"
