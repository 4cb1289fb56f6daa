"""The races by vote alone are the races that are built in.

In one game a proposal of seven rules with programs is adopted, in another one the seven rules that
the program plays by itself, both at the same moment and in games that had no races. From then on
the same players try the same acts at the same moments in both, and each week the horses' positions,
places and pulls, who owns them, all balances and all points are the same, and each act that one
game refuses the other one does as well.

Chance is the same by this: the races that are built in throw their own dice, in their own way, and
the programs' `roll` is given what these came to, in the same order, if they throw a die with as
many sides. So both decide for themselves what is thrown, when, and what comes of it; only the
numbers on the dice are shared, which two games with seeds of their own could not have in common.
The system motivates no horses for the Horsened, an office that the game without the races has not.
"""

import json
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from horses.api import horses_state
from horses.rulebook import shipped_texts
from nomic.dice import roller
from nomic.dice.seeds import roll
from nomic.engine.models import ProgramState
from nomic.engine.outcomes import Refused
from nomic.engine.programs import running
from nomic.engine.programs.gallery import races
from nomic.engine.programs.sandbox import Limits
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.ledger.models import Balance
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.models import Proposal
from proposals.web.examples import programmed
from proposals.web.preview.preview import preview
from tests.kit import WEDNESDAY, seat

WEEK = timedelta(days=7)
PLAYERS = ("Madrid", "Murphy", "snail")
HORSES = ("Alexia", "Baxter", "Cannon", "Destructor", "Fargo", "Nacho", "Rubert", "Sugar")
ASSETS = ("dollary", "hoof", "points", *HORSES)
BUILT_IN = "\n\n".join(
    f"Enact a new rule titled “{title}” with the following text:\n{{\n{text}\n}}"
    for title, text in shipped_texts().items()
)
BY_PROGRAM = {  # what the acts are called by the program of which rule
    "bet": "8825.bet",
    "get_jersey": "8825.get_jersey",
    "get_helmet": "8825.get_helmet",
    "buy": "8825.buy",
    "nudge": "8825.nudge",
    "gain_dollaries": "8825.gain",
    "transfer": "8821.hand_over",
    "motivate": "8824.motivate",
    "cannon_power": "8826.cannon",
    "destructor_power": "8826.destructor",
    "fargo_power": "8826.fargo",
    "nacho_power": "8826.nacho",
    "rubert_power": "8826.rubert",
    "sugar_power": "8826.sugar",
}


@dataclass
class SharedDice:
    """What the dice of one game came to, which the other one's come to as well."""

    source: str
    thrown: deque[tuple[int, int]] = field(default_factory=deque)

    def __call__(self, seed: bytes, words: Sequence[object], options: int) -> int:
        if words[0] == self.source:
            value = roll(seed, words, options)
            self.thrown.append((options, value))
            return value
        sides, value = self.thrown.popleft()
        assert sides == options
        return value


def adopted(slug: str, body: str) -> Game:
    """A game without races in which that has just been adopted."""
    game = new_game(slug, "agora-proposals", pace="manual", start=WEDNESDAY)[0]
    game.settings = {**game.settings, "horses.motivate_for_the_horsened": False}
    game.save(update_fields=["settings"])
    for name in PLAYERS:
        seat(game, name)
    take(slug, game.players.get(name="Murphy"), "proposals.submit", {"body": body})
    for name in PLAYERS:
        vote = {"proposal": 1, "choice": "FOR"}
        take(slug, game.players.get(name=name), "proposals.vote", vote)
    advance(slug, WEDNESDAY + 2 * WEEK)
    proposal = Proposal.objects.get(game=game)
    assert proposal.passed
    assert not proposal.errands.exists()
    game.refresh_from_db()
    return game


def tried(game: Game, name: str, act: str, inputs: dict[str, Any]) -> bool:
    """Whether the game lets that player do it."""
    try:
        take(game.slug, game.players.get(name=name), act, inputs)
    except Refused as refused:
        why = refused.refusal
    else:
        return True
    assert why.code != "program_failed", why.sentence
    return False


def owned(game: Game) -> dict[tuple[str, str], int]:
    """All that players have of what the races are about."""
    rows = Balance.objects.filter(
        holder__game=game, holder__player__isnull=False, asset__name__in=ASSETS, amount__gt=0
    )
    return {
        (name, asset): amount
        for name, asset, amount in rows.values_list("holder__name", "asset__name", "amount")
    }


def horses_of(game: Game) -> dict[str, tuple[int, int, list[str]]]:
    """Position, place and pulls of each horse."""
    kept = ProgramState.objects.filter(rule__game=game, rule__title="The Stable").first()
    if kept is None:
        shown = horses_state(glance(game), None)
        assert shown is not None
        return {
            name: (each["position"], each["place"] or 0, sorted(each["pulls"]))
            for name, each in shown["horses"].items()
        }
    return {
        name: (each["at"], each["place"], sorted(each["pulls"]))
        for name, each in json.loads(kept.state)["horses"].items()
    }


def a_choice(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Something to do at the races, with what it takes."""
    what = chance.choice([name for name in BY_PROGRAM if name != "motivate"])
    horse, other, third = (chance.choice(HORSES) for _ in range(3))
    inputs: dict[str, Any] = {"horse": horse}
    if what in ("gain_dollaries", "cannon_power"):
        inputs = {}
    if what in ("bet", "rubert_power"):
        inputs["dollaries"] = chance.choice((1, 2, 3))
    if what == "get_jersey":
        inputs["added_pull"] = other
    if what == "nacho_power":
        inputs |= {"pulling_horse": other, "added_pull": third}
    if what == "nudge":
        inputs["direction"] = chance.choice(("forward", "forward", "back"))
    if what == "transfer":
        inputs["to"] = chance.choice(PLAYERS)
    weekly = what not in ("cannon_power", "destructor_power", "transfer")
    return what, {**inputs, **({"via_alexia": chance.random() < 0.2} if weekly else {})}


def raced(monkeypatch: pytest.MonkeyPatch, weeks: int) -> tuple[int, int]:
    """Play both games for so many weeks; how many acts were done, and how many races ended."""
    both = adopted("built-in", BUILT_IN), adopted("by-vote", races().as_proposed())
    take("by-vote", both[1].players.get(name="snail"), "rule.8821.line_up")
    monkeypatch.setattr(roller, "roll", SharedDice(both[0].identity))
    # What its answers take of a processor says more about the machine than about races.
    monkeypatch.setattr(running, "SECONDS", 60.0)
    monkeypatch.setattr(running, "Limits", lambda: Limits(seconds=10.0, asking=60.0))
    chance, done, ended = random.Random(8822), 0, 0
    for week in range(weeks):
        motivates = chance.choice((*PLAYERS, ""))
        acts = [(name, *a_choice(chance)) for name in PLAYERS for _ in range(4)]
        acts += [(motivates, "motivate", {})] * bool(motivates or week % 8)
        for name, what, inputs in acts:
            name = name or "snail"
            were = [
                tried(both[0], name, f"horses.{what}", inputs),
                tried(both[1], name, f"rule.{BY_PROGRAM[what]}", inputs),
            ]
            assert were[0] == were[1], (week, name, what, inputs)
            done += were[0]
        for game in both:
            advance(game.slug, WEDNESDAY + (3 + week) * WEEK)
        failed = both[1].entries.filter(outcome__programs__has_key="failed")
        assert [each.outcome["programs"]["failed"] for each in failed] == []
        assert horses_of(both[0]) == horses_of(both[1]), week
        assert owned(both[0]) == owned(both[1]), week
        ended += "The race ends" in both[0].entries.filter(name="horses.run").last().text
    return done, ended


@pytest.mark.thorough
@pytest.mark.brief
def test_races_by_vote_alone_are_the_built_in_ones(monkeypatch: pytest.MonkeyPatch, db: None):
    done, _ended = raced(monkeypatch, 4)
    assert done > 10


@pytest.mark.slow
def test_so_they_are_over_sixty_weeks(monkeypatch: pytest.MonkeyPatch, db: None):
    done, ended = raced(monkeypatch, 60)
    assert done > 150  # some 210, by luck
    assert ended > 1


def test_the_composer_offers_them_as_they_can_be_proposed(db: None):
    game = new_game("bare", "agora-proposals", pace="manual", start=WEDNESDAY)[0]
    author = seat(game, "Murphy")
    offered = {each.does: each.written for each in programmed(glance(game))}
    found = preview(game, author, offered["Horse Races"], {})
    assert [change.done for change in found.changes] == [True] * 7
    assert (found.warnings, found.unread) == ((), ())
    told = " ".join(each.sentence for each in found.consequences)
    assert "Dollaries can be owned." in told
    assert "The action “Bet on a horse”" in told
    races_too = new_game("races", "agora", pace="manual", start=WEDNESDAY)[0]
    assert "Horse Races" not in {each.does for each in programmed(glance(races_too))}


@pytest.mark.thorough
def test_with_dice_of_their_own_they_pass_audit_and_replay(db: None):
    game = adopted("by-vote", races().as_proposed())
    take("by-vote", game.players.get(name="snail"), "rule.8821.line_up")
    for week in range(2):
        tried(game, "Murphy", "rule.8825.gain", {})
        tried(game, "Madrid", "rule.8824.motivate", {})
        advance("by-vote", WEDNESDAY + (3 + week) * WEEK)
    game.refresh_from_db()
    assert [each for each in audit(game) if each.wrong] == []
    assert replay(game)[1] is None
