"""What programs cause at one act: bounds met exactly, passed by one, by a thousand; replayed."""

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.programs import running
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import coins, is_sound
from nomic.engine.requests import CAME_TO_NOTHING
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from nomic.record.models import Entry
from tests.kit import WEDNESDAY, Take

_BODIES = {
    "rolls": "for turn in range({n}): roll(1000)",
    "moves": "for turn in range({n}): give('Murphy', 1, 'coin' + ['', 'a', 'b', 'c', 'd'][turn])",
    "sentences": "for turn in range({n}): say('Well.')",
}
_ASSETS = "".join(f'currency("coin{each}", "coins{each}")\n' for each in "abcd")
_WHERE = ("action", "event", "before", "after")
_MANY = 5  # the bound that each is tried with
_SAID = {"rolls": "rolls", "moves": "movements of assets", "sentences": "sentences"}


def program(where: str, body: str) -> str:
    heads = {
        "action": '@action("act", "Act")\ndef f(me: Player):',
        "event": '@every("day")\ndef f():',
        "before": '@before("tiny.pay")\ndef f():',
        "after": '@after("tiny.pay")\ndef f():',
    }
    return f"{_ASSETS}{heads[where]}\n    {body}"


def bounded(game: Game, **most: int) -> None:
    for name, figure in most.items():
        told = {"bound": name, "most": figure, "reason": "a test"}
        take(game.slug, None, "games.set_bound", told)
    game.refresh_from_db()


def made(game: Game, player: Player, act: Take, where: str, day: int) -> Entry:
    """The entry in which a program of `program` has run there, on that day of the game."""
    if where == "event":
        advance(game.slug, WEDNESDAY + timedelta(days=day))
        return game.entries.filter(name="rule.day").latest("seq")
    if where == "action":
        return act(player, "rule.coins.act").entry
    return act(player, "tiny.pay", coins=1, to="Madrid").entry


@pytest.mark.parametrize("where", _WHERE)
def test_what_meets_a_bound_exactly_happens(
    rich: Game, player: Player, act: Take, adopt: Adopt, where: str
) -> None:
    for day, (bound, body) in enumerate(_BODIES.items(), 1):
        bounded(rich, **{bound: _MANY})
        adopt(program(where, body.format(n=_MANY)))
        entry = made(rich, player, act, where, day)
        assert "failed" not in entry.outcome["programs"]
        told = {
            "rolls": sum("roll" in effect for effect in entry.effects),
            "moves": sum(
                "coin" in move[1] for effect in entry.effects for move in effect.get("moves", ())
            )
            // 2,
            "sentences": entry.text.count("Well."),
        }
        assert told[bound] == _MANY + (bound == "moves" and where in ("before", "after")), bound
    is_sound(rich)


@pytest.mark.parametrize("where", _WHERE)
def test_what_passes_a_bound_by_one_comes_to_nothing(
    rich: Game, player: Player, act: Take, adopt: Adopt, where: str
) -> None:
    for day, (bound, body) in enumerate(_BODIES.items(), 1):
        bounded(rich, **{bound: _MANY - 1})
        adopt(program(where, body.format(n=_MANY)))
        before = coins(rich)
        said = (
            f"What programs do at one act has at most {_MANY - 1} {_SAID[bound]},"
            f" and this would be {_MANY}"
        )
        if where == "action" and bound != "rolls":
            with pytest.raises(Refused, match=said):
                made(rich, player, act, where, day)
            assert coins(rich) == before
            continue
        entry = made(rich, player, act, where, day)
        assert said in str(entry.outcome["programs"]["failed"])
        assert entry.name == CAME_TO_NOTHING or where != "action"
        if where in ("before", "after"):
            paid = {"Murphy": before["Murphy"] - 1, "Madrid": before["Madrid"] + 1}
            assert coins(rich) == paid, bound
    is_sound(rich)


@pytest.mark.parametrize(
    ("bound", "body"),
    [
        ("rolls", "for turn in range(999): roll(1000)"),
        (
            "moves",
            "for turn in range(999): give(['Murphy', 'Madrid'][turn % 2], 1, 'coin')",
        ),
        ("program_bytes", "state['x'] = 'x' * 60_000"),
    ],
)
def test_what_passes_a_bound_by_a_thousand_times_comes_to_nothing(
    rich: Game, player: Player, act: Take, adopt: Adopt, bound: str, body: str
) -> None:
    bounded(rich, **{bound: {"program_bytes": 60}.get(bound, 1)})
    adopt(program("after", body))
    entry = act(player, "tiny.pay", coins=1, to="Madrid").entry
    assert "has at most" in str(entry.outcome["programs"]["failed"])
    assert coins(rich) == {"Murphy": 9, "Madrid": 11}
    is_sound(rich)


def test_all_calls_at_one_act_count_together(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    bounded(rich, rolls=5)
    adopt(
        "\n".join(
            f'@{when}("tiny.pay")\ndef f{n}():\n    for turn in range(2): roll(6)'
            for n, when in enumerate(["before", "before", "after", "after"])
        )
    )
    entry = act(player, "tiny.pay", coins=1, to="Madrid").entry
    told = entry.outcome["programs"]
    assert told["ran"] == ["coins f0 before tiny.pay", "coins f1 before tiny.pay"]
    assert [each["what"] for each in told["failed"]] == ["f2 after tiny.pay", "f3 after tiny.pay"]
    is_sound(rich)


def test_the_calls_of_one_act_are_bounded_and_what_fails_so_is_told_once(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    bounded(rich, calls=3)
    adopt("\n".join(f'@after("tiny.pay")\ndef f{n}():\n    say("{n}")' for n in range(5)))
    told = act(player, "tiny.pay", coins=1, to="Madrid").entry.outcome["programs"]
    assert len(told["ran"]) == 3
    assert [each["what"] for each in told["failed"]] == ["f3 after tiny.pay", "f4 after tiny.pay"]
    assert all(
        "at most 3 calls, and this would be 4" in each["sentence"] for each in told["failed"]
    )
    is_sound(rich)


@pytest.mark.parametrize(
    ("bound", "head"),
    [
        ("program_events", '@every("day")\ndef f{n}(): pass'),
        ("program_actions", '@action("f{n}", "F")\ndef f{n}(me: Player): pass'),
        ("program_hooks", '@after("tiny.pay")\ndef f{n}(): pass'),
        ("program_views", '@view("F{n}")\ndef f{n}(): return bars({{}})'),
        ("program_assets", 'currency("c{n}", "cs{n}")'),
    ],
)
def test_what_programs_declare_is_bounded_and_what_is_there_stays(
    rich: Game, adopt: Adopt, bound: str, head: str
) -> None:
    def declaring(many: int) -> str:
        heads = [head.format(n="abcdefgh"[turn]) for turn in range(many)]
        return "\n".join([f"# {many}", *heads])

    bounded(rich, **{bound: 4})
    adopt(declaring(4))
    with pytest.raises(Refused, match=r"A rulebook has at most 4 .*, and this would be 5"):
        adopt(declaring(5))
    bounded(rich, **{bound: 2})
    adopt(declaring(4) + "\n# amended")
    adopt(declaring(3))
    with pytest.raises(Refused, match="at most 2"):
        adopt(declaring(4))
    is_sound(rich)


@pytest.mark.parametrize("where", _WHERE)
def test_what_is_asked_of_the_game_is_bounded(
    rich: Game, player: Player, act: Take, adopt: Adopt, where: str
) -> None:
    bounded(rich, questions=5)
    body = "try:\n        for turn in range({}): state_of('Coins')\n    except Exception: pass"
    said = "at most 5 questions to the game, and this would be 6"
    for day, (asks, fails) in enumerate([(5, False), (6, True), (999, True)], 1):
        adopt(program(where, body.format(asks)))
        if where == "action" and fails:
            with pytest.raises(Refused, match=said):
                made(rich, player, act, where, day)
        else:
            told = made(rich, player, act, where, day).outcome["programs"]
            assert (said in str(told.get("failed"))) == fails, asks
    is_sound(rich)


def test_what_calls_ask_counts_together_though_some_fail(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    bounded(rich, questions=5)
    hook = (
        '@after("tiny.pay")\ndef f{n}():\n    for turn in range(2): state_of("Coins")\n    {end}\n'
    )
    adopt("".join(hook.format(n=n, end=end) for n, end in enumerate(["pass", "1 / 0", "pass"])))
    told = act(player, "tiny.pay", coins=1, to="Madrid").entry.outcome["programs"]
    assert told["ran"] == ["coins f0 after tiny.pay"]
    assert "ZeroDivision" in told["failed"][0]["sentence"]
    assert "at most 5 questions" in told["failed"][1]["sentence"]
    is_sound(rich)


def test_a_call_that_is_late_has_thrown_its_dice_also_where_the_record_is_played_again(
    rich: Game, player: Player, act: Take, adopt: Adopt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "SECONDS", 2.0)  # on any machine enough for both
    bounded(rich, rolls=5)
    adopt(
        '@before("tiny.pay")\ndef late():\n    roll(6)\n    roll(6)\n    while True: pass\n'
        '@after("tiny.pay")\ndef f():\n    for turn in range(4): roll(6)'
    )
    told = act(player, "tiny.pay", coins=1, to="Madrid").entry.outcome["programs"]
    late, more = told["failed"]
    assert (late["late"], late["rolled"]) == (1, 2)
    assert "at most 5 rolls" in more["sentence"]
    is_sound(rich)


def test_movements_between_the_same_two_are_recorded_as_one(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    bounded(rich, moves=2)
    body = "\n    ".join(
        [
            "for turn in range(400):",
            "    give('Murphy', 3, 'coin')",
            "    pay('Murphy', 2, 'coin', to='Madrid')",
        ]
    )
    adopt(program("action", body))
    entry = act(player, "rule.coins.act").entry
    [moved] = [effect["moves"] for effect in entry.effects if "moves" in effect]
    assert sorted(moved) == [
        ["Madrid", "coin", 800],
        ["Mint", "coin", -1200],
        ["Murphy", "coin", -800],
        ["Murphy", "coin", 1200],
    ]
    assert coins(rich) == {"Murphy": 410, "Madrid": 810}
    is_sound(rich)


def test_what_rules_keep_in_mind_counts_once_however_often_it_is_written(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    bounded(rich, program_bytes=2_000)
    hook = '@after("tiny.pay")\ndef f{n}():\n    state["x"] = "{n}" * {size}'
    adopt("\n".join(hook.format(n=n, size=600) for n in range(5)))
    told = act(player, "tiny.pay", coins=1, to="Madrid").entry.outcome["programs"]
    assert len(told["ran"]) == 5
    adopt(hook.format(n=9, size=1_900))
    told = act(player, "tiny.pay", coins=1, to="Madrid").entry.outcome["programs"]
    assert "at most 2,000 bytes" in told["failed"][0]["sentence"]
    is_sound(rich)
