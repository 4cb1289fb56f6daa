"""Programs that are changed, come back, change what they stand in, or show a million rows."""

import os
import signal
from datetime import UTC, datetime
from typing import Any

import psutil
import pytest

from nomic.engine.models import AppointmentStatus, ProgramState
from nomic.engine.outcomes import Refused
from nomic.engine.programs import running, sandbox, views
from nomic.engine.programs.declarations import carried_in, declared_in
from nomic.engine.programs.descriptions import added_by
from nomic.engine.programs.host_functions import Questions
from nomic.engine.programs.in_force import programs_of
from nomic.engine.programs.sandbox import Limits
from nomic.engine.programs.tests.conftest import Adopt, block
from nomic.engine.programs.tests.test_programs import WAGES, coins, is_sound
from nomic.engine.programs.views import drawings
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import Take, at_the_table

MONDAY = datetime(2026, 3, 9, 1, tzinfo=UTC)
ACTION = '@action("{0}", "Go")\ndef go(me: Player):\n    say("{1}")\n'


def waiting(game: Game) -> list[str]:
    """What programs let happen, and is still to come."""
    return list(
        game.appointments.filter(
            kind__startswith="rule.", status=AppointmentStatus.WAITING
        ).values_list("subject", flat=True)
    )


def enact(game: Game, title: str, program: str) -> None:
    """A further rule with that program."""
    with at_the_table(game) as table:
        table.rules.enact(title, block(program))


# Amended between its appointment and its moment


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("amended", "left", "each_has"),
    [
        (WAGES.replace("wages", "salaries"), ["coins.salaries"], 13),
        (WAGES.replace('"week"', '"month"'), ["coins.wages"], 11),
        (WAGES.replace("wages():", "wages(:"), [], 11),
        (WAGES.replace("give(", "nothing("), ["coins.wages"], 11),
        ("", [], 11),
    ],
)
def test_what_counts_is_the_program_at_the_moment_and_it_happens_once(
    rich: Game, adopt: Adopt, amended: str, left: list[str], each_has: int
) -> None:
    adopt(WAGES)
    adopt(amended)
    assert waiting(rich) == left
    advance(rich.slug, MONDAY)
    rich.refresh_from_db()
    assert rich.state == "running"
    assert coins(rich) == {"Murphy": each_has, "Madrid": each_has}
    is_sound(rich)


# Its own rule, while it runs


def test_a_program_that_runs_while_its_rule_is_amended_ends_as_it_began(
    rich: Game, adopt: Adopt
) -> None:
    hook = '@after("rulebook.amend")\ndef amended(event: Event):\n    say("It is {0} still.")\n'
    adopt(hook.format("the first"))
    adopt(hook.format("the second"))
    adopt("")
    adopt("x = 1")
    told = [entry.text for entry in rich.entries.filter(name="rulebook.amend").order_by("seq")]
    assert [text.rpartition("It is ")[2] for text in told[-3:-1]] == [
        "the first still.”",
        "the second still.”",
    ]
    assert "still" not in told[-1]
    is_sound(rich)


# Names


def test_two_rules_may_name_an_action_alike(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt(ACTION.format("go", "one"))
    enact(rich, "Other", ACTION.format("go", "two"))
    assert act(player, "rule.coins.go").entry.text == "“Coins” says: “one”"
    assert act(player, "rule.other.go").entry.text == "“Other” says: “two”"


@pytest.mark.thorough
def test_a_newer_rule_takes_no_name_from_an_older_one(game: Game, player: Player) -> None:
    enact(game, "The lottery!", ACTION.format("go", "one"))
    enact(game, "The Lottery", ACTION.format("go", "two"))
    game.refresh_from_db()
    keys = {each.rule.title: each.key for each in programs_of(glance(game).rules.public)}
    assert keys == {"The lottery!": "the-lottery", "The Lottery": "the-lottery-2"}
    said = take(game.slug, player, "rule.the-lottery.go").entry.text
    assert said == "“The lottery!” says: “one”"


def test_rules_that_stand_at_one_thing_are_told_with_their_order(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    hook = '@before("tiny.pay")\ndef no():\n    refuse("No, says {0}.")\n'
    decide = '@decide("horses.gain")\ndef gain():\n    return 1\n'
    adopt(hook.format("Coins") + decide)
    with at_the_table(rich) as table:
        table.rules.enact("Ten", block(hook.format("Ten") + decide), number="10")
        table.rules.enact("Nine", block(hook.format("Nine")), number="9")
    rich.refresh_from_db()
    told = {each.rule: each.together for each in added_by(glance(rich))}
    before = "Before tiny.pay come, in this order: “Nine”, “Ten”, “Coins”."
    decided = "“Ten” decides horses.gain; “Coins” does where what it decides does not fit."
    assert told == {"Nine": [before], "Ten": [before, decided], "Coins": [before, decided]}
    with pytest.raises(Refused, match="No, says Nine"):
        act(player, "tiny.pay", coins=1, to="Madrid")


# Many rows


@pytest.mark.parametrize(
    ("shown", "more"),
    [
        ('table(["A", "B"], [[1, 2]] * 10**5)', 10**5 - 100),
        ("series([1, 2] * 10**5)", 2 * 10**5 - 100),
        ('table(["A"] * 10**6, [])', 0),
        ("bars({n: n for n in range(9999)})", 9899),
        ("track({n: n for n in range(101)}, 9)", 1),
    ],
)
def test_of_many_rows_some_are_shown_and_the_rest_is_counted(
    rich: Game, adopt: Adopt, shown: str, more: int
) -> None:
    adopt(f'@view("Much")\ndef much():\n    return {shown}\n')
    [drawing] = drawings(glance(Game.objects.get(pk=rich.pk)))
    assert (drawing.wrong, drawing.more) == ("", more)
    assert max(len(drawing.headings), len(drawing.rows), len(drawing.bars)) <= 100


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ('table(["A", "B"], [[1, 2]] * 10**6)', "16 MiB of memory"),
        ('table(["A"], [["x" * n] for n in range(10**6)])', "16 MiB of memory"),
        ('{"kind": "table", "headings": [], "rows": [], "all": 10**30}', "made of such things"),
        ('{"kind": "table", "headings": [], "rows": [], "all": "1"}', "made of such things"),
        ('{"kind": "table", "headings": [], "rows": [[1]], "all": 0}', "made of such things"),
    ],
)
def test_a_view_of_a_million_rows_or_of_what_cannot_be_says_so(
    rich: Game, adopt: Adopt, shown: str, why: str
) -> None:
    adopt(f'@view("Much")\ndef much():\n    return {shown}\n')
    [drawing] = drawings(glance(Game.objects.get(pk=rich.pk)))
    assert why in drawing.wrong


# Much on one page

_WIDE = """
def much():
    return table(["A"] * 12, [['"' * 60] * 12] * 100)
"""


def test_of_a_wide_view_as_many_rows_are_shown_as_have_room(
    rich: Game, adopt: Adopt, settings: Any
) -> None:
    adopt(f'@view("Much"){_WIDE}')
    [drawing] = drawings(glance(rich))
    assert 0 < len(drawing.rows) < 10
    assert drawing.more == 100 - len(drawing.rows)
    assert drawing.bytes <= 26_000
    settings.BOUNDS = {"view_kilobytes": 1000, "views_kilobytes": 1000}
    views._KEPT.clear()
    [drawing] = drawings(glance(rich))
    assert (len(drawing.rows), drawing.more) == (100, 0)


def test_of_many_views_a_page_shows_the_first_and_says_where_the_others_are(
    rich: Game, adopt: Adopt, settings: Any
) -> None:
    row = f'table(["A"], [["{"x" * 50}"]] * 10)'
    adopt("".join(f'@view("V{n}")\ndef v{n}():\n    return {row}\n' for n in range(30)))
    *shown, last = drawings(glance(rich))
    each = shown[0].bytes
    settings.BOUNDS = {"views_kilobytes": 10 * each / 1000}
    *shown, last = drawings(glance(rich))
    assert len(shown) == 10
    assert last.wrong == "On the pages of their rules stand 20 more of what programs show."
    rule = rich.rules.get(title="Coins")
    *_, last = drawings(glance(rich), rule.pk)
    assert last.wrong == "This page has no room for 20 more of what programs show."
    settings.BOUNDS = {"views_kilobytes": (10 * each - 1) / 1000}
    assert len(drawings(glance(rich))) == 10


# A worker process that is killed


@pytest.fixture
def killing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each worker is killed as soon as it asks; who was, and how many still may be."""
    killed: list[int] = []
    answer = Questions.answer

    def kill(self: Questions, what: str, *which: object) -> object:
        found = answer(self, what, *which)
        for worker in psutil.Process().children():
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)
        return found

    sandbox.close_shared()
    monkeypatch.setattr(Questions, "answer", kill)
    return killed


def test_where_every_worker_is_killed_each_way_in_says_so_and_the_game_goes_on(
    rich: Game, player: Player, act: Take, adopt: Adopt, killing: list[int]
) -> None:
    body = '    give("Murphy", roll(6), "coin")\n'
    adopt(
        f'@action("go", "Go")\ndef go(me: Player):\n{body}'
        f'@every("week")\ndef wages():\n{body}'
        f'@after("tiny.pay")\ndef tip():\n{body}'
        f'@view("Players")\ndef shown():\n    return table(["A"], [[p] for p in players()])\n'
    )
    in_vain = act(player, "rule.coins.go")
    assert in_vain.was_in_vain
    assert "The sandbox could not go on with it" in in_vain.entry.text
    entry = act(player, "tiny.pay", coins=1, to="Madrid").entry
    [failed] = entry.outcome["programs"]["failed"]
    assert (failed["sentence"], failed["late"]) == ("The sandbox could not go on with it.", 1)
    [drawing] = drawings(glance(Game.objects.get(pk=rich.pk)))
    assert "The sandbox could not go on with it" in drawing.wrong
    advance(rich.slug, MONDAY)
    rich.refresh_from_db()
    assert rich.state == "running"
    assert "comes to nothing" in rich.entries.get(name="rule.week").text
    assert coins(rich) == {"Murphy": 10, "Madrid": 12}
    assert len(killing) >= 4
    assert ProgramState.objects.get().failures.keys() == {"go", "tip after tiny.pay", "wages"}


def test_what_was_killed_then_replays_though_nothing_is_killed_now(
    rich: Game,
    player: Player,
    act: Take,
    adopt: Adopt,
    killing: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adopt('@after("tiny.pay")\ndef tip(me: Player):\n    give(me, roll(6), "coin")\n')
    act(player, "tiny.pay", coins=1, to="Madrid")
    assert killing
    monkeypatch.undo()
    sandbox.close_shared()
    is_sound(rich)


# Replayed on another machine, in another hour


def test_a_replay_gives_what_ended_by_itself_more_time_and_memory_is_not_tried_again(
    rich: Game, player: Player, act: Take, adopt: Adopt, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt(
        '@after("tiny.pay")\ndef tip(me: Player):\n    give(me, roll(6), "coin")\n'
        '@after("tiny.pay")\ndef much():\n    state["x"] = len("x" * 20_000_000)\n'
    )
    entry = act(player, "tiny.pay", coins=1, to="Madrid").entry
    [failed] = entry.outcome["programs"]["failed"]
    assert "16 MiB of memory" in failed["sentence"]
    monkeypatch.setattr(running, "SECONDS", running.SECONDS / 5)
    monkeypatch.setattr(running, "Limits", lambda: Limits(seconds=0.02, memory=64 * 2**20))
    is_sound(rich)


@pytest.mark.parametrize("terms", [1_500, 3_000])
def test_a_declaration_that_is_nested_too_deeply_is_told(terms: int) -> None:
    """However deep what reads it may go."""
    words = " + ".join(['"a"'] * terms)
    source = f'@action("go", {words})\ndef go():\n    pass\n# carries out: {{words}}\n'
    assert "nested too deeply" in str(declared_in(source).problem)
    assert carried_in(source) is not None
