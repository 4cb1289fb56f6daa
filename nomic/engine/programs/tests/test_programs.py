"""Rules that carry programs: what they add is like what is built in, and replays."""

from datetime import UTC, datetime

import pytest

from nomic.engine.actions import find_action, offers
from nomic.engine.catch_up import catch_up
from nomic.engine.models import AppointmentStatus, ProgramState
from nomic.engine.outcomes import Malformed, Refused, UnknownAction
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.table import glance
from nomic.engine.tests.tiny import COIN, COINS
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from tests.kit import Take, words_of_program

WAVE = """
@action("wave", "Wave at {player} {times} times", price="1 coin")
def wave(me: Player, player: Player, times: int = 1):
    if times > 3:
        refuse("Nobody waves more than three times.")
    pay(me, 1, "coin")
    give(player, times, "coin")
    state[player] = state.get(player, 0) + times
    say(f"{me} waves at {player}.")
"""
WAGES = """
@every("week")
def wages():
    for player in players():
        give(player, 2, "coin")
"""


def coins(game: Game) -> dict[str, int]:
    rows = Balance.objects.filter(holder__game=game, asset__name=COIN, is_mint=False)
    return dict(rows.values_list("holder__name", "amount"))


def is_sound(game: Game) -> None:
    game.refresh_from_db()
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


# Actions


def test_an_action_of_a_program_is_taken_like_any_other(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(WAVE)
    entry = act(player, "rule.coins.wave", player="Madrid", times=2).entry
    assert entry.text == "“Coins” says: “Murphy waves at Madrid.”"
    assert (entry.rule, entry.actor) == (COINS, player)
    assert entry.inputs == {"player": "Madrid", "times": 2}
    assert coins(rich) == {"Murphy": 9, "Madrid": 12}
    assert entry.outcome["programs"]["engine"].startswith("pydantic-monty ")
    assert ProgramState.objects.get().state == '{"Madrid": 2}'
    is_sound(rich)


def test_what_is_left_out_is_its_default(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(WAVE)
    assert act(player, "rule.coins.wave", player="Madrid").entry.inputs["times"] == 1


def test_what_a_program_refuses_changes_nothing(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(WAVE)
    with pytest.raises(Refused) as refused:
        act(player, "rule.coins.wave", player="Madrid", times=4)
    sentence = "“Coins” refuses it: “Nobody waves more than three times.”"
    assert refused.value.refusal.sentence == sentence
    assert refused.value.refusal.rule == COINS
    with pytest.raises(Malformed):
        act(player, "rule.coins.wave", player="nobody")
    assert coins(rich) == {"Murphy": 10, "Madrid": 10}


def test_who_cannot_pay_is_refused_with_what_it_costs(
    game: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(WAVE)
    with pytest.raises(Refused, match="This costs 1 coin, and Murphy has 0"):
        act(player, "rule.coins.wave", player="Murphy")


def test_a_refusal_that_is_caught_is_one_all_the_same(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(
        '@action("try", "Try")\ndef attempt(me: Player):\n    try:\n        refuse("No.")\n'
        '    except RuntimeError:\n        pass\n    give(me, 5, "coin")'
    )
    with pytest.raises(Refused, match=r"No\."):
        act(player, "rule.coins.try")


def test_the_same_key_gives_the_first_receipt_also_after_the_program_is_gone(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(WAVE)
    first = act(player, "rule.coins.wave", key="k", player="Madrid")
    adopt("")
    again = act(player, "rule.coins.wave", key="k", player="Madrid")
    assert (again.repeated, again.entry) == (True, first.entry)
    with pytest.raises(UnknownAction):
        act(player, "rule.coins.wave", player="Madrid")


def test_an_action_of_a_program_is_offered_with_its_form(
    rich: Game, player: Player, adopt: Adopt
) -> None:
    adopt(WAVE)
    found = {offer.action.name: offer for offer in offers(glance(rich), player)}
    offer = found["rule.coins.wave"]
    assert offer.allowed
    assert offer.form.schema()["required"] == ["player"]
    assert offer.action.price(glance(rich), None, {}) == "1 coin"
    assert find_action("rule.coins.wave", glance(rich)) is offer.action


# What fails


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1 // 0", "division by zero (line 10, column 12)"),
        ("while True: pass", "It takes longer than 0.1 s"),
        ("state['x'] = 'x' * 70000", "The state of a rule takes at most 64 KiB"),
        ("give(me, 1, 'gold')", "This game has no asset gold"),
        ("give('nobody', 1, 'coin')", "Nobody in this game is called nobody"),
        ("give(me, -1, 'coin')", "An amount is a whole number"),
        ("give(me, 2, 'the Cup')", "There is one the Cup only"),
        ("[give(me, 1, 'coin') for x in range(1001)]", "moves at most 1,000 times"),
        ("return wave(me)", "more than 63 deep"),
        ("return 'x' * 10**9", "16 MiB of memory"),
        ("open('/etc/passwd')", "fails"),
        ("state[1] = {1, 2}", "fails"),
        ("ask('balances', 'coin')", "name 'ask' is not defined"),
    ],
)
def test_a_fault_refuses_the_action_with_rule_and_line(
    rich: Game, player: Player, act: Take, adopt: Adopt, body: str, said: str
) -> None:
    adopt(f'@action("wave", "Wave")\ndef wave(me: Player):\n    {body}')
    with pytest.raises(Refused) as refused:
        act(player, "rule.coins.wave")
    assert refused.value.refusal.code == "program_failed"
    assert said in refused.value.refusal.sentence
    assert refused.value.refusal.rule == COINS
    assert coins(rich) == {"Murphy": 10, "Madrid": 10}


# Appointments


def test_what_a_program_lets_happen_each_week_happens_once(rich: Game, adopt: Adopt) -> None:
    adopt(WAGES)
    [waiting] = rich.appointments.filter(kind="rule.week", status=AppointmentStatus.WAITING)
    assert (waiting.subject, waiting.due) == ("coins.wages", datetime(2026, 3, 9, tzinfo=UTC))
    advance(rich.slug, datetime(2026, 3, 9, 1, tzinfo=UTC))
    catch_up(rich.pk)
    assert coins(rich) == {"Murphy": 13, "Madrid": 13}  # and one by the built-in rule
    entry = rich.entries.get(name="rule.week")
    assert (entry.text, entry.rule) == ("“Wages” of “Coins” happens.", COINS)
    is_sound(rich)


@pytest.mark.thorough
def test_an_amendment_before_the_moment_counts_and_a_repeal_ends_it(
    rich: Game, adopt: Adopt
) -> None:
    adopt(WAGES)
    adopt(WAGES.replace("2", "5"))
    advance(rich.slug, datetime(2026, 3, 9, 1, tzinfo=UTC))
    assert coins(rich)["Murphy"] == 16
    adopt("")
    assert not rich.appointments.filter(kind="rule.week", status=AppointmentStatus.WAITING).exists()
    advance(rich.slug, datetime(2026, 3, 17, tzinfo=UTC))
    assert coins(rich)["Murphy"] == 17
    is_sound(rich)


def test_an_event_that_fails_is_told_and_the_game_goes_on(rich: Game, adopt: Adopt) -> None:
    adopt(WAGES + "    state['x'] = 1 // 0\n")
    advance(rich.slug, datetime(2026, 3, 9, 1, tzinfo=UTC))
    rich.refresh_from_db()
    assert rich.state == "running"
    assert coins(rich)["Murphy"] == 11
    entry = rich.entries.get(name="rule.week")
    assert entry.text.startswith("“Wages” of “Coins” comes to nothing: ZeroDivisionError")
    [failure] = ProgramState.objects.get().failures.values()
    assert (failure["entry"], failure["version"]) == (entry.seq, 2)
    is_sound(rich)


def test_what_took_too_long_replays_though_nothing_takes_long_then(
    rich: Game, adopt: Adopt
) -> None:
    adopt(WAGES + "    while True: pass\n")
    advance(rich.slug, datetime(2026, 3, 9, 1, tzinfo=UTC))
    [failed] = rich.entries.get(name="rule.week").outcome["programs"]["failed"]
    assert failed["late"] == 1
    is_sound(rich)


# Hooks


def test_a_hook_before_an_action_refuses_it(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(
        '@before("tiny.pay")\ndef only_the_poor(me: Player, inputs: Inputs):\n'
        '    if balance(me, "coin") >= inputs["coins"] * 2:\n        refuse("Give more.")'
    )
    with pytest.raises(Refused, match="Give more"):
        act(player, "tiny.pay", coins=5, to="Madrid")
    act(player, "tiny.pay", coins=6, to="Madrid")
    is_sound(rich)


def test_a_hook_after_an_action_moves_and_says(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(
        '@after("tiny.pay")\ndef tax(me: Player, event: Event):\n'
        "    say(f\"The tax takes {take(me, 3, 'coin')}.\")"
    )
    entry = act(player, "tiny.pay", coins=8, to="Madrid").entry
    assert entry.text == "Murphy pays 8 coins to Madrid. “Coins” says: “The tax takes 2.”"
    assert coins(rich) == {"Murphy": 0, "Madrid": 18}
    is_sound(rich)


def test_what_a_hook_before_takes_away_cannot_be_paid_any_more(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt('@before("tiny.pay")\ndef toll(me: Player):\n    pay(me, 3, "coin")')
    with pytest.raises(Refused, match="have 7 coins"):
        act(player, "tiny.pay", coins=8, to="Madrid")
    assert coins(rich) == {"Murphy": 10, "Madrid": 10}


def test_hooks_at_events_and_at_a_programs_own_things(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(
        WAVE
        + WAGES
        + """
@before("tiny.week")
def first():
    state["log"] = ["first"]

@after("rule.coins.wages")
def last(event: Event):
    state["log"].append(event.name)

@after("rule.coins.wave")
def waved(me: Player, inputs: Inputs):
    say(str(inputs))
"""
    )
    advance(rich.slug, datetime(2026, 3, 9, 1, tzinfo=UTC))
    assert ProgramState.objects.get().state == '{"log": ["first", "rule.coins.wages"]}'
    entry = act(player, "rule.coins.wave", player="Madrid").entry
    assert entry.text.endswith("{'player': 'Madrid', 'times': 1}”")
    is_sound(rich)


def test_a_hook_that_fails_is_left_out_and_noted(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(
        '@before("tiny.pay")\ndef broken():\n    1 // 0\n'
        '@after("tiny.pay")\ndef late():\n    refuse("Too late.")'
    )
    entry = act(player, "tiny.pay", coins=1, to="Madrid").entry
    assert [each["what"] for each in entry.outcome["programs"]["failed"]] == [
        "broken before tiny.pay",
        "late after tiny.pay",
    ]
    assert coins(rich) == {"Murphy": 9, "Madrid": 11}
    is_sound(rich)


def test_no_program_learns_of_a_private_act(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt('@before("tiny.whisper")\ndef hear(inputs: Inputs):\n    say(inputs["words"])')
    act(player, "tiny.whisper", words="xyzzy")
    assert not rich.entries.filter(text__contains="xyzzy").exists()
    assert not ProgramState.objects.exists()


def test_what_officers_need_to_mend_a_game_no_program_refuses(rich: Game, adopt: Adopt) -> None:
    adopt('@before("rulebook.amend")\ndef never():\n    refuse("Never.")')
    adopt(WAVE)
    assert "wave" in rich.rules.get(title=COINS).text


# Dice, and what is asked


def test_dice_fall_alike_in_a_replay_and_stand_in_the_record(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt('@action("throw", "Throw")\ndef throw(me: Player):\n    say(f"{roll(6)} {roll(6)}")')
    entry = act(player, "rule.coins.throw").entry
    assert rich.dice_periods.get(private=False, closed_in=None).rolls.count() == 2
    assert words_of_program(entry.text).replace(" ", "").isdecimal()
    is_sound(rich)


def test_what_a_program_asks_is_answered(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt("""
from datetime import datetime

@action("ask", "Ask {what}")
def ask_it(me: Player, what: str):
    known = {
        "now": now.isoformat(),
        "clock": datetime.now().isoformat()[:10],
        "rules": rules()[0].title,
        "table": rule_table("Coins", "Coins"),
        "record": record(1)[0].name,
        "office": office("Keeper"),
        "text": rule_text("Coins")[:9],
        "players": players(),
    }
    say(str(known[what]))
""")

    def asked(what: str) -> str:
        return words_of_program(act(player, "rule.coins.ask", what=what).entry.text)

    assert asked("now") == "2026-03-04T12:00:00+00:00"
    assert asked("clock") == "2026-03-04"
    assert asked("rules") == "Coins"
    assert asked("table") == "[{'Coins': '1'}]"
    assert asked("record") == "rule.coins.ask"
    assert asked("office") == "None"
    assert asked("text") == "Each week"
    assert asked("players") == "['Madrid', 'Murphy']"
    is_sound(rich)
