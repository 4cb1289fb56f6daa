"""Sensible acts of a practice player in the contest: to vote, propose, exchange and ally."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from aceofspades.rules.contest import missing
from aceofspades.secrecy.view import View
from aceofspades.state.reading import state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.simulation.bots import Act

_MOST_OFFERS = 20  # that one of them looks at
_MOST_MADE = 6  # open at a time, of all that one of them sees
_GENEROUS = 0.1
_INVENTIVE = 0.15
_INCLINED = 0.75
# The second offers where the first has fewer than two cards left.
_MOST_WELCOMERS = 2


def practice(table: Table, player: Player, chance: Random) -> Iterator[Act]:
    """Moves, the best first; which of them are legal is for others to say."""
    state = state_of(table)
    if not state.is_on or state.is_reckoned:
        return
    view = View(table, player)
    if view.contestant is None:
        yield "aceofspades.join", {}
        return
    hand = view.own_hand() or {}
    for pact in view.pacts:  # before all else: somebody waits for an answer
        if player.name not in pact.agreed:
            yield "aceofspades.agree_pact", {"pact": pact.code}
    for offer in view.offers(_MOST_OFFERS, only_open=True):
        gains = sum(offer.gives.values()) >= sum(offer.takes.values())
        if player.name in offer.to and gains and not missing(hand, offer.takes):
            yield "aceofspades.accept_offer", {"offer": offer.code}
    yield from _welcome(view, player, chance)
    for proposal in state.up_for_vote:
        # Seeded by who votes on what, so that they lean the same way however often they are asked.
        mood = Random(f"{player.name} {table.game.identity} {proposal.number}")  # noqa: S311
        way = "FOR" if proposal.by_id == player.pk or mood.random() < _INCLINED else "AGAINST"
        if proposal.number not in view.own_votes:
            yield "aceofspades.vote", {"proposal": proposal.number, "vote": way}
    if not state.up_for_vote and chance.random() < _INVENTIVE:
        # One from the shelf that differs from what the book has under its number.
        public = {rule.number: rule.text for rule in state.regulations if rule.is_public}
        for draft in chance.sample(shelf(), len(shelf())):
            if text := draft.text(public.get(draft.number, "")):
                inputs = {"number": draft.number, "visibility": "public", "text": text}
                yield "aceofspades.propose", inputs
    yield from _dealings(view, player, chance)


def _welcome(view: View, player: Player, chance: Random) -> Iterator[Act]:
    """From the first of the practice players, an offer to the person who came last: for a card such
    as everybody has many of, so that they can accept it."""
    bots, people = (
        [member.player.name for member in view.state.contestants if member.player.bot is is_bot]
        for is_bot in (True, False)
    )
    hand = view.own_hand() or {}
    if not people or player.name not in bots[:_MOST_WELCOMERS] or len(hand) < 2:
        return
    newest, plenty = people[-1], _most_and_least(hand)[0]
    if all(newest not in offer.to for offer in view.offers(_MOST_OFFERS, only_open=True)):
        gives = chance.choice([suit for suit in hand if suit != plenty])
        cards = {"gives": {gives: 1}, "takes": {plenty: 1}}
        yield "aceofspades.offer", {"to": [newest], **cards, "anonymous": False}


def _dealings(view: View, player: Player, chance: Random) -> Iterator[Act]:
    """To make an offer, to ally, or to give a friend a card."""
    hand = view.own_hand() or {}
    offers = view.offers(_MOST_OFFERS, only_open=True)
    rivals = [name for name in view.state.names if name != player.name]
    if not rivals or not hand:
        return
    friend = chance.choice(rivals)
    if chance.random() < _GENEROUS:
        yield "aceofspades.ally", {"others": [friend]}
    if len(offers) < _MOST_MADE and chance.random() < 0.5:
        plenty, scarce = _most_and_least(hand)
        if hand[plenty] > hand[scarce]:
            cards = {"gives": {plenty: 1}, "takes": {scarce: 1}}
            yield "aceofspades.offer", {"to": rivals, **cards, "anonymous": False}
    if chance.random() < _GENEROUS:
        yield "aceofspades.transfer", {"to": friend, "cards": {_most_and_least(hand)[0]: 1}}


def _most_and_least(hand: Mapping[str, int]) -> tuple[str, str]:
    return max(hand, key=lambda suit: hand[suit]), min(hand, key=lambda suit: hand[suit])


@dataclass(frozen=True, slots=True)
class RegulationDraft:
    """A regulation to be proposed: `whole`, or what is in force with `replace` replaced `by`."""

    number: int
    whole: str = ""
    replace: str = ""
    by: str = ""

    def text(self, now: str) -> str:
        """Its text where that number reads so `now`; "" where it would change nothing."""
        if self.whole:
            return "" if now.strip() == self.whole.strip() else self.whole
        return now.replace(self.replace, self.by) if now.count(self.replace) == 1 else ""


@cache
def shelf() -> tuple[RegulationDraft, ...]:
    """The regulations that practice players propose."""
    drafts = tomllib.loads(Path(__file__).with_name("regulations.toml").read_text(encoding="utf-8"))
    return tuple(RegulationDraft(**draft) for draft in drafts["regulations"])
