"""Offers: cards for cards of other suits, unnamed if wished, exchanged at once (Regulation 125)."""

from collections.abc import Collection
from typing import Any

from aceofspades.actions.fields import CardsField, CodeField, ContestantsField
from aceofspades.actions.members import ContestantAction
from aceofspades.events.moves import move, record_moves
from aceofspades.events.notices import new_code, send_notices
from aceofspades.models import Contestant, Move, Offer, Receiver
from aceofspades.rules import contest
from aceofspades.rules.contest import OFFERS, describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.reading import State, state_of
from nomic.engine.actions import Inputs, PrivateAction, TwoSidedAction, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Flag
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import OFFERS_OF_CONTESTANT
from nomic.games.refusal import Refusal
from nomic.games.wording import counted, enumerated

SOMEBODY = "Somebody"


class OfferAction(ContestantAction):
    """An act by which offers are made, withdrawn or accepted."""

    rule = OFFERS
    one_rule = True


@action
class MakeOffer(OfferAction, PrivateAction):
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

    class Form(ActionForm):
        to = ContestantsField(label="To")
        gives = CardsField(label="You give", own=True)
        takes = CardsField(label="You get")
        anonymous = Flag(label="Without your name")

    def judge(self, state: State, contestant: Contestant, **data: Any) -> Verdict:
        if not {"to", "gives", "takes"} <= data.keys():
            return _too_many(state, contestant)
        names = [str(member) for member in state.contestants]
        gives, takes, anonymous = data["gives"], data["takes"], data.get("anonymous")
        terms = contest.Offer(contestant.player.name, frozenset(data["to"]), gives, takes)
        receivers = [member for member in state.contestants if member.player.name in data["to"]]

        def make(table: Table) -> Outcome:
            code = new_code(table, state, Offer)
            facts = {"gives": gives, "takes": takes, "anonymous": anonymous, "at": table.now}
            offer = Offer.objects.create(contest=state.contest, code=code, by=contestant, **facts)
            Receiver.objects.bulk_create(
                Receiver(offer=offer, contestant=receiver) for receiver in receivers
            )
            cards = f"{describe_cards(gives)} for {describe_cards(takes)} ({offer})"
            by = SOMEBODY if anonymous else str(contestant)
            send_notices(table, ((receiver, f"{by} offers you {cards}.") for receiver in receivers))
            unnamed = ", without their name" if anonymous else ""
            text = f"{contestant} offers {enumerated([*map(str, receivers)])} {cards}{unnamed}."
            return Outcome(text, {"offer": code})

        refusal = contest.offer_refusal(terms, names, state.charts.suits) or _too_many(
            state, contestant
        )
        return refusal or Effects(Then(make))


@action
class WithdrawOffer(OfferAction, PrivateAction):
    """Withdraw an offer that nobody has accepted yet."""

    name = "aceofspades.withdraw_offer"
    title = "Withdraw an offer"
    sentence = "Withdraw offer {offer}"

    class Form(ActionForm):
        offer = CodeField(reader.offers_made)

    def judge(self, state: State, contestant: Contestant, offer: str | None) -> Verdict:
        if offer is None:
            nothing = Refusal("no_offer", "You have made no open offer.", OFFERS)
            return None if reader.offers_made(state, contestant) else nothing
        chosen = _own_offer(contestant, offer)
        if chosen is None:
            return Refusal("no_such_offer", f"You have made no offer {offer}.", OFFERS)
        if chosen.end:
            sentence = f"Your {chosen} was {chosen.end} before: it is not open any more."
            return Refusal(chosen.end, sentence, OFFERS)

        def withdraw(table: Table) -> None:
            _end(table, chosen, Offer.End.WITHDRAWN)
            send_notices(
                table, ((receiver, f"The {chosen} was withdrawn.") for receiver in chosen.to.all())
            )

        figures = {"offer": chosen.code}
        return Effects(Then(withdraw), say=f"{contestant} withdraws {chosen}.", figures=figures)


@action
class AcceptOffer(OfferAction, PrivateAction, TwoSidedAction):
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

    class Form(ActionForm):
        offer = CodeField(reader.offers_got)
        anonymous = Flag(label="Without your name")

    def judge(
        self, state: State, contestant: Contestant, offer: str | None, anonymous: bool | None
    ) -> Verdict:
        if offer is None:
            nothing = Refusal("no_offer", _NOBODY_OFFERS, OFFERS)
            return None if reader.offers_got(state, contestant) else nothing
        if (chosen := _offer_to(state.table, contestant, offer)) is not None:

            def accept(table: Table) -> Outcome:
                reason = _reason(table, chosen, contestant)
                if not reason:
                    return _exchange(table, chosen, contestant, bool(anonymous))
                # Tell the two sides why nothing changes hands, and neither who is unnamed (125).
                by = SOMEBODY if anonymous else str(contestant)
                nothing = f"and nothing changed hands. {reason}"
                to_offerer = (chosen.by, f"{by} accepted your {chosen}, {nothing}")
                send_notices(table, [to_offerer, (contestant, f"You accepted {chosen}, {nothing}")])
                text = f"{contestant} accepts {chosen}, and nothing changes hands. {reason}"
                return Outcome(text, {"offer": chosen.code, "failed": reason.code})

            return Effects(Then(accept))
        if _own_offer(contestant, offer) is not None:
            sentence = "You cannot accept an offer of your own; you may withdraw it."
            return Refusal("own_offer", sentence, OFFERS)
        return Refusal("no_such_offer", f"No offer {offer} was made to you.", OFFERS)

    def is_private(self, table: Table, data: Inputs) -> bool:
        """An acceptance that fails is told to the two sides only."""
        contestant = state_of(table).contestant(table.actor)
        offer = (
            _offer_to(table, contestant, data["offer"]) if contestant and "offer" in data else None
        )
        return contestant is None or offer is None or _reason(table, offer, contestant) is not None

    def sealed_inputs(self, table: Table, data: Inputs) -> Collection[str]:
        return {"offer", "anonymous"}

    def hides_actor(self, table: Table, data: Inputs) -> bool:
        return bool(data.get("anonymous"))


_NOBODY_OFFERS = "Nobody has an open offer for you. You may make one yourself."


def _exchange(table: Table, offer: Offer, contestant: Contestant, anonymous: bool) -> Outcome:
    """Let the cards of both sides change hands in one transfer.

    The public sentence and moves have the numbers of cards, and the names of who is not unnamed.
    """
    giver, taker = offer.by.player, contestant.player
    move(table, "exchanged", (giver, taker, offer.gives), (taker, giver, offer.takes))
    offer.accepted_by, offer.accepted_anonymously = contestant, anonymous
    _end(table, offer, Offer.End.ACCEPTED)
    offerer = "" if offer.anonymous else giver.name
    acceptor = "" if anonymous else taker.name
    given_count, taken_count = sum(offer.gives.values()), sum(offer.takes.values())
    exchanged = Move.Kind.EXCHANGED
    record_moves(
        table,
        (exchanged, given_count, offerer, acceptor),
        (exchanged, taken_count, acceptor, offerer),
    )
    gives, takes = describe_cards(offer.gives), describe_cards(offer.takes)
    by = acceptor or SOMEBODY
    send_notices(table, [(offer.by, f"{by} accepted your {offer}: you gave {gives} for {takes}.")])
    sealed = f"{contestant} accepts {offer}: {takes} for {gives}."
    cards = f"{counted(given_count, 'card')} and {counted(taken_count, 'card')} change hands"
    sentences = {  # by whether it names who offers, and who accepts
        (True, True): f"{acceptor} accepts an offer of {offerer}: {cards}.",
        (False, True): f"{acceptor} accepts an offer: {cards}.",
        (True, False): f"An offer of {offerer} is accepted: {cards}.",
        (False, False): f"By an offer {cards}.",
    }
    text = sentences[bool(offerer), bool(acceptor)]
    return Outcome(text, {"cards": [given_count, taken_count]}, sealed=sealed)


def _reason(table: Table, offer: Offer, contestant: Contestant) -> Refusal | None:
    """Which of the regulation's conditions is not fulfilled at this moment."""
    state = state_of(table)
    by, to = offer.by.player, contestant.player
    end = offer.end or ("" if state.contestant(by) else Offer.End.WITHDRAWN)
    terms = contest.Offer(by.name, frozenset({to.name}), offer.gives, offer.takes, end)
    return contest.cannot_be_fulfilled(terms, reader.hand_of(state, by), reader.hand_of(state, to))


def _offer_to(table: Table, contestant: Contestant, code: str) -> Offer | None:
    """The offer of that code that was made to them, whatever became of it; read once."""
    rows = Offer.objects.filter(contest=contestant.contest_id, code=code, to=contestant)
    offers = rows.select_related("by__player__holder")
    return state_of(table).cached(f"offer {code} to {contestant.pk}", offers.first)


def _own_offer(contestant: Contestant, code: str) -> Offer | None:
    return Offer.objects.filter(contest=contestant.contest_id, code=code, by=contestant).first()


def _end(table: Table, offer: Offer, end: Offer.End) -> None:
    offer.end, offer.ended_at = end, table.now
    offer.save(update_fields=["end", "ended_at", "accepted_by", "accepted_anonymously"])


def _too_many(state: State, contestant: Contestant) -> Refusal | None:
    limit = OFFERS_OF_CONTESTANT.of(state.table.game)
    if len(reader.offers_made(state, contestant)) < limit:
        return None
    sentence = f"You have {limit} open offers. Withdraw one of them first."
    return Refusal("too_many", sentence, OFFERS)
