"""Makes the files of this folder: a game of each preset, and some in which what the random ones
seldom come to has happened. It is asked for by its name, and is no test of the suite:

    .venv/bin/python -m nomic.embedded test tests/games/make.py

From 1.0.0 on a file that is here stays as it is, since games of that version have to go on; until
then all are made anew where what is recorded changes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bench.simulate import BEGINS, Simulation
from horses.models import Race
from horses.state import HORSENED
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.take import take
from nomic.games.clock import standing_at, wall_now
from nomic.games.models import Game
from nomic.governance.desks import OFFICER
from nomic.governance.offices import TAKE
from nomic.operations.audit import audit
from nomic.operations.exports import export_game
from nomic.operations.setup import advance, new_game
from proposals.models import Proposal
from tests.kit import WEDNESDAY, seat
from tests.tampering.games import reckoned, visited, voted_in_secret

HERE = Path(__file__).parent
_SIMULATED = (
    *("agora", "agora-proposals", "b-nomic-2006", "b-nomic-5e33", "blognomic", "multa"),
    *("ace-of-spades", "nomic", "demo"),
)
_WEEKS = 30  # at most, until a race has ended
_DAYS = 40  # at most, until a proposal is decided
_CATS = "Enact a new rule titled “Cats” with the following text:\n{\nA cat is furry.\n}"
_LOTTERY = """
Enact a new rule titled “The Lottery” with the following text:
{
Each week a ticket wins what all tickets have cost.

```python
@action("ticket", "Buy a ticket", price="1 hoof")
def ticket(me: Player):
    pay(me, 1, "hoof")
    state.setdefault("tickets", []).append(me)
    say(f"{me} buys a ticket.")

@every("week", title="The lottery is drawn")
def draw():
    tickets = state.get("tickets", [])
    if not tickets:
        say("Nobody has bought a ticket.")
        return
    winner = tickets[roll(len(tickets)) - 1]
    give(winner, len(tickets), "hoof")
    state["tickets"] = []
    say(f"{winner} wins {len(tickets)} hooves.")
```
}
"""


def simulated(preset: str) -> Game:
    """The preset, played at random for two weeks."""
    simulation = Simulation(preset, preset, players=3, seed=1)
    simulation.play(2)
    game = simulation.game
    if game.edition:
        with standing_at(BEGINS):
            adopt(game, _CATS)
    return game


def adopt(game: Game, body: str) -> None:
    """Let a player propose that, and all vote for it as soon as they can, until it has passed."""
    players = list(game.players.filter(active=True).order_by("pk"))
    take(game.slug, players[0], "proposals.submit", {"title": "A change", "body": body})
    proposal = Proposal.objects.filter(game=game).latest("serial")
    for _ in range(_DAYS):
        for player in players:
            with suppress(Refused, Malformed):  # nobody votes twice, or before it is voted on
                vote = {"proposal": proposal.number, "choice": "FOR"}
                take(game.slug, player, "proposals.vote", vote)
        game.refresh_from_db()
        advance(game.slug, game.now(wall_now()) + timedelta(days=1))
        proposal.refresh_from_db()
        if proposal.passed:
            return
    raise RuntimeError(f"{proposal} in “{game.slug}” has not passed: {proposal.outcome}.")


def under(law: str) -> Game:
    """A nomic that votes by that law has adopted a proposal."""
    with standing_at(BEGINS):
        game = new_game(law, "nomic", pace="manual", start=BEGINS, law=law)[0]
        for name in ("Murphy", "Madrid", "Alexia"):
            seat(game, name)
        adopt(game, _CATS)
    return game


def raced() -> Game:
    """A race that was run to its end, and the next one; its officer lets all reports go by."""
    simulation = Simulation("agora-races", "agora-races", players=3, seed=8)
    simulation.play(3)
    with standing_at(BEGINS):
        game = simulation.game
        with suppress(Refused):  # if nobody is it yet
            take(game.slug, game.players.get(name="player1"), TAKE, {"office": HORSENED})
        with suppress(Refused):  # if they keep it by hand already
            keeper = {"report": "horsened", "keeper": OFFICER}
            take(game.slug, None, "reports.keep_by_hand", keeper)
    ended = Race.objects.filter(game=simulation.game, ended_in__isnull=False)
    for _ in range(_WEEKS):
        with standing_at(BEGINS):
            game = simulation.game
            advance(game.slug, game.now(wall_now()) + timedelta(weeks=1))
        if ended.exists():
            simulation.play(1)
            return simulation.game
    raise RuntimeError(f"No race has ended in {_WEEKS} weeks: take another seed.")


def programmed() -> Game:
    """A rule with a program was adopted by a vote, and is played."""
    with standing_at(BEGINS):
        game = new_game("programs", "agora", pace="manual", start=BEGINS)[0]
        players = seat(game, "Murphy"), seat(game, "Madrid")
        for player in players:
            hooves = {"amount": 5, "asset": "hoof", "giver": "Mint", "receiver": player.name}
            take(game.slug, None, "ledger.correct", {**hooves, "reason": "to begin with"})
        adopt(game, _LOTTERY)
        for _ in range(2):
            for player in players:
                take(game.slug, player, "rule.the-lottery.ticket", {})
            game.refresh_from_db()
            advance(game.slug, game.now(wall_now()) + timedelta(weeks=1))
    return game


def held(play: Callable[[], Game], slug: str) -> Callable[[], Game]:
    """That game, by another name, as if it had been played in an instant of wall time."""

    def played() -> Game:
        with standing_at(WEDNESDAY):
            game = play()
        Game.objects.filter(pk=game.pk).update(slug=slug)
        return game

    return played


PLAYS: dict[str, Callable[[], Game]] = {
    **{preset: partial(simulated, preset) for preset in _SIMULATED},
    "agora-races": raced,
    "majority": partial(under, "majority"),
    "consent": partial(under, "consent"),
    "programs": programmed,
    "visits": held(visited, "visits"),
    "reckoning": held(reckoned, "reckoning"),
    "secret-votes": held(voted_in_secret, "secret-votes"),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", PLAYS)
def test_the_game_is_played_and_its_file_written(name: str) -> None:
    game = Game.objects.get(pk=PLAYS[name]().pk)
    assert [finding.wrong for finding in audit(game) if finding.wrong] == []
    with (HERE / f"{name}.export").open("w", encoding="utf-8") as lines:
        assert export_game(game, lines) > game.last_entry  # sealed ones, too
