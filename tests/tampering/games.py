"""Games that have been played a little: at least one of each preset, and some in which
sealed acts were opened."""

from __future__ import annotations

from datetime import timedelta

from aceofspades.tests import stage
from aceofspades.tests.asking import do
from aceofspades.tests.reckoned import adopt, reckon
from bench.simulate import Simulation
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.games.presets import PRESETS
from nomic.operations.setup import advance, new_game
from settlers.tests import sealed as isle
from tests.kit import WEDNESDAY, seat

SLUG = "table"


def visited() -> Game:
    """The Thug has been to the isle twice; his first visit's bribes are open."""
    game = isle.thugs_isle()
    visit = isle.thugs_visit(game, Murphy={"wheat": 2}, Madrid={"stone": 3})
    for _ in range(2):
        isle.produce(game)
    isle.act(game, "snail", "settlers.open_visit", visit=visit.number)
    isle.thugs_visit(game, Alexia={"wheat": 1})
    return game


def reckoned() -> Game:
    """A contest of three, with a private regulation, an alliance and a gift, has been reckoned."""
    game = new_game(SLUG, "ace-of-spades", pace="manual", start=WEDNESDAY)[0]
    stage.open_the_contest(game)
    murphy, madrid, alexia = three = [seat(game, each) for each in ("Murphy", "Madrid", "Alexia")]
    stage.join(game, *three)
    adopt(game, three, 500, "Nobody knows what it says.", "private")
    for one, other in ((murphy, madrid), (madrid, murphy)):
        do(one, "ally", others=[other.name])
    do(alexia, "transfer", to=murphy.name, cards={next(iter(stage.hand_of(game, alexia))): 1})
    reckon(game)
    return game


def voted_in_secret() -> Game:
    """Votes that nobody saw while voting lasted have been opened, and the next ones are not."""
    game = new_game(SLUG, "b-nomic-5e33", pace="manual", start=WEDNESDAY)[0]
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
    seen = "| While voting lasts | yes |"
    text = game.rules.get(title="Voting").text.replace(seen, seen.replace("yes", "no"))
    take(game.slug, None, "rulebook.amend", {"rule": "Voting", "text": text, "reason": "secrecy"})
    for number in (1, 2):
        body = f"Murphy wins spoon {number}."
        take(game.slug, murphy, "proposals.submit", {"title": f"Spoons {number}", "body": body})
        advance(game.slug, WEDNESDAY + timedelta(days=12 * number - 4))
        for player, choice in ((murphy, "FOR"), (madrid, "AGAINST")):
            take(game.slug, player, "proposals.vote", {"proposal": number, "choice": choice})
        if number == 1:
            advance(game.slug, WEDNESDAY + timedelta(days=12))
    return game


SIMULATED = {**{preset: (preset, 5) for preset in PRESETS}, "another demo": ("demo", 11)}
SEALED = {"a visit": visited, "a contest": reckoned, "a secret vote": voted_in_secret}
GAMES = (*SIMULATED, *SEALED)


def played(which: str) -> Game:
    """The game that was played at random for two weeks, by its preset and seed, or that one in
    which sealed acts were opened."""
    if which in SEALED:
        game = SEALED[which]()
    else:
        preset, seed = SIMULATED[which]
        simulation = Simulation(SLUG, preset, players=3, seed=seed)
        simulation.play(2)
        game = simulation.game
    return Game.objects.get(pk=game.pk)
