"""What of the contest a game's home shows: it in small, the acts that wait for a player, and the
newcomer's step, which is an exchange of cards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Value
from django.db.models.functions import JSONObject
from django.utils.http import urlencode

from aceofspades.actions.members import Join
from aceofspades.actions.offers import AcceptOffer, MakeOffer
from aceofspades.events.scoring import TITLE, marks
from aceofspades.models import Contestant, Vote
from aceofspades.rules.contest import missing
from aceofspades.secrecy.scoring import gain_by
from aceofspades.secrecy.view import View
from aceofspades.web.page import MOST_LISTED, first_of, tables, worthiest
from nomic.engine.subgames import QuickAct, TourStep, Waiting
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.wins import register_wins
from nomic.web.game_context import GamePage, address_of
from nomic.web.moments import Placed


@register_wins
def who_is_semigenius(game: OuterRef) -> QuerySet[Any]:
    """Those who got the title (121), the newest first."""
    how = Value(f"is {TITLE} of the Ace of Spades")
    columns = {"entry": F("semigenius_in"), "at": F("semigenius_at")}
    chosen = Contestant.objects.filter(contest__game=game, semigenius_in__isnull=False)
    row = JSONObject(player=F("player__name"), how=how, **columns)
    return chosen.order_by("-semigenius_in").values(told=row)


def panel(game_page: GamePage) -> dict[str, Any] | None:
    """The contest as the game's home shows it: how many play, and how many cards the viewer holds;
    None while there is none.

    `due` is the Moment of Reckoning at its game moment, `due_wall` at the wall's, None where time
    stands still.
    """
    view = View(game_page.table, game_page.player)
    state, contestant = view.state, view.contestant
    if not state.is_on:
        return None
    due = None if state.is_reckoned else state.reckoning_due
    hand = contestant.player.holder.pk if contestant else None
    first = first_of(view)
    are_all = len(first) < MOST_LISTED
    drawn = tables(state, first, rows=1)  # before the counts: it reads most of what is held
    held = state.counts_of(state.deck.pk, *([hand] if hand else []))
    return {
        "contestants": len(first) if are_all else len(state.names),
        "deck": held[state.deck.pk],
        "cards": held[hand] if hand else None,
        "tables": drawn,
        "is_reckoned": state.is_reckoned,
        "semigenius": [member.player.name for member in state.semigenius],
        "may_join": contestant is None and not view.is_contestmaster and not state.is_over,
        "due": due,
        "due_wall": None if game_page.game.stuck_at else game_page.wall_of(due),
    }


_MOST_OFFERS = 20  # that are looked at
_MOST_WEIGHED = 5  # of them: the worker marks a hand for each


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """Regulations to vote on, offers of cards, and alliances that wait for the player's word."""
    view = View(table, player)
    state = view.state
    if not state.is_on or state.is_over or view.contestant is None:
        return
    page = address_of("aceofspades", table.game.slug)
    for proposal in state.up_for_vote:
        if proposal.number not in view.own_votes:
            acts = tuple(
                QuickAct(way, "aceofspades.vote", {"proposal": proposal.number, "vote": way})
                for way in Vote.Choice.values
            )
            sentence = f"Vote on Regulation {proposal.regulation_number} of the contest of cards"
            yield Waiting(sentence, f"{page}#ballots", None, acts)
    for offer in view.offers(_MOST_OFFERS, only_open=True):
        if any(map(view.is_viewer, offer.to)):
            accept = QuickAct("Accept", "aceofspades.accept_offer", {"offer": offer.code})
            sentence = f"{offer.by or 'Somebody'} offers you {offer.given} for {offer.taken}"
            yield Waiting(sentence, f"{page}#private", None, (accept,))
    for pact in view.pacts:
        if any(map(view.is_viewer, set(pact.members) - set(pact.agreed))):
            sentence = f"An alliance waits for your word: {', '.join(pact.members)}"
            yield Waiting(sentence, f"{page}#private")


def tour(table: Table, player: Player) -> Iterator[TourStep]:
    """An exchange of cards; nothing for the Contestmaster, who plays none."""
    view = View(table, player)
    if not view.state.is_on or view.is_contestmaster:
        return
    page = address_of("aceofspades", table.game.slug)
    says, url = "", f"{page}#private"
    acts: tuple[QuickAct, ...] = ()
    if view.state.is_over:
        says = "This contest is over. Look at how it ended, and join the next one."
    elif view.contestant is None:
        says = "Join the contest first: you are dealt a hand of cards."
        acts = (QuickAct("Join the contest", Join.name),)
    else:
        says, url, acts = _exchange(table, view, url)
    yield TourStep(4, "Exchange a card", says, url, view.has_exchanged, acts)


def _exchange(table: Table, view: View, page: str) -> tuple[str, str, tuple[QuickAct, ...]]:
    """How a contestant comes to exchange a card now: by an offer that makes their hand worth more,
    as far as they can know that."""
    hand, offers = view.own_hand() or {}, view.offers(_MOST_OFFERS, only_open=True)
    received = [offer for offer in offers if any(map(view.is_viewer, offer.to))]
    payable = [offer for offer in received if not missing(hand, offer.takes)][:_MOST_WEIGHED]
    gains = [(gain_by(view, offer), offer) for offer in payable]
    weighed = [(gain, offer) for gain, offer in gains if gain is not None]
    gain, best = max(weighed, key=lambda pair: pair[0], default=(0.0, None))
    if best is not None and gain > 0:
        says = (
            f"{best.by or 'Somebody'} offers you {best.given} for {best.taken}. By the regulations"
            f" that you may read, your hand is worth {marks(gain)} more with it."
        )
        label = f"Accept {best.given} for {best.taken} from {best.by or 'somebody'}"
        return says, page, (QuickAct(label, AcceptOffer.name, {"offer": best.code}),)
    if len(weighed) < len(payable):
        says = "The program is working out what the offers to you are worth. Look again soon."
        return says, page, ()
    if any(offer.by and view.is_viewer(offer.by) for offer in offers):
        return "You have made an offer. Wait until somebody accepts it.", page, ()
    says = "Offer the others a card for one of theirs, or wait for an offer."
    if payable:
        says = f"No offer to you makes your hand worth more. {says}"
    back = urlencode({"back": page.partition("#")[0]})
    form = address_of("act", table.game.slug, MakeOffer.name)
    return says, f"{form}?{back}", ()


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A contest that was reckoned: the worthiest hands, none before they are marked; who became
    Semigenius, and what the viewer's own hand is worth, None where they had none."""

    podium: list[Placed]
    semigenius: list[str]
    own_worth: str | None
    are_counted: bool


def newly_reckoned(game_page: GamePage, since: int) -> Iterator[tuple[int, Reckoned]]:
    """The contest if its Moment of Reckoning came after that entry, with its entry. Until then it
    asks for nothing beside the panel's queries."""
    view = View(game_page.table, game_page.player)
    state, contest = view.state, view.state.contest_or_none
    if contest is None or (contest.reckoned_in or 0) <= since:
        return
    worth = view.contestant.worth if view.contestant else None
    reckoned = Reckoned(
        worthiest(view),
        [member.player.name for member in state.semigenius],
        None if worth is None else marks(worth),
        contest.worths_in is not None,
    )
    yield contest.reckoned_in or 0, reckoned
