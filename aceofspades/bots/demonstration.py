"""The acts of the demonstration's contestants: regulations, votes, exchanges of cards.

Nobody is Contestmaster: the contest runs itself. The Moment of Reckoning is put off by the consent
of all while weeks are played, and set for a near day once somebody looks at the demonstration.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from aceofspades.models import Contest as ContestRow
from aceofspades.rulebook import shipped_texts
from aceofspades.secrecy.view import View
from aceofspades.state.reading import state_of
from nomic.engine.table import Table, glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.simulation.bots import Act, Demonstration, take_first

_FILE = Path(__file__).with_name("demonstration.toml")
_SCRIPT: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
CONTESTANTS: list[str] = _SCRIPT["contestants"]
WAITS: str = _SCRIPT["waits"]
_ALLIES: list[list[str]] = _SCRIPT["alliances"]
_WEEKS_OF_GIFTS: list[int] = _SCRIPT["weeks_of_gifts"]
_FOR = "FOR"
_ALL = dict.fromkeys(CONTESTANTS, _FOR)


@dataclass(frozen=True, slots=True)
class PlannedRegulation:
    """A regulation that somebody proposes, in the week of that number, and how it is voted on."""

    author: str
    number: int
    text: str
    week: int | None = None
    visibility: str = "public"
    votes: Mapping[str, str] = field(default_factory=lambda: _ALL)

    @property
    def move(self) -> Act:
        """The act by which its author proposes it."""
        inputs = {"number": self.number, "visibility": self.visibility, "text": self.text}
        return "aceofspades.propose", inputs


def _shipped(number: int, old: str, new: str) -> str:
    """The text of that regulation as it is shipped, with a figure changed."""
    text = dict(shipped_texts())[number]
    assert old in text, f"Regulation {number} does not say {old}."
    return text.replace(old, new)


def _planned(facts: dict[str, Any]) -> PlannedRegulation:
    old, new = facts.pop("replace", ""), facts.pop("by", "")
    text = _shipped(facts["number"], old, new) if old else facts.pop("text")
    return PlannedRegulation(**facts, text=text)


_REGULATIONS = tuple(map(_planned, _SCRIPT["drafts"]))
_MOST_OFFERS = 20  # that one of them looks at


class Cards(Demonstration):
    """Regulations, votes and cards of each contestant a week."""

    opens_after = timedelta(hours=1)  # the secret regulations are drawn by then

    def beginnings(self) -> Iterator[tuple[str, Act]]:
        """All join, and the second of each pair to say so forms their alliance."""
        yield from ((name, ("aceofspades.join", {})) for name in CONTESTANTS)
        yield from (
            (first, ("aceofspades.ally", {"others": [second]})) for first, second in _ALLIES
        )

    def play(self, player: Player, week: int, chance: Random) -> None:
        for act in _proposals(player.name, week):
            take(player.game.slug, player, *act)
        while take_first(player, _votes):
            pass
        if week in _WEEKS_OF_GIFTS:
            take_first(player, _gifts)
            take_first(player, _a_request)
        take_first(player, _a_payment)
        take_first(player, _dealings)

    def leave_open(self, game: Game) -> None:
        """A vote sets a day for the Moment of Reckoning, and an offer and a pact wait."""
        players = {player.name: player for player in game.players.select_related("holder")}
        regulation = _the_day(glance(game))
        entry = take(game.slug, players[regulation.author], *regulation.move).entry
        for name, way in regulation.votes.items():
            vote = {"proposal": entry.outcome["proposal"], "vote": way}
            take(game.slug, players[name], "aceofspades.vote", vote)
        for name in CONTESTANTS:
            take_first(players[name], _what_is_left)

    def decided_at(self, game: Game) -> datetime | None:
        """When the contest was reckoned: no rule begins it anew."""
        contests = ContestRow.objects.filter(game=game)
        return contests.values_list("reckoned_at", flat=True).first()


def _proposals(name: str, week: int) -> Iterator[Act]:
    """The regulations that they propose in that week."""
    for regulation in _REGULATIONS:
        if (regulation.author, regulation.week) == (name, week):
            yield regulation.move


def _votes(table: Table, player: Player) -> Iterator[Act]:
    """Their vote on what is up for vote, by what was agreed when it was drafted."""
    state = state_of(table)
    agreed = {regulation.number: regulation.votes for regulation in _REGULATIONS}
    for proposal in state.up_for_vote:
        way = agreed.get(proposal.regulation_number, _ALL).get(player.name)
        if way is not None:
            yield "aceofspades.vote", {"proposal": proposal.number, "vote": way}


def _dealings(table: Table, player: Player) -> Iterator[Act]:
    """Other acts that make sense for them: to accept an offer, to make one."""
    view = View(table, player)
    hand = view.own_hand()
    if view.contestant is None or not hand:
        return
    offers = view.offers(_MOST_OFFERS, only_open=True)
    for offer in offers:
        is_good = all(hand.get(suit, 0) >= n for suit, n in offer.takes.items())
        if player.name in offer.to and is_good:
            yield "aceofspades.accept_offer", {"offer": offer.code}
    if not any(offer.by == player.name for offer in offers):
        receivers = [name for name in CONTESTANTS if name != player.name]
        yield from _offers_to(receivers, hand, anonymous=player.name == _SCRIPT["anonymous"])


def _a_payment(table: Table, player: Player) -> Iterator[Act]:
    """To pay for a look at the first of the secret regulations, and to tell an ally of it."""
    state = state_of(table)
    paid_for = [
        regulation
        for regulation in state.regulations
        if state.knowers.get(regulation.pk, {}).get(player.name) == "full"
    ]
    for regulation in paid_for:
        for contestant, ally in _ALLIES:
            if contestant == player.name:
                inputs = {"regulation": regulation.number, "to": ally, "kind": "limited"}
                yield "aceofspades.grant_ntk", inputs
    secret = [
        regulation.number for regulation in state.regulations if regulation.visibility == "secret"
    ]
    if player.name == _SCRIPT["pays"] and not paid_for and secret:
        yield "aceofspades.reveal_regulation", {"regulation": secret[0]}


def _gifts(table: Table, player: Player) -> Iterator[Act]:
    """A card for an ally, of the suit of which they have most."""
    hand = View(table, player).own_hand() or {}
    for giver, ally in _ALLIES:
        if giver == player.name and hand:
            plenty = max(hand, key=lambda suit: hand[suit])
            yield "aceofspades.transfer", {"to": ally, "cards": {plenty: 1}}


def _a_request(table: Table, player: Player) -> Iterator[Act]:
    """A question for whoever becomes Contestmaster."""
    text = _SCRIPT["question"]
    if player.name == _SCRIPT["asks"] and not state_of(table).requests:
        yield "aceofspades.request_judgement", {"text": text}


def _what_is_left(table: Table, player: Player) -> Iterator[Act]:
    """Acts that are left to be answered: an offer, and a pact with somebody."""
    view = View(table, player)
    proposer, invited = _SCRIPT["left_open"]
    if player.name == proposer:
        yield "aceofspades.ally", {"others": [invited]}
    hand = view.own_hand()
    if player.name == _SCRIPT["asks"] and hand:
        yield from _offers_to([WAITS], hand)


def _the_day(table: Table) -> PlannedRegulation:
    """The regulation that sets the Moment of Reckoning for a day some weeks from now."""
    facts = _SCRIPT["reckoning"]
    day = (table.now + timedelta(days=facts["days"])).date()
    text = _shipped(facts["number"], facts["replace"], f"| {day.isoformat()} |")
    votes = {name: _FOR for name in CONTESTANTS if name != WAITS}
    return PlannedRegulation(facts["author"], facts["number"], text, votes=votes)


def _offers_to(
    names: list[str], hand: Mapping[str, int], *, anonymous: bool = False
) -> Iterator[Act]:
    """A card of the suit of which they have most, for one of which they have least."""
    plenty = max(hand, key=lambda suit: hand[suit])
    scarce = min(hand, key=lambda suit: hand[suit])
    if hand[plenty] > hand[scarce]:
        cards = {"gives": {plenty: 1}, "takes": {scarce: 1}}
        yield "aceofspades.offer", {"to": names, **cards, "anonymous": anonymous}
