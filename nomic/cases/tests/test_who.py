"""Who calls a case and who judges none (the rule “Cases”): who has left, parties, who called it for
another, several who are barred; and how much of a case is told at once."""

from __future__ import annotations

import pytest

from nomic.cases.models import Case, CaseText
from nomic.cases.rules import CASES
from nomic.cases.subgame import THE_CASES
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from tests.kit import Take, Visitor, seat

STATEMENT = "A horse that stands still has run."


def amend(act: Take, game: Game, old: str, new: str) -> None:
    text = game.rules.get(title=CASES).text
    assert old in text
    act(None, "rulebook.amend", rule=CASES, text=text.replace(old, new), reason="a test")


def judge_of(number: int = 1) -> Player | None:
    return Case.objects.select_related("judge").get(number=number).judge


def test_a_party_of_a_contract_judges_no_case_about_it(
    act: Take, game: Game, player: Player, rival: Player, third: Player
) -> None:
    act(rival, "contracts.make", title="A pool", text="We share what we win.")
    evidence = [{"documents": "1"}]
    act(player, "cases.call", statement=STATEMENT, arguments="See.", evidence=evidence)
    assert judge_of() == third, "Madrid is a party of what was named as evidence"
    act(player, "cases.call", statement="contract 1 binds nobody.")
    assert judge_of(2) == third, "and of what the statement names"
    act(rival, "contracts.leave", contract=1)
    act(player, "cases.call", statement="Contract 1 binds nobody.")
    assert judge_of(3) == rival, "a party that has left it before is none"
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_who_calls_it_on_behalf_of_another_does_not_judge_it(
    act: Take, game: Game, player: Player, rival: Player, third: Player
) -> None:
    row = "| Any act | players | on behalf of whoever lets them | | |"
    table = f"\n| ACT | WHO | HOW | WAITS | LAPSES |\n| --- | --- | --- | --- | --- |\n{row}\n"
    text = game.rules.get(title=CASES).text
    act(None, "rulebook.amend", rule=CASES, text=text + table, reason="a test")
    act(player, "games.let_act", player="Madrid", act="cases.call")
    act(rival, "behalf.cases.call", on_behalf_of="Murphy", statement=STATEMENT)
    assert Case.objects.get().caller == player
    assert judge_of() == third
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_several_are_barred_where_the_rule_lets_them_be(
    act: Take, game: Game, player: Player, rival: Player, third: Player
) -> None:
    both = {"statement": STATEMENT, "barred": "Madrid, Gaelan"}
    with pytest.raises(Refused, match="lets a caller bar 1 player from a case"):
        act(player, "cases.call", **both)
    amend(act, game, "| May bar | 1 |", "| May bar | 2 |")
    fourth = seat(game, "Jason")
    called = act(player, "cases.call", **both).entry
    assert called.text.endswith("Madrid and Gaelan are barred from it.")
    assert judge_of() == fourth
    whole = THE_CASES.item(glance(game), None, "1")
    assert whole is not None
    assert whole["barred"] == ["Madrid", "Gaelan"]
    assert replay(game)[1] is None


def test_who_has_left_calls_one_where_the_rule_lets_anybody(
    act: Take, game: Game, player: Player, rival: Player, third: Player, visit: Visitor
) -> None:
    act(player, "games.leave")
    with pytest.raises(Refused, match="You have left this game"):
        act(player, "cases.call", statement=STATEMENT)
    assert visit(player).get("/g/table/cases/new/").status_code == 302
    amend(act, game, "| Called by | players |", "| Called by | anybody |")
    assert visit(player).get("/g/table/cases/new/").status_code == 200
    act(player, "cases.call", statement=STATEMENT)
    assert Case.objects.get().caller == player
    assert judge_of() == rival
    with pytest.raises(Refused, match="You have left this game"):
        act(player, "cases.argue", case=1, arguments="I mean it.")
    Player.objects.filter(pk=player.pk).update(removed=True)
    with pytest.raises(Refused, match="You have left this game"):
        act(player, "cases.call", statement="Again.")


@pytest.mark.thorough
def test_the_api_tells_so_many_texts_at_once_and_where_the_next_are(
    act: Take, game: Game, player: Player, rival: Player, third: Player
) -> None:
    act(player, "cases.call", statement=STATEMENT)
    case = Case.objects.get()
    facts = {"case": case, "kind": "gratuitous", "by": third, "entry": case.entry}
    CaseText.objects.bulk_create(
        CaseText(**facts, number=number, text="a" * 49_000) for number in range(1, 41)
    )
    numbers, name = list[int](), "1"
    while name:
        whole = THE_CASES.item(glance(game), None, name)
        assert whole is not None
        assert 0 < len(whole["texts"]) < 40
        numbers += [text["number"] for text in whole["texts"]]
        name = whole["further"] or ""
    assert numbers == [*range(1, 41)]
    assert THE_CASES.item(glance(game), None, "1.x") is None


def test_who_lets_a_contract_call_it_for_another_does_not_judge_it(
    act: Take, game: Game, player: Player, rival: Player, third: Player
) -> None:
    rows = "| Act | Who | How | Days |\n| - | - | - | - |\n"
    row = "| cases.call | the contract | on behalf of any party | |\n"
    sues = f'act_for("Murphy", "cases.call", statement="{STATEMENT}")'
    program = f'```python\n@action("sue", "Sue")\ndef sue(me: Player):\n    {sues}\n```\n'
    act(player, "contracts.make", title="A pool", text=f"We sue.\n\n{rows}{row}\n{program}")
    act(rival, "contracts.enter", contract=1)
    act(rival, "contract.1.sue")
    assert Case.objects.get().caller == player
    assert judge_of() == third
