"""docs/programs.md: every example in it is right, and can be in a rule of a game."""

import re
from pathlib import Path

import pytest

from nomic.engine.actions import all_actions
from nomic.engine.events import all_events
from nomic.engine.programs import prelude
from nomic.engine.programs.additions import KINDS
from nomic.engine.programs.declarations import declared_in
from nomic.engine.programs.hooks import all_decisions, all_happenings, is_needed, is_open, stubs
from nomic.engine.programs.sandbox import problem_in, types_in
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import is_sound
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take

PAGE = (Path(__file__).parents[4] / "docs/programs.md").read_text()
NEEDED = {True: "action, never refused", False: "action"}
OWN = tuple(KINDS.values())
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_is_right(example: str) -> None:
    assert declared_in(example).problem is None
    assert declared_in(example)
    assert problem_in(example) is None
    assert types_in(example, stubs()) is None


@pytest.mark.thorough
def test_all_examples_are_played_together(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    # A contract's program has parties, which a rule's has not (contracts/tests/test_powers.py).
    adopt(
        "\n".join(example for example in EXAMPLES if "parties()" not in example).replace(
            "rule.301", "rule.coins"
        )
    )
    act(player, "rule.coins.wave", player="Madrid", times=1)
    entry = act(player, "rule.coins.paint", what="the fence", twice=True).entry
    assert entry.text == "“Coins” says: “Murphy paints the fence red, with 2 coats.”"
    advance(rich.slug, WEDNESDAY.replace(month=4, day=2))
    assert rich.entries.filter(name="rule.month", text__endswith="says grace.”").exists()
    assert not rich.entries.filter(outcome__programs__has_key="failed").exists()
    is_sound(rich)


def test_the_page_lists_every_decision() -> None:
    for each in all_decisions():
        takes = ", ".join(f"{name}: {kind}" for name, kind in each.takes.items())
        assert f"| `{each.name}` | `{takes}` | `{each.gives}`: " in PAGE


def test_the_page_lists_all_that_a_program_may_run_before_or_after() -> None:
    acts = [act for act in all_actions() if is_open(act) and "tests" not in type(act).__module__]
    events = [each for each in all_events() if "tests" not in each.handler.__module__]
    lines = [
        *(f"`{act.name}` | {act.title} | {NEEDED[is_needed(act)]}" for act in acts),
        *(f"`{each.kind}` | {each.title} | event" for each in events if each.kind not in OWN),
        *(
            f"`{each.name}` | {each.about} | within an event, `@after` only"
            for each in all_happenings()
        ),
    ]
    listed = PAGE.partition("| action or event |")[2].split("\n\n")[0].splitlines()[2:]
    assert sorted(listed) == sorted(f"| {line} |" for line in lines)


def test_every_row_of_a_table_on_the_page_stands_in_one() -> None:
    """A row behind an empty line would be shown as text, but for the first, which has headings."""
    tables = re.findall(r"\n\n(\|.*?)(?=\n\n)", PAGE, re.DOTALL)
    assert tables
    assert [table for table in tables if not table.split("\n")[1].startswith("| ---")] == []


def test_the_page_names_every_function() -> None:
    names = set(re.findall(r"^def (\w+)\(", stubs(), re.MULTILINE))
    assert [name for name in sorted(names) if f"{name}(" not in PAGE] == []
    known = {*names, "now", "state", "Player", "Inputs", "Event", "Literal"}
    assert known <= set(re.findall(r'"(\w+)"', prelude.AROUND))
