"""Programs that cannot be read, that hold the game up, and workers that die: it goes on."""

import os
import signal
from datetime import UTC, datetime, timedelta

import psutil
import pytest

from nomic.engine.programs import sandbox
from nomic.engine.programs.descriptions import added
from nomic.engine.programs.host_functions import Questions
from nomic.engine.programs.sandbox import ENGINE
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import is_sound
from nomic.engine.programs.views import drawings
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take

UNREADABLE = (
    "def f(:\n    pass",
    "@action\ndef f(me: Player):\n    pass",
    '@action("f", "F")\ndef f():\n    pass',
    '@action("f", "F")\ndef f(me: Player, *more):\n    pass',
    '@action("f", "F")\ndef f(me: Player, x: float):\n    pass',
    '@action("f", "F {x}")\ndef f(me: Player):\n    pass',
    '@action("f", "F {x:>99999999}")\ndef f(me: Player, x: int):\n    pass',
    '@action("f", "F {x!r}")\ndef f(me: Player, x: int):\n    pass',
    '@action("f", "F {me.__class__}")\ndef f(me: Player):\n    pass',
    '@action("f", "F {")\ndef f(me: Player):\n    pass',
    '@action("F f", "F")\ndef f(me: Player):\n    pass',
    '@action("f", "F" * 9)\ndef f(me: Player):\n    pass',
    '@action("f", "F", title=name)\ndef f(me: Player):\n    pass',
    '@action("f", "F", odd="x")\ndef f(me: Player):\n    pass',
    '@action("f", "F")\nclass f:\n    pass',
    '@action("f", "F")\nasync def f(me: Player):\n    pass',
    'def g():\n    @action("f", "F")\n    def f(me: Player):\n        pass',
    '@action("f", "F")\ndef f(me: Player, x: int = -1):\n    pass',
    '@action("f", "F")\ndef f(me: Player, key: int):\n    pass',
    '@action("f", "F")\ndef f(me: Player):\n    pass\n'
    '@action("f", "G")\ndef g(me: Player):\n    pass',
    '@action("f", "F")\ndef f(me: Player):\n    pass\n@view("F")\ndef f():\n    pass',
    '@every("hour")\ndef f():\n    pass',
    '@action("f", "F")\ndef f(me: Player):\n    currency("gold", "gold")',
    '@every("week")\ndef f(x):\n    pass',
    '@before("tiny.pay")\ndef f(x):\n    pass',
    '@view("F")\ndef f(x):\n    pass',
    '@view("F\\n")\ndef f():\n    pass',
    "@view('F')\ndef f():\n    pass\n" + "x = '" + "x" * 21_000 + "'",
    "\n".join(f'@view("{n}")\ndef f{n}(): pass' for n in range(110)),
    "x = " + "(" * 500 + ")" * 500 + '\n@view("F")\ndef f(): pass',
)


@pytest.mark.thorough
def test_a_program_that_cannot_be_read_adds_nothing_and_says_why(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    wrong = []
    for week, program in enumerate(UNREADABLE, 1):
        adopt(program)
        found = added(glance(rich), rich.rules.get().pk)
        if found is not None:
            adds = [found.actions, found.appointments, found.hooks, found.views]
            if found.problem is None or adds != [[]] * 4:
                wrong.append(program)
        act(player, "tiny.pay", coins=1, to="Madrid")
        advance(rich.slug, WEDNESDAY + timedelta(weeks=week))
    assert wrong == []
    is_sound(rich)


def test_what_a_program_shows_of_others_programs_names_is_text(rich: Game, adopt: Adopt) -> None:
    adopt(
        '@view("<script>")\ndef shown():\n'
        '    return table(["<b>"], [["<i>" * 99, 10**400, None, True]] * 5000)'
    )
    [drawing] = drawings(glance(rich))
    assert drawing.wrong or len(drawing.rows) <= 100


@pytest.mark.parametrize(
    "count",  # one after the other they would hold it for more than the seconds below
    [
        pytest.param(20, marks=pytest.mark.thorough),
        pytest.param(50, marks=pytest.mark.slow),  # a second each in the replay
    ],
)
def test_programs_in_all_do_not_hold_the_game(
    count: int, rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    endless = '@after("tiny.pay")\ndef late_{n}():\n    while True: pass\n'
    adopt("\n".join(endless.format(n=n) for n in range(count)))
    began = datetime.now(UTC)
    entry = act(player, "tiny.pay", coins=1, to="Madrid").entry
    assert datetime.now(UTC) - began < timedelta(seconds=1.5)
    assert len({each["what"] for each in entry.outcome["programs"]["failed"]}) == count
    is_sound(rich)


def test_a_worker_that_is_killed_in_the_middle_is_replaced(
    rich: Game, player: Player, act: Take, adopt: Adopt, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt('@action("throw", "Throw")\ndef throw(me: Player):\n    say(f"It is {roll(6)}.")')
    killed: list[int] = []
    answer = Questions.answer

    def kill_once(self: Questions, what: str, *which: object) -> object:
        found = answer(self, what, *which)
        if not killed:
            for worker in psutil.Process().children():
                killed.append(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)
        return found

    sandbox.close_shared()
    monkeypatch.setattr(Questions, "answer", kill_once)
    assert act(player, "rule.coins.throw").entry.text.startswith("“Coins” says: “It is ")
    assert killed
    is_sound(rich)


def test_another_engine_is_told_apart_from_tampering(
    rich: Game, player: Player, act: Take, adopt: Adopt, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt('@action("say", "Say")\ndef speak(me: Player):\n    say("one")')
    monkeypatch.setattr("nomic.engine.programs.running.ENGINE", "another 0.1")
    act(player, "rule.coins.say")
    monkeypatch.undo()
    assert replay(Game.objects.get(pk=rich.pk))[1] is None
    monkeypatch.setattr(
        "nomic.engine.programs.host_functions.line_of", lambda said: str(said).upper()
    )
    difference = replay(Game.objects.get(pk=rich.pk))[1]
    assert f"ran in another 0.1 then, and in {ENGINE} now" in str(difference)
