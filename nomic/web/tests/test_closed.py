"""A game that is over says nowhere that something comes, waits, or can be done in it."""

from __future__ import annotations

import re

import pytest

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.hosting.players import HIDE
from nomic.web.tests.secrecy.everything_private import (
    HOST,
    begin,
    player,
    tell_the_bribe,
    vote_in_secret,
)
from nomic.web.tests.watchers import FEW, Watcher, addresses, text_of
from tests.kit import user_of

TO_COME = re.compile(
    "data-until|Voting closes|Voting opens|[Oo]pen to votes</|Play along|Join the game</a>|Join as"
    "|[Cc]omes to the vote|Decided at the latest|Decided when its|decided from|for your vote"
    "|Propose a change|What comes next|does what it can|take it</a>|Waits until|Pending open"
    "|it would (?:pass|fail)|, or it fails|If it closed now|If the vote ended now|season so far"
    "|asked of all players|BEGIN:VEVENT|Up for vote|at the latest|next (Production|Visitor)"
    '|"status": ?"(up for vote|submitted)"|"decided_from"'
    '|"due": ?"2|"next_appointment": ?{|<form [^>]*action="/g/[^"]*act/'
)
# What was said, and what the rules say.
PAST = re.compile(r"/(record|feed|search|talk|rule|download|files|openapi\.json)")


@pytest.fixture
def over(db: None) -> Game:
    """The game of all subgames, closed in the midst of everything."""
    game = begin()
    tell_the_bribe(game)
    vote_in_secret(game)
    Game.objects.filter(pk=game.pk).update(preset="agora")  # nobody closes the demonstration
    take(game.slug, user_of(HOST), "games.close", {"reason": "We are through."})
    return Game.objects.get(pk=game.pk)


@pytest.mark.thorough
@pytest.mark.parametrize("few", FEW)
def test_no_page_and_no_answer_tells_of_what_will_never_be(over: Game, few: bool) -> None:
    where = addresses(
        over, only=lambda route: "{slug}" in route and not PAST.search(route), few=few
    )
    watchers = [None, player(over, "Jason"), player(over, "Olga"), user_of(HOST), user_of("Li")]
    found = {
        f"{address}: {words[0]}"
        for watcher in map(Watcher.of, watchers)
        for address in where
        if HIDE not in address  # remarks are hidden afterwards as well
        for words in TO_COME.finditer(text_of(watcher.get(address)))
    }
    assert not found, "\n".join(sorted(found))
