"""Programs of the gallery with anything changed in them: the game goes on, and replays."""

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from keyword import iskeyword

import pytest

from nomic.engine.actions import offers
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.programs.checking import check
from nomic.engine.programs.declarations import declared_in, program_in
from nomic.engine.programs.descriptions import added_by
from nomic.engine.programs.gallery import gallery
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import is_sound
from nomic.engine.programs.views import drawings
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take

COINS = [("coin", "coins"), ("coin", "coins")]
PROGRAMS = [program_in(piece.for_currencies(COINS)) for piece in gallery()]
_TOKEN = re.compile(r"f?\"[^\"\n]*\"|\w+|[=!<>]=|//|\n *|[^\w\s]| +")
_ODD = (
    *("0", "-1", "10**30", "None", '""', "me", "state", "players()", "roll(6)", "{}", "[]", "now"),
    *("give", "1.5", '"<script>"', "refuse('No.')", "float('nan')", "[players()] * 99", "(1, 2)"),
    *("state_of('Coins')", "record(5)", "True", "table([], [])", "print", "int"),
)
_SIGNS = ("+", "-", "*", "//", "%", "==", "!=", "<", ">", ">=", "**", "and", "or", "in", "not in")
_BREAKING = ("(", ":", "not ", "while True:\n        ", "\n", "    ", "@", '"', "del ", "lambda: ")


def mutations(seed: int, count: int) -> Iterator[str]:
    """So many programs of the gallery, each with one to three things in it changed, and another
    than the one before it."""
    chance, before = random.Random(seed), ""
    while count:
        program = chance.choice(PROGRAMS)
        for _ in range(chance.randint(1, 3)):
            program = chance.choice((_with_another_token,) * 4 + (_with_another_line,))(
                program, chance
            )
        if program.strip() != before:
            yield program
            before, count = program.strip(), count - 1


def _with_another_token(program: str, chance: random.Random) -> str:
    """Names, texts and numbers for each other, signs for signs; now and then what breaks it."""
    tokens = _TOKEN.findall(program)
    words = [n for n, token in enumerate(tokens) if re.match(r"\w|f?\"", token)]
    values = [n for n in words if not iskeyword(tokens[n])]
    signs = [n for n, token in enumerate(tokens) if token in _SIGNS]
    kind = chance.randrange(10)
    if kind == 0:
        tokens.insert(chance.randrange(len(tokens)), chance.choice(_BREAKING))
    elif kind < 4 and signs:
        tokens[chance.choice(signs)] = chance.choice(_SIGNS)
    else:
        others = (chance.choice(_ODD), tokens[chance.choice(values)])
        tokens[chance.choice(values)] = chance.choice(others)
    return "".join(tokens)


def _with_another_line(program: str, chance: random.Random) -> str:
    """A line is left out, done twice, or done elsewhere."""
    lines = program.split("\n")
    moved = lines[chance.randrange(len(lines))]
    at = chance.randrange(len(lines))
    lines[at : at + chance.randrange(2)] = chance.choice(([], [moved], [lines[at], lines[at]]))
    return "\n".join(lines)


def play(game: Game, players: tuple[Player, ...], act: Take, chance: random.Random) -> None:
    """Let each player try each action that there is, with some inputs."""
    inputs = {"player": "Madrid", "amount": 2, "price": 1, "number": 1}
    for player in players:
        for offer in list(offers(glance(game), player)):
            if offer.action.name.startswith("rule."):
                chosen = {
                    each: inputs.get(each, chance.randint(0, 3)) for each in offer.form.fields
                }
                with suppress(Refused, Malformed):
                    act(player, offer.action.name, **chosen)


def is_unharmed(
    rich: Game, players: tuple[Player, ...], act: Take, adopt: Adopt, seed: int, count: int
) -> None:
    chance = random.Random(seed)
    for week, program in enumerate(mutations(seed, count), 1):
        declared_in(program)
        adopt(program)
        play(rich, players, act, chance)
        check([each.source for each in added_by(glance(rich))], seconds=60, private=True)
        drawings(glance(Game.objects.get(pk=rich.pk)))
        advance(rich.slug, WEDNESDAY + week * timedelta(days=7))
        rich.refresh_from_db()
        assert rich.state == "running"
    is_sound(rich)


@pytest.mark.thorough
@pytest.mark.brief
@pytest.mark.parametrize("seed", range(2))
def test_twenty_mutations_of_the_gallery(
    rich: Game, player: Player, rival: Player, act: Take, adopt: Adopt, seed: int
) -> None:
    is_unharmed(rich, (player, rival), act, adopt, seed, 10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_two_thousand_mutations_of_the_gallery(
    rich: Game, player: Player, rival: Player, act: Take, adopt: Adopt, seed: int
) -> None:
    is_unharmed(rich, (player, rival), act, adopt, seed, 50)
