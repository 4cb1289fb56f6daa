"""What the demonstration's contestants do in the Ace of Spades: regulations, votes, exchanges.

Nobody is Contestmaster: the contest runs itself. The Moment of Reckoning is put off by the consent
of all while weeks are played, and set for a near day once somebody looks at the demonstration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from aceofspades.rulebook import shipped_texts
from aceofspades.secrecy.secrets import Sight
from aceofspades.state.reading import State, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.operations.demonstration.bills import THE_LAST_WEEK

Move = tuple[str, dict[str, Any]]

CONTESTANTS = ("Murphy", "Madrid", "juan", "Jason", "ais523")
WAITS = "Murphy"
"""Who is left with something to do by whoever looks at the demonstration."""
ALLIES = (("Madrid", "Murphy"), ("Murphy", "Madrid"), ("juan", "ais523"), ("ais523", "juan"))
_AN_OFFER_OF_ALLIANCE = ("Jason", "Murphy")
_ANONYMOUS = "Jason"
"""Who makes offers without their name."""
_PAYS = "Madrid"
"""Who pays to read a secret regulation."""
WEEKS_OF_GIFTS = (1, 3, 5)
_MANY_DAYS = 900
_UNTIL_THE_RECKONING = timedelta(days=24)
FOR, AGAINST = "FOR", "AGAINST"
_ALL = dict.fromkeys(CONTESTANTS, FOR)


@dataclass(frozen=True, slots=True)
class Draft:
    """A regulation that somebody proposes in the week of that number, and how it is voted on."""

    week: int
    author: str
    number: int
    text: str
    visibility: str = "public"
    votes: Mapping[str, str] = field(default_factory=lambda: _ALL)

    @property
    def move(self) -> Move:
        """Its author's act."""
        inputs = {"number": self.number, "visibility": self.visibility, "text": self.text}
        return "aceofspades.propose", inputs


def _shipped(number: int, old: str, new: str) -> str:
    """The text of that regulation as it is shipped, with a figure changed."""
    text = dict(shipped_texts())[number]
    assert old in text, f"Regulation {number} does not say {old}."
    return text.replace(old, new)


DRAFTS = (
    Draft(1, "juan", 122, _shipped(122, "| 96 |", f"| {_MANY_DAYS} |")),
    Draft(2, "juan", 200, _shipped(200, "| 70 days", f"| {_MANY_DAYS} days")),
    Draft(
        2,
        "Madrid",
        500,
        """Whoever holds a card of each suit that is defined has their hand raised by three Marks.

```starlark
def mark_hand(name, hands, worth, alliances):
    return worth[name] + (3 if min(hands[name].values()) > 0 else 0)
```
""",
    ),
    Draft(
        2,
        "Jason",
        510,
        """Each Hearts card is worth another Mark to a hand that holds no Black.

```starlark
def mark_hand(name, hands, worth, alliances):
    hand = hands[name]
    return worth[name] + (0 if hand["Black"] else hand["Hearts"])
```
""",
        visibility="private",
    ),
    Draft(
        3,
        "ais523",
        520,
        "A contestant who has not played a card in a month should say why, in verse.",
        votes={"ais523": FOR, "Murphy": AGAINST, "Madrid": AGAINST, "Jason": AGAINST},
    ),
)


def first_moves(name: str) -> Iterator[Move]:
    """What they do once the contest has opened."""
    if name in CONTESTANTS:
        yield "aceofspades.join", {}


def alliances(name: str) -> Iterator[Move]:
    """With whom they are allied: the second to say so forms the alliance."""
    for one, other in ALLIES:
        if one == name:
            yield "aceofspades.ally", {"others": [other]}


def proposals(name: str, week: int) -> Iterator[Move]:
    """The regulations that they propose in that week."""
    for draft in DRAFTS:
        if (draft.author, draft.week) == (name, week):
            yield draft.move


def votes(table: Table, player: Player) -> Iterator[Move]:
    """Their vote on what is up for vote, by what was agreed when it was drafted."""
    state = state_of(table)
    agreed = {draft.number: draft.votes for draft in DRAFTS}
    for proposal in state.up_for_vote:
        way = agreed.get(proposal.regulation_number, _ALL).get(player.name)
        if way is not None:
            yield "aceofspades.vote", {"proposal": proposal.number, "vote": way}


def dealings(table: Table, player: Player) -> Iterator[Move]:
    """What else makes sense for them: to accept an offer, to make one, to give a card away."""
    sight = Sight(table, player)
    hand = sight.own_hand()
    if sight.own is None or not hand:
        return
    for offer in sight.affairs.offers:
        is_good = all(hand.get(suit, 0) >= n for suit, n in offer["takes"].items())
        if not offer["end"] and player.name in offer["to"] and is_good:
            yield "aceofspades.accept_offer", {"offer": offer["code"]}
    if not any(offer["by"] == player.name and not offer["end"] for offer in sight.affairs.offers):
        others = [name for name in CONTESTANTS if name != player.name]
        yield from _offers_to(others, hand, anonymous=player.name == _ANONYMOUS)


def a_payment(table: Table, player: Player) -> Iterator[Move]:
    """To pay for a look at the first of the secret regulations, and to tell an ally of it."""
    state = state_of(table)
    mine = [each for each in state.regulations if _is_full(state, each.pk, player)]
    for each in mine:
        for one, other in ALLIES:
            if one == player.name:
                inputs = {"regulation": each.number, "to": other, "kind": "limited"}
                yield "aceofspades.grant_ntk", inputs
    secret = [each.number for each in state.regulations if each.visibility == "secret"]
    if player.name == _PAYS and not mine and secret:
        yield "aceofspades.reveal_regulation", {"regulation": secret[0]}


def gifts(table: Table, player: Player) -> Iterator[Move]:
    """A card for an ally, of the suit of which they have most."""
    hand = Sight(table, player).own_hand() or {}
    for one, other in ALLIES:
        if one == player.name and hand:
            most = max(hand, key=lambda suit: hand[suit])
            yield "aceofspades.transfer", {"to": other, "cards": {most: 1}}


def a_request(table: Table, player: Player) -> Iterator[Move]:
    """A question for whoever becomes Contestmaster."""
    text = "Is a verse on cards that were not played a play of cards, so that one is enough?"
    if player.name == "ais523" and not state_of(table).requests:
        yield "aceofspades.request_judgement", {"text": text}


def what_is_left(table: Table, player: Player) -> Iterator[Move]:
    """What the demonstration leaves to be answered: an offer, and a pact with somebody."""
    sight = Sight(table, player)
    one, other = _AN_OFFER_OF_ALLIANCE
    if player.name == one:
        yield "aceofspades.ally", {"others": [other]}
    hand = sight.own_hand()
    if player.name == "ais523" and hand:
        yield from _offers_to([WAITS], hand)


def the_day(table: Table) -> Draft:
    """The regulation that sets the Moment of Reckoning for a day some weeks from now."""
    day = (table.now + _UNTIL_THE_RECKONING).date()
    text = _shipped(200, "| 70 days after the contest begins |", f"| {day.isoformat()} |")
    votes = {name: FOR for name in CONTESTANTS if name != WAITS}
    return Draft(THE_LAST_WEEK, "juan", 200, text, votes=votes)


def _offers_to(
    names: list[str], hand: Mapping[str, int], *, anonymous: bool = False
) -> Iterator[Move]:
    """A card of the suit of which they have most, for one of which they have least."""
    most = max(hand, key=lambda suit: hand[suit])
    least = min(hand, key=lambda suit: hand[suit])
    if hand[most] > hand[least]:
        cards = {"gives": {most: 1}, "takes": {least: 1}}
        yield "aceofspades.offer", {"to": names, **cards, "anonymous": anonymous}


def _is_full(state: State, regulation: int, player: Player) -> bool:
    knowers = state.knowers.get(regulation, [])
    return any(knower.name == player.name and knower.full for knower in knowers)
