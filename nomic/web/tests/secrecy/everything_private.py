"""A game of every subgame, filled by a host, in which every private thing has a canary in it.

The contest's canaries are those of `aceofspades.tests.canaries`. Besides, Murphy and Madrid are
Settlers and the Thug is their Visitor: Murphy has told a bribe, which Olga, the Onlooker since
before the visit, may read. Jason has a draft, and a vote that nobody may see before the close.
`Murphy again` is Murphy's second account: they have a seat, a hand of cards and a stockpile.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from aceofspades.tests import canaries
from aceofspades.tests.stage import hours, join
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.testing import at_the_table, seat, user_of
from nomic.web.tests.watchers import Watcher, text_of
from proposals.models import Draft
from settlers.tests.stage import bring_the_thug, give, visitor_is

HOST, SECOND = "landlord", "Murphy again"
BRIBE, DRAFTED = 81_394_276, "hawfinch"
THE_VOTE = re.compile(rf"Jason{canaries.APART}AGAINST|AGAINST{canaries.APART}Jason")
CANARIES = re.compile(
    "|".join((canaries.everywhere(), canaries.number(BRIBE), DRAFTED, THE_VOTE.pattern))
)


def begin(first: Callable[[Game], None] = lambda game: None) -> Game:
    """The game as its host has set it up, before any office but the Contestmaster's is held; what
    is done `first` comes before anything private."""
    host = user_of(HOST)
    game = canaries.a_contest(preset="demo", host=host)
    first(game)
    second = seat(game, SECOND)
    join(game, second)
    canaries.deal(game)
    canaries.plant(game)
    return Game.objects.get(pk=game.pk)


def tell_the_bribe(game: Game) -> None:
    """Let the Thug come while Olga is the Onlooker, and Murphy tell what they would give him."""
    appoint(game, "Onlooker", seat(game, "Olga").name)
    with at_the_table(game) as table:
        bring_the_thug(table)
    murphy = player(game, "Murphy")
    for name in ("Murphy", "Madrid", SECOND):
        take(game.slug, player(game, name), "settlers.join")
    with at_the_table(game) as table:
        give(table, murphy, wheat=5, stone=2)
    visitor_is(game, "Thug")
    take(game.slug, murphy, "settlers.bribe", {"items": {"wheat": BRIBE}})


def vote_in_secret(game: Game) -> None:
    """Let Jason write a draft, and vote on a proposal where nobody sees the votes."""
    jason = player(game, "Jason")
    text = game.rules.get(title="Voting").text
    hidden = text.replace("| While voting lasts | yes |", "| While voting lasts | no |")
    assert hidden != text
    amended = {"rule": "Voting", "text": hidden, "reason": "secrecy"}
    take(game.slug, None, "rulebook.amend", amended)
    take(game.slug, player(game, "Madrid"), "proposals.submit", {"title": "Spoons", "body": "Yes."})
    hours(game, 0)
    take(game.slug, jason, "proposals.vote", {"proposal": 1, "choice": "AGAINST"})
    Draft.objects.create(player=jason, title=f"{DRAFTED} draft", body=DRAFTED, saved_at=wall_now())


def player(game: Game, name: str) -> Player:
    """The player of that name."""
    return game.players.select_related("holder", "user").get(name=name)


def appoint(game: Game, office: str, name: str) -> Any:
    """Let the host say who holds that office, or nobody."""
    return take(game.slug, user_of(HOST), "games.appoint", {"office": office, "player": name})


def heard(watcher: Watcher, where: list[str], canary: re.Pattern[str]) -> list[tuple[str, str]]:
    """The addresses at which that watcher hears a canary, and the first that they hear there."""
    found = []
    for address in where:
        answer = watcher.get(address)
        assert answer.status_code not in {429, 500}, address
        sings = canary.search(text_of(answer))
        if sings:
            found.append((address, sings[0]))
    return found
