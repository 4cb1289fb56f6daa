"""The dice that programs throw: nobody learns what they show and has nothing done."""

import pytest

from nomic.dice.models import Roll
from nomic.engine.models import ProgramState
from nomic.engine.outcomes import Refused
from nomic.engine.programs import running
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import coins, is_sound
from nomic.engine.requests import CAME_TO_NOTHING
from nomic.games.models import Game, Player
from tests.kit import Take

UNTOUCHED = {"Murphy": 10, "Madrid": 10}
ENDS = [
    ("refuse(str(n))", "“Coins” refuses it: “{n}”"),
    (
        "pay(me, 100 + n, 'coin')",
        "“Coins” refuses it: “This costs 10{n} coins, and Murphy has 10.”",
    ),
    (
        "raise ValueError(str(n))",
        "The program of this rule fails, and nothing is done: ValueError: {n}"
        " (line 12, column 11).",
    ),
]


def action(body: str) -> str:
    return (
        '@action("throw", "Throw")\ndef throw(me: Player):\n    n = roll(6)\n'
        f"    state['n'] = n\n    {body}"
    )


@pytest.mark.parametrize(("end", "said"), ENDS)
def test_who_rolls_and_gets_nothing_has_had_that_roll(
    rich: Game, player: Player, act: Take, adopt: Adopt, end: str, said: str
) -> None:
    adopt(action(end))
    receipt = act(player, "rule.coins.throw", key="k")
    entry = receipt.entry
    [cast] = Roll.objects.filter(period__game=rich, entry=entry.seq)
    told = said.format(n=cast.option)
    assert (entry.name, entry.actor, entry.rule) == (CAME_TO_NOTHING, player, "Coins")
    assert entry.inputs == {"action": "rule.coins.throw", "given": {}}
    assert entry.text == f"“Throw” comes to nothing: {told}"
    assert (receipt.was_in_vain, receipt.private_sentence) == (True, "")
    assert entry.outcome["programs"]["rolled"] == {"program 1.1": 6}
    assert coins(rich) == UNTOUCHED
    assert "n" not in ProgramState.objects.values_list("state", flat=True)
    assert act(player, "rule.coins.throw", key="k").entry == entry
    assert act(player, "rule.coins.throw").entry.seq == entry.seq + 1
    is_sound(rich)


@pytest.mark.parametrize("end", ["refuse('No.')", "while True: pass"])
def test_what_is_rolled_before_an_act_that_is_refused_stays_too(
    rich: Game, player: Player, act: Take, adopt: Adopt, end: str
) -> None:
    adopt(
        '@before("tiny.pay")\ndef toll(me: Player):\n    n = roll(2)\n'
        '    pay(me, n, "coin")\n    say(str(n))\n'
        f'@before("tiny.pay")\ndef no():\n    roll(3)\n    {end}'
    )
    receipt = act(player, "tiny.pay", coins=10, to="Madrid")
    entry = receipt.entry
    assert (entry.name, receipt.was_in_vain) == (CAME_TO_NOTHING, True)
    assert entry.inputs == {"action": "tiny.pay", "given": {"coins": 10, "to": "Madrid"}}
    rolled = Roll.objects.filter(period__game=rich, entry=entry.seq)
    assert set(rolled.values_list("label", flat=True)) == {"program 1.1", "program 2.1"}
    assert coins(rich) == UNTOUCHED
    is_sound(rich)


def test_why_a_built_in_act_is_refused_then_its_actor_alone_is_told(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt('@before("tiny.pay")\ndef toll(me: Player):\n    pay(me, roll(2), "coin")')
    receipt = act(player, "tiny.pay", coins=10, to="Madrid")
    assert receipt.entry.text == "“Pay coins” comes to nothing: it is refused."
    assert "You have" in receipt.private_sentence
    is_sound(rich)


def test_a_roll_of_a_program_that_was_late_is_replayed_though_it_does_not_run_again(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(action("while True: pass"))
    entry = act(player, "rule.coins.throw").entry
    assert entry.text.endswith(
        f"nothing is done: It takes longer than {running.Limits().seconds} s."
    )
    assert Roll.objects.filter(period__game=rich, entry=entry.seq).count() == 1
    [failure] = ProgramState.objects.get().failures.values()
    assert failure["entry"] == entry.seq
    is_sound(rich)


def test_a_refusal_before_any_roll_leaves_no_entry(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt('@action("throw", "Throw")\ndef throw(me: Player):\n    refuse("No.")\n    roll(6)')
    last = rich.last_entry
    with pytest.raises(Refused, match=r"No\."):
        act(player, "rule.coins.throw")
    rich.refresh_from_db()
    assert rich.last_entry == last
