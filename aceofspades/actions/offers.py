"""Offers: cards for cards of other suits, unnamed if wished, exchanged at once (Regulation 125)."""

from collections.abc import Collection
from typing import Any

from aceofspades.actions.fields import CardsField, CodeField, ContestantsField
from aceofspades.actions.members import ContestantAction
from aceofspades.events.moves import move, note
from aceofspades.events.notices import new_code, tell
from aceofspades.models import Contestant, Move, Offer, Receiver
from aceofspades.rules import contest
from aceofspades.rules.contest import OFFERS, describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.reading import State, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Flag
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import OFFERS_OF_CONTESTANT
from nomic.games.refusal import Refusal
from nomic.games.wording import counted, listed

SOMEBODY = "Somebody"


class OfferAction(ContestantAction):
    """An act by which offers are made, withdrawn or accepted."""

    rule = OFFERS
    never_without = True


@action
class MakeOffer(OfferAction):
    """Offer other contestants cards for cards of other suits. You need not have them yet: both
    sides must when the offer is accepted."""

    name = "aceofspades.offer"
    title = "Make an offer"
    sentence = "Offer {to} {gives} for {takes}"
    also_said = (
        "Offer {gives} to {to} for {takes}",
        "Offer {to} {gives} for {takes} anonymously{anonymous:on}",
        "Offer {gives} to {to} for {takes} anonymously{anonymous:on}",
        "Anonymously{anonymous:on} offer {to} {gives} for {takes}",
    )
    button = "Offer"
    private = True

    class Form(ActionForm):
        to = ContestantsField(label="To")
        gives = CardsField(label="You give", own=True)
        takes = CardsField(label="You get")
        anonymous = Flag(label="Without your name")

    def judge(self, state: State, own: Contestant, **data: Any) -> Verdict:
        if not {"to", "gives", "takes"} <= data.keys():
            return _too_many(state, own)
        names = [str(each) for each in state.contestants]
        gives, takes, anonymous = data["gives"], data["takes"], data.get("anonymous")
        terms = contest.Offer(own.player.name, frozenset(data["to"]), gives, takes)
        suits = state.suits_known_to(own.player)
        to = [each for each in state.contestants if each.player.name in data["to"]]

        def make(table: Table) -> Outcome:
            code = new_code(table, state, Offer)
            its = {"gives": gives, "takes": takes, "anonymous": anonymous, "at": table.now}
            offer = Offer.objects.create(contest=state.contest, code=code, by=own, **its)
            Receiver.objects.bulk_create(Receiver(offer=offer, contestant=each) for each in to)
            cards = f"{describe_cards(gives)} for {describe_cards(takes)} ({offer})"
            by = SOMEBODY if anonymous else str(own)
            tell(table, ((each, f"{by} offers you {cards}.") for each in to))
            unnamed = ", without their name" if anonymous else ""
            text = f"{own} offers {listed([*map(str, to)])} {cards}{unnamed}."
            return Outcome(text, {"offer": code})

        refusal = contest.offer_refusal(terms, names, suits) or _too_many(state, own)
        return refusal or Effects(Then(make))


@action
class WithdrawOffer(OfferAction):
    """Withdraw an offer that nobody has accepted yet."""

    name = "aceofspades.withdraw_offer"
    title = "Withdraw an offer"
    sentence = "Withdraw offer {offer}"
    private = True

    class Form(ActionForm):
        offer = CodeField(reader.offers_made)

    def judge(self, state: State, own: Contestant, offer: str | None) -> Verdict:
        if offer is None:
            nothing = Refusal("no_offer", "You have made no open offer.", OFFERS)
            return None if reader.offers_made(state, own) else nothing
        found = _own_offer(own, offer)
        if found is None:
            return Refusal("no_such_offer", f"You have made no offer {offer}.", OFFERS)
        if found.end:
            sentence = f"Your {found} was {found.end} before: it is not open any more."
            return Refusal(found.end, sentence, OFFERS)

        def withdraw(table: Table) -> None:
            _end(table, found, Offer.End.WITHDRAWN)
            tell(table, ((each, f"The {found} was withdrawn.") for each in found.to.all()))

        told = {"offer": found.code}
        return Effects(Then(withdraw), say=f"{own} withdraws {found}.", figures=told)


@action
class AcceptOffer(OfferAction):
    """Accept an offer that was made to you: the cards of both sides change hands at once.

    If that fails, nothing does, and you and whoever made the offer are told why.
    """

    name = "aceofspades.accept_offer"
    title = "Accept an offer"
    sentence = "Accept offer {offer}"
    also_said = (
        "Accept offer {offer} anonymously{anonymous:on}",
        "Anonymously{anonymous:on} accept offer {offer}",
    )
    perhaps_private = True

    class Form(ActionForm):
        offer = CodeField(reader.offers_got)
        anonymous = Flag(label="Without your name")

    def judge(
        self, state: State, own: Contestant, offer: str | None, anonymous: bool | None
    ) -> Verdict:
        if offer is None:
            nothing = Refusal("no_offer", _NOBODY_OFFERS, OFFERS)
            return None if reader.offers_got(state, own) else nothing
        if (got := _offer_to(state.table, own, offer)) is not None:

            def accept(table: Table) -> Outcome:
                reason = _reason(table, got, own)
                if not reason:
                    return _exchange(table, got, own, bool(anonymous))
                # Tell the two sides why nothing changes hands, and neither who is unnamed (125).
                by = SOMEBODY if anonymous else str(own)
                nothing = f"and nothing changed hands. {reason}"
                to_offerer = (got.by, f"{by} accepted your {got}, {nothing}")
                tell(table, [to_offerer, (own, f"You accepted {got}, {nothing}")])
                text = f"{own} accepts {got}, and nothing changes hands. {reason}"
                return Outcome(text, {"offer": got.code, "failed": reason.code})

            return Effects(Then(accept))
        if _own_offer(own, offer) is not None:
            sentence = "You cannot accept an offer of your own; you may withdraw it."
            return Refusal("own_offer", sentence, OFFERS)
        return Refusal("no_such_offer", f"No offer {offer} was made to you.", OFFERS)

    def is_private(self, table: Table, data: Inputs) -> bool:
        """An acceptance that fails is told to the two sides only."""
        own = state_of(table).contestant(table.actor)
        got = _offer_to(table, own, data["offer"]) if own and "offer" in data else None
        return own is None or got is None or _reason(table, got, own) is not None

    def sealed_inputs(self, table: Table, data: Inputs) -> Collection[str]:
        return {"offer", "anonymous"}

    def hides_actor(self, table: Table, data: Inputs) -> bool:
        return bool(data.get("anonymous"))


_NOBODY_OFFERS = "Nobody has an open offer for you. You may make one yourself."


def _exchange(table: Table, offer: Offer, own: Contestant, anonymous: bool) -> Outcome:
    """Let the cards of both sides change hands in one transfer.

    The public sentence and moves have the numbers of cards, and the names of who is not unnamed.
    """
    giver, taker = offer.by.player, own.player
    move(table, "exchanged", (giver, taker, offer.gives), (taker, giver, offer.takes))
    offer.accepted_by, offer.accepted_anonymously = own, anonymous
    _end(table, offer, Offer.End.ACCEPTED)
    offerer = "" if offer.anonymous else giver.name
    acceptor = "" if anonymous else taker.name
    given, taken = sum(offer.gives.values()), sum(offer.takes.values())
    exchanged = Move.Kind.EXCHANGED
    note(table, (exchanged, given, offerer, acceptor), (exchanged, taken, acceptor, offerer))
    gives, takes = describe_cards(offer.gives), describe_cards(offer.takes)
    by = acceptor or SOMEBODY
    tell(table, [(offer.by, f"{by} accepted your {offer}: you gave {gives} for {takes}.")])
    sealed = f"{own} accepts {offer}: {takes} for {gives}."
    cards = f"{counted(given, 'card')} and {counted(taken, 'card')} change hands"
    said = {  # by whether it names who offers, and who accepts
        (True, True): f"{acceptor} accepts an offer of {offerer}: {cards}.",
        (False, True): f"{acceptor} accepts an offer: {cards}.",
        (True, False): f"An offer of {offerer} is accepted: {cards}.",
        (False, False): f"By an offer {cards}.",
    }
    text = said[bool(offerer), bool(acceptor)]
    return Outcome(text, {"cards": [given, taken]}, sealed=sealed)


def _reason(table: Table, offer: Offer, own: Contestant) -> Refusal | None:
    """Which of the regulation's conditions is not fulfilled at this moment."""
    state = state_of(table)
    by, to = offer.by.player, own.player
    end = offer.end or ("" if state.contestant(by) else Offer.End.WITHDRAWN)
    terms = contest.Offer(by.name, frozenset({to.name}), offer.gives, offer.takes, end)
    return contest.cannot_be_fulfilled(terms, reader.hand_of(state, by), reader.hand_of(state, to))


def _offer_to(table: Table, own: Contestant, code: str) -> Offer | None:
    """The offer of that code that was made to them, whatever became of it; read once."""
    rows = Offer.objects.filter(contest=own.contest_id, code=code, to=own)
    found = rows.select_related("by__player__holder")
    return state_of(table).kept(f"offer {code} to {own.pk}", found.first)


def _own_offer(own: Contestant, code: str) -> Offer | None:
    return Offer.objects.filter(contest=own.contest_id, code=code, by=own).first()


def _end(table: Table, offer: Offer, end: Offer.End) -> None:
    offer.end, offer.ended_at = end, table.now
    offer.save(update_fields=["end", "ended_at", "accepted_by", "accepted_anonymously"])


def _too_many(state: State, own: Contestant) -> Refusal | None:
    most = OFFERS_OF_CONTESTANT.of(state.table.game)
    if len(reader.offers_made(state, own)) < most:
        return None
    sentence = f"You have {most} open offers. Withdraw one of them first."
    return Refusal("too_many", sentence, OFFERS)
