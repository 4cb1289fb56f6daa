"""What programs make that can be owned, and what they let happen day by day."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.programs.declarations import declared_in
from nomic.engine.programs.hooks import stubs
from nomic.engine.programs.running import programs_at
from nomic.engine.programs.sandbox import problem_in, types_in
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import is_sound
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take

SHELLS = """
currency("shell", "shells")
thing("Old Boat")

@action("dig", "Dig")
def dig(me: Player):
    give(me, 2, "shell")
    if not any(balance(each, "Old Boat") for each in players()):
        give(me, 1, "Old Boat")

@every("day")
def tide():
    for player in players():
        take(player, 1, "shell")
"""


TITHE = """
@action("tithe", "Tithe")
def tithe(me: Player):
    give("Agora", 3, "shell")
    pay("Agora", 1, "shell", to="Lost and Found")
    if balance("Agora", "shell") > 5:
        take("Agora", 1, "shell")
"""


def owned(game: Game, name: str) -> dict[str, int]:
    rows = Balance.objects.filter(holder__game=game, asset__name=name, is_mint=False, amount__gt=0)
    return dict(rows.values_list("holder__name", "amount"))


@pytest.mark.thorough
def test_what_is_declared_can_be_owned_and_stays(
    game: Game, player: Player, rival: Player, act: Take, adopt: Adopt
) -> None:
    adopt(SHELLS)
    for _ in range(2):
        act(player, "rule.coins.dig")
    act(rival, "rule.coins.dig")
    assert owned(game, "shell") == {"Murphy": 4, "Madrid": 2}
    assert owned(game, "Old Boat") == {"Murphy": 1}
    advance(game.slug, WEDNESDAY + timedelta(days=3))
    days = game.entries.filter(name="rule.day")
    assert [entry.at.hour for entry in days] == [0, 0, 0]
    assert owned(game, "shell") == {"Murphy": 1}
    adopt("")
    assert owned(game, "shell") == {"Murphy": 1}
    game.refresh_from_db()
    advance(game.slug, WEDNESDAY + timedelta(days=6))
    assert days.count() == 3
    adopt(SHELLS)
    assert game.assets.filter(name="shell").count() == 1
    is_sound(game)


@pytest.mark.parametrize(("body", "reads"), [("give", False), ("take", True)])
def test_what_is_given_needs_no_look_at_what_everybody_has(
    rich: Game, adopt: Adopt, body: str, reads: bool
) -> None:
    adopt(f'@every("week")\ndef f():\n    {body}("Murphy", 1, "coin")')
    table = glance(rich)
    programs = programs_at(table)
    with CaptureQueriesContext(connection) as seen:
        done = programs.call(programs.all[0], "f", "f", {})
    assert [move[2] for move in done.moves] == [1]
    assert any("ledger_balance" in each["sql"] for each in seen) is reads


@pytest.mark.parametrize("way", ["sorted(players(), key=held)[-1]", "max(players(), key=held)"])
def test_players_are_put_in_order_by_what_they_have(
    rich: Game, player: Player, act: Take, adopt: Adopt, way: str
) -> None:
    adopt(
        'def held(player):\n    return balance(player, "coin")\n'
        f'@action("best", "Who is best")\ndef best(me: Player):\n    say({way})'
    )
    act(player, "tiny.pay", coins=1, to="Madrid")
    assert act(player, "rule.coins.best").entry.text == "“Coins” says: “Madrid”"
    is_sound(rich)


def test_a_name_that_is_taken_stays_what_it_is(
    rich: Game, player: Player, act: Take, adopt: Adopt
) -> None:
    adopt('thing("coin")\n@action("more", "More")\ndef more(me: Player):\n    give(me, 5, "coin")')
    act(player, "rule.coins.more")
    assert owned(rich, "coin")["Murphy"] == 15
    is_sound(rich)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('currency("shell")', "takes 2 texts"),
        ('currency("shell", 3)', "are texts, as they are"),
        ('thing("")', "one line of text"),
        ('thing("7")', "called by at most 40 letters"),
        ('thing("<b>")', "called by at most 40 letters"),
        (f'thing("{"x" * 41}")', "called by at most 40 letters"),
        ("def later():\n    thing('Boat')", "in a line of its own, at the margin"),
        ('boat = thing("Boat")', "in a line of its own, at the margin"),
    ],
)
def test_what_cannot_be_declared_says_why(line: str, told: str) -> None:
    problem = declared_in(f"{line}\n").problem
    assert problem is not None
    assert told in str(problem)
    assert problem_in(line) is None


def test_departments_own_as_players_do(game: Game, player: Player, act: Take, adopt: Adopt) -> None:
    assert types_in(TITHE, stubs()) is None
    assert types_in(TITHE.replace('give("Agora"', 'give("Agoria"'), stubs()) is not None
    adopt(SHELLS + TITHE)
    for _ in range(3):
        act(player, "rule.coins.tithe")
    assert owned(game, "shell") == {"Agora": 5, "Lost and Found": 3}
    is_sound(game)
